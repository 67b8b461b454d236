"""Answers that rest on a sentence changed by an amendment: the amendment comes first, the old words are marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tasks.asks.records import Ask, AskAnswer, AskState, Entry, state_of
from tasks.drafting.extractive.differing.amending import Amended
from tasks.drafting.extractive.differing.kin import Role, deal_of
from tasks.drafting.extractive.quoting import place_of
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.kinds import FIGURES, Line, values
from tasks.drafting.extractive.ways.question import parts_of
from tasks.drafting.extractive.ways.stated import span_of
from tasks.legaltext.fold import quotable

_BEFORE = "Before the change: "
_NOTE = "It changes the sentence that is quoted behind it, which stood before."
_SEVERAL = 2  # sentences of which one may stand unchanged
_KINDS = ("money", "percent", "date")


def heeding_amendments(answers: Sequence[AskAnswer], room: Room) -> tuple[AskAnswer, ...]:
    """Return answers as the papers stand after their amendments.

    What is worked out of a changed sentence is to be verified; what quotes one is led by the amendment. An amendment
    is silent on most of its contract: that it has nothing of its own on an ask is no denial of the contract's clause.
    """
    asks = {a.ask_id: a for a in room.job.asks.asks}
    return tuple(_heeding(asks[got.ask_id], got, room) if got.ask_id in asks else got for got in answers)


def _heeding(ask: Ask, got: AskAnswer, room: Room) -> AskAnswer:
    entries = tuple(_spoken(ask, got.entries, room))
    made = tuple(new for e in entries for new in (*_led(ask, e, entries, room), *_struck_behind(ask, e, entries, room)))
    if made == got.entries:
        return got
    return got.model_copy(update={"entries": made, "state": state_of(made), "answer": "", "where": ""})


def _spoken(ask: Ask, entries: Sequence[Entry], room: Room) -> Iterator[Entry]:
    """Yield the entries, without those of amendments that say nothing where the amended contract does."""
    for entry in entries:
        deal = deal_of(entry.document, room.deals)
        silent = any(p.role is Role.CHANGE and p.reading.document == entry.document for p in deal)
        kin = {p.reading.document for p in deal} - {entry.document}
        told = any(e.document in kin and e.state is not AskState.NOT_ATTEMPTED for e in entries)
        if not (silent and told and entry.state is not AskState.ANSWERED and entry.document not in ask.documents):
            yield entry


def _led(ask: Ask, entry: Entry, entries: Sequence[Entry], room: Room) -> Iterator[Entry]:
    """Yield an entry with what amends its sentences before it."""
    shown = entry.support if entry.basis else entry.support[: max(1, entry.answer.count("“"))]
    found = [a for s in shown if (a := room.amended.get((s.document, s.start)))]
    if entry.state is not AskState.ANSWERED or not found or entry.answer.startswith(_BEFORE):
        yield entry
        return
    told = {(s.document, s.start) for e in entries for s in e.support}
    if entry.basis:  # worked out of several sentences: which of them still stands is for the reader
        more = dict.fromkeys(a.by for a in found if (a.by.document, a.by.start) not in told)
        if not more:
            yield entry
            return
        places = "; ".join(f"[{u.document}, {place_of(u)}]" for u in more)
        note = f"{entry.note} A sentence on which this rests was changed {places}.".strip()
        yield entry.model_copy(
            update={"certain": False, "note": note, "support": (*entry.support, *map(span_of, more))}
        )
        return
    new = [a for a in dict.fromkeys(found) if (a.by.document, a.by.start) not in told]
    if len(found) == len(new) == 1 and entry.answer.count("“") < _SEVERAL:
        made = _of(ask, entry, new[0], room)
        yield made.model_copy(update={"support": (*made.support, *entry.support), "note": _NOTE})
        return
    for one in new:
        yield _of(ask, entry, one, room)
    yield entry.model_copy(update={"answer": f"{_BEFORE}{entry.answer}"})


def _struck_behind(ask: Ask, entry: Entry, entries: Sequence[Entry], room: Room) -> Iterator[Entry]:
    """Yield the amendments that strike a sentence quoted after the answer, so that it does not read as in force."""
    told = {(s.document, s.start) for e in entries for s in e.support}
    for span in entry.support[max(1, entry.answer.count("“")) :] if entry.state is AskState.ANSWERED else ():
        one = room.amended.get((span.document, span.start))
        if one is not None and one.struck and (one.by.document, one.by.start) not in told:
            yield _of(ask, entry, one, room)


def _of(ask: Ask, entry: Entry, amended: Amended, room: Room) -> Entry:
    """Return the entry of the sentence that amends: led by the new value, where it is one of the kind that is asked."""
    lead = _value(ask, amended, room)
    sure = entry.certain and bool(lead)
    return Entry(
        document=amended.by.document,
        state=AskState.ANSWERED,
        answer=f"{lead}: “{quotable(amended.by.text)}”" if lead else f"“{quotable(amended.by.text)}”",
        support=(span_of(amended.by),),
        topic=entry.topic,
        certain=sure,
    )


def _value(ask: Ask, amended: Amended, room: Room) -> str:
    """Return the value now in force, if a figure is asked for and the change replaces one by another of its kind."""
    wants = {w for p in parts_of(ask.words, room.cues, room.notions) for w in p.wants}
    if not amended.new or not wants & FIGURES:
        return ""
    before, now = (_line(amended.by, words, room) for words in (amended.old, amended.new))
    readers: Sequence[Callable[[Line], list[str]]] = (*(partial(values, want=kind) for kind in _KINDS), _lengths)
    return next((read(now)[0] for read in readers if len(read(before)) == 1 == len(read(now))), "")


def _lengths(line: Line) -> list[str]:
    """Return the periods in some words, even without a start."""
    found = {(f.value, f.unit) for f in line.numbers if f.kind == "duration"}
    return [f"{n.normalize():f} {unit}{'' if n == 1 else 's'}" for n, unit in found]


def _line(unit: Unit, words: str, room: Room) -> Line:
    reading = next(r for r in room.readings if r.document == unit.document)
    said = room.notions.spoken(words)
    return Line(reading, replace(unit, text=words), said, said)
