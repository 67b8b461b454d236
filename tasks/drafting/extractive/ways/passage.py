"""Questions answered by the sentences of the documents that speak of what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry, state_of
from tasks.drafting.extractive.quoting import place_of
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.polarity import Stance, answer_to, pose_of, stance_of, turns
from tasks.drafting.extractive.ways.question import Part, question_of
from tasks.drafting.extractive.ways.reckoning import counted_days
from tasks.drafting.extractive.ways.saying import value_of, words_of
from tasks.drafting.extractive.ways.weighing import Line, Weighed
from tasks.retrieval.provisions import Provision, weigh
from tasks.sources.records import Span

_SURE, _NEAR = 0.62, 0.4  # scores at which a sentence answers, and is shown to be verified
_OWN, _OWN_FACT = 0.45, 0.68  # share of the question that stands in the sentence itself
_BESIDE, _AS_GOOD = 0.85, 0.95  # share of the best score from which a sentence is quoted beside, if it says more
_MOST = 3
_ANSWERS, _GUARDED = ("permission", "requirement", "prohibition"), 0.6
_FAR, _NOTHING = 0.45, 0.1  # scores below which no sentence comes near a question, and none speaks of it
_MAINLY = 0.4  # share of a question from which it is mostly about a thing
_LIST = 110  # words of the items that follow the sentence that leads to them
_TIMES = frozenset({"date", "duration"})
_ITS_OWN = 0.7  # what a notion counts at least that stands in the question itself
_RARE = 4  # sentences that speak of the one notion of a question, for one of them to be sure
_FEWEST, _LONGEST = 2, 90  # notions that a sentence must speak of, and its words, for it to say yes or no
_UNSEEN = 0.2  # share of a question for a figure that no paper speaks of, and the figure found is not sure
_READ = "needs reading: the words of the question are not met by one clause"
_LAW = "needs the law or a conclusion: the papers only tell what somebody says of it"


@dataclass(frozen=True)
class _Got:
    """What was found for a part of a question."""

    part: Part
    known: Sequence[Provision]
    ranked: Sequence[Weighed]

    @property
    def best(self) -> float:
        return self.ranked[0].score if self.ranked else 0.0

    def sure(self, room: Room, own: float) -> bool:
        """Tell whether the best sentence answers, and speaks itself of so much of what is asked."""
        top, lines = self.ranked[0], room.lines
        near = top.score >= _SURE and top.own >= own and self.part.alone
        named = all(lines.is_party(n) for n in self.part.notions if n.share == 1.0)
        unseen = sum(lines.rarity(n) for n in self.part.notions if not lines.seen(n))
        figure = set(self.part.wants) & {"money", "percent", "number", "date"}
        missed = bool(figure) and unseen > _UNSEEN * sum(lines.rarity(n) for n in self.part.notions)
        met = [n for n in self.part.notions if n.words in top.met and n.share >= _ITS_OWN]
        rare = len(met) > 1 or any(lines.seen(n) <= _RARE for n in met)
        return near and not named and not missed and rare


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Answer a question out of the documents that it speaks of; leave it open where no sentence answers it."""
    documents = [r.document for r in room.readings if not ask.documents or r.document in ask.documents]
    parts = question_of(ask, room.cues, room.notions, room.lines.is_party)
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
    got = _found(parts, documents, room)
    name = documents[0] if len(documents) == 1 else ""
    nearest = tuple(dict.fromkeys(_span(w.line.unit) for g in got for w in g.ranked[:2]))
    near = [g for g in got if g.best >= _NEAR]
    near = near if near and near[0] is got[0] else []
    certain = bool(near) and len(near) == len(got) and all(g.sure(room, _own(ask, g, room)) for g in near)
    law = ask.kind is AskKind.YES_NO and (_only_told(near, room) if near else _no_rule(got, documents, room))
    absent = [] if certain or law else _absent(got, documents if ask.each else [r.document for r in room.readings], room)
    if absent:
        said = f"nothing was found on {', '.join(absent)}"
        yield Entry(
            document=name, state=AskState.NOT_FOUND, answer=said, searched=(ask.subject, *absent), nearest=nearest
        )
    elif law or not near:
        yield Entry(document=name, state=AskState.NOT_ATTEMPTED, reason=_LAW if law else _READ, nearest=nearest)
    else:
        yield from _answered(ask, near, room, certain=certain)


def _own(ask: Ask, got: _Got, room: Room) -> float:
    """Return how much of a question a sentence must speak of itself: more where it is asked whether something is so."""
    so = ask.kind is AskKind.YES_NO and pose_of(got.part.words, room.cues) == "fact"
    return _OWN_FACT if so else _OWN


