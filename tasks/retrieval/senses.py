"""What words and sentences mean, by the static word vectors that Solon brings: "dies" is near "lapses".

A sentence is the sum of its words, each weighted by how rare it is among the sentences at hand (S. Arora, Y. Liang,
T. Ma, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings", 2017, without its last step).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from tasks.legaltext.fold import straight
from tasks.models.access import ModelAccess
from tasks.models.vectors import Matrix, unit_rows

_WORD = re.compile(r"[a-z]{3,}")
_HEAD = 0.5  # what a word of the heading counts beside one of the sentence
Embed = Callable[[Sequence[str]], Matrix]


class Senses:
    """The vectors of words, each learned once."""

    def __init__(self, embed: Embed) -> None:
        """Take what gives a row for each word."""
        self._embed = embed
        self._rows: dict[str, NDArray[np.float32]] = {}

    def of(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return a unit row for each word."""
        fresh = [w for w in dict.fromkeys(words) if w not in self._rows]
        if fresh:
            self._rows.update(zip(fresh, unit_rows(np.asarray(self._embed(fresh), dtype=np.float32)), strict=True))
        return np.stack([self._rows[w] for w in words]) if words else np.zeros((0, 1), dtype=np.float32)

    def nearest(self, word: str, among: Collection[str]) -> float:
        """Return how near the nearest of some words comes to a word: 1 for the word itself."""
        if word in among:
            return 1.0
        others = sorted(among)
        return float(np.max(self.of(others) @ self.of([word])[0])) if others else 0.0


class Meanings:
    """The sentences of a data room by what they mean."""

    def __init__(self, senses: Senses, passages: Sequence[tuple[str, str]]) -> None:
        """Take sentences, each with the heading above it."""
        self._senses, self._passages = senses, passages
        self._spread = Counter(w for text, _ in passages for w in set(words_of(text)))

    def near(self, question: str) -> NDArray[np.float32]:
        """Return how near each sentence comes to a question, 0 to 1."""
        asked = self._sum(Counter({w: 1.0 for w in words_of(question)}))
        if asked is None or self._rows.shape[1:] != asked.shape:  # nothing is asked, or no sentence has a word
            return np.zeros(len(self._passages), dtype=np.float32)
        found: NDArray[np.float32] = np.clip(self._rows @ asked, 0.0, 1.0)
        return found

    def likest(self, words: str) -> NDArray[np.float32]:
        """Return how like the nearest words of each sentence are to some words, on average, 0 to 1."""
        asked = words_of(words)
        known, starts, row = self._in_a_row
        if not asked or not len(known):
            return np.zeros(len(self._passages), dtype=np.float32)
        none = np.zeros((1, len(asked)), dtype=np.float32)
        near = np.concatenate([known @ self._senses.of(asked).T, none])[row]
        found: NDArray[np.float32] = np.clip(np.maximum.reduceat(near, starts, axis=0), 0.0, 1.0).mean(axis=1)
        return found

    @cached_property
    def _in_a_row(self) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
        """The words of all sentences, where each sentence begins in the row of its words, and that row."""
        words = sorted(self._spread)
        place = {word: n for n, word in enumerate(words)}
        rows = [sorted({place[w] for w in words_of(text)}) or [len(words)] for text, _ in self._passages]
        starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)[:-1]
        return self._senses.of(words), starts, np.array([n for row in rows for n in row], dtype=np.int64)

    @cached_property
    def _rows(self) -> NDArray[np.float32]:
        weighed = [self._weighed(text, head) for text, head in self._passages]
        width = next((len(row) for row in weighed if row is not None), 0)
        rows = [np.zeros(width, dtype=np.float32) if row is None else row for row in weighed]
        return np.stack(rows) if rows else np.zeros((0, width), dtype=np.float32)

    def _weighed(self, text: str, head: str) -> NDArray[np.float32] | None:
        counts = Counter(dict.fromkeys(words_of(head), _HEAD))
        counts.update(dict.fromkeys(words_of(text), 1.0))
        return self._sum(counts)

    def _sum(self, counts: Mapping[str, float]) -> NDArray[np.float32] | None:
        if not counts:
            return None
        words = sorted(counts)
        share = np.array([[counts[w] * self._rarity(w)] for w in words], dtype=np.float32)
        whole = (self._senses.of(words) * share).sum(axis=0)
        size = float(np.linalg.norm(whole))
        return whole / size if size else None

    def _rarity(self, word: str) -> float:
        return math.log(1 + len(self._passages) / (self._spread.get(word, 0) + 0.5))


def words_of(text: str) -> list[str]:
    """Return the words of a text that mean something, in small letters."""
    return _WORD.findall(straight(text).lower())


@lru_cache(maxsize=1)
def senses_brought() -> Senses:
    """Return the word vectors that Solon brings, the same for all matters of a process."""
    return Senses(ModelAccess({}).client("wordllama", "embeddings").embed)
