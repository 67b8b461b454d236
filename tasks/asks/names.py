"""Names of provisions in a brief: where each stands, so that its own "and" and "or" part nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tasks.legaltext.fold import straight
from tasks.retrieval.provisions import Provision


class NamedProvision(NamedTuple):
    """A provision named in a text, ``[start, end)``."""

    start: int
    end: int
    provision: Provision


def level(text: str) -> str:
    """Straighten the marks of a text and keep its length, so that offsets stay those of the text."""
    return "".join(straight(c) or " " for c in text)


def provisions_named(text: str, known: Sequence[Provision]) -> list[NamedProvision]:
    """Return the provisions of the catalogue that a text names, in its order; of overlapping names the longest."""
    patterns = _patterns(tuple(known))
    found: list[NamedProvision] = []
    for word in _WORD.finditer(text):
        ordered, pattern = patterns.get(_key(word.group()), ((), None))
        match = pattern.match(text, word.start()) if pattern and (not found or found[-1].end <= word.start()) else None
        if match:
            found.append(NamedProvision(*match.span(), ordered[(match.lastindex or 1) - 1]))
    return found


_WORD = re.compile(r"(?<![\w-])\w+")


@lru_cache(maxsize=4)
def _patterns(known: tuple[Provision, ...]) -> dict[str, tuple[tuple[Provision, ...], re.Pattern[str]]]:
    """Return for each first word of a name the names that begin with it, the longest first."""
    names = {n.lower(): p for p in reversed(known) for n in reversed(p.names)}
    groups: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda n: (-len(n), n)):
        groups.setdefault(_key(name), []).append(name)
    return {
        key: (
            tuple(names[n] for n in group),
            re.compile(r"(?:" + "|".join(f"({_flexible(n)})" for n in group) + r")(?![\w-])", re.I),
        )
        for key, group in groups.items()
    }


def _key(name: str) -> str:
    """Return the first word of a name, in the singular and in one spelling."""
    first = re.match(r"\w*", name)
    return (first.group() if first else "").lower().replace("licence", "license").rstrip("s")


def _flexible(name: str) -> str:
    """Return a pattern of a name in either number, with hyphens or spaces, in either spelling."""
    words = [re.sub(r"licen\\?[sc]e", "licen[sc]e", re.escape(w)) for w in re.split(r"[\s-]+", name)]
    return r"[\s-]+".join(w + ("s?" if w[-1:].isalpha() else "") for w in words)
