"""What is not answered: what was searched for and not found, what is left open, what was not read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tasks.asks.records import AskState
from tasks.drafting.extractive.render.findings import quoted
from tasks.drafting.extractive.render.names import listed
from tasks.drafting.extractive.render.told import Point, Told
from tasks.legaltext.markdown import verbatim

_NEAREST_WORDS = 40  # of a passage that is shown where nothing was found


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
    for document in [d for d in told.readings if any(p.entry.document == d for p in each)]:
        own = [p for p in each if p.entry.document == document]
        sure = [p for p in own if p.entry.certain]
        absent_here = listed([_topic(told, p) for p in sure], "or")
        if sure:
            yield f"- No provision was found in {verbatim(document)} on {verbatim(absent_here)}."
        for point in [*sure, *(p for p in own if p not in sure)]:
            if point not in sure:
                label = verbatim(_topic(told, point))
                yield f"- Whether {verbatim(document)} has a provision on {label} is to be verified."
            yield from (f"  {said}" for said in _nearest(told, point))


def _topic(told: Told, point: Point) -> str:
    """Return what was looked for as it stands behind "a provision on": a question in quotation marks."""
    label = told.label(point.ask)
    return f"the question “{label}”" if told.is_question(point.ask) else told.lower(label)


def _others_missing(told: Told, absent: Sequence[Point]) -> Iterator[str]:
    others = [p for p in absent if not (p.ask.each and p.entry.document)]
    for number in dict.fromkeys(p.ask.ask_id for p in others):
        own = [p for p in others if p.ask.ask_id == number]
        said = next((p.entry.answer for p in own if p.entry.answer), "nothing was found")
        where = listed([told.name(p.entry.document) for p in own if p.entry.document]) or "the data room"
        words = "; ".join(dict.fromkeys(w for p in own for w in p.entry.searched if w.lower() != p.ask.words.lower()))
        how = f"for: {words}" if words else "by the words of the question"
        how += "" if all(p.entry.certain for p in own) else "; to be verified"
        yield f"- **{verbatim(told.label(own[0].ask))}**: {verbatim(f'{said}. Searched: {where}, {how}')}."
        for point in own:
            yield from (f"  {near}" for near in _nearest(told, point))


def _nearest(told: Told, point: Point) -> Iterator[str]:
    if point.entry.note:
        yield f"- {verbatim(point.entry.note)}"
    for span in point.entry.nearest[: told.settings.passages_per_topic]:
        unit = told.nearest(point.ask, span)
        if unit is not None:
            yield f"- Nearest: {quoted(told, told.quotation(point.ask, unit, _NEAREST_WORDS))}"


def left_open(told: Told) -> str:
    """Return what was not attempted: why, of which papers where others answer it, and the material gathered for it."""
    lines = []
    for ask, got in told.asks_in(AskState.NOT_ATTEMPTED):
        entries = [e for e in got.entries if e.state is AskState.NOT_ATTEMPTED]
        why = "; ".join(dict.fromkeys(e.reason for e in entries if e.reason)) or got.answer
        only = listed([told.name(e.document) for e in entries if e.document]) if len(entries) < len(got.entries) else ""
        label = f"{told.label(ask)} (in {only})" if only else told.label(ask)
        lines.append(f"- **{verbatim(label)}**: {verbatim(why.rstrip('.'))}.")
        lines += [f"  {near}" for e in entries for near in _nearest(told, Point(ask, e))]
    return "\n".join(lines) + "\n" if lines else ""


def limits(told: Told) -> str:
    """Return what to verify, what was not read, and what was set aside and why."""
    return "\n".join([*_to_verify(told), *_unread(told)]) + "\n"


def unread(told: Told) -> str:
    """Return what was not read, and what was set aside and why."""
    return "\n".join(_unread(told)) + "\n"


def _to_verify(told: Told) -> list[str]:
    """Return a line on the readings that are to be verified; which they are, the table of asks tells."""
    doubtful = [p for p in told.found if not p.entry.certain]
    names = list(dict.fromkeys(told.name(p.entry.document) for p in doubtful if p.entry.document))
    count = len({p.ask.ask_id for p in doubtful})
    if not count:
        return []
    what = "the answer that is" if count == 1 else f"the {count} answers that are"
    where = f", of {listed(names)}" if names else ""
    return [f"- Verify {what} marked “to be verified”{verbatim(where)}."]


def _unread(told: Told) -> list[str]:
    lines = []
    for entry in told.coverage:
        if entry.status != "read":
            reason = entry.failures[0].message if entry.failures else "no text"
            how = "read in part" if entry.status == "partial" else "not read"
            lines.append(f"- {verbatim(entry.document)} was {how}: {verbatim(reason)}")
    lines += [f"- {verbatim(name)}: set aside; {why}." for name, why in told.set_aside]
    lines.append("- Exhibits and agreements referred to but not in the data room were not reviewed.")
    return lines
