"""The ledger of edits: one JSON line each, appended and synced; a torn last line is passed over."""

from __future__ import annotations

import json
import os
from pathlib import Path

from pydantic import ValidationError

from tasks.learning.records import LedgerRow
from tasks.matter.failures import Failure, FailureCause, SolonError

OVERTAKEN = "an edit of the same step has changed the file since; to be proposed again from what it is now"

ONE_TOOL = "a step tries at most one new tool or mechanism; to be proposed again"
UNTRIED = "could not be tried here: "
"""How the reason of a gate begins that had no means to try an edit; it may be proposed again."""


def append(path: Path, row: LedgerRow) -> None:
    """Append one row; when this returns, the row is on the disk.

    Raises:
        OSError: The file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as stream:
        if stream.tell() and not _ends_with_newline(path):
            stream.write(b"\n")
        stream.write(_line(row) + b"\n")
        stream.flush()
        os.fsync(stream.fileno())


def read(path: Path) -> list[LedgerRow]:
    """Return the rows in order; a line that a crash tore is left out.

    Raises:
        SolonError: A whole line is no row that this version knows. To pass over it would forget an accepted edit.
    """
    if not path.exists():
        return []
    lines = enumerate(path.read_bytes().split(b"\n"), start=1)  # a text may hold other ends of lines
    return [_row(path, number, line) for number, line in lines if _whole(line)]


def _line(row: LedgerRow) -> bytes:
    """Return a row as one line; a half character that a proposer wrote, which UTF-8 cannot say, as a question mark."""
    plain = {k: v.encode(errors="replace").decode() for k, v in row if type(v) is str}
    return row.model_copy(update=plain).model_dump_json().encode()


def _whole(line: bytes) -> bool:
    """Whether a line was written to its end: a tear leaves no JSON, and perhaps half of a character."""
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _row(path: Path, number: int, line: bytes) -> LedgerRow:
    try:
        return LedgerRow.model_validate_json(line)
    except ValidationError as error:
        found = error.errors(include_url=False)[0]
        where = ".".join(map(str, found["loc"])) or "row"
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="learning",
                subject=f"{path.name}, line {number}",
                message=f"Not a row of the ledger as this version writes it ({where}: {found['msg']}).",
                remedy="Learn under another --learn-id, or with the version that wrote the file.",
            )
        ) from None


def history(rows: list[LedgerRow]) -> tuple[str, ...]:
    """Return the rationales of what was tried: general text, by construction of the gates.

    An edit that an edit of the same step overtook was not tried, nor was one for which there were no means; both may
    be proposed again.
    """
    return tuple(row.rationale for row in rows if row.rationale and not _untried(row))


def _untried(row: LedgerRow) -> bool:
    return bool(row.gates) and row.gates[-1].reason.startswith((OVERTAKEN, ONE_TOOL, UNTRIED))


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) == b"\n"
