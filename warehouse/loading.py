"""Loading parts into an open DuckDB file: in one transaction, each part once, without changing what landed before."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from warehouse.intake import BadPartError, Part, fingerprint, read_part
from warehouse.records import TABLES
from warehouse.row import Row

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

BATCH = 1_000


def create_tables(con: duckdb.DuckDBPyConnection) -> None:
    """Create the empty tables of warehouse/schema."""
    for name in ["manifest", "knowledge", *TABLES]:
        con.execute(files("warehouse").joinpath("schema", f"{name}.sql").read_text("utf-8"))


def load_table(con: duckdb.DuckDBPyConnection, table: str, parts: Sequence[Part]) -> dict[str, str]:
    """Land the new parts of one table. Call inside a transaction.

    Args:
        con: Connection with an open transaction.
        table: Name of the table.
        parts: Parts not in the manifest, older first.

    Returns:
        Why each part that did not land was refused, by part name; ``""`` for one that waits for its attempt.
    """
    refused: dict[str, str] = {}
    for start in range(0, len(parts), BATCH):
        refused |= _load_batch(con, TABLES[table], parts[start : start + BATCH])
    return refused


def _load_batch(con: duckdb.DuckDBPyConnection, kind: type[Row], parts: Sequence[Part]) -> dict[str, str]:
    refused: dict[str, str] = {}
    passing: set[str] = set()
    tables: list[pa.Table] = []
    for position, part in enumerate(parts):
        try:
            tables.append(_labelled(read_part(part), part.name, position))
        except BadPartError as error:
            refused[part.name] = str(error)
            if not error.lasting:
                passing.add(part.name)
    if tables:
        _stage(con, tables)
        refused |= _refuse(con, kind)
        _insert(con, kind)
    for part in parts:
        if refused.get(part.name):
            quarantine(con, part, refused[part.name], lasting=part.name not in passing)
    return refused


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
    con.execute("CREATE OR REPLACE TEMP TABLE staged AS SELECT * FROM incoming")
    con.unregister("incoming")


def _sql(question: str, kind: type[Row]) -> str:
    """Fill a script of warehouse/landing with the columns of a table. The names are ours, never input."""
    return Template(files("warehouse").joinpath("landing", f"{question}.sql").read_text("utf-8")).substitute(
        table=kind.table,
        parent=kind.parent,
        keys=", ".join(kind.key),
        owner=", ".join(kind.owner),
        columns=", ".join(kind.model_fields),
        fields=", ".join(f"{name} := {name}" for name in kind.model_fields),
    )


def _refuse(con: duckdb.DuckDBPyConnection, kind: type[Row]) -> dict[str, str]:
    """Remove the parts that may not land from the staging table; return the reasons by part."""
    refused: dict[str, str] = {}
    if kind.parent:
        refused |= _drop(con, _sql("which_parts_wait_for_their_attempt", kind), "")
    keys, owner = ", ".join(kind.key), ", ".join(kind.owner)
    refused |= _drop(con, _sql("which_parts_contradict_themselves", kind), f"holds two rows with the same {keys}")
    if kind.owner:
        message = (
            f"contradicts rows that landed before for the same {owner}: an ended attempt never changes; "
            "run again under another run id to keep both"
        )
        refused |= _drop(con, _sql("which_parts_contradict_older_ones", kind), message)
    return refused


def _drop(con: duckdb.DuckDBPyConnection, query: str, message: str) -> dict[str, str]:
    names = [name for (name,) in con.execute(query).fetchall()]
    if names:
        con.execute("DELETE FROM staged WHERE part IN (SELECT unnest(?))", [names])
    return dict.fromkeys(names, message)


def _insert(con: duckdb.DuckDBPyConnection, kind: type[Row]) -> None:
    con.execute(_sql("land_rows", kind))
    con.execute(_sql("land_manifest", kind))
    con.execute("DELETE FROM quarantine WHERE part IN (SELECT part FROM manifest)")
