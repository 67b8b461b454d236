"""Titles with their classes: how often the class is the router's first guess, and how often among its first three.

The weights of ``skills_repo/classes.toml`` are those of a multinomial logistic regression with an L1 penalty of 0.4 on
the summed loss (one over the areas, one over the work types), rounded to a tenth, over words, pairs of words and the
first word of a title, of which each occurs twice at least and the harness uses every word. Beside the titles of the
public index the areas were shown the names of their types of deliverable, each as half a title. What a work type has in
an area before a word is read is 0.3 of the logarithm of its share. A fair measure is one on titles that are not in it.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from flows.bench.request import misuse
from skills_repo.class_cues import ClassCues
from skills_repo.matter_classes import class_skill
from tasks.harness import Harness

Row = dict[str, str]
COLUMNS = ("title", "area", "work_type")
_FIRST = 3  # skills among which the labelled one counts as found (top-3)
_NONE = "(none)"


def measure_router(titles: Path, harness: Harness) -> dict[str, Any]:
    """Measure the router on the titles of a CSV with the columns ``title``, ``area`` and ``work_type``.

    Raises:
        SolonError: The file is missing, or lacks a column or rows.
    """
    return measure_rows(_rows(titles), harness)


def measure_rows(rows: Sequence[Row], harness: Harness) -> dict[str, Any]:
    """Guess the class of each title from its words alone, and compare.

    Args:
        rows: Titles with ``area`` and ``work_type`` (empty or ``(none)`` where there is none).
        harness: The harness whose router is measured.

    Returns:
        ``n``, ``top1``, ``top3`` (shares of the titles), ``area`` and ``work_type`` (shares of the first guesses that
        name the right one), ``with_skill`` (share given a class skill), ``right_skill`` (share of these that are right,
        a skill of several classes counting for each), and ``classes``: for each the count and the two shares. All
        shares are 0 where there are no rows.
    """
    found = [(class_name(row), _guesses(row["title"], harness.classes)) for row in rows]
    given = [class_skill(harness.skills, harness.classes, row["title"]) for row in rows]
    skilled = [(wanted, skill) for (wanted, _), skill in zip(found, given, strict=True) if skill is not None]
    return {
        "n": len(found),
        "top1": _share(wanted == guesses[0] for wanted, guesses in found),
        "top3": _share(wanted in guesses for wanted, guesses in found),
        "area": _share(wanted.split("/")[0] == guesses[0].split("/")[0] for wanted, guesses in found),
        "work_type": _share(wanted.partition("/")[2] == guesses[0].partition("/")[2] for wanted, guesses in found),
        "with_skill": _share(skill is not None for skill in given),
        "right_skill": _share(wanted in skill.classes for wanted, skill in skilled),
        "classes": _by_class(found),
    }


def class_name(row: Mapping[str, str]) -> str:
    """Return the class of a row: ``<area>/<work type>``, or the area where it has no work type."""
    work = row["work_type"].strip()
    return row["area"].strip() + (f"/{work}" if work and work != _NONE else "")


def render(result: dict[str, Any]) -> str:
    """Return the result as a table for a terminal, the classes that are known least often first."""
    lines = [
        f"{result['n']} titles: class first {result['top1']:.1%}, among three {result['top3']:.1%}; "
        f"area {result['area']:.1%}, work type {result['work_type']:.1%}",
        f"a class skill is given to {result['with_skill']:.1%}, the right one in {result['right_skill']:.1%} of these",
        f"{'class':58}{'n':>5}{'first':>8}{'three':>8}",
    ]
    worst = sorted(result["classes"].items(), key=lambda item: (item[1]["top1"], item[0]))
    return "\n".join([*lines, *(f"{c:58}{r['n']:5}{r['top1']:8.0%}{r['top3']:8.0%}" for c, r in worst)])


def _guesses(title: str, cues: ClassCues) -> tuple[str, ...]:
    return tuple(guess.name for guess in cues.rank(title)[:_FIRST]) or ("",)


def _by_class(found: list[tuple[str, tuple[str, ...]]]) -> dict[str, dict[str, Any]]:
    counted = Counter(wanted for wanted, _ in found)
    first = Counter(wanted for wanted, guesses in found if wanted == guesses[0])
    three = Counter(wanted for wanted, guesses in found if wanted in guesses)
    return {c: {"n": n, "top1": first[c] / n, "top3": three[c] / n} for c, n in sorted(counted.items())}


def _share(hits: Iterator[bool]) -> float:
    counted = list(hits)
    return sum(counted) / len(counted) if counted else 0.0


def _rows(titles: Path) -> list[Row]:
    if not titles.is_file():
        raise misuse(titles.name, "is not there", "name a CSV with --titles FILE")
    with titles.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    if not rows or any(row.get(column) is None for row in rows for column in COLUMNS):
        raise misuse(
            titles.name, f"has no rows with the columns {', '.join(COLUMNS)}", "write them as a CSV with a header"
        )
    return rows
