"""The private file and its publication: what is left lying goes, what is not whole stays private, errors are told."""

from __future__ import annotations

import errno
import os
import threading
import time
from pathlib import Path

import duckdb
import pytest

from warehouse.publishing import (
    LandingError,
    NoSpaceError,
    discard,
    disk_errors_as_landing_errors,
    holdings,
    private_copy,
    publish,
)


def made(path: Path, *statements: str) -> dict[str, tuple[object, ...]]:
    """Make a database and return what it holds."""
    with duckdb.connect(str(path)) as con:
        for statement in statements:
            con.execute(statement)
        con.execute("CHECKPOINT")
        return dict(holdings(con))


PARTS = ("CREATE TABLE t (part VARCHAR, x INTEGER)", "INSERT INTO t VALUES ('one', 1), ('two', 2)")
MANIFEST = ("CREATE TABLE manifest (part VARCHAR, n INTEGER)", "INSERT INTO manifest VALUES ('one', 1)")


def test_what_a_database_holds_is_told_by_rows_and_parts(tmp_path: Path) -> None:
    held = made(tmp_path / "a", *PARTS, *MANIFEST, "CREATE TABLE bare (x INTEGER)", "CREATE VIEW v AS FROM t")
    assert {name: found[0] for name, found in held.items()} == {"main.bare": 0, "main.manifest": 1, "main.t": 2}
    assert held == made(tmp_path / "b", *PARTS, *MANIFEST, "CREATE TABLE bare (x INTEGER)")


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("main.t", "UPDATE t SET part = 'three' WHERE part = 'two'"),
        ("main.t", "DELETE FROM t WHERE part = 'two'"),
        ("main.manifest", "UPDATE manifest SET n = 2"),  # the manifest is compared whole
        ("main.bare", "UPDATE bare SET x = 8"),
        ("other.t", "CREATE SCHEMA other; CREATE TABLE other.t (part VARCHAR)"),
    ],
)
def test_a_database_that_holds_something_else_is_told_apart(tmp_path: Path, table: str, change: str) -> None:
    whole = (*PARTS, *MANIFEST, "CREATE TABLE bare (x INTEGER)", "INSERT INTO bare VALUES (7)")
    before, after = made(tmp_path / "a", *whole), made(tmp_path / "b", *whole, change)
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == {table}
    with pytest.raises(LandingError, match="does not hold what landed, so nothing was published"):
        publish(tmp_path / "b", tmp_path / "w.duckdb", before)
    assert not (tmp_path / "w.duckdb").exists()
    publish(tmp_path / "a", tmp_path / "w.duckdb", before)
    assert not (tmp_path / "a").exists()
    with duckdb.connect(str(tmp_path / "w.duckdb"), read_only=True) as con:
        assert holdings(con) == before


def test_what_was_left_lying_goes_before_and_after(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "x").write_text("x")
    left = [tmp_path / f".w.duckdb.private{ending}" for ending in ("", ".wal", ".tmp")]
    left[0].write_text("half")
    left[1].mkdir()
    left[2].symlink_to(kept)
    with private_copy(tmp_path / "w.duckdb", 0) as private:
        assert private == left[0]
        assert not any(os.path.lexists(path) for path in left)
        for path in left[:2]:
            path.write_text("new")
        left[2].mkdir()
        (left[2] / "spilled").write_text("new")
    assert not any(os.path.lexists(path) for path in left)
    assert (kept / "x").read_text() == "x"


def test_the_private_file_goes_where_the_landing_failed(tmp_path: Path) -> None:
    def fails() -> None:
        with private_copy(tmp_path / "deep" / "w.duckdb", 0) as private:
            private.write_text("half")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fails()
    assert [p.name for p in (tmp_path / "deep").iterdir()] == [".w.duckdb.lock"]
    discard(tmp_path / "deep" / "absent")  # nothing there is no trouble


def test_one_landing_waits_for_another_as_long_as_it_was_told(tmp_path: Path, no_hang: None) -> None:
    database = tmp_path / "w.duckdb"
    held, entered = threading.Event(), threading.Event()

    def hold() -> None:
        with private_copy(database, 0):
            entered.set()
            held.wait(20)

    other = threading.Thread(target=hold)
    other.start()
    try:
        assert entered.wait(20)
        began = time.monotonic()
        with (
            pytest.raises(LandingError, match=r"another process is landing into .*try again"),
            private_copy(database, 0.3),
        ):
            pass
        assert time.monotonic() - began >= 0.3
        threading.Timer(0.2, held.set).start()
        with private_copy(database, 20) as private:
            assert private.parent == tmp_path
    finally:
        held.set()
        other.join()


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (OSError(errno.EACCES, "Permission denied", "/d/x"), LandingError, "/d/x cannot be used: Permission denied"),
        (OSError(errno.EIO, "Input/output error"), LandingError, "FOLDER cannot be used: Input/output error"),
        (OSError("odd"), LandingError, "FOLDER cannot be used: odd"),
        (duckdb.IOException("IO Error: broken\nsecond line"), LandingError, "FOLDER cannot be used: IO Error: broken"),
        (OSError(errno.ENOSPC, "No space left on device"), NoSpaceError, "needs room for a second copy"),
        (duckdb.IOException("IO Error: No space left on device"), NoSpaceError, "published warehouse is as it was"),
    ],
)  # fmt: skip
def test_what_the_disk_refuses_is_told_in_one_line(
    tmp_path: Path, error: Exception, kind: type[Exception], words: str
) -> None:
    with pytest.raises(LandingError) as caught, disk_errors_as_landing_errors(tmp_path):
        raise error
    assert type(caught.value) is kind
    assert words.replace("FOLDER", str(tmp_path)) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [duckdb.ParserException("a fault of ours"), ValueError("a fault of ours")])
def test_our_own_faults_are_not_called_the_disk_s(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(type(error)) as caught, disk_errors_as_landing_errors(tmp_path):
        raise error
    assert caught.value is error
