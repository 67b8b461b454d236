"""The inflections of a topic's words, its other names, what papers write for it, and the figure that answers it.

Read API over ``data/vocabulary``. It answers; it checks nothing but the form of the data.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

PACKAGED = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Plain:
    """Words of a question, and the stems of what papers write for them; words in one string go together.

    Attributes:
        thing: Whether any paper that has it calls it so; what is not met is then not there.
    """

    said: tuple[str, ...]
    written: tuple[str, ...]
    thing: bool = False


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The vocabulary of topics: one object of a process for one harness, which knows what it was read for.

    Attributes:
        families: Stems of one notion each; a stem that ends with ``$`` is a whole word.
        synonyms: Other words for the whole of a topic.
        answered_by: Words of topics by the kind of figure that answers them (money, ratio, percent, date, duration).
        stand_ins: Words of a topic that a figure of the right kind stands in for.
        plain: What people say, and what papers write for it.
    """

    families: tuple[tuple[str, ...], ...]
    synonyms: dict[str, tuple[str, ...]]
    answered_by: dict[str, frozenset[str]]
    stand_ins: frozenset[str]
    plain: tuple[Plain, ...] = ()


def belongs(word: str, family: tuple[str, ...]) -> bool:
    """Whether a word is of a family: begins with one of its stems, or is one of its whole words."""
    stems, whole = _parted(family)
    return word.startswith(stems) or word in whole


@lru_cache(4096)  # each word of a paper is held against every family
def _parted(family: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    stems = tuple(stem for stem in family if not stem.endswith("$"))
    return stems, frozenset(stem[:-1] for stem in family if stem.endswith("$"))


def in_one_form(text: str, families: tuple[tuple[str, ...], ...]) -> str:
    """Return a text in which each word of a family is the first word of that family: "notify" is "notification"."""
    first = _first_of(families)
    return re.sub(r"[^\W\d_]+", lambda match: first(match[0].lower()) or match[0], text)


@lru_cache(8)
def _first_of(families: tuple[tuple[str, ...], ...]) -> Callable[[str], str]:
    """Return what tells the first word of a word's family; the families are hashed once a text, not at each word."""
    having = families_of(families)

    @lru_cache(16_384)
    def first(word: str) -> str:
        return next((family[0] for family in having(word)), "")

    return first


@lru_cache(8)
def families_of(families: tuple[tuple[str, ...], ...]) -> Callable[[str], tuple[tuple[str, ...], ...]]:
    """Return what tells the families of a word, in their order; it looks the word's beginnings up, not each family."""
    beginning: dict[str, list[int]] = {}
    for number, family in enumerate(families):
        for word in family:
            beginning.setdefault(word, []).append(number)
    longest = max(map(len, beginning), default=0)

    def having(word: str) -> tuple[tuple[str, ...], ...]:
        starts = (word[:end] for end in range(1, min(len(word), longest) + 1))
        found = {n for start in (*starts, f"{word}$") for n in beginning.get(start, ())}
        return tuple(families[number] for number in sorted(found))

    return having


def load_vocabulary(folder: Path = PACKAGED) -> Vocabulary:
    """Return the vocabulary below ``folder``; an empty one where there is none.

    Raises:
        ValueError: A family that is no list of words; the message names it.
    """
    content = _read(folder / "vocabulary" / "families.toml")
    said = _read(folder / "vocabulary" / "plain_words.toml")
    families = content.get("families", [])
    for family in families:
        if not isinstance(family, list) or not all(isinstance(w, str) and w.strip("$") for w in family):
            raise ValueError(f"vocabulary: {family!r} is not a list of words")
    return Vocabulary(
        families=tuple(tuple(w.lower() for w in family) for family in families),
        synonyms={k.lower(): tuple(v) for k, v in content.get("synonyms", {}).items()},
        answered_by={k: frozenset(v) for k, v in content.get("answered_by", {}).items()},
        stand_ins=frozenset(content.get("stand_ins", {}).get("words", ())),
        plain=tuple(Plain(tuple(w["said"]), tuple(w["written"]), bool(w.get("thing"))) for w in said.get("word", ())),
    )


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
