"""The Parquet parts of what ended, many attempts to a part: written by judge processes or by the landing itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.runs.attempts import AttemptStore
from flows.runs.judgements import judgements
from flows.runs.orders import Attempt
from flows.runs.rows import attempt_rows, judgement_rows, run_rows
from flows.settings import Settings
from warehouse.records import TABLES
from warehouse.row import Row

if TYPE_CHECKING:
    import duckdb

ATTEMPTS_A_PART = 256
"""Attempts whose rows share a part: a landing pays for each file and each of its columns, and hardly for rows."""


@dataclass(frozen=True)
class Landed:
    """What a warehouse holds of one run.

    Attributes:
        attempts: Attempts that landed with every verdict that was given.
        judgements: Judgements that did, by attempt and time.
        counts: Rows by table and attempt; told where the file was made anew from what parts there were.
    """

    attempts: frozenset[str] = frozenset()
    judgements: frozenset[tuple[str, Any]] = frozenset()
    counts: Counter[tuple[str, str]] | None = None


def landed_of(database: Path, run_id: str, *, count: bool) -> Landed:
    """Ask a warehouse what it holds of a run.

    Args:
        database: The published file; nothing has landed where there is none.
        run_id: The run.
        count: Count rows as well.
    """
    import duckdb

    from warehouse.sql import open_warehouse

    if not database.is_file():
        return Landed()
    try:
        with open_warehouse(database) as con:
            return _held(con, run_id, count)
    except duckdb.CatalogException:  # an earlier layout is still served: what is wrong keeps the present one back
        return Landed()


def _held(con: duckdb.DuckDBPyConnection, run_id: str, count: bool) -> Landed:
    whole = "run_id = ? AND attempt_id NOT IN (SELECT attempt_id FROM lost_verdicts)"
    attempts = con.execute(f"SELECT attempt_id FROM attempt WHERE {whole}", [run_id]).fetchall()  # noqa: S608
    judged = con.execute(
        f"SELECT attempt_id, judged_utc FROM judgement JOIN attempt USING (attempt_id) WHERE {whole}",  # noqa: S608
        [run_id],
    ).fetchall()
    counts = _counted(con, run_id) if count else None
    return Landed(frozenset(name for (name,) in attempts), frozenset(judged), counts)


def _counted(con: duckdb.DuckDBPyConnection, run_id: str) -> Counter[tuple[str, str]]:
    of_attempts = [table for table, kind in TABLES.items() if "attempt_id" in kind.model_fields]
    counts = " UNION ALL ".join(
        f"SELECT '{table}', attempt_id, count(*) FROM {table} WHERE starts_with(attempt_id, $1) GROUP BY attempt_id"  # noqa: S608
        for table in of_attempts
    )
    return Counter({(table, name): n for table, name, n in con.execute(counts, [f"{run_id}/"]).fetchall()})


def write_run_parts(
    settings: Settings, run_id: str, landed: Landed | None = None, *, together: int = ATTEMPTS_A_PART
) -> int:
    """Write the parts of what ended in a run and has not landed; writing the same again changes nothing.

    Args:
        settings: Where runs and parts lie.
        run_id: The run.
        landed: What of it has landed; nothing when None.
        together: How many attempts share a part at most.

    Returns:
        How many attempts and judgements were written.
    """
    from warehouse.parts import write_parts

    held = landed or Landed()
    store = AttemptStore(settings.runs, run_id)
    write_parts(settings.parts, run_rows(store.pinned() or {"starts": []}), run_id)
    skip = held.attempts if held.counts is None else frozenset[str]()
    attempts = store.ended(skip)
    written = 0
    for some in (attempts[first : first + together] for first in range(0, len(attempts), together)):
        rows = [_lacking(attempt_rows(attempt, store.path(attempt)), attempt, held) for attempt in some]
        write_parts(settings.parts, [row for of_attempt in rows for row in of_attempt], run_id)
        written += sum(bool(of_attempt) for of_attempt in rows)
    for one in judgements(store):
        if (one.attempt_id, one.judged_utc.astimezone(UTC).replace(tzinfo=None)) not in held.judgements:
            write_parts(settings.parts, judgement_rows(one, run_id), run_id)
            written += 1
    return written


def _lacking(rows: list[Row], attempt: Attempt, held: Landed) -> list[Row]:
    """Return the rows of an attempt; none where as many of each table are there already."""
    if held.counts is None or attempt.attempt_id not in held.attempts:
        return rows
    found = Counter(row.table for row in rows if "attempt_id" in type(row).model_fields)
    whole = all(held.counts[table, attempt.attempt_id] >= number for table, number in found.items())
    return [] if whole else rows
