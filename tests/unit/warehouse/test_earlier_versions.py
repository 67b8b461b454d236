"""What every earlier version left: its parts land, its rows contradict no new ones, its published file is migrated."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import duckdb
import pytest

from tests.unit.warehouse.conftest import FAILURE, RUN, attempt_row, everything_about, traced_about
from warehouse.land import land
from warehouse.migrating import layout, migrate, present_layout
from warehouse.parts import write_parts
from warehouse.records import TABLES, AttemptRow, VerdictRow
from warehouse.row import Row
from warehouse.sql import named_queries, run_query

EARLIER = sorted((Path(__file__).parent / "earlier").glob("v*"))
VERSION = max(kind.model_fields["schema_version"].default for kind in TABLES.values())
TABLES_OF_V1 = 21


@pytest.fixture(autouse=True)
def _bare(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the suites, which have tests of their own, and the tables of scores where nobody looks at them."""
    monkeypatch.setattr("warehouse.land.check_all", lambda con: ())
    if "scored" not in request.fixturenames:
        monkeypatch.setattr("warehouse.land.recompute", lambda con: None)


@pytest.fixture
def scored() -> None:
    """Let a landing compute the tables of scores, as it does for users."""


@pytest.fixture(params=EARLIER, ids=lambda path: path.name)
def places(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """The parts and the published file of an earlier version."""
    shutil.copytree(request.param / "parts", tmp_path / "parts")
    with gzip.open(request.param / "warehouse.duckdb.gz") as packed, (tmp_path / "w.duckdb").open("wb") as file:
        shutil.copyfileobj(packed, file)
    return tmp_path / "parts", tmp_path / "w.duckdb"


def told_anew() -> list[Row]:
    """The rows that the earlier version wrote, as this one writes them, with what the earlier one did not know."""
    rows = [RUN, FAILURE, *everything_about(0), *everything_about(1, "pfu"), *traced_about(0)]
    known = {"attempt": {"skill_id": "other/general"}, "judgement": {"profile_version": "v" * 64, "prompts": "p"}}
    more = [row.model_copy(update=known.get(row.table, {})) for row in rows]
    return [
        row.model_copy(update={"outcome": "denied"}) if isinstance(row, VerdictRow) and row.status == "fail" else row
        for row in more
    ]


def counts(database: Path) -> dict[str, int]:
    with duckdb.connect(str(database), read_only=True) as con:
        return {t: con.execute(f"SELECT count(*) FROM {t}").fetchall()[0][0] for t in TABLES}


def test_every_earlier_version_is_kept() -> None:
    assert [path.name for path in EARLIER] == [f"v{n}" for n in range(1, VERSION)]
    for kind in TABLES.values():
        assert kind.model_fields["schema_version"].default == max(kind.since.values(), default=1), kind.table
        for column in kind.since:
            assert not kind.model_fields[column].is_required(), (kind.table, column)


def test_earlier_parts_land_as_they_did(places: tuple[Path, Path]) -> None:
    parts, database = places
    with duckdb.connect(str(database), read_only=True) as con:
        landed = {table: n for table, n in con.execute("SELECT table_name, n_rows FROM manifest").fetchall()}
    database.unlink()
    result = land(parts, database)
    assert (result.published, result.quarantined, result.waiting) == (True, (), ())
    assert len(landed) == TABLES_OF_V1
    assert {table: n for table, n in counts(database).items() if n} == landed


@pytest.mark.slow
@pytest.mark.usefixtures("scored")
@pytest.mark.parametrize("kept", ["file", "parts"])
def test_new_parts_of_the_same_attempts_contradict_nothing(places: tuple[Path, Path], kept: str) -> None:
    parts, database = places
    if kept == "file":
        shutil.rmtree(parts)
    else:
        database.unlink()
        land(parts, database)
    write_parts(parts, told_anew())
    result = land(parts, database)
    assert (result.published, result.quarantined, result.waiting) == (True, (), ())
    found = counts(database)
    assert (found["attempt"], found["verdict"], found["action"], found["run"]) == (2, 6, 4, 1)
    assert run_query(database, "SELECT passed, failed, unscored FROM cells").rows() == [(3, 2, 1)]


@pytest.mark.slow
def test_both_at_once_land_once(places: tuple[Path, Path]) -> None:
    parts, database = places
    database.unlink()
    write_parts(parts, told_anew())
    assert land(parts, database).quarantined == ()
    assert counts(database)["verdict"] == 6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "told"),
    [
        (2, "an ended attempt never changes"),
        (99, "this version knows up to 2"),
        pytest.param(-7, "this version knows up to 2", marks=pytest.mark.thorough),
    ],
)
def test_what_both_versions_knew_may_not_differ(places: tuple[Path, Path], version: int, told: str) -> None:
    parts, database = places
    write_parts(parts, [attempt_row(0, words=1).model_copy(update={"schema_version": version})])
    (refused,) = land(parts, database).quarantined
    assert told in refused.message
    assert run_query(database, "SELECT words FROM attempt WHERE attempt_id = 'a0'").item() == 900


