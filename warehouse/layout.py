"""The layout of a warehouse file: its tables, its views, and what its parts are checked against."""

from __future__ import annotations

import hashlib
import json
import shutil
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from warehouse.intake import find_parts
from warehouse.migrating import create_tables, migrate
from warehouse.publishing import LandingError, discard
from warehouse.records import TABLES

if TYPE_CHECKING:
    import duckdb


def open_private(folder: Path, database: Path, private: Path) -> duckdb.DuckDBPyConnection:
    """Open a private copy of the published file in the present layout, or a new file where there is none."""
    import duckdb

    if database.exists():
        shutil.copyfile(database, private)
        try:
            con = duckdb.connect(str(private))
            current = con.execute("SELECT setting FROM meta WHERE name = 'schema'").fetchone()
        except duckdb.Error as error:
            message = f"{database} is not a warehouse of ours; move it away and land again to rebuild it from the parts"
            raise LandingError(message) from error
        if current == (layout_digest("schema"),):
            return con
        if migrate(con):
            con.execute("INSERT OR REPLACE INTO meta VALUES ('schema', ?)", [layout_digest("schema")])
            return con
        try:
            _require_parts(con, folder, database)  # the parts are the truth: what cannot be migrated is rebuilt
        finally:
            con.close()
        discard(private)
    private.write_bytes(_empty(layout_digest("schema"), layout_digest("views")))
    return duckdb.connect(str(private))


@lru_cache(maxsize=1)
def _empty(schema: str, views: str) -> bytes:  # noqa: ARG001 - of the key: another layout is another file
    """Return a new file of the present layout; a process that makes several makes its tables and views once."""
    import duckdb

    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.duckdb"
        with duckdb.connect(str(file)) as con:
            con.execute("BEGIN TRANSACTION")
            create_tables(con)
            con.execute("INSERT INTO meta VALUES ('schema', ?)", [schema])
            con.execute("COMMIT")
            create_views(con)
        return file.read_bytes()


def _require_parts(con: duckdb.DuckDBPyConnection, folder: Path, database: Path) -> None:
    """Refuse to rebuild a warehouse whose parts are gone: what landed must never be lost."""
    landed = {part for (part,) in con.execute("SELECT part FROM manifest").fetchall()}
    gone = sorted(landed - {part.name for part in find_parts(folder)})
    if gone:
        raise LandingError(
            f"{database} has an older layout and is rebuilt from its parts, but {len(gone)} of them are gone from "
            f"{folder} (e.g. {gone[0]}); put them back, or move the file away to begin anew"
        )


@cache
def rules_digest() -> str:
    """Return the content hash of what a part is checked against: the records and the expectations."""
    records = [json.dumps(kind.model_json_schema(), sort_keys=True) for kind in TABLES.values()]
    return hashlib.sha256("\0".join([*records, *_scripts("expectations", ".sql", ".toml")]).encode()).hexdigest()


def create_views(con: duckdb.DuckDBPyConnection) -> None:
    """Create the views of warehouse/views, in the order of their file names, unless they are there already.

    Some of them are kept as tables (``*.table.sql``); ``recompute`` fills those.
    """
    if con.execute("SELECT setting FROM meta WHERE name = 'views'").fetchone() == (layout_digest("views"),):
        return
    con.execute("BEGIN TRANSACTION")
    for (name,) in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall():
        con.execute(f'DROP VIEW "{name}"')
    for script in _scripts("views"):
        con.execute(script)
    con.execute("INSERT OR REPLACE INTO meta VALUES ('views', ?)", [layout_digest("views")])
    con.execute("COMMIT")


def recompute(con: duckdb.DuckDBPyConnection) -> None:
    """Fill anew the views that are kept as tables, from what the warehouse holds now.

    A landing does so in the transaction that brings rows: no score is older than the verdicts it is computed from.
    """
    for script in _scripts("views", ".table.sql"):
        con.execute(script)


@cache
def _scripts(folder: str, *endings: str) -> tuple[str, ...]:
    found = [f for f in files("warehouse").joinpath(folder).iterdir() if f.name.endswith(endings or ".sql")]
    return tuple(file.read_text("utf-8") for file in sorted(found, key=lambda f: f.name))


@cache
def layout_digest(folder: str) -> str:
    """Return the content hash of the scripts of a folder of the warehouse."""
    return hashlib.sha256("\0".join(_scripts(folder)).encode()).hexdigest()
