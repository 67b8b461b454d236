"""Events that an ask names, and whole chronologies: the day, what happened on it, and who says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.events import Event
from tasks.drafting.extractive.ways.stated import long_date, told
from tasks.legaltext.numbers.spelling import words_to_int
from tasks.legaltext.parts_of_speech import tagged

_WHEN = re.compile(r"\b(?:when|(?:on |from |by )?(?:what|which) (?:day|date)|date of)\b", re.I)
_WHOLE = re.compile(r"\b(?:chronology|timeline|time line|sequence of events|order of events)\b", re.I)
_PARTED = re.compile(r";|\band (?=when\b|the\b|on what\b)|,\s+(?=the\b|when\b)", re.I)
_ENOUGH = 0.5  # part of what is asked about that a dated statement must speak of
_LIKELY = 0.45  # … to be shown, to be verified
_CLEAR = 0.85  # another day whose statement speaks of so much of it as the best one is told beside it
_SHOWN = 22  # words of what happened


def in_chronology(ask: Ask, room: Room) -> AskAnswer | None:
    """Tell the day of what a request for a chronology names beside it: "when she was hired", "the storm"."""
    if not _WHOLE.search(room.job.matter.instructions) or ask.each:
        return None
    named = not any(w.tag.startswith(("VB", "VM", "VD", "VVZ", "VVD")) for w in tagged(ask.words))
    return answer(ask.model_copy(update={"kind": AskKind.TIMELINE}), room) if named or _WHEN.search(ask.words) else None


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Return the day of an event that an ask names, or of all events; None where no dated statement fits."""
    if ask.kind is AskKind.TIMELINE and _WHOLE.search(ask.words) and len(room.events) > 1:
        entries = [_entry([e], certain=True) for e in _once(room.events)]
        return told(ask, entries)
    if ask.kind is not AskKind.TIMELINE and not _WHEN.search(ask.words):
        return None
    found: list[tuple[float, list[Event]]] = []
    names = list(ask.documents) or [r.document for r in room.readings]
    for scope in [[name] for name in names] if ask.each else [names]:
        for part in [p for p in _PARTED.split(ask.words) if room.likeness.asked(p)]:
            found += _best(part, [e for e in room.events if e.document in scope], room)
    if not found:
        return None
    room.log.look_up(f"Look for the day of: {ask.words}", "date_scan", {"ask": ask.ask_id}, f"{len(found)} found")
    entries = [_entry(same, certain=score >= _ENOUGH) for score, same in found]
    return told(ask, _joined(entries), [e.unit for _, same in found for e in same])


def _score(words: str, event: Event, room: Room) -> float:
    return room.likeness.fit(words, event.words)


def _best(words: str, events: Sequence[Event], room: Room) -> list[tuple[float, list[Event]]]:
    """Return the statements on the day that speaks most of some words, or on as many days as they count."""
    count = next((n for n in map(words_to_int, words.lower().split()) if n and n > 1), 1)
    days: dict[date, list[tuple[float, Event]]] = {}
    for e in events:
        if (score := _score(words, e, room)) >= _LIKELY:
            days.setdefault(e.day, []).append((score, e))
    ranked = sorted(days.values(), key=lambda told: (-max(s for s, _ in told), told[0][1].day))
    if not ranked:
        return []
    top = max(s for s, _ in ranked[0])
    rivals = [told for told in ranked[count:] if max(s for s, _ in told) >= _CLEAR * top]
    first = {e.document for told in ranked[:count] for _, e in told}
    apart = [told for told in rivals if not first & {e.document for _, e in told}]
    found = []
    for same in [*ranked[:count], *(apart if len(apart) == len(rivals) else ())]:  # the papers differ: both are told
        best = sorted(same, key=lambda t: -t[0])
        score = best[0][0] if not rivals else min(best[0][0], _LIKELY)
        found.append((score, [e for n, (_, e) in enumerate(best) if not n or e.document != best[0][1].document]))
    return found


def _once(events: Sequence[Event]) -> list[Event]:
    """Return events without those told twice by one sentence."""
    seen: dict[tuple[object, str], Event] = {}
    for event in events:
        seen.setdefault((event.day, event.words), event)
    return list(seen.values())


def _entry(same: Sequence[Event], *, certain: bool) -> Entry:
    event = same[0]
    words = event.words.split(" ")
    said = " ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")
    how = f"worked out from “{event.counted}” in a paper of that time" if event.counted else ""
    return Entry(
        document=event.document,
        state=AskState.ANSWERED,
        answer=f"{long_date(event.day)} (“{said}”)",
        support=tuple(e.span for e in same),
        basis=how,
        day=event.day.isoformat(),
        note=f"told by {event.told}" if event.told else "",
        certain=certain,
    )


def _joined(entries: Sequence[Entry]) -> list[Entry]:
    """Put the entries of one document together: it answers an ask once."""
    found: dict[str, Entry] = {}
    for e in entries:
        if e.document in found:
            was = found[e.document]
            both = was.answer if e.answer == was.answer else f"{was.answer}; {e.answer}"
            support = tuple(dict.fromkeys((*was.support, *e.support)))
            sure = was.certain and e.certain
            found[e.document] = was.model_copy(update={"answer": both, "support": support, "certain": sure})
        else:
            found[e.document] = e
    return list(found.values())
