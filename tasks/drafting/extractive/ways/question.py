"""What a question asks: its parts, what each wants to know, and the notions that it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tasks.asks.cues import BriefCues
from tasks.asks.records import Ask
from tasks.drafting.extractive.ways.notions import Notion, Notions, NotionWord, Written
from tasks.legaltext.fold import straight

ITS_OWN = 0.7  # what a notion counts at least that stands in the part itself, and not around it
_ASIDE = 0.4  # what a notion of the other half of a question counts
_CONDITION = 0.75  # what a notion of a condition counts beside those of what is asked
_AROUND = (1.0, 0.5, 0.0)  # what the words around an ask count: it tells nothing itself, one notion, or more
_NARROWER = MappingProxyType({"person": "name", "money": "percent"})  # a wider kind of answer, and a narrower
_IF = re.compile(r"\b(?:if|once|unless|in case|in the event)\b", re.I)


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
    """Read an ask: its own words, and those around them for what they leave unsaid ("What can Lucid do about it").

    Args:
        ask: The ask; its subject is its words with those around them.
        cues: How a brief asks.
        notions: How words are read.
        known: Tells the names of parties, which single out nothing.
    """
    parts = parts_of(ask.words, cues, notions)
    own = {n.words.lower(): n for p in parts for n in p.notions}
    telling = sum(not known(n) for n in own.values())
    share = _AROUND[min(telling, len(_AROUND) - 1)]
    said = (n for p in parts_of(ask.subject, cues, notions) for n in p.notions if n.words.lower() not in own)
    around = [replace(n, share=n.share * share) for n in said if share]
    if not around:
        return parts
    bare = parts or (Part(ask.words, (), ()),)
    return tuple(replace(p, notions=_once([*p.notions, *around]), alone=telling > 0) for p in bare)


def parts_of(words: str, cues: BriefCues, notions: Notions) -> tuple[Part, ...]:
    """Read a question: "what does it cost and who pays" has two parts; each is about what the other is, too.

    Args:
        words: The question.
        cues: How a brief asks.
        notions: How words are read.
    """
    pieces = [p for piece in cues.halves.split(straight(words)) if (p := piece.strip(" ,;?."))]
    own = [tuple(_with_condition(p, cues, notions)) for p in pieces]
    made: list[Part] = []
    for at, piece in enumerate(pieces):
        aside = [replace(n, share=n.share * _ASIDE) for other, ns in enumerate(own) if other != at for n in ns]
        wants = _wants(piece, cues)
        if made and not own[at]:  # "…, and for how long?" asks more of the same
            before = made.pop()
            both = tuple(dict.fromkeys((*before.wants, *wants)))
            made.append(replace(before, words=f"{before.words} and {piece}", wants=both))
        elif own[at]:
            made.append(Part(piece, wants, _once([*own[at], *aside])))
    return tuple(made)


def _wants(piece: str, cues: BriefCues) -> tuple[str, ...]:
    found = [kind for kind, pattern in cues.wants.items() if pattern.search(piece)]
    return tuple(kind for kind in found if _NARROWER.get(kind, "") not in found)


def _with_condition(piece: str, cues: BriefCues, notions: Notions) -> Iterator[Notion]:
    """Yield the notions of a part; those of a condition behind what is asked count less."""
    condition = _IF.search(piece, 1)
    at = condition.start() if condition else len(piece)
    asked = list(_notions(notions.words(piece[:at]), cues, notions))
    yield from asked
    for notion in _notions(notions.words(piece[at:]), cues, notions):
        yield replace(notion, share=_CONDITION if asked else 1.0)


def _notions(words: Sequence[NotionWord], cues: BriefCues, notions: Notions) -> Iterator[Notion]:
    """Yield the notions of a stretch: phrases that people say, then the words left over that mean something."""
    single: dict[int, list[Written]] = {}
    taken: set[int] = set()
    for (first, last), written in _sayings(words, notions).items():
        if first == last:
            single[first] = written
        elif not taken & set(range(first, last + 1)):
            taken |= set(range(first, last + 1))
            inside = words[first : last + 1]
            yield Notion(" ".join(w.raw for w in inside), frozenset(), (*written, *_themselves(inside, cues)))
    for at, word in enumerate(words):
        if at not in taken and (at in single or not cues.filler.fullmatch(word.raw)):
            named = at > 0 and word.raw[:1].isupper()
            yield Notion(word.raw, word.keys, tuple(single.get(at, ())), named=named)


def _sayings(words: Sequence[NotionWord], notions: Notions) -> dict[tuple[int, int], list[Written]]:
    """Return the stretches that people say, the longest first, with what papers write for each."""
    found: dict[tuple[int, int], list[Written]] = {}
    for first, last, written in notions.written_for(words):
        found.setdefault((first, last), []).extend(written)
    return dict(sorted(found.items(), key=lambda item: (item[0][0] - item[0][1], item[0])))


def _themselves(words: Iterable[NotionWord], cues: BriefCues) -> tuple[Written, ...]:
    """Return the telling words of a phrase as what papers may write, too."""
    stems = tuple((w.raw.lower(), True) for w in words if not cues.filler.fullmatch(w.raw))
    return (Written(stems),) if stems else ()


def _once(found: Iterable[Notion]) -> tuple[Notion, ...]:
    """Return each notion once, with its highest weight."""
    made: dict[str, Notion] = {}
    for notion in found:
        held = made.get(notion.words.lower())
        if held is None or held.share < notion.share:
            made[notion.words.lower()] = notion
    return tuple(made.values())
