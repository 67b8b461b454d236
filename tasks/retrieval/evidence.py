"""How well a passage answers a query, read sentence by sentence.

BM25 counts words wherever they stand. Here the words of the kind of clause must stand in one sentence, what is
excepted behind "except" or before "shall not apply", and what is to be lacking nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from knowledge_db import KnowledgeBase
from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import sentences
from tasks.legaltext.tokens import terms
from tasks.retrieval.asking import EXCEPTION, Facet, Query, QueryGrammar, units

Bag = frozenset[str]
Rarity = Callable[[str], float]

# Weights beside the kind of clause, which weighs 1; chosen on the train queries of ACORD.
WEIGHTS: Mapping[str, float] = {"excepted": 1.2, "lacking": 1.0, "phrase": 0.8, "quality": 0.5, "no_quality": 0.5}
_NEXT_DOOR = 0.8  # what an exception in the neighbouring passage counts: "the foregoing shall not apply to ..."
_OTHER_NAME = 0.9  # what another name of a concept counts
_REACH = 350  # characters behind a word of exception that it governs at most
_MAIN = re.compile(
    r",\s*(?=in no event|under no circumstances?|neither|no party"
    r"|(?:the )?(?:total|aggregate|maximum|entire|liability))|\.\s",
    re.I,
)
_BEHIND = re.compile(r"\bnot apply", re.I)
_EMPTY = frozenset({"any", "all", "other", "certain", "non", "anti"})


class PassageRead:
    """A passage, read: its sentences and what it excepts, as bags of stems."""

    def __init__(self, text: str, headings: str, excepting: re.Pattern[str] | None) -> None:
        """Take the text of the passage, the headings above it and what makes an exception; parsed when asked."""
        self.sentences = tuple(re.sub(r"\s+", " ", straight(text[a:b])) for a, b in sentences(text))
        self.text = " ".join(self.sentences)
        self.headings = headings
        self._excepting = excepting

    @cached_property
    def bags(self) -> tuple[Bag, ...]:
        """Return the stems of each sentence; the headings belong to the first."""
        first, *rest = self.sentences or ("",)
        return tuple(frozenset(terms(sentence)) for sentence in (f"{self.headings} {first}", *rest))

    @cached_property
    def words(self) -> Bag:
        """Return all its stems."""
        return frozenset().union(*self.bags)

    @cached_property
    def exceptions(self) -> tuple[Bag, ...]:
        """Return the stems that each word of exception governs."""
        return tuple(frozenset(terms(part)) for part in self._excepted())

    def _excepted(self) -> list[str]:
        found = []
        for match in self._excepting.finditer(self.text) if self._excepting else ():
            end = _MAIN.search(self.text, match.end(), match.end() + _REACH)
            found.append(self.text[match.end() : end.start() if end else match.end() + _REACH])
            if _BEHIND.search(match.group()):  # its subject stands before it
                start = max(self.text.rfind(". ", 0, match.start()), match.start() - _REACH, 0)
                found.append(self.text[start : match.start()])
        return found


@dataclass(frozen=True)
class QueryUnit:
    """Words of a query that belong together.

    Attributes:
        own: Each stem with its share of the unit, by rarity.
        others: The stems of each other name.
        weight: How rare the rarest stem is.
    """

    own: tuple[tuple[str, float], ...]
    others: tuple[Bag, ...]
    weight: float


class QueryEvidence:
    """One query, ready to be looked for in passages."""

    def __init__(self, query: Query, grammar: QueryGrammar, knowledge: KnowledgeBase, rarity: Rarity) -> None:
        """Resolve the words of a query to stems and to the other names of their concepts."""
        self._grammar, self._knowledge, self._rarity = grammar, knowledge, rarity
        quoted = frozenset(stem for f in query.facets if f.kind == "phrase" for stem in terms(f.words))
        self._head = [unit for unit in self._units(query.head) if not {stem for stem, _ in unit.own} <= quoted]
        self._facets = [(facet, self._units(facet.words) if facet.words else []) for facet in query.facets]

    def weigh(self, passage: PassageRead, beside: Iterable[PassageRead] = ()) -> float:
        """Weigh a passage, from 0 to 1; its neighbours in the document are read where an exception is asked for."""
        excepts = any(facet.kind == "excepted" for facet, _ in self._facets)
        near = [*passage.exceptions, *(bag for other in beside for bag in other.exceptions)] if excepts else []
        found = self._kind(passage)
        total = 1.0 if self._head else 0.0
        for facet, sought in self._facets:
            weight = WEIGHTS[facet.kind]
            total += weight
            found += weight * self._facet(facet, sought, passage, near)
        return found / total if total else 0.0

    def _kind(self, passage: PassageRead) -> float:
        total = sum(unit.weight for unit in self._head)
        if not total:
            return 0.0
        best = max((sum(u.weight * self._cover(u, bag) for u in self._head) for bag in passage.bags), default=0.0)
        return best / total

    def _facet(self, facet: Facet, sought: Sequence[QueryUnit], passage: PassageRead, near: Sequence[Bag]) -> float:
        if facet.kind == "excepted":
            return max(self._excepted(sought, passage.exceptions), _NEXT_DOOR * self._excepted(sought, near))
        if facet.kind == "lacking":
            return 1.0 - max((self._cover(unit, passage.words, named=False) for unit in sought), default=0.0)
        if facet.kind == "phrase":
            words = r"[\s-]+".join(map(re.escape, re.split(r"[\s-]+", facet.words)))
            return float(bool(re.search(rf"(?<!\w){words}(?!\w)", passage.text, re.I)))
        if facet.words == EXCEPTION:
            has = bool(passage.exceptions)
        else:
            has = bool(self._grammar.says[facet.words].search(passage.text))
        return float(has == (facet.kind == "quality"))

    def _excepted(self, sought: Sequence[QueryUnit], exceptions: Sequence[Bag]) -> float:
        if not sought:
            return float(bool(exceptions))
        return sum(max((self._cover(u, bag) for bag in exceptions), default=0.0) for u in sought) / len(sought)

    def _cover(self, unit: QueryUnit, bag: Bag, named: bool = True) -> float:
        """Return how much of a unit a bag holds, by rarity; another name counts as a whole only."""
        best = sum(share for stem, share in unit.own if stem in bag)
        return _OTHER_NAME if named and best < _OTHER_NAME and any(name <= bag for name in unit.others) else best

    def _units(self, words: str) -> list[QueryUnit]:
        found = []
        for unit in units(words):
            weights = {stem: self._rarity(stem) for stem in terms(unit) if stem not in _EMPTY}
            if sum(weights.values()):  # of an empty room no word is rare
                own = tuple((stem, weight / sum(weights.values())) for stem, weight in weights.items())
                others = (frozenset(terms(other)) for other in self._knowledge.renamed(unit))
                found.append(QueryUnit(own, tuple(other for other in others if other), max(weights.values())))
        return found
