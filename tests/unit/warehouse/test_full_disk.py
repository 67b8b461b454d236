"""A full disk, met at any byte: nothing half written is published, and what was not written lands the next time.

The limit on the size of a file (``RLIMIT_FSIZE``) stands for the full disk: it refuses the same writes, needs no
rights, and can be set for one process.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from warehouse import land as landing
from warehouse.disk import full_place, is_full
from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.publishing import LandingError, NoSpaceError, holdings, publish
from warehouse.row import Row

Everything = Callable[..., list[Row]]
ROOT = Path(__file__).resolve().parents[3]
WRITES = f"""
import resource, sys
from pathlib import Path
sys.path.insert(0, {str(ROOT / "tests" / "unit" / "warehouse")!r})
limit, parts, database = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
"""
LANDS = """
from warehouse import land
from warehouse.publishing import NoSpaceError
land.check_all = lambda con: ()
try:
    print(land.land(parts, database).published)
except NoSpaceError as error:
    print(error)
"""
APPENDS = """
from conftest import everything_about
from warehouse.disk import is_full
from warehouse.parts import write_parts
try:
    print(write_parts(parts, everything_about(0)))
except OSError as error:
    print(is_full(error))
"""

pytestmark = pytest.mark.usefixtures("bare")


def limited(script: str, limit: int, parts: Path, database: Path) -> str:
    """Run a script in a process none of whose files may grow past a limit; returns what it says."""
    # -B: what it compiled under the limit would be cut off, and spoil the imports of whoever comes next
    command = [sys.executable, "-B", "-c", WRITES + script, str(limit), str(parts), str(database)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def rows_in(database: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(database), read_only=True) as con:
        return con.execute(query).fetchall()


@pytest.fixture(autouse=True)
def _without_suites(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landing, "check_all", lambda con: ())


@pytest.mark.slow
@pytest.mark.parametrize(
    "room", [150_000, *(pytest.param(n, marks=pytest.mark.thorough) for n in (-100_000, 10_000, 400_000, 900_000))]
)
def test_a_landing_on_a_full_disk_keeps_the_last_good_warehouse(
    tmp_path: Path, everything: Everything, one_landed: Path, room: int
) -> None:
    shutil.copytree(one_landed, tmp_path, dirs_exist_ok=True)
    parts, database = tmp_path / "parts", tmp_path / "warehouse.duckdb"
    before = database.read_bytes()
    for number in range(1, 20):
        write_parts(parts, everything(number, "ppfu" * 10))

    told = limited(LANDS, len(before) + room, parts, database)
    assert told.startswith("no space left on the disk of ")
    assert str(tmp_path) in told
    assert "memory" not in told
    assert database.read_bytes() == before
    assert not [p.name for p in tmp_path.iterdir() if "private" in p.name]

    assert land(parts, database).published
    assert rows_in(database, "SELECT count(*), count(DISTINCT attempt_id) FROM attempt") == [(20, 20)]
    assert rows_in(database, "SELECT count(*) FROM verdict") == [(3 + 19 * 40,)]


@pytest.mark.slow
def test_no_half_part_is_left_on_a_full_disk(tmp_path: Path, everything: Everything) -> None:
    parts = tmp_path / "parts"
    assert limited(APPENDS, 1_000, parts, tmp_path / "w.duckdb") == "True"
    assert [p for p in parts.rglob("*") if p.is_file()] == []
    write_parts(parts, everything(0))
    land(parts, tmp_path / "w.duckdb")
    assert rows_in(tmp_path / "w.duckdb", "SELECT count(*) FROM verdict") == [(3,)]


def filled(path: Path, checkpointed: bool) -> dict[str, tuple[object, ...]]:
    """Write a database, or leave what was written in its log as a failed checkpoint does."""
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE t (part VARCHAR)")
        con.execute("CHECKPOINT")
        con.execute("PRAGMA disable_checkpoint_on_shutdown")
        con.execute("INSERT INTO t VALUES ('one')")
        if checkpointed:
            con.execute("CHECKPOINT")
        return dict(holdings(con))


def test_what_is_only_in_the_log_is_not_published(tmp_path: Path) -> None:
    private, database = tmp_path / ".private", tmp_path / "w.duckdb"
    expected = filled(private, checkpointed=False)
    with pytest.raises(LandingError, match="was not written completely"):
        publish(private, database, expected)
    assert not database.exists()

    (tmp_path / ".private.wal").unlink()
    with pytest.raises(LandingError, match="does not hold what landed"):
        publish(private, database, expected)
    assert not database.exists()


def test_what_is_whole_is_published(tmp_path: Path) -> None:
    expected = filled(tmp_path / ".private", checkpointed=True)
    publish(tmp_path / ".private", tmp_path / "w.duckdb", expected)
    assert rows_in(tmp_path / "w.duckdb", "SELECT part FROM t") == [("one",)]


FULL = [
    OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/data/x"),
    OSError(errno.EDQUOT, os.strerror(errno.EDQUOT), "/data/x"),
    OSError(errno.EFBIG, os.strerror(errno.EFBIG), "/data/x"),
    duckdb.FatalException("FATAL Error: Failed to create checkpoint: Could not write file: No space left on device"),
    duckdb.IOException('IO Error: Could not write file "w.duckdb": File too large'),
    RuntimeError("database or disk is full"),
]
NOT_FULL = [
    OSError(errno.EACCES, os.strerror(errno.EACCES)),
    ValueError("file too large: 300 MB"),
    MemoryError(),
    duckdb.IOException("IO Error: Could not read enough bytes"),
]


@pytest.mark.parametrize("error", FULL, ids=str)
def test_a_full_disk_is_known_by_its_number_or_its_words(error: Exception, tmp_path: Path) -> None:
    assert is_full(error)
    assert full_place(error, tmp_path).startswith("no space left on the disk of /")
    wrapped = RuntimeError("a library gave up")
    wrapped.__cause__ = error
    assert is_full(wrapped)


@pytest.mark.parametrize("error", NOT_FULL, ids=repr)
def test_other_troubles_are_not_called_a_full_disk(error: Exception) -> None:
    assert not is_full(error)


def test_the_file_system_is_named_with_its_room(tmp_path: Path) -> None:
    told = full_place(OSError(errno.ENOSPC, "full"), tmp_path)
    assert f"disk of {tmp_path}" in told
    assert "(file system /" in told
    assert "MiB free)" in told


@pytest.mark.slow
def test_a_full_disk_while_the_published_file_is_copied(
    tmp_path: Path, everything: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_parts(tmp_path / "parts", everything(0))
    land(tmp_path / "parts", tmp_path / "w.duckdb")
    write_parts(tmp_path / "parts", everything(1))

    def full(source: Path, target: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device", str(source), None, str(target))

    with monkeypatch.context() as patch:
        patch.setattr("shutil.copyfile", full)
        with pytest.raises(NoSpaceError, match="no space left"):
            land(tmp_path / "parts", tmp_path / "w.duckdb")
    assert land(tmp_path / "parts", tmp_path / "w.duckdb").landed["attempt"] == 1
