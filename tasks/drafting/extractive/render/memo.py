"""The memorandum: the answer first, the table of asks, then the clauses quoted and cited, then what was not found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tasks.asks.records import AskKind, AskState
from tasks.asks.table import TITLE, ask_table
from tasks.drafting.extractive.render import parts
from tasks.drafting.extractive.render.told import Point, Told
from tasks.legaltext.markdown import cell, verbatim
from tasks.retrieval.records import Skeleton

# The parts in their usual order, and how the form that a deliverable must have may call each.
_PARTS: Sequence[tuple[str, re.Pattern[str], Callable[[Told], str]]] = (
    (
        "Bottom line",
        re.compile(r"bottom line|summary|conclusion|(?:short|brief) answer|overview", re.I),
        parts.bottom_line,
    ),
    (TITLE, re.compile(r"what was asked|questions? presented", re.I), lambda told: _asked(told)),
    ("Table of answers", re.compile(r"table|matrix|comparison", re.I), parts.table),
    (
        "Chronology",
        re.compile(r"chronolog|timeline|sequence|history|(?:key|critical) dates", re.I),
        lambda told: _chronology(told),
    ),
    ("Findings", re.compile(r"finding|analysis|discussion|issue|review|detail", re.I), lambda told: _findings(told)),
    ("Recommended actions", re.compile(r"action|recommend|next step|closing", re.I), parts.actions),
    ("Left open", re.compile(r"left open|not attempted|for (?:the )?attorney", re.I), parts.left_open),
    ("Not found", re.compile(r"not found|absent|missing|gaps?\b", re.I), parts.missing),
    ("Figures and dates", re.compile(r"figures|ledger|calculat", re.I), parts.ledger),
    (
        "Open points and limits",
        re.compile(r"open (?:points|items|issues)|limit|assumption|caveat", re.I),
        parts.limits,
    ),
)
_ALONE = ("Bottom line", TITLE, "Left open", "Not found", "Open points and limits")  # where nothing was answered
_EVENT_WORDS = 26  # words of a sentence that tells an event


def memorandum(told: Told, skeleton: Skeleton | None = None) -> str:
    """Return the memorandum as Markdown, its sections named and ordered as the skeleton asks.

    A section of the skeleton for which there is nothing to say is left out, and the gate reports it. Where nothing is
    answered there is no memorandum, but a note that says so.
    """
    titles, order = _order(skeleton)
    if not told.found:
        order = [usual for usual in order if usual in _ALONE]
    bodies = {usual: body for usual, _, make in _PARTS if usual in order and (body := make(told))}
    written = [f"## {titles[usual]}\n\n{bodies[usual]}" for usual in order if usual in bodies]
    return "\n".join([_header(told), *written])


def body_of(told: Told) -> str:
    """Return the memorandum without its head, to stand in a note."""
    made = memorandum(told)
    return made[made.find("\n## ") :]


def _order(skeleton: Skeleton | None) -> tuple[dict[str, str], list[str]]:
    """Return how each part is called, and the order of the parts: the skeleton's, then the usual one.

    The bottom line comes first and the table of asks after it, whatever the skeleton says.
    """
    titles = {usual: usual for usual, *_ in _PARTS}
    named: list[str] = []
    for section in skeleton.sections if skeleton is not None else ():
        called = (section.title, *section.aliases)
        fits = (usual for usual, pattern, _ in _PARTS if usual not in named and any(map(pattern.search, called)))
        if (usual := next(fits, None)) is not None and usual != TITLE:
            titles[usual] = section.title
            named.append(usual)
    return titles, list(dict.fromkeys([_PARTS[0][0], TITLE, *named, *(usual for usual, *_ in _PARTS)]))


def _header(told: Told) -> str:
    kind = (
        ""
        if told.found
        else (
            "\nNothing of what was asked is answered in this note: no model was at work, and the papers do not answer it in "
            "so many words. It says what was searched and shows the passages that come nearest.\n"
        )
    )
    return (
        f"# {verbatim(told.title)}\n\n**Draft for attorney review**\n\n- To: Supervising attorney\n"
        "- From: Solon, extractive runtime (no model)\n- Date: date of the run, to be set on review\n"
        f"- Subject: {verbatim(told.title)}\n{kind}"
    )


def _asked(told: Told) -> str:
    return ask_table(told.asks, told.answers.values()) + "\n" if told.asks.asks else ""


def _chronology(told: Told) -> str:
    """Return what happened when, where a timeline is asked for."""
    dated = [p for p in told.found if p.entry.day and p.ask.kind is AskKind.TIMELINE]
    if len(dated) < 2:
        return ""
    lines = ["| Date | Event | Source |", "|---|---|---|"]
    for point in sorted(dated, key=lambda p: (p.entry.day, p.entry.document)):
        shown = (told.days.prose(point.entry.day), _event(told, point), told.where(point))
        lines.append(f"| {' | '.join(map(cell, shown))} |")
    return "\n".join(lines) + "\n"


def _event(told: Told, point: Point) -> str:
    said = point.entry.answer
    if said != point.entry.day:
        return told.days.prose(said)
    units = told.units(point)
    label = told.label(point.ask)
    return f"{label}: {told.quotation(point.ask, units[0], _EVENT_WORDS).text}" if units else label


def _findings(told: Told) -> str:
    asks = list(dict.fromkeys(p.ask.ask_id for p in told.found if not p.ask.each))
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
    quoted: set[int] = set()
    for point in (p for p in told.found if p.ask.each and p.entry.document == document):
        lines.append(f"#### {verbatim(told.label(point.ask))}\n")
        lines.extend(_finding(told, point, quoted))
    return "\n".join(lines)


def _finding(told: Told, point: Point, quoted: set[int]) -> Iterator[str]:
    """Yield the paragraphs of a finding: the answer, the operative words, what qualifies it.

    A typed answer whose sentence is quoted above under another topic points to it.
    """
    quotes = told.quotes(point, told.settings.memo_words)
    known = told.provision_of(point.ask)
    if known is not None and known.answer != "clause" and quotes and all(q.unit.start in quoted for q in quotes):
        yield f"{_lead(told, point)} Quoted above {verbatim(told.citation(quotes[0].unit))}.\n"
        return
    quoted.update(q.unit.start for q in quotes)
    shown = [parts.quoted(told, q) for q in quotes]
    lead = _lead(told, point)
    if not told.settings.answer_first and shown:
        shown = [f"{shown[0]} {lead}", *shown[1:]]
    else:
        shown = [" ".join([lead, *shown[:1]]), *shown[1:]]
    yield from (f"{text}\n" for text in shown)
    if point.entry.basis:
        yield f"Computed: {verbatim(told.days.prose(point.entry.basis))}\n"
    for tie in (told.ties or {}).get((point.entry.document, point.ask.ask_id), ()):
        yield f"{verbatim(tie)}\n"


def _lead(told: Told, point: Point) -> str:
    entry = point.entry
    doubt = "" if entry.certain else " (to be verified)"
    note = f" {verbatim(told.days.prose(entry.note))}" if entry.note else ""
    return f"**{verbatim(told.said(entry).rstrip('.'))}**{doubt}.{note}"
