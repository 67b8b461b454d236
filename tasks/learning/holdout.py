"""Looks at a holdout: each is written down, and on the disk, before a matter of it is run."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, ValidationError

from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError

Purpose = Literal["gain", "best of k"]


class HoldoutLook(Record):
    """One look of a learning run at a side of its split that no decision may depend on.

    Attributes:
        look: Which look of the run it is, from 1.
        step: The last step that had been taken.
        attempts: Attempts that were to be read or made.
    """

    schema_version: int = 1
    learn_id: str
    look: int
    step: int
    side: Literal["test", "giant"]
    purpose: Purpose
    matters: int
    attempts: int
    harness_version: str
    split_sha256: str
    read_utc: AwareDatetime


class HoldoutLog:
    """The looks of a learning run, one JSON line each."""

    def __init__(self, path: Path, learn_id: str, split_sha256: str) -> None:
        self._path, self._learn_id, self._split = path, learn_id, split_sha256

    def looks(self) -> list[HoldoutLook]:
        """Return the looks so far.

        Raises:
            SolonError: A line that was written whole is no look (``input``): to pass over it would hide one.
        """
        if not self._path.exists():
            return []
        whole = self._path.read_bytes().split(b"\n")[:-1]  # what a crash tore has no end of line
        try:
            return [HoldoutLook.model_validate_json(line) for line in whole if line]
        except ValidationError:
            raise SolonError(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="learning",
                    subject=self._path.name,
                    message="holds a line that is no look at a holdout",
                    remedy="restore the file, or learn under another --learn-id",
                )
            ) from None

    def look(
        self, side: Literal["test", "giant"], purpose: Purpose, harness: str, *, step: int, matters: int, attempts: int
    ) -> None:
        """Write a look down; when this returns, it is on the disk."""
        row = HoldoutLook(
            learn_id=self._learn_id,
            look=len(self.looks()) + 1,
            step=step,
            side=side,
            purpose=purpose,
            matters=matters,
            attempts=attempts,
            harness_version=harness,
            split_sha256=self._split,
            read_utc=datetime.now(UTC),
        )
        self._path.parent.mkdir(parents=True, exist_ok=True)
        kept = self._path.read_bytes() if self._path.exists() else b""
        with self._path.open("r+b" if kept else "wb") as stream:
            stream.seek(kept.rfind(b"\n") + 1)  # a torn line goes
            stream.truncate()
            stream.write(row.model_dump_json().encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
