"""Parties and law districts where a text names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from tasks.legaltext.names import FORM_WORDS, name_words, without_form
from tasks.sources.records import Entity

_CAPITAL = re.compile(r"(?<![\w-])[A-Z][^\W\d_]*")
_SHOUTED = 4  # letters of a word in capitals that may be a name: "US" and "IN" may be anything
_LONGEST = 60  # characters of the name of a district
_SHORTEST = 3  # letters of a form of a name: "LG" says too little by itself
_GENERIC = frozenset({"the", "first", "new", "united", "national", "general", "american", "global", "international"})


def forms_of(entity: Entity) -> tuple[str, ...]:
    """Return the forms in which texts name a party: its full name, the name without legal form, its roles."""
    bare = entity.name[: len(without_form(entity.name))].rstrip(" ,.")
    words = bare.split()
    first = words[0] if words and len(words) > 1 and len(words[0]) > _SHORTEST else ""
    telling = first if first.lower() not in _GENERIC and name_words(first) and first[:1].isupper() else ""
    found = (entity.name.rstrip(" ,"), bare, telling, *entity.aliases)
    return tuple(dict.fromkeys(f for f in found if len(f) >= _SHORTEST and f.lower() not in FORM_WORDS - {"company"}))


def find_forms(text: str, forms: Iterable[str]) -> list[tuple[int, int]]:
    """Return where a text names a party by any form of its name, with the longest form at each place.

    A form in capitals is met by the same words in any case that begins with a capital.
    """
    pattern = _pattern(tuple(forms))
    return [m.span() for m in pattern.finditer(text) if m[0][:1].isupper()]


@lru_cache(maxsize=512)
def _pattern(forms: Sequence[str]) -> re.Pattern[str]:
    ordered = sorted(forms, key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, f.split())) for f in ordered if f.split())
    return re.compile(rf"(?<![\w-])(?:{either or '(?!)'})(?![\w-])", re.I)


def laws_in(text: str, known: Mapping[str, str]) -> list[tuple[int, int, str]]:
    """Return the law districts that a text names, ``[start, end)`` and the usual name.

    Args:
        text: The text.
        known: The usual name of each district by each name that it may have.
    """
    starting = _districts(tuple(known))
    found, at = [], 0
    for word in _CAPITAL.finditer(text):
        if word.start() < at:
            continue
        pattern = starting.get(word[0])
        match = pattern.match(text, word.start()) if pattern else None
        if match is None and len(word[0]) >= _SHOUTED and word[0].isupper():
            pattern = starting.get(word[0].title())
            match = pattern.match(text[word.start() : word.start() + _LONGEST].title()) if pattern else None
        if match:
            start, end = word.start(), word.start() + match.end() - match.start()
            found.append((start, end, known[" ".join(match[0].split())]))
            at = end
    return found


@lru_cache(maxsize=4)
def _districts(names: Sequence[str]) -> Mapping[str, re.Pattern[str]]:
    """Return the pattern of the names that begin with a word, by that word: there are hundreds of names."""
    by_word: dict[str, list[str]] = {}
    for name in sorted(names, key=len, reverse=True):
        if first := _CAPITAL.match(name):
            by_word.setdefault(first[0], []).append(r"\s+".join(map(re.escape, name.split())))
    return {word: re.compile(rf"(?:{'|'.join(of)})(?![\w-])") for word, of in by_word.items()}
