"""Which kinds of clauses a question asks for, and which chunks speak for one.

"Can either side walk away without cause?" shares no word with "may terminate for any reason upon thirty days'
notice". The provision catalogue knows both sides: how a kind of clause is asked for, and how it is drafted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from tasks.legaltext.fold import straight
from tasks.legaltext.tokens import terms
from tasks.retrieval.evidence import PassageRead
from tasks.retrieval.provisions import Provision, weigh

_NEAR = 0.75  # share of the best name's weight that a further provision's name must reach
_MOST = 3  # provisions of a question: a name in it seldom belongs to more
_LEAST_WORDS = 4  # spaces of a sentence that is read: what has fewer is a heading
_LONG = 4_000  # characters of a question that are read for cues


class TopicCatalogue:
    """The catalogue, asked by question."""

    def __init__(self, provisions: Sequence[Provision]) -> None:
        """Take the catalogue; entries without cues are left out."""
        self._known = tuple(p for p in provisions if p.strong)
        self._names = [[n for n in (frozenset(terms(name)) for name in p.names) if n] for p in self._known]
        self._spread = Counter(t for names in self._names for t in frozenset().union(*names))

    def asked(self, question: str, setting: str = "") -> list[Provision]:
        """Return the provisions that a question asks for, at most three; empty where it asks for none.

        A question asks for a provision when a pattern of its ``asked`` is met, else when all words of one of its
        names stand in it; of names, those made of rarer words count.

        Args:
            question: What is asked.
            setting: The whole query and the heads of the documents searched: a provision that is particular to a
                kind of document is asked for only there.
        """
        plain = straight(question[:_LONG])
        here = {p.name for p in self._known if p.is_of(setting or question)}
        cued = [p for p in self._known if p.name in here and any(pattern.search(plain) for pattern in p.asked)]
        if cued:
            return sorted(cued, key=lambda p: p.within is None)[:_MOST]  # the particular kind before the general one
        words = frozenset(terms(question))
        here -= {p.name for p in self._known if any(pattern.search(plain) for pattern in p.unasked)}
        known = [(p, names) for p, names in zip(self._known, self._names, strict=True) if p.name in here]
        weights = {p.name: w for p, names in known if (w := self._met(names, words))}
        best = max(weights.values(), default=0.0)
        near = [p for p in self._known if best and weights.get(p.name, 0.0) >= _NEAR * best]
        return sorted(near, key=lambda p: -weights[p.name])[:_MOST]

    def share(self, provision: Provision, words: str, rarity: Callable[[str], float]) -> float:
        """Return how much of some words, by rarity, asks for a provision: its names, and what asks for it."""
        asking = frozenset(terms(words))
        met: set[str] = set()
        for pattern in provision.asked:
            met.update(t for match in pattern.finditer(straight(words)) for t in terms(match.group()))
        for name in map(frozenset, map(terms, provision.names)):
            met |= name if name <= asking else set()
        total = sum(map(rarity, asking))
        return sum(rarity(t) for t in asking & met) / total if total else 0.0

    def _met(self, names: Sequence[frozenset[str]], words: frozenset[str]) -> float:
        size = len(self._known)
        return max((sum(math.log(1 + size / self._spread[t]) for t in n) for n in names if n <= words), default=0.0)


class Weigher:
    """Weighs chunks for provisions, remembering what it has weighed."""

    def __init__(self, read: Callable[[int], PassageRead]) -> None:
        """Take a function from a position to the chunk, read."""
        self._read = read
        self._weights: dict[tuple[str, int], float] = {}

    def weights(self, sought: Provision, positions: Sequence[int]) -> list[float]:
        """Return for each position the weight of its best sentence."""
        return [self._weight(sought, position) for position in positions]

    def _weight(self, sought: Provision, position: int) -> float:
        key = (sought.name, position)
        if key not in self._weights:
            passage = self._read(position)
            long = (s for s in passage.sentences if s.count(" ") >= _LEAST_WORDS)
            self._weights[key] = max((weigh(sought, s, passage.headings) for s in long), default=0.0)
        return self._weights[key]
