"""From passages to an answer: the operative sentences, or that there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge_db.research import ResearchSettings
from tasks.retrieval.operative import Operative
from tasks.retrieval.records import Passage
from tasks.retrieval.research.asking_model import Phrased
from tasks.retrieval.research.records import Method, Search, Statement

_FULL = 1.0  # of a provision: the threshold of the catalogue is reached


def answering(read: Sequence[Operative], settings: ResearchSettings) -> list[Operative]:
    """Return the sentences that answer, best first; empty where none does.

    A question that asks for a provision of the catalogue is answered by what carries it. Any other, and one whose
    provision nothing carries, is answered by a sentence that speaks of enough of what is asked.

    Args:
        read: Sentences of the passages, as weighed for the question.
        settings: What is enough, and how many sentences are quoted.
    """
    fit = [o for o in read if o.provision >= _FULL] or [o for o in read if o.said >= settings.least]
    ranked = sorted(fit, key=lambda o: -o.weight)
    best = ranked[0].weight if ranked else 0.0
    return [o for o in ranked if o.weight >= settings.near * best][: settings.statements]


def stated(found: Operative, method: Method) -> Statement:
    """Return what a sentence of the papers says, in its own words."""
    return Statement(text=" ".join(found.sentence.text.split()), spans=(found.sentence.span,), method=method)


@dataclass(frozen=True)
class ReadStatements:
    """Statements in the words of their sources: those that answer, and those that a model is shown."""

    statements: tuple[Statement, ...]
    shown: tuple[Statement, ...]


def told_by(found: tuple[Statement, ...], phrased: Phrased | None, model: str) -> tuple[tuple[Statement, ...], str]:
    """Return what is answered, and what is to be said of the model: its words where the sentences carry them.

    Where it cannot be asked, cannot be understood, or says only what its sentences do not carry, the sentences that
    answer by themselves stand; where it read them and finds no answer, there is none.
    """
    if phrased is None:
        return found, ""
    if phrased.failure is not None:
        return found, f"{model} could not be asked; the sentences stand in their own words"
    if not phrased.read:
        return found, f"the reply of {model} could not be read; the sentences stand in their own words"
    refused = f"{phrased.refused} statements of {model} were left out: the sentences that they cite do not carry them"
    if phrased.statements:
        return phrased.statements, refused if phrased.refused else ""
    if phrased.refused:
        return found, f"{refused}; the sentences stand in their own words"
    return (), f"{model} read what was found and names nothing that answers"


def once(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Leave out what rests on words that an earlier statement rests on, and what was said already."""
    kept: list[Statement] = []
    for statement in statements:
        if not any(_same(statement, other) for other in kept):
            kept.append(statement)
    return tuple(kept)


def _same(one: Statement, two: Statement) -> bool:
    if not one.spans or not two.spans:
        return one == two
    return any(a.document == b.document and a.start < b.end and b.start < a.end for a in one.spans for b in two.spans)


def method_of(sentence: Passage, searches: Sequence[Search]) -> Method:
    """Return the first method whose passages hold a sentence."""
    return next(s.method for s in searches for p in s.passages if _holds(p, sentence))


def _holds(passage: Passage, sentence: Passage) -> bool:
    outer, inner = passage.span, sentence.span
    return outer.document == inner.document and outer.start <= inner.start and inner.end <= outer.end


def denied(searches: Sequence[Search]) -> str:
    """Name the searches behind a denial."""
    told = [
        f"{s.method.value} search for “{s.query}” "
        + (f"failed: {s.failure.message}" if s.failure else f"({len(s.passages) + len(s.citations)} read)")
        for s in searches
    ]
    return f"nothing found answers it: {'; '.join(told)}"
