"""A question to the researcher, and what it found."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Protocol

from tasks.matter.base import Record
from tasks.matter.failures import Failure
from tasks.retrieval.records import Passage
from tasks.sources.records import Span


class Method(StrEnum):
    """A way to look for an answer."""

    HYBRID = "hybrid"  # words and meaning, over the clauses of the data room
    GRAPH = "graph"  # what a clause refers to, defines, amends
    EXEMPLARS = "exemplars"  # answered questions about other documents, by hypothesis and label
    KNOWLEDGE = "knowledge"  # authorities and windows of the harness
    EXTERNAL = "external"  # tools of others, through MCP


class Question(Record):
    """What is to be found out.

    Attributes:
        documents: Names of the documents that it speaks of; empty for all of the data room.
        client, law: For whom, and under which law, where that is known.
        kind: The kind of answer that is wanted, as the asks name it (``judgment``, ``yes_no`` …); empty where whoever
            asks does not know, and the words of the question tell.
    """

    text: str
    kind: str = ""
    documents: tuple[str, ...] = ()
    client: str = ""
    law: str = ""


class Statement(Record):
    """One thing that was found, with what it rests on.

    Attributes:
        text: What it says; with a model its words, without one the source's.
        spans: Where it stands; ``document[start:end]`` are the words that it rests on.
        authority: Citation of the law that it rests on; empty for a statement about the papers.
        verification: How far the row of that law is verified; empty for a statement about the papers.
        method: How it was found. What is ``external`` is what others say, neither checked nor of the papers.
        source: Who says what is external: the server and its tool. Of exemplars: the label, and the statement that
            they were labelled for. Empty otherwise.
    """

    text: str
    spans: tuple[Span, ...] = ()
    authority: str = ""
    verification: str = ""
    method: Method = Method.HYBRID
    source: str = ""


class Search(Record):
    """One look: with which method, for what words, and what it gave, best first.

    Attributes:
        reason: Why this method was chosen.
        citations: Of the law that was found.
        failure: Why the look could not be taken; None where it was.
    """

    method: Method
    query: str
    reason: str = ""
    passages: tuple[Passage, ...] = ()
    citations: tuple[str, ...] = ()
    failure: Failure | None = None


class Answer(Record):
    """What the researcher says to a question. A gap is said, never filled.

    Attributes:
        state: ``answered`` by what is held; ``not_found`` after the searches named; ``not_attempted``, where ``note``
            says why (needs judgment, an unread document, a method that is not at hand).
        statements: What was found; empty unless answered.
        searches: Every look, in order.
        missing: What would have to be known or brought to answer better, as a question to a person; empty for nothing.
        failure: Why a model that was to phrase the answer could not be asked; None where it could, or there is none.
    """

    question: Question
    state: Literal["answered", "not_found", "not_attempted"]
    statements: tuple[Statement, ...] = ()
    searches: tuple[Search, ...] = ()
    missing: str = ""
    note: str = ""
    failure: Failure | None = None


class Researcher(Protocol):
    """Answers questions about one matter from its papers and the law that is held."""

    def answer(self, question: Question) -> Answer:
        """Return what is found."""
        ...
