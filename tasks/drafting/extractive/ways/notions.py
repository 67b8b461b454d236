"""Words as notions: the forms of a word are one, and what people say is met by what papers write for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from knowledge_db.vocabulary import Vocabulary
from tasks.legaltext.fold import straight
from tasks.legaltext.tokens import singular, stem

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*(?:'[a-z]+)?|\d+(?:[.,]\d+)*|(?:[a-z]\.){2,}", re.I)
_TELLING = 6  # letters of a stem that no other word shares
_BETWEEN = 2  # words that may part those of a phrase: "hand it all back"

Keys = frozenset[str]


@dataclass(frozen=True)
class Word:
    """A word of a text, as the notions that it stands for, and as what it is called in a list of sayings."""

    raw: str
    start: int
    end: int
    keys: Keys
    called: Keys


@dataclass(frozen=True)
class Written:
    """What papers write for something: stems that must all be met.

    Attributes:
        stems: Each stem, and whether it is a whole word.
        thing: Whether any paper that has the thing writes this or another of its words.
    """

    stems: tuple[tuple[str, bool], ...]
    thing: bool = False

    def met(self, raws: frozenset[str]) -> bool:
        """Tell whether a text with these words, in small letters, says it."""
        return all(any(r == s if whole else r.startswith(s) for r in raws) for s, whole in self.stems)


class Notions:
    """Reads words as notions, by the vocabulary of the harness."""

    def __init__(self, known: Vocabulary) -> None:
        """Take the vocabulary."""
        self._known = known
        self._read: dict[str, Keys] = {}

    def words(self, text: str) -> list[Word]:
        """Return the words of a text."""
        found = (m for m in _WORD.finditer(straight(text)))
        return [Word(m[0], m.start(), m.end(), self.keys(m[0]), self._called(m[0])) for m in found]

    def _called(self, word: str) -> Keys:
        """Return a word in the singular, its families, and its stem where that is no accident ("broker", "broke")."""
        keys = self.keys(word)
        return frozenset({singular(word.lower()), *(k for k in keys if k.startswith("=") or len(k) >= _TELLING)})

    def keys(self, word: str) -> Keys:
        """Return the notions of a word: its stem, and the families that it belongs to."""
        raw = word.lower().removesuffix("'s").removesuffix("'")
        if raw not in self._read:
            met = {f"={family[0]}" for family in self._families if any(_begins(raw, s) for s in family)}
            parts = raw.split("-") if "-" in raw else ()
            self._read[raw] = frozenset({stem(singular(raw)), *met, *(stem(p) for p in parts if len(p) > 3)})
        return self._read[raw]

    def written_for(self, words: Sequence[Word]) -> Iterator[tuple[int, int, tuple[Written, ...]]]:
        """Yield the stretches ``(first, last)`` of words that people say, with what papers write for each."""
        for said, written in self._plain:
            for at in range(len(words)):
                if (last := _phrase_at(said, words, at)) is not None:
                    yield at, last, written

    @cached_property
    def _families(self) -> tuple[tuple[str, ...], ...]:
        return self._known.families

    @cached_property
    def _plain(self) -> list[tuple[tuple[Keys, ...], tuple[Written, ...]]]:
        made = []
        for row in self._known.plain:
            written = tuple(
                Written(tuple((s.rstrip("$"), s.endswith("$")) for s in words.lower().split()), row.thing)
                for words in row.written
            )
            made.extend((tuple(w.called for w in self.words(said)), written) for said in row.said)
        return made


def _begins(raw: str, family_stem: str) -> bool:
    return raw == family_stem[:-1] if family_stem.endswith("$") else raw.startswith(family_stem)


def _phrase_at(said: Sequence[Keys], words: Sequence[Word], at: int) -> int | None:
    """Return the place of the last word of a phrase that begins at a place; None where it does not."""
    place = at
    for number, keys in enumerate(said):
        reach = range(place, min(place + 1 + (_BETWEEN if number else 0), len(words)))
        found = next((i for i in reach if words[i].called & keys), None)
        if found is None:
            return None
        place = found + 1
    return place - 1
