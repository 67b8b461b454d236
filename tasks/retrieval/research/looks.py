"""The ways to look for an answer: each takes a question and gives the search it made and what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from knowledge_db import KnowledgeBase
from knowledge_db.answering import answers_of
from tasks.retrieval.graph.graph import Graph
from tasks.retrieval.records import Passage, Searcher
from tasks.retrieval.research.choice import Chosen
from tasks.retrieval.research.records import Method, Question, Search, Statement
from tasks.retrieval.together import read_rows


@dataclass(frozen=True)
class Looked:
    """One look.

    Attributes:
        search: The look as it stands in the answer.
        statements: What answers the question by itself; passages of the papers are read by the researcher.
        silent: Documents that are held to say nothing of what is asked, whatever words they share with it.
    """

    search: Search
    statements: tuple[Statement, ...] = ()
    silent: tuple[str, ...] = ()


class Looker(Protocol):
    """A way to look for an answer."""

    def look(self, question: Question, why: Chosen, found: Sequence[Passage]) -> Looked:
        """Look for the answer to a question; ``found`` is what earlier looks found in the papers, best first."""
        ...


class HybridLook:
    """Searches the clauses of the papers by words and by meaning."""

    def __init__(self, index: Searcher, passages: int) -> None:
        """Take the index, and how many passages a search gives."""
        self._index, self._passages = index, passages

    def look(self, question: Question, why: Chosen, found: Sequence[Passage]) -> Looked:  # noqa: ARG002 (the form)
        """Return the best passages."""
        hits = self._index.search(question.text, self._passages, question.documents or None)
        return Looked(Search(method=why.method, query=question.text, reason=why.reason, passages=tuple(hits)))


class GraphLook:
    """Follows what the passages found refer to, define or amend."""

    def __init__(self, graph: Callable[[], Graph]) -> None:
        """Take what gives the graph of the matter."""
        self._graph = graph

    def look(self, question: Question, why: Chosen, found: Sequence[Passage]) -> Looked:
        """Return the definitions of the terms of the question, then what the passages depend on."""
        graph = self._graph()
        names = question.documents or tuple(dict.fromkeys(p.span.document for p in found))
        defined = [p for name in names for p in graph.defined(name, question.text)]
        tied = [*defined, *graph.with_related([*found, *defined])[len(found) + len(defined) :]]
        return Looked(Search(method=why.method, query=question.text, reason=why.reason, passages=tuple(tied)))


class KnowledgeLook:
    """Looks up the authorities and deadlines that the harness holds."""

    def __init__(self, knowledge: KnowledgeBase, rows: int) -> None:
        """Take the knowledge, and how many rows are told."""
        self._knowledge, self._rows = knowledge, rows

    def look(self, question: Question, why: Chosen, found: Sequence[Passage]) -> Looked:  # noqa: ARG002 (the form)
        """Return the rows that answer, each with its standing; none where nothing fits."""
        asked = f"{question.text} {question.law}".strip()
        authorities, windows = answers_of(self._knowledge, read_rows).find(asked, self._rows)
        told = [self._knowledge.standings.told(row) for row in (*authorities.rows, *windows.rows)]
        statements = tuple(_law(row) for row in told)
        cited = tuple(dict.fromkeys(s.authority for s in statements))
        return Looked(Search(method=why.method, query=asked, reason=why.reason, citations=cited), statements)


def _law(row: dict[str, Any]) -> Statement:
    """Return what a row of the knowledge says."""
    timed = "regime" in row
    said = f"{row['regime']}: {_period(row)} to {row['action']}" if timed else row["title"]
    return Statement(
        text=f"{said} ({row['note']})" if row["note"] else said,
        authority=row["authority"] if timed else row["citation"],
        verification=row["standing"],
        method=Method.KNOWLEDGE,
    )


def _period(row: dict[str, Any]) -> str:
    days = f"{row['calendar']} {row['unit']}" if row["calendar"] != "calendar" else row["unit"]
    return f"{row['n']} {days}{'' if row['n'] == 1 else 's'} {row['direction']} {row['trigger']}"
