"""Writes an open data pack, then reads it back and looks for what must not be there."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from warehouse.pack.allowed import NAMES, Allowed, Words, allowed
from warehouse.pack.dictionary import dictionary
from warehouse.records import TABLES
from warehouse.sql import QueryError, open_warehouse

if TYPE_CHECKING:
    import duckdb

BATCH: Final = 100_000  # rows that are held at once while a pack is written
LONG: Final = 12  # characters of a text in which a protected one could stand
_HASH: Final = re.compile(r"[0-9a-f]{40,64}")
_STAND_IN: Final = re.compile(r"[a-z]+-\d{4,}")


Scan = Callable[[Iterable[str], Sequence[str]], bool]


class PackError(Exception):
    """A pack that cannot be written, or would give away what it must not; the message says what to do."""


@dataclass(frozen=True)
class Pack:
    """A pack that was written.

    Attributes:
        rows: By table.
        withheld: Values left empty because they are no words of their vocabulary, by table and column.
    """

    folder: Path
    rows: dict[str, int]
    withheld: dict[str, int]


def write_pack(
    database: Path,
    folder: Path,
    words: Words,
    runs: Sequence[str] = (),
    open_names: Collection[str] = (),
    scan: Scan | None = None,
) -> Pack:
    """Write a pack of a published warehouse.

    Args:
        database: The warehouse.
        folder: Where the pack goes; absent or empty.
        words: The vocabularies of the code, by name: a runtime, tool or cause that is none of them is left empty.
        runs: Runs to give away; empty for all, and for the ledger of the learner.
        open_names: Of run, cell, profile and judge, those whose names are told instead of a stand-in.
        scan: The leakage scanner: told the protected texts and all that the pack says, whether one stands in the other.

    Raises:
        PackError: The folder is not empty, there is no such run, or what was written holds what it must not.
        QueryError: There is no warehouse.
    """
    if unknown := set(open_names) - {*NAMES}:
        raise PackError(f"{', '.join(sorted(unknown))}: only {', '.join(NAMES)} may be told by name")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PackError(f"{folder} is there already and not empty; name another folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    of = allowed(words)
    private = folder.with_name(f".{folder.name}.{os.getpid()}")
    private.mkdir()
    try:
        with open_warehouse(database) as con:
            pack = _write(con, private, of, runs, open_names)
            refuse_leaks(con, private, of, open_names, scan)
        if folder.exists():
            folder.rmdir()
        private.replace(folder)
    finally:
        shutil.rmtree(private, ignore_errors=True)
    return Pack(folder, pack.rows, pack.withheld)


def _write(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    of: Mapping[str, list[Allowed]],
    runs: Sequence[str],
    open_names: Collection[str],
) -> Pack:
    here = {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()}
    tables = {table: columns for table, columns in of.items() if table in here}
    _choose(con, runs)
    _name(con, tables)
    rows: dict[str, int] = {}
    withheld: dict[str, int] = {}
    for table, columns in tables.items():
        if runs and table == "edit":
            continue  # the ledger is of no run
        rows[table] = _write_table(con, folder / f"{table}.parquet", table, columns, open_names)
        withheld |= _withheld(con, table, columns)
    told = {table: columns for table, columns in tables.items() if table in rows}
    (folder / "dictionary.md").write_text(dictionary(told), encoding="utf-8")
    manifest = {
        "schema_version": 1,
        "tables": {
            t: {"file": f"{t}.parquet", "rows": n, "sha256": _sha256(folder / f"{t}.parquet")} for t, n in rows.items()
        },
        "dictionary": {"file": "dictionary.md", "sha256": _sha256(folder / "dictionary.md")},
        "told_by_name": sorted(open_names),
        "withheld": withheld,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return Pack(folder, rows, withheld)


def _choose(con: duckdb.DuckDBPyConnection, runs: Sequence[str]) -> None:
    """Note which runs and attempts are given away."""
    known = {run for (run,) in con.execute("SELECT run_id FROM runs").fetchall()}
    if missing := [run for run in runs if run not in known]:
        raise PackError(f"no run {missing[0]!r} has landed; `solon sql which_runs_are_here` lists them")
    con.execute("CREATE TEMP TABLE chosen_runs AS SELECT unnest(?::VARCHAR[]) AS run_id", [[*(runs or known)]])
    con.execute(
        "CREATE TEMP TABLE chosen_attempts AS SELECT attempt_id FROM attempt SEMI JOIN chosen_runs USING (run_id)"
    )


def _of_the_chosen(table: str, columns: Sequence[Allowed]) -> str:
    named = {c.column for c in columns}
    if "run_id" in named:
        return f"{table} t SEMI JOIN chosen_runs USING (run_id)"
    return f"{table} t SEMI JOIN chosen_attempts USING (attempt_id)" if "attempt_id" in named else f"{table} t"


def _name(con: duckdb.DuckDBPyConnection, tables: dict[str, list[Allowed]]) -> None:
    """Give every name a stand-in. Their order is that of a hash with a salt that only the whole warehouse tells."""
    salted = "sha256(string_agg(attempt_id || title || failure_message, '' ORDER BY attempt_id))"
    ((salt,),) = con.execute(f"SELECT coalesce({salted}, '') FROM attempt").fetchall()  # noqa: S608 - ours
    names = [
        f"SELECT '{c.kind}' AS kind, \"{c.column}\" AS name FROM {_of_the_chosen(table, columns)}"  # noqa: S608 - ours
        for table, columns in tables.items()
        for c in columns
        if c.how == "name"
    ]
    con.execute(
        "CREATE TEMP TABLE stand_ins AS SELECT kind, name, format('{}-{:04d}', kind, "  # noqa: S608
        "row_number() OVER (PARTITION BY kind ORDER BY sha256(? || kind || name))) AS stand_in "
        f"FROM ({' UNION '.join(names)}) WHERE name <> ''",
        [salt],
    )


def _write_table(
    con: duckdb.DuckDBPyConnection, path: Path, table: str, columns: Sequence[Allowed], open_names: Collection[str]
) -> int:
    import pyarrow.parquet as pq

    held = ", ".join(f'{c.sql(open_names)} AS "{c.column}"' for c in columns)
    query = f"SELECT {held} FROM {_of_the_chosen(table, columns)} ORDER BY ALL"  # noqa: S608 - of the allow-list
    reader = con.sql(query).to_arrow_reader(BATCH)
    rows = 0
    with pq.ParquetWriter(path, reader.schema, compression="zstd") as file:
        for batch in reader:
            file.write_batch(batch)
            rows += batch.num_rows
    return rows


def _withheld(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Allowed]) -> dict[str, int]:
    found: dict[str, int] = {}
    for c in (c for c in columns if c.how in ("one of", "word", "hash", "area")):
        query = f"SELECT count(*) FROM {_of_the_chosen(table, columns)} WHERE t.\"{c.column}\" <> '' AND {c.sql()} = ''"  # noqa: S608
        ((n,),) = con.execute(query).fetchall()
        if n:
            found[f"{table}.{c.column}"] = n
    return found


def refuse_leaks(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    listed: Mapping[str, list[Allowed]],
    open_names: Collection[str] = (),
    scan: Scan | None = None,
) -> None:
    """Read a pack back and refuse it where a value is none that its column may hold, or a protected text stands in it.

    Raises:
        PackError: Something is there that must not be.
    """
    of = {(c.table, c.column): c for columns in listed.values() for c in columns}
    areas = {name for (name,) in con.execute("SELECT practice_area FROM practice_areas").fetchall()}
    written = [path.read_text("utf-8") for path in sorted(folder.glob("*.[mj][ds]*"))]
    for table, column, values in _texts(folder):
        rule = of.get((table, column))
        if rule is None:
            raise PackError(f"{table}.{column} is in the pack and not on its list; nothing was written")
        if odd := {value for value in values if value and not _may_hold(rule, value, areas, open_names)}:
            raise PackError(f"{table}.{column} holds {len(odd)} values that it may not; nothing was written")
        written += sorted(value for value in values if len(value) >= LONG and not _HASH.fullmatch(value))
    if scan and scan(_protected(con, set(of), open_names), written):
        raise PackError("a text that the warehouse keeps to itself stands in the pack; nothing was written")


def _may_hold(rule: Allowed, value: str, areas: Collection[str], open_names: Collection[str]) -> bool:
    if rule.how == "name":
        return rule.kind in open_names or bool(_STAND_IN.fullmatch(value))
    if rule.how == "hash":
        return bool(_HASH.fullmatch(value))
    return value in (areas if rule.how == "area" else rule.words)


def _texts(folder: Path) -> Iterator[tuple[str, str, set[str]]]:
    """Yield the distinct texts of every column of a pack."""
    import polars as pl

    for path in sorted(folder.glob("*.parquet")):
        frame = pl.scan_parquet(path)
        for column, kind in frame.collect_schema().items():
            if kind == pl.String:
                yield path.stem, column, set(frame.select(pl.col(column).unique()).collect()[column].to_list())


def _protected(
    con: duckdb.DuckDBPyConnection, listed: set[tuple[str, str]], open_names: Collection[str]
) -> Iterator[str]:
    """Yield the texts that the warehouse keeps to itself: of rubrics, judges, briefs, drafts and documents."""
    listed = listed | {("run", "cells")} if "cell" in open_names else set()  # a list of names that are told
    query = "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'main' AND data_type = 'VARCHAR'"
    columns = [(table, column) for table, column in con.execute(f"{query} ORDER BY ALL").fetchall() if table in TABLES]
    for table, column in columns:
        if (table, column) not in listed and column != "part":
            told = con.execute(f'SELECT DISTINCT "{column}" FROM {table} WHERE length("{column}") > 20')  # noqa: S608
            yield from (text for (text,) in told.fetchall())


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


__all__ = ["Pack", "PackError", "QueryError", "refuse_leaks", "write_pack"]
