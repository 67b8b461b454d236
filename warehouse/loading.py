"""Loading parts into an open DuckDB file: in one transaction, each part once, without changing what landed before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import cache
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from warehouse.intake import BadPartError, Part, fingerprint, read_part
from warehouse.parts import arrow_schema
from warehouse.publishing import LandingError
from warehouse.records import TABLES
from warehouse.row import Row
from warehouse.scanning import Listed, listed, open_apart, stage_at_once

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

BATCH_PARTS = 1_000  # files that one statement opens: below the usual limit of open files
BATCH_ROWS = 500_000  # rows of one statement, which stay within the memory of a small machine
_TYPES = {"string": "VARCHAR", "int64": "BIGINT", "double": "DOUBLE", "bool": "BOOLEAN", "timestamp[us]": "TIMESTAMP"}


def load_table(
    con: duckdb.DuckDBPyConnection,
    table: str,
    parts: Sequence[Part],
    apart: duckdb.DuckDBPyConnection | None = None,
) -> dict[str, str]:
    """Land the new parts of one table. Call inside a transaction.

    Args:
        con: Connection with an open transaction.
        table: Name of the table.
        parts: Parts not in the manifest, older first.
        apart: Database in which untrusted files are scanned; one is opened when None.

    Returns:
        Why each part that did not land was refused, by part name; ``""`` for one that waits for its attempt.
    """
    kind = TABLES[table]
    refused: dict[str, str] = {}
    if not parts:
        return refused
    with open_apart() if apart is None else nullcontext(apart) as scans:
        for batch in _batches(listed(parts, kind)):
            refused |= _load_batch(con, scans, kind, batch)
    return refused


def _batches(parts: Sequence[Listed]) -> Iterator[list[Listed]]:
    """Yield as many parts as may lie in the staging table at once."""
    batch: list[Listed] = []
    rows = 0
    for part in parts:
        if batch and (len(batch) == BATCH_PARTS or rows + part.rows > BATCH_ROWS):
            yield batch
            batch, rows = [], 0
        batch.append(part)
        rows += part.rows
    if batch:
        yield batch


def _load_batch(
    con: duckdb.DuckDBPyConnection, apart: duckdb.DuckDBPyConnection, kind: type[Row], parts: Sequence[Listed]
) -> dict[str, str]:
    refused: dict[str, str] = {}
    passing: set[str] = set()
    con.execute(_sql("stage", kind))
    staged = stage_at_once(con, apart, kind, dict(enumerate(parts)))
    tables: list[pa.Table] = []
    for position, part in enumerate(one.part for one in parts):
        if position in staged:
            continue
        try:
            tables.append(_labelled(read_part(part), part.name, position))
        except BadPartError as error:
            refused[part.name] = str(error)
            if not error.lasting:
                passing.add(part.name)
    if tables:
        _stage(con, tables)
    _require_rows(con, kind, sum(parts[position].rows for position in staged) + sum(map(len, tables)))
    told, shared = _refuse(con, kind, alone=len(parts) == 1 and not _holds_rows(con, kind))
    refused |= told
    con.execute(_sql("land_rows_of_shared_owners" if shared else "land_rows", kind))
    con.execute(_sql("land_manifest", kind))
    for part in (one.part for one in parts):
        if refused.get(part.name):
            quarantine(con, part, refused[part.name], lasting=part.name not in passing)
    return refused


def _require_rows(con: duckdb.DuckDBPyConnection, kind: type[Row], rows: int) -> None:
    """Refuse to go on without rows that the parts hold: what is not seen here would be called landed."""
    seen = con.execute("SELECT count(part) FROM staged").fetchall()[0][0]
    if seen != rows:
        message = f"{seen} of {rows} rows of table {kind.table} can be seen after they were read, so nothing landed"
        raise LandingError(message)


def quarantine(con: duckdb.DuckDBPyConnection, part: Part, message: str, *, lasting: bool = True) -> None:
    """Record why a part did not land; a part that may land unchanged keeps no fingerprint and is tried again."""
    sha256 = fingerprint(part.path) if lasting else ""
    con.execute("INSERT OR REPLACE INTO quarantine VALUES (?, ?, ?)", (part.name, sha256, message))


def _labelled(table: pa.Table, name: str, position: int) -> pa.Table:
    import pyarrow as pa

    table = table.append_column("part", pa.array([name] * len(table), pa.string()))
    return table.append_column("part_position", pa.array([position] * len(table), pa.int64()))


def _stage(con: duckdb.DuckDBPyConnection, tables: Sequence[pa.Table]) -> None:
    import pyarrow as pa

    con.register("incoming", pa.concat_tables(tables))
    con.execute("INSERT INTO staged BY NAME SELECT * FROM incoming")
    con.unregister("incoming")


@cache
def _sql(question: str, kind: type[Row]) -> str:
    """Fill a script of warehouse/landing with the columns of a table. The names are ours, never input."""
    versions = sorted({1, *kind.since.values()})
    fields = [[n for n in kind.model_fields if n != "schema_version" and kind.since.get(n, 1) <= v] for v in versions]
    contents = ", ".join(
        f"md5(string_agg(md5(CAST(to_json(struct_pack({', '.join(f'{n} := {n}' for n in known)})) AS VARCHAR)), '' "
        f"ORDER BY {', '.join(kind.key)}))"
        for known in fields
    )
    return Template(files("warehouse").joinpath("landing", f"{question}.sql").read_text("utf-8")).substitute(
        table=kind.table,
        parent=kind.parent,
        keys=", ".join(kind.key),
        owner=", ".join(kind.owner or kind.key),
        columns=", ".join(kind.model_fields),
        declared=", ".join(f"{field.name} {_TYPES[str(field.type)]}" for field in arrow_schema(kind)),
        known=f"greatest(1, len(list_filter({versions}, lambda v: v <= least(mine.version, theirs.version))))",
        contents=f"[{contents}]",
    )


def _holds_rows(con: duckdb.DuckDBPyConnection, kind: type[Row]) -> bool:
    return bool(con.execute(f"SELECT 1 FROM {kind.table} LIMIT 1").fetchall())  # noqa: S608 - our own name


def _refuse(con: duckdb.DuckDBPyConnection, kind: type[Row], *, alone: bool) -> tuple[dict[str, str], bool]:
    """Remove the parts that may not land from the staging table.

    Args:
        con: Connection with what is staged.
        kind: Of the rows.
        alone: Whether there is one part and no landed row: nothing else can have an owner of its rows.

    Returns:
        The reasons by part, and whether some owner of rows is shared; as a rule none is.
    """
    refused: dict[str, str] = {}
    if kind.parent:
        refused |= _drop(con, _sql("which_parts_wait_for_their_attempt", kind), "")
    keys, owner = ", ".join(kind.key), ", ".join(kind.owner)
    refused |= _drop(con, _sql("which_parts_contradict_themselves", kind), f"holds two rows with the same {keys}")
    if alone:
        return refused, False
    ((shared,),) = con.execute(_sql("which_owners_are_shared", kind)).fetchall()
    if kind.owner and shared:  # the question is the dearest of a landing
        message = (
            f"contradicts rows that landed before for the same {owner}: an ended attempt never changes; "
            "run again under another run id to keep both"
        )
        refused |= _drop(con, _sql("which_parts_contradict_older_ones", kind), message)
    return refused, bool(shared)


def _drop(con: duckdb.DuckDBPyConnection, query: str, message: str) -> dict[str, str]:
    names = [name for (name,) in con.execute(query).fetchall()]
    if names:
        con.execute("DELETE FROM staged WHERE part IN (SELECT unnest(?))", [names])
    return dict.fromkeys(names, message)
