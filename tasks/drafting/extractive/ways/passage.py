"""Questions answered by the sentences of the documents that speak of what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry, state_of
from tasks.drafting.extractive.quoting import nearest_unit, place_of
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.absence import unspoken
from tasks.drafting.extractive.ways.certainty import exceptions, is_sure, is_turned_about
from tasks.drafting.extractive.ways.finding import PartFound, absent, asked_documents, find, wants_law
from tasks.drafting.extractive.ways.question import Part, question_of
from tasks.drafting.extractive.ways.reckoning import counted_days
from tasks.drafting.extractive.ways.scoring import WORKED_OUT
from tasks.drafting.extractive.ways.short_answer import Told, lays_down, lead_of, quoted
from tasks.drafting.extractive.ways.weighing import FEW, Weighed
from tasks.sources.records import Span

_AS_LIKELY = 0.5  # share of the best chance from which a sentence is quoted beside one that is stated
_LIKELY = 0.5  # chance from which one sentence is shown where a sum or day is to be worked out of several
_CLOSE = 3  # passages that a search gives for what is not answered
_LIST = 110  # words of the items that follow the sentence that leads to them
_TIMES = frozenset({"date", "day", "duration"})
_READ = "needs reading: no clause meets the words of the question"
_LAW = "needs the law or a conclusion: the papers only tell what somebody says or did"


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Answer a question out of the documents that it speaks of; None where its words tell nothing to look for.

    A sentence that speaks of too little of what is asked is shown to be verified, or the ask is left open. That
    nothing is there is said only of what papers call by known words, none of which stands in them.
    """
    documents = asked_documents(ask, room)
    parts = question_of(ask, room.cues, room.notions, room.lines.is_party)
    if all(room.lines.is_party(n) for p in parts for n in p.notions):
        return None
    groups = [[d] for d in documents] if ask.each else [documents]
    entries = tuple(e for group in groups for e in _entries(ask, parts, group, room))
    state = state_of(entries)
    told = [e for e in entries if e.state is state]
    line = told[0].answer or told[0].reason
    return AskAnswer(ask_id=ask.ask_id, state=state, answer=line, where=_where(told, room), entries=entries)


def _entries(ask: Ask, parts: Sequence[Part], documents: Sequence[str], room: Room) -> Iterator[Entry]:
    found = find(parts, ask, documents, room)
    least = max(room.settings.near_chance, _LIKELY) if ask.kind is AskKind.CALCULATION else room.settings.near_chance
    asks = room.cues.question.search(ask.words) is not None
    near = [f for f in found if f.best >= least and (asks or f.ranked[0].met)]  # likeness alone answers no order
    certain = len(near) == len(found) and all(is_sure(f, ask, documents, room) for f in near)
    law = wants_law(ask, near or found, documents, room)
    wide = documents if ask.each else [r.document for r in room.readings]
    missing = [] if certain or law or ask.kind in WORKED_OUT else absent(found, wide, room)
    unsaid = "" if certain or law or missing else unspoken(found[0], ask, documents, room)
    if near and not law and not missing and not unsaid:
        yield from _answered(ask, near, room, certain=certain)
        return
    entry = _open(ask, found, documents, room)
    if unsaid:
        update = {
            "state": AskState.NOT_FOUND,
            "answer": unsaid,
            "searched": (ask.words,),
            "reason": "",
            "certain": False,
        }
        yield entry.model_copy(update=update)
    elif missing:
        said = f"nothing was found on {', '.join(missing)}"
        searched = (ask.words, *missing)
        yield entry.model_copy(update={"state": AskState.NOT_FOUND, "answer": said, "searched": searched, "reason": ""})
    else:
        yield entry.model_copy(update={"reason": _LAW}) if law else entry


def _open(ask: Ask, found: Sequence[PartFound], documents: Sequence[str], room: Room) -> Entry:
    """Leave an ask open, with the nearest passages: of the weighing, and of a search by the words of the ask."""
    readings = {r.document: r for r in room.readings}
    near = [w.line.unit for f in found for w in f.ranked[:2] if not w.scrap]
    near += filter(
        None,
        (nearest_unit(readings[p.span.document], p.span, ask.words) for p in room.search(ask.words, _CLOSE, documents)),
    )
    spans = dict.fromkeys(_span(u) for u in near if u.words >= FEW)
    name = documents[0] if len(documents) == 1 else ""
    return Entry(document=name, state=AskState.NOT_ATTEMPTED, reason=_READ, nearest=tuple(spans)[:_CLOSE])


