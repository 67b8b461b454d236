"""What a short ask is about: the provisions of the catalogue that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tasks.asks.catalogue import Provision
from tasks.asks.cues import BriefCues
from tasks.legaltext.fold import straight

_MASK = "\x01{}\x02"
_TOKEN = re.compile("\x01(\\d+)\x02")


@dataclass(frozen=True)
class Topic:
    """A topic of a brief.

    Attributes:
        words: The topic as the brief calls it.
        provision: What the catalogue knows of it, or a provision made of its words.
    """

    words: str
    provision: Provision


def topic_of(words: str, known: Sequence[Provision], cues: BriefCues) -> Topic | None:
    """Return the provision of the catalogue that a short ask is about; None if it is about something else."""
    masked, hits = _masked(straight(words), known)
    item = _strip(masked, cues)
    token = _TOKEN.fullmatch(cues.trailing.sub("", item).strip(" .:'\"()-"))
    inner = list(_TOKEN.finditer(item))
    if token is None and len(inner) == 1 and re.search(r"\x02\W*$|^\W*\x01", item):
        token = inner[0] if cues.vague.fullmatch(_TOKEN.sub("", item).strip()) else None
    if token is None:
        return None
    name, provision = hits[int(token[1])]
    return Topic(_strip(name, cues), provision)


def topics_named(text: str, known: Sequence[Provision], cues: BriefCues) -> tuple[Topic, ...]:
    """Return the provisions of the catalogue that a stretch of text names, in its order."""
    _, hits = _masked(straight(text), known)
    topics = [Topic(_strip(words, cues), provision) for words, provision in hits]
    return tuple({t.provision.name: t for t in reversed(topics)}.values())[::-1]


def _masked(text: str, known: Sequence[Provision]) -> tuple[str, list[tuple[str, Provision]]]:
    """Replace the names of provisions, the longest first, so that their own "and" and "or" split nothing."""
    names = {n.lower(): p for p in reversed(known) for n in reversed(p.names)}
    hits: list[tuple[str, Provision]] = []
    ordered = tuple(sorted(names, key=lambda n: (-len(n), n)))
    pattern = _any_of(ordered)

    def mask(match: re.Match[str]) -> str:
        hits.append((match[0], names[ordered[(match.lastindex or 1) - 1]]))
        return _MASK.format(len(hits) - 1)

    return (pattern.sub(mask, text) if names else text), hits


@lru_cache(maxsize=64)  # a brief has dozens of sentences, and each is masked by the same names
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that matches any of the names, each in its own group."""
    return re.compile(r"(?<![\w-])(?:" + "|".join(f"({_flexible(n)})" for n in names) + r")(?![\w-])", re.I)


def _flexible(name: str) -> str:
    """Return a pattern that matches a name in singular or plural, with hyphens or spaces, in either spelling."""
    words = [re.sub(r"licen\\?[sc]e", "licen[sc]e", re.escape(w)) for w in re.split(r"[\s-]+", name)]
    return r"[\s-]+".join(w + ("s?" if w[-1:].isalpha() else "") for w in words)


def _strip(item: str, cues: BriefCues) -> str:
    item = item.strip(" \t\n.:;'\"-")
    while match := cues.leading.match(item):
        item = item[match.end() :]
    return item
