"""Reading parts as the untrusted files they are: bounded, of exactly the declared columns, or refused."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from warehouse.parts import arrow_schema
from warehouse.records import TABLES
from warehouse.row import Row

if TYPE_CHECKING:
    import pyarrow as pa

MAX_FILE_BYTES = 256 * 2**20  # of a part, which may be hostile: it is read within memory
MAX_DECLARED_BYTES = 1024 * 2**20  # that a part says it unfolds to: a small file may unfold to any size
MAX_ROWS = 2_000_000  # of a part, which may be hostile; what is regrown is written in parts of this size
# Below this many rows times declared bytes no repetition of a value can fill the memory.
HARMLESS = 256 * 2**20


class BadPartError(Exception):
    """A part that cannot land; the message gives the reason in one sentence.

    Attributes:
        lasting: Whether these bytes can never land; otherwise the part is checked again each time.
    """

    def __init__(self, message: str, *, lasting: bool = True) -> None:
        super().__init__(message)
        self.lasting = lasting


@dataclass(frozen=True)
class Part:
    """A file that claims to be a part.

    Attributes:
        name: ``<table>[/run=<run>]/<key>.parquet``, its name in the manifest.
    """

    name: str
    table: str
    path: Path


def find_parts(folder: Path) -> Iterator[Part]:
    """Yield the parts of every table, tables in landing order, older parts first.

    Unfinished files (a leading dot) and folders that are no table are passed over.
    """
    for table in TABLES:
        # First come, first landed: of two parts that contradict each other the older is the attempt.
        for _, below, path in sorted(_files(folder / table)):
            yield Part(name=f"{table}/{below}", table=table, path=Path(path))


def _files(folder: Path) -> Iterator[tuple[int, str, str]]:
    """Yield when each file of a table was written, its name below the folder, and its path."""
    for below, entries in (("", _entries(folder)), *((f"{e.name}/", _entries(e.path)) for e in _partitions(folder))):
        for entry in entries:
            if entry.name.endswith(".parquet") and not entry.name.startswith("."):
                yield _written(entry), below + entry.name, entry.path


def _entries(folder: Path | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _partitions(folder: Path) -> list[os.DirEntry[str]]:
    return [e for e in _entries(folder) if e.name.startswith("run=") and e.is_dir(follow_symlinks=False)]


def _written(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_mtime_ns
    except OSError:
        return 0


def fingerprint(path: Path) -> str:
    """Hash the bytes of a part, so that a repaired file is checked again; empty when unreadable."""
    try:
        # a pipe for a part would keep who opens it waiting for ever
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
            return ""
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""


def read_part(part: Part) -> pa.Table:
    """Read a part into the exact schema of its table.

    Raises:
        BadPartError: The file is unreadable, too large, has other columns than its table, or holds a value that the
            record of its rows does not allow.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    _refuse_by_size(part.path)
    try:
        with pq.ParquetFile(part.path, page_checksum_verification=True) as file:
            check_footer(file.schema_arrow, file.metadata, TABLES[part.table])
            if file.metadata.num_rows * _declared(file.metadata) > HARMLESS:
                _refuse_by_content(part.path, file.schema_arrow)
            table = file.read()
    except BadPartError:
        raise
    except MemoryError as error:
        raise BadPartError("there was not enough memory to read it", lasting=False) from error
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        # an error number is the system's: the disk, not the content, may be at fault
        lasting = getattr(error, "errno", None) is None
        raise BadPartError(f"not a readable Parquet file ({_first_line(error)})", lasting=lasting) from error
    table = _conform(table, part.table)
    _refuse_by_record(table, TABLES[part.table])
    return table


def _refuse_by_size(path: Path) -> None:
    try:
        if path.is_symlink() or not path.is_file():
            raise BadPartError("not a regular file")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BadPartError(f"larger than {MAX_FILE_BYTES // 2**20} MiB")
    except OSError as error:
        raise BadPartError(f"cannot be opened ({error.strerror})") from error


