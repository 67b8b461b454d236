"""What a document is, by the cues of ``data/inference``: where they are looked for, and what they count there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge_db.records import InferenceRule

_HEAD = 2_000  # characters at which a document says what it is
_TITLE = 400  # characters of them that the title and the first words take
_LATE = 0.5  # what a cue counts behind them: there a document as often names another one
# What a cue of another practice area counts: less than one of the own, more than a late one. On 306 contracts of
# known types anything from 0.5 to 1 gives the same types but two.
_ELSEWHERE = 0.8


@dataclass(frozen=True)
class DocumentType:
    """A type that a document may be of.

    Attributes:
        name: The type in a lawyer's words.
        retrieve: Words to search the knowledge for.
    """

    name: str
    retrieve: tuple[str, ...]


@dataclass(frozen=True)
class _Hit:
    rule: InferenceRule
    words: str
    weight: float


_Cue = tuple[InferenceRule, re.Pattern[str]]


class DocumentCues:
    """The cues of one knowledge base, compiled: more patterns than the cache of ``re`` holds."""

    def __init__(self, rules: Iterable[InferenceRule]) -> None:
        compiled = [(rule, re.compile(rule.pattern, re.IGNORECASE)) for rule in rules]
        self._cues: list[_Cue] = [cue for cue in compiled if not cue[0].fallback]
        self._fallbacks: list[_Cue] = [cue for cue in compiled if cue[0].fallback]

    def types_of(self, filename: str, title: str, text: str, area: str) -> tuple[DocumentType, ...]:
        """Return what a document may be, best first.

        What it is called tells more than what it says, so its text is looked at where no cue fires in its name; a
        fallback counts where none fires at all.
        """
        names = (filename.replace("_", " "), title)
        hits = _in_names(self._cues, names) or _in_text(self._cues, text)
        if not hits:
            ours = [cue for cue in self._fallbacks if cue[0].area == "any" or same_area(cue[0].area, area)]
            hits = [*_in_names(ours, names), *_in_text(ours, text)]
        by_type: dict[str, list[_Hit]] = {}
        for hit in hits:
            by_type.setdefault(hit.rule.document_type, []).append(hit)
        ranked = sorted(by_type.items(), key=lambda item: _rank(item[0], item[1], area))
        return tuple(_told(name, own) for name, own in ranked)


def same_area(one: str, other: str) -> bool:
    """Tell whether two practice areas are one, more widely and more closely named: contracts, commercial-contracts."""
    words, others = set(one.split("-")), set(other.split("-"))
    return bool(one and other) and (words <= others or others <= words)


def _in_names(cues: Sequence[_Cue], names: Sequence[str]) -> list[_Hit]:
    return [
        _Hit(rule, match[0].strip(), rule.weight)
        for rule, pattern in cues
        if rule.where != "text" and (match := next(filter(None, map(pattern.search, names)), None))
    ]


def _in_text(cues: Sequence[_Cue], text: str) -> list[_Hit]:
    places = {"head": text[:_HEAD], "text": text}
    return [
        _Hit(rule, match[0].strip(), rule.weight * (_LATE if rule.where == "head" and match.start() > _TITLE else 1.0))
        for rule, pattern in cues
        if rule.where != "name" and (match := pattern.search(places[rule.where]))
    ]


def _score(hits: Sequence[_Hit], area: str) -> float:
    return sum(
        h.weight if h.rule.area == "any" or same_area(h.rule.area, area) else h.weight * _ELSEWHERE for h in hits
    )


def _rank(name: str, hits: Sequence[_Hit], area: str) -> tuple[float, int, str]:
    """Of two that count alike the longer words say more: a transition services agreement is no services agreement."""
    return -_score(hits, area), -max(len(h.words) for h in hits), name


def _told(name: str, hits: Sequence[_Hit]) -> DocumentType:
    return DocumentType(name, tuple(dict.fromkeys(word for hit in hits for word in hit.rule.retrieve)))
