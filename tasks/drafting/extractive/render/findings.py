"""The findings: by document where each is asked about, else by ask; and what happened when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.asks.records import AskKind
from tasks.drafting.extractive.quoting import Quote
from tasks.drafting.extractive.render.told import SEVERAL, Point, Told
from tasks.legaltext import months
from tasks.legaltext.markdown import cell, verbatim

_REPEATED = 8  # words of an answer that would be read twice beside its quotation
_DAY = re.compile(rf"^(?:{months.TITLED} \d{{1,2}},? \d{{4}}|\d{{1,2}} {months.TITLED},? \d{{4}})\b")
_EVENT_WORDS = 26  # words of a sentence that tells an event


def quoted(told: Told, made: Quote) -> str:
    """Return a quotation with its citation."""
    return f"{verbatim(made.text)} {verbatim(told.citation(made.unit))}"


def chronology(told: Told) -> str:
    """Return what happened when, where a timeline is asked for."""
    events = told.events
    if not events:
        return ""
    lines = ["| Date | Event | Source |", "|---|---|---|"]
    for point in events:
        shown = (told.days.prose(point.entry.day), _event(told, point), told.where(point))
        lines.append(f"| {' | '.join(map(cell, shown))} |")
    return "\n".join(lines) + "\n"


def _event(told: Told, point: Point) -> str:
    """Return what happened: the words of the answer beside its day, else the sentence."""
    said = _DAY.sub("", point.entry.answer.replace(point.entry.day, "")).strip(" :;,.()")
    units = told.units(point)
    label = told.label(point.ask)
    said = said or (f"{label}: {told.quotation(point.ask, units[0], _EVENT_WORDS).text}" if units else label)
    qualified = " ".join(part for part in (said, point.entry.note and f"({point.entry.note})") if part)
    return told.days.prose(qualified) + ("" if point.entry.certain else " (to be verified)")


def findings(told: Told) -> str:
    """Return what was found: the answer, the operative words, what qualifies it; a chronology stands for itself."""
    asks = list(dict.fromkeys(p.ask.ask_id for p in told.found if not p.ask.each and p not in told.events))
    documents = [d for d in told.readings if any(p.ask.each and p.entry.document == d for p in told.found)]
    written = [*(_of_ask(told, number) for number in asks), *(_of_document(told, d) for d in documents)]
    return "\n".join(written)


def _of_ask(told: Told, number: str) -> str:
    """Return what was found on one ask, whatever document it stands in."""
    points = [p for p in told.found if p.ask.ask_id == number]
    lines = [f"### {verbatim(told.label(points[0].ask))}\n"]
    line = told.answers[number].answer
    if len(points) > 1 and line and points[0].ask.kind is AskKind.COMPARISON:
        lines.append(f"**{verbatim(line.rstrip('.'))}.**\n")
    for point in points:
        lines.extend(_finding(told, point, set()))
    return "\n".join(lines)


def _of_document(told: Told, document: str) -> str:
    reading = told.readings[document]
    title = reading.identity.title
    parties = f" ({'; '.join(reading.identity.parties[:4])})" if reading.identity.parties else ""
    lines = [f"### {verbatim(f'{title} — {document}{parties}' if title != document else document)}\n"]
    above: set[int] = set()
    for point in (p for p in told.found if p.ask.each and p.entry.document == document):
        lines.append(f"#### {verbatim(told.label(point.ask))}\n")
        lines.extend(_finding(told, point, above))
    return "\n".join(lines)


def _finding(told: Told, point: Point, above: set[int]) -> Iterator[str]:
    """Yield the paragraphs of a finding: the answer, the operative words, what qualifies it.

    A typed answer whose sentence is quoted above under another topic points to it; a doubtful one shows it again.
    """
    quotes = told.quotes(point, told.settings.memo_words)
    known = told.provision_of(point.ask)
    typed = known is not None and known.answer != "clause" and point.entry.certain
    if typed and quotes and all(q.unit.start in above for q in quotes):
        yield f"{_lead(told, point, quotes)} Quoted above {verbatim(told.citation(quotes[0].unit))}.\n"
        return
    above.update(q.unit.start for q in quotes)
    shown = [quoted(told, q) for q in quotes]
    itself = _says_itself(point, quotes)
    lead = [_lead(told, point, quotes)] if not itself else []
    if itself and not point.entry.certain:
        shown[0] += f" (to be verified).{_note(told, point)}"
    first = [*lead, *shown[:1]] if told.settings.answer_first else [*shown[:1], *lead]
    shown = [" ".join(first), *shown[1:]]
    yield from (f"{text}\n" for text in shown)
    if point.entry.basis and point.entry.basis != point.entry.note:
        day = f" = {point.entry.day}" if point.entry.day else ""
        yield f"Basis: {verbatim(told.days.prose(point.entry.basis + day))} {verbatim(told.where(point))}\n"
    for tie in (told.ties or {}).get((point.entry.document, point.ask.ask_id), ()):
        yield f"{verbatim(tie)}\n"


def _says_itself(point: Point, quotes: Sequence[Quote]) -> bool:
    """Tell whether an answer only repeats the beginning of its quoted sentence."""
    if SEVERAL in point.entry.answer:
        pieces = [piece.strip(" ….“”") for piece in point.entry.answer.split(SEVERAL)]
        return all(any(piece in q.text for q in quotes) for piece in pieces)
    said = " ".join(point.entry.answer.strip(" ….“”").split())
    long = (len(said.split()) > _REPEATED or point.entry.answer[:1] == "“") and not (
        point.entry.certain and point.entry.note
    )
    return long and any(said in q.text for q in quotes)


def _lead(told: Told, point: Point, quotes: Sequence[Quote]) -> str:
    """Return the answer in bold; of one that ends with the words that are quoted beside it, what stands before them."""
    entry = point.entry
    doubt = "" if entry.certain else " (to be verified)"
    said = told.said(entry)
    value, _, words = said.partition(": “")
    if words and any(words.strip(" ….”") in q.text for q in quotes):
        said = value
    worked = f" {verbatim(told.where(point))}" if entry.basis and entry.day else ""
    return f"**{verbatim(said.rstrip('.'))}**{doubt}{worked}.{_note(told, point)}"


def _note(told: Told, point: Point) -> str:
    return f" {verbatim(told.days.prose(point.entry.note))}" if point.entry.note else ""
