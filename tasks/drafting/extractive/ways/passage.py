"""Questions answered by the sentences of the documents that speak of what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry, state_of
from tasks.drafting.extractive.quoting import place_of
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.polarity import Stance, answer_to, pose_of, stance_of, turns
from tasks.drafting.extractive.ways.question import Notion, Part, parts_of
from tasks.drafting.extractive.ways.saying import value_of, words_of
from tasks.drafting.extractive.ways.weighing import Weighed
from tasks.sources.records import Span

_SURE, _NEAR = 0.62, 0.5  # scores at which a sentence answers, and is shown to be verified
_OWN = 0.45  # share of the question that stands in the sentence itself
_BESIDE = 0.85
_MOST = 3
_ANSWERS, _GUARDED = ("permission", "requirement", "prohibition"), 0.6
_FEWEST, _LONGEST = 2, 90  # notions that a sentence must speak of, and its words, for it to say yes or no
_UNSEEN = 0.2  # share of a question for a figure that no paper speaks of, and the figure found is not sure
_READ = "needs reading: the words of the question are not met by one clause"
_LAW = "needs the law or a conclusion: the papers only tell what somebody says of it"


@dataclass(frozen=True)
class _Got:
    """What was found for a part of a question."""

    part: Part
    ranked: Sequence[Weighed]

    @property
    def best(self) -> float:
        return self.ranked[0].score if self.ranked else 0.0

    def sure(self, room: Room) -> bool:
        """Tell whether the best sentence answers."""
        lines = room.lines
        all_of = sum(lines.rarity(n) for n in self.part.notions)
        unseen = sum(lines.rarity(n) for n in self.part.notions if not lines.seen(n))
        figure = set(self.part.wants) & {"money", "percent", "number", "date"}
        return self.best >= _SURE and self.ranked[0].own >= _OWN and not (figure and unseen > _UNSEEN * all_of)


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Answer a question out of the documents that it speaks of; leave it open where no sentence answers it."""
    documents = [r.document for r in room.readings if not ask.documents or r.document in ask.documents]
    parts = parts_of(ask.subject, room.cues, room.notions)
    if all(room.lines.is_party(n) for p in parts for n in p.notions):
        return None
    groups = [[d] for d in documents] if ask.each else [documents]
    entries = tuple(e for group in groups for e in _entries(ask, parts, group, room))
    state = state_of(entries)
    told = [e for e in entries if e.state is state] or entries
    line = told[0].answer or told[0].reason
    return AskAnswer(ask_id=ask.ask_id, state=state, answer=line, where=_where(told, room), entries=entries)


def _entries(ask: Ask, parts: Sequence[Part], documents: Sequence[str], room: Room) -> Iterator[Entry]:
    room.search(ask.subject, 5, documents)
    got = [_Got(p, room.lines.ranked(p, documents, room.topics.asked(p.words))) for p in parts]
    name = documents[0] if len(documents) == 1 else ""
    nearest = tuple(dict.fromkeys(_span(w) for g in got for w in g.ranked[:2]))
    near = [g for g in got if g.best >= _NEAR]
    if near and near[0] is got[0]:
        if ask.kind is AskKind.YES_NO and _only_told(near, room):
            yield Entry(document=name, state=AskState.NOT_ATTEMPTED, reason=_LAW, nearest=nearest)
            return
        yield from _answered(ask, near, room, certain=all(g.sure(room) for g in near) and len(near) == len(got))
        return
    absent = _absent(parts, documents if ask.each else [r.document for r in room.readings], room)
    if absent and not near:
        said = f"nothing was found on {', '.join(absent)}"
        yield Entry(
            document=name, state=AskState.NOT_FOUND, answer=said, searched=(ask.subject, *absent), nearest=nearest
        )
        return
    yield Entry(document=name, state=AskState.NOT_ATTEMPTED, reason=_READ, nearest=nearest)


def _absent(parts: Sequence[Part], documents: Sequence[str], room: Room) -> list[str]:
    """Return what the documents do not speak of, where it is known what papers would write for it."""
    notions = {n.words: n for p in parts for n in p.notions}
    unseen = [n for n in notions.values() if not _seen(n, documents, room)]
    things = [n.words for n in unseen if any(w.thing for w in n.written)]
    return things or ([n.words for n in unseen] if len(unseen) == len(notions) else [])


