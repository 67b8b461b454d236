"""An exchange as a terminal shows it and as machines read it: every answer with its passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.quoting import units_at
from tasks.drafting.extractive.render.told import Point, Told
from tasks.drafting.interrogator.records import Exchange, Turn
from tasks.legaltext.fold import quotable
from tasks.legaltext.tokens import terms
from tasks.retrieval.research.records import Statement
from tasks.sources.records import Span

NOTHING = "That asks nothing that the papers could answer. Put it as a question, e.g. “When does the lease end?”"
_SHOWN = 45  # words of a passage that comes near


def lines_of(exchange: Exchange, told: Told) -> Iterator[str]:
    """Yield an exchange as a terminal shows it."""
    asked = [(a, got) for a, got in told.asks_in(*AskState)]
    if not asked:
        yield NOTHING
        return
    for name in exchange.unknown:
        yield f"Note: “{name}” stands in no paper here."
    for ask, got in asked:
        if len(asked) > 1:
            yield f"{told.label(ask)}"
        yield from _answer(exchange, told, ask, got)
        yield ""


def _answer(exchange: Exchange, told: Told, ask: Ask, got: AskAnswer) -> Iterator[str]:
    yield f"[{got.state.value}]"
    for entry in got.entries:
        yield from _entry(told, ask, entry)
    for turn in exchange.dialogue.raised(ask.ask_id):
        yield from _raised(told, turn)


def _entry(told: Told, ask: Ask, entry: Entry) -> Iterator[str]:
    point = Point(ask, entry)
    if entry.state is AskState.ANSWERED:
        quotes = told.quotes(point, told.settings.memo_words)
        said = told.said(entry).rstrip(".")
        own = not any(said.strip("“” .…")[:40] in q.text for q in quotes)
        doubt = "" if entry.certain else " (to be verified)"
        if own or not quotes:
            yield f"  {said}{doubt}."
        elif doubt:
            yield "  To be verified:"
        yield from (f"    {q.text} {told.citation(q.unit)}" for q in quotes)
        if entry.basis and not quotes:
            yield f"    Basis: {entry.basis}"
        if entry.note:
            yield f"    {entry.note}"
        return
    yield f"  {entry.answer or entry.reason}".rstrip(".") + "."
    if entry.searched:
        yield f"    Searched for: {'; '.join(entry.searched)}"
    for span in entry.nearest[: told.settings.passages_per_topic]:
        unit = told.nearest(ask, span)
        near = told.quotation(ask, unit, _SHOWN).text if unit is not None else ""
        if unit is not None and set(terms(near)) & set(terms(ask.subject)):  # nothing in common comes near nothing
            yield f"    Nearest: {near} {told.citation(unit)}"


def _raised(told: Told, turn: Turn) -> Iterator[str]:
    if turn.need.cause is None:
        return
    said = turn.answer
    yield f"    {turn.number}. {turn.need.question.text}"
    if said.state == "answered":
        yield from (f"       {s.text} {_cited(told, s.spans)}" for s in said.statements)
    else:
        yield f"       not found{': ' + turn.need.absent if turn.need.absent else ''}"


def _cited(told: Told, spans: Sequence[Span]) -> str:
    place = next((p for s in spans if (p := place_of(told, s))), None)
    return f"[{place['title']} {place['clause']}]" if place else ""


def place_of(told: Told, span: Span) -> dict[str, Any] | None:
    """Return a passage with its document, its clause and its words; None where it is in no paper that was read."""
    reading = told.readings.get(span.document)
    if reading is None:
        return None
    unit = next(iter(units_at(reading, span)), None)
    words = quotable(reading.text.text[span.start : span.end])
    return {
        "document": span.document,
        "title": told.name(span.document),
        "clause": told.place(unit) if unit else "",
        "start": span.start,
        "end": span.end,
        "words": words,
    }


def json_of(exchange: Exchange, told: Told) -> dict[str, Any]:
    """Return an exchange for machines: the questions, their states, statements, passages and searches."""
    asks = [a for a in exchange.asks.asks if a.kind is not AskKind.CONSTRAINT]
    return {
        "number": exchange.number,
        "question": exchange.question,
        "state": _state(exchange),
        "asks": [_ask(exchange, told, ask) for ask in asks],
        "turns": [_turn(told, t) for t in exchange.dialogue.turns],
        "stopped": exchange.dialogue.stopped,
        "missing": [m.model_dump(mode="json") for m in exchange.missing],
        "unknown_names": list(exchange.unknown),
        "client": exchange.client,
        "law": exchange.law,
    }


def _state(exchange: Exchange) -> str:
    """Return what became of a question: answered where all of it is."""
    states = {a.state for a in exchange.answers}
    if not states:
        return "nothing asked"
    return states.pop().value if len(states) == 1 else "answered in part" if AskState.ANSWERED in states else "open"


def _ask(exchange: Exchange, told: Told, ask: Ask) -> dict[str, Any]:
    got = next((a for a in exchange.answers if a.ask_id == ask.ask_id), None)
    entries = got.entries if got else ()
    return {
        "no": ask.ask_id,
        "asked": ask.words,
        "subject": ask.subject,
        "kind": ask.kind.value,
        "state": got.state.value if got else AskState.NOT_ATTEMPTED.value,
        "answer": got.answer if got else "",
        "where": got.where if got else "",
        "statements": [_of_entry(told, e) for e in entries],
    }


def _of_entry(told: Told, entry: Entry) -> dict[str, Any]:
    return {
        "document": entry.document,
        "state": entry.state.value,
        "text": entry.answer or entry.reason,
        "certain": entry.certain,
        "note": entry.note,
        "basis": entry.basis,
        "passages": [p for s in entry.support if (p := place_of(told, s))],
        "searched": list(entry.searched),
        "nearest": [p for s in entry.nearest if (p := place_of(told, s))],
    }


def _turn(told: Told, turn: Turn) -> dict[str, Any]:
    return {
        "number": turn.number,
        "ask": turn.need.ask_id,
        "origin": turn.need.origin.value,
        "question": turn.need.question.text,
        "why": turn.reason,
        "about": turn.need.about,
        "state": turn.answer.state,
        "note": turn.answer.note,
        "missing": turn.answer.missing,
        "statements": [_statement(told, s) for s in turn.answer.statements],
        "searches": [
            {"method": s.method.value, "query": s.query, "why": s.reason, "citations": list(s.citations),
             "passages": [p for x in s.passages if (p := place_of(told, x.span))]}
            for s in turn.answer.searches
        ],
    }  # fmt: skip


def _statement(told: Told, said: Statement) -> dict[str, Any]:
    return {
        "text": said.text,
        "passages": [p for s in said.spans if (p := place_of(told, s))],
        "authority": said.authority,
        "verification": said.verification,
        "method": said.method.value,
    }
