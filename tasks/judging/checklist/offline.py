"""Compares values without a model: dates, figures, citations, names and words in normal form.

It says that two values are equal only where nothing on either side is missing on the other, and so takes most
paraphrases for different. What it calls equal is equal; what it calls different may not be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tasks.judging.checklist.definition import rules
from tasks.judging.checklist.matching import pair_up
from tasks.judging.checklist.records import Relation, ValuePairs
from tasks.legaltext.checklists.definition import Item
from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight, unaccented
from tasks.legaltext.names import FORM_WORDS
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import in_digits
from tasks.legaltext.tokens import singular, tokens_with_spans
from tasks.matter.usage import Usage

_INITIAL = re.compile(r"(?<=[a-z] )[A-Z]\. (?=[A-Z][a-z])")  # "Eldon E. Fallon"
_OPENS = re.compile(r"(?:\A|[.:;!?]\s|\n)\W*\Z")  # what follows is written large wherever it comes from
_OPENS_REACH = 20  # characters before a word that hold the end of a sentence and what marks a line


@dataclass(frozen=True)
class NormalForm:
    """A value in normal form.

    Attributes:
        marks: What it says, in order, without words that add nothing.
        firm: The marks that may not differ: dates, figures, citations, numbers, names and negations.
        facts: Of these the dates, figures and citations.
    """

    marks: tuple[str, ...]
    firm: frozenset[str]
    facts: frozenset[str]

    def without(self, said: frozenset[str]) -> NormalForm:
        """Leave out what the item itself says: "Judge" of a judge's name. Nothing is left out if nothing is left."""
        marks = tuple(mark for mark in self.marks if mark not in said)
        return NormalForm(marks, self.firm - said, self.facts) if marks else self

    @cached_property
    def normal(self) -> tuple[tuple[str, ...], frozenset[str]]:
        """What two equal values share. Who sued whom hangs on the order; where the only date stands does not."""
        if len(self.facts) > 1:
            return self.marks, self.facts
        return tuple(mark for mark in self.marks if mark not in self.facts), self.facts

    def within(self, other: NormalForm, least: float) -> bool:
        """Tell whether all that is firm, and so much of the words, is in another value, in any order.

        What is said with a negation is no part of what is said without one, nor the other way round.
        """
        if not self.marks or ("not" in self.firm) != ("not" in other.firm):
            return False
        there = frozenset(other.marks)
        words = frozenset(self.marks) - self.firm
        return all(_in(mark, there) for mark in self.firm) and len(words & there) >= least * len(words)


def _in(mark: str, there: frozenset[str]) -> bool:
    """Tell whether a mark is there; a month is there where a day of it is."""
    return mark in there or (mark.startswith("date:") and any(other.startswith(f"{mark}-") for other in there))


class OfflineComparator:
    """Compares the values of an item by their normal forms. Implements ``Comparator``."""

    @property
    def usage(self) -> Usage:
        """Return nothing: no model is asked."""
        return Usage()

    def relation(self, item: Item, candidate: str, reference: str) -> Relation:
        """Return what the value of the work product is to that of the reference."""
        ours, theirs = _readings(item, (candidate, reference))
        if ours.normal == theirs.normal:
            return Relation.EQUAL
        least = rules().contained_share
        within, around = ours.within(theirs, least), theirs.within(ours, least)
        if within and around:  # each says most of the other: the longer one is the whole
            more = len(frozenset(ours.marks)) - len(frozenset(theirs.marks))
            within, around = more < 0, more > 0
        return Relation.CONTAINED if within else Relation.CONTAINS if around else Relation.DIFFERENT

    def match(self, item: Item, candidate: Sequence[str], reference: Sequence[str]) -> ValuePairs:
        """Return which values of two lists are equal."""
        places: dict[object, list[int]] = {}
        for at, one in enumerate(_readings(item, candidate)):
            places.setdefault(one.normal, []).append(at)
        theirs = enumerate(_readings(item, reference))
        return ValuePairs(pairs=pair_up((at, ours) for at, one in theirs for ours in places.get(one.normal, ())))


def _readings(item: Item, values: Sequence[str]) -> list[NormalForm]:
    said = frozenset(mark for name in (item.title, *item.names) for mark in _words_of(name))
    return [read(value).without(said) for value in values]


@lru_cache(maxsize=256)
def _words_of(name: str) -> frozenset[str]:
    return frozenset(token for token, _, _ in _words(name))


@lru_cache(maxsize=8_192)
def read(value: str) -> NormalForm:
    """Return a value in normal form."""
    text = _INITIAL.sub("", in_digits(unaccented(straight(" ".join(value.split())))))
    facts = _facts(text)
    found = {start: mark for start, _, mark in facts}
    firm = set(found.values())
    for token, raw, start in _words(text):
        if any(low <= start < high for low, high, _ in facts):
            continue
        if raw in rules().negations:
            found[start] = "not"
            firm.add("not")
        elif raw not in rules().fillers and not (_is_firm(text, start, raw) and raw in FORM_WORDS):
            found[start] = token
            firm |= {token} if _is_firm(text, start, raw) else set()
    return NormalForm(tuple(found[at] for at in sorted(found)), frozenset(firm), frozenset(m for _, _, m in facts))


def _words(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield each word in the singular, as it stands, and where. No stems: a licensor is no licensee."""
    for token, start, end in tokens_with_spans(text):
        raw = text[start:end].lower().removesuffix("'s")
        yield (token if raw[0].isdigit() else singular(raw.replace(".", ""))), raw.strip("."), start


def _facts(text: str) -> list[tuple[int, int, str]]:
    """Return the citations, dates and figures with what they say; a figure inside another one is none."""
    said = [(c.start, c.end, f"cites:{c.canonical}") for c in scan_citations(text)]
    said += [(d.start, d.end, f"date:{d.iso}") for d in scan_dates(text)]
    for figure in scan_numbers(text):
        if not any(low <= figure.start < high for low, high, _ in said):
            said.append((figure.start, figure.end, f"{figure.unit}:{figure.value.normalize():f}"))
    return said


def _is_firm(text: str, start: int, raw: str) -> bool:
    """Tell whether a token is a number, or a name: written large where no sentence begins."""
    if raw[0].isdigit():
        return True
    return text[start].isupper() and not _OPENS.search(text[max(0, start - _OPENS_REACH) : start])
