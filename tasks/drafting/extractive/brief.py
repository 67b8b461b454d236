"""Read the brief: which topics it asks for, and which files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.drafting.extractive.catalogue import Provision, generic, normal
from tasks.matter.records import Matter

_ASK = re.compile(
    r"\b(?:for each\b[^,:;.]{0,60}[,:]|for (?:each|every|all)\b|give (?:me )?(?:the|its|their)?"
    r"|review\b[^.;]{0,80}?\bfor\b"
    r"|check\w*\b[^.;]{0,60}?\bfor\b|note (?:its|the|their)|notes? on|identify|state (?:its|the|their)"
    r"|report (?:on )?|extract|list"
    r"|summari[sz]e|set(?:ting)? out|cover(?:s|ing)?|address(?:es|ing)?|includ(?:e|es|ing)|compare"
    r"|following[^:.]{0,40}:"
    r"|tabulate|analy[sz]e|provisions? (?:on|for|about|concerning)|as to|regarding|concerning|what is the|:)",
    re.I,
)
_SEPARATOR = re.compile(r"\s*(?:[,;:()]|\n\s*(?:[-*•]|\d+[.)])|\n|\band\b|\bor\b|&|/)\s*", re.I)
_OUTPUT = re.compile(
    r"(?:^|\n)#*\s*(?:outputs?|deliverables?)\b\s*:?.*|\b(?:outputs?|deliverables?)\s*:\s.*", re.I | re.S
)
_LEADING = re.compile(r"^(?:the|its|their|any|all|each|every|a|an|applicable|relevant|key|for|of|on)\s+", re.I)
_TRAILING = re.compile(r"\s+(?:provisions?|clauses?|terms|language|covenants?|restrictions?|rights)$", re.I)
_MASK = "\x01{}\x02"
_TOKEN = re.compile("\x01(\\d+)\x02")


@dataclass(frozen=True)
class Topic:
    """A topic of the brief.

    Attributes:
        words: The topic as the brief calls it.
        provision: What the catalogue knows of it, or the generic provision made of its words.
    """

    words: str
    provision: Provision

    @property
    def heading(self) -> str:
        """Return the topic as a heading: the brief's words first, then the usual name when it differs."""
        usual = next((n for n in self.provision.names if _plain(n) != _plain(self.words)), "")
        known = self.provision.known and usual and _plain(self.words) not in _plain(usual)
        title = self.words[:1].upper() + self.words[1:]
        return f"{title} ({usual})" if known and len(usual) <= 40 else title


def topics(instructions: str, known: Sequence[Provision]) -> tuple[Topic, ...]:
    """Return the topics that a brief enumerates, in its order; empty when it enumerates none."""
    text = normal(_OUTPUT.sub("", instructions))
    masked, hits = _masked(text, known)
    found: list[tuple[int, Topic]] = []
    for start, segment in _segments(masked):
        items = list(_items(segment, hits))
        sure = sum(1 for _, _, exact in items if exact)
        dense = sure >= 2 and sure * 2 >= len(items)
        telling = any(exact and " " in t.words for _, t, exact in items)
        if dense or sure >= 4 or (sure and telling and _is_asked(masked, start)):
            found.extend((start + at, t) for at, t, exact in items if exact or dense)
    ordered: list[Topic] = []
    seen: set[str] = set()
    for _, topic in sorted(found, key=lambda pair: pair[0]):
        key = topic.provision.name
        if key not in seen:
            seen.add(key)
            ordered.append(topic)
    return tuple(ordered)


def title_of_request(matter: Matter) -> str:
    """Return the subject line of a work product."""
    return re.sub(r"\s+", " ", matter.title or matter.matter_id).strip()


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", name.lower()).strip()


