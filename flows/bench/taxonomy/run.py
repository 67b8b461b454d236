"""Measures the error taxonomy on criteria that two labellers have classed."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from flows.bench.taxonomy.unseen import classes_unseen
from tasks.judging.agreement.intervals import cluster_interval
from tasks.judging.agreement.measures import Pair, accuracy, cohen_kappa
from tasks.judging.taxonomy import classify
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.reasons import ErrorClass

LABELS = Path(__file__).parent / "labels"
INDEX = Path("lab/inventory_2010.jsonl.gz")
FOLDS = 5  # practice areas are held out in five lots
_TERMS = 15  # commonest terms of Other that are told
_WORD = re.compile(r"[^\W\d_]{4,}")


class LabelledCriterion(Record):
    """A criterion and the classes that two labellers gave it."""

    task_id: str
    criterion: str
    first: ErrorClass
    second: ErrorClass


class Classed(Record):
    """A labelled criterion with the matcher's class and what the index tells of it."""

    label: LabelledCriterion
    title: str
    rule: str
    area: str
    work_type: str
    matcher: ErrorClass


Side = Literal["first", "second", "matcher"]


def measure_taxonomy(labels: Path | None, data: Path) -> dict[str, Any]:
    """Compare the matcher with each labeller, and the labellers with each other.

    Args:
        labels: A file of labels, or a folder of them; the committed ones when None.
        data: The shared data, with the LAB index.

    Raises:
        SolonError: A file is missing or holds something else, or the index lacks a criterion.
    """
    rows = list(_classed(read_labels(labels or LABELS), _index(data / INDEX)))
    others = [row for row in rows if row.matcher is ErrorClass.OTHER]
    agreed = [row for row in rows if row.label.first is row.label.second]
    return {
        "n": len(rows),
        "between": _agreement(rows, "first", "second"),
        "matcher_first": _agreement(rows, "matcher", "first"),
        "matcher_second": _agreement(rows, "matcher", "second"),
        "where_both_agree": _agreement(agreed, "matcher", "first"),
        "other": {"n": len(others), "share": len(others) / len(rows), "terms": terms(row.title for row in others)},
        "confusion": {side: _confusion(rows, side) for side in ("first", "second")},
        "by_area": _groups(rows, lambda row: row.area),
        "by_work_type": _groups(rows, lambda row: row.work_type),
        "unseen": _unseen(list(_folds(rows))),
    }


