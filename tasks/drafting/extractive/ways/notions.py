"""Words as notions: the forms of a word are one notion, and so are what people say and what papers write for it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from knowledge_db.vocabulary import Vocabulary, families_of
from tasks.legaltext.fold import straight
from tasks.legaltext.tokens import singular, stem

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*(?:'[a-z]+)?|\d+(?:[.,]\d+)*|(?:[a-z]\.){2,}", re.I)
_BETWEEN = 2  # words that may part those of a phrase: "hand it all back"
_TELLING = 6  # letters of a stem that no other word shares by accident: "broker" is not "broke"
_PREFIX = 3  # letters up to which a part of a compound ("non-", "sub-") has no notion of its own
_DENIED = 9  # letters of a word that "non" begins and another word ends: "nonexclusive", not "nonsense"
_SENTENCES = 32_768  # sentences of which it is kept what they speak of
_FAMILY = "="  # marks the notion of a family of words
SAID = 0.85  # what a notion counts that is met in words that papers write for it

Keys = frozenset[str]


@dataclass(frozen=True)
class NotionWord:
    """A word of a text, as the notions that it stands for.

    Attributes:
        keys: Its stem and its families.
        called: The same without a stem that other words share; by these a saying is known.
    """

    raw: str
    keys: Keys
    called: Keys


@dataclass(frozen=True)
class Spoken:
    """What a stretch of text speaks of.

    Attributes:
        raws: Its words in small letters.
        keys: Their notions.
        row: The words in a row, a blank before and after each: to look for the stems of many notions in.
    """

    raws: frozenset[str]
    keys: Keys
    row: str


@dataclass(frozen=True)
class Written:
    """What papers write for something: stems that must all be there.

    Attributes:
        stems: Each stem, and whether it is a whole word.
        thing: Whether any paper that has the thing writes this or another of its words.
    """

    stems: tuple[tuple[str, bool], ...]
    thing: bool = False

    def met(self, spoken: Spoken) -> bool:
        """Tell whether a text says it."""
        return all((f" {stem} " if whole else f" {stem}") in spoken.row for stem, whole in self.stems)


@dataclass(frozen=True)
class Notion:
    """A notion that a question is about.

    Attributes:
        words: The words of the question.
        keys: Any of them in a text speaks of the notion.
        written: What papers write for it.
        share: What it counts beside others that are as rare.
        named: Whether the question writes it as a name.
    """

    words: str
    keys: Keys
    written: tuple[Written, ...] = ()
    share: float = 1.0
    named: bool = False

    @property
    def thing(self) -> bool:
        """Tell whether any paper that has it calls it by one of the words that papers write."""
        return any(w.thing for w in self.written)

    def met(self, spoken: Spoken) -> float:
        """Return how far a text speaks of the notion: 1 in its own words, less in others, 0 not at all."""
        if self.keys & spoken.keys:
            return 1.0
        return SAID * any(w.met(spoken) for w in self.written)


class Notions:
    """Reads words as notions, by the vocabulary of the harness. What was read is kept: ask for it by `notions_of`."""

    def __init__(self, known: Vocabulary) -> None:
        """Take the vocabulary."""
        self._known = known
        self._having = families_of(known.families)
        self._read: dict[str, tuple[Keys, Keys]] = {}
        self._spoken = lru_cache(maxsize=_SENTENCES)(self._speaks)

    def words(self, text: str) -> list[NotionWord]:
        """Return the words of a text."""
        return [NotionWord(m[0], *self._of(m[0])) for m in _WORD.finditer(straight(text))]

    def spoken(self, text: str) -> Spoken:
        """Return what a text speaks of."""
        return self._spoken(text)

    def written_for(self, words: Sequence[NotionWord]) -> Iterator[tuple[int, int, tuple[Written, ...]]]:
        """Yield the stretches ``(first, last)`` of words that people say, with what papers write for each."""
        present = {key for word in words for key in word.called}
        for number in sorted({n for key in present for n in self._beginning.get(key, ())}):
            said, written = self._plain[number]
            for at in range(len(words)):
                if (last := _phrase_at(said, words, at)) is not None:
                    yield at, last, written

    def _speaks(self, text: str) -> Spoken:
        words = self.words(text)
        raws = frozenset(sys.intern(w.raw.lower()) for w in words)
        return Spoken(raws, frozenset(k for w in words for k in w.keys), f" {' '.join(raws)} ")

    def _of(self, word: str) -> tuple[Keys, Keys]:
        raw = word.lower().removesuffix("'s").removesuffix("'")
        if raw not in self._read:
            families = {_FAMILY + family[0] for family in self._having(raw)}
            parts = {stem(p) for p in raw.split("-") if "-" in raw and len(p) > _PREFIX}
            parts |= {stem(raw.removeprefix("non"))} if is_denied(raw) else set()
            keys = frozenset({stem(singular(raw)), *families, *parts})
            called = frozenset({singular(raw), *families, *(k for k in keys if len(k) >= _TELLING)})
            self._read[raw] = keys, called
        return self._read[raw]

    @cached_property
    def _plain(self) -> list[tuple[tuple[Keys, ...], tuple[Written, ...]]]:
        made: list[tuple[tuple[Keys, ...], tuple[Written, ...]]] = []
        for row in self._known.plain:
            written = tuple(Written(_stems(words), row.thing) for words in row.written)
            made.extend((tuple(w.called for w in self.words(said)), written) for said in row.said)
        return made

    @cached_property
    def _beginning(self) -> dict[str, list[int]]:
        """The phrases by the keys of their first word, so that few of hundreds need be tried."""
        made: dict[str, list[int]] = {}
        for number, (said, _) in enumerate(self._plain):
            for key in said[0] if said else ():
                made.setdefault(key, []).append(number)
        return made


@lru_cache(maxsize=2)
def notions_of(known: Vocabulary) -> Notions:
    """Return how words are read by a vocabulary: the same for all matters that a process works on by it."""
    return Notions(known)


def is_denied(word: str) -> bool:
    """Tell whether a word is the denial of another: "nonexclusive", "non-transferable"."""
    return word.lower().startswith("non") and len(word) >= _DENIED


def _stems(words: str) -> tuple[tuple[str, bool], ...]:
    return tuple((s.rstrip("$"), s.endswith("$")) for s in words.lower().split())


def _phrase_at(said: Sequence[Keys], words: Sequence[NotionWord], at: int) -> int | None:
    """Return the place of the last word of a phrase that begins at a place; None where none does."""
    place = at
    for number, keys in enumerate(said):
        reach = range(place, min(place + 1 + (_BETWEEN if number else 0), len(words)))
        found = next((i for i in reach if words[i].called & keys), None)
        if found is None:
            return None
        place = found + 1
    return place - 1
