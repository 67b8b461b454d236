"""Which authorities and windows answer a question: by subject and place, and none where nothing fits.

``KnowledgeBase.search_authorities`` finds what bears on a whole matter, and always finds something. A question that a
lawyer types is short, names a place, and may have no answer here; an entry that shares one word with it is none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from knowledge_db.base import KnowledgeBase
from knowledge_db.choosing import SURE, Candidate, chances
from knowledge_db.entries import Entries, Fit
from knowledge_db.jurisdictions import HOME, applies, of_a_state, of_every_state
from knowledge_db.reading import EntryQuestion, Reader
from knowledge_db.records import Authority, WindowRule, wider_citations
from knowledge_db.row_texts import RowTexts

Row = Authority | WindowRule
Points = Mapping[int, tuple[float, Fit]]
"""Rows by number, each with its points and how it fits the question."""
Together = Callable[[str, Sequence[str]], Sequence[float]]
"""A question and texts to how likely each answers it, as logits of a model that reads them together."""
_USUAL = 6  # words of its subject that a question has usually
_WORDS = 4  # words in common from which more count no more; the weight beside it was learned with it
# What a word of a window that the question does not say counts against it, of what one that it says counts for it. Of
# 20 open questions with right and wrong windows of the right law 0.25 to 0.5 put 17 right, none 15.
_UNSAID = 0.5
_TELLING = 6  # letters of a word that may tell a law district
_FEW = 2  # law districts that it may tell
_BESIDE = "belongs to the law that answers"
_TIMED = re.compile(
    r"\b(?:hours?|days?|weeks?|months?|years?|times?|periods?|limitations?|deadlines?)\b", re.IGNORECASE
)
# The number of a title or volume is no word of the law: "rule 11" is no title 11.
_TITLE = re.compile(r"^\d+\s(?=[A-Z])")


@dataclass(frozen=True)
class RowsFound:
    """What a question finds.

    Attributes:
        rows: What answers it, best first, each with ``score`` (how likely it is the answer) and ``reason``.
        nearest: Where nothing answers it: what lies nearest, and is no answer.
    """

    rows: list[dict[str, Any]]
    nearest: list[dict[str, Any]]


class Answers:
    """The authorities and windows of a knowledge by the questions that they answer."""

    def __init__(self, knowledge: KnowledgeBase, together: Together | None = None) -> None:
        """Remember the knowledge, and what reads its likeliest rows; they are indexed at the first question."""
        self._base, self._weights, self._together = knowledge, knowledge.ranking, together
        self._reader = Reader(knowledge, lambda: self._entries.vocabulary)
        self._read = lru_cache(maxsize=64)(self._reader.read)

    def authorities(self, question: str, k: int) -> list[dict[str, Any]]:
        """Return the authorities that answer a question in words, best first; none where nothing fits."""
        return self.find(question, k)[0].rows

    def windows(self, question: str, k: int) -> list[dict[str, Any]]:
        """Return the deadline regimes that answer a question, as above."""
        return self.find(question, k)[1].rows

    def find(self, text: str, k: int, within: str = "") -> tuple[RowsFound, RowsFound]:
        """Return the authorities and the windows that a question finds.

        A window is law of the authority that sets it: what fits the one brings the other. ``within`` names the law
        district of the matter; it counts where the question names none.
        """
        question, first = self._placed(self._read(text, within)), len(self._base.authorities)
        points = self._points(question)
        if self._together is not None:
            return self._chosen(text, question, self._together, points, k)
        authorities = self._likelihoods({number: got for number, got in points.items() if number < first})
        windows = self._likelihoods({number: got for number, got in points.items() if number >= first})
        of_windows, of_authorities = self._belonging
        own = others = dict[int, float]()
        if authorities:
            best = next(iter(authorities))
            others = self._brought(authorities[best], self._in_order(of_windows.get(best, ()), points, question))
        if windows:
            at = next(iter(windows))
            own = self._brought(windows[at], _by_points(of_authorities.get(at - first, []), points))
        windows, authorities = _raised(windows, others), _raised(authorities, own)
        return self._found(authorities, points, k), self._found(windows, points, k)

    def _chosen(
        self, text: str, question: EntryQuestion, together: Together, points: Points, k: int
    ) -> tuple[RowsFound, RowsFound]:
        """Return what a question finds, the likeliest authorities read together with it; its windows are theirs."""
        weights, of_windows = self._weights.choice, self._belonging[0]
        chances = self._chances(text, question, together, points)
        best = max(chances.values(), default=0.0)
        said = dict(sorted(chances.items(), key=lambda item: -item[1]))
        windows: dict[int, float] = {}
        for number, chance in said.items():
            if chance >= weights.beside:
                brought = self._brought(chance, self._in_order(of_windows.get(number, ()), points, question))
                windows = _raised(windows, brought)
        least = weights.beside if best >= weights.floor else 1.0
        return self._found(said, points, k, least), self._found(windows, points, k, 0.0 if least < 1.0 else 1.0)

    def _chances(self, text: str, question: EntryQuestion, together: Together, points: Points) -> dict[int, float]:
        """Return the chance of each of the likeliest authorities, of which one answers or none."""
        weights = self._weights.choice
        nothing = weights.nothing + weights.length * math.log(max(1, len(question.own)) / _USUAL)
        of_window = self._of_windows(points)
        ranked = self._ranked(points, of_window)[: weights.candidates]
        asking = self._reader.asking(text, question)
        of_asking = points if asking is question else self._points(asking, frozenset(ranked))
        logits = together(text, [self.texts.text(number, text) for number in ranked])
        candidates = [
            Candidate(
                number=n,
                points=points[n][0] if n in points else 0.0,
                asking=of_asking[n][0] if n in of_asking else 0.0,
                window=of_window.get(n, 0.0),
                read=min(max(read, -SURE), SURE),
                phrases=len(self._phrases[n]),
            )
            for n, read in zip(ranked, logits, strict=True)
        ]
        return chances(candidates, nothing, weights)

    def likeliest(self, text: str, k: int, within: str = "") -> list[int]:
        """Return the rows of the authorities that are likeliest by words alone, which a model is to read."""
        points = self._points(self._placed(self._read(text, within)))
        return self._ranked(points, self._of_windows(points))[:k]

    def _ranked(self, points: Points, of_window: Mapping[int, float]) -> list[int]:
        """Return the authorities by their points, or by those of a window that they set, which count less."""
        first, part = len(self._base.authorities), self._weights.authority
        own = {n: points[n][0] if n in points else 0.0 for n in {*of_window, *(n for n in points if n < first)}}
        return sorted(own, key=lambda n: (-max(own[n], part * of_window.get(n, 0.0)), n))

    def _of_windows(self, points: Points) -> dict[int, float]:
        """Return of each authority the most points of a window that it sets."""
        first, of_authorities = len(self._base.authorities), self._belonging[1]
        of_window: dict[int, float] = {}
        for number, (got, _) in points.items():
            for at in of_authorities.get(number - first, ()) if number >= first else ():
                of_window[at] = max(of_window.get(at, 0.0), got)
        return of_window

    @cached_property
    def _asked(self) -> dict[str, tuple[str, ...]]:
        """The questions by which an authority or a window is known to be asked for, by citation or id."""
        return {row.citation: row.asked for row in self._base.asked}

    @cached_property
    def _phrases(self) -> tuple[tuple[str, ...], ...]:
        """Of each authority the questions by which it, or a deadline that it sets, is known to be asked for."""
        asked, of_windows, windows = self._asked, self._belonging[0], self._base.windows
        return tuple(
            (
                *asked.get(row.citation, ()),
                *(one for at in of_windows.get(n, ()) for one in asked.get(windows[at].window_id, ())),
            )
            for n, row in enumerate(self._base.authorities)
        )

    @cached_property
    def texts(self) -> RowTexts:
        """What a model reads of the rows."""
        base = self._base
        periods = {n: [base.windows[at] for at in of] for n, of in self._belonging[0].items()}
        return RowTexts(base.authorities, periods, self._phrases, self._reader.words, self._entries.rarity)

    def _placed(self, question: EntryQuestion) -> EntryQuestion:
        """Add the law districts whose law alone has a word of a question that names none ("Anzeigepflicht")."""
        if question.named:
            return question
        found = frozenset[str]()
        for word in question.own:
            having = frozenset(self._rows[n].jurisdiction for n in self._entries.vocabulary.get(word, ()))
            if len(word) >= _TELLING and len(having) <= _FEW and not any(place[:2] in HOME for place in having):
                found |= having
        return replace(question, places=question.places | found)

    def _points(self, question: EntryQuestion, among: frozenset[int] | None = None) -> dict[int, tuple[float, Fit]]:
        """Return the points of every row, or of those ``among``, that fits; a window stands behind all authorities."""
        weights, points = self._weights, dict[int, tuple[float, Fit]]()
        nearness = {place: self._near(place, question) for place in {row.jurisdiction for row in self._rows}}

        def may_answer(number: int) -> bool:
            return (among is None or number in among) and nearness[self._rows[number].jurisdiction] > 0

        for number, fit in self._entries.fits(question, may_answer):
            if not question.instrument or self._says(number, question.instrument):
                near = nearness[self._rows[number].jurisdiction] * self._of_kind(number, question)
                near *= 1 - weights.set_apart * self._entries.part_said(number, question.against)
                points[number] = near * (fit.coverage + weights.phrase * fit.named), fit
        return points

    def _likelihoods(self, points: Points) -> dict[int, float]:
        """Return how likely each row is the answer, the likeliest first."""
        ranked = sorted(points.items(), key=lambda item: (-item[1][0], item[0]))
        likely: dict[int, float] = {}
        least = 1.0
        for at, (number, (got, fit)) in enumerate(ranked):
            rival = ranked[0][1][0] if at else ranked[1][1][0] if len(ranked) > 1 else 0.0
            likely[number] = least = min(self._likely(got, rival, fit), least)
        return likely

    def _brought(self, likely: float, ranked: Sequence[int]) -> dict[int, float]:
        """Return how likely rows are that belong to the likeliest of the other kind: of several each less by place."""
        return {number: likely / place for place, number in enumerate(ranked, start=1)}

    def _in_order(self, windows: Sequence[int], points: Points, question: EntryQuestion) -> list[int]:
        """Return the windows of one law, the likeliest first: what a question does not say counts against a window.

        So the general period comes before that of the service abroad, which has the same words and one more.
        """
        first = len(self._base.authorities)
        whole = sum(map(self._entries.rarity, question.own)) or 1.0
        said = question.own.union(*(meant.words for meant in question.meant))
        kept: dict[int, float] = {}
        for at in windows:
            row = self._base.windows[at]
            more = self._reader.subject(f"{row.regime} {row.trigger}") - said
            got = points[first + at][0] if first + at in points else 0.0
            kept[first + at] = got - _UNSAID * sum(map(self._entries.rarity, more)) / whole
        return sorted(kept, key=lambda number: -kept[number])

    def _found(
        self,
        likely: Mapping[int, float],
        points: Points,
        k: int,
        floor: float | None = None,
    ) -> RowsFound:
        listed = [
            {
                **self._rows[number].model_dump(mode="json"),
                "score": round(score, 4),
                "reason": f"matched {', '.join(sorted(points[number][1].words))}" if number in points else _BESIDE,
            }
            for number, score in list(likely.items())[:k]
        ]
        held = [row for row in listed if row["score"] >= (self._weights.floor if floor is None else floor)]
        return RowsFound(held, [] if held else listed)

    def _likely(self, got: float, rival: float, fit: Fit) -> float:
        """Return how likely a row is the answer, as fitted on questions whose answers are known."""
        weights = self._weights
        lead = (got - rival) / got if got else 0.0
        logit = (
            weights.base
            + weights.of_points * got
            + weights.of_lead * max(-1.0, lead)
            + weights.of_words * min(1.0, len(fit.words) / _WORDS)
        )
        return 1 / (1 + math.exp(-logit))

    def _near(self, jurisdiction: str, question: EntryQuestion) -> float:
        """Return what law of a jurisdiction counts in the places concerned; nothing where it does not apply."""
        weights = self._weights
        if jurisdiction in question.places:
            return 1.0
        if not applies(jurisdiction, question.places, self._base.folder):
            return 0.0 if question.named else weights.elsewhere
        in_states = question.named and all(map(of_a_state, question.places))
        if of_every_state(jurisdiction):
            return weights.treaty if in_states else 1.0
        if jurisdiction == "INTL" and in_states:  # a treaty is law of the country there
            return weights.country_of_state
        if jurisdiction == "INTL":  # whether a place whose law is not held is bound, and applies it, is not known
            held = any(place.partition("-")[0] in self._countries for place in question.places)
            return weights.treaty * (1.0 if held else weights.elsewhere**2)
        if question.named:
            return weights.country_of_state
        return weights.another_state if of_a_state(jurisdiction) else 1.0

    def _of_kind(self, number: int, question: EntryQuestion) -> float:
        """Return what a row counts by its kind: a case where one is asked for, law that sets a time where that is."""
        row, other = self._rows[number], self._weights.another_kind
        case = isinstance(row, Authority) and row.kind == "case"
        if question.wanted == "case":
            return 1.0 if case else other
        if question.statute and isinstance(row, Authority) and row.kind in ("regulation", "rule"):
            return other
        return (other if case else 1.0) * (other if question.wanted == "deadline" and number in self._timeless else 1.0)

    @cached_property
    def _timeless(self) -> frozenset[int]:
        """The authorities that set no time, as far as the knowledge says."""
        of_windows = self._belonging[0]
        return frozenset(
            number
            for number, row in enumerate(self._base.authorities)
            if number not in of_windows and not _TIMED.search(" ".join((row.title, row.note, *row.keywords)))
        )

    def _says(self, number: int, words: frozenset[str]) -> bool:
        """Whether a row speaks of the instrument with these words in its name."""
        rarity = self._entries.rarity
        said = words & self._entries.weights[number].keys()
        return sum(map(rarity, said)) >= self._weights.instrument * sum(map(rarity, words))

    @cached_property
    def _countries(self) -> frozenset[str]:
        return frozenset(row.jurisdiction.partition("-")[0] for row in self._base.authorities)

    @cached_property
    def _rows(self) -> tuple[Row, ...]:
        return (*self._base.authorities, *self._base.windows)

    @cached_property
    def _entries(self) -> Entries:
        """The authorities, and behind them the windows: each says what the other says, with less weight."""
        weights, entries = self._weights, Entries(self._reader.words, self._reader.subject)
        of_windows, of_authorities = self._belonging
        asked = self._asked
        for number, row in enumerate(self._base.authorities):
            known = asked.get(row.citation, ())
            own = [(" ".join(row.keywords), weights.keyword), (row.note, weights.note)]
            own += [(" ".join(known), weights.asked)]
            beside = [(text, weight * weights.window) for at in of_windows.get(number, ())
                      for text, weight in self._said(self._base.windows[at])]  # fmt: skip
            called = (*row.keywords, *known)
            if row.kind == "case":
                entries.add([*own, *beside], (*called, _first_party(row.title)), f"{row.citation} {row.title}")
            else:
                own += [(_TITLE.sub("", row.citation), weights.citation), (row.title, weights.title)]
                entries.add([*own, *beside], (*called, row.title, _instrument(row.citation)))
        for number, window in enumerate(self._base.windows):
            beside = [(text, weights.authority) for at in of_authorities.get(number, ())
                      for text in (self._base.authorities[at].title, *self._base.authorities[at].keywords)]  # fmt: skip
            known = asked.get(window.window_id, ())
            said = [*self._said(window), (" ".join(known), weights.asked), *beside]
            entries.add(said, (window.regime, f"{window.action} {window.trigger}", *known))
        return entries

    def _said(self, window: WindowRule) -> list[tuple[str, float]]:
        weights = self._weights
        return [
            (_TITLE.sub("", window.authority), weights.citation),
            (window.regime, weights.keyword),
            (window.trigger, weights.title),
            (window.action, weights.title),
            (window.domain, weights.note),
            (window.note, weights.note),
        ]

    @cached_property
    def _belonging(self) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Of each authority the windows that it sets, and of each window its authorities.

        That is the entry of its citation, or of the section that contains it.
        """
        places = {row.citation: number for number, row in enumerate(self._base.authorities)}
        of_windows: dict[int, list[int]] = {}
        of_authorities: dict[int, list[int]] = {}
        for number, row in enumerate(self._base.windows):
            for citation in (row.authority, *row.also_cited):
                whole = next((wider for wider in wider_citations(citation) if wider in places), "")
                if whole:
                    of_windows.setdefault(places[whole], []).append(number)
                    of_authorities.setdefault(number, []).append(places[whole])
        return of_windows, of_authorities


