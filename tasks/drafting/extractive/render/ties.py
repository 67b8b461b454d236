"""What a finding depends on: the definitions of the terms it uses, and the clauses that it refers to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tasks.asks.records import AskState
from tasks.drafting.extractive.render.told import Point, Told
from tasks.drafting.extractive.units import Unit
from tasks.drafting.records import DraftJob
from tasks.legaltext.fold import quotable
from tasks.retrieval.graph.graph import Graph, build_graph
from tasks.retrieval.graph.records import Related
from tasks.sources.records import Span

_MOST = 2  # lines of a finding
_WORDS = 40  # words of a passage that are shown: one long sentence
_LEAST = 4  # words; fewer explain nothing
_MEANS = re.compile(r"\b(?:means?|shall mean|is defined|has the meaning|have the meaning|refers? to|includes?)\b", re.I)
_PLAIN = re.compile(r"'(?:this )?(?:agreement|part(?:y|ies)|effective date|term|contract|company|section)s?'", re.I)
Ties = Mapping[tuple[str, str], Sequence[str]]


def ties_of(job: DraftJob, told: Told) -> Ties:
    """Return lines on the definitions and clauses that each finding on a clause depends on, each once per document.

    The key is the document and the number of the ask.
    """
    settings = told.settings
    clauses = [p for p in told.found if p.entry.state is AskState.ANSWERED and _of_clause(told, p)]
    if not (settings.include_definitions or settings.include_cross_references) or not clauses:
        return {}
    graph = build_graph(job.texts, {name: job.index.clauses(name) for name in job.texts})
    found: dict[tuple[str, str], Sequence[str]] = {}
    said: dict[str, set[tuple[str, int]]] = {}
    for point in clauses:
        lines = _lines(job, graph, told, point, said.setdefault(point.entry.document, set()))
        if lines:
            found[point.entry.document, point.ask.ask_id] = lines
    return found


def _of_clause(told: Told, point: Point) -> bool:
    """Tell whether an answer reports a clause of an agreement; a date or a name needs no definitions."""
    known = told.provision_of(point.ask)
    return bool(told.units(point)) and (known is None or known.answer == "clause")


def _lines(job: DraftJob, graph: Graph, told: Told, point: Point, said: set[tuple[str, int]]) -> Sequence[str]:
    settings, units = told.settings, told.units(point)
    best = units[0]
    span = Span(document=best.document, start=best.pieces[0][0], end=best.pieces[-1][1])
    lines: list[str] = []
    for tie in graph.expand(span, limit=8):
        key = (tie.span.document, tie.span.start)
        wanted = {"defines": settings.include_definitions, "refers": settings.include_cross_references}
        if not wanted.get(tie.relation, False) or not tie.exact or key in said or _is_quoted(tie, units):
            continue
        line = _line(job, told, tie)
        if line and len(lines) < _MOST:
            said.add(key)
            lines.append(line)
    return lines


def _is_quoted(tie: Related, units: Sequence[Unit]) -> bool:
    return any(u.document == tie.span.document and u.start <= tie.span.start < u.pieces[-1][1] for u in units)


def is_plain(term: str) -> bool:
    """Tell whether a term is one of every paper: "this Agreement", "the Parties"."""
    return bool(_PLAIN.search(f"'{term}'"))


def explains(tie: Related, words: str) -> bool:
    """Tell whether a definition explains its term: not one of every paper ("this Agreement"), nor a mere naming."""
    return not _PLAIN.search(tie.reason) and bool(_MEANS.search(words[:200]))


def _line(job: DraftJob, told: Told, tie: Related) -> str:
    words = quotable(job.texts[tie.span.document].text[tie.span.start : tie.span.end])
    if tie.relation == "defines" and not explains(tie, words):
        return ""
    kept = " ".join(words.split()[:_WORDS])
    if len(kept.split()) < _LEAST:
        return ""
    where = f"{told.name(tie.span.document)} {tie.label}".rstrip()
    shown = f"“{kept}{'' if kept == words else ' …'}” [{where}]"
    return f"Defined term: {shown}" if tie.relation == "defines" else f"It refers to {tie.label or 'this'}: {shown}"
