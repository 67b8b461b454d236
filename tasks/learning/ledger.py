"""The ledger of edits: one JSON line each, appended and synced; a torn last line is passed over.

Each line holds a hash over itself and the hash of the line before. So a line that was changed, taken out or put in by
hand is found when the ledger is read. That lines are missing at its end is told by its head, a file beside it: how many
rows there were, and the hash of the last. A head is written after its row; a crash in between leaves one row more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from tasks.learning.records import LedgerRow
from tasks.matter.base import content_hash
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
    told = json.loads(_line(row.model_copy(update={"chain": ""})))
    written = _lines(path)
    told["chain"] = _chained(told, _hash_of(written[-1][1]) if written else "")
    with path.open("ab") as stream:
        if stream.tell() and not _ends_with_newline(path):
            stream.write(b"\n")
        stream.write(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        stream.flush()
        os.fsync(stream.fileno())
    _write_head(path, {"rows": len(written) + 1, "chain": told["chain"]})


def read(path: Path) -> list[LedgerRow]:
    """Return the rows in order; a line that a crash tore is left out.

    Raises:
        SolonError: A whole line is no row that this version knows, or is not as it was written, or rows are missing
            at the end. To go on would forget an accepted edit, or take up one that was refused.
    """
    rows = []
    before = ""
    for number, line in _lines(path):
        row = _row(path, number, line)
        if (row.chain or before) and row.chain != _chained(json.loads(line), before):
            raise _refused(path, number, "It, or a line before it, was changed after it was written.", _AS_WRITTEN)
        before = row.chain
        rows.append(row.model_copy(update={"chain": ""}))
    _require_whole(path)
    return rows


def last_step(path: Path) -> int:
    """Return the last step that a ledger tells of; 0 where there is none. Rows are not checked."""
    return max((int(json.loads(line).get("step", 0)) for _, line in _lines(path)), default=0)


def head_of(path: Path) -> Path:
    """Return where the head of a ledger lies."""
    return path.with_suffix(".head.json")


def _write_head(path: Path, head: Mapping[str, Any]) -> None:
    """Write the head of a ledger by rename, so that no crash leaves half of it."""
    beside = head_of(path).with_suffix(".part")
    with beside.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps(head) + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(head_of(path))


def _require_whole(path: Path) -> None:
    """Refuse a ledger that ends before its head does; one that an earlier version wrote has no head.

    Raises:
        SolonError: Rows are missing at its end, or are others than its head was written for.
    """
    if not head_of(path).exists():
        return
    lines = [line for _, line in _lines(path)]
    try:
        head = json.loads(head_of(path).read_text("utf-8"))
        count, chain = int(head["rows"]), str(head["chain"])
    except (ValueError, KeyError, TypeError):
        raise _refused(head_of(path), 1, "It is no head of a ledger.", _AS_WRITTEN) from None
    if len(lines) < count or (count > 0 and _hash_of(lines[count - 1]) != chain):
        message = f"Its head tells of {count} rows, and {len(lines)} are here: its end was taken away or changed."
        raise _refused(path, len(lines), message, _AS_WRITTEN)


def _hash_of(line: bytes) -> str:
    return str(json.loads(line).get("chain", ""))


def _lines(path: Path) -> list[tuple[int, bytes]]:
    """Return the whole lines of a ledger, each with its number; a text may hold other ends of lines."""
    written = path.read_bytes().split(b"\n") if path.exists() else []
    return [(number, line) for number, line in enumerate(written, start=1) if _whole(line)]


def _chained(told: Mapping[str, Any], before: str) -> str:
    """Return the hash that ties a row to the one before; rows of an earlier version have none."""
    plain = {name: value for name, value in told.items() if name != "chain"}
    return content_hash(before + json.dumps(plain, sort_keys=True))


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
        message = f"Not a row of the ledger as this version writes it ({where}: {found['msg']})."
        raise _refused(
            path, number, message, "Learn under another --learn-id, or with the version that wrote the file."
        ) from None


_AS_WRITTEN: Final = "Restore the file as the loop wrote it, or learn under another --learn-id."


def _refused(path: Path, number: int, message: str, remedy: str) -> SolonError:
    subject = f"{path.name}, line {number}"
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="learning", subject=subject, message=message, remedy=remedy)
    )


def history(rows: list[LedgerRow]) -> tuple[str, ...]:
    """Return the rationales of what was tried: general text, by construction of the gates.

    An edit that an edit of the same step overtook was not tried, nor was one for which there were no means; both may
    be proposed again.
    """
    return tuple(row.rationale for row in rows if row.rationale and row.surface != "none" and not _untried(row))


def observed(rows: list[LedgerRow]) -> tuple[str, ...]:
    """Return what the slices of earlier candidates showed, and how each ended: for a proposer that names slices."""
    return tuple(
        f"{row.rationale}: {row.slices.told}; {'accepted' if row.accepted else _stopped(row)}"
        for row in rows
        if row.slices
    )


def _stopped(row: LedgerRow) -> str:
    return f"refused by {next((gate.gate for gate in row.gates if not gate.passed), 'none')}"


def _untried(row: LedgerRow) -> bool:
    return bool(row.gates) and row.gates[-1].reason.startswith((OVERTAKEN, ONE_TOOL, UNTRIED))


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) == b"\n"
