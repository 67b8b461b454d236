"""A raw trace of any runtime, as one normal form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks.tracing.about import About
from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.defects import defects
from tasks.tracing.formats import trace_parser
from tasks.tracing.measures import (
    audited_before_finishing,
    cached_reads_usd,
    first_read,
    first_write,
    lookups,
    skill_loaded,
    tool_errors,
    tools_used,
    wrote_before_reading,
)
from tasks.tracing.pricing import price, price_list
from tasks.tracing.records import Measures, ParseProblem, Trajectory
from tasks.tracing.serving import ServedRoom, served, showings, too_much
from tasks.tracing.steps import TracedStep

MAX_BYTES = 256 * 2**20  # of a raw trace, which is read into memory; what is left out is said


def trace(path: Path, trace_format: str, about: About | None = None) -> Trajectory:
    """Normalise a trace. Never raises for what the trace holds: what is not understood is a problem in the record.

    Args:
        path: The raw trace.
        trace_format: lab, codex, claude-code, opencode, openhands, openclaw or psionic.
        about: What is known of the attempt; without it nothing is measured.

    Returns:
        Turns, actions with their buckets, and usage in disjoint token columns; priced from the table where the
        trace reports no cost but names a model that has a price.
    """
    builder = _parsed(path, trace_format)
    steps = builder.steps()
    measured = _measured(steps, builder, about) if about else {}
    trajectory = builder.build()
    usage = trajectory.usage
    if usage.cost_source == "none" and trajectory.model:
        usage = price(usage, trajectory.model)
    if not about:
        return trajectory.model_copy(update={"usage": usage})
    found = price_list().find(trajectory.model) if about.cached_read_rate is None else None
    rate = found.cache_read if found else about.cached_read_rate
    billed = about.usage if about.usage.calls else usage
    measures = Measures(**measured.pop("measures"), cached_reads_usd=cached_reads_usd(billed, rate))
    return trajectory.model_copy(update={"usage": usage, "measures": measures, **measured})


@dataclass(frozen=True)
class Whole:
    """A trace whole, for what looks at a stored attempt again.

    Attributes:
        steps: Calls in order, arguments and results uncut; ``{"_raw": text}`` for arguments that are no JSON object.
        said: Last message of the solver.
    """

    steps: Sequence[TracedStep]
    said: str


def whole(path: Path, trace_format: str) -> Whole:
    """Read a trace whole. Never raises for what it holds."""
    builder = _parsed(path, trace_format)
    return Whole(builder.steps(), builder.final_message)


def calls(path: Path, trace_format: str) -> tuple[Sequence[TracedStep], tuple[ParseProblem, ...]]:
    """Return the calls of a trace with their whole arguments, and the lines that could not be understood.

    Args:
        path: The raw trace.
        trace_format: As of :func:`trace`.
    """
    builder = _parsed(path, trace_format)
    return builder.steps(), builder.build().problems


def _parsed(path: Path, trace_format: str) -> TrajectoryBuilder:
    builder = TrajectoryBuilder(trace_format=trace_format)
    parser = trace_parser(trace_format)
    if parser is None:
        builder.problem(0, f"no parser for trace format {trace_format!r}")
        return builder
    try:
        parser(_read(path, builder), builder)
    except Exception as error:  # noqa: BLE001 - an agent wrote the trace; it must not cost the attempt its record
        builder.problem(0, f"the parser failed: {type(error).__name__}")
    return builder


def _measured(steps: Sequence[TracedStep], builder: TrajectoryBuilder, about: About) -> dict[str, Any]:
    """Return the fields of the trajectory that need more than the trace."""
    room = ServedRoom({name: text.text for name, text in about.texts.items()})
    if too_much(steps, room):
        builder.problem(0, "it returned more than is compared with the documents: the shares served are too low")
    shown = showings(steps, room)
    read, wrote = first_read(steps, shown if room.texts else None), first_write(steps)
    found = served(shown, room)
    measures = {
        "words": builder.words(),
        "lookups": lookups(steps),
        "tool_errors": tool_errors(steps),
        "first_read_turn": _turn(steps, read),
        "first_write_turn": _turn(steps, wrote),
        "wrote_before_reading": wrote_before_reading(read, wrote),
        "audited_before_finishing": audited_before_finishing(steps),
        "skill_loaded": skill_loaded(steps, about.skill),
        "mandatory": tools_used(steps, about.mandatory),
    }
    return {"measures": measures, "served": found, "defects": defects(steps, read, found, about)}


def _turn(steps: Sequence[TracedStep], at: int | None) -> int:
    """Return the turn of a step, from 1: what was shown before the first turn was there when it began."""
    return 0 if at is None else max(1, steps[at].turn)


def _read(path: Path, builder: TrajectoryBuilder) -> str:
    """Return the text of a trace. A link or a pipe is none: the agent may have put it in the place of its trace."""
    if path.is_symlink() or not path.is_file():
        builder.problem(0, "no trace to read: there is no such file")
        return ""
    try:
        with path.open("rb") as stream:
            data = stream.read(min(path.stat().st_size, MAX_BYTES) + 1)  # room is made for all that is asked for
    except OSError as error:
        builder.problem(0, f"no trace to read: {error.strerror}")
        return ""
    if len(data) > MAX_BYTES:
        builder.problem(0, f"longer than {MAX_BYTES // 2**20} MiB; the rest is left out")
    return data[:MAX_BYTES].decode("utf-8", "replace")