def _answered(ask: Ask, found: Sequence[PartFound], room: Room, *, certain: bool) -> Iterator[Entry]:
    """Yield an entry for each document in which sentences answer."""
    chosen: dict[str, dict[tuple[str, int], tuple[Part, Weighed]]] = {}
    for f in found:
        for w in _best(f, ask, room, certain=certain):
            chosen.setdefault(w.line.reading.document, {}).setdefault(w.line.place, (f.part, w))
    needed = {w.line.place: (f.part, w) for f in found for w in f.shown if not certain and w not in f.rivals}
    timed = is_timed(ask, [f.part for f in found])
    best = {f.ranked[0].line.reading.document for f in found}
    led = not any(is_turned_about(f, ask, room) for f in found)
    for document, by_place in chosen.items():
        told = list(by_place.values())
        if len(found) == 1:
            told.sort(key=lambda t: -_headed(t[0], t[1], room))
        sure = certain and document in best  # what is sure of one sentence is not so of one in another paper
        beside = [t for at, t in needed.items() if at[0] == document and at not in by_place and not t[1].scrap]
        yield entry_of(document, ask, told, room, certain=sure, timed=timed, led=led, beside=beside)


def _headed(part: Part, found: Weighed, room: Room) -> float:
    """Return how well the heading of a sentence fits the question: a clause called "Cap" answers about a cap."""
    return sum(room.lines.rarity(n) for n in part.notions if n.met(found.line.head))


def entry_of(
    document: str, ask: Ask, told: Told, room: Room, *, certain: bool, timed: bool, led: bool, beside: Told = ()
) -> Entry:
    """Return the answer that sentences of a document give.

    Args:
        document: Name of the document.
        ask: What is asked.
        told: The sentences with the parts of the question that they answer, the one to lead with first.
        room: The work on the matter.
        certain: Whether it is stated.
        timed: Whether the days are told to which the sentences count.
        led: Whether yes or no, or the one value that is wanted, stands before the words.
        beside: Sentences that may be needed beside these; what leads is read in these alone.
    """
    polar = ask.kind is AskKind.YES_NO  # a yes that may be wrong tells a reader less than the sentence does
    lead = lead_of(ask, told, room) if led and (certain or not polar or lays_down(told, room)) else ""
    days = [d for _, w in told for d in counted_days(w.line, room)] if timed else []
    told = [*told, *beside]
    lists = [room.lines.items_after(w.line, _LIST) for _, w in told]
    said = " ".join(quoted(w, p, items, room) for (p, w), items in zip(told, lists, strict=True))
    units = [x.unit for (_, w), items in zip(told, lists, strict=True) for x in (w.line, *items)]
    return Entry(
        document=document,
        state=AskState.ANSWERED,
        answer="".join([lead, said, *(f" [{day}]" for day, _ in days)]),
        support=tuple(dict.fromkeys(_span(u) for u in (*units, *(u for _, u in days)))),
        certain=certain,
    )


def is_timed(ask: Ask, parts: Sequence[Part]) -> bool:
    """Tell whether days or periods are asked for."""
    return ask.kind in WORKED_OUT or any(_TIMES & set(p.wants) for p in parts)


def _best(found: PartFound, ask: Ask, room: Room, *, certain: bool) -> Iterator[Weighed]:
    """Yield the sentences that answer a part: the likeliest, and others that are needed beside it.

    Where it is certain, those about as likely that say more, or stand in another paper; where it is not, those that
    may be the answer in its place.
    """
    top = found.ranked[0]
    yield top
    if not certain:
        more_of = exceptions(found, room)
        yield from more_of
        yield from (w for w in found.rivals[1:] if w not in more_of)
    met = set(top.met)
    for w in found.ranked[1 : 1 + room.settings.passages_per_topic] if certain else ():
        more = bool(set(w.met) - met) or w.line.reading is not top.line.reading or ask.kind is not AskKind.FACT
        if more and w.chance >= _AS_LIKELY * top.chance and w.holds >= top.holds:
            met |= set(w.met)
            yield w


def _span(unit: Unit) -> Span:
    return Span(document=unit.document, start=unit.pieces[0][0], end=unit.pieces[-1][1])


def _where(told: Sequence[Entry], room: Room) -> str:
    if len(told) != 1 or not told[0].support:
        return "see the answers"
    place = (told[0].document, told[0].support[0].start)
    unit = next(x.unit for x in room.lines.lines if x.place == place)
    return f"[{told[0].document}, {place_of(unit)}]"