def test_what_one_version_told_twice_may_not_differ_in_its_own_columns(tmp_path: Path) -> None:
    def told(skill: str) -> AttemptRow:
        return attempt_row(0, skill_id=skill)

    write_parts(tmp_path / "parts", [told("other/general")])
    assert land(tmp_path / "parts", tmp_path / "w.duckdb").published
    write_parts(tmp_path / "parts", [told("other/special")])
    assert len(land(tmp_path / "parts", tmp_path / "w.duckdb").quarantined) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("scored")
def test_a_published_file_is_migrated_without_its_parts_and_asked(places: tuple[Path, Path]) -> None:
    parts, database = places
    before = run_query(database, "SELECT attempt_id, criterion_id, status FROM verdict ORDER BY ALL").rows()
    shutil.rmtree(parts)
    assert land(parts, database).published
    assert run_query(database, "SELECT attempt_id, criterion_id, status FROM verdict ORDER BY ALL").rows() == before
    with duckdb.connect(str(database), read_only=True) as con:
        held = layout(con)
    assert {name: held[name] for name in present_layout()} == present_layout()
    for name in named_queries():
        run_query(database, name)
    signals = run_query(database, "what_the_learner_may_see").to_dicts()
    assert sorted((s["passed"], s["failed"], s["unscored"]) for s in signals) == [(1, 1, 1), (2, 1, 0)]
    assert {(s["skill_id"], s["failures"][0]["outcome"]) for s in signals} == {("", "")}
    assert land(parts, database).landed == {}


UNMIGRATABLE = [
    "ALTER TABLE verdict ALTER COLUMN title TYPE BLOB",
    "ALTER TABLE attempt DROP COLUMN run_id",
    "ALTER TABLE attempt ADD COLUMN odd VARCHAR",
]


@pytest.mark.parametrize("damage", UNMIGRATABLE)
def test_what_cannot_be_filled_in_is_left_as_it_was(places: tuple[Path, Path], damage: str) -> None:
    _, database = places
    with duckdb.connect(str(database)) as con:
        con.execute("DROP VIEW cells")
        con.execute(damage)
        before = layout(con)
        assert migrate(con) is False
        assert layout(con) == before


def test_knowledge_is_kept_where_its_layout_is_the_same(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "w.duckdb")) as con:
        from warehouse.migrating import create_tables

        create_tables(con)
        con.execute("INSERT INTO meta VALUES ('knowledge', 'd')")
        con.execute("ALTER TABLE verdict DROP COLUMN outcome")
        assert migrate(con)
        assert con.execute("SELECT setting FROM meta").fetchall() == [("d",)]
        con.execute("DROP TABLE knowledge.windows")
        assert migrate(con)
        assert con.execute("SELECT setting FROM meta").fetchall() == []
        assert con.execute("SELECT count(*) FROM knowledge.windows").fetchall() == [(0,)]
