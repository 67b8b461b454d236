"""Which authorities and windows answer a question: ranked by subject and place, and none where nothing fits.

``KnowledgeBase.search_authorities`` finds what bears on a whole matter, and always finds something. A question that a
lawyer types is short, names a place, and may have no answer here; an entry that shares one word with it is none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from knowledge_db.base import VERSUS, KnowledgeBase
from knowledge_db.jurisdictions import HOME, applies, of_a_state, split_places
from knowledge_db.records import Authority, WindowRule
from knowledge_db.spelling import spelled


@dataclass
class _Entries:
    """Rows by the words that each says, with the phrases that name them and the words of a case's name."""

    rows: Sequence[Authority] | Sequence[WindowRule]
    tokenize: Callable[[str], list[str]]
    postings: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    phrases: list[list[frozenset[str]]] = field(default_factory=list)
    parties: list[frozenset[str]] = field(default_factory=list)

    def add(self, fields: Sequence[tuple[str, float]], phrases: Sequence[str], parties: str = "") -> None:
        """Add the next row; the words of a case's name tell of its parties and nothing of its subject."""
        weights: dict[str, float] = {}
        for text, weight in fields:
            for token in self.tokenize(text):
                weights[token] = max(weights.get(token, 0.0), weight)
        self.parties.append(frozenset(self.tokenize(parties)) - weights.keys())
        for token, weight in (weights | dict.fromkeys(self.parties[-1], 1.0)).items():
            self.postings.setdefault(token, []).append((len(self.phrases), weight))
        self.phrases.append([words for phrase in phrases if (words := frozenset(self.tokenize(phrase)))])

    def rarity(self, token: str) -> float:
        """Return how much a word tells; one that no row has tells most."""
        return math.log(1 + len(self.rows) / (1 + len(self.postings.get(token, ()))))


@dataclass(frozen=True)
class _Question:
    """A question as it is asked of the entries.

    Attributes:
        asked: Its words and, with less trust, those of the other names of its concepts.
        naming: Whether a word of it may name a case.
        places: The law districts concerned.
        named: Whether it names them.
    """

    asked: Mapping[str, float]
    naming: Callable[[str], bool]
    places: frozenset[str]
    named: bool


