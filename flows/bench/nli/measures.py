"""How well answers agree with the labels: F1 by class and weighted, accuracy, evidence, intervals by document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tasks.judging.agreement.intervals import cluster_interval
from tasks.retrieval.entail.records import LABELS, Entailment, Example, Label, Passages

ROUNDS = 500  # drawings of documents for an interval


class Pair(NamedTuple):
    """A label beside an answer.

    Attributes:
        shared: Characters of evidence that both name.
        named: Characters that the answer names.
        wanted: Characters that the lawyer names.
    """

    document: str
    statement: str
    right: Label
    said: Label
    shared: int = 0
    named: int = 0
    wanted: int = 0


def paired(documents: Sequence[Passages], examples: Sequence[Example], answers: Sequence[Entailment]) -> list[Pair]:
    """Return each label beside its answer, of which there must be one."""
    by_place = {(answer.document, answer.statement): answer for answer in answers}
    spans = {document.document: document.spans for document in documents}
    pairs = []
    for example in examples:
        answer = by_place[example.document, example.statement]
        named, wanted = set(answer.evidence), set(example.evidence)
        sizes = [_size(spans[example.document], found) for found in (named & wanted, named, wanted)]
        pairs.append(Pair(example.document, example.statement, example.label, answer.label, *sizes))
    return pairs


def _size(spans: Sequence[tuple[int, int]], positions: set[int]) -> int:
    return sum(spans[i][1] - spans[i][0] for i in positions)


def f1(pairs: Sequence[Pair], label: Label) -> float:
    """Return the F1 of a class: 0 where it is neither right nor said anywhere."""
    both = sum(pair.right == pair.said == label for pair in pairs)
    either = sum(pair.right == label for pair in pairs) + sum(pair.said == label for pair in pairs)
    return 2 * both / either if either else 0.0


def weighted_f1(pairs: Sequence[Pair]) -> float:
    """Return the mean of the F1 of the classes, weighted by how often each is right."""
    return sum(f1(pairs, label) * sum(pair.right == label for pair in pairs) for label in LABELS) / len(pairs)


def accuracy(pairs: Sequence[Pair]) -> float:
    """Return the share of answers that are right."""
    return sum(pair.right == pair.said for pair in pairs) / len(pairs)


def evidence_f1(pairs: Sequence[Pair]) -> float | None:
    """Return the F1 of the characters named as evidence; None where no answer and no lawyer names any.

    Counted over all pairs at once: what is named where the lawyer found nothing is wrong, what is not named is missed.
    """
    total = sum(pair.named for pair in pairs) + sum(pair.wanted for pair in pairs)
    return 2 * sum(pair.shared for pair in pairs) / total if total else None


def summary(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return all figures of some answers; the intervals draw whole documents."""
    return {
        "n": len(pairs),
        "documents": len({pair.document for pair in pairs}),
        "weighted_f1": weighted_f1(pairs),
        "weighted_f1_interval": _interval(pairs, weighted_f1),
        "accuracy": accuracy(pairs),
        "accuracy_interval": _interval(pairs, accuracy),
        "f1": {label: f1(pairs, label) for label in LABELS},
        "evidence_f1": evidence_f1(pairs),
        "evidence_f1_interval": _interval(pairs, evidence_f1),
    }


def _interval(pairs: Sequence[Pair], measure: Callable[[Sequence[Pair]], float | None]) -> list[float] | None:
    ends = cluster_interval(pairs, [pair.document for pair in pairs], measure, rounds=ROUNDS)
    return None if ends is None else list(ends)
