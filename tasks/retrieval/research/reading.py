"""From passages to an answer: the operative sentences, or that there are none."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge_db.research import ResearchSettings
from tasks.retrieval.operative import Operative
from tasks.retrieval.research.records import Method, Statement

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
