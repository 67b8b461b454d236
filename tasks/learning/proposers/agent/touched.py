"""The audit of an agent's calls: an iteration that reached for what it may not see is void, whatever it found."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tasks.drafting.workspace.records import ROOM
from tasks.tracing.stage import calls
from tasks.tracing.steps import TracedStep

# Files of a learning run and of the judge's side, under whatever path.
_FILES: Final = re.compile(
    r"\b(?:split\.json|holdout\.jsonl|ledger\.jsonl|task\.json|checklist\.json)\b|\.(?:duckdb|parquet)\b"
    r"|\b(?:judge-cache|held[-_]out|hold[-_]?outs?\.\w+|rubrics?[\w-]*\.(?:json|toml|md|txt|ya?ml))\b"
    r"|(?:^|[\s/'\"=])(?:sealed|runs|warehouse|learning)/",
    re.IGNORECASE,
)
_SEARCHED: Final = re.compile(
    r"hold[-_ ]?outs?\b|held[-_ ]?out|test[-_ ]?(?:side|split)|rubrics?\b|match_criteria", re.I
)
_ABSOLUTE: Final = re.compile(r"(?<![\w.:/*<-])/[\w@.+-]+(?:/[\w@.+-]*)*")
_CLIMBING: Final = re.compile(r"(?:\.\./)+(?:[\w@.+-]+)?")
# Of every machine; nothing of a matter or of Solon lies there inside a sandbox.
_OF_THE_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/tmp", "/dev/null", "/dev/stdout", "/dev/stderr")  # noqa: S108
_ELSEWHERE: Final = frozenset({"etc", "root", "home", "proc", "sys", "run", "var", "opt", "mnt", "srv", "work", "data"})
_DEEPEST: Final = 7  # folders between the root and the deepest file of the copy


def touched(trace: Path, trace_format: str) -> str:
    """Say how an iteration reached beyond its room; empty where it did not.

    Args:
        trace: The stream of the agent program.
        trace_format: Name of its adapter.
    """
    steps, problems = calls(trace, trace_format)
    if problems:
        return "its trajectory cannot be read whole, so nobody can say what it touched"
    return next((found for step in steps if (found := _of_step(step))), "")


def _of_step(step: TracedStep) -> str:
    for said in _strings(step.arguments):
        if _FILES.search(said):
            return "it named a file of the split, of a holdout, of a rubric or of the runs"
        written = step.bucket == "write"
        if not written and _SEARCHED.search(said):
            return "it searched for a holdout or a rubric"
        # What is written into a file is text, not a path; the line that writes it is a command.
        if (not written or "\n" not in said or step.commands) and _outside(
            said.partition("\n")[0] if written else said
        ):
            return "it reached outside of its room"
    return ""


def _outside(said: str) -> bool:
    inside = (ROOM, *_OF_THE_SYSTEM)
    for hit in _ABSOLUTE.findall(said):
        place = posixpath.normpath(hit)
        if not any(place == top or place.startswith(f"{top}/") for top in inside):
            return True
    climbs = _CLIMBING.findall(said)
    return any(hit.count("../") >= _DEEPEST or hit.rpartition("/")[2] in _ELSEWHERE for hit in climbs)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (str(key), *_strings(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)
