"""Cells, limits, work products, and the protocols of runtimes and tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import Field

from tasks.harness import Harness
from tasks.matter.base import Record, content_hash
from tasks.matter.failures import Failure
from tasks.matter.records import Matter
from tasks.matter.usage import Usage
from tasks.retrieval.records import KnowledgePack, Searcher
from tasks.sources.records import CanonicalText, MatterState


class Limits(Record):
    """Budgets of one attempt. Reaching one ends the attempt with an outcome, not a crash."""

    wall_seconds: float = 900.0
    max_tokens: int = 2_000_000
    max_usd: float = 25.0
    max_turns: int = 100


class Cell(Record):
    """One configuration under test.

    Attributes:
        name: As given on the command line and shown in reports, e.g. ``extractive``.
        runtime: extractive, api, basic, codex, …
        profile: Model profile; empty for runtimes without a model.
        effort: Reasoning effort handed to the model; empty for its default.
        revise: Bounded revision passes after the release report (0 reproduces the paper).
    """

    name: str
    runtime: str
    profile: str = ""
    effort: str = ""
    revise: int = 0
    limits: Limits = Limits()
    options: dict[str, Any] = Field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Content hash of the configuration (64 hex digits)."""
        return content_hash(self)


class OutputFile(Record):
    """A file of the work product, relative to ``output/``."""

    filename: str
    sha256: str
    size: int


class WorkProduct(Record):
    """What an attempt left behind.

    Attributes:
        files: Files below ``output/``, ordered by name.
        outcome: ``finished``, or why the attempt ended.
        transcript: File name of the raw trace beside ``output/``; empty when none was written.
        trace_format: lab, codex, claude-code, opencode, openhands, openclaw.
        final_message: Last message of the solver, at most 4,000 characters.
    """

    schema_version: int = 1
    files: tuple[OutputFile, ...]
    outcome: Literal["finished", "failed", "timeout", "budget"]
    transcript: str = "transcript.jsonl"
    trace_format: str = "lab"
    final_message: str = ""
    usage: Usage = Usage()
    failures: tuple[Failure, ...] = ()


class Toolbox(Protocol):
    """The agent-callable tools as a runtime sees them."""

    def names(self) -> Sequence[str]:
        """Return the names of the tools, sorted."""
        ...

    def schema(self, name: str) -> dict[str, Any]:
        """Return the JSON schema of a tool's arguments."""
        ...

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Run a tool and return its JSON result; raises SolonError with a typed failure."""
        ...


@dataclass(frozen=True)
class DraftJob:
    """Everything a runtime may use to draft one matter.

    Attributes:
        texts: Canonical texts by document name (readable documents only).
        workspace: Private folder of this attempt; deliverables go to ``workspace/output``,
            the raw trace to ``workspace/transcript.jsonl``.
        report: Markdown release report of the previous pass when revising, else empty.
        harness: The harness under test.
        attempt_id: Attempt that is made; replies of models are charged to it once.
        epoch: Of the attempt; another epoch never shares a recorded reply.
        replies: Folder of recorded model replies; None keeps none.
        replay: What becomes of them: ``read_write``, ``replay`` (a miss is a failure) or ``off``.
    """

    matter: Matter
    state: MatterState
    texts: Mapping[str, CanonicalText]
    index: Searcher
    pack: KnowledgePack
    cell: Cell
    toolbox: Toolbox
    workspace: Path
    harness: Harness
    report: str = ""
    attempt_id: str = ""
    epoch: int = 1
    replies: Path | None = None
    replay: Literal["off", "read_write", "replay"] = "off"


class Runtime(Protocol):
    """A harness runtime: workspace in, work product and trace out."""

    name: str

    def draft(self, job: DraftJob) -> WorkProduct:
        """Draft the matter; expected failures are outcomes of the work product, not exceptions."""
        ...