def check_footer(found: pa.Schema, metadata: pa.parquet.FileMetaData, kind: type[Row]) -> None:
    """Refuse a part whose columns are not those of its table, or that declares more than a part may hold.

    Raises:
        BadPartError: It is to be refused.
    """
    _refuse_by_columns(found, kind)
    declared = _declared(metadata)
    if metadata.num_rows > MAX_ROWS or declared > MAX_DECLARED_BYTES:
        raise BadPartError(f"declares {metadata.num_rows} rows in {declared} bytes, more than a part may hold")


def _refuse_by_columns(found: pa.Schema, kind: type[Row]) -> None:
    import pyarrow as pa

    schema, fields = arrow_schema(kind), kind.model_fields
    missing = [c for c in schema.names if c not in found.names and fields[c].is_required()]
    unknown = sorted(set(found.names) - set(schema.names))
    nested = [field.name for field in found if pa.types.is_nested(field.type)]
    if missing or unknown or nested or len(set(found.names)) < len(found.names):
        lists = (("missing", missing), ("unknown", unknown), ("nested", nested))
        told = "; ".join(f"{word} columns: {', '.join(names[:8])}" for word, names in lists if names)
        raise BadPartError(f"not the columns of table {kind.table} ({told or 'repeated columns'})")


def _declared(metadata: pa.parquet.FileMetaData) -> int:
    return sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))


def _refuse_by_content(path: Path, found: pa.Schema) -> None:
    """Refuse a small file whose repeated values would take too much memory when decoded, without decoding them."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    prose = [field.name for field in found if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)]
    with pq.ParquetFile(path, read_dictionary=prose, page_checksum_verification=True) as file:
        chunks = [chunk for column in file.read(columns=prose).columns for chunk in column.chunks]
    unfolded = 0
    for chunk in chunks:
        lengths = pc.take(pc.binary_length(chunk.dictionary), chunk.indices)
        unfolded += pc.sum(pc.cast(lengths, pa.int64())).as_py() or 0
    if unfolded > MAX_DECLARED_BYTES:
        raise BadPartError(f"unfolds to {unfolded} bytes, more than a part may hold")


def _conform(table: pa.Table, name: str) -> pa.Table:
    """Bring a part to the columns of its table; a column that is newer than the part gets its default."""
    import pyarrow as pa

    schema, fields = arrow_schema(TABLES[name]), TABLES[name].model_fields
    for column in [c for c in schema.names if c not in table.column_names]:
        value = 1 if column == "schema_version" else fields[column].default  # the first version told no other
        default = pa.array([value] * len(table), schema.field(column).type)
        table = table.append_column(column, default)
    try:
        table = table.select(schema.names).cast(schema)
        table.validate(full=True)
    except (pa.ArrowException, ValueError) as error:
        raise BadPartError(f"not the column types of table {name} ({_first_line(error)})") from error
    return table


def _refuse_by_record(table: pa.Table, kind: type[Row]) -> None:
    """Check the rows against the record their writers use: a value it does not allow is a fault of this part."""
    checked, row = TypeAdapter(list[kind]), 0  # type: ignore[valid-type]
    for batch in table.to_batches(max_chunksize=10_000):
        try:
            checked.validate_python([_with_zone(values) for values in batch.to_pylist()])
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            position, column = int(first["loc"][0]), first["loc"][1]
            found = repr(first["input"])[:80]
            message = f"{column} is {found} in row {row + position + 1}: {first['msg'].lower()}"
            raise BadPartError(f"breaks the record of table {kind.table}: {message}") from error
        except (ValueError, OverflowError) as error:
            message = f"a date out of range ({_first_line(error)})"
            raise BadPartError(f"breaks the record of table {kind.table}: {message}") from error
        row += len(batch)


def _with_zone(row: dict[str, Any]) -> dict[str, Any]:
    return {k: v.replace(tzinfo=UTC) if isinstance(v, datetime) else v for k, v in row.items()}


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
