"""What a filled checklist answers in a brief: the asks about its items, with their values and places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tasks.asks.records import Ask, AskAnswer, AskKind, Asks, AskState, Entry, state_of
from tasks.drafting.extraction.delivering import place_of
from tasks.drafting.extraction.sheet import ABSENT
from tasks.legaltext.checklists.definition import Checklist, Item
from tasks.legaltext.checklists.records import Entry as Said
from tasks.legaltext.checklists.records import Evidence, Filled
from tasks.sources.records import CanonicalText, Span

_SHOWN: Final = 6  # values of one ask that its line tells; the checklist holds all
_BESIDE: Final = "no item of the checklist is about it"


def answers_of(
    asks: Asks, checklist: Checklist, filled: Filled, texts: Mapping[str, CanonicalText]
) -> tuple[AskAnswer, ...]:
    """Return what became of each ask of a brief, as a filled checklist tells it.

    Args:
        asks: Of the brief.
        checklist: That was filled.
        filled: What was found.
        texts: The documents that were searched.
    """
    return tuple(_answer(ask, checklist, filled, texts) for ask in asks.asks)


def _answer(ask: Ask, checklist: Checklist, filled: Filled, texts: Mapping[str, CanonicalText]) -> AskAnswer:
    wanted = [] if ask.kind is AskKind.CONSTRAINT else checklist.asked_about(ask.subject or ask.words)
    items = [item for item in checklist.items() if item.id in wanted]
    if not items:
        entry = Entry(state=AskState.NOT_ATTEMPTED, reason=_BESIDE)
        return AskAnswer(ask_id=ask.ask_id, state=entry.state, where=_BESIDE, entries=(entry,))
    entries = tuple(_entry(item, filled.of(item.id), texts) for item in items)
    where = _where(items, entries, filled, texts)
    return AskAnswer(ask_id=ask.ask_id, state=state_of(entries), answer=_line(entries), where=where, entries=entries)


def _entry(item: Item, said: Said, texts: Mapping[str, CanonicalText]) -> Entry:
    if said.cause is not None:
        return Entry(state=AskState.NOT_ATTEMPTED, reason=f"{item.title}: {said.message or said.cause.value}")
    if said.values:
        words = "; ".join(value.text for value in said.values)
        support = tuple(_spans([one for value in said.values for one in value.evidence]))
        return Entry(state=AskState.ANSWERED, answer=f"{item.title}: {words}", support=support)
    if said.excluded:
        support = tuple(_spans(said.excluded))
        return Entry(state=AskState.ANSWERED, answer=f"{item.title}: {ABSENT}", support=support)
    looked = f"{item.title} in all {len(texts)} documents"
    return Entry(state=AskState.NOT_FOUND, answer=f"{item.title}: nothing was found", searched=(looked,))


def _spans(evidence: Sequence[Evidence]) -> Iterator[Span]:
    seen = set()
    for one in evidence:
        span = Span(document=one.document, start=one.start, end=one.end)
        if span not in seen:
            seen.add(span)
            yield span


def _line(entries: Sequence[Entry]) -> str:
    """Return the line of the table of asks; of many items the first ones are shown, and the rest counted."""
    told = [entry.answer.replace('"', "”") for entry in entries if entry.state is AskState.ANSWERED]
    told = told or [entry.answer for entry in entries if entry.answer]
    more = len(told) - _SHOWN
    return " / ".join(told[:_SHOWN]) + (f" / and {more} more items in the checklist" if more > 0 else "")


def _where(items: Sequence[Item], entries: Sequence[Entry], filled: Filled, texts: Mapping[str, CanonicalText]) -> str:
    """Say where an answer stands, what was searched, or why it was not attempted."""
    words = [one for item in items for value in filled.of(item.id).values for one in value.evidence]
    words += [one for item in items for one in filled.of(item.id).excluded]
    if words:
        places = list(dict.fromkeys(f"{one.document}, {place_of(one, texts)}" for one in words))
        more = len(places) - _SHOWN
        return "; ".join(places[:_SHOWN]) + (f"; and {more} more places" if more > 0 else "")
    return "; ".join(reason for e in entries for reason in (*e.searched, *([e.reason] if e.reason else [])))
