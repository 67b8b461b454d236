"""Parquet parts: what workers append. A part appears under its name only when it is complete."""

from __future__ import annotations

import hashlib
import os
import tempfile
import types
import typing
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warehouse.records import TABLES
from warehouse.row import Row

if TYPE_CHECKING:
    import pyarrow as pa

KEY_LENGTH = 40  # hexadecimal digits of the content's hash in a name: 160 bits


def write_parts(folder: Path, rows: Iterable[Row], run_id: str = "") -> list[Path]:
    """Write rows as Parquet parts, one per table: ``<folder>/<table>[/run=<run>]/<key>.parquet``.

    The key is the hash of the part's bytes, and these do not depend on the order of the rows: writing the same rows
    again changes nothing, and whoever reads a part can tell that it is as it was written. Rows of one owner (all
    verdicts of one judgement, all actions of an attempt) belong in one call; rows of many attempts make a better part
    than those of one, for a reader pays for files and columns more than for rows.

    Args:
        folder: Root of the parts; made when absent.
        rows: Rows of any tables, of one attempt or of many.
        run_id: Run that all rows belong to: its parts lie together, as a Hive partition. Empty for rows of no run.

    Returns:
        The parts, new or already there, ordered by table.

    Raises:
        OSError: The part could not be written; no file is left under its name.
    """
    by_table: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_table[row.table].append(row)
    below = f"run={run_id}" if run_id else ""
    # Children first: an attempt lands with all that is about it, or, where the writing broke off, not at all.
    written = {
        table: _write_part(folder / table / below, by_table[table])
        for table in reversed([*TABLES])
        if table in by_table
    }
    return [written[table] for table in sorted(written)]


@cache
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
    content = _encoded(type(rows[0]), rows)
    path = folder / f"{hashlib.sha256(content).hexdigest()[:KEY_LENGTH]}.parquet"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _write_atomically(path, content)
    return path


def _encoded(kind: type[Row], rows: Sequence[Row]) -> bytes:
    """Return rows as the bytes of a Parquet file, whatever their order and however often one is among them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = arrow_schema(kind)
    lines = sorted({tuple(_storable(row.__dict__[name]) for name in schema.names) for row in rows}, key=repr)
    columns = [pa.array(values, field.type) for values, field in zip(zip(*lines, strict=True), schema, strict=True)]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_arrays(columns, schema=schema), sink, compression="zstd", write_page_checksum=True)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _storable(value: Any) -> Any:
    return value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) else value


def _write_atomically(path: Path, content: bytes) -> None:
    # A dot keeps the unfinished file out of sight of the lander.
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".partial")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
