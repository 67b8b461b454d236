"""Each part lands exactly once, whatever happens; what cannot land is named and the rest lands."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.warehouse.conftest import everything_about
from warehouse import land as landing
from warehouse import publishing
from warehouse.expectations.suites import Violation
from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.publishing import LandingError
from warehouse.records import AttemptRow, FailureRow, RunRow, VerdictRow
from warehouse.row import Row

Everything = Callable[..., list[Row]]
pytestmark = pytest.mark.usefixtures("bare")
ROOT = Path(__file__).resolve().parents[3]


def rows_in(database: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(database), read_only=True) as con:
        return con.execute(query).fetchall()


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "parts", tmp_path / "warehouse.duckdb"


@pytest.fixture
def landed(places: tuple[Path, Path], one_landed: Path) -> tuple[Path, Path]:
    """The places once the rows of attempt 0 have landed there."""
    shutil.copytree(one_landed, places[0].parent, dirs_exist_ok=True)
    return places


def test_everything_lands_and_is_readable(
    places: tuple[Path, Path], everything: Everything, run_row: RunRow, failure_row: FailureRow
) -> None:
    parts, database = places
    write_parts(parts, [run_row, failure_row, *everything(0)])
    result = land(parts, database)
    assert result.published
    assert result.landed == {
        t: 1
        for t in ("run", "attempt", "judgement", "verdict", "gate", "finding", "coverage", "action", "spend", "failure")
    }
    assert rows_in(database, "SELECT status, count(*) FROM verdict GROUP BY 1 ORDER BY 1") == [("fail", 1), ("pass", 2)]
    assert sum(int(str(n)) for (n,) in rows_in(database, "SELECT n_rows FROM manifest")) == 13


def test_landing_again_changes_nothing(landed: tuple[Path, Path]) -> None:
    parts, database = landed
    before = database.read_bytes()
    again = land(parts, database)
    assert again.published
    assert again.landed == {}
    assert again.known == 8
    assert database.read_bytes() == before


@pytest.mark.slow
def test_more_parts_are_added_to_what_landed(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    for number in range(3):
        write_parts(parts, everything(number))
        land(parts, database)
    assert rows_in(database, "SELECT count(*), count(DISTINCT attempt_id) FROM verdict") == [(9, 3)]


def test_the_same_rows_in_another_part_land_once(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    write_parts(parts, everything(0))
    write_parts(parts, everything(0) + everything(1))
    result = land(parts, database)
    assert not result.quarantined
    assert rows_in(database, "SELECT count(*) FROM attempt") == [(2,)]
    assert rows_in(database, "SELECT count(*) FROM verdict") == [(6,)]


def test_verdicts_wait_for_their_attempt(
    places: tuple[Path, Path], everything: Everything, make_attempt: Callable[..., AttemptRow]
) -> None:
    parts, database = places
    write_parts(parts, [row for row in everything(0) if row.table == "verdict"])
    result = land(parts, database)
    assert len(result.waiting) == 1
    assert result.published
    write_parts(parts, [make_attempt(0)])
    result = land(parts, database)
    assert result.landed == {"attempt": 1, "verdict": 1}
    assert result.waiting == ()


def write_raw(parts: Path, table: str, name: str, content: bytes) -> Path:
    path = parts / table / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_unreadable_parts_are_quarantined_and_the_rest_lands(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    good = next(p for p in write_parts(parts, everything(0)) if p.parent.name == "attempt")
    write_raw(parts, "attempt", "empty.parquet", b"")
    write_raw(parts, "attempt", "noise.parquet", os.urandom(4096))
    write_raw(parts, "attempt", "torn.parquet", good.read_bytes()[:-40])
    (parts / "attempt" / "link.parquet").symlink_to("/etc/hostname")
    (parts / "attempt" / "folder.parquet").mkdir()
    write_raw(parts, "attempt", ".unfinished.parquet", b"half")
    write_raw(parts, "no_table", "x.parquet", b"ignored")
    result = land(parts, database)
    assert result.published
    refused = {q.part.removeprefix("attempt/"): q.message for q in result.quarantined}
    assert {
        "empty.parquet",
        "noise.parquet",
        "torn.parquet",
        "link.parquet",
        "folder.parquet",
    } <= set(refused)
    assert "not a readable Parquet file" in refused["torn.parquet"]
    assert "not a regular file" in refused["link.parquet"]
    assert result.landed["attempt"] == 1
    assert result.lines()[0] == "landed 8 parts (0 had landed before)"
    assert rows_in(database, "SELECT count(*) FROM attempt WHERE attempt_id = 'a0'") == [(1,)]


def test_parts_of_another_shape_are_quarantined(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    write_parts(parts, everything(0))
    good = pq.read_table(next((parts / "verdict").glob("*.parquet")))
    shapes = {
        "missing": good.drop_columns(["status"]),
        "unknown": good.append_column("evil", pa.array(["x"] * len(good))),
        "types": good.set_column(
            good.column_names.index("judged_utc"), "judged_utc", pa.array(["yesterday"] * len(good))
        ),
        "nulls": good.set_column(
            good.column_names.index("status"), "status", pa.array([None] * len(good), pa.string())
        ),
    }
    for name, table in shapes.items():
        pq.write_table(table, parts / "verdict" / f"{name}.parquet")
    result = land(parts, database)
    refused = {q.part: q.message for q in result.quarantined}
    assert "missing columns: status" in refused["verdict/missing.parquet"]
    assert "unknown columns: evil" in refused["verdict/unknown.parquet"]
    assert "column types" in refused["verdict/types.parquet"]
    assert "'status' with null values" in refused["verdict/nulls.parquet"]
    assert rows_in(database, "SELECT count(*) FROM verdict") == [(3,)]


BAD_VALUES: list[tuple[str, str, object, str]] = [
    ("verdict", "status", "maybe", "status is 'maybe' in row 1"),
    ("verdict", "criterion_id", "", "criterion_id is '' in row 1"),
    ("attempt", "words", -5, "words is -5"),
    ("attempt", "schema_version", 99, "schema_version is 99 in row 1"),
    ("attempt", "output", 2**62, "output is"),
    ("attempt", "cost_usd", float("nan"), "cost_usd is nan"),
    ("attempt", "seconds", float("inf"), "seconds is inf"),
    ("attempt", "started_utc", -(10**16), "started_utc is"),
    ("attempt", "ended_utc", 2**63 - 2, "a date out of range"),
    ("gate", "checked", -1, "checked is -1"),
    ("coverage", "status", "skimmed", "status is 'skimmed'"),
]


class Spoiled(NamedTuple):
    """What became of attempts that have one bad value each, landed together and once more.

    Attributes:
        names: The parts of each attempt, by its number.
    """

    database: Path
    names: dict[int, set[str]]
    first: landing.LandingResult
    again: landing.LandingResult


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Spoiled:
    folder = tmp_path_factory.mktemp("spoiled")
    parts, names = folder / "parts", dict[int, set[str]]()
    write_parts(parts, everything_about(0))
    for number, (table, column, value, _) in enumerate(BAD_VALUES, 1):
        written = write_parts(folder / "other", everything_about(number))
        names[number] = {f"{path.parent.name}/{path.name}" for path in written}
        for path in written:
            content = pq.read_table(path)
            if path.parent.name == table:
                position = content.column_names.index(column)
                kind = content.schema.types[position]
                wrong = pa.array([value] * len(content), pa.int64() if pa.types.is_timestamp(kind) else kind).cast(kind)
                content = content.set_column(position, content.schema.field(position), wrong)
            pq.write_table(content, parts / path.parent.name / path.name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(landing, "check_all", lambda con: ())
        database = folder / "warehouse.duckdb"
        return Spoiled(database, names, land(parts, database), land(parts, database))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "table", "told"),
    [(number, table, told) for number, (table, _, _, told) in enumerate(BAD_VALUES, 1)],
    ids=[f"{t}.{c}" for t, c, *_ in BAD_VALUES],
)
def test_one_bad_value_keeps_its_part_out_and_nothing_else(
    spoiled: Spoiled, number: int, table: str, told: str
) -> None:
    own = spoiled.names[number]
    assert spoiled.first.published
    (bad,) = (part for part in spoiled.first.quarantined if part.part in own)
    assert bad.part.startswith(f"{table}/")
    assert bad.message.startswith(f"breaks the record of table {table}: ")
    assert told in bad.message
    lands = table != "attempt"
    count = f"SELECT count(*) FROM {{}} WHERE attempt_id = 'a{number}'"
    assert rows_in(spoiled.database, count.format("attempt")) == [(int(lands),)]
    assert rows_in(spoiled.database, count.format("action")) == [(2 * lands,)]
    assert len(own.intersection(spoiled.first.waiting)) == (0 if lands else 6)
    assert [part.part for part in spoiled.again.quarantined if part.part in own] == [bad.part]
    assert len(spoiled.first.quarantined) == len(BAD_VALUES)


@pytest.mark.slow
def test_what_was_refused_is_looked_at_again_when_the_rules_change(
    places: tuple[Path, Path], everything: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, database = places
    write_parts(parts, everything(0))
    with monkeypatch.context() as stricter:
        stricter.setattr(landing, "rules_digest", lambda: "stricter")
        refuse = [landing.Violation(suite="attempt", expectation="e", message="m", parts=("attempt/x.parquet",))]
        (attempt,) = (parts / "attempt").glob("*.parquet")
        attempt.rename(attempt.with_name("x.parquet"))
        stricter.setattr(landing, "check_all", lambda con: tuple(refuse) if _holds_attempt(con) else ())
        assert "suite attempt: m [e]" in land(parts, database).quarantined[0].message
        stricter.setattr(landing, "check_all", lambda con: ())
        assert land(parts, database).quarantined  # the same bytes under the same rules
    assert land(parts, database).quarantined == ()
    assert rows_in(database, "SELECT count(*) FROM attempt") == [(1,)]


def _holds_attempt(con: duckdb.DuckDBPyConnection) -> bool:
    return bool(con.execute("SELECT 1 FROM attempt").fetchall())


def test_a_part_that_could_not_be_read_for_want_of_memory_is_tried_again(
    places: tuple[Path, Path], everything: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, database = places
    write_parts(parts, everything(0))

    def starved(*_args: object, **_kwargs: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("pyarrow.parquet.ParquetFile", starved)
        assert {q.message for q in land(parts, database).quarantined} == {"there was not enough memory to read it"}
    assert land(parts, database).landed["attempt"] == 1


@pytest.mark.slow
def test_a_quarantined_part_is_looked_at_again_when_its_bytes_change(
    places: tuple[Path, Path], everything: Everything
) -> None:
    parts, database = places
    good = next(p for p in write_parts(parts, everything(0)) if p.parent.name == "attempt")
    content = good.read_bytes()
    good.write_bytes(content[:100])
    assert [q.part for q in land(parts, database).quarantined] == [f"attempt/{good.name}"]
    assert [q.part for q in land(parts, database).quarantined] == [f"attempt/{good.name}"]
    good.write_bytes(content)
    result = land(parts, database)
    assert not result.quarantined
    assert rows_in(database, "SELECT count(*) FROM attempt") == [(1,)]
    assert rows_in(database, "SELECT count(*) FROM quarantine") == [(0,)]


def test_a_part_that_contradicts_a_landed_attempt_is_quarantined(
    landed: tuple[Path, Path], make_attempt: Callable[..., AttemptRow]
) -> None:
    parts, database = landed
    write_parts(parts, [make_attempt(0, words=1)])
    result = land(parts, database)
    assert result.published
    assert "an ended attempt never changes" in result.quarantined[0].message
    assert rows_in(database, "SELECT words FROM attempt") == [(900,)]


def test_of_two_contradicting_parts_the_older_lands(
    places: tuple[Path, Path], make_attempt: Callable[..., AttemptRow]
) -> None:
    parts, database = places
    newer = write_parts(parts, [make_attempt(0, words=1)])[0]
    older = write_parts(parts, [make_attempt(0, words=2)])[0]
    os.utime(older, ns=(1, 1))
    result = land(parts, database)
    assert [q.part for q in result.quarantined] == [f"attempt/{newer.name}"]
    assert rows_in(database, "SELECT words FROM attempt") == [(2,)]


def test_a_judgement_may_not_grow_after_it_landed(
    landed: tuple[Path, Path], make_verdict: Callable[..., VerdictRow]
) -> None:
    parts, database = landed
    write_parts(parts, [make_verdict(0, "C-999", "pass")])
    result = land(parts, database)
    assert len(result.quarantined) == 1
    assert rows_in(database, "SELECT count(*) FROM verdict") == [(3,)]


def test_a_part_with_one_key_twice_is_quarantined(
    places: tuple[Path, Path], make_attempt: Callable[..., AttemptRow]
) -> None:
    parts, database = places
    write_parts(parts, [make_attempt(0, words=1), make_attempt(0, words=2)])
    assert "two rows with the same attempt_id" in land(parts, database).quarantined[0].message


@pytest.mark.slow
@pytest.mark.usefixtures("whole")
def test_lost_verdicts_are_told_and_count_as_unscored(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    write_parts(parts, everything(0))
    (lost,) = [path for path in write_parts(parts, everything(1, "pp")) if path.parent.name == "verdict"]
    assert land(parts, database).lost == ()
    content = lost.read_bytes()
    lost.unlink()
    database.unlink()

    result = land(parts, database)
    assert result.published
    (told,) = result.lost
    assert (told.attempt_id, told.judge_profile, told.criteria, told.verdicts) == ("a1", "anchor", 2, 0)
    assert "VERDICTS LOST: a1 was judged by anchor on 2 criteria and 0 of its verdicts are here" in result.lines()[-1]
    assert "solon judge r1" in result.lines()[-1]
    scores = "SELECT criteria, passed, failed, unscored, pooled_pass, all_pass, matters_with_unscored FROM cells"
    assert rows_in(database, scores) == [(5, 2, 1, 2, 2 / 3, 0.0, 1)]
    assert rows_in(database, "SELECT attempt_id, lost FROM lost_verdicts") == [("a1", 2)]
    causes = rows_in(database, "SELECT criteria, example FROM unscored_causes")
    assert causes == [(2, "2 of 2 verdicts of this judgement are lost")]
    assert land(parts, database).lost == result.lost  # until it is mended

    lost.write_bytes(content)
    assert land(parts, database).lost == ()
    assert rows_in(database, scores) == [(5, 4, 1, 0, 0.8, 0.5, 0)]


@pytest.mark.usefixtures("whole")
def test_verdicts_in_quarantine_are_lost_until_mended(
    places: tuple[Path, Path], everything: Everything, make_verdict: Callable[..., VerdictRow]
) -> None:
    parts, database = places
    write_parts(parts, [row for row in everything(0) if row.table != "verdict"])
    write_parts(parts, [make_verdict(0, "C-000", "pass"), make_verdict(0, "C-001", "pass")])
    assert [(told.criteria, told.verdicts) for told in land(parts, database).lost] == [(3, 2)]
    assert rows_in(database, "SELECT criteria, passed, unscored FROM cells") == [(3, 2, 1)]


MOMENTS = [
    pytest.param("after", "land.load_table", marks=pytest.mark.thorough),  # within the transaction
    ("after", "land._load_new"),
    pytest.param("after", "land.check_all", marks=pytest.mark.thorough),
    ("before", "land.publish"),
    ("before", "publishing.sync_folder"),  # published, but not yet known to be on disk
]


@pytest.mark.slow
@pytest.mark.parametrize(("when", "moment"), MOMENTS)
def test_kill_9_at_any_moment_lands_each_part_once(
    landed: tuple[Path, Path], everything: Everything, moment: str, when: str
) -> None:
    parts, database = landed
    write_parts(parts, everything(1))
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from warehouse import land, publishing\n"
        "land.check_all = lambda con: ()\n"
        f"real = {moment}\n"
        "def dying(*args, **kwargs):\n"
        f"    {'real(*args, **kwargs)' if when == 'after' else 'pass'}\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        f"{moment} = dying\n"
        "land.land(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    killed = subprocess.run([sys.executable, "-c", script, parts, database], cwd=ROOT, timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert rows_in(database, "SELECT count(*) FROM attempt")[0][0] in (1, 2)  # still readable
    result = land(parts, database)
    assert result.published
    assert rows_in(database, "SELECT count(*), count(DISTINCT attempt_id) FROM attempt") == [(2, 2)]
    assert rows_in(database, "SELECT count(*) FROM verdict") == [(6,)]
    assert not [p for p in database.parent.iterdir() if "private" in p.name]


LANDS_ALONE = """
import sys
from pathlib import Path
from warehouse import land
land.check_all = lambda con: ()
import duckdb, pyarrow.parquet
print("ready", flush=True)
land.land(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def lander(parts: Path, database: Path) -> subprocess.Popen[bytes]:
    """Start a landing in a process of its own; returns when it is about to begin."""
    command = [sys.executable, "-c", LANDS_ALONE, str(parts), str(database)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    return process


@pytest.mark.parametrize(
    "kills", [pytest.param(5, marks=pytest.mark.thorough), pytest.param(50, marks=pytest.mark.faults)]
)
def test_kill_9_at_random_moments_loses_nothing_and_lands_nothing_twice(
    places: tuple[Path, Path], everything: Everything, kills: int
) -> None:
    parts, database = places
    write_parts(parts, everything(0))
    whole = lander(parts, database)
    begun = time.monotonic()  # what it takes to start is over
    assert whole.wait(120) == 0
    seconds = time.monotonic() - begun
    chance, in_time = random.Random(kills), 0
    for number in range(1, kills + 1):
        write_parts(parts, everything(number), "r1" if number % 2 else "")
        with lander(parts, database) as process:
            time.sleep(chance.uniform(0, seconds))
            in_time += process.poll() is None
            process.kill()
        attempts = rows_in(database, "SELECT count(*), count(DISTINCT attempt_id) FROM attempt")[0]
        assert attempts[0] == attempts[1]
        (consistent,) = rows_in(database, "SELECT (SELECT count(*) FROM verdict) = 3 * (SELECT count(*) FROM attempt)")
        assert consistent == (True,)
        scored = rows_in(database, "SELECT count(*) FROM scored_attempts")[0]
        assert scored == attempts[:1]
    assert in_time > kills // 10  # what is killed when all is done shows nothing
    assert land(parts, database).published
    assert rows_in(database, "SELECT count(*), count(DISTINCT attempt_id) FROM attempt") == [(kills + 1, kills + 1)]
    assert rows_in(database, "SELECT count(*) FROM verdict") == [(3 * (kills + 1),)]
    assert not [p for p in database.parent.iterdir() if "private" in p.name]


def test_two_landings_at_once_land_everything_once(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    for number in range(6):
        write_parts(parts, everything(number))
    both = [lander(parts, database), lander(parts, database)]
    for process in both:
        with process:
            assert process.wait(120) == 0
    assert rows_in(database, "SELECT count(*), count(DISTINCT attempt_id) FROM attempt") == [(6, 6)]
    assert rows_in(database, "SELECT count(*) FROM verdict") == [(18,)]


def test_a_warehouse_that_is_a_folder_is_refused(places: tuple[Path, Path]) -> None:
    parts, database = places
    database.mkdir()
    with pytest.raises(LandingError, match="is a folder; name the file"):
        land(parts, database)


def test_a_warehouse_below_a_file_is_refused_in_words(places: tuple[Path, Path]) -> None:
    parts, database = places
    database.write_bytes(b"")
    with pytest.raises(LandingError, match=r"cannot be used: (Not a directory|File exists)"):
        land(parts, database / "w.duckdb")


def test_a_folder_that_may_not_be_written_is_named(
    landed: tuple[Path, Path], everything: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, database = landed
    write_parts(parts, everything(1))

    def refused(_self: Path, target: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(target))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refused)
        with pytest.raises(LandingError, match=r"warehouse.duckdb cannot be used: Read-only file system"):
            land(parts, database)
    assert rows_in(database, "SELECT count(*) FROM attempt") == [(1,)]
    assert land(parts, database).landed["attempt"] == 1


def test_a_link_to_the_warehouse_stays_a_link(
    places: tuple[Path, Path], everything: Everything, tmp_path: Path
) -> None:
    parts, database = places
    (tmp_path / "large").mkdir()
    database.symlink_to(tmp_path / "large" / "w.duckdb")
    write_parts(parts, everything(0))
    assert land(parts, database).database == database
    write_parts(parts, everything(1))
    land(parts, database)
    assert database.is_symlink()
    assert rows_in(tmp_path / "large" / "w.duckdb", "SELECT count(*) FROM attempt") == [(2,)]


def test_whatever_lies_in_the_place_of_the_private_file_goes(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    write_parts(parts, everything(0))
    (database.parent / f".{database.name}.private" / "deep").mkdir(parents=True)
    (database.parent / f".{database.name}.private.wal").write_bytes(b"of another file")
    assert land(parts, database).published
    assert not [p for p in database.parent.iterdir() if "private" in p.name]


def test_the_log_of_another_program_is_not_left_beside_a_new_file(
    landed: tuple[Path, Path], everything: Everything
) -> None:
    parts, database = landed
    con = duckdb.connect(str(database))
    con.execute("PRAGMA disable_checkpoint_on_shutdown")
    con.execute("CREATE TABLE mine (x INTEGER)")
    con.close()
    write_parts(parts, everything(1))
    with pytest.raises(LandingError, match=r"left its log warehouse\.duckdb\.wal"):
        land(parts, database)
    with duckdb.connect(str(database)) as con:
        con.execute("CHECKPOINT")
    assert land(parts, database).published


def test_a_pipe_for_a_part_keeps_nobody_waiting(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    write_parts(parts, everything(0))
    os.mkfifo(parts / "attempt" / "pipe.parquet")
    with (parts / "attempt" / "huge.parquet").open("wb") as sparse:
        sparse.truncate(2**40)
    refused = {q.part: q.message for q in land(parts, database).quarantined}
    assert refused["attempt/pipe.parquet"] == "not a regular file"
    assert "larger than" in refused["attempt/huge.parquet"]
    assert rows_in(database, "SELECT count(*) FROM attempt") == [(1,)]


def test_a_reader_keeps_the_old_file_and_a_new_one_sees_the_new(
    landed: tuple[Path, Path], everything: Everything
) -> None:
    parts, database = landed
    with duckdb.connect(str(database), read_only=True) as reader:
        write_parts(parts, everything(1))
        assert land(parts, database).published
        assert reader.execute("SELECT count(*) FROM attempt").fetchall() == [(1,)]
    assert rows_in(database, "SELECT count(*) FROM attempt") == [(2,)]


def test_a_second_lander_is_told_to_wait(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    write_parts(parts, everything(0))
    with publishing.private_copy(database, 0), pytest.raises(LandingError, match="another process is landing"):
        land(parts, database, wait_seconds=0.1)
    assert land(parts, database).published


def test_a_lost_database_is_rebuilt_from_the_parts(landed: tuple[Path, Path]) -> None:
    parts, database = landed
    database.unlink()
    land(parts, database)
    assert rows_in(database, "SELECT count(*) FROM verdict") == [(3,)]


def test_an_older_layout_is_rebuilt_from_the_parts(landed: tuple[Path, Path]) -> None:
    parts, database = landed
    with duckdb.connect(str(database)) as con:
        con.execute("UPDATE meta SET setting = 'older' WHERE name = 'schema'")
        con.execute("ALTER TABLE verdict ALTER COLUMN title TYPE BLOB")  # nothing that could be filled in
    land(parts, database)
    assert rows_in(database, "SELECT count(*) FROM verdict") == [(3,)]
    assert rows_in(database, "SELECT setting <> 'older' FROM meta WHERE name = 'schema'") == [(True,)]


def test_an_older_layout_without_its_parts_is_not_thrown_away(
    places: tuple[Path, Path], everything: Everything
) -> None:
    parts, database = places
    (*_, lost) = write_parts(parts, everything(0))
    land(parts, database)
    with duckdb.connect(str(database)) as con:
        con.execute("UPDATE meta SET setting = 'older' WHERE name = 'schema'")
        con.execute("ALTER TABLE verdict ALTER COLUMN title TYPE BLOB")  # nothing that could be filled in
    before = database.read_bytes()
    lost.unlink()
    with pytest.raises(LandingError, match="1 of them are gone"):
        land(parts, database)
    assert database.read_bytes() == before


def test_parts_that_landed_may_be_archived(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    written = write_parts(parts, everything(0))
    land(parts, database)
    for path in written:
        path.unlink()
    write_parts(parts, everything(1))
    land(parts, database)
    assert rows_in(database, "SELECT count(*) FROM attempt") == [(2,)]
    assert rows_in(database, "SELECT count(*) FROM verdict") == [(6,)]


def test_a_view_that_is_no_longer_ours_goes(places: tuple[Path, Path]) -> None:
    parts, database = places
    land(parts, database)
    with duckdb.connect(str(database)) as con:
        con.execute("CREATE VIEW stale AS SELECT 1 AS x")
        con.execute("UPDATE meta SET setting = 'older' WHERE name = 'views'")
    land(parts, database)
    assert rows_in(database, "SELECT view_name FROM duckdb_views() WHERE view_name IN ('stale', 'error_classes')") == [
        ("error_classes",)
    ]


def test_long_lists_are_told_in_short() -> None:
    result = landing.LandingResult(
        database=Path("w"), published=True, landed={}, known=0, waiting=tuple(f"verdict/{i}" for i in range(50))
    )
    assert len(result.lines()) == 22
    assert result.lines()[-1] == "… and 30 more of these"


def test_a_landing_says_what_it_did_fact_by_fact() -> None:
    ours = Violation(suite="keys", expectation="unique", message="a key twice", parts=())
    theirs = ours.model_copy(update={"parts": ("verdict/a",)})
    lost = landing.LostVerdicts(run_id="r", attempt_id="r/a", judge_profile="anchor", criteria=4, verdicts=3)
    result = landing.LandingResult(
        database=Path("w"), published=False, landed={"attempt": 2, "verdict": 1}, known=5, waiting=("verdict/b",),
        quarantined=(landing.Refused(part="attempt/c", message="torn"),), violations=(ours,), lost=(lost,),
    )  # fmt: skip
    said = result.lines()
    assert said[:3] == [
        "landed 3 parts (5 had landed before)", "quarantined attempt/c: torn", "waiting for its attempt: verdict/b",
    ]  # fmt: skip
    assert "on 4 criteria and 3 of its verdicts" in said[3]
    assert said[4] == f"NOT PUBLISHED, {ours.line()}"
    assert len(said) == 5
    told = result.model_copy(update={"violations": (ours, theirs)}).lines()
    assert told[5].startswith("NOT PUBLISHED")
    assert "move the warehouse file away" in told[6]


def test_a_file_that_is_no_warehouse_is_not_overwritten(places: tuple[Path, Path], everything: Everything) -> None:
    parts, database = places
    write_parts(parts, everything(0))
    database.write_bytes(b"someone's notes")
    with pytest.raises(LandingError, match="not a warehouse of ours"):
        land(parts, database)
    assert database.read_bytes() == b"someone's notes"


def test_no_parts_at_all_make_an_empty_warehouse(places: tuple[Path, Path]) -> None:
    parts, database = places
    assert land(parts, database).published
    assert rows_in(database, "SELECT count(*) FROM attempt") == [(0,)]
