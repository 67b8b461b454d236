"""One of the two texts that are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tasks.judging.checklist.coverage import covered, residual_ratio, uncovered
from tasks.legaltext.checklists.records import Filled


@dataclass(frozen=True)
class Side:
    """What a text says to the items, and its words by document (none where they are not known)."""

    filled: Filled
    texts: Mapping[str, str]

    def empty(self) -> bool:
        """Tell whether it is known to hold no word."""
        known = all(entry.cause is None for entry in self.filled.entries.values())
        return known and not any(text.strip() for text in self.texts.values())

    def passages(self) -> list[str]:
        """Return the words that no value covers."""
        return [t[start:end] for name, t in self.texts.items() for start, end in self._uncovered(name)]

    def ratio(self) -> float:
        """Return the share of the words that no value covers."""
        length = sum(len(text.strip()) for text in self.texts.values())
        parts = (residual_ratio(t, self._uncovered(name)) * len(t.strip()) for name, t in self.texts.items())
        return min(1.0, sum(parts) / length) if length else 0.0

    def _uncovered(self, name: str) -> list[tuple[int, int]]:
        values = [value for entry in self.filled.entries.values() for value in entry.values]
        return uncovered(self.texts[name], covered(self.texts[name], values, name))
