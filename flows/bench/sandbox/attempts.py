"""The attempts to escape: data, one file for each group."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from tasks.drafting.workspace.records import Bounds
from tasks.matter.base import Record

_FOLDER = Path(__file__).parent / "escapes"


class EscapeAttempt(Record):
    """One way out that is tried.

    Attributes:
        group: Name of its file.
        script: What runs inside, in Python after the prelude, or in the shell.
        quick: Whether ``make test`` tries it too.
        unconfined: Whether it succeeds, and does no harm, where there is no sandbox: so the bench itself is tested.
        seconds: Wall time it is given.
        stdin_mb: Input it is handed.
        left: What must become of what it leaves in output; empty where either will do.
    """

    group: str
    name: str
    script: str
    shell: bool = False
    quick: bool = False
    unconfined: bool = False
    seconds: float = 8.0
    stdin_mb: int = 0
    left: Literal["", "refused", "kept"] = ""

    @property
    def words(self) -> Sequence[str]:
        """Program and arguments."""
        if self.shell:
            return ("/bin/sh", "-c", self.script)
        prelude = (_FOLDER / "prelude.txt").read_text(encoding="utf-8")
        return (str(Path(sys.executable).resolve()), "-I", "-B", "-c", prelude + self.script)

    @property
    def bounds(self) -> Bounds:
        """Limits small enough that passing them does no harm."""
        return Bounds(
            seconds=self.seconds,
            cpu_seconds=3,
            memory_mb=192,
            processes=48,
            file_mb=8,
            room_mb=32,
            files=2000,
            output_bytes=100_000,
        )


def escape_attempts(quick: bool = False, only: Sequence[str] = ()) -> list[EscapeAttempt]:
    """Return the attempts: the quick ones, and those whose group or name holds one of the words, where so asked."""
    found = [
        EscapeAttempt(group=file.stem, **table)
        for file in sorted(_FOLDER.glob("*.toml"))
        for table in tomllib.loads(file.read_text(encoding="utf-8"))["attempt"]
    ]
    return [a for a in found if (a.quick or not quick) and (not only or any(w in f"{a.group} {a.name}" for w in only))]
