"""Reads many parts in one scan: those that are certainly as written, and sound. All others are read one by one.

What a part costs is its files and columns, not its rows: read one by one in Python, ten times as long. The scan trusts
nothing all the same. A part is left to ``intake`` unless its bytes have the hash that its name says, its footer and
columns are those of its table, and every value is one that the record of its rows allows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from warehouse.columns import EARLIEST, LATEST, PROSE_LIMIT
from warehouse.intake import BadPartError, Part, check_footer, fingerprint
from warehouse.parts import KEY_LENGTH, arrow_schema
from warehouse.row import Row

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

READERS = 4
"""Threads that hash parts and read footers; they wait for the disk and leave the interpreter's lock meanwhile."""


MAX_TEXT = 256 * 2**20
"""Bytes of text that are unfolded at once: a small file may repeat one value a million times."""

_FILES = "read_parquet(?, filename = true, hive_partitioning = false)"


@dataclass(frozen=True)
class Listed:
    """A part as its footer describes it.

    Attributes:
        columns: The columns it has, all of its table; empty where it is to be read by itself.
    """

    part: Part
    rows: int = 0
    columns: tuple[str, ...] = ()


def listed(parts: Sequence[Part], kind: type[Row]) -> list[Listed]:
    """Look at the bytes and the footer of each part."""
    if len(parts) == 1:  # of a small run: threads would cost more than they save
        return [_listed(parts[0], kind)]
    with ThreadPoolExecutor(READERS) as threads:
        return list(threads.map(lambda part: _listed(part, kind), parts, chunksize=16))


def _listed(part: Part, kind: type[Row]) -> Listed:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if fingerprint(part.path)[:KEY_LENGTH] != part.path.stem:
        return Listed(part)
    try:
        with pq.ParquetFile(part.path) as file:
            check_footer(file.schema_arrow, file.metadata, kind)
            found, rows = file.schema_arrow, file.metadata.num_rows
    except (BadPartError, pa.ArrowException, OSError, ValueError, OverflowError, MemoryError):
        return Listed(part)  # read by itself, it says why
    wanted = arrow_schema(kind)
    as_wanted = all(field.type == wanted.field(field.name).type for field in found)
    return Listed(part, rows, tuple(found.names) if as_wanted else ())


def stage_at_once(
    con: duckdb.DuckDBPyConnection, apart: duckdb.DuckDBPyConnection, kind: type[Row], parts: Mapping[int, Listed]
) -> set[int]:
    """Read the sound ones of some parts into the table ``staged``.

    Args:
        con: Connection with the empty table.
        apart: Database to scan in; see ``open_apart``.
        kind: What their rows are.
        parts: Parts by their position.

    Returns:
        The positions of the parts that were read.
    """
    by_columns: dict[tuple[str, ...], dict[str, int]] = defaultdict(dict)
    for position, one in parts.items():
        if one.columns:
            by_columns[one.columns][str(one.part.path)] = position
    staged: set[int] = set()
    for columns, positions in by_columns.items():
        for paths in _in_memory(_sound(apart, kind, columns, [*positions])):
            chosen = {path: positions[path] for path in paths}
            _stage(con, kind, columns, _read(apart, columns, paths), chosen, parts)
            staged |= {*chosen.values()}
    return staged