def read_labels(path: Path) -> list[LabelledCriterion]:
    """Read labels from a file of JSON lines, or from every such file of a folder; other fields are passed over.

    Raises:
        SolonError: There is no label, or a line is none.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    found = []
    for file in files:
        try:
            lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
            found += [
                LabelledCriterion(**{k: v for k, v in json.loads(line).items() if k in _FIELDS}) for line in lines
            ]
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise _unusable(file, "holds no labels that can be read", _HOW) from error
    if not found:
        raise _unusable(path, "holds no labels", _HOW)
    return found


def terms(titles: Iterable[str]) -> dict[str, int]:
    """Return the commonest words of titles, each counted once a title."""
    counts = Counter(word for title in titles for word in {w.lower() for w in _WORD.findall(title)})
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_TERMS])


def render(result: Mapping[str, Any]) -> str:
    """Return the measures and the table of confusions for a terminal."""
    return "\n".join(_lines(result))


_FIELDS = frozenset(LabelledCriterion.model_fields) - {"schema_version"}
_HOW = 'give JSON lines with "task_id", "criterion", "first" and "second"'


def _index(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            tasks = [json.loads(line) for line in file]
    except OSError as error:
        raise _unusable(path, "is not there or cannot be read", "name the shared data with --data DIR") from error
    return {
        (task["task_id"], one["id"]): {
            "title": one["title"],
            "match": one["match"],
            "area": task["area"],
            "work_type": task["work_type"],
        }
        for task in tasks
        for one in task["criteria_sample"]
    }


def _classed(
    labels: Sequence[LabelledCriterion], index: Mapping[tuple[str, str], Mapping[str, str]]
) -> Iterator[Classed]:
    for label in labels:
        told = index.get((label.task_id, label.criterion))
        if told is None:
            place = f"{label.task_id} {label.criterion}"
            raise _unusable(place, "is no criterion of the index", "label criteria of the index alone")
        yield Classed(
            label=label,
            title=told["title"],
            rule=told["match"],
            area=told["area"],
            work_type=told["work_type"],
            matcher=classify(told["title"], told["match"]),
        )


def _side(row: Classed, side: Side) -> ErrorClass:
    if side == "matcher":
        return row.matcher
    return row.label.first if side == "first" else row.label.second


def _agreement(rows: Sequence[Classed], one: Side, other: Side) -> dict[str, Any]:
    pairs: list[Pair] = [(_side(row, one), _side(row, other)) for row in rows]
    areas = [row.area for row in rows]
    return {
        "n": len(pairs),
        "accuracy": accuracy(pairs),
        "accuracy_interval": cluster_interval(pairs, areas, accuracy),
        "kappa": cohen_kappa(pairs),
        "kappa_interval": cluster_interval(pairs, areas, cohen_kappa),
    }


def _confusion(rows: Sequence[Classed], side: Side) -> dict[str, dict[str, int]]:
    """Count by the labeller's class (outer) and the matcher's (inner), in the order of the classes."""
    counts = Counter((_side(row, side), row.matcher) for row in rows)
    return {
        str(given): {str(said): counts[given, said] for said in ErrorClass if counts[given, said]}
        for given in ErrorClass
        if any(counts[given, said] for said in ErrorClass)
    }


def _groups(rows: Sequence[Classed], of: Callable[[Classed], str]) -> dict[str, dict[str, Any]]:
    found: dict[str, list[Classed]] = {}
    for row in rows:
        found.setdefault(of(row), []).append(row)
    return {
        name: {
            "n": len(group),
            "first": accuracy([(row.matcher, row.label.first) for row in group]),
            "second": accuracy([(row.matcher, row.label.second) for row in group]),
            "other": sum(row.matcher is ErrorClass.OTHER for row in group),
        }
        for name, group in sorted(found.items())
    }


def _unseen(folds: Sequence[Sequence[Classed]]) -> dict[str, Any]:
    """Compare again, without the words that only the areas of a fold hold where that fold is classed."""
    classes = classes_unseen([[(row.title, row.rule) for row in fold] for fold in folds])
    again = [
        row.model_copy(update={"matcher": name})
        for fold, names in zip(folds, classes, strict=True)
        for row, name in zip(fold, names, strict=True)
    ]
    return {side: _agreement(again, "matcher", side) for side in ("first", "second")}


def _folds(rows: Sequence[Classed]) -> Iterator[list[Classed]]:
    """Part the rows by area, so that no area stands in two folds; an empty fold is left out."""
    areas = sorted({row.area for row in rows})
    fold_of = {area: number % FOLDS for number, area in enumerate(areas)}
    for number in range(FOLDS):
        if fold := [row for row in rows if fold_of[row.area] == number]:
            yield fold


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    yield f"{result['n']} criteria"
    unseen = {f"unseen_{side}": row for side, row in result["unseen"].items()}
    for name in ("between", "matcher_first", "matcher_second", "where_both_agree", *unseen):
        row = unseen.get(name) or result[name]
        yield (
            f"{name:18} n {row['n']:4}  accuracy {_figure(row['accuracy'], row['accuracy_interval'])}"
            f"  kappa {_figure(row['kappa'], row['kappa_interval'])}"
        )
    other = result["other"]
    yield f"{'other':18} {other['n']} ({other['share']:.1%}): " + ", ".join(
        f"{w} {n}" for w, n in other["terms"].items()
    )
    for side, table in result["confusion"].items():
        yield f"the {side} labeller's class (down), the matcher's (across)"
        yield " " * 22 + "".join(f"{name[:9]:>10}" for name in ErrorClass)
        yield from (
            f"{name:22}" + "".join(f"{row.get(c, 0) or '.':>10}" for c in ErrorClass) for name, row in table.items()
        )
    for key in ("by_area", "by_work_type"):
        yield f"{key}: n, accuracy against the first, the second; other"
        for name, row in result[key].items():
            yield f"{name:46} {row['n']:4} {row['first']:8.3f} {row['second']:8.3f} {row['other']:4}"


def _figure(value: float | None, interval: tuple[float, float] | None) -> str:
    told = "none" if value is None else f"{value:.3f}"
    return told if interval is None else f"{told} [{interval[0]:.3f}, {interval[1]:.3f}]"


def _unusable(subject: Path | str, message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="bench", subject=str(subject), message=message, remedy=remedy)
    )
