"""Which methods a question is looked for with: its features, read by the cues of the harness."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from knowledge_db import KnowledgeBase
from tasks.legaltext.fold import straight
from tasks.retrieval.research.records import Method, Question

_LONG = 2_000  # characters of a question that are read for cues
JUDGED = ("judgment", "drafting")
"""Kinds of asks that no look into papers answers."""


@dataclass(frozen=True)
class Chosen:
    """A method, and why it was chosen."""

    method: Method
    reason: str


class MethodCues:
    """The words of questions by which methods are chosen (``knowledge_db/data/questions``, use ``method``)."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        """Compile the words."""
        self._kinds = knowledge.research.kinds
        rows = knowledge.questions
        self._asks: Mapping[Method, re.Pattern[str]] = {
            Method(row.name): _pattern(row.patterns) for row in rows if row.use == "method"
        }
        judged = [row.patterns for row in rows if row.use == "kind" and row.name in ("opinion", "judgment")]
        self._judged = _pattern([p for patterns in judged for p in patterns])

    def choose(self, question: Question, at_hand: Sequence[Method]) -> list[Chosen]:
        """Return the methods for a question in the order in which they are tried; the papers are always looked at.

        Args:
            question: What is asked.
            at_hand: The methods that can be used.
        """
        chosen = [Chosen(Method.HYBRID, "the papers are always searched")]
        chosen += [
            Chosen(Method(m), f"the answer is of kind {question.kind}") for m in self._kinds.get(question.kind, ())
        ]
        chosen += self._cued(straight(question.text[:_LONG]))
        first = {c.method: c for c in reversed(chosen)}
        return [c for c in chosen if c.method in at_hand and first[c.method] is c]

    def judgment(self, question: Question) -> str:
        """Return the words by which a question wants a judgment; empty where it does not."""
        if question.kind:
            return question.kind if question.kind in JUDGED else ""
        met = self._judged.search(straight(question.text[:_LONG]))
        return met.group() if met else ""

    def _cued(self, text: str) -> Iterator[Chosen]:
        for method, pattern in self._asks.items():
            if met := pattern.search(text):
                yield Chosen(method, f"the question says “{met.group().strip()}”")


@lru_cache(maxsize=4)
def cues_of(knowledge: KnowledgeBase) -> MethodCues:
    """Return the cues of a harness, compiled once in a process."""
    return MethodCues(knowledge)


def _pattern(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})(?!\w)" if patterns else "(?!)", re.I)
