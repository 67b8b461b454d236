"""What a model reads of an authority together with a question: what it says, and what of the rest is near the question.

A story shares little with the title of a law, and much with another story that the law answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from knowledge_db.records import Authority, WindowRule

# In characters, as the model learned it: what a row says, a period of it, ways of asking for it.
_SAYS, _PERIOD, _WAYS = 200, 100, 177
_ASKED = 2  # ways of asking that are read, those nearest to the question
_REMEMBERED = 8192  # texts whose words are remembered
_SHORT = 4.0  # words that a text is reckoned to have more than it has: a scrap of one word is not near


@dataclass(frozen=True)
class RowTexts:
    """Texts of authorities as they are read together with a question.

    Attributes:
        authorities: The rows.
        periods: Of each row the periods that it sets; of one that sets none nothing.
        ways: Of each row the questions by which it is known to be asked for.
        words: The words of a text, as rows and questions are compared.
        rarity: How rare a word is among the rows.
    """

    authorities: Sequence[Authority]
    periods: Mapping[int, Sequence[WindowRule]]
    ways: Sequence[Sequence[str]]
    words: Callable[[str], Collection[str]]
    rarity: Callable[[str], float]
    _words: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def text(self, number: int, question: str) -> str:
        """Return what is read of a row: what it says, its nearest period, and the nearest ways of asking for it."""
        row, said = self.authorities[number], self._words_of(question)
        parts = [f"{row.title}; {', '.join(row.keywords)}. {row.note}"[:_SAYS]]
        periods = [f"[{w.regime}: {w.n} {w.unit}s from {w.trigger}]" for w in self.periods.get(number, ())]
        parts += [period[:_PERIOD] for period in self._nearest(periods, said, 1)]
        if ways := self._nearest(self.ways[number], said, _ASKED):
            parts.append(f"Asked: {'; '.join(ways)}"[:_WAYS])
        return " ".join(parts)

    def _nearest(self, texts: Sequence[str], said: frozenset[str], most: int) -> list[str]:
        """Return those texts that share the rarest words with a question, or all in their order where they are few."""
        if len(texts) <= most:
            return list(texts)

        def shared(text: str) -> float:
            words = self._words_of(text)
            return math.fsum(map(self.rarity, words & said)) / (_SHORT + math.sqrt(len(words)))

        return sorted(texts, key=lambda text: -shared(text))[:most]

    def _words_of(self, text: str) -> frozenset[str]:
        if len(self._words) > _REMEMBERED:
            self._words.clear()
        if (words := self._words.get(text)) is None:
            words = self._words[text] = frozenset(self.words(text))
        return words
