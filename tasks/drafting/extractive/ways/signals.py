"""Signals that a sentence answers a question: what it speaks of, what it means and holds, who acts in it, its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.focus import focus_of
from tasks.drafting.extractive.ways.kinds import FIGURES
from tasks.drafting.extractive.ways.matching import another_acts, tells_a_rule
from tasks.drafting.extractive.ways.notions import NotionWord
from tasks.drafting.extractive.ways.polarity import answer_to, pose_of, stance_of
from tasks.drafting.extractive.ways.question import Part
from tasks.drafting.extractive.ways.weighing import FEW, Weighed, carries
from tasks.retrieval.posed import PosedQuestions
from tasks.retrieval.provisions import Provision
from tasks.retrieval.records import Passage

_DEEP = 8  # passages of a search within which a sentence stands or does not
_NO_THING = 0.5  # what it counts that a question names no thing


@dataclass(frozen=True)
class SoughtPart:
    """A part of a question with what is looked for once for all sentences.

    Attributes:
        known: The provisions of the catalogue that it asks for by their names.
        kind: The kind of clause that it is most like in how it is put, none where it is like none.
        likeness: How like, 0 to 1.
        thing: The words of the thing that it is after.
        passages: What the search of the index finds for it, best first.
    """

    part: Part
    ask: Ask
    known: Sequence[Provision]
    kind: Provision | None
    likeness: float
    thing: Sequence[NotionWord]
    passages: Sequence[Passage]


def sought(
    part: Part,
    ask: Ask,
    known: Sequence[Provision],
    documents: Sequence[str],
    room: Room,
    posed: PosedQuestions | None = None,
) -> SoughtPart:
    """Look for what a part of a question is after; ``posed`` reads it in the place of the room's example questions."""
    read = (posed or room.posed).read(part.words)
    return SoughtPart(
        part,
        ask,
        known,
        kind=read.provision if read else None,
        likeness=min(max(read.likeness, 0.0), 1.0) if read else 0.0,
        thing=room.notions.words(" ".join(focus_of(part.words).words)),
        passages=room.search(part.words, _DEEP, list(documents)),
    )


def plain_signals(of: SoughtPart, found: Weighed) -> Mapping[str, float]:
    """Return the signals that cost little; each is named as its weight is."""
    part, line = of.part, found.line
    figures = bool(FIGURES & set(part.wants))
    whole = found.holds == 1.0
    document = line.reading.document
    return {
        "cover": found.cover,
        "headed": found.headed,
        "context": found.context,
        "paper": found.paper,
        "meant": found.meant,
        "alike": found.alike,
        "met": float(len(found.met)),
        "figure": float(figures and whole),
        "no_figure": float(figures and not whole),
        "no_value": float(bool(part.wants) and not figures and not whole),
        "scrap": float(found.scrap),
        "short": float(line.unit.words < FEW),
        "agreement": float(line.reading.identity.agreement),
        "another_paper": float(bool(of.ask.documents) and document not in of.ask.documents),
        "found": _found(of, found),
    }


def close_signals(of: SoughtPart, found: Weighed, room: Room) -> Mapping[str, float]:
    """Return the signals for which a sentence is read closely."""
    part, line = of.part, found.line
    keys = line.said.keys | line.head.keys
    thing = sum(bool(w.keys & keys) for w in of.thing) / len(of.thing) if of.thing else _NO_THING
    kind = carries([of.kind], line) if of.kind else 0.0
    return {
        "thing": thing,
        "kind": of.likeness * kind,
        "another_kind": of.likeness * (1.0 - kind),
        "uncarried": float(bool(of.known) and carries(of.known, line) < 1.0),
        "rule": float(tells_a_rule(part, found)),
        "another_acts": float(another_acts(part, found, room)),
        "no_stance": float(of.ask.kind is AskKind.YES_NO and not stands_to(part, found, room)),
    }


def stands_to(part: Part, found: Weighed, room: Room) -> str:
    """Return what a sentence answers to a yes-or-no question by what it provides; nothing where it leaves it open."""
    return answer_to(pose_of(part.words, room.cues), [stance_of(found.line.plain, room.cues)])


def _found(of: SoughtPart, found: Weighed) -> float:
    """Return how high the search puts the passage in which a sentence stands: 1 first, 1/2 second.

    A search that finds nothing says nothing against a sentence.
    """
    if not of.passages:
        return 1.0
    unit, document = found.line.unit, found.line.reading.document
    last = unit.pieces[-1][1]
    spans = (p.span for p in of.passages)
    at = (n for n, s in enumerate(spans, 1) if s.document == document and s.start < last and unit.start < s.end)
    return 1.0 / next(at, float("inf"))
