"""What a question asks: its parts, what each wants to know, and the notions that it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tasks.asks.cues import BriefCues
from tasks.asks.records import Ask
from tasks.drafting.extractive.ways.notions import Keys, Notions, Word, Written
from tasks.legaltext.fold import straight

_ASIDE = 0.4  # what a notion of the other half of a question counts
_CONDITION = 0.75  # what a notion of a condition counts beside those of what is asked
_AROUND = (1.0, 0.5, 0.0)  # what the words around an ask count: it tells nothing itself, one notion, or more
_NARROWER = MappingProxyType({"person": "name", "money": "percent"})  # a wider kind of answer, and a narrower
_IF = re.compile(r"\b(?:if|once|unless|in case|in the event)\b", re.I)


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


@dataclass(frozen=True)
class Part:
    """One thing that a question wants to know.

    Attributes:
        wants: The kinds of answer that it wants.
        alone: Whether its own words tell what it is about.
    """

    words: str
    wants: tuple[str, ...]
    notions: tuple[Notion, ...]
    alone: bool = True


def question_of(ask: Ask, cues: BriefCues, notions: Notions, known: Callable[[Notion], bool]) -> tuple[Part, ...]:
    """Read an ask: its own words, and what they leave unsaid from the words around them ("What can Lucid do about it").

    Args:
        ask: The ask; its subject is its words with those around them.
        cues: How a brief asks.
        notions: How words are read.
        known: Tells the names of parties, which single out nothing.
    """
    parts = parts_of(ask.words, cues, notions)
    own = {n.words.lower() for p in parts for n in p.notions}
    telling = sum(not known(n) for n in {n.words: n for p in parts for n in p.notions}.values())
    share = _AROUND[min(telling, len(_AROUND) - 1)]
    around = [
        replace(n, share=n.share * share)
        for p in parts_of(ask.subject, cues, notions)
        for n in p.notions
        if n.words.lower() not in own
    ]
    if not share or not around:
        return parts
    bare = parts or (Part(ask.words, (), ()),)
    return tuple(replace(p, notions=tuple(_once([*p.notions, *around])), alone=telling > 0) for p in bare)


def parts_of(words: str, cues: BriefCues, notions: Notions) -> tuple[Part, ...]:
    """Read a question: "whom may she not poach and until when" has two parts; the second is about what the first is.

    Args:
        words: The question.
        cues: How a brief asks.
        notions: How words are read.
    """
    pieces = [p.strip(" ,;?.") for p in cues.halves.split(straight(words))]
    pieces = [p for p in pieces if p]
    own = [tuple(_weighed(p, cues, notions)) for p in pieces]
    made: list[Part] = []
    for at, piece in enumerate(pieces):
        aside = [
            replace(n, share=n.share * (_ASIDE if own[at] else 1.0))
            for other, found in enumerate(own)
            if other != at
            for n in found
        ]
        wants = tuple(kind for kind, pattern in cues.wants.items() if pattern.search(piece))
        wants = tuple(w for w in wants if _NARROWER.get(w, "") not in wants)
        if made and not own[at]:  # "…, and for how long?" asks more of the same
            before = made.pop()
            both = tuple(dict.fromkeys((*before.wants, *wants)))
            made.append(replace(before, words=f"{before.words} and {piece}", wants=both))
        else:
            made.append(Part(piece, wants, tuple(_once([*own[at], *aside]))))
    return tuple(made)


def _weighed(piece: str, cues: BriefCues, notions: Notions) -> Iterator[Notion]:
    """Yield the notions of a part; those of a condition behind what is asked count less."""
    condition = _IF.search(piece, 1)
    at = condition.start() if condition else len(piece)
    asked = list(_notions(notions.words(piece[:at]), cues, notions))
    yield from asked
    for notion in _notions(notions.words(piece[at:]), cues, notions):
        yield replace(notion, share=_CONDITION if asked else 1.0)


def _notions(words: Sequence[Word], cues: BriefCues, notions: Notions) -> Iterator[Notion]:
    """Yield the notions of a stretch: phrases that people say first, then the words that are left and mean something."""
    said = sorted(notions.written_for(words), key=lambda s: (-(s[1] - s[0]), s[0]))
    taken: dict[int, int] = {}
    phrases: dict[tuple[int, int], list[Written]] = {}
    for first, last, written in said:
        at = {taken.get(i) for i in range(first, last + 1)} - {None}
        if last > first and (not at or at == {first}):
            taken.update(dict.fromkeys(range(first, last + 1), first))
        if last == first and at:
            continue  # a word of a longer phrase
        phrases.setdefault((first, last), []).extend(written)
    for (first, last), written in sorted(phrases.items()):
        if last > first:
            raw = " ".join(w.raw for w in words[first : last + 1])
            yield Notion(raw, frozenset(), (*written, *_together(words[first : last + 1], cues)))
    for at, word in enumerate(words):
        if at in taken:
            continue
        written = phrases.get((at, at), [])
        if written or not cues.filler.fullmatch(word.raw):
            yield Notion(word.raw, word.keys, tuple(written), named=word.raw[:1].isupper() and at > 0)


def _together(words: Sequence[Word], cues: BriefCues) -> tuple[Written, ...]:
    """Return the words of a phrase as what papers may write themselves."""
    stems = tuple((w.raw.lower(), True) for w in words if not cues.filler.fullmatch(w.raw))
    return (Written(stems),) if stems else ()


def _once(found: Sequence[Notion]) -> Iterator[Notion]:
    seen: set[str] = set()
    for notion in found:
        key = notion.words.lower()
        if key not in seen:
            seen.add(key)
            yield notion