def _in_memory(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield as many files as may be held in memory at once."""
    paths: list[str] = []
    held = 0
    for path, size in sizes.items():
        if paths and held + size > MAX_TEXT:
            yield paths
            paths, held = [], 0
        paths.append(path)
        held += size
    if paths:
        yield paths


def open_apart() -> duckdb.DuckDBPyConnection:
    """Open a database of its own for files that nobody vouches for.

    An error in them must not end the transaction of the landing; and what a footer says of the values of its file must
    not stand for the values, which a plan would take it to do.
    """
    import duckdb

    return duckdb.connect(config={"disabled_optimizers": "statistics_propagation", "threads": "2"})


def _sound(
    apart: duckdb.DuckDBPyConnection, kind: type[Row], columns: tuple[str, ...], paths: list[str]
) -> dict[str, int]:
    """Return the files that can be read and of which every value is allowed, with the bytes of their texts unfolded.

    A broken one is found by halving. One whose texts are too long together is left to the reader of single parts.
    """
    import duckdb

    texts = [field.name for field in arrow_schema(kind) if str(field.type) == "string" and field.name in columns]
    size = " + ".join(f"coalesce(strlen({name}), 0)" for name in texts)
    query = (
        f"SELECT filename, CAST(sum({size}) AS BIGINT), bool_and({_allowed(kind, columns)}) "  # noqa: S608 - our names
        f"FROM {_FILES} GROUP BY filename"
    )
    try:
        found = apart.execute(query, [paths]).fetchall()
    except duckdb.Error:
        if len(paths) == 1:
            return {}
        half = len(paths) // 2
        return _sound(apart, kind, columns, paths[:half]) | _sound(apart, kind, columns, paths[half:])
    return {path: held for path, held, allowed in found if allowed and held <= MAX_TEXT}


def _read(apart: duckdb.DuckDBPyConnection, columns: tuple[str, ...], paths: list[str]) -> pa.Table:
    named = ", ".join(f'"{name}"' for name in columns)
    query = f"SELECT {named}, filename FROM {_FILES}"  # noqa: S608 - our names
    return apart.sql(query, params=[paths]).to_arrow_table()


def _stage(
    con: duckdb.DuckDBPyConnection,
    kind: type[Row],
    columns: tuple[str, ...],
    rows: pa.Table,
    positions: Mapping[str, int],
    parts: Mapping[int, Listed],
) -> None:
    import pyarrow as pa

    names = [parts[position].part.name for position in positions.values()]
    told = {"path": [*positions], "part": names, "position": [*positions.values()]}
    con.register("named", pa.table(told))
    con.register("scanned", rows)
    values = ", ".join(f'r."{name}"' if name in columns else _default(kind, name) for name in arrow_schema(kind).names)
    con.execute(
        f"INSERT INTO staged SELECT {values}, n.part, n.position "  # noqa: S608 - our own names
        "FROM scanned r JOIN named n ON n.path = r.filename"
    )
    con.unregister("scanned")
    con.unregister("named")


def _default(kind: type[Row], name: str) -> str:
    """Return what a column that is younger than a part holds in its rows, as SQL."""
    value = 1 if name == "schema_version" else kind.model_fields[name].default
    return "NULL" if value is None else _quoted(str(value))


@cache
def _allowed(kind: type[Row], columns: tuple[str, ...]) -> str:
    """Return the condition that a row is one that the record allows; it may refuse more, and never less."""
    fields = kind.model_json_schema()["properties"]
    nullable = {field.name for field in arrow_schema(kind) if field.nullable}
    conditions = []
    for name in columns:
        limits = " AND ".join(_limits(name, fields[name]))
        if name == "schema_version":
            limits = f"{name} BETWEEN 1 AND {kind.model_fields[name].default}"
        null = "true" if name in nullable else "false"
        conditions.append(f"CASE WHEN {name} IS NULL THEN {null} ELSE {limits or 'true'} END")
    return " AND ".join(conditions)


def _limits(name: str, field: Mapping[str, Any]) -> Iterator[str]:
    told = next((one for one in field.get("anyOf", ()) if one["type"] != "null"), field)
    if "enum" in told:
        yield f"{name} IN ({', '.join(_quoted(value) for value in told['enum'])})"
    elif told.get("format") == "date-time":
        yield f"{name} >= '{EARLIEST:%Y-%m-%d}'::TIMESTAMP AND {name} < '{LATEST:%Y-%m-%d}'::TIMESTAMP"
    elif told["type"] == "string":
        yield f"length({name}) BETWEEN {told.get('minLength', 0)} AND {told.get('maxLength', PROSE_LIMIT)}"
    elif told["type"] == "number":
        yield f"isfinite({name})"
    if "minimum" in told:
        yield f"{name} BETWEEN {told['minimum']} AND {told['maximum']}"


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