def _seen(notion: Notion, documents: Sequence[str], room: Room) -> bool:
    return any(
        notion.keys & x.keys or any(w.met(x.raws) for w in notion.written)
        for x in room.lines.lines
        if x.reading.document in documents
    )


def _only_told(got: Sequence[_Got], room: Room) -> bool:
    """Tell whether a question what may or must be done meets only what somebody says of it."""
    return any(
        not g.ranked[0].line.reading.identity.agreement
        and (
            bool(room.cues.reported.search(g.ranked[0].line.plain))
            or pose_of(g.part.words, room.cues) in _ANSWERS
            and stance_of(g.ranked[0].line.plain, room.cues) in (Stance.STATES, Stance.DENIES)
        )
        for g in got
    )


def _answered(ask: Ask, got: Sequence[_Got], room: Room, *, certain: bool) -> Iterator[Entry]:
    chosen: dict[str, dict[tuple[str, int], tuple[_Got, Weighed]]] = {}
    for g in got:
        for w in _best(g, ask):
            chosen.setdefault(w.line.reading.document, {}).setdefault(w.line.place, (g, w))
    for document, found in chosen.items():
        told = list(found.values())
        said = [f"“{words_of(w, g.part, room.notions)}”" for g, w in told]
        lead = _lead(ask, told, room) if certain else ""
        yield Entry(
            document=document, state=AskState.ANSWERED, answer=f"{lead}{' '.join(said)}",
            support=tuple(_span(w) for _, w in told), certain=certain,
        )  # fmt: skip


def _best(got: _Got, ask: Ask) -> Iterator[Weighed]:
    """Yield the sentences that answer a part: the best, and others as good that say more or stand in another paper."""
    top = got.ranked[0]
    yield top
    met = set(top.met)
    for w in got.ranked[1:_MOST]:
        beside = w.score >= max(_BESIDE * top.score, _SURE) and w.holds >= top.holds
        more = set(w.met) - met or w.line.reading is not top.line.reading or ask.kind is not AskKind.FACT
        if beside and more:
            met |= set(w.met)
            yield w


def _lead(ask: Ask, told: Sequence[tuple[_Got, Weighed]], room: Room) -> str:
    if ask.kind is AskKind.YES_NO:
        if any(w.own < _GUARDED or len(w.met) < _FEWEST or w.line.unit.words > _LONGEST for _, w in told):
            return ""
        stances: list[Stance] = [stance_of(_turn(w, g.part, room), room.cues) for g, w in told]
        said = answer_to(pose_of(told[0][0].part.words, room.cues), stances)
        return f"{said}: " if said else ""
    if len(told) > 1:
        return ""
    value = value_of(told[0][1].line, told[0][0].part.wants)
    return f"{value}: " if value else ""


def _turn(found: Weighed, part: Part, room: Room) -> str:
    """Return the clause of a sentence that speaks most of what is asked."""
    weights = {n.words: room.lines.rarity(n) for n in part.notions}

    def weight(clause: str) -> float:
        words = room.notions.words(clause)
        keys = frozenset(k for w in words for k in w.keys)
        raws = frozenset(w.raw.lower() for w in words)
        return sum(weights[n.words] for n in part.notions if n.keys & keys or any(x.met(raws) for x in n.written))

    clauses = turns(found.line.unit.text)
    return max(clauses, key=weight) if clauses else found.line.plain


def _span(found: Weighed) -> Span:
    pieces = found.line.unit.pieces
    return Span(document=found.line.reading.document, start=pieces[0][0], end=pieces[-1][1])


def _where(told: Sequence[Entry], room: Room) -> str:
    first = next((e for e in told if e.support), None)
    if first is None or len(told) > 1:
        return "see the answers"
    place = (first.document, first.support[0].start)
    unit = next(x.unit for x in room.lines.lines if x.place == place)
    return f"[{first.document}, {place_of(unit)}]"
