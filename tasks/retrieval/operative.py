"""The sentences of passages, weighed for a question: by the provision that it asks for, and by its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge_db import KnowledgeBase
from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import CONTRACT, sentences
from tasks.retrieval.asking import EXCEPTION, grammar_of
from tasks.retrieval.evidence import PassageRead, QueryEvidence, Rarity
from tasks.retrieval.provisions import Provision, catalogue_of, weigh
from tasks.retrieval.records import Passage
from tasks.retrieval.topics import TopicCatalogue
from tasks.sources.records import Span

_FEWEST = 4  # words of a sentence; what is shorter is a heading or a scrap


@dataclass(frozen=True)
class Operative:
    """A sentence of a passage, weighed.

    Attributes:
        sentence: The sentence as a passage of its own.
        provision: How far it carries the provision that is asked for: 1 at the threshold of the catalogue.
        said: Share of the words of the question, by rarity, that it speaks of.
    """

    sentence: Passage
    provision: float
    said: float

    @property
    def weight(self) -> float:
        """Return what counts of both."""
        return self.provision + self.said


class OperativeReader:
    """Weighs sentences for one question."""

    def __init__(self, question: str, setting: str, knowledge: KnowledgeBase, rarity: Rarity) -> None:
        """Understand a question.

        Args:
            question: What is asked.
            setting: The question with the heads of the documents searched; tells which provisions may be meant.
            knowledge: Of the harness.
            rarity: How rare a stem is among the passages.
        """
        grammar = grammar_of(knowledge)
        self._sought: Sequence[Provision] = TopicCatalogue(catalogue_of(knowledge)).asked(question, setting)
        self._evidence = QueryEvidence(grammar.understand(question), grammar, knowledge, rarity)
        self._excepting = grammar.says.get(EXCEPTION)

    def read(self, passages: Sequence[Passage]) -> list[Operative]:
        """Return the sentences of passages in their order; none twice."""
        found = {o.sentence.span: o for passage in passages for o in self._sentences(passage)}
        return list(found.values())

    def _sentences(self, passage: Passage) -> Iterator[Operative]:
        for low, high in sentences(passage.text, CONTRACT):
            words = passage.text[low:high]
            if words.count(" ") + 1 < _FEWEST:
                continue
            plain = re.sub(r"\s+", " ", straight(words)).strip()
            start = passage.span.start
            span = Span(document=passage.span.document, start=start + low, end=start + high)
            yield Operative(
                sentence=passage.model_copy(update={"span": span, "text": words}),
                provision=max((weigh(p, plain, passage.heading) / p.threshold for p in self._sought), default=0.0),
                said=self._evidence.weigh(PassageRead(words, passage.heading, self._excepting)),
            )
