"""The bench of questions of law for a reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_HEAD = ("", "authority", "act only", "in five", "silent", "near", "period", "of its law", "not held", "sure and wrong")


def render(result: Mapping[str, Any]) -> str:
    """Return the tables of a result of ``measure_law``, and the questions missed, where they may be told."""
    parts = [[_HEAD, _row("all questions", result["all"]), _row("with the place told", result["told"])]]
    parts += [
        [_HEAD, *(_row(*row) for row in result[name].items())] for name in ("areas", "jurisdictions") if name in result
    ]
    for name in ("scores", "scores_told"):
        bins = [(f"{b['from']:.1f} to {b['to']:.1f}", str(b["right"]), str(b["wrong"])) for b in result[name]]
        parts.append([(name.replace("_", ", place "), "right", "wrong"), *bins])
    tables = ["\n".join(_aligned(part)) for part in parts]
    missed = [line for verdict in result.get("questions", ()) for line in _missed(verdict)]
    return "\n\n".join(filter(None, [*tables, "\n".join(missed)]))


def _row(name: str, n: Mapping[str, int]) -> tuple[str, ...]:
    return (
        name,
        f"{n['authority_right']}/{n['authority_of']}",
        str(n["authority_act"]),
        str(n["authority_within_five"]),
        str(n["authority_not_held"]),
        str(n["authority_near"]),
        f"{n['period_right']}/{n['period_of']}",
        str(n["period_of_right_law"]),
        f"{n['not_held_right']}/{n['not_held_of']}",
        str(n["wrong_with_confidence"]),
    )


def _missed(verdict: Mapping[str, Any]) -> list[str]:
    question = verdict["question"]
    none = question["kind"] == "not_held"
    wanted = "not held" if none else "right"
    if verdict["authority"] == wanted and verdict["period"] in ("right", "none"):
        return []
    right = "nothing" if none else f"{question['authority']}; {question['period'] or 'no period'}"
    said = "; ".join(filter(None, verdict["said"])) or "nothing"
    return [f"{question['id']} {verdict['authority']}, period {verdict['period']}, {verdict['score']:.2f}: "
            f"{question['question']}", f"  said  {said}", f"  right {right}"]  # fmt: skip


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(w) if not at else cell.rjust(w) for at, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
