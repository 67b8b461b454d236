"""The knowledge as tables of the warehouse: filled from the data files when they change, never by parts.

The rows are handed in (``knowledge_db.tables``): the warehouse knows how to keep them, not where they come from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warehouse.sql import open_warehouse

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

KnowledgeTables = Mapping[str, Sequence[Mapping[str, Any]]]
_SETTING = "knowledge"


class KeptTables(dict[str, Sequence[Mapping[str, Any]]]):
    """Rows by table that are kept from one landing to the next and do not change: they are hashed once."""

    @cached_property
    def digest(self) -> str:
        """The content hash of the rows."""
        return _digest(self)

    @cached_property
    def arrow(self) -> dict[str, pa.Table]:
        """The rows as Arrow holds them, by table: a process that fills several warehouses makes them once."""
        return {table: _arrow(rows) for table, rows in self.items() if rows}


def load_knowledge(con: duckdb.DuckDBPyConnection, tables: KnowledgeTables) -> bool:
    """Replace the knowledge rows of the open warehouse by these, in one transaction.

    Args:
        con: A warehouse with its empty or filled tables.
        tables: Rows by table of the schema ``knowledge``; a table without rows becomes empty.

    Returns:
        Whether anything changed.

    Raises:
        KeyError: There is no such table.
    """
    known = _tables(con)
    strange = sorted(set(tables) - set(known))
    if strange:
        raise KeyError(f"the warehouse has no table knowledge.{strange[0]}")
    digest = digest_of(tables)
    if con.execute("SELECT setting FROM meta WHERE name = ?", [_SETTING]).fetchone() == (digest,):
        return False
    rows = (
        tables.arrow if isinstance(tables, KeptTables) else {t: _arrow(found) for t, found in tables.items() if found}
    )
    con.execute("BEGIN TRANSACTION")
    for table in known:
        con.execute(f'DELETE FROM knowledge."{table}"')  # noqa: S608 - the names come from our schema
        if table in rows:
            _insert(con, f'knowledge."{table}"', rows[table])
    con.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [_SETTING, digest])
    con.execute("COMMIT")
    return True


def write_knowledge(database: Path, tables: KnowledgeTables) -> None:
    """Write a database that holds only the knowledge, for questions before a warehouse exists."""
    import duckdb

    with duckdb.connect(str(database)) as con:
        create_knowledge(con)
        load_knowledge(con, tables)


def holds_knowledge(database: Path) -> bool:
    """Whether a published warehouse holds the knowledge; one with an older layout, or landed without it, does not.

    Raises:
        QueryError: The file is no warehouse.
    """
    with open_warehouse(database) as con:
        if not _tables(con):
            return False
        return bool(con.execute("SELECT 1 FROM meta WHERE name = ?", [_SETTING]).fetchall())


def create_knowledge(con: duckdb.DuckDBPyConnection) -> None:
    """Create the empty tables of the knowledge and of the manifest."""
    for name in ("manifest", _SETTING):
        con.execute(files("warehouse").joinpath("schema", f"{name}.sql").read_text("utf-8"))


def digest_of(tables: KnowledgeTables) -> str:
    """Return the content hash of the rows."""
    return tables.digest if isinstance(tables, KeptTables) else _digest(tables)


def _digest(tables: KnowledgeTables) -> str:
    return hashlib.sha256(json.dumps(tables, sort_keys=True, default=str).encode()).hexdigest()


def _tables(con: duckdb.DuckDBPyConnection) -> list[str]:
    found = con.execute("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'knowledge' ORDER BY table_name")
    return [name for (name,) in found.fetchall()]


def insert_rows(con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows into one of our tables by column name; an empty list is allowed."""
    if rows:
        _insert(con, table, _arrow(rows))


def _arrow(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist([dict(row) for row in rows])


def _insert(con: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    con.register("incoming", rows)
    con.execute(f"INSERT INTO {table} BY NAME SELECT * FROM incoming")  # noqa: S608 - the names come from our schema
    con.unregister("incoming")
