"""The normal form of a trajectory."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.matter.base import Record
from tasks.matter.usage import Usage

Bucket = Literal["read", "tool", "write", "other"]


class Action(Record):
    """One action of the solver: a tool call, never text or thinking."""

    index: int
    turn: int
    tool: str
    bucket: Bucket
    arguments: str = ""  # JSON, at most 2,000 characters
    result_preview: str = ""  # at most 500 characters
    failed: bool = False


class ParseProblem(Record):
    """A line of a trace that could not be understood."""

    line: int
    message: str


class Served(Record):
    """How much of a document the solver was shown.

    Attributes:
        characters: Of its canonical text.
        served: Of these, how many some action returned; what was returned twice counts once.
    """

    document: str
    characters: int
    served: int


class Measures(Record):
    """What a trajectory was like. Each field is one function of :mod:`tasks.tracing.measures`, which says what counts.

    Attributes:
        words: Of the solver and of its tools together.
        first_read_turn, first_write_turn: 0 where it never did.
        skill_loaded: The skill that the solver itself opened; empty where it opened none.
        mandatory: Calls of each tool that its skill calls mandatory.
        cached_reads_usd: What cached reads cost of the solver's bill; None where their rate is not known.
    """

    words: int = 0
    lookups: int = 0
    tool_errors: int = 0
    first_read_turn: int = 0
    first_write_turn: int = 0
    wrote_before_reading: bool = False
    audited_before_finishing: bool = False
    skill_loaded: str = ""
    mandatory: dict[str, int] = Field(default_factory=dict)
    cached_reads_usd: float | None = None


DefectId = Literal["D1", "D2", "D3", "D4", "D5", "D6", "D7"]


class Defect(Record):
    """A defect of B.4 of the paper that a trace shows.

    Attributes:
        by_construction: It is the configuration that has it: every attempt of the cell does.
        evidence: Why, in one sentence of counts: no name, amount or word of the matter.
    """

    defect: DefectId
    by_construction: bool = False
    evidence: str


class Trajectory(Record):
    """A normalised trace.

    Attributes:
        errors: Failures that the runtime itself reported, e.g. of the provider; at most 20.
        model: Model named in the trace; empty where the format names none.
        internal: What a runtime looked up by itself: no call of a tool, and counted as none.
        served: How much of each document was shown, by name of the document.
        measures: None where nothing but the trace was known, or an earlier version traced it.
    """

    schema_version: int = 1
    trace_format: str
    turns: int
    actions: tuple[Action, ...]
    usage: Usage = Usage()
    problems: tuple[ParseProblem, ...] = ()
    final_message: str = ""
    errors: tuple[str, ...] = ()
    model: str = ""
    internal: tuple[Action, ...] = ()
    served: tuple[Served, ...] = ()
    measures: Measures | None = None
    defects: tuple[Defect, ...] = ()
