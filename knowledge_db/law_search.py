"""Search in the rows of law (authorities, or deadline regimes) by words, with scores and reasons."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from knowledge_db.concepts import Concepts, Tokenize, plain_words
from knowledge_db.jurisdictions import HOME, applies, codes_in, of_a_state
from knowledge_db.records import Authority, WindowRule
from knowledge_db.spelling import spelled

VERSUS = ("v", "vs")  # stands in the name of every case, and tells none from another
_ALIAS_WEIGHT = 0.5  # what a synonym of a word counts: less than the word, so that rows with the word come first
_ELSEWHERE = 0.5  # what law counts that does not apply in the places concerned
_BEST_FIELD = 3.0  # weight of the field that counts most: a row that has every word there scores 1

Fields = Sequence[tuple[str, float]]
"""The texts of a row, each with what a word in it counts."""


def names_in(*texts: str) -> str:
    """Return texts as words in the singular, separated so that a phrase is found whole and in one of them."""
    return "|".join(f" {' '.join(word.rstrip('s') or word for word in plain_words(text))} " for text in texts)


class LawSearch:
    """The rows of one family of law, indexed by their words at the first search."""

    def __init__(
        self,
        rows: Sequence[Authority] | Sequence[WindowRule],
        texts: Sequence[tuple[Fields, str]],
        tokenize: Tokenize,
        concepts: Concepts,
    ) -> None:
        """Take the rows, for each its fields and its names (:func:`names_in`), and the other names of concepts."""
        self.rows, self.texts, self.tokenize, self.concepts = rows, texts, tokenize, concepts

    def find(
        self, query: str, k: int, places: frozenset[str], folder: Path, among: frozenset[int] | None = None
    ) -> list[dict[str, Any]]:
        """Return the rows that fit a query best, each with ``score`` in (0, 1] and ``reason``.

        Args:
            query: What is asked, in words.
            k: How many at most.
            places: Codes of the law districts concerned; those that the query names where empty, else the home
                district. Law that does not apply there counts less.
            folder: Folder of the knowledge, with its law districts.
            among: Numbers of the rows that may be found; all where None.
        """
        asked = {t: 1.0 for t in self.tokenize(query) if t not in VERSUS}
        if not asked or not self.rows:
            return []
        asked |= spelled(asked, self._index)
        for token in self.tokenize(" ".join(self.concepts.related(query))):
            asked.setdefault(token, _ALIAS_WEIGHT)
        rarity = {t: math.log(1 + len(self.rows) / (1 + len(self._index.get(t, ())))) for t in asked}
        best = sum(rarity[t] * _BEST_FIELD for t, w in asked.items() if w == 1.0)
        met = {t: self._index[t] for t in asked if t in self._index}
        totals: dict[int, float] = {}
        for token, postings in met.items():
            trusted = asked[token] * rarity[token]
            for number, weight in postings.items():
                totals[number] = totals.get(number, 0.0) + trusted * weight
        there = places or codes_in(query, folder) or HOME
        near = {place: 1.0 if applies(place, there, folder) else _ELSEWHERE for place in self._districts}
        scored = heapq.nsmallest(
            k,
            (
                (-min(1.0, near[self.rows[number].jurisdiction] * total / best), number)
                for number, total in totals.items()
                if among is None or number in among
            ),
        )
        return [
            {
                **self.rows[number].model_dump(mode="json"),
                "score": round(-score, 4),
                "reason": "matched " + ", ".join(t for t, postings in met.items() if number in postings),
            }
            for score, number in scored
        ]

    def naming(self, phrase: str, question: str, k: int, places: frozenset[str], folder: Path) -> list[dict[str, Any]]:
        """Return the rows that name a phrase and apply in the places concerned: the nearest to a question first."""
        asked = f"{phrase} {question}"
        there = places or codes_in(asked, folder) or HOME
        said = names_in(phrase)
        rows = self.rows
        named = frozenset(
            number
            for number, (_, names) in enumerate(self.texts)
            if said in names and applies(rows[number].jurisdiction, there, folder)
        )
        # federal and uniform law says more to a whole country than that of a state which nobody named
        close = frozenset(n for n in named if rows[n].jurisdiction in there or not of_a_state(rows[n].jurisdiction))
        found = self.find(asked, k, there, folder, close)
        return found + self.find(asked, k - len(found), there, folder, named - close)

    @cached_property
    def _districts(self) -> frozenset[str]:
        return frozenset(row.jurisdiction for row in self.rows)

    @cached_property
    def _index(self) -> dict[str, dict[int, float]]:
        """For each token the rows that hold it, each with the weight of the best field that does."""
        index: dict[str, dict[int, float]] = {}
        for number, (fields, _) in enumerate(self.texts):
            for token, weight in self._weights(fields).items():
                index.setdefault(token, {})[number] = weight
        return index

    def _weights(self, fields: Iterable[tuple[str, float]]) -> dict[str, float]:
        weights: dict[str, float] = {}
        for text, weight in fields:
            for token in self.tokenize(text):
                weights[token] = max(weights.get(token, 0.0), weight)
        return weights
