"""Landing: one process loads new parts into a private DuckDB file, checks it, and publishes it by rename.

The published file is the only memory of what landed: data and manifest are in it, so a crash at any moment
leaves either the old file or the new one, and the parts.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from warehouse.expectations.suites import Violation, check_all
from warehouse.intake import Part, find_parts, fingerprint
from warehouse.knowledge import KnowledgeTables, load_knowledge
from warehouse.loading import create_tables, load_table
from warehouse.publishing import LandingError, discard, holdings, private_copy, publish, told_plainly
from warehouse.records import TABLES

if TYPE_CHECKING:
    import duckdb


class Refused(BaseModel):
    """A part that did not land, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: str
    message: str


class LandingResult(BaseModel):
    """What a landing did.

    Attributes:
        published: Whether the database file now holds everything that could land.
        landed: Number of parts that landed now, by table.
        known: Number of parts that had landed before.
        waiting: Parts whose attempt has not landed yet; they land with it.
        quarantined: Parts refused, with the reason. They stay where they are and are looked at again
            when their bytes change.
        violations: Expectations that failed; then nothing was published.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    database: Path
    published: bool
    landed: dict[str, int]
    known: int
    waiting: tuple[str, ...] = ()
    quarantined: tuple[Refused, ...] = ()
    violations: tuple[Violation, ...] = ()

    def lines(self) -> list[str]:
        """Say what happened, a line a fact."""
        said = [f"landed {sum(self.landed.values())} parts ({self.known} had landed before)"]
        said += _few([f"quarantined {q.part}: {q.message}" for q in self.quarantined])
        said += _few([f"waiting for its attempt: {name}" for name in self.waiting])
        said += [f"NOT PUBLISHED, {v.line()}" for v in self.violations]
        return said


def _few(lines: list[str], most: int = 20) -> list[str]:
    return lines if len(lines) <= most else [*lines[:most], f"… and {len(lines) - most} more of these"]


def land(
    parts: Path, database: Path, *, knowledge: KnowledgeTables | None = None, wait_seconds: float = 600.0
) -> LandingResult:
    """Land every new part and publish the database with its views.

    Args:
        parts: Folder of the parts (``<table>/<key>.parquet``).
        database: DuckDB file to publish; readers of the old one keep it until they reopen.
        knowledge: Rows of the knowledge in force, in the place of those there are; None leaves those.
        wait_seconds: How long to wait for another landing of the same database.

    Raises:
        LandingError: Another landing did not end in time, the published file is not a warehouse, or the disk refused
            (``NoSpaceError`` when it is full). The published file is as it was.
    """
    place = database.resolve()  # a link to the warehouse stays a link
    with told_plainly(place.parent), private_copy(place, wait_seconds) as private:
        result = _land_privately(parts, place, private, knowledge)
    return result.model_copy(update={"database": database})


def _land_privately(folder: Path, database: Path, private: Path, knowledge: KnowledgeTables | None) -> LandingResult:
    con = _open_private(folder, database, private)
    try:
        before, known, settled = _manifest(con)
        con.execute("BEGIN TRANSACTION")
        landed, refused, present = _load_new(con, folder, known, settled)
        con.execute("DELETE FROM quarantine WHERE part NOT IN (SELECT unnest(?::VARCHAR[]))", [sorted(present)])
        con.execute("COMMIT")
        create_views(con)
        told = knowledge is not None and load_knowledge(con, knowledge)
        changed = bool(sum(landed.values())) or told or before != _state(con)
        violations = check_all(con) if changed else ()
        con.execute("CHECKPOINT")  # on closing, DuckDB would keep it to itself that the disk is full
        expected = holdings(con)
    finally:
        con.close()
    if changed and not violations:
        publish(private, database, expected)
    waiting = tuple(sorted(name for name, why in refused.items() if not why))
    quarantined = tuple(Refused(part=name, message=why) for name, why in sorted(refused.items()) if why)
    return LandingResult(
        database=database,
        published=not violations,
        landed=landed,
        known=len(known),
        waiting=waiting,
        quarantined=quarantined,
        violations=violations,
    )


def _load_new(
    con: duckdb.DuckDBPyConnection, folder: Path, known: set[str], settled: dict[str, tuple[str, str]]
) -> tuple[dict[str, int], dict[str, str], set[str]]:
    """Load what is new, table by table; return parts landed a table, refusals, and every part seen."""
    by_table: dict[str, list[Part]] = {table: [] for table in TABLES}
    refused: dict[str, str] = {}
    present: set[str] = set()
    for part in find_parts(folder):
        present.add(part.name)
        sha256, message = settled.get(part.name, ("", ""))
        if sha256 and fingerprint(part.path) == sha256:
            refused[part.name] = message
        elif part.name not in known:
            by_table[part.table].append(part)
    landed: dict[str, int] = {}
    for table, parts in by_table.items():
        now_refused = load_table(con, table, parts)
        refused |= now_refused
        if len(parts) > len(now_refused):
            landed[table] = len(parts) - len(now_refused)
    return landed, refused, present


def _open_private(folder: Path, database: Path, private: Path) -> duckdb.DuckDBPyConnection:
    """Open a private copy of the published file, or a new file when there is none or its schema is older."""
    import duckdb

    if database.exists():
        shutil.copyfile(database, private)
        try:
            con = duckdb.connect(str(private))
            current = con.execute("SELECT setting FROM meta WHERE name = 'schema'").fetchone()
        except duckdb.Error as error:
            message = f"{database} is not a warehouse of ours; move it away and land again to rebuild it from the parts"
            raise LandingError(message) from error
        if current == (_digest("schema"),):
            return con
        try:
            _require_parts(con, folder, database)  # the parts are the truth: an older layout is rebuilt from them
        finally:
            con.close()
        discard(private)
    con = duckdb.connect(str(private))
    con.execute("BEGIN TRANSACTION")
    create_tables(con)
    con.execute("INSERT INTO meta VALUES ('schema', ?)", [_digest("schema")])
    con.execute("COMMIT")
    return con


def _require_parts(con: duckdb.DuckDBPyConnection, folder: Path, database: Path) -> None:
    """Refuse to rebuild a warehouse whose parts are gone: what landed must never be lost."""
    landed = {part for (part,) in con.execute("SELECT part FROM manifest").fetchall()}
    gone = sorted(landed - {part.name for part in find_parts(folder)})
    if gone:
        raise LandingError(
            f"{database} has an older layout and is rebuilt from its parts, but {len(gone)} of them are gone from "
            f"{folder} (e.g. {gone[0]}); put them back, or move the file away to begin anew"
        )


def _manifest(con: duckdb.DuckDBPyConnection) -> tuple[Sequence[object], set[str], dict[str, tuple[str, str]]]:
    known = {part for (part,) in con.execute("SELECT part FROM manifest").fetchall()}
    rows = con.execute("SELECT part, sha256, message FROM quarantine").fetchall()
    return _state(con), known, {part: (sha256, message) for part, sha256, message in rows}


def _state(con: duckdb.DuckDBPyConnection) -> Sequence[object]:
    """What a publish would change beside the rows: the quarantine and the text of the views."""
    rows: list[object] = con.execute("SELECT * FROM quarantine ORDER BY part").fetchall()
    return [*rows, con.execute("SELECT setting FROM meta WHERE name = 'views'").fetchone()]


def create_views(con: duckdb.DuckDBPyConnection) -> None:
    """Create the views of warehouse/views, in the order of their file names."""
    con.execute("BEGIN TRANSACTION")
    for (name,) in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall():
        con.execute(f'DROP VIEW "{name}"')
    for script in _scripts("views"):
        con.execute(script)
    con.execute("INSERT OR REPLACE INTO meta VALUES ('views', ?)", [_digest("views")])
    con.execute("COMMIT")


def _scripts(folder: str) -> Iterator[str]:
    found = [f for f in files("warehouse").joinpath(folder).iterdir() if f.name.endswith(".sql")]
    for file in sorted(found, key=lambda f: f.name):
        yield file.read_text("utf-8")


def _digest(folder: str) -> str:
    return hashlib.sha256("\0".join(_scripts(folder)).encode()).hexdigest()
