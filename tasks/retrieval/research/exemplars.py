"""Answered questions about other documents: how lawyers labelled a statement tells where these papers speak of it.

A folder of labelled public documents in ContractNLI's form is indexed by statement and label. A question that reads
like one of its statements is answered by the sentences of the papers that read like those which lawyers named for it.
Nothing of an exemplar is quoted, and no matter's own answers are ever exemplars of another.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from knowledge_db.research import ResearchSettings
from tasks.legaltext.sentences import CONTRACT, sentences
from tasks.legaltext.tokens import terms
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.retrieval.entail.corpus import AnsweredAgreements, read_corpus
from tasks.retrieval.entail.reader import StatementReader
from tasks.retrieval.entail.records import LABELS, Hypothesis, Passages
from tasks.retrieval.entail.records import Entailment as Labelled
from tasks.retrieval.records import Passage
from tasks.retrieval.research.choice import Chosen
from tasks.retrieval.research.looks import Looked
from tasks.retrieval.research.records import Method, Question, Search, Statement
from tasks.sources.records import CanonicalText, Span

_NEUTRAL = LABELS.index("neutral")


class Like(NamedTuple):
    """The statement of the exemplars that a question reads like most, and how much: from 0 to 1."""

    statement: Hypothesis
    alike: float


class ExemplarIndex:
    """Labelled documents, indexed by statement and label; read and learned from at the first question."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder."""
        self._folder = folder

    def nearest(self, question: str) -> Like:
        """Return the statement that shares most words with a question, by their rarity among the statements."""
        asked = frozenset(terms(question))
        likes = [Like(s, self._alike(asked, bag)) for s, bag in zip(self._corpus.statements, self._bags, strict=True)]
        return max(likes, key=lambda like: like.alike)

    def labels(self, statement: str) -> Counter[str]:
        """Return how often each label was given to a statement."""
        return Counter(e.label for e in self._corpus.examples if e.statement == statement)

    def read(self, statement: str, documents: Sequence[Passages]) -> list[Labelled]:
        """Return the label of each document for one statement, and the passages that show it."""
        return [said for said in self._reader.answers(documents) if said.statement == statement]

    def _alike(self, one: frozenset[str], two: frozenset[str]) -> float:
        weights = [sum(map(self._rarity, words)) for words in (one & two, one, two)]
        return weights[0] / math.sqrt(weights[1] * weights[2]) if weights[0] else 0.0

    def _rarity(self, stem: str) -> float:
        return math.log(1 + len(self._bags) / (1 + self._spread[stem]))

    @cached_property
    def _bags(self) -> list[frozenset[str]]:
        return [frozenset(terms(statement.text)) for statement in self._corpus.statements]

    @cached_property
    def _spread(self) -> Counter[str]:
        return Counter(stem for bag in self._bags for stem in bag)

    @cached_property
    def _reader(self) -> StatementReader:
        return StatementReader(self._corpus.documents, self._corpus.examples)

    @cached_property
    def _corpus(self) -> AnsweredAgreements:
        paths = sorted(self._folder.glob("*.json"))
        if not paths:
            message = "holds no labelled documents: there is no *.json in it"
            remedy = "name a folder of files in ContractNLI's form, or none"
            raise SolonError(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="retrieval",
                    subject=str(self._folder),
                    message=message,
                    remedy=remedy,
                )
            )
        first, *others = [read_corpus(path) for path in paths]
        for other in others:
            first = first.with_(other)
        return first


class ExemplarLook:
    """Answers a question that reads like a statement of the exemplars (a :class:`~.looks.Look`)."""

    def __init__(
        self, exemplars: ExemplarIndex, texts: Mapping[str, CanonicalText], settings: ResearchSettings
    ) -> None:
        """Take the exemplars, the papers, and how alike a question must be."""
        self._exemplars, self._texts, self._settings = exemplars, texts, settings

    def look(self, question: Question, why: Chosen, found: Sequence[Passage]) -> Looked:
        """Return the sentences by which lawyers would answer; the papers are those named, else those found first."""
        like = self._exemplars.nearest(question.text)
        if like.alike < self._settings.alike:
            reason = f"{why.reason}; no labelled statement reads like the question ({like.alike:.2f} at best)"
            return Looked(Search(method=why.method, query=question.text, reason=reason))
        names = question.documents or tuple(dict.fromkeys(p.span.document for p in found))
        papers = [p for name in names[: self._settings.papers] if (p := self._passages(name)) is not None]
        answers = self._exemplars.read(like.statement.key, papers)
        told = [(said, one) for said in answers for one in self._shown(said)]
        silent = tuple(said.document for said in answers if said.chances[_NEUTRAL] >= self._settings.silent)
        reason = f"{why.reason}; it reads like “{like.statement.text}” ({like.alike:.2f})"
        reason += f"; papers like {', '.join(silent)} were labelled {LABELS[_NEUTRAL]}" if silent else ""
        passages = tuple(one for _, one in told)
        search = Search(method=why.method, query=like.statement.text, reason=reason, passages=passages)
        return Looked(search, tuple(self._stated(said, one, like) for said, one in told), silent)

    def _passages(self, name: str) -> Passages | None:
        text = self._texts[name].text if name in self._texts else ""
        spans = tuple(sentences(text, CONTRACT))
        return Passages(document=name, text=text, spans=spans) if spans else None

    def _shown(self, said: Labelled) -> list[Passage]:
        text = self._texts[said.document].text
        spans = [sentences(text, CONTRACT)[i] for i in said.evidence]
        return [
            Passage(span=Span(document=said.document, start=a, end=b), text=text[a:b], score=max(said.chances))
            for a, b in spans
        ]

    def _stated(self, said: Labelled, shown: Passage, like: Like) -> Statement:
        labels = self._exemplars.labels(like.statement.key)
        told = (
            f"{said.label} of “{like.statement.text}”, as in {labels[said.label]} of {labels.total()} labelled papers"
        )
        words = " ".join(shown.text.split())
        return Statement(text=words, spans=(shown.span,), method=Method.EXEMPLARS, source=told)
