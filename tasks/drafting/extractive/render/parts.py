"""The parts of a memorandum beside its findings. An empty part is left out with its heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.quoting import Quote
from tasks.drafting.extractive.render.lines import line
from tasks.drafting.extractive.render.names import listed
from tasks.drafting.extractive.render.told import Point, Told
from tasks.legaltext.markdown import cell, verbatim

MOST_LINES = 10  # of the bottom line
_SIDE_BY_SIDE = 4  # documents that a table of a page's width sets side by side
_NEAREST_WORDS = 40  # of a passage that is shown where nothing was found
_GATE = re.compile(r"\bbefore (?:closing|signing|approval)\b", re.I)
_FIGURE = re.compile(r"\d")


def quoted(told: Told, made: Quote) -> str:
    """Return a quotation with its citation."""
    return f"{verbatim(made.text)} {verbatim(told.citation(made.unit))}"


def bottom_line(told: Told) -> str:
    """Return the answers in at most ten lines: what was found, what was not, what is left open."""
    found = [
        f"- **{verbatim(told.label(ask))}**: {_line(told, ask, got)}" for ask, got in told.asks_in(AskState.ANSWERED)
    ]
    missing = [told.label(ask) for ask, _ in told.asks_in(AskState.NOT_FOUND)]
    unanswered = [told.label(ask) for ask, _ in told.asks_in(AskState.NOT_ATTEMPTED)]
    tail = [f"- Nothing in the papers on: {verbatim('; '.join(map(_lower, missing)))}."] if missing else []
    tail += [f"- **Left open**, see below: {verbatim('; '.join(unanswered))}."] if unanswered else []
    room = MOST_LINES - len(tail)
    if len(found) > room:
        rest = len(found) - room + 1
        found = [*found[: room - 1], f"- The other {rest} answers stand in the table of what was asked."]
    return "\n".join([*found, *tail]) + "\n" if found or tail else ""


def _line(told: Told, ask: Ask, got: AskAnswer) -> str:
    said = line(told, ask, got)
    points = [p for p in told.found if p.ask is ask]
    where = told.where(points[0]) if len(points) == 1 == len(got.entries) else ""
    shown = f"{said} {where}" if where else said
    return verbatim(shown.rstrip(".") if not where else shown) + "."


def table(told: Told) -> str:
    """Return the answers by document and topic, where the asks are for each document."""
    asks = list(dict.fromkeys(p.ask.ask_id for p in told.points if p.ask.each))
    documents = list(dict.fromkeys(p.entry.document for p in told.points if p.ask.each and p.entry.document))
    if len(documents) < 2 or len(asks) < 2:
        return ""
    rows = [[p for p in told.points if p.ask.ask_id == number] for number in asks]
    if told.settings.compare_documents and len(documents) <= _SIDE_BY_SIDE:
        return _side_by_side(told, documents, rows)
    return _one_by_one(told, documents, rows)


def _one_by_one(told: Told, documents: Sequence[str], rows: Sequence[Sequence[Point]]) -> str:
    lines = ["| Document | Topic | Answer | Clause |", "|---|---|---|---|"]
    for document in documents:
        for point in (p for row in rows for p in row if p.entry.document == document):
            units = told.units(point) if point.entry.state is AskState.ANSWERED else []
            shown = (told.name(document), told.label(point.ask), _answer(told, point.entry))
            lines.append(f"| {' | '.join(map(cell, shown))} | {cell(told.place(units[0])) if units else '–'} |")
    return "\n".join(lines) + "\n"


def _answer(told: Told, entry: Entry) -> str:
    if entry.state is AskState.ANSWERED:
        return told.said(entry) + ("" if entry.certain else " (to be verified)")
    return "None found" if entry.state is AskState.NOT_FOUND else "left open"


def _side_by_side(told: Told, documents: Sequence[str], rows: Sequence[Sequence[Point]]) -> str:
    """Return a table with one row per topic and one column per document."""
    heads = [cell(_called(told, d)) for d in documents]
    lines = [f"| Topic | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for row in rows:
        by_document = {p.entry.document: p for p in row}
        cells = [_compared(told, by_document.get(d)) for d in documents]
        lines.append(f"| {cell(told.label(row[0].ask))} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\nA dash stands where the document was searched and has none.\n"


def _compared(told: Told, point: Point | None) -> str:
    if point is None or point.entry.state is AskState.NOT_FOUND:
        return "–"
    units = told.units(point) if point.entry.state is AskState.ANSWERED else []
    return cell(_answer(told, point.entry) + (f" [{told.place(units[0])}]" if units else ""))


def _called(told: Told, document: str) -> str:
    """Return a document by its name and its first parties, as the head of a column."""
    name, parties = told.name(document), told.readings[document].identity.parties if document in told.readings else ()
    new = [p for p in dict.fromkeys(parties) if p.lower() not in name.lower()][:2]
    return f"{name} ({'; '.join(new)})" if new and "(" not in name else name


def actions(told: Told) -> str:
    """Return the recommended actions on what was found, one per provision, with their owners."""
    if not told.settings.recommend_actions:
        return ""
    by_topic: dict[str, list[str]] = {}
    for point in told.found:
        by_topic.setdefault(point.entry.topic, []).append(told.name(point.entry.document))
    rows = []
    for topic, documents in by_topic.items():
        known = told.catalogue.get(topic)
        if known is not None and known.action:
            gating = bool(_GATE.search(known.owner))
            rate = ("**High.** " if gating else "**Medium.** ") if told.settings.severity_ratings else ""
            names = verbatim(listed(list(dict.fromkeys(documents))))
            rows.append((not gating, f"- {rate}{topic} ({names}): {known.action} Owner: {known.owner}."))
    ordered = sorted(rows, key=lambda r: r[0]) if told.settings.severity_ratings else rows
    lines = [said for _, said in ordered]
    if lines and told.settings.severity_ratings:
        lines.append("\nHigh: to be settled before closing, signing or approval. Medium: to be managed afterwards.")
    return "\n".join(lines) + "\n" if lines else ""


def missing(told: Told) -> str:
    """Return what was searched for and not found: where, with what, and the nearest passages."""
    absent = [p for p in told.points if p.entry.state is AskState.NOT_FOUND]
    if not told.settings.not_found_statements or not absent:
        return ""
    return "\n".join([*_each_missing(told, absent), *_others_missing(told, absent)]) + "\n"


def _each_missing(told: Told, absent: Sequence[Point]) -> Iterator[str]:
    each = [p for p in absent if p.ask.each and p.entry.document]
    if each:
        yield "Every sentence of each document was searched for the usual words of each topic.\n"
    for document in dict.fromkeys(p.entry.document for p in each):
        own = [p for p in each if p.entry.document == document]
        yield f"- {verbatim(document)}: {verbatim(', '.join(_lower(told.label(p.ask)) for p in own))}."
        for point in own:
            yield from (f"  {said}" for said in _nearest(told, point))


def _others_missing(told: Told, absent: Sequence[Point]) -> Iterator[str]:
    others = [p for p in absent if not (p.ask.each and p.entry.document)]
    for number in dict.fromkeys(p.ask.ask_id for p in others):
        own = [p for p in others if p.ask.ask_id == number]
        said = next((p.entry.answer for p in own if p.entry.answer), "nothing was found")
        where = listed([told.name(p.entry.document) for p in own if p.entry.document]) or "the data room"
        words = "; ".join(dict.fromkeys(w for p in own for w in p.entry.searched))
        yield f"- **{verbatim(told.label(own[0].ask))}**: {verbatim(said)}. Searched {verbatim(where)} for: {verbatim(words)}."
        for point in own:
            yield from (f"  {line_}" for line_ in _nearest(told, point))


def _lower(label: str) -> str:
    return label if label[:2].isupper() else label[:1].lower() + label[1:]


def _nearest(told: Told, point: Point) -> Iterator[str]:
    if point.entry.note:
        yield f"- {verbatim(point.entry.note)}"
    for span in point.entry.nearest[: told.settings.passages_per_topic]:
        unit = told.nearest(point.ask, span)
        if unit is not None:
            yield f"- Nearest: {quoted(told, told.quotation(point.ask, unit, _NEAREST_WORDS))}"


def left_open(told: Told) -> str:
    """Return what was not attempted: why, and the material gathered for it."""
    lines = []
    for ask, got in told.asks_in(AskState.NOT_ATTEMPTED):
        for entry in (e for e in got.entries if e.state is AskState.NOT_ATTEMPTED):
            place = f" ({verbatim(told.name(entry.document))})" if entry.document else ""
            lines.append(f"- **{verbatim(told.label(ask))}**{place}: {verbatim(entry.reason or got.answer)}.")
            lines += [f"  {said}" for said in _nearest(told, Point(ask, entry))]
    return "\n".join(lines) + "\n" if lines else ""


def ledger(told: Told) -> str:
    """Return the figures and dates that the answers rest on, with their source and how they were reached."""
    if not told.settings.ledger:
        return ""
    rows = [f"| {' | '.join(map(cell, row))} |" for p in told.found if (row := _figure(told, p))]
    lines = [f"- Recomputed: {verbatim(c)}" for c in told.computed]
    head = ["| Document | What | Value | Source | How |", "|---|---|---|---|---|"]
    return (
        "\n".join([*(head if rows else ()), *rows, *([""] if rows and lines else ()), *lines]) + "\n"
        if rows or lines
        else ""
    )


def _figure(told: Told, point: Point) -> tuple[str, ...]:
    entry = point.entry
    if not (entry.day or entry.basis or _FIGURE.search(entry.answer[:24])):
        return ()
    units = told.units(point)
    source = told.place(units[0]) if units else "–"
    how = told.days.prose(entry.basis or entry.note) or "as stated"
    return told.name(entry.document) or "–", told.label(point.ask), told.said(entry), source, how


def limits(told: Told) -> str:
    """Return what to verify, what was not read, and what was set aside and why."""
    doubtful: dict[str, list[str]] = {}
    for point in told.found:
        if not point.entry.certain:
            doubtful.setdefault(told.label(point.ask), []).append(told.name(point.entry.document))
    lines = [
        f"- {verbatim(topic)}: verify the reading of {verbatim(listed(names))}." for topic, names in doubtful.items()
    ]
    for entry in told.coverage:
        if entry.status != "read":
            reason = entry.failures[0].message if entry.failures else "no text"
            how = "read in part" if entry.status == "partial" else "not read"
            lines.append(f"- {verbatim(entry.document)} was {how}: {verbatim(reason)}")
    lines += [f"- {verbatim(name)}: set aside; {why}." for name, why in told.set_aside]
    lines.append("- Exhibits and agreements referred to but not in the data room were not reviewed.")
    return "\n".join(lines) + "\n"
