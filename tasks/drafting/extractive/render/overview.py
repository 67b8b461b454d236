"""What is read first: the bottom line, the table of answers, and where the papers differ."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.render.lines import is_long_and_doubtful, line
from tasks.drafting.extractive.render.told import Point, Told
from tasks.legaltext.markdown import cell, verbatim

_MOST_LINES = 10  # of the bottom line
_SIDE_BY_SIDE = 4  # documents that a table of a page's width sets side by side


def bottom_line(told: Told) -> str:
    """Return the answers in at most ten lines: what was found, what was not, what is left open."""
    answers = [(ask, got, line(told, ask, got)) for ask, got in told.asks_in(AskState.ANSWERED)]
    doubtful = [(ask, got) for ask, got, said in answers if is_long_and_doubtful(got, said)]
    found = [
        f"- **{verbatim(told.label(ask))}**: {_line(told, ask, got, said)}"
        for ask, got, said in answers
        if (ask, got) not in doubtful
    ]
    missing = [told.briefly(ask) for ask, _ in told.asks_in(AskState.NOT_FOUND)]
    unanswered = [told.briefly(ask) for ask, _ in told.asks_in(AskState.NOT_ATTEMPTED)]
    unsure = [told.briefly(ask) for ask, _ in doubtful]
    tail = [f"- **To be verified**, see the findings: {verbatim('; '.join(unsure))}."] if unsure else []
    tail += [f"- Searched for, without result: {verbatim('; '.join(missing))}."] if missing else []
    tail += [f"- **Left open**, see below: {verbatim('; '.join(unanswered))}."] if unanswered else []
    room = _MOST_LINES - len(tail)
    if len(found) > room:
        rest = len(found) - room + 1
        found = [*found[: room - 1], f"- The other {rest} answers stand in the table of what was asked."]
    return "\n".join([*found, *tail]) + "\n" if found or tail else ""


def _line(told: Told, ask: Ask, got: AskAnswer, said: str) -> str:
    points = [p for p in told.found if p.ask is ask]
    where = told.where(points[0]) if len(points) == 1 == len(got.entries) else ""
    shown = f"{said} {where}" if where else said
    return verbatim(shown.rstrip(".") if not where else shown) + "."


def table(told: Told) -> str:
    """Return the answers by document and topic, where the asks are for each document."""
    asks = list(dict.fromkeys(p.ask.ask_id for p in told.points if p.ask.each))
    documents = list(dict.fromkeys(p.entry.document for p in told.points if p.ask.each and p.entry.document))
    if not told.tabled:
        return ""
    rows = [[p for p in told.points if p.ask.ask_id == number] for number in asks]
    if told.settings.compare_documents and len(documents) <= _SIDE_BY_SIDE:
        return _side_by_side(told, documents, rows)
    return _one_by_one(told, documents, rows)


def _one_by_one(told: Told, documents: Sequence[str], rows: Sequence[Sequence[Point]]) -> str:
    lines = ["| Document | Topic | Answer | Clause |", "|---|---|---|---|"]
    for document in documents:
        for point in (p for row in rows for p in row if p.entry.document == document):
            shown = (told.name(document), told.label(point.ask), _answer(told, point.entry))
            lines.append(f"| {' | '.join(map(cell, shown))} | {cell('; '.join(_places(told, point))) or '–'} |")
    return "\n".join(lines) + "\n"


def _answer(told: Told, entry: Entry) -> str:
    if entry.state is AskState.ANSWERED:
        return told.said(entry) + ("" if entry.certain else " (to be verified)")
    doubt = "" if entry.certain else " (to be verified)"
    return f"None found{doubt}" if entry.state is AskState.NOT_FOUND else "left open"


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
        return "–" if point is None or point.entry.certain else "– (to be verified)"
    places = "".join(f" [{place}]" for place in _places(told, point))
    return cell(_answer(told, point.entry) + places)


def _places(told: Told, point: Point) -> list[str]:
    """Return where each sentence stands that an answer quotes; citations side by side bear it together."""
    units = told.cited(point) if point.entry.state is AskState.ANSWERED else []
    return list(dict.fromkeys(map(told.place, units)))


def _called(told: Told, document: str) -> str:
    """Return a document by its name and its first parties, as the head of a column."""
    name, parties = told.name(document), told.readings[document].identity.parties if document in told.readings else ()
    new = [p for p in dict.fromkeys(parties) if p.lower() not in name.lower()][:2]
    return f"{name} ({'; '.join(new)})" if new and "(" not in name else name
