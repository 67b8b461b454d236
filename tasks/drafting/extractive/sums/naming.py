"""How well a passage names what some words name; words that no paper knows count for little."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.drafting.extractive.ways.likeness import Likeness
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.tokens import STOPWORDS, singular

_FAMILY = 0.75  # what a word of the same family counts: "completed" for "completion"
_UNSEEN = 0.2  # what a word weighs that no paper has: it is the client's own
_LOOSE = frozenset(
    re.findall(
        r"[a-z]+",
        """unpaid outstanding whole then such total entire applicable respective aforesaid said overdue involved
        due all how much many what when which whether she he they her his him their our your you did does would
        could should shall may must can will have has had was were been get gets give need work out tell year
        month day date time made make under per come comes same that this these those also only any ever really
        exactly going full first two three four five six fall falls fell be it one happen happens so and""",
    )
)
_SLIGHT = 0.3  # what a word weighs that says little of a sum
_WORD = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]{2,}")


class NameComparer:
    """Compares names.

    Args:
        likeness: Families and other names of words, and how rare each is in the papers.
        passages: The passages of the papers.
    """

    def __init__(self, likeness: Likeness, passages: Sequence[str]) -> None:
        """Collect the words of the papers."""
        self._likeness = likeness
        self._read: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self._seen = frozenset(n for p in passages for n in likeness.of(p))

    def words(self, text: str) -> dict[str, str]:
        """Return the words of a text that mean something, each with its family; the words of a day mean nothing."""
        for d in sorted(scan_dates(text), key=lambda d: -d.start):
            text = f"{text[: d.start]} {text[d.end :]}" if d.precision == "day" else text
        plain = straight(text).lower().replace("-", " ").replace("instalment", "installment")
        found = {singular(w.removesuffix("'s")): w for w in _WORD.findall(plain) if w not in STOPWORDS}
        return {w: next(iter(self._likeness.of(raw)), w) for w, raw in found.items()}

    def names(self, text: str) -> bool:
        """Tell whether a text names anything that the papers speak of."""
        return any(word not in _LOOSE and family in self._seen for word, family in self.words(text).items())

    def fit(self, wanted: str, passage: str) -> float:
        """Return how far a passage names what some words name, 0 to 1."""
        if passage not in self._read:
            own = self.words(passage)
            self._read[passage] = frozenset(own), self._likeness.of(passage)
        exact, families = self._read[passage]
        whole = got = 0.0
        met = False
        for word, family in self.words(wanted).items():
            weight = self._likeness.weight(family) * (_SLIGHT if word in _LOOSE else 1.0)
            weight *= 1.0 if family in self._seen else _UNSEEN
            whole += weight
            hit = 1.0 if word in exact else _FAMILY if family in families else 0.0
            met |= bool(hit) and word not in _LOOSE
            got += weight * hit
        return got / whole * (1.0 if met else _SLIGHT) if whole else 0.0
