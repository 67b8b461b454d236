"""Waits for an agent program: until it ends, hangs, floods, lingers after its last event, or has used up its limits."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tasks.drafting.cli_agents.proxies.model import ModelProxy
from tasks.drafting.cli_agents.proxies.tools import ToolProxy
from tasks.drafting.cli_agents.records import WatchLimits
from tasks.drafting.cli_agents.stream_reader import StreamReader
from tasks.drafting.workspace.records import Process

_STEP = 0.25  # seconds between two looks
_MIB = 2**20  # bytes


class End(StrEnum):
    """How the program ended."""

    EXITED = "exited"
    LINGERED = "lingered"  # it had ended its work
    STOPPED = "stopped"  # its model answers no more: budget, login, endpoint
    SILENT = "silent"
    FLOODED = "flooded"
    TIME = "time"


@dataclass(frozen=True)
class Watched:
    """The end of a program.

    Attributes:
        exit_code: None where it was killed.
    """

    end: End
    exit_code: int | None
    seconds: float


def watch(
    process: Process,
    reading: StreamReader,
    stderr: Path,
    model: ModelProxy,
    tools: ToolProxy,
    limits: WatchLimits,
    wall_seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> Watched:
    """Wait for the end, and end the program if it does not; no process of it is left when this returns."""
    began = heard = clock()
    ended = stopped = 0.0
    noise = 0
    try:
        while (code := process.wait(_STEP)) is None:
            now = clock()
            errors = _size(stderr)
            if reading.more() or errors != noise or model.waiting or tools.waiting:
                heard = now
            heard, noise = max(heard, model.heard, tools.heard), errors
            ended = (ended or now) if reading.ended else 0.0
            stopped = (stopped or now) if model.stop else 0.0
            end = _why_to_end(reading, limits, now - heard, ended and now - ended, stopped and now - stopped)
            if now - began >= wall_seconds:
                end = End.TIME
            if end is not None:
                return Watched(end, None, now - began)
    finally:
        process.kill()
        reading.close()
    return Watched(End.EXITED, code, clock() - began)


def _why_to_end(reading: StreamReader, limits: WatchLimits, silent: float, ended: float, stopped: float) -> End | None:
    if reading.size > limits.stream_mb * _MIB:
        return End.FLOODED
    if ended > limits.linger_seconds:
        return End.LINGERED
    if stopped > limits.grace_seconds:
        return End.STOPPED
    return End.SILENT if silent > limits.idle_seconds else None


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
