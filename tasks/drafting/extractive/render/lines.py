"""The answer to an ask in one line: for the bottom line and for the table of asks."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.render.contrasts import contrasted
from tasks.drafting.extractive.render.names import listed
from tasks.drafting.extractive.render.told import Point, Told

_VALUE_WORDS = (14, 8, 5)  # words of one document's answer in a line that tells those of several: the most that fit
_NAME_WORDS = 6  # words of an answer that may be a name
_GLANCE = 30  # words of a doubtful answer that a reader takes in on the way
_BEGINS = 18  # words of a longer one
_CELL, _QUOTED = 14, 10  # the same of one sentence in a cell of the table: it stands whole above and below
_LINE_WORDS = 40  # words of a line that a cell of the table still holds at a glance


def with_lines(told: Told) -> tuple[AskAnswer, ...]:
    """Return the answers with the line and the place of each, as the table of asks shows them."""
    asked = [(ask, told.answers[ask.ask_id]) for ask in told.asks.asks if ask.ask_id in told.answers]
    return tuple(
        got.model_copy(update={"answer": _at_a_glance(got, line(told, ask, got)), "where": _where(told, ask, got)})
        for ask, got in asked
    )


def is_long_and_doubtful(got: AskAnswer, said: str) -> bool:
    """Tell whether the line of an answer is sentences that have to be read first: the findings have them whole."""
    return _is_doubtful(got) and len(said.split()) > _GLANCE


def _is_doubtful(got: AskAnswer) -> bool:
    certain = any(e.certain for e in got.entries if e.state is AskState.ANSWERED)
    return got.state is AskState.ANSWERED and not certain


def _at_a_glance(got: AskAnswer, said: str) -> str:
    """Return the line of an answer as a cell of the table holds it: of long sentences to be verified how they begin."""
    quoted = said.startswith("“") and len(got.entries) == 1
    if not (_is_doubtful(got) and len(said.split()) > (_CELL if quoted else _GLANCE)):
        return said
    begins = _whole_answers(said) or " ".join(said.split()[: _QUOTED if quoted else _BEGINS])
    return f"{begins} …{'”' if begins.count('“') > begins.count('”') else ''} (to be verified)"


def _whole_answers(said: str) -> str:
    """Return the answers of the first papers, each with its whole citation: half of one tells no paper."""
    parts = said.split("; ")
    firsts = ["; ".join(parts[:n]) for n in range(1, len(parts)) if parts[n - 1].endswith("]")]
    fitting = [f for f in firsts if len(f.split()) <= _GLANCE]
    return f"{fitting[-1] if fitting else firsts[0]};" if firsts else ""


def line(told: Told, ask: Ask, got: AskAnswer) -> str:
    """Return the answer to an ask in one line, as its way wrote it where it combined several answers.

    What is asked of each document is told of each, whatever the way has drawn together.
    """
    if differing := contrasted(told, ask, got):
        return told.days.prose(differing)
    of_each = ask.each and len({e.document for e in got.entries}) > 1
    if got.answer and ((len(got.entries) != 1 and not of_each) or got.state is AskState.NOT_ATTEMPTED):
        return told.days.prose(got.answer) + _doubt(got)
    if len(got.entries) == 1:
        entry = got.entries[0]
        said = told.said(entry) or entry.reason
        return said if entry.certain else f"{said} (to be verified)"
    found = [Point(ask, e) for e in got.entries if e.state is AskState.ANSWERED]
    none = [_lacking(told, e) for e in got.entries if e.state is AskState.NOT_FOUND]
    left = [told.name(e.document) for e in got.entries if e.state is AskState.NOT_ATTEMPTED]
    if not found:
        return "; ".join(dict.fromkeys(e.reason for e in got.entries if e.reason)) or (
            f"none seen in any of {len(none)} documents"
        )
    said = _said(told, found) or f"answered by {listed([told.name(p.entry.document) for p in found])}"
    said += f"; none seen in {listed(none)}" if none else ""
    return f"{said}; left open in {listed(left)}" if left else said


def _doubt(got: AskAnswer) -> str:
    """Return what is to be said behind an answer that rests on a doubtful one."""
    doubtful = any(e.state is AskState.ANSWERED and not e.certain for e in got.entries)
    return " (to be verified)" if doubtful and "to be verified" not in got.answer else ""


def _lacking(told: Told, entry: Entry) -> str:
    """Return the name of a document that has nothing of it, and whether that is to be verified."""
    return told.name(entry.document) + ("" if entry.certain else " (to be verified)")


def _said(told: Told, found: Sequence[Point]) -> str:
    """Return the answers of several documents, as long as a line holds them; empty where it holds none of them."""
    for most in _VALUE_WORDS:
        values = _values(told, found, most)
        if len(" ".join(values).split()) <= _LINE_WORDS:
            return "; ".join(f"{value} {' '.join(places)}" for value, places in values.items())
    return ""


def _values(told: Told, found: Sequence[Point], most: int) -> dict[str, list[str]]:
    """Return the places that give each answer, by the answer."""
    values: dict[str, list[str]] = {}
    for point in found:
        values.setdefault(_short(told, point.entry, most), []).append(told.where(point))
    return values


def _short(told: Told, entry: Entry, most: int) -> str:
    words = told.said(entry).removeprefix("Yes:").split()
    doubt = "" if entry.certain else " (to be verified)"
    short = " ".join(words[:most])
    short = short.rstrip(".") if len(words) > _NAME_WORDS else short  # "Inc." keeps its stop
    if len(words) > most:
        short += " …”" if short.count("“") > short.count("”") else " …"
    return short + doubt


def _where(told: Told, ask: Ask, got: AskAnswer) -> str:
    if got.state is AskState.ANSWERED and len(got.entries) == 1:
        return told.where(Point(ask, got.entries[0])) or got.where or "Findings"
    if got.state is AskState.ANSWERED:
        return "Table of answers" if ask.each and told.tabled else "Findings"
    return {AskState.NOT_FOUND: "Not found", AskState.NOT_ATTEMPTED: "Left open"}.get(got.state, "")
