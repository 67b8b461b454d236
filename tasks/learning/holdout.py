"""Looks at a holdout: each is written down, and on the disk, before a matter of it is run, or its score told."""

from __future__ import annotations

import fcntl
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from pydantic import AwareDatetime, Field, ValidationError

from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError

Side = Literal["test", "giant"]
GAIN: Final = "gain"
BEST: Final = "best of k"
SHIPPED: Final = "shipped gain"


class HoldoutLook(Record):
    """One look at a side of the split of a learning run that no decision may depend on.

    Attributes:
        look: Which look at this split it is, from 1.
        step: The last step that had been taken.
        purpose: What it was for: ``gain`` and ``best of k`` of the learning run itself, ``shipped gain``, or what else
            ran its matters or read their scores (``run``, ``judge``, ``report``, ``study curve``).
        matters: Matters of the side that were looked at.
        attempts: Attempts that were to be read or made.
        harness_version: The harness that they are under; empty where they are under several.
    """

    schema_version: int = 1
    learn_id: str
    look: int
    step: int
    side: Side
    purpose: str = Field(min_length=1, max_length=100)
    matters: int
    attempts: int
    harness_version: str
    split_sha256: str
    read_utc: AwareDatetime


class HoldoutLog:
    """The looks at the split of a learning run, one JSON line each."""

    def __init__(self, path: Path, learn_id: str, split_sha256: str) -> None:
        self._path, self._learn_id, self._split = path, learn_id, split_sha256

    def looks(self) -> list[HoldoutLook]:
        """Return the looks so far.

        Raises:
            SolonError: A line that was written whole is no look (``input``): to pass over it would hide one.
        """
        return self._read(self._path.read_bytes()) if self._path.exists() else []

    def _read(self, written: bytes) -> list[HoldoutLook]:
        whole = written.split(b"\n")[:-1]  # what a crash tore has no end of line
        try:
            return [HoldoutLook.model_validate_json(line) for line in whole if line]
        except ValidationError:
            raise SolonError(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="learning",
                    subject=f"{self._learn_id}/{self._path.name}",
                    message="holds a line that is no look at a holdout",
                    remedy="restore the file, or learn under another --learn-id",
                )
            ) from None

    def look(self, side: Side, purpose: str, harness: str, *, step: int, matters: int, attempts: int) -> None:
        """Write a look down; when this returns, it is on the disk. Processes that look at once wait for each other."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+b") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            stream.seek(0)
            written = stream.read()
            row = HoldoutLook(
                learn_id=self._learn_id,
                look=len(self._read(written)) + 1,
                step=step,
                side=side,
                purpose=purpose,
                matters=matters,
                attempts=attempts,
                harness_version=harness,
                split_sha256=self._split,
                read_utc=datetime.now(UTC),
            )
            stream.truncate(written.rfind(b"\n") + 1)  # a torn line goes
            stream.write(row.model_dump_json().encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
