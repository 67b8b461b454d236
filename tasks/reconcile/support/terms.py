"""Finds the clause of a document that has the key terms of a statement; rare words weigh more."""

from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from skills_repo.release_gates import CitationGate
from tasks.legaltext.tokens import STOPWORDS, terms, tokens_with_spans
from tasks.reconcile.support.places import CitedText, Stretch

_PLAINLY = 0.6  # share of all its words, whatever they weigh, from which nothing better is sought
_LONGEST = 20_000  # characters of a clause that are read; a chapter that long is no place to cite


class ClauseTerms:
    """The words of each clause of a document."""

    def __init__(self, source: CitedText) -> None:
        self._source = source

    @cached_property
    def _clauses(self) -> list[tuple[Stretch, frozenset[str]]]:
        text = self._source.text
        read = [(t, a) for t, a, b in tokens_with_spans(text) if text[a:b].lower() not in STOPWORDS]
        words, starts = [t for t, _ in read], [a for _, a in read]
        found = [c for c in self._source.clauses if c.label and c.end - c.start <= _LONGEST]
        edges = [(bisect.bisect_left(starts, c.start), bisect.bisect_left(starts, c.end)) for c in found]
        return [
            (Stretch(c.start, c.end, c.label), frozenset(words[a:b])) for c, (a, b) in zip(found, edges, strict=True)
        ]

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        spread = Counter(word for _, words in self._clauses for word in words)
        return {w: math.log(1 + len(self._clauses) / n) for w, n in spread.items()}

    def better(
        self, statement: str, named: frozenset[str], places: Sequence[Stretch], settings: CitationGate
    ) -> Stretch | None:
        """Return the clause with most key terms of a statement, if the places cited for it have few.

        Args:
            statement: The words.
            named: The words of the document's name, which tell nothing of a clause.
            places: The places that the statement cites.
            settings: What few and most are.
        """
        said = frozenset(terms(statement)) - named
        if len(said) < settings.support_words:
            return None
        here = " ".join(self._source.text[p.start : p.end] + " " + self._source.lead_in(p) for p in places)
        held = frozenset(terms(here))
        if len(said & held) >= _PLAINLY * len(said):
            return None
        wanted = {w for w in said if w in self._weights}
        if len(wanted) < settings.support_words or self._share(wanted, held) >= settings.support_least:
            return None
        others = [
            (self._share(wanted, words), c.start - c.end, c)
            for c, words in self._clauses
            if not any(c.start < p.end and p.start < c.end for p in places)
        ]
        share, _, other = max(others, default=(0.0, 0, None))
        return other if share >= settings.support_elsewhere else None

    def _share(self, wanted: set[str], words: frozenset[str]) -> float:
        return sum(self._weights[w] for w in wanted & words) / sum(self._weights[w] for w in wanted)
