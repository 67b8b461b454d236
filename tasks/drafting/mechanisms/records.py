"""What a mechanism is, what it may see, and the record that it acted.

A mechanism acts at one moment of an attempt, and only there. The same unit runs in a live attempt and over a stored one
(``solon study replay``), so it sees nothing but a :class:`View` and calls no model itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from tasks.asks.records import Asks
from tasks.matter.base import Record


class Moment(StrEnum):
    """When a mechanism may act."""

    CALL = "call"  # a tool call came that cannot be understood
    CONTEXT = "context"  # the next request would not fit the model's context window
    BUILD = "build"  # the text of a deliverable is made into its file: learned mechanisms alone
    FINISH = "finish"  # the model stops working
    END = "end"  # nothing more is asked of the model: files are put right
    PICK = "pick"  # several drafts of the matter are there, and one is delivered


class Firing(Record):
    """One time that a mechanism acted.

    Attributes:
        mechanism: Its name, as cells switch it.
        turn: Turn of the attempt, from 1; 0 outside of turns.
        note: What it saw and what it did, in a sentence of at most 500 characters.
        files: Files of ``output/`` that it wrote, moved or replaced.
    """

    mechanism: str
    moment: Moment
    turn: int = 0
    note: str
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """One tool call of the solver, whole, and what came back.

    Attributes:
        arguments: As parsed; ``{"_raw": text}`` where they could not be.
        result: What the model was shown.
    """

    turn: int
    tool: str
    arguments: Mapping[str, Any]
    result: str = ""
    failed: bool = False


@dataclass(frozen=True)
class View:
    """What a mechanism may see of an attempt.

    Attributes:
        brief: The instructions of the matter.
        wanted: File names of the deliverables; empty when any file in ``output/`` counts.
        documents: Canonical text by document name.
        output: Folder of the work product.
        scratch: Folder of the solver's own files; it may not exist.
        steps: Tool calls so far, in order.
        said: Last message of the solver.
        report: Markdown release report of the draft at hand; empty where there is none yet.
        turn: The turn at hand.
        fired: What mechanisms did before, in order.
        asks: What the brief asks; None where nobody read it.
        demanded: Tools that the skill demands and that there are.
    """

    brief: str
    wanted: tuple[str, ...]
    documents: Mapping[str, str]
    output: Path
    scratch: Path
    steps: Sequence[Step] = ()
    said: str = ""
    report: str = ""
    turn: int = 0
    fired: Sequence[Firing] = field(default=())
    asks: Asks | None = None
    demanded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pick:
    """The draft that is taken among several.

    Attributes:
        place: From 0.
        note: How each draft stood, in a sentence.
    """

    place: int
    note: str


def times_fired(view: View, name: str) -> int:
    """Return how often a mechanism has acted in the attempt."""
    return sum(1 for firing in view.fired if firing.mechanism == name)


class Named(Protocol):
    """What every mechanism has: the name by which cells switch it, and its moment."""

    @property
    def name(self) -> str:
        """Return the name."""
        ...

    @property
    def moment(self) -> Moment:
        """Return the moment."""
        ...


@runtime_checkable
class Repair(Named, Protocol):
    """Acts at ``call``."""

    def repaired(self, tool: str, arguments: str, known: Mapping[str, Mapping[str, Any]]) -> tuple[str, str] | None:
        """Return the name of a tool and JSON arguments that can be understood, or None where there is no safe repair.

        Args:
            tool: Name as the model gave it; empty where there was no call, but a message that may hold one as text.
            arguments: The text as it came; that message where ``tool`` is empty.
            known: JSON schemas of the arguments, by name of the tools that there are.
        """
        ...


@runtime_checkable
class Compaction(Named, Protocol):
    """Acts at ``context``."""

    def compacted(self, messages: Sequence[Mapping[str, Any]], room: int) -> list[dict[str, Any]] | None:
        """Return shorter chat messages, or None where nothing can go.

        Args:
            messages: In the OpenAI form; a tool's message stays behind the call that it answers.
            room: Characters that the messages may have.
        """
        ...


@runtime_checkable
class Guard(Named, Protocol):
    """Acts at ``finish``."""

    def objection(self, view: View) -> str:
        """Return what the model is told before it may finish; empty where it may finish."""
        ...


@runtime_checkable
class Landing(Named, Protocol):
    """Acts at ``end``."""

    def landed(self, view: View) -> Sequence[Firing]:
        """Put the files of ``view.output`` right; return what was done. Nothing outside ``output`` is changed."""
        ...


@runtime_checkable
class Picks(Named, Protocol):
    """Acts at ``pick``."""

    def picked(self, views: Sequence[View]) -> Pick:
        """Return which of several drafts is delivered; nothing is changed."""
        ...


Mechanism = Repair | Compaction | Guard | Landing | Picks
