"""Parquet parts: what workers append. A part appears under its name only when it is complete."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import types
import typing
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warehouse.records import TABLES
from warehouse.row import Row

if TYPE_CHECKING:
    import pyarrow as pa


def write_parts(folder: Path, rows: Iterable[Row]) -> list[Path]:
    """Write rows as Parquet parts, one per table: ``<folder>/<table>/<key>.parquet``.

    The key is the content of the rows, whatever their order, so writing the same rows again changes nothing.
    Rows of one owner (all verdicts of one judgement, all actions of an attempt) belong in one call.

    Args:
        folder: Root of the parts; made when absent.
        rows: Rows of any tables, of one attempt or of many.

    Returns:
        The parts, new or already there, ordered by table.

    Raises:
        OSError: The part could not be written; no file is left under its name.
    """
    by_table: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_table[row.table].append(row)
    # Children first: an attempt lands with all that is about it, or, where the writing broke off, not at all.
    written = {
        table: _write_part(folder / table, by_table[table]) for table in reversed([*TABLES]) if table in by_table
    }
    return [written[table] for table in sorted(written)]


def arrow_schema(kind: type[Row]) -> pa.Schema:
    """Return the Arrow schema of a row type, columns in the order of the record."""
    import pyarrow as pa

    types_: dict[type, pa.DataType] = {
        str: pa.string(),
        int: pa.int64(),
        float: pa.float64(),
        bool: pa.bool_(),
        datetime: pa.timestamp("us"),
    }
    columns = []
    for name, field in kind.model_fields.items():
        plain, optional = _plain_type(field.annotation)
        columns.append(pa.field(name, types_[plain], nullable=optional))
    return pa.schema(columns)


def _plain_type(annotation: Any) -> tuple[type, bool]:
    """Reduce an annotation to a storable type and whether it may be null."""
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        return type(typing.get_args(annotation)[0]), False
    if origin is typing.Annotated:
        return _plain_type(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        kinds = [a for a in typing.get_args(annotation) if a is not type(None)]
        return _plain_type(kinds[0])[0], True
    if isinstance(annotation, type) and annotation in (str, int, float, bool):
        return annotation, False
    return datetime, False  # pydantic's AwareDatetime is a marker class of its own


def _write_part(folder: Path, rows: Sequence[Row]) -> Path:
    kind = type(rows[0])
    lines = sorted({json.dumps(row.model_dump(mode="json"), sort_keys=True): row for row in rows}.items())
    digest = hashlib.sha256("\n".join([kind.table, *(line for line, _ in lines)]).encode()).hexdigest()
    path = folder / f"{digest[:40]}.parquet"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write_atomically(path, kind, [row for _, row in lines])
    return path


def _write_atomically(path: Path, kind: type[Row], rows: Sequence[Row]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pylist([_storable(row) for row in rows], schema=arrow_schema(kind))
    # A dot keeps the unfinished file out of sight of the lander.
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".partial")
    try:
        with os.fdopen(handle, "wb") as stream:
            pq.write_table(table, stream, compression="zstd", write_page_checksum=True)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _storable(row: Row) -> dict[str, Any]:
    values = row.model_dump()
    for name, value in values.items():
        if isinstance(value, datetime):
            values[name] = value.astimezone(UTC).replace(tzinfo=None)
    return values


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