def _by_points(rows: Sequence[int], points: Points) -> list[int]:
    return sorted(rows, key=lambda number: -points[number][0] if number in points else 0.0)


def _raised(likely: Mapping[int, float], others: Mapping[int, float]) -> dict[int, float]:
    """Return likelihoods, the greatest first, of which some are at least what is said of them."""
    raised = {number: max(likely.get(number, 0.0), others.get(number, 0.0)) for number in (*likely, *others)}
    return dict(sorted(raised.items(), key=lambda item: -item[1]))


def _first_party(title: str) -> str:
    """Return the word by which a case is known: the first of its name, as in "Polkey reduction"."""
    return next(iter(re.findall(r"(?!(?:In|Re|Matter|Case|United|State|City)\b)[A-Z][\w’'-]{3,}", title)), "")


def _instrument(citation: str) -> str:
    """Return the name of the instrument that a citation is of, where it is no number of a code."""
    name = re.split(r"\s(?:arts?\.|ss?\.|rr?\.|§+|pt\.|sch\.)\s", citation, maxsplit=1)[0]
    return name if len(re.findall(r"[A-Z][a-z]{2,}", name)) > 1 or name.isupper() else ""


@lru_cache(maxsize=4)
def answers_of(knowledge: KnowledgeBase, together: Together | None = None) -> Answers:
    """Return the answers of a knowledge: one for each knowledge object, whose rows never change."""
    return Answers(knowledge, together)
