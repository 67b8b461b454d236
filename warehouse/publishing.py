"""From the published file to a private one and back: one writer, and only complete files are published."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from warehouse.disk import full_place, is_full
from warehouse.parts import sync_folder

if TYPE_CHECKING:
    import duckdb

Holdings = Mapping[str, tuple[object, ...]]


class LandingError(Exception):
    """The landing could not be made, and the published file is as it was; the message says what to do."""


class NoSpaceError(LandingError):
    """The disk is full, or a quota or a file-size limit is reached."""


@contextmanager
def disk_errors_as_landing_errors(folder: Path) -> Iterator[None]:
    """Turn errors of the disk into landing errors.

    Raises:
        NoSpaceError: Some disk is full.
        LandingError: A file or folder cannot be read or written.
    """
    import duckdb

    try:
        yield
    except (OSError, duckdb.Error) as error:
        if is_full(error):
            told = "the published warehouse is as it was (a landing needs room for a second copy of it)"
            raise NoSpaceError(f"{full_place(error, folder)}; {told}") from error
        if isinstance(error, OSError):
            raise LandingError(f"{error.filename or folder} cannot be used: {error.strerror or error}") from error
        if isinstance(error, duckdb.IOException):
            raise LandingError(f"{folder} cannot be used: {str(error).splitlines()[0]}") from error
        raise


@contextmanager
def private_copy(database: Path, wait_seconds: float) -> Iterator[Path]:
    """Lock the database for this process, and yield the path of the private file to work in.

    Raises:
        LandingError: Another landing did not end in time, or somebody writes to the published file.
    """
    if database.is_dir():
        raise LandingError(f"{database} is a folder; name the file of the warehouse")
    database.parent.mkdir(parents=True, exist_ok=True)
    with _only_writer(database, wait_seconds):
        _refuse_log_beside(database)
        private = database.with_name(f".{database.name}.private")
        discard(private)  # left by a landing that was killed
        try:
            yield private
        finally:
            discard(private)


def holdings(con: duckdb.DuckDBPyConnection) -> Holdings:
    """Return what a database holds: rows by table, and a hash of the parts they came from and of the manifest.

    A table in which DuckDB stored no row is not asked: to ask fifty empty ones takes longer than all the others.
    """
    tables = con.execute(
        "SELECT schema_name, table_name, estimated_size FROM duckdb_tables() WHERE NOT internal AND NOT temporary "
        "ORDER BY ALL"
    ).fetchall()
    of_parts = con.execute("SELECT schema_name, table_name FROM duckdb_columns() WHERE column_name = 'part'").fetchall()
    held: dict[str, tuple[object, ...]] = {f"{schema}.{table}": (0, None) for schema, table, _ in tables}
    counts: list[str] = []
    for schema, table, rows in tables:
        if not rows:
            continue
        hashed = "part" if (schema, table) in of_parts and table != "manifest" else "t"
        told = f"'{schema}.{table}', count(*), bit_xor(hash({hashed}))"
        counts.append(f'SELECT {told} FROM "{schema}"."{table}" t')  # noqa: S608 - our own names
    if counts:
        held |= {name: tuple(found) for name, *found in con.execute(" UNION ALL ".join(counts)).fetchall()}
    return held


def publish(private: Path, database: Path, expected: Holdings) -> None:
    """Replace the published file by the private one, after checking that it holds what was written to it.

    DuckDB keeps what a failed checkpoint could not write in a log beside the file. The rename would leave the log
    behind, so the file is opened again on its own and compared first.

    Args:
        private: The private file, checkpointed and closed.
        database: The published file.
        expected: The holdings of the private file before it was closed.

    Raises:
        LandingError: The file is incomplete. Nothing was published; the parts land the next time.
    """
    import duckdb

    if log_of(private).exists():
        raise LandingError(f"{database} was not written completely, so nothing was published; land again")
    with duckdb.connect(str(private), read_only=True) as con:
        if holdings(con) != expected:
            raise LandingError(f"{database} does not hold what landed, so nothing was published; land again")
    handle = os.open(private, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    private.replace(database)
    sync_folder(database.parent)


def discard(private: Path) -> None:
    """Remove the private file with its log and what DuckDB spilled."""
    for path in (private, log_of(private), private.with_name(private.name + ".tmp")):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def log_of(file: Path) -> Path:
    """Return where DuckDB keeps what it has not yet written into a file."""
    return file.with_name(file.name + ".wal")


def _refuse_log_beside(database: Path) -> None:
    """Refuse a published file that another program writes to, or left unfinished: its log belongs to that file."""
    log = log_of(database)
    if log.exists():
        raise LandingError(
            f"another program has written to {database} and left its log {log.name}; close that program (open and "
            "close the file with DuckDB if it was killed), or move both away to rebuild the warehouse from its parts"
        )


@contextmanager
def _only_writer(database: Path, wait_seconds: float) -> Iterator[None]:
    """Hold the lock of the database; the kernel frees it when the process dies."""
    with database.with_name(f".{database.name}.lock").open("w") as lock:
        deadline = time.monotonic() + wait_seconds
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    message = f"another process is landing into {database}; try again when it has ended"
                    raise LandingError(message) from None
                time.sleep(0.05)
        yield
