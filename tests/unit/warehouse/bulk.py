"""Warehouses of the size of a paper, filled by DuckDB itself: the tables and views are ours, no part is written."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import duckdb

from warehouse.layout import create_views, recompute
from warehouse.migrating import create_tables
from warehouse.records import TABLES
from warehouse.row import Row


@cache
def _empty() -> bytes:
    """Return a warehouse in which nothing landed; it is made once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.duckdb"
        with duckdb.connect(str(path)) as con:
            create_tables(con)
            create_views(con)
        return path.read_bytes()


class Bulk:
    """A warehouse that is filled with SQL."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "bulk.duckdb"
        self.path.write_bytes(_empty())
        self.con = duckdb.connect(str(self.path))

    def insert(self, table: str, select: str) -> None:
        """Insert the rows of a statement; columns that it does not name have their default."""
        self.con.execute(f"CREATE OR REPLACE TEMP TABLE given AS {select}")
        named = {name for (name, *_) in self.con.execute("DESCRIBE given").fetchall()}
        of_table = [name for (name, *_) in self.con.execute(f"DESCRIBE {table}").fetchall()]
        assert named <= {*of_table}, named - {*of_table}
        columns = ", ".join(f'"{n}"' if n in named else f'{self._default(table, n)} AS "{n}"' for n in of_table)
        self.con.execute(f"INSERT INTO {table} SELECT {columns} FROM given")

    def rows(self, rows: Sequence[Row]) -> None:
        """Insert rows as they are."""
        import polars as pl

        for table in dict.fromkeys(row.table for row in rows):
            frame = pl.DataFrame([row.model_dump() for row in rows if row.table == table], infer_schema_length=None)
            frame = frame.with_columns(pl.col(pl.Datetime).dt.replace_time_zone(None))
            self.con.register("frame", frame.to_arrow())
            self.insert(table, "SELECT * FROM frame")
            self.con.unregister("frame")

    def close(self) -> Path:
        """Return the file, ready to be asked."""
        self.con.execute("BEGIN TRANSACTION")  # as a landing does: thirty tables are written to the disk once
        recompute(self.con)
        self.con.execute("COMMIT")
        self.con.close()
        return self.path

    @staticmethod
    def _default(table: str, column: str) -> str:
        if column == "part":
            return "'made up'"
        value = TABLES[table].model_fields[column].default
        return "NULL" if value is None else repr(value)
