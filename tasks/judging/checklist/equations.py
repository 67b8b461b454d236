"""The arithmetic of GAVEL-Ref (sections 2.1 and 2.2). It needs no model, and nothing here knows how values compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from tasks.judging.checklist.records import N_GRADES, Relation

_HALF = frozenset({Relation.CONTAINS, Relation.CONTAINED})


def single_score(relation: Relation) -> float:
    """Return m_i of two single values (equation 1).

    >>> [single_score(r) for r in (Relation.EQUAL, Relation.CONTAINS, Relation.CONTAINED, Relation.DIFFERENT)]
    [1.0, 0.5, 0.5, 0.0]
    """
    return 1.0 if relation is Relation.EQUAL else 0.5 if relation in _HALF else 0.0


def list_score(matched: int, candidate: int, reference: int) -> float:
    """Return m_i of two lists: the F1 of their matches (equation 1).

    Five filings against five others, three of them shared: precision 3/5, recall 3/5, F1 3/5. One value, right, of
    two: precision 1/1, recall 1/2, F1 = 2 · 1 · ½ / (1 + ½) = 2/3. A list against none matches nothing.

    >>> list_score(3, 5, 5), round(list_score(1, 1, 2), 4), list_score(0, 0, 4)
    (0.6, 0.6667, 0.0)
    """
    return 2 * matched / (candidate + reference)


def s_checklist(scores: Sequence[float]) -> float | None:
    """Return the score over the applicable items, from 0 to 100; None where no item applies.

    The filing date is equal (1), the judge's name is a part (½), of filings 3 of 5 and 5 match (0.6), and a settlement
    is left out (0): (1 + 0.5 + 0.6 + 0) / 4 = 0.525. The other 22 items are in neither text and do not count.

    >>> s_checklist([1, 0.5, 0.6, 0])
    52.5
    """
    return 100 * fmean(scores) if scores else None


def s_residual(matched: int, candidate: int, reference: int) -> float | None:
    """Return the F1 of the facts beyond the checklist, from 0 to 100; None where neither text has any.

    Four facts of the reference, six of the work product, two of them the same: 100 · 2 · 2 / (4 + 6) = 40.

    >>> s_residual(2, 6, 4)
    40.0
    """
    return 100 * list_score(matched, candidate, reference) if candidate + reference else None


def s_style(marks: Iterable[int]) -> float:
    """Return the score of the marks of style: their mean less 1, times 25.

    Marks 4, 3, 4, 5 and 3 have the mean 3.8: (3.8 - 1) · 25 = 70.

    >>> round(s_style([4, 3, 4, 5, 3]), 9), s_style([1] * 5), s_style([5] * 5)
    (70.0, 0.0, 100.0)
    """
    return (fmean(marks) - 1) * 100 / (N_GRADES - 1)


def s_gavel(
    alpha: float, ratio: float, checklist: float | None, residual: float | None, style: float | None
) -> float | None:
    """Return the score of a work product (equation 2); None where a part with weight is missing.

    α = 0.9, r = 0.2, S_checklist 52.5, S_residual 40, S_style 70:
    0.8 · 0.9 · 52.5 + 0.2 · 0.9 · 40 + 0.1 · 70 = 37.8 + 7.2 + 7 = 52.

    >>> round(s_gavel(0.9, 0.2, 52.5, 40, 70), 9)
    52.0
    >>> round(s_gavel(0.9, 0.0, 52.5, None, 70), 9)  # without a residual text its facts have no weight
    54.25
    >>> s_gavel(0.9, 0.2, 52.5, None, 70)
    """
    parts = (((1 - ratio) * alpha, checklist), (ratio * alpha, residual), (1 - alpha, style))
    weighed = [(weight, score) for weight, score in parts if weight]
    if any(score is None for _, score in weighed):
        return None
    return sum(weight * score for weight, score in weighed if score is not None)
