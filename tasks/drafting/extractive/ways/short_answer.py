"""The answer to a question in one line: the operative words, and before them the value that is wanted, yes or no."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.quoting import own_words
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.kinds import Line, values
from tasks.drafting.extractive.ways.matching import asserted, is_turned
from tasks.drafting.extractive.ways.polarity import Stance, answer_to, pose_of, stance_of, turns
from tasks.drafting.extractive.ways.question import Part
from tasks.drafting.extractive.ways.weighing import Weighed

_ITEMS = 3  # items of a list within a sentence, from which the one that is asked for is shown alone
_OPENS, _FULL = 0.3, 0.002  # what the beginning of a sentence counts, and a word more of it
_GUARDED, _FEWEST, _LONGEST = 0.6, 2, 90  # share and notions of a question in a sentence that says yes or no; its words
_WITHOUT = re.compile(r"\bwithout\b", re.I)
_ITEM = re.compile(r"(?=\((?:[a-z]|[ivx]{1,4})\)\s)")
_BREAK = re.compile(
    r"(?<=[;:])\s+|(?<=,)\s+(?=(?:provided|except|and|or|but|which|in which|unless|if)\b)"
    r"|\s+(?=\((?:[a-z]{1,3}|\d{1,2}|[ivx]+)\)\s)|(?<=[.])\s+"
)
RULES = frozenset({"permission", "requirement", "prohibition"})
"""What is posed where a rule is asked for."""
Told = Sequence[tuple[Part, Weighed]]


def quoted(found: Weighed, part: Part, items: Sequence[Line], room: Room) -> str:
    """Return the operative words of a sentence with the items that it leads to, and of which paper if that is asked."""
    inner = " ".join([_operative(found.line, part, room), *(x.unit.text for x in items)])
    which = room.cues.which.search(part.words) and len(room.readings) > 1
    return f"{found.line.reading.identity.short}: “{inner}”" if which else f"“{inner}”"


def lead_of(ask: Ask, told: Told, room: Room) -> str:
    """Return what stands before the operative words: yes or no, or the one value of the kind that is wanted."""
    if ask.kind is AskKind.YES_NO:
        if any(w.own < _GUARDED or len(w.met) < _FEWEST or w.line.unit.words > _LONGEST for _, w in told):
            return ""
        if stance_of(told[0][0].words, room.cues) in (Stance.DENIES, Stance.FORBIDS):
            return ""  # yes or no to "does it not" may be read either way
        if any(_qualified(w, p, room) for p, w in told):
            return ""
        pose = pose_of(told[0][0].words, room.cues)
        if pose == "fact" and _WITHOUT.search(told[0][0].words):
            return ""  # so may be the one to "is it so without"
        if any(is_turned(p, _turn(w, p, room), room) for p, w in told):
            return "" if len(told) > 1 or pose in ("requirement", "prohibition") else "No: "
        said = answer_to(pose, [stance_of(asserted(_turn(w, p, room)), room.cues) for p, w in told])
        return f"{said}: " if said else ""
    if len(told) > 1:
        return ""
    part, found = told[0]
    only = next((v[0] for want in part.wants if len(v := values(found.line, want)) == 1), "")
    return f"{only}: " if only else ""


def lays_down(told: Told, room: Room) -> bool:
    """Tell whether a sentence carries a yes or no of its own, and tells no mere fact.

    It lays down the rule that is asked for, or a word of it forbids what is asked or turns it round ("nonexclusive").
    """
    part, found = told[0]
    clause = _turn(found, part, room)
    stance = stance_of(asserted(clause), room.cues)
    if stance is Stance.FORBIDS or is_turned(part, clause, room):
        return True
    return pose_of(part.words, room.cues) in RULES and stance not in (Stance.STATES, Stance.DENIES)


def _turn(found: Weighed, part: Part, room: Room) -> str:
    """Return the clause of a sentence that fits the question best."""
    return max(turns(found.line.unit.text), key=lambda c: _speaks(c, part, room), default=found.line.plain)


def _qualified(found: Weighed, part: Part, room: Room) -> bool:
    """Tell whether another clause of a sentence, such as an exception, speaks of what the one that answers does not."""
    chosen = _turn(found, part, room)
    here = room.notions.spoken(chosen)
    others = [room.notions.spoken(t) for t in turns(found.line.unit.text) if t != chosen]
    return any(n.met(o) and not n.met(here) for n in part.notions for o in others)


def _speaks(clause: str, part: Part, room: Room, *, figures: bool = False) -> float:
    """Return how much a clause speaks of what is asked; ``figures`` looks at its names and numbers alone."""
    spoken = room.notions.spoken(clause)
    telling = [n for n in part.notions if not figures or n.named or n.words[:1].isdigit()]
    return sum(room.lines.rarity(n) for n in telling if n.met(spoken))


def _operative(line: Line, part: Part, room: Room) -> str:
    """Return a sentence; of a list in it the item that is asked for, of a long one the clauses that are."""
    whole = " ".join(own_words(line.unit, line.reading.text)).strip()
    most = room.settings.quote_words
    items = _ITEM.split(whole)
    weights = [_speaks(item, part, room, figures=True) for item in items[1:]]
    if len(weights) >= _ITEMS and weights.count(max(weights)) == 1 and len(items[0].split()) <= most:
        at = weights.index(max(weights)) + 1
        end = "" if at == len(items) - 1 else " …"
        return f"{items[0].strip()} {'… ' if at > 1 else ''}{items[at].strip()}{end}".strip()
    if len(whole.split()) <= most:
        return whole
    parts = [p for p in _BREAK.split(whole) if p]
    return _around(parts, [_speaks(p, part, room) for p in parts], most)


def _around(parts: Sequence[str], weights: Sequence[float], most: int) -> str:
    """Return the clauses that speak most of what is asked, in one stretch of at most so many words."""
    best, chosen = -1.0, (0, 1)
    for first in range(len(parts)):
        size, weight = 0, _OPENS * (first == 0)
        for last in range(first, len(parts)):
            size += len(parts[last].split())
            weight += weights[last]
            if size > most and last > first:
                break
            if (value := weight + _FULL * min(size, most)) > best:
                best, chosen = value, (first, last + 1)
    said = " ".join(parts[chosen[0] : chosen[1]])
    return f"{'… ' if chosen[0] else ''}{said}{'' if chosen[1] == len(parts) else ' …'}"
