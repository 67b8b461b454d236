"""Cells, limits, work products, and the protocols of runtimes and tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from pydantic import Field, model_validator

from tasks.asks.records import AskAnswer, Asks
from tasks.drafting.mechanisms.records import Firing, Moment
from tasks.harness import Harness
from tasks.matter.base import Record, content_hash
from tasks.matter.failures import Failure, Outcome
from tasks.matter.records import Matter
from tasks.matter.usage import Usage
from tasks.retrieval.records import KnowledgePack, Searcher
from tasks.sources.records import CanonicalText, MatterState

if TYPE_CHECKING:  # every process that hands out work imports this file; numpy would come with it
    from tasks.models.access import ModelAccess
    from tasks.models.profile import ModelProfile


class Limits(Record):
    """Budgets of one attempt. Reaching one ends the attempt with an outcome, not a crash.

    Attributes:
        max_tokens: All tokens, in and out, of chat models, hosted embedders and rerankers together.
        max_usd: US dollars for all of them.
    """

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


class Solver(Record):
    """The program of others that solved, where a runtime starts one.

    Attributes:
        sha256: Of what does its work (64 hex digits).
        sandbox: What confined it.
        tools: Calls of Solon's tools, by name.
    """

    program: str
    version: str
    sha256: str
    sandbox: str
    tools: dict[str, int] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _without_the_skill(cls, told: Any) -> Any:
        """Pass over what earlier records said of the skill: they guessed it from a stream, the trace tells it."""
        return {k: v for k, v in told.items() if k != "skill_loaded"} if isinstance(told, dict) else told


class WorkProduct(Record):
    """What an attempt left behind.

    Attributes:
        files: Files below ``output/``, ordered by name.
        outcome: ``finished``, or why the attempt ended.
        transcript: File name of the raw trace beside ``output/``; empty when none was written.
        trace_format: lab, codex, claude-code, opencode, openhands, openclaw.
        final_message: Last message of the solver, at most 4,000 characters.
        answers: What is claimed of each ask, where the runtime itself keeps account of them; the others are read by
            the table of asks in the deliverable.
        firings: What the mechanisms of the harness did, in order.
        solver: The agent program that worked, its version and hash; None for runtimes of our own.
    """

    schema_version: int = 1
    files: tuple[OutputFile, ...]
    outcome: Outcome
    transcript: str = "transcript.jsonl"
    trace_format: str = "lab"
    final_message: str = ""
    usage: Usage = Usage()
    failures: tuple[Failure, ...] = ()
    answers: tuple[AskAnswer, ...] = ()
    firings: tuple[Firing, ...] = ()
    solver: Solver | None = None


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


def _models_in_force() -> ModelAccess:
    from tasks.models.access import ModelAccess

    return ModelAccess()


@dataclass(frozen=True)
class DraftJob:
    """Everything a runtime may use to draft one matter.

    Attributes:
        asks: What the brief asks.
        texts: Canonical texts by document name (readable documents only).
        workspace: Private folder of this attempt; deliverables go to ``workspace/output``,
            the raw trace to ``workspace/transcript.jsonl``.
        report: Markdown release report of the previous pass when revising, else empty.
        harness: The harness under test.
        epoch: Of the attempt; another epoch never shares a recorded reply.
        draft: Number of the draft where several are compared, from 1.
        models: What models are called with: profiles, the ledger of the attempt, recorded replies.
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
    asks: Asks
    report: str = ""
    epoch: int = 1
    draft: int = 1
    models: ModelAccess = field(default_factory=_models_in_force)


class Runtime(Protocol):
    """A harness runtime: workspace in, work product and trace out.

    A runtime is one module of ``tasks/drafting/runtimes``, found by its name (``claude_code`` is ``claude-code``), that
    holds an instance as ``RUNTIME``. It keeps nothing between calls: one instance drafts all matters.

    Attributes:
        model: Whether it asks a model: its cells then name a profile, and its stages take seconds, not milliseconds.
        calls_tools: Whether its model calls the tools of the toolbox.
    """

    name: str
    model: bool
    calls_tools: bool

    def draft(self, job: DraftJob) -> WorkProduct:
        """Draft the matter; expected failures are outcomes of the work product, not exceptions."""
        ...


@runtime_checkable
class Advised(Protocol):
    """A runtime that works without a model and asks one where its cell names a profile."""

    advised: Literal[True]


@runtime_checkable
class Optioned(Protocol):
    """A runtime that takes options of its own from a cell.

    Attributes:
        options: Their names. One that nobody reads is refused before a run, for it would change nothing.
    """

    options: Sequence[str]


@runtime_checkable
class Mechanical(Protocol):
    """A runtime in which mechanisms act beside the choice among several drafts, which every model's cell may have.

    Attributes:
        moments: When they do.
    """

    moments: frozenset[Moment]


@runtime_checkable
class Examined(Protocol):
    """A runtime that needs something of this machine, which is looked at before a run begins."""

    def examined(self, cell: Cell, profiles: Sequence[ModelProfile]) -> str:
        """Return what tells the program that it starts from another version of it; part of the cell.

        Args:
            cell: The configuration to be run.
            profiles: Every model that may answer: that of the cell, or those of its route, with their fallbacks.

        Raises:
            SolonError: It is missing, or cannot do what the cell wants (``input``, ``sandbox``).
        """
        ...
