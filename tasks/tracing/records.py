"""The normal form of a trajectory."""

from __future__ import annotations

from typing import Literal

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


class Trajectory(Record):
    """A normalised trace.

    Attributes:
        errors: Failures that the runtime itself reported, e.g. of the provider; at most 20.
        model: Model named in the trace; empty where the format names none.
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
