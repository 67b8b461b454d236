"""What the papers say nothing of: nothing in them is like the thing that is asked for, or no value of it is stated.

Such a denial is earned by looking, and is still shown "to be verified": the passages that came nearest stand beside it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from types import MappingProxyType

from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.finding import PartFound
from tasks.drafting.extractive.ways.focus import focus_of
from tasks.drafting.extractive.ways.kinds import values
from tasks.drafting.extractive.ways.question import parts_of
from tasks.drafting.extractive.ways.weighing import Weighed

# How a value is called of which none is stated.
_CALLED: Mapping[str, str] = MappingProxyType(
    {"money": "amount", "percent": "percentage", "rate": "rate", "duration": "period", "date": "date", "day": "day",
     "number": "number"}
)  # fmt: skip
_STATED = frozenset({AskKind.FACT, AskKind.LIST, AskKind.CALCULATION})


def unspoken(found: PartFound, ask: Ask, documents: Collection[str], room: Room) -> str:
    """Return what the papers lack; empty if they may say it."""
    thing = unknown_thing(ask, documents, room)
    return f"nothing was found on “{thing}”" if thing else _without_value(found, ask, room)


def unknown_thing(ask: Ask, documents: Collection[str], room: Room) -> str:
    """Return the thing asked for, if neither its words nor words of like meaning stand in the papers."""
    thing = focus_of(ask.words)
    words = [w for w in thing.words if not room.cues.filler.fullmatch(w)]
    words = [w for w in words if not room.cues.wants["date"].search(w)]  # "deadlines" are no thing that papers hold
    notions = {n.words.lower(): n for p in parts_of(" ".join(words), room.cues, room.notions) for n in p.notions}
    if not notions or any(room.lines.is_party(n) or room.lines.hints_at(n, documents) for n in notions.values()):
        return ""
    near = max(room.lines.likest(w, documents) for w in words)
    return thing.called if near < room.settings.unlike else ""


def _without_value(found: PartFound, ask: Ask, room: Room) -> str:
    """Say that no value is stated, if the sentences about the thing hold none of the wanted kind."""
    wanted = [w for w in found.part.wants if w in _CALLED]
    if len(wanted) != 1 or len(found.part.wants) != 1 or ask.kind not in _STATED or not found.ranked:
        return ""
    share = "rate" if wanted == ["money"] else wanted[0]  # "a fee of 2 % of the principal" says how much, too
    weighed = [(_whatever_it_holds(w, room), w) for w in found.ranked]
    holding = sum(odds for odds, w in weighed if w.holds == 1.0 or values(w.line, share))
    speaks = found.best >= room.settings.near_chance
    return (
        f"no {_CALLED[wanted[0]]} is stated in the passages that speak of it"
        if speaks and holding < room.settings.valueless * sum(odds for odds, _ in weighed)
        else ""
    )


def _whatever_it_holds(found: Weighed, room: Room) -> float:
    """Return the odds of a sentence, regardless of the values in it."""
    weights = room.knowledge.answers.sentence
    return math.exp(found.logit - (weights.figure if found.holds == 1.0 else weights.no_figure))
