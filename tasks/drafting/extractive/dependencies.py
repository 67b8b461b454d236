"""What a finding depends on: the definitions of the terms it uses, and the clauses that it refers to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from skills_repo.schema import Procedure
from tasks.drafting.extractive.answers import Answer
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.records import DraftJob
from tasks.legaltext.fold import quotable
from tasks.retrieval.graph.graph import Graph, build_graph
from tasks.retrieval.graph.records import Related
from tasks.sources.records import Span

_MOST = 2  # lines of a finding
_WORDS = 40
_MEANS = re.compile(r"\b(?:means?|shall mean|is defined|has the meaning|have the meaning|refers? to|includes?)\b", re.I)
_PLAIN = re.compile(r"'(?:this )?(?:agreement|part(?:y|ies)|effective date|term|contract|company|section)s?'", re.I)
Dependencies = Mapping[tuple[str, str], tuple[str, ...]]


def dependencies_of(
    job: DraftJob, readings: Sequence[SentencedDocument], answers: Mapping[str, Sequence[Answer]], settings: Procedure
) -> Dependencies:
    """Return lines on the definitions and clauses that each finding depends on, each once per document.

    The key is the document and the name of the provision.
    """
    if not (settings.include_definitions or settings.include_cross_references) or not readings:
        return {}
    graph = build_graph(job.texts, {name: job.index.clauses(name) for name in job.texts})
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for reading in readings:
        told: set[tuple[str, int]] = set()
        for answer in answers.get(reading.document, ()):
            if answer.found and answer.support and answer.topic.provision.answer == "clause":
                lines = _lines(job, graph, reading, answer, settings, told)
                if lines:
                    found[reading.document, answer.topic.provision.name] = lines
    return found


def _lines(
    job: DraftJob,
    graph: Graph,
    reading: SentencedDocument,
    answer: Answer,
    settings: Procedure,
    told: set[tuple[str, int]],
) -> tuple[str, ...]:
    best = max(answer.support, key=lambda u: (answer.weight(u), -u.start))
    span = Span(document=reading.document, start=best.pieces[0][0], end=best.pieces[-1][1])
    lines: list[str] = []
    for tie in graph.expand(span, limit=8):
        key = (tie.span.document, tie.span.start)
        wanted = {"defines": settings.include_definitions, "refers": settings.include_cross_references}.get(
            tie.relation, False
        )
        quoted = any(u.start <= tie.span.start < u.pieces[-1][1] for u in answer.support)
        if not wanted or not tie.exact or key in told or (quoted and tie.span.document == reading.document):
            continue
        line = _line(job, reading, tie)
        if line and len(lines) < _MOST:
            told.add(key)
            lines.append(line)
    return tuple(lines)


def _line(job: DraftJob, reading: SentencedDocument, tie: Related) -> str:
    words = quotable(job.texts[tie.span.document].text[tie.span.start : tie.span.end])
    if tie.relation == "defines" and (_PLAIN.search(tie.reason) or not _MEANS.search(words[:200])):
        return ""
    kept = " ".join(words.split()[:_WORDS])
    if len(kept.split()) < 4:
        return ""
    where = reading.identity.short if tie.span.document == reading.document else tie.span.document
    shown = f"“{kept}{'' if kept == words else ' …'}” [{where} {tie.label}]".replace(" ]", "]")
    return f"Defined term: {shown}" if tie.relation == "defines" else f"It refers to {tie.label or 'this'}: {shown}"