def _found(parts: Sequence[Part], documents: Sequence[str], room: Room) -> list[_Got]:
    """Return what is found for each part; the clause that answers one is looked at first for the next."""
    got: list[_Got] = []
    for part in parts:
        known = tuple(room.topics.asked(part.words))
        beside = got[-1].ranked[0].line if got and got[-1].best >= _NEAR else None
        got.append(_Got(part, known, room.lines.ranked(part, documents, known, beside)))
    return got


def _absent(got: Sequence[_Got], documents: Sequence[str], room: Room) -> list[str]:
    """Return what the documents do not speak of, where it is known how papers would speak of it.

    That is a thing, which any paper that has it calls by one of a few words, if the question is mostly about it; and
    a provision of the catalogue that no sentence carries.
    """
    absent: list[str] = []
    for g in got:
        weights = {n.words: room.lines.rarity(n) for n in g.part.notions}
        unseen = [n for n in g.part.notions if not room.lines.speaks_of(n, documents)]
        mainly = sum(weights[n.words] for n in unseen) >= _MAINLY * sum(weights.values())
        things = [n.words for n in unseen if mainly and any(w.thing for w in n.written)]
        far = len(g.known) == 1 and g.best < _FAR
        provisions = [p.name for p in g.known if far and not _carried(p, documents, room)]
        absent += things or provisions or ([n.words for n in unseen] if g.best < _NOTHING and len(unseen) > 1 and not any(map(room.lines.seen, unseen)) else [])
    return list(dict.fromkeys(absent))


def _carried(provision: Provision, documents: Sequence[str], room: Room) -> bool:
    """Tell whether a sentence comes near a provision of the catalogue."""
    lines = (x for x in room.lines.lines if x.reading.document in documents)
    return any(weigh(provision, x.plain, x.unit.heading) >= _NEAR * provision.threshold for x in lines)


def _no_rule(got: Sequence[_Got], documents: Sequence[str], room: Room) -> bool:
    """Tell whether it is asked what may or must be done, and no paper lays down what may or must be done."""
    posed = any(pose_of(g.part.words, room.cues) in _ANSWERS for g in got)
    return posed and not any(r.identity.agreement for r in room.readings if r.document in documents)


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
        lists = {w.line.place: room.lines.items_after(w.line, _LIST) for _, w in told}
        said = [_quoted(g, w, lists[w.line.place], room) for g, w in told]
        lead = _lead(ask, told, room) if certain else ""
        timed = [w.line for g, w in told if _TIMES & set(g.part.wants)]
        days = [d for x in timed for d in counted_days(x)]
        units = [x.unit for _, w in told for x in (w.line, *lists[w.line.place])] + [u for _, u in days]
        yield Entry(
            document=document,
            state=AskState.ANSWERED,
            answer=f"{lead}{' '.join(said)}{''.join(f' [{said_of_day}]' for said_of_day, _ in days)}",
            support=tuple(dict.fromkeys(_span(u) for u in units)),
            certain=certain,
        )


def _quoted(got: _Got, found: Weighed, items: Sequence[Line], room: Room) -> str:
    """Return the operative words of a sentence, with the items of the list that it leads to."""
    inner = " ".join([words_of(found, got.part, room.notions), *(x.unit.text for x in items)])
    which = bool(room.cues.which.search(got.part.words)) and len(room.readings) > 1
    return f"{found.line.reading.identity.heading if which else ''}{': ' if which else ''}“{inner}”"


def _best(got: _Got, ask: Ask) -> Iterator[Weighed]:
    """Yield the sentences that answer a part: the best, and others as good that say more or stand in another paper."""
    top = got.ranked[0]
    yield top
    met = set(top.met)
    for w in got.ranked[1:_MOST]:
        more = bool(set(w.met) - met) or w.line.reading is not top.line.reading or ask.kind is not AskKind.FACT
        least = max((_BESIDE if more else _AS_GOOD) * top.score, _SURE)
        if w.score >= least and w.holds >= top.holds:
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


def _span(unit: Unit) -> Span:
    return Span(document=unit.document, start=unit.pieces[0][0], end=unit.pieces[-1][1])


def _where(told: Sequence[Entry], room: Room) -> str:
    first = next((e for e in told if e.support), None)
    if first is None or len(told) > 1:
        return "see the answers"
    place = (first.document, first.support[0].start)
    unit = next(x.unit for x in room.lines.lines if x.place == place)
    return f"[{first.document}, {place_of(unit)}]"
