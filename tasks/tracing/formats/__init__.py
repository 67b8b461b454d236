"""Parsers of traces, one per format, behind one registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.formats.claude_code import parse_claude_code
from tasks.tracing.formats.codex import parse_codex
from tasks.tracing.formats.lab import parse_lab
from tasks.tracing.formats.openclaw import parse_openclaw
from tasks.tracing.formats.opencode import parse_opencode
from tasks.tracing.formats.openhands import parse_openhands
from tasks.tracing.formats.psionic import parse_psionic

Parser = Callable[[str, TrajectoryBuilder], None]


_PARSERS: Mapping[str, Parser] = MappingProxyType(
    {
        "lab": parse_lab,
        "codex": parse_codex,
        "claude-code": parse_claude_code,
        "opencode": parse_opencode,
        "openhands": parse_openhands,
        "openclaw": parse_openclaw,
        "psionic": parse_psionic,
    }
)


def trace_formats() -> tuple[str, ...]:
    """Return the names of the formats."""
    return tuple(_PARSERS)


def trace_parser(trace_format: str) -> Parser | None:
    """Return the parser of a format, or ``None``. A parser reads the whole trace into the builder, never raising."""
    return _PARSERS.get(trace_format)
