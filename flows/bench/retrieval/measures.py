"""Measures of span retrieval: by characters, as LegalBench-RAG has it, and by spans, as PAKTON's Table 7 has it.

Every measure is worked out for one query and then averaged, so that queries can be pooled over data sets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.legaltext.stretches import joined

KS = (1, 2, 4, 8, 16, 32, 64)  # ranks at which LegalBench-RAG reports
BUDGETS = (500, 1_000, 2_000, 4_000, 8_000, 16_000)  # characters of text that a model would be given
Spans = Sequence[tuple[str, int, int]]


def overlap(found: Spans, gold: Spans) -> int:
    """Return how many characters of ``found`` lie in ``gold``; neither counts a character twice."""
    total = 0
    for document in {name for name, _, _ in found}:
        one, two = _union(found, document), _union(gold, document)
        total += sum(max(0, min(a2, b2) - max(a1, b1)) for a1, a2 in one for b1, b2 in two)
    return total


def characters(spans: Spans) -> int:
    """Return how many characters spans cover."""
    return sum(b - a for name in {n for n, _, _ in spans} for a, b in _union(spans, name))


def touches(span: tuple[str, int, int], others: Spans) -> bool:
    """Tell whether a span shares a character with any of the others."""
    name, start, end = span
    return any(name == other and start < b and a < end for other, a, b in others)


def within_budget(found: Spans, budget: int) -> list[tuple[str, int, int]]:
    """Return the first ``budget`` characters of a ranking; the span that crosses the limit is cut there."""
    kept, left = [], budget
    for name, start, end in found:
        if left <= 0:
            break
        kept.append((name, start, min(end, start + left)))
        left -= end - start
    return kept


@dataclass(frozen=True)
class QueryOutcome:
    """The result of one query.

    Attributes:
        recall, precision: By characters, at each k, from 0 to 1.
        span_recall: Share of the gold spans that a returned span overlaps.
        span_precision: Share of the returned spans that overlap a gold span.
        characters: Returned at each k; a character that two spans share counts once.
        budget: Recall by characters when so many characters are read from the top, whatever the chunk size.
        wrong_first: The first passage lies in a document that the query is not about.
        wrong_eight: Share of the first eight passages that do.
        seconds: Wall time of the search.
    """

    recall: Mapping[int, float]
    precision: Mapping[int, float]
    span_recall: Mapping[int, float]
    span_precision: Mapping[int, float]
    characters: Mapping[int, float]
    budget: Mapping[int, float] = field(default_factory=dict)
    wrong_first: float = 0.0
    wrong_eight: float = 0.0
    seconds: float = 0.0


def judge_query(found: Spans, gold: Spans, seconds: float = 0.0, ks: Sequence[int] = KS) -> QueryOutcome:
    """Measure the ranking of one query against the spans that lawyers marked."""
    size = max(characters(gold), 1)
    hits = [touches(span, gold) for span in found]
    right = {name for name, _, _ in gold}
    recall, precision, span_recall, span_precision, returned = {}, {}, {}, {}, {}
    for k in ks:
        top = found[:k]
        shared, out = overlap(top, gold), characters(top)
        recall[k], precision[k], returned[k] = shared / size, shared / out if out else 0.0, float(out)
        span_recall[k] = sum(touches(span, top) for span in gold) / max(len(gold), 1)
        span_precision[k] = sum(hits[:k]) / len(top) if top else 0.0
    eight = [name not in right for name, _, _ in found[:8]]
    return QueryOutcome(
        recall=recall,
        precision=precision,
        span_recall=span_recall,
        span_precision=span_precision,
        characters=returned,
        budget={b: overlap(within_budget(found, b), gold) / size for b in BUDGETS},
        wrong_first=float(bool(eight) and eight[0]),
        wrong_eight=sum(eight) / len(eight) if eight else 0.0,
        seconds=seconds,
    )


def summarize_queries(outcomes: Sequence[QueryOutcome]) -> dict[str, Any]:
    """Average over queries: rates in per cent with two decimals, wrong-document rates from 0 to 1, times in ms."""
    n = len(outcomes)
    if not n:
        return {"n": 0}
    means = {
        name: _means([getattr(o, name) for o in outcomes], 100.0)
        for name in ("recall", "precision", "span_recall", "span_precision")
    }
    returned = _means([o.characters for o in outcomes], 1.0)
    return {
        "n": n,
        **means,
        "characters": {k: round(v) for k, v in returned.items()},
        "recall_per_1000_characters": {
            k: round(1000 * means["recall"][k] / v, 2) if v else 0.0 for k, v in returned.items()
        },
        "recall_within_characters": _means([o.budget for o in outcomes], 100.0),
        "wrong_document_rate": round(sum(o.wrong_first for o in outcomes) / n, 4),
        "wrong_document_rate_first_8": round(sum(o.wrong_eight for o in outcomes) / n, 4),
        "milliseconds_a_query": round(1000 * sum(o.seconds for o in outcomes) / n, 2),
        "milliseconds": milliseconds([o.seconds for o in outcomes]),
    }


def milliseconds(seconds: Sequence[float]) -> dict[str, float]:
    """Return median and 95th percentile (nearest rank) of wall times, in ms."""
    ordered = sorted(seconds)
    if not ordered:
        return {}
    ranks = {"median": 0.5, "p95": 0.95}
    return {k: round(1000 * ordered[max(0, math.ceil(q * len(ordered)) - 1)], 2) for k, q in ranks.items()}


def _means(rows: Sequence[Mapping[int, float]], scale: float) -> dict[int, float]:
    return {k: round(scale * sum(row[k] for row in rows) / len(rows), 2) for k in rows[0]}


def _union(spans: Spans, document: str) -> list[tuple[int, int]]:
    return joined((a, b) for name, a, b in spans if name == document)