class Answers:
    """The authorities and windows of a knowledge by the questions that they answer."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        """Remember the knowledge; its rows are indexed at the first question."""
        self._base, self._weights = knowledge, knowledge.ranking

    def authorities(self, question: str, k: int) -> list[dict[str, Any]]:
        """Return the authorities that fit a question in words, best first; none where nothing fits."""
        asked = self._read(question)
        scores, hits = self._scores(self._authorities, asked)
        set_by = dict[int, float]()
        for number, score in self._scores(self._windows, self._timeless(asked))[0].items():
            for at in self._authorities_of_windows.get(number, ()):
                set_by[at] = max(set_by.get(at, 0.0), score)
        for at, score in set_by.items():
            scores[at] = scores.get(at, 0.0) + self._weights.window * score
            hits.setdefault(at, []).append("a deadline that it sets")
        return self._best(self._authorities, asked, scores, hits, k)

    def windows(self, question: str, k: int) -> list[dict[str, Any]]:
        """Return the deadline regimes that fit a question, as above."""
        asked = self._timeless(self._read(question))
        return self._best(self._windows, asked, *self._scores(self._windows, asked), k)

    def _read(self, question: str) -> _Question:
        base = self._base
        places, topic = split_places(question, self._names, base.folder)
        words = base.tokenize(topic)
        asked = {word: 1.0 for word in words if word not in VERSUS}
        asked |= spelled(asked, self._authorities.postings)
        for word in base.tokenize(" ".join(base.related(topic))):
            asked.setdefault(word, self._weights.other_name)
        capitals = {word for said in re.findall(r"[A-Z][\w’']+", question) for word in base.tokenize(said)}
        cites = any(word in VERSUS for word in words)
        return _Question(asked, lambda word: cites or word in capitals, places or HOME, bool(places))

    def _timeless(self, question: _Question) -> _Question:
        """Return a question for windows: what asks for a deadline tells none from another."""
        idle = {word for said in self._weights.of_time for word in self._base.tokenize(said)}
        return replace(question, asked={word: trust for word, trust in question.asked.items() if word not in idle})

    def _scores(self, entries: _Entries, question: _Question) -> tuple[dict[int, float], dict[int, list[str]]]:
        """Return the part of the question that each row speaks of, from 0 to 1, and the words that it shares."""
        rarity = {word: entries.rarity(word) for word in question.asked}
        whole = sum(rarity[word] for word, trust in question.asked.items() if trust == 1.0) * (1 + self._weights.phrase)
        if not whole:
            return {}, {}
        scores: dict[int, float] = {}
        hits: dict[int, list[str]] = {}
        for word, trust in question.asked.items():
            for number, weight in entries.postings.get(word, ()):
                if word in entries.parties[number] and not question.naming(word):
                    continue
                scores[number] = scores.get(number, 0.0) + trust * rarity[word] * weight / whole
                hits.setdefault(number, []).append(word)
        own = {word for word, trust in question.asked.items() if trust == 1.0}
        least = min(len(own), self._weights.words)
        fitting: dict[int, float] = {}
        for number, score in scores.items():
            spoken = [sum(rarity[word] for word in words) for words in entries.phrases[number] if words <= own]
            if spoken or len(own.intersection(hits[number])) >= least:
                fitting[number] = score + self._weights.phrase * max(spoken, default=0.0) / whole
        return fitting, hits

    def _best(
        self,
        entries: _Entries,
        question: _Question,
        scores: Mapping[int, float],
        hits: Mapping[int, Sequence[str]],
        k: int,
    ) -> list[dict[str, Any]]:
        near = {place: self._near(place, question) for place in {row.jurisdiction for row in entries.rows}}
        ranked = sorted((-near[entries.rows[number].jurisdiction] * score, number) for number, score in scores.items())
        return [
            {
                **entries.rows[number].model_dump(mode="json"),
                "score": round(min(1.0, -score), 4),
                "reason": "matched " + ", ".join(hits[number]),
            }
            for score, number in ranked[:k]
            if -score >= self._weights.floor
        ]

    def _near(self, jurisdiction: str, question: _Question) -> float:
        """Return what law of a jurisdiction counts in the places concerned."""
        weights = self._weights
        if jurisdiction in question.places:
            return 1.0
        if not applies(jurisdiction, question.places, self._base.folder):
            return weights.elsewhere
        if jurisdiction == "INTL":
            return weights.treaty
        if question.named:
            return weights.country_of_state
        return weights.another_state if of_a_state(jurisdiction) else 1.0

    @cached_property
    def _authorities(self) -> _Entries:
        weights = self._weights
        entries = _Entries(self._base.authorities, self._base.tokenize)
        for row in entries.rows:
            assert isinstance(row, Authority)
            said = [(" ".join(row.keywords), weights.keyword), (row.note, weights.note)]
            if row.kind == "case":
                entries.add(said, row.keywords, f"{row.citation} {row.title}")
            else:
                entries.add([(row.citation, weights.citation), (row.title, weights.title), *said],
                            (*row.keywords, row.title))  # fmt: skip
        return entries

    @cached_property
    def _windows(self) -> _Entries:
        weights = self._weights
        entries = _Entries(self._base.windows, self._base.tokenize)
        for row in entries.rows:
            assert isinstance(row, WindowRule)
            said = ((row.authority, weights.citation), (row.regime, weights.keyword), (row.trigger, weights.title),
                    (row.action, weights.title), (row.domain, weights.note), (row.note, weights.note))  # fmt: skip
            entries.add(said, (row.regime,))
        return entries

    @cached_property
    def _names(self) -> str:
        """Every citation: a place in the name of an instrument is part of the name."""
        return "\n".join(row.citation for row in self._base.authorities).casefold()

    @cached_property
    def _authorities_of_windows(self) -> dict[int, list[int]]:
        """The authorities that set each window: the entry of its citation, or of the section that contains it."""
        places = {row.citation: number for number, row in enumerate(self._base.authorities)}

        def held(citation: str) -> Iterator[int]:
            while citation and citation not in places:
                citation = re.sub(r"\s*\([^()]*\)$", "", shorter) if (shorter := citation).endswith(")") else ""
            if citation:
                yield places[citation]

        return {
            number: [at for citation in (row.authority, *row.also_cited) for at in held(citation)]
            for number, row in enumerate(self._base.windows)
        }


@lru_cache(maxsize=4)
def answers_of(knowledge: KnowledgeBase) -> Answers:
    """Return the answers of a knowledge: one for each knowledge object, whose rows never change."""
    return Answers(knowledge)
