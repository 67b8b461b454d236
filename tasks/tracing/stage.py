"""A raw trace of any runtime, as one normal form."""

from __future__ import annotations

from pathlib import Path

from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.formats import trace_parser
from tasks.tracing.pricing import price
from tasks.tracing.records import Trajectory

MAX_BYTES = 256 * 2**20


def trace(path: Path, trace_format: str) -> Trajectory:
    """Normalise a trace. Never raises for what the trace holds: what is not understood is a problem in the record.

    Args:
        path: The raw trace.
        trace_format: lab, codex, claude-code, opencode, openhands or openclaw.

    Returns:
        Turns, actions with their buckets, and usage in disjoint token columns; priced from the table where the
        trace reports no cost but names a model that has a price.
    """
    builder = TrajectoryBuilder(trace_format=trace_format)
    parser = trace_parser(trace_format)
    if parser is None:
        builder.problem(0, f"no parser for trace format {trace_format!r}")
    else:
        try:
            parser(_read(path, builder), builder)
        except Exception as error:  # noqa: BLE001 - an agent wrote the trace; it must not cost the attempt its record
            builder.problem(0, f"the parser failed: {type(error).__name__}")
    trajectory = builder.build()
    if trajectory.usage.cost_source == "none" and trajectory.model:
        return trajectory.model_copy(update={"usage": price(trajectory.usage, trajectory.model)})
    return trajectory


def _read(path: Path, builder: TrajectoryBuilder) -> str:
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        builder.problem(0, f"no trace to read: {error.strerror}")
        return ""
    if len(data) > MAX_BYTES:
        builder.problem(0, f"longer than {MAX_BYTES // 2**20} MiB; the rest is left out")
    return data[:MAX_BYTES].decode("utf-8", "replace")
