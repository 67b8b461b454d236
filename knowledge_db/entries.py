"""Rows of law by the words that they say: how much of a question a row speaks of, and whether it names its subject."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from knowledge_db.reading import EntryQuestion

_HALF = 0.5  # of what a name means a row must say more than that
Said = Sequence[tuple[str, float]]


@dataclass(frozen=True)
class Fit:
    """How a row fits a question.

    Attributes:
        coverage: The part of the question, each word by its rarity, that the row speaks of, from 0 to 1.
        named: The part of the question that the best phrase of the row speaks, if it stands in it, from 0 to 1.
        words: The words of the question that the row speaks of.
    """

    coverage: float
    named: float
    words: frozenset[str]


@dataclass
class Entries:
    """Rows, each with its words, the phrases that name its subject, and the words of a case's name.

    Attributes:
        tokenize: How text is split into words.
        subject: What words of a phrase tell its subject.
        weights: Of each row what a word counts in it.
        phrases: Of each row its keywords and titles, as words.
        parties: Of each row the words that only name a party.
    """

    tokenize: Callable[[str], list[str]]
    subject: Callable[[str], frozenset[str]]
    weights: list[dict[str, float]] = field(default_factory=list)
    phrases: list[list[frozenset[str]]] = field(default_factory=list)
    parties: list[frozenset[str]] = field(default_factory=list)
    _having: dict[str, list[int]] = field(default_factory=dict)
    _rarity: dict[str, float] = field(default_factory=dict)

    def add(self, said: Said, phrases: Sequence[str], parties: str = "") -> None:
        """Add the next row; the words of a case's name tell of its parties and nothing of its subject."""
        self._rarity.clear()
        weights: dict[str, float] = {}
        for text, weight in said:
            for token in self.tokenize(text):
                weights[token] = max(weights.get(token, 0.0), weight)
        only = frozenset(self.tokenize(parties)) - weights.keys()
        weights |= dict.fromkeys(only, 1.0)
        for token in weights:
            self._having.setdefault(token, []).append(len(self.weights))
        self.weights.append(weights)
        self.parties.append(only)
        self.phrases.append([words for phrase in phrases if (words := self.subject(phrase))])

    @property
    def vocabulary(self) -> Mapping[str, Sequence[int]]:
        """Every word with the rows that have it."""
        return self._having

    def rarity(self, word: str) -> float:
        """Return how much a word tells; one that no row has tells most."""
        if (known := self._rarity.get(word)) is None:
            known = math.log(1 + len(self.weights) / (1 + len(self._having.get(word, ()))))
            self._rarity[word] = known
        return known

    def part_said(self, number: int, words: frozenset[str]) -> float:
        """Return the part of some words, by their rarity, that the phrases of a row say."""
        said = words & frozenset[str]().union(*self.phrases[number])
        return sum(map(self.rarity, said)) / sum(map(self.rarity, words)) if said else 0.0

    def fits(self, question: EntryQuestion, wanted: Callable[[int], bool]) -> Iterator[tuple[int, Fit]]:
        """Yield those of the rows wanted that speak of a question, and how they fit it."""
        rarity = {word: self.rarity(word) for word in question.own}
        whole = sum(rarity.values())
        if not whole:
            return
        asked = question.own.union(*(meant.words for meant in question.meant))
        for number in sorted({number for word in asked for number in self._having.get(word, ()) if wanted(number)}):
            counted = self._counted(number, question)
            if counted:
                parties = self.parties[number] - question.naming
                phrases = (words for words in self.phrases[number] if not words & parties)
                named = max((self._named(words, question, rarity) for words in phrases), default=0.0)
                coverage = sum(rarity[word] * counts for word, counts in counted.items()) / whole
                yield number, Fit(coverage, named / whole, frozenset(counted))

    def _counted(self, number: int, question: EntryQuestion) -> dict[str, float]:
        """Return the words of a question that a row speaks of, each with what it counts there."""
        weights, parties = self.weights[number], self.parties[number]
        found = {
            word: weights[word]
            for word in question.own & weights.keys()
            if word not in parties or word in question.naming
        }
        for meant in question.meant:
            has = meant.words & weights.keys() - parties
            part = sum(map(self.rarity, has)) / sum(map(self.rarity, meant.words))
            if part > _HALF:
                counts = meant.trust * part * max(weights[word] for word in has)
                found |= {word: max(found.get(word, 0.0), counts) for word in meant.said}
        return found

    def _named(self, phrase: frozenset[str], question: EntryQuestion, rarity: Mapping[str, float]) -> float:
        """Return how much of a question a phrase speaks of, the less the more of the phrase the question leaves out.

        That is the rarity of the words shared, times the square of the part of the phrase that is said.
        """
        shared = {word: rarity[word] for word in phrase & question.own}
        said = set(shared)
        for meant in question.meant:
            if has := meant.words & phrase:
                part = sum(map(self.rarity, has)) / sum(map(self.rarity, meant.words))
                said |= has
                counts = meant.trust * part
                shared |= {word: max(shared.get(word, 0.0), counts * rarity[word]) for word in meant.said}
        part = sum(map(self.rarity, said)) / sum(map(self.rarity, phrase))
        return sum(shared.values()) * part * part
