"""Files of JSON lines that several processes add to, one whole line at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from tasks.matter.base import Record

R = TypeVar("R", bound=Record)


def add_line(file: Path, entry: Record) -> None:
    """Add an entry in one write; the half line of a process that was killed is ended first."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab+", buffering=0) as stream:  # a buffer would part a long line
        fcntl.flock(stream, fcntl.LOCK_EX)  # what another is writing has no end yet
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - 1))
        torn = size > 0 and stream.read(1) != b"\n"
        stream.write(b"\n" * torn + entry.model_dump_json().encode() + b"\n")


def read_lines(data: bytes, kind: type[R]) -> Iterator[R]:
    """Read whole lines; half a line of a killed process is left out, because nothing was done after it."""
    for line in data.splitlines():
        with contextlib.suppress(ValidationError):
            yield kind.model_validate_json(line)
