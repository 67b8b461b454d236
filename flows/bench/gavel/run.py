"""The bench of the checklist judge: every human checklist against itself, altered copies, and the wrong case."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from flows.bench.gavel.altered import ALTERATIONS
from flows.bench.gavel.human import HumanChecklist, load_checklists
from tasks.judging.checklist.offline import OfflineComparator
from tasks.judging.checklist.records import ChecklistScore, Relation
from tasks.judging.checklist.scoring import score
from tasks.judging.checklist.side import Side
from tasks.judging.checklist.tables import ScoreRow, score_rows
from tasks.legaltext.checklists.definition import Checklist
from tasks.legaltext.checklists.records import Filled

_CLOSE: Final = 1e-9  # scores that differ by less are equal but for rounding
# What the paper says that would need more than is here: the number, and what is missing.
_OUT_OF_REACH: Final = (
    ("agreement of annotators, S_checklist (appendix D)", "83.6", "a second annotation of the same summaries"),
    ("agreement of annotators, matching F1 (appendix D)", "0.82", "the 150 pairs of values that they compared"),
    ("agreement of annotators, Fleiss' kappa (appendix D)", "0.57", "the 150 pairs of values that they compared"),
    ("comparison by models, accuracy and F1 (table 1)", "0.567 to 0.854", "the pairs and the answers of the models"),
    ("extraction by models, S_checklist (table 1)", "54.1 to 68.2", "the checklists that the models filled"),
    ("style, Krippendorff's alpha and kappa (appendix D, table 1)", "0.32; -0.011 to 0.157", "the 375 marks"),
    ("scores of twelve models (figures 2 to 12)", "51.0 for the first", "their summaries"),
)


def measure_gavel(folder: Path, limit: int | None = None) -> dict[str, Any]:
    """Measure the offline judge on the human checklists of a folder.

    Args:
        folder: Holds ``human_checklists*.json``.
        limit: At most so many cases.

    Raises:
        SolonError: There are none.
    """
    begun = time.perf_counter()
    checklist, humans = load_checklists(folder)
    humans = humans[:limit]
    cases = [_case(checklist, one, other) for one, other in zip(humans, [*humans[1:], *humans[:1]], strict=True)]
    own = [_scored(checklist, h.side.filled, h) for h in humans]
    wrong = [_scored(checklist, b.side.filled, a) for a, b in zip(humans, [*humans[1:], *humans[:1]], strict=True)]
    broke = [f"{c['case']}: {name}" for c in cases for name, found in c["altered"].items() if not found["as_expected"]]
    broke += [f"{c['case']}: itself" for c in cases if c["itself"] != 100]
    return {
        "cases": cases,
        "items": _items(humans, score_rows(checklist, own), score_rows(checklist, wrong)),
        "altered": {name: sum(c["altered"][name]["as_expected"] for c in cases) for name in ALTERATIONS},
        "within_lists": _within_lists(checklist, humans),
        "published": _published(humans),
        "seconds": round(time.perf_counter() - begun, 3),
        "broke": broke,
    }


def _scored(checklist: Checklist, filled: Filled, reference: HumanChecklist) -> ChecklistScore:
    return score(checklist, Side(filled, {}), Side(reference.side.filled, {}), OfflineComparator())


def _case(checklist: Checklist, human: HumanChecklist, other: HumanChecklist) -> dict[str, Any]:
    filled = human.side.filled
    entries = [entry for entry in filled.entries.values() if entry.values]
    quotations = sum(len(v.evidence) for entry in entries for v in entry.values)
    altered = {}
    for name, alter in ALTERATIONS.items():
        made = alter(filled)
        found = _scored(checklist, made.filled, human).s_checklist
        right = found is not None and abs(found - made.expected) < _CLOSE
        altered[name] = {"score": found, "expected": made.expected, "as_expected": right}
    return {
        "case": human.case,
        "applicable": len(entries),
        "values": sum(len(entry.values) for entry in entries),
        "repeated": sum(map(len, human.lists.values())) - sum(len(entry.values) for entry in entries),
        "quotations": quotations,
        "lost_quotations": filled.dropped_evidence,
        "conflicts": human.conflicts,
        "text_known": human.known,
        "residual_ratio": human.side.ratio(),
        "itself": _scored(checklist, filled, human).s_checklist,
        "altered": altered,
        "wrong_case": _scored(checklist, other.side.filled, human).s_checklist,
    }


def _items(
    humans: Sequence[HumanChecklist], own: Sequence[ScoreRow], wrong: Sequence[ScoreRow]
) -> list[dict[str, Any]]:
    """Return each group and item: how often it applies, how many values people gave, and the scores."""
    rows = []
    for mine, other in zip(own, wrong, strict=True):
        sizes = [len(h.side.filled.of(mine.name).values) for h in humans] if mine.kind == "item" else []
        rows.append(
            {
                "kind": mine.kind,
                "name": mine.name,
                "title": mine.title,
                "applicable": mine.applicable,
                "values": sum(sizes),
                "lists": sum(size > 1 for size in sizes),
                "itself": mine.score,
                "wrong_case": other.score,
            }
        )
    return rows


def _within_lists(checklist: Checklist, humans: Sequence[HumanChecklist]) -> dict[str, int]:
    """Return what the comparison makes of values that people listed as two: the only human matches in the data."""
    by, counted = OfflineComparator(), Counter[str]()
    items = {item.id: item for item in checklist.items()}
    for human in humans:
        for item, values in human.lists.items():
            for one, other in combinations(values, 2):
                relation = by.relation(items[item], one, other)
                counted["pairs"] += 1
                counted["equal"] += relation is Relation.EQUAL
                counted["equal_to_the_letter"] += " ".join(one.split()) == " ".join(other.split())
                counted["contained"] += relation in {Relation.CONTAINS, Relation.CONTAINED}
    return dict(counted)


def _published(humans: Sequence[HumanChecklist]) -> list[dict[str, Any]]:
    """Return what the paper says beside what these checklists give, and what cannot be computed from them."""
    sizes = [len(values) for h in humans for values in h.lists.values() if values]
    ratios = [h.side.ratio() for h in humans]
    here = [
        _figure("items with several values (section 2.1)", "0.76", round(sum(s > 1 for s in sizes) / len(sizes), 3)),
        _figure("residual ratio of human summaries (section 3.1)", "0.111", round(sum(ratios) / len(ratios), 3)),
    ]
    return here + [_figure(what, said, None, f"needs {lacking}") for what, said, lacking in _OUT_OF_REACH]


def _figure(what: str, published: str, here: float | None, lacking: str = "") -> dict[str, Any]:
    return {"what": what, "published": published, "here": here, "lacking": lacking}


def render(result: Mapping[str, Any]) -> str:
    """Return the tables: cases, items, and what stands beside the paper."""
    names = list(result["altered"])
    heads = ["case", "items", "values", "quoted", "r", "itself", *names, "wrong case"]
    rows = [
        [
            case["case"],
            *(str(case[key]) for key in ("applicable", "values", "quotations")),
            f"{case['residual_ratio']:.3f}",
            f"{case['itself']:.1f}",
            *(f"{found['score']:.2f}" for found in case["altered"].values()),
            f"{case['wrong_case']:.1f}",
        ]
        for case in result["cases"]
    ]
    lines = _table(heads, rows)
    heads = ["item", "applies", "values", "lists", "itself", "wrong case"]
    lines += ["", *_table(heads, [_item_cells(row) for row in result["items"]])]
    within = result["within_lists"]
    lines += [
        "",
        f"Of {within['pairs']} pairs that people listed as two values, {within['equal']} are called equal "
        f"({within['equal_to_the_letter']} are the same to the letter) and {within['contained']} part of one another.",
        "No pair that people matched is in the data: how many true matches are found cannot be told.",
        "",
        *_table(["in the paper", "said", "here"], [_published_cells(row) for row in result["published"]]),
        "",
        f"{len(result['cases'])} checklists, {result['seconds']} s; not as expected: {len(result['broke'])}",
        *result["broke"],
    ]
    return "\n".join(lines)


def _item_cells(row: Mapping[str, Any]) -> list[str]:
    of_item = row["kind"] == "item"
    counts = [str(row[key]) if of_item else "" for key in ("applicable", "values", "lists")]
    scores = ["–" if row[key] is None else f"{row[key]:.3f}" for key in ("itself", "wrong_case")]
    return [f"  {row['title']}" if of_item else row["title"], *counts, *scores]


def _published_cells(row: Mapping[str, Any]) -> list[str]:
    return [row["what"], row["published"], row["lacking"] if row["here"] is None else str(row["here"])]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in (heads, *rows)) for at in range(len(heads))]
    last = len(heads) - 1

    def line(cells: Sequence[str]) -> str:
        told = (
            c.ljust(w) if not at or (at == last and not c[:1].isdigit()) else c.rjust(w)
            for at, (c, w) in enumerate(zip(cells, widths, strict=True))
        )
        return "  ".join(told).rstrip()

    return [line(heads), *map(line, rows)]
