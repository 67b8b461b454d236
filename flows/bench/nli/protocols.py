"""What is learned from and what is answered: documents in folds, one file after the other, statements held out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tasks.retrieval.entail.corpus import AnsweredAgreements
from tasks.retrieval.entail.reader import StatementReader
from tasks.retrieval.entail.records import LABELS, Entailment, Example, Label
from tasks.retrieval.entail.unknown import Together, UnknownReader, WordSearch
from tasks.retrieval.together import read_together

FOLDS: Final = 5  # each document is held out once in five fittings, as is usual
Learner = Callable[[AnsweredAgreements], Callable[[AnsweredAgreements], list[Entailment]]]
"""From what is learned from to what answers the statements of other documents; the labels of those it may not read."""


@dataclass(frozen=True)
class ProtocolPart:
    """One part of a protocol: no document, and where statements are held out no statement, is in both."""

    learned: AnsweredAgreements
    asked: AnsweredAgreements


def fold(document: str, folds: int = FOLDS) -> int:
    """Return the fold of a document, by the hash of its name."""
    return int.from_bytes(hashlib.sha256(document.encode()).digest()[:8], "big") % folds


def sampled(corpus: AnsweredAgreements, pairs: int | None) -> AnsweredAgreements:
    """Return at most so many questions of a corpus: always the same, by the hash of document and statement."""
    if pairs is None or pairs >= len(corpus.examples):
        return corpus

    def place(example: Example) -> str:
        return hashlib.sha256(f"{example.document} {example.statement}".encode()).hexdigest()

    kept = set(sorted(corpus.examples, key=place)[:pairs])
    named = {example.document for example in kept}
    documents = tuple(document for document in corpus.documents if document.document in named)
    return AnsweredAgreements(documents, corpus.statements, tuple(e for e in corpus.examples if e in kept))


def by_document(corpus: AnsweredAgreements) -> Iterator[ProtocolPart]:
    """Yield each fold of the documents, to be answered from what is learned from the others."""
    names = [document.document for document in corpus.documents]
    for held in range(FOLDS):
        asked = [name for name in names if fold(name) == held]
        if asked:
            yield ProtocolPart(corpus.of([name for name in names if fold(name) != held]), corpus.of(asked))


def by_statement(corpus: AnsweredAgreements) -> Iterator[ProtocolPart]:
    """Yield each statement, to be answered from what is learned from the others and from other documents.

    The documents are halved: what is learned of the other sixteen comes from the half that is not asked.
    """
    names = [document.document for document in corpus.documents]
    for statement in corpus.statements:
        for half in range(2):
            asked = [name for name in names if fold(name, 2) == half]
            others = [s.key for s in corpus.statements if s != statement]
            learned = corpus.of([name for name in names if fold(name, 2) != half], others)
            if asked and learned.documents:
                yield ProtocolPart(learned, corpus.of(asked, [statement.key]))


def new_of_development(training: AnsweredAgreements, development: AnsweredAgreements) -> Iterator[ProtocolPart]:
    """Yield each statement, to be answered for one file from what is learned of the others in the other file."""
    for statement in training.statements:
        others = [s.key for s in training.statements if s != statement]
        names = [document.document for document in development.documents]
        learned = training.of([document.document for document in training.documents], others)
        yield ProtocolPart(learned, development.of(names, [statement.key]))


def majority(learned: AnsweredAgreements) -> Callable[[AnsweredAgreements], list[Entailment]]:
    """Return the floor: the label that a statement has most often, whatever the document says.

    A statement of which nothing was learned is given the label that is most frequent of all.
    """
    of_all = Counter(example.label for example in learned.examples)
    counts: dict[str, Counter[Label]] = {}
    for example in learned.examples:
        counts.setdefault(example.statement, Counter())[example.label] += 1

    def answers(asked: AnsweredAgreements) -> list[Entailment]:
        found = []
        for document in asked.documents:
            for statement in asked.statements:
                count = counts.get(statement.key, of_all)
                label = max(LABELS, key=lambda name: count[name])
                total = sum(count.values()) or 1
                one, two, three = (count[name] / total for name in LABELS)
                found.append(
                    Entailment(
                        document=document.document, statement=statement.key, label=label, chances=(one, two, three)
                    )
                )
        return found

    return answers


def offline(search: WordSearch, together: Together = read_together) -> Learner:
    """Return what learns both readers: one for statements that have examples, one for those that have none."""

    def learn(learned: AnsweredAgreements) -> Callable[[AnsweredAgreements], list[Entailment]]:
        known = {example.statement for example in learned.examples}

        def answers(asked: AnsweredAgreements) -> list[Entailment]:
            fresh = [statement for statement in asked.statements if statement.key not in known]
            found: list[Entailment] = []
            if len(fresh) < len(asked.statements):
                found += StatementReader(learned.documents, learned.examples).answers(asked.documents)
            if fresh:
                reader = UnknownReader(learned.documents, learned.statements, learned.examples, search, together)
                found += reader.answers(asked.documents, fresh)
            return found

        return answers

    return learn
