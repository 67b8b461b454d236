"""Brings a published file of an earlier layout to the present one, without its parts.

Tables that came since are made, and columns that came since get the value that their record gives where nothing is
said. Any other difference (a column of another type, a table that is gone) is no matter of filling in: then the file
is rebuilt from its parts.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from warehouse.records import TABLES

if TYPE_CHECKING:
    import duckdb

Layout = dict[tuple[str, str], dict[str, tuple[str, bool]]]
"""Type and nullability of each column, by schema and table."""


def create_tables(con: duckdb.DuckDBPyConnection) -> None:
    """Create the empty tables of warehouse/schema."""
    for name in ["manifest", "knowledge", *TABLES]:
        con.execute(_script(name))


def migrate(con: duckdb.DuckDBPyConnection) -> bool:
    """Bring an open file to the present layout, in one transaction.

    Returns:
        Whether it has that layout now; if not, it is as it was.
    """
    wanted = present_layout()
    con.execute("BEGIN TRANSACTION")
    _drop_views(con)
    con.execute("DELETE FROM meta WHERE name = 'views'")
    if _of_knowledge(layout(con)) != _of_knowledge(wanted):  # it never landed: a landing with knowledge fills it
        con.execute("DROP SCHEMA IF EXISTS knowledge CASCADE")
        con.execute("DELETE FROM meta WHERE name = 'knowledge'")
        con.execute(_script("knowledge"))
    held = layout(con)
    for (schema, table), columns in wanted.items():
        if (schema, table) not in held and table in TABLES:
            con.execute(_script(table))
        for name in columns.keys() - held.get((schema, table), columns).keys():
            _add_column(con, table, name, *columns[name])
    if all(layout(con).get(table) == columns for table, columns in wanted.items()):
        con.execute("COMMIT")
        return True
    con.execute("ROLLBACK")
    return False


def layout(con: duckdb.DuckDBPyConnection) -> Layout:
    """Return the layout of every table of an open file."""
    found: Layout = {}
    query = (
        "SELECT schema_name, table_name, column_name, data_type, is_nullable FROM duckdb_columns() WHERE NOT internal"
    )
    for schema, table, column, kind, nullable in con.execute(query).fetchall():
        found.setdefault((schema, table), {})[column] = (kind, nullable)
    return found


def present_layout() -> Layout:
    """Return the layout of a new file."""
    import duckdb

    with duckdb.connect() as con:
        create_tables(con)
        return layout(con)


def _of_knowledge(tables: Layout) -> Layout:
    return {name: columns for name, columns in tables.items() if name[0] == "knowledge"}


def _drop_views(con: duckdb.DuckDBPyConnection) -> None:
    for (name,) in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall():
        con.execute(f'DROP VIEW "{name}"')


def _add_column(con: duckdb.DuckDBPyConnection, table: str, name: str, kind: str, nullable: bool) -> None:
    """Add a column with the value that its record has for it; one that has none stays away, and is found missing."""
    record = TABLES.get(table)
    field = record.model_fields.get(name) if record else None
    if field is None or (field.is_required() and not nullable):
        return
    value = "NULL" if field.default is None else "'" + str(field.default).replace("'", "''") + "'"
    con.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind} DEFAULT {value}")
    if not nullable:
        con.execute(f"ALTER TABLE {table} ALTER COLUMN {name} SET NOT NULL")


def _script(name: str) -> str:
    return files("warehouse").joinpath("schema", f"{name}.sql").read_text("utf-8")
