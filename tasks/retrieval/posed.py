"""Which kind of clause a question is after, read from examples of how people pose such questions.

"Whose rules decide a quarrel" and "which state's law applies" share no word with each other and want the same. Each
kind of clause in the catalogue holds example questions (``posed``). A question is read by all of its words, the pairs
of its words and what its words mean (static word vectors, weighted by how rare a word is among the examples), with
least squares against all examples at once: that tells apart what kinds of clauses have in common, which the nearest
example does not. With 400 examples, each left out in turn, the nearest kind was the right one of 57 in 35 % by words
and in 52 % by vectors; least squares on both named it in 65 %. Of 909 examples of 112 kinds, an eighth left out in
turn, 57 % were read rightly; with 1,670 more to learn from 73 % of the same ones (28 November 2026).

Least squares choose among the kinds that there are: a question after none of them is given to one all the same, the
more so the fewer there are. How like it is to the nearest example of that kind (``alike``) does not depend on the
others. Of questions after a kind not in the catalogue half are above the likeness and the margin asked for, with
2 kinds as with 112; with ``alike`` of at least .3, 18 % of them with 2 kinds, 32 % with 10, 46 % with 112.
That was with 909 examples. Every fifth of 112 kinds left out: 42 % of its 166 older examples then, 35 % with 2,579.

A regularised least-squares classifier: R. Rifkin, G. Yeo, T. Poggio, "Regularized Least-Squares Classification" (2003).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_matrix

from knowledge_db import KnowledgeBase
from skills_repo.schema import Procedure
from tasks.legaltext.fold import straight
from tasks.legaltext.tokens import stem
from tasks.models.access import ModelAccess
from tasks.models.vectors import Matrix
from tasks.retrieval.provisions import Provision, catalogue_of

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_PAIRS, _WORDS, _BIAS = 0.6, 0.7, 0.3  # what pairs count beside words, words beside vectors: set by hand, not tuned
_RIDGE = 0.6  # of the examples left out in turn 64.2 % were read rightly at 0.3, 65.0 % at 1.0
_BESIDE = (
    1 / 3
)  # of the best likeness: "how can it be ended early" is after termination for cause too (0.19 beside 0.49)
_LONG = 400  # characters of a question that are read
# Words that tell no thing from another in a name of it.
_SLIGHT = re.compile(
    r"an?|the|of|for|in|on|to|and|or|any|all|its?|their|our|your|each|every|(?:clause|provision|term|right|obligation)s?"
    r"|agreement|contract"
)
Embed = Callable[[Sequence[str]], Matrix]


@dataclass(frozen=True)
class Posed:
    """What a question is read as.

    Attributes:
        likeness: How far it is like the examples of the kind: near 1 for one of them, near 0 for what is like none.
        margin: How much less like the next kind it is.
        alike: How like it is to the nearest example of the kind, 0 to 1, whatever other kinds there are.
        covered: Whether every word of weight in it is one of the kind's: in its names, meaning or examples.
        beside: Other kinds with the same form of answer that it is like to some degree, the likest first: it may be
            after these too.
    """

    provision: Provision
    likeness: float
    margin: float
    alike: float
    covered: bool = True
    beside: tuple[Provision, ...] = ()

    def is_meant(self, procedure: Procedure, *, is_name: bool = False) -> bool:
        """Tell whether the question is taken for this kind: like it, like no other, and like one of its examples.

        Args:
            procedure: Holds how like it must be.
            is_name: Whether it only names a thing ("renewal term"). A name with a word that the kind does not know is
                the name of another thing, however like the rest of it is.
        """
        if is_name and not self.covered and self.alike < procedure.posed_named:
            return False
        return (
            self.likeness >= procedure.posed_near
            and self.margin >= procedure.posed_margin
            and self.alike >= procedure.posed_alike
        )


class PosedQuestions:
    """The example questions of the catalogue, learned once."""

    def __init__(self, known: Sequence[Provision], embed: Embed) -> None:
        """Learn the kinds of clauses that have example questions.

        Args:
            known: The catalogue.
            embed: Gives a row for each word, of any length.
        """
        self._known = [p for p in known if p.posed]
        self._embed = embed
        self._vectors: dict[str, NDArray[np.float64]] = {}
        said = [(n, text) for n, p in enumerate(self._known) for text in (*p.posed, *p.names, p.means) if text]
        read = [_read(text) for _, text in said]
        self._learn_words(sorted({w for words in read for w in words}))
        self._spread = Counter(f for words in read for f in {*map(stem, words), *_pairs(words)})
        self._size = len(said)
        self._said: list[list[list[str]]] = [[] for _ in self._known]
        for (n, _), words in zip(said, read, strict=True):
            self._said[n].append(words)
        self._own = [frozenset(stem(w) for words in of for w in words) for of in self._said]
        self._columns = {f: n for n, f in enumerate(sorted(self._spread))}
        self._weights = self._learned([n for n, _ in said], read) if said else np.zeros((0, 0))

    def read(self, question: str) -> Posed | None:
        """Return the kind of clause that a question is most like; None where there are no examples or no words."""
        words = _read(question)
        if not words or len(self._known) < 2:
            return None
        self._learn_words([w for w in dict.fromkeys(words) if w not in self._vectors])
        row = self._row(words)
        scores = row @ self._weights
        best, *others = (int(n) for n in np.argsort(-scores, kind="stable")[:3])
        kind = self._known[best]
        beside = tuple(
            self._known[n]
            for n in others
            if scores[n] >= _BESIDE * scores[best] and kind.answer == self._known[n].answer
        )
        margin = float(scores[best] - scores[others[0]])
        covered = {stem(w) for w in words if not _SLIGHT.fullmatch(w)} <= self._own[best]
        return Posed(kind, float(scores[best]), margin, self._alike(row, best), covered, beside)

    def _alike(self, row: NDArray[np.float64], kind: int) -> float:
        """Return the cosine of a question with the nearest example of a kind; every row has the same bias, left out."""
        asked = _unit(row[:-1])
        return max(float(asked @ _unit(self._row(words)[:-1])) for words in self._said[kind])

    def _learned(self, kinds: Sequence[int], read: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Solve for the weight of every feature for every kind, through the examples: they are fewer than features.

        An example has few of the features, so what examples have in common is summed over these alone.
        """
        meant = np.stack([self._meant(words) for words in read])
        columns, values = zip(*map(self._said_of, read), strict=True)
        places = (np.concatenate(values), np.concatenate(columns), np.cumsum([0, *map(len, columns)]))
        said = csr_matrix(places, shape=(len(read), len(self._columns)))
        common = meant @ meant.T + (said @ said.T).toarray() + _BIAS**2
        common[np.diag_indices_from(common)] += _RIDGE
        wanted = np.full((len(kinds), len(self._known)), -1.0 / len(self._known))
        wanted[np.arange(len(kinds)), list(kinds)] = 1.0
        shares = cho_solve(cho_factor(common, lower=True, overwrite_a=True), wanted)
        return np.concatenate([meant.T @ shares, said.T @ shares, _BIAS * shares.sum(axis=0, keepdims=True)])

    def _row(self, words: Sequence[str]) -> NDArray[np.float64]:
        row = np.zeros(len(self._columns))
        columns, values = self._said_of(words)
        row[columns] = values
        return np.concatenate([self._meant(words), row, [_BIAS]])

    def _meant(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return what words mean together; of length 1."""
        return _unit(np.sum([self._vectors[w] * self._rarity(stem(w)) for w in words], axis=0))

    def _said_of(self, words: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the columns of the features that words have, and how much each counts."""
        found = sorted({*map(stem, words), *_pairs(words)} & self._columns.keys())
        values = np.array([self._rarity(f) * (_PAIRS if " " in f else 1.0) for f in found])
        return np.array([self._columns[f] for f in found], dtype=np.intp), _WORDS * _unit(values)

    def _rarity(self, feature: str) -> float:
        return math.log(1 + self._size / (self._spread.get(feature, 0) + 0.5))

    def _learn_words(self, words: Sequence[str]) -> None:
        """Take the vectors of words that are not known yet, in one go."""
        rows = self._embed(words) if words else ()
        self._vectors.update((w, row.astype(np.float64)) for w, row in zip(words, rows, strict=True))


def posed_questions_of(knowledge: KnowledgeBase, setting: str = "") -> PosedQuestions:
    """Return the example questions of a harness, learned once in a process with the word vectors that Solon brings.

    Args:
        knowledge: Holds the catalogue.
        setting: The titles of the documents asked: a kind of clause that is particular to a kind of document is asked
            for only there, and tells nothing apart elsewhere.
    """
    return _learned_of(knowledge, frozenset(p.name for p in catalogue_of(knowledge) if p.is_of(setting)))


@lru_cache(maxsize=8)
def _learned_of(knowledge: KnowledgeBase, names: frozenset[str]) -> PosedQuestions:
    known = [p for p in catalogue_of(knowledge) if p.name in names]
    return PosedQuestions(known, ModelAccess({}).client("wordllama", "embeddings").embed)


def _read(text: str) -> list[str]:
    return _WORD.findall(straight(text[:_LONG]).lower())


def _pairs(words: Sequence[str]) -> set[str]:
    stems = list(map(stem, words))
    return {f"{a} {b}" for a, b in pairwise(stems)}


def _unit(row: NDArray[np.float64]) -> NDArray[np.float64]:
    size = float(np.linalg.norm(row))
    return row / size if size else row
