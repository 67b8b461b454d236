"""The names that decide a bucket, from ``names.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from tasks.matter.base import Record
from tasks.tracing.records import Bucket


class ToolNames(Record):
    """Named tools by what they do; a shell's command and an editor's sub-command are looked into."""

    shell: frozenset[str]
    editor: frozenset[str]
    read: frozenset[str]
    write: frozenset[str]
    tool: frozenset[str]
    listing: frozenset[str]
    skill: frozenset[str]
    gate: frozenset[str]

    def bucket(self, name: str) -> Bucket:
        """Return the bucket of a tool that is looked up by name alone."""
        if name in self.write:
            return "write"
        if name in self.read:
            return "read"
        return "tool" if name in self.tool else "other"


class Verbs(Record):
    """Verbs of shell commands by what they do."""

    read: frozenset[str]
    tool: frozenset[str]
    write: frozenset[str]
    keyword: frozenset[str]
    listing: frozenset[str]
    arranging: frozenset[str]


class DefectRules(Record):
    """What makes a defect where it is a matter of degree."""

    startup_actions: int
    shortest_heading: int
    stub_words: int
    own_words: int
    words_left: float
    tables: frozenset[str]


class TraceNames(Record):
    """Everything ``names.toml`` holds. ``wrappers`` gives the options of each that take a value."""

    tools: ToolNames
    verbs: Verbs
    defects: DefectRules
    wrappers: dict[str, frozenset[str]]


@cache
def trace_names() -> TraceNames:
    """Return the names that ship with Solon."""
    table = files("tasks.tracing").joinpath("names.toml").read_text("utf-8")
    return TraceNames.model_validate(tomllib.loads(table))
