"""Names of provisions in a brief: where each stands, so that its own "and" and "or" part nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tasks.legaltext.fold import straight
from tasks.retrieval.provisions import Provision


class Named(NamedTuple):
    """A provision named in a text, ``[start, end)``."""

    start: int
    end: int
    provision: Provision


def level(text: str) -> str:
    """Straighten the marks of a text and keep its length, so that offsets stay those of the text."""
    return "".join(straight(c) or " " for c in text)


def provisions_named(text: str, known: Sequence[Provision]) -> list[Named]:
    """Return the provisions of the catalogue that a text names, in its order; of names that overlap the longest."""
    ordered, pattern = _pattern(tuple(known))
    return [Named(*m.span(), ordered[(m.lastindex or 1) - 1]) for m in pattern.finditer(text)] if ordered else []


@lru_cache(maxsize=4)
def _pattern(known: tuple[Provision, ...]) -> tuple[tuple[Provision, ...], re.Pattern[str]]:
    names = {n.lower(): p for p in reversed(known) for n in reversed(p.names)}
    ordered = sorted(names, key=lambda n: (-len(n), n))
    pattern = re.compile(r"(?<![\w-])(?:" + "|".join(f"({_flexible(n)})" for n in ordered) + r")(?![\w-])", re.I)
    return tuple(names[n] for n in ordered), pattern


def _flexible(name: str) -> str:
    """Return a pattern of a name in either number, with hyphens or spaces, in either spelling."""
    words = [re.sub(r"licen\\?[sc]e", "licen[sc]e", re.escape(w)) for w in re.split(r"[\s-]+", name)]
    return r"[\s-]+".join(w + ("s?" if w[-1:].isalpha() else "") for w in words)
