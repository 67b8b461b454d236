"""Asks: every question, item and constraint of a brief, and what became of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Literal

from tasks.matter.base import Record
from tasks.sources.records import Span

TO_BE_VERIFIED = "to be verified"
"""How a work product marks an answer that somebody must check."""


class AskKind(StrEnum):
    """The kind of answer that is wanted."""

    FACT = "fact"
    LIST = "list"
    YES_NO = "yes_no"
    COMPARISON = "comparison"
    CALCULATION = "calculation"
    TIMELINE = "timeline"
    JUDGMENT = "judgment"
    DRAFTING = "drafting"
    CONSTRAINT = "constraint"


class Ask(Record):
    """One thing that the brief wants. ``brief[start:end] == words``.

    Attributes:
        ask_id: Its number in reading order, as the table of asks shows it: ``1``, ``2``, ``2(a)``.
        words: The client's words.
        subject: The ask as it is understood alone, in words that can be read and searched for: the nouns that its
            pronouns stand for, the lead of its list, and in brackets what it goes on about where its own words do not
            tell.
        documents: Names of the documents that it speaks of; empty where it speaks of the whole data room.
        each: Whether every one of those documents gets an answer of its own.
        deliverables: Names of the files that must carry the answer; empty where any of them may.
    """

    ask_id: str
    words: str
    start: int
    end: int
    kind: AskKind
    subject: str
    documents: tuple[str, ...] = ()
    each: bool = False
    deliverables: tuple[str, ...] = ()


class Asks(Record):
    """The brief of a matter as its asks.

    Attributes:
        asks: In the order of the brief.
        background: Stretches ``(start, end)`` of the brief that ask nothing: facts told, courtesies, the file names.
        title: What the request is about, in few words.
        uncovered: Stretches that neither an ask nor the background accounts for; a gate reports them.
    """

    schema_version: int = 1
    brief: str
    asks: tuple[Ask, ...]
    title: str = ""
    background: tuple[tuple[int, int], ...] = ()
    uncovered: tuple[tuple[int, int], ...] = ()


class AskState(StrEnum):
    """What became of an ask. Every ask ends in exactly one."""

    ANSWERED = "answered"
    NOT_FOUND = "searched and not found"
    NOT_ATTEMPTED = "not attempted"


class Entry(Record):
    """The answer to an ask out of one document, or out of the data room as a whole.

    Attributes:
        document: Name of the document; empty where the answer is of no one document.
        answer: The answer in one line, as it stands in the work product; for a denial, the denial.
        support: Where it stands in the sources, the operative words first. An answer has at least one, unless it is
            computed (``basis``) or rests on law.
        basis: How it was computed, or the law it rests on; else empty.
        topic: Name of the provision of the catalogue that it is about; empty where it is about none.
        day: The answer as an ISO date, where it is one.
        note: What qualifies it.
        certain: False where it rests on weak cues and is shown as "to be verified".
        searched: What was searched for, before it was said that nothing is there.
        nearest: The nearest passages that the search gave.
        reason: Why it was not attempted.
        vouched: Who says so, where a model was asked beside the rules of the harness: the rules alone, the model alone
            in words that were verified, or both; empty where none was asked.
    """

    document: str = ""
    state: AskState
    answer: str = ""
    support: tuple[Span, ...] = ()
    basis: str = ""
    topic: str = ""
    day: str = ""
    note: str = ""
    certain: bool = True
    searched: tuple[str, ...] = ()
    nearest: tuple[Span, ...] = ()
    reason: str = ""
    vouched: Literal["", "rules", "model", "both"] = ""


class AskAnswer(Record):
    """What a work product claims about one ask.

    Attributes:
        answer: The line of the table of asks; a way that gives entries alone leaves it empty, and the rendering makes
            it of them.
        where: Where the answer stands, as the table of asks says it; given by the rendering.
        entries: Answers by document; one where the ask is not about each document.
    """

    ask_id: str
    state: AskState
    answer: str = ""
    where: str = ""
    entries: tuple[Entry, ...] = ()


class AskOutcome(Record):
    """What became of an ask, as the release report tells it.

    Attributes:
        state: The claim of the work product, corrected by what the gate of the asks found.
        problem: Why the claim was not accepted; empty where it was.
    """

    ask: Ask
    state: AskState
    answer: str = ""
    where: str = ""
    entries: tuple[Entry, ...] = ()
    problem: str = ""

    @property
    def doubtful(self) -> bool:
        """Whether it is answered or denied, and by its own words to be verified."""
        said = TO_BE_VERIFIED in self.answer.lower() or any(not e.certain for e in self.entries)
        return said and self.state is not AskState.NOT_ATTEMPTED


def state_of(entries: Iterable[Entry]) -> AskState:
    """Return the state of an ask from its entries: one that is not attempted leaves the whole ask open."""
    states = {e.state for e in entries}
    if not states or AskState.NOT_ATTEMPTED in states:
        return AskState.NOT_ATTEMPTED
    return AskState.ANSWERED if AskState.ANSWERED in states else AskState.NOT_FOUND


def by_id(answers: Iterable[AskAnswer]) -> Mapping[str, AskAnswer]:
    """Return answers by the number of their ask."""
    return {a.ask_id: a for a in answers}
