"""The reader of statements that lawyers have answered for other documents."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import expit

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.retrieval.entail.decision import Matrix, SignalWeights
from tasks.retrieval.entail.exemplars import Exemplars, pooled
from tasks.retrieval.entail.finder import SPOKEN, Finder, Rows
from tasks.retrieval.entail.records import LABELS, Entailment, Example, Passages

FOLDS: Final = 3  # so that two thirds of the documents are left to fit on; chosen, not measured
_OWN: Final = (3.0, 10.0)  # tried: how hard it is for a statement to depart from the shared weights
_SHRUNK: Final = (1.0, 3.0)  # tried: how far exemplars keep to the mean
_NAMED: Final = (0.1, 0.2, 0.3, 0.5)  # tried: chance from which a passage is named as evidence


class ChosenOnFolds(NamedTuple):
    """What is chosen on folds of the documents that are learned from.

    Attributes:
        own: Penalty on what a statement departs from the shared weights.
        shrunk: How far exemplars keep to the mean label.
        named: Chance from which a passage is named as evidence.
    """

    own: float
    shrunk: float
    named: float


class StatementReader:
    """Answers the statements of its examples for other documents.

    Attributes:
        statements: Keys of the statements that it knows.
        settings: What was chosen.
    """

    def __init__(self, documents: Sequence[Passages], examples: Sequence[Example]) -> None:
        """Learn from answered documents, in any order.

        Every passage of an example is scored by a finder that has not seen its document, so that what is learned from
        the scores holds for documents that nobody has read.

        Raises:
            SolonError: There are fewer documents than folds to choose settings on.
        """
        if len(documents) < FOLDS:
            message = f"{len(documents)} answered documents are too few to learn from"
            remedy = f"give at least {FOLDS} documents whose statements are answered"
            raise SolonError(
                Failure(cause=FailureCause.INPUT, stage="retrieval", subject="examples", message=message, remedy=remedy)
            )
        self.statements = tuple(sorted({example.statement for example in examples}))
        self._examples = sorted(examples, key=lambda e: (e.statement, e.document))
        folds = folds_of(documents)
        odds: dict[str, Rows] = {}
        for held in sorted(set(folds.values())):
            finder = self._finder([d for d in documents if folds[d.document] != held])
            asked = [d for d in documents if folds[d.document] == held]
            odds |= dict(zip((d.document for d in asked), finder.scores(asked), strict=True))
        self._found = self._finder(documents)
        learned = self._asked(documents, odds, [(e.document, e.statement) for e in self._examples])
        labels = np.array([LABELS.index(e.label) for e in self._examples])
        self._folds = np.array([folds[e.document] for e in self._examples])
        own, shrunk = self._choose(learned, labels)
        self.settings = ChosenOnFolds(own, shrunk, self._threshold(documents, odds))
        self._fitted = _Fitted(learned, labels, len(self.statements), own, shrunk)

    def _finder(self, documents: Sequence[Passages]) -> Finder:
        names = {document.document for document in documents}
        return Finder(documents, self.statements, [e for e in self._examples if e.document in names])

    def _asked(
        self, documents: Sequence[Passages], odds: dict[str, Rows], places: Sequence[tuple[str, str]]
    ) -> _Questions:
        rows = {d.document: self._found.vocabulary.rows([d]) for d in documents}
        numbers = [self.statements.index(statement) for _, statement in places]
        scored = [odds[name][:, number] for (name, _), number in zip(places, numbers, strict=True)]
        return _Questions(
            np.array([_signals(each) for each in scored]),
            np.array(numbers),
            [pooled(rows[name], each.max(axis=1)) for (name, _), each in zip(places, scored, strict=True)],
        )

    def _choose(self, learned: _Questions, labels: NDArray[np.int64]) -> tuple[float, float]:
        """Return the settings under which the folds are least surprising."""
        lost = {}
        for own, shrunk in product(_OWN, _SHRUNK):
            lost[own, shrunk] = 0.0
            for held in sorted(set(self._folds.tolist())):
                asked = self._folds == held
                fitted = _Fitted(learned.only(~asked), labels[~asked], len(self.statements), own, shrunk)
                said = fitted.chances(learned.only(asked))
                lost[own, shrunk] -= float(np.log(said[np.arange(len(said)), labels[asked]] + 1e-12).sum())
        return min(lost, key=lambda tried: lost[tried])

    def _threshold(self, documents: Sequence[Passages], odds: dict[str, Rows]) -> float:
        """Return the chance under which what is named agrees best with what lawyers named, in characters."""
        spans = {d.document: np.array([end - start for start, end in d.spans]) for d in documents}
        agreed = {}
        for named in _NAMED:
            shared = total = 0
            for example in self._examples:
                if example.label in SPOKEN:
                    found = _evidence(odds[example.document], self._place(example), named)
                    sizes = spans[example.document]
                    shared += sizes[list(set(found) & set(example.evidence))].sum()
                    total += sizes[list(found)].sum() + sizes[list(example.evidence)].sum()
            agreed[named] = shared / total if total else 0.0
        return max(agreed, key=lambda tried: agreed[tried])

    def _place(self, said: Example | Entailment) -> tuple[int, int]:
        return self.statements.index(said.statement), SPOKEN.index(said.label)

    def answers(self, documents: Sequence[Passages]) -> list[Entailment]:
        """Return the answer of each document to each statement, with its evidence."""
        odds = dict(zip((d.document for d in documents), self._found.scores(documents), strict=True))
        places = [(d.document, statement) for d in documents for statement in self.statements]
        if not places:
            return []
        said = self._fitted.chances(self._asked(documents, odds, places))
        return [self._answer(odds[name], name, key, row) for (name, key), row in zip(places, said, strict=True)]

    def _answer(self, odds: Rows, document: str, statement: str, chances: Matrix) -> Entailment:
        one, two, three = (float(chance) for chance in chances)
        label = LABELS[int(np.argmax(chances))]
        bare = Entailment(document=document, statement=statement, label=label, chances=(one, two, three))
        if label not in SPOKEN:
            return bare
        return bare.model_copy(update={"evidence": _evidence(odds, self._place(bare), self.settings.named)})


class _Questions(NamedTuple):
    """Questions of a document and a statement: their signals, the number of the statement, the passages in one row."""

    signals: Matrix
    statements: NDArray[np.int64]
    rows: list[csr_matrix]

    def only(self, kept: NDArray[np.bool_]) -> _Questions:
        return _Questions(self.signals[kept], self.statements[kept], [self.rows[i] for i in np.flatnonzero(kept)])


class _Fitted:
    """Exemplars of each statement, and what weighs their word beside the other signals."""

    def __init__(self, learned: _Questions, labels: NDArray[np.int64], count: int, own: float, shrunk: float) -> None:
        self._exemplars: dict[int, Exemplars] = {}
        told = np.zeros((len(labels), len(LABELS)))
        for number in np.unique(learned.statements):
            mine = np.flatnonzero(learned.statements == number)
            exemplars = Exemplars([learned.rows[i] for i in mine], labels[mine].tolist(), shrunk)
            self._exemplars[int(number)] = exemplars
            told[mine] = exemplars.left_out
        self._decision = SignalWeights(np.hstack([learned.signals, told]), learned.statements, labels, count, own)

    def chances(self, asked: _Questions) -> Matrix:
        told = np.full((len(asked.statements), len(LABELS)), 1 / len(LABELS))
        for number, exemplars in self._exemplars.items():
            mine = np.flatnonzero(asked.statements == number)
            if len(mine):
                told[mine] = exemplars.said([asked.rows[i] for i in mine])
        return self._decision.chances(np.hstack([asked.signals, told]), asked.statements)


def folds_of(documents: Sequence[Passages]) -> dict[str, int]:
    """Return the fold of each document: dealt in the order of the hashes of their texts, so that none is empty."""
    order = sorted(documents, key=lambda d: (hashlib.sha256(d.text.encode()).hexdigest(), d.document))
    return {document.document: i % FOLDS for i, document in enumerate(order)}


def _signals(odds: Rows) -> list[float]:
    """Return what the scores of the passages of a document say, for and against: best, second, mean, any, other."""
    found: list[float] = []
    for way in range(len(SPOKEN)):
        mine = np.sort(odds[:, way])[::-1]
        chances = np.minimum(expit(mine), 0.999)
        other = odds[int(np.argmax(odds[:, way])), 1 - way]
        found += [mine[0], mine[: min(2, len(mine))][-1], mine[:3].mean(), -np.log1p(-chances).sum(), other]
    return found


def _evidence(odds: Rows, place: tuple[int, int], named: float) -> tuple[int, ...]:
    """Return the passages that speak with at least a chance, or the one that speaks most."""
    mine = odds[:, place[0], place[1]]
    found = np.flatnonzero(expit(mine) >= named)
    return tuple(int(i) for i in found) if len(found) else (int(np.argmax(mine)),)