def _masked(text: str, known: Sequence[Provision]) -> tuple[str, list[tuple[str, Provision]]]:
    """Replace the names of provisions, the longest first, so that their own "and" and "or" split nothing."""
    names = {n.lower(): p for p in reversed(known) for n in reversed(p.names)}
    hits: list[tuple[str, Provision]] = []
    ordered = sorted(names, key=lambda n: (-len(n), n))
    pattern = re.compile(r"(?<![\w-])(?:" + "|".join(f"({_flexible(n)})" for n in ordered) + r")(?![\w-])", re.I)

    def mask(match: re.Match[str]) -> str:
        hits.append((match[0], names[ordered[(match.lastindex or 1) - 1]]))
        return _MASK.format(len(hits) - 1)

    return (pattern.sub(mask, text) if names else text), hits


def _flexible(name: str) -> str:
    """Return a pattern of a name in either number, with hyphens or spaces, in either spelling."""
    words = [re.sub(r"licen\\?[sc]e", "licen[sc]e", re.escape(w)) for w in re.split(r"[\s-]+", name)]
    return r"[\s-]+".join(w + ("s?" if w[-1:].isalpha() else "") for w in words)


def _segments(masked: str) -> Iterator[tuple[int, str]]:
    """Yield stretches that may hold an enumeration: sentences, split where a new request begins."""
    for match in re.finditer(r"(?:[^.\n]|\.(?!\s|$)|\n(?=\s*(?:[-*•]|\d+[.)])))+", masked):
        start = match.start()
        cut = re.split(
            r"(,?\s+and\s+(?=(?:say|state|set|note|flag|explain|recommend|advise|identify)\b)"
            r"|,\s*(?=(?:note|flag|state|and note)\b))",
            match[0],
        )
        for piece in cut:
            yield start, piece
            start += len(piece)


def _is_asked(masked: str, start: int) -> bool:
    return bool(_ASK.search(masked[start : start + 120]) or _ASK.search(masked[max(0, start - 40) : start]))


def _items(segment: str, hits: Sequence[tuple[str, Provision]]) -> Iterator[tuple[int, Topic, bool]]:
    """Yield the items of an enumeration with their offsets, and whether each is surely a topic."""
    asks = [m.end() for m in _ASK.finditer(segment)]
    position = 0
    for raw in _split(segment):
        at = position + segment[position:].find(raw) if raw else position
        position = at + len(raw)
        item = raw
        for ask in asks:
            if at < ask <= at + len(raw):
                item = segment[ask : at + len(raw)]
        item = _strip(item)
        token = _TOKEN.fullmatch(_TRAILING.sub("", item).strip(" .:'\"()-"))
        if token:
            words, provision = hits[int(token[1])]
            yield at, Topic(_strip(words), provision), True
            continue
        inner = list(_TOKEN.finditer(item))
        if len(inner) == 1 and len(_TOKEN.sub("x", item).split()) <= 4 and re.search(r"\x02\W*$|^\W*\x01", item):
            words, provision = hits[int(inner[0][1])]
            yield at, Topic(_strip(words), provision), True
        elif not inner and _may_be_topic(item):
            yield at, Topic(item.lower() if item[:1].isupper() and not item.isupper() else item, generic(item)), False


def _split(segment: str) -> list[str]:
    return [s for s in _SEPARATOR.split(segment) if s and s.strip()]


def _strip(item: str) -> str:
    item = item.strip(" \t\n.:;'\"-")
    while match := _LEADING.match(item):
        item = item[match.end() :]
    return item


def _may_be_topic(item: str) -> bool:
    words = item.split()
    verbs = (
        r"\b(?:is|are|was|has|have|say|says|where|which|that|such|no|not|prepare|draft|review|our|we|you|please"
        r"|must|should|will|output|required|each|agreements?|contracts?|leases?|documents?|memorandum|client|these"
        r"|state|plainly|there|table|summary|report|every)\b"
    )
    return 0 < len(words) <= 5 and not re.search(verbs, item, re.I) and bool(re.search(r"[a-z]{4}", item, re.I))
