"""The proper names of a matter: words of companies' names that no text of the matter writes small."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tasks.legaltext.fold import unaccented
from tasks.legaltext.names import FORM_WORDS, name_words
from tasks.sources.party_patterns import COMPANY, HAS_SUFFIX, SMALL

_REACH: Final = 60_000  # characters of a text in which names are looked for: parties stand in front
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CASE: Final = re.compile(r"\bv(?:s)?\.\s|\bIn re\b|\bEx parte\b")
_CASE_REACH: Final = 60  # characters around a name in which the name of its case stands
_ENDLESS: Final = re.compile(r"\S{80,}")
_SHORTEST_STEM: Final = 4  # characters up to which the name of a file ("memo") is a word of any brief; chosen by eye


@dataclass(frozen=True)
class WrittenWords:
    """The words of a text by how they are written.

    Attributes:
        small: Those that stand there in small letters.
        all: All of them, in small letters.
    """

    small: frozenset[str]
    all: frozenset[str]

    @staticmethod
    def of(texts: Iterable[str]) -> WrittenWords:
        """Return the words of some texts."""
        found = {re.sub(r"['’]", "", w) for text in texts for w in set(_WORD.findall(unaccented(text)))}
        return WrittenWords(frozenset(w for w in found if w.islower()), frozenset(w.lower() for w in found))


@dataclass(frozen=True)
class Naming:
    """What counts as a name in one matter.

    Attributes:
        small: Words that a text of the matter, or the draft, writes small; they tell no name.
        places: Words of the names of law districts; "a Delaware corporation" names no company.
    """

    small: frozenset[str]
    places: frozenset[str]

    def telling(self, name: str) -> tuple[str, ...]:
        """Return the words of a company's name by which it is known."""
        plain = [w for w in name_words(HAS_SUFFIX.sub(" ", name)) if w.isalpha() and len(w) > 2]
        return tuple(
            w for w in plain if w not in self.small and w not in self.places and w not in FORM_WORDS and w not in SMALL
        )

    def companies(self, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the companies that a text names, as it names them, with their telling words; cases name none."""
        # A heading is no part of the name below it, and a word of a thousand letters no name.
        for line in _ENDLESS.sub(" ", text[:_REACH]).split("\n"):
            for match in COMPANY.finditer(line):
                around = line[max(0, match.start() - _CASE_REACH) : match.end() + _CASE_REACH]
                words = self.telling(match.group())
                inside = line[max(0, match.start() - 1) : match.start()].isalnum()  # "eHarbour Ltd."
                if words and not inside and not _CASE.search(around):
                    yield " ".join(match.group().split()), words

    def words(self, text: str) -> frozenset[str]:
        """Return the telling words of all companies that a text names."""
        return frozenset(w for _, words in self.companies(text) for w in words)


@dataclass(frozen=True)
class MatterPapers:
    """The papers of a matter, and which of them belong to it.

    A paper is a stray where the others are tied to the brief or to each other by names, and it to none of them.
    """

    brief: str
    documents: Mapping[str, str]
    naming: Naming

    @cached_property
    def names(self) -> Mapping[str, frozenset[str]]:
        """The telling words of names that each document holds."""
        known = frozenset().union(*(self.naming.words(text) for text in (self.brief, *self.documents.values())))
        return {d: known & WrittenWords.of([text[:_REACH]]).all for d, text in self.documents.items()}

    @cached_property
    def strays(self) -> frozenset[str]:
        """Documents that have nothing to do with the others or with the brief; none where that is not plain."""
        groups = self._groups()
        said = WrittenWords.of([self.brief]).all
        bound = [
            g for g in groups if any(self.names[d] & said or _file_named(d, self.brief) for d in g)
        ]  # fmt: skip
        if not bound:
            most = max(groups, key=len, default=frozenset())
            bound = [most] if 2 * len(most) > len(self.documents) else groups
        return frozenset(self.documents) - frozenset().union(*bound) if bound else frozenset()

    def _groups(self) -> list[frozenset[str]]:
        groups: list[frozenset[str]] = []
        for document in self.documents:
            tied = [g for g in groups if any(self._tied(document, other) for other in g)]
            groups = [g for g in groups if g not in tied] + [frozenset({document}).union(*tied)]
        return groups

    def _tied(self, one: str, other: str) -> bool:
        return bool(self.names[one] & self.names[other])

    @cached_property
    def home(self) -> tuple[str, ...]:
        """The brief and the documents that belong to the matter."""
        return (self.brief, *(text for d, text in self.documents.items() if d not in self.strays))


def _file_named(document: str, brief: str) -> bool:
    stem = re.sub(r"\.\w{2,5}$", "", document.rpartition("/")[2])
    return document in brief or (len(stem) > _SHORTEST_STEM and stem.lower() in brief.lower())
