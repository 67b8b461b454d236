"""Words of a short query that nothing has, read as the words that were meant."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Sequence
from difflib import get_close_matches
from functools import lru_cache

_SHORT = 10  # words of a query in which misspellings are looked for
_SPELLED = 5  # letters from which a word unknown to the index is taken for a misspelling
_MISSPELT = 0.6  # trust in a corrected word: less than in one that was written so


def spelled(asked: Collection[str], known: Collection[str]) -> dict[str, float]:
    """Return what the words of a query may mean that are not known, each with its trust.

    A long text is that of a matter, not a lawyer's query, and is taken as it stands.
    """
    if len(asked) > _SHORT:
        return {}
    strange = [word for word in asked if len(word) >= _SPELLED and word.isalpha() and word not in known]
    meant = (near for word in strange for near in get_close_matches(word, known, n=2, cutoff=0.85))
    return {word: _MISSPELT for word in meant if word not in asked}


_PART = 5  # letters of the half of a compound
_WHOLE = 80  # letters of a compound; the longest of a German statute has 67, and more is no word
_JOINTS = ("", "s", "es", "n", "en")  # what may stand between the halves


def parted(word: str, known: Collection[str], words: Callable[[str], Sequence[str]]) -> frozenset[str]:
    """Return the known words that a word is made of, as German makes them ("Berufungsfrist"); none where it is not.

    Both halves are better than one, and the longer half better than the shorter.
    """
    best: tuple[int, int, frozenset[str]] = (0, 0, frozenset())
    if len(word) > _WHOLE:
        return best[2]
    for at in range(_PART, len(word) - _PART + 1):
        first, second = word[:at], word[at:]
        befores = (first.removesuffix(joint) for joint in _JOINTS if first.endswith(joint))
        before = next((form for half in befores for form in _known(half, known, words)), "")
        halves = frozenset(filter(None, (before, *_known(second, known, words))))
        best = max(best, (len(halves), sum(map(len, halves)), halves), key=lambda found: found[:2])
    return best[2]


def _known(half: str, known: Collection[str], words: Callable[[str], Sequence[str]]) -> list[str]:
    return [form for form in words(half)[:1] if form in known] if len(half) >= _PART else []


# How a keyboard without them writes letters that are no accented ones: a German types "Kuendigung" and "Strasse".
_LIGATURES = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue",
                            "æ": "ae", "œ": "oe", "ø": "o", "Œ": "Oe", "Æ": "Ae", "Ø": "O"})  # fmt: skip


@lru_cache(maxsize=50_000)  # every row of the knowledge is folded once, and a question several times
def folded(text: str) -> str:
    """Return a text as it is typed without accents: "Kündigung" as "Kuendigung", "délai" as "delai"."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFC", text).translate(_LIGATURES))
    return unicodedata.normalize("NFC", "".join(letter for letter in plain if not unicodedata.combining(letter)))
