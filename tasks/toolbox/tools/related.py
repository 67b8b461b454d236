"""What a clause depends on: definitions, cross-references, amendments, across the documents of the matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from tasks.retrieval.graph.graph import Graph, build_graph
from tasks.retrieval.graph.records import Related
from tasks.retrieval.records import Clause, Searcher
from tasks.sources.records import CanonicalText, Span
from tasks.toolbox.desk import Desk, refused
from tasks.toolbox.folder import open_room
from tasks.toolbox.registry import Tool

_SHOWN = 1_500  # characters of one provision: most are shown whole
_MOST = 40  # ties of one provision that are shown, the nearest first
_FARTHEST = 3  # references from one another that are followed: farther off nearly everything is tied


def related(
    desk: Desk,
    document: str,
    *,
    clause: str = "",
    start: int = -1,
    end: int = -1,
    term: str = "",
    hops: int = 1,
    inbound: bool = False,
    sources: str | None = None,
) -> dict[str, Any]:
    """Return the definitions, provisions and documents that a clause depends on, each with its span and the reason.

    Args:
        desk: What the caller may look at.
        document: Name of the document.
        clause: The clause as it is cited: "9.2(b)", "Article IV", "Exhibit A", or its heading.
        start: Where no clause is named: offset at which the stretch begins.
        end: And where it ends.
        term: Where a defined term alone is asked for: the term.
        hops: 2 follows the ties of what is found, too (at most 3).
        inbound: Add the clauses that refer to this one.
        sources: Folder to look in; the data room of the matter, or the folders served, when absent.
    """
    texts = desk.texts if sources is None and desk.texts else open_room(desk, sources).texts
    if document not in texts:
        raise refused(document, "is not a document of the matter", f"use one of {', '.join(sorted(texts)[:5])}")
    graph = graph_of(texts, desk.index if sources is None else None, desk.cache)
    if term:
        found = graph.definition(document, term)
        return {"document": document, "term": term, "related": [_row(found, texts)] if found else []}
    span = _requested_span(graph, texts[document], clause, start, end)
    ties = graph.expand(span, hops=max(1, min(hops, _FARTHEST)), limit=_MOST, inbound=inbound)
    lost = [d.said for d in graph.dangling() if _within(d.span, span)]
    return {
        "document": document,
        "start": span.start,
        "end": span.end,
        "text": _excerpt(texts, span),
        "related": [_row(tie, texts) for tie in ties],
        "leads_nowhere": lost,
    }


def graph_of(texts: Mapping[str, CanonicalText], index: Searcher | None, cache: Path | None) -> Graph:
    """Return the graph of the documents; the last one is kept for the questions that follow."""
    return _built(_Room.of(texts, index, cache))


def _requested_span(graph: Graph, text: CanonicalText, clause: str, start: int, end: int) -> Span:
    if clause:
        span = graph.clause_span(text.document, clause)
        if span is None:
            raise refused(
                clause[:100], f"is no clause of {text.document}", "name it as it is cited, or give start and end"
            )
        return span
    if not 0 <= start < end <= len(text.text):
        message = f"is no stretch of the document (0 to {len(text.text)})"
        raise refused(f"{start}-{end}", message, "name a clause, or give start and end")
    return Span(document=text.document, start=start, end=end)


def _row(tie: Related, texts: Mapping[str, CanonicalText]) -> dict[str, Any]:
    fields = tie.model_dump(mode="json", exclude={"span"})
    return {**fields, **tie.span.model_dump(mode="json"), "text": _excerpt(texts, tie.span)}


def _excerpt(texts: Mapping[str, CanonicalText], span: Span) -> str:
    words = texts[span.document].text[span.start : span.end]
    return words if len(words) <= _SHOWN else words[:_SHOWN] + "…"


def _within(inner: Span, outer: Span) -> bool:
    return inner.document == outer.document and outer.start <= inner.start < outer.end


@dataclass(frozen=True)
class _Room:
    """The documents of a matter; two are equal where their bytes and readers are."""

    key: tuple[tuple[str, str, str], ...]
    texts: Mapping[str, CanonicalText] = field(compare=False)
    index: Searcher | None = field(compare=False)
    cache: Path | None = field(compare=False)

    @classmethod
    def of(cls, texts: Mapping[str, CanonicalText], index: Searcher | None, cache: Path | None) -> _Room:
        return cls(tuple((n, texts[n].sha256, texts[n].extractor) for n in sorted(texts)), texts, index, cache)

    def clauses(self, name: str) -> Sequence[Clause]:
        from tasks.retrieval.clauses import clause_tree

        return (self.index.clauses(name) if self.index else ()) or clause_tree(self.texts[name])


@lru_cache(maxsize=1)
def _built(room: _Room) -> Graph:
    """Build the graph once for the questions that an agent asks one after another."""
    return build_graph(room.texts, {name: room.clauses(name) for name in room.texts}, room.cache)


TOOL = Tool(related, stage="retrieval", seconds=300.0, example='agreement.docx --clause "9.2(b)" --sources documents')
