"""Which clause of a document has the key terms of a statement: each clause by its words, the rarer the heavier."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from skills_repo.release_gates import CitationGate
from tasks.legaltext.tokens import terms
from tasks.reconcile.support.places import CitedText, Stretch

_LONGEST = 20_000  # characters of a clause that are read; a chapter that long is no place to cite


class ClauseTerms:
    """The words of each clause of a document."""

    def __init__(self, source: CitedText) -> None:
        self._source = source

    @cached_property
    def _clauses(self) -> list[tuple[Stretch, frozenset[str]]]:
        found = [c for c in self._source.clauses if c.label and c.end - c.start <= _LONGEST]
        text = self._source.text
        return [(Stretch(c.start, c.end, c.label), frozenset(terms(text[c.start : c.end]))) for c in found]

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        spread = Counter(word for _, words in self._clauses for word in words)
        return {w: math.log(1 + len(self._clauses) / n) for w, n in spread.items()}

    def better(
        self, statement: str, named: frozenset[str], places: Sequence[Stretch], settings: CitationGate
    ) -> Stretch | None:
        """Return the clause that has most key terms of a statement, where the places cited for it have few.

        Args:
            statement: The words.
            named: The words of the document's name, which tell nothing of a clause.
            places: The places that the statement cites.
            settings: What few and most are.
        """
        wanted = {w for w in terms(statement) if w in self._weights} - named
        if len(wanted) < settings.support_words:
            return None
        here = " ".join(self._source.text[p.start : p.end] + " " + self._source.lead_in(p) for p in places)
        if self._share(wanted, frozenset(terms(here))) >= settings.support_least:
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
