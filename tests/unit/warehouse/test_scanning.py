"""Parts read in one scan: the same rows as read one by one, and nothing that the record does not allow."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from tests.unit.warehouse.conftest import everything_about, traced_about
from warehouse.intake import Part, find_parts, read_part
from warehouse.land import land
from warehouse.loading import load_table
from warehouse.migrating import create_tables
from warehouse.parts import KEY_LENGTH, arrow_schema, write_parts
from warehouse.records import TABLES
from warehouse.row import Row
from warehouse.scanning import _allowed, listed

pytestmark = pytest.mark.usefixtures("bare")


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        create_tables(opened)
        yield opened


def rows() -> list[Row]:
    return [row for n in range(3) for row in [*everything_about(n, "ppfu"), *traced_about(n)]]


def named_by_content(path: Path) -> Path:
    """Name a part as its writer would, whatever is in it: a hash is no seal."""
    return path.rename(path.with_stem(hashlib.sha256(path.read_bytes()).hexdigest()[:KEY_LENGTH]))


def contents(con: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[object, ...]]]:
    return {table: con.execute(f"SELECT * EXCLUDE (part) FROM {table} ORDER BY ALL").fetchall() for table in TABLES}


def load(con: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, str]:
    parts = list(find_parts(folder))
    told: dict[str, str] = {}
    for table in TABLES:
        told |= load_table(con, table, [part for part in parts if part.table == table])
    return told


@pytest.mark.slow
def test_the_scan_and_the_reader_give_the_same_rows(tmp_path: Path, con: duckdb.DuckDBPyConnection) -> None:
    for n in range(3):
        write_parts(tmp_path / "scanned", [*everything_about(n, "ppfu"), *traced_about(n)], "r1" if n % 2 else "")
    write_parts(tmp_path / "read", rows())
    for n, path in enumerate([*(tmp_path / "read").rglob("*.parquet")]):
        path.rename(path.with_stem(f"other-{n}"))  # no name that its bytes have: read by itself
    assert all(one.columns for one in listed([p for p in find_parts(tmp_path / "scanned") if p.table == "verdict"],
                                             TABLES["verdict"]))  # fmt: skip
    assert not any(one.columns for one in listed(list(find_parts(tmp_path / "read"))[:1], TABLES["attempt"]))
    assert load(con, tmp_path / "scanned") == {}
    with duckdb.connect() as other:
        create_tables(other)
        assert load(other, tmp_path / "read") == {}
        assert contents(con) == contents(other)
    assert len(contents(con)["verdict"]) == 12


def test_parts_of_a_run_lie_together(tmp_path: Path) -> None:
    write_parts(tmp_path / "parts", rows(), "r1")
    assert {path.parent.name for path in (tmp_path / "parts").rglob("*.parquet")} == {"run=r1"}
    found = duckdb.sql(f"SELECT run, count(*) FROM read_parquet('{tmp_path}/parts/verdict/*/*.parquet') GROUP BY run")
    assert found.fetchall() == [("r1", 12)]
    assert {part.name.split("/")[1] for part in find_parts(tmp_path / "parts")} == {"run=r1"}
    (tmp_path / "parts" / "verdict" / "run=link").symlink_to(tmp_path / "parts" / "verdict" / "run=r1")
    assert "run=link" not in {part.name.split("/")[1] for part in find_parts(tmp_path / "parts")}


NASTY: list[Any] = [
    "", "x", "x" * 1_025, "x" * 4_096, "x" * 4_097, "x" * 20_001, "pass", "maybe", "\x00", "…",
    -1, 0, 1, 10**15, 10**15 + 1, -(2**62), 2**62, -0.0, 0.5, 1e9, 1e9 + 1, float("inf"), float("-inf"), float("nan"),
    True, False, None,
]  # fmt: skip


@pytest.mark.examples(1)
@pytest.mark.parametrize("table", ["attempt", "verdict", "action", "spend", "edit", "trajectory_measure", "flow_check"])
def test_what_the_scan_lets_through_the_record_allows(table: str, con: duckdb.DuckDBPyConnection) -> None:
    kind, schema = TABLES[table], arrow_schema(TABLES[table])
    known = {row.table: row.model_dump() for row in rows()}
    if table not in known:
        known[table] = {
            "learn_id": "l", "step": 0, "edit_id": "1", "surface": "skills", "decision": "rejected",
            "score_before": None, "decided_utc": known["attempt"]["started_utc"],
        }  # fmt: skip
    let_through = 0
    for field in schema:
        for value in NASTY:
            try:
                stored = pa.array([value], field.type)
            except (pa.ArrowInvalid, pa.ArrowTypeError, ValueError, OverflowError):
                continue
            con.register("one", pa.table({field.name: stored}))
            (allowed,) = con.execute(f"SELECT bool_and({_allowed(kind, (field.name,))}) FROM one").fetchall()[0]
            if allowed:
                let_through += 1
                found = stored.to_pylist()[0]
                found = found.replace(tzinfo=UTC) if isinstance(found, datetime) else found
                try:
                    kind.model_validate(known[table] | {field.name: found})
                except ValidationError as error:
                    pytest.fail(f"{field.name} = {value!r} was let through: {error}")
    assert let_through > 20


@pytest.mark.slow
def test_a_bad_part_with_a_good_name_is_refused_and_the_rest_is_read(
    tmp_path: Path, con: duckdb.DuckDBPyConnection
) -> None:
    for n in range(6):
        write_parts(tmp_path, everything_about(n))
    first, second, third, *_ = sorted((tmp_path / "verdict").iterdir())
    table = pq.read_table(first)
    statuses = pa.array(["maybe"] * len(table))
    pq.write_table(table.set_column(table.column_names.index("status"), "status", statuses), first)
    second.write_bytes(second.read_bytes()[:-40])
    damaged = bytearray(third.read_bytes())
    damaged[40:400] = os.urandom(360)
    third.write_bytes(damaged)
    bad = {f"verdict/{named_by_content(path).name}" for path in (first, second, third)}
    told = load(con, tmp_path)
    assert set(told) == bad
    assert any("status is 'maybe' in row 1" in message for message in told.values())
    assert len(contents(con)["verdict"]) == 9
    assert len(contents(con)["attempt"]) == 6


def test_a_part_without_a_younger_column_is_scanned_too(tmp_path: Path, con: duckdb.DuckDBPyConnection) -> None:
    write_parts(tmp_path, everything_about(0))
    (path,) = (tmp_path / "attempt").iterdir()
    pq.write_table(pq.read_table(path).drop_columns(["skill_id", "turns", "schema_version"]), path)
    named = named_by_content(path)
    (one,) = listed([Part("attempt/x", "attempt", named)], TABLES["attempt"])
    assert "skill_id" not in one.columns
    assert one.columns
    assert load(con, tmp_path) == {}
    assert con.execute("SELECT skill_id, turns, schema_version FROM attempt").fetchall() == [("", 0, 1)]


def test_a_younger_column_has_one_value_however_its_part_is_read(tmp_path: Path) -> None:
    write_parts(tmp_path, everything_about(0))
    (path,) = (tmp_path / "attempt").iterdir()
    pq.write_table(pq.read_table(path).drop_columns(["schema_version"]), path)
    assert read_part(Part("attempt/x", "attempt", path)).column("schema_version").to_pylist() == [1]


@pytest.mark.slow
def test_many_rows_are_all_seen_within_the_transaction_that_reads_them(
    tmp_path: Path, con: duckdb.DuckDBPyConnection
) -> None:
    """More than a row group, in parallel: a table made from an empty query lost sight of them in DuckDB 2.0."""
    (path,) = [p for p in write_parts(tmp_path, everything_about(0)) if p.parent.name == "action"]
    kind = arrow_schema(TABLES["action"])
    one = pq.read_table(path).to_pylist()[0]
    for n in range(8):
        many = {name: [one[name]] * 40_000 for name in kind.names} | {
            "position": list(range(n * 40_000, (n + 1) * 40_000))
        }
        named_by_content(_written(pa.table(many, schema=kind), tmp_path / "action" / f"{n}.parquet"))
    path.unlink()
    (attempt,) = (tmp_path / "attempt").iterdir()
    con.execute("SET threads = 2")
    con.execute("BEGIN TRANSACTION")
    load_table(con, "attempt", [Part("attempt/x", "attempt", attempt)])
    told = load_table(con, "action", [part for part in find_parts(tmp_path) if part.table == "action"])
    assert len(told) == 7, "eight parts of one attempt contradict each other; the first lands"
    assert con.execute("SELECT count(part), count(*) FROM action WHERE bucket = 'read'").fetchall() == [
        (40_000, 40_000)
    ]
    con.execute("COMMIT")


def _written(table: pa.Table, path: Path) -> Path:
    pq.write_table(table, path)
    return path


def test_a_landing_with_nothing_new_makes_no_private_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warehouse.land.check_all", lambda con: ())
    write_parts(tmp_path / "parts", everything_about(0), "r1")
    assert land(tmp_path / "parts", tmp_path / "w.duckdb").published

    def copied(*_: object) -> None:
        raise AssertionError("a private copy was made")

    with monkeypatch.context() as patch:
        patch.setattr("warehouse.land.private_copy", copied)
        again = land(tmp_path / "parts", tmp_path / "w.duckdb")
        assert (again.published, again.landed, again.known) == (True, {}, 8)
        write_parts(tmp_path / "parts", everything_about(1), "r1")
        with pytest.raises(AssertionError, match="a private copy"):
            land(tmp_path / "parts", tmp_path / "w.duckdb")
    assert land(tmp_path / "parts", tmp_path / "w.duckdb").landed["attempt"] == 1


@pytest.mark.slow
def test_a_small_file_that_unfolds_to_much_is_not_held_in_memory(
    tmp_path: Path, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every value is allowed; there are too many of them. Read by itself, the part is refused as ever."""
    rows, kind = 60_000, arrow_schema(TABLES["action"])
    one = {row.table: row for row in everything_about(0)}["action"].model_dump()
    columns = {name: [one[name]] * rows for name in kind.names}
    columns |= {"position": list(range(rows)), "arguments": ["x" * 20_000] * rows}
    (tmp_path / "action").mkdir()
    path = named_by_content(_written(pa.table(columns, schema=kind), tmp_path / "action" / "x.parquet"))
    assert path.stat().st_size < 2**20
    read: list[Part] = []
    monkeypatch.setattr("warehouse.loading.read_part", lambda part: read.append(part) or read_part(part))
    told = load(con, tmp_path)
    assert [part.path for part in read] == [path]
    assert "unfolds to 12" in told[f"action/{path.name}"]


def test_files_are_held_in_memory_as_many_as_fit(
    tmp_path: Path, con: duckdb.DuckDBPyConnection, monkeypatch: Any
) -> None:
    for n in range(5):
        write_parts(tmp_path, everything_about(n))
    monkeypatch.setattr("warehouse.scanning.MAX_TEXT", 400)
    assert load(con, tmp_path) == {}
    assert {table: len(found) for table, found in contents(con).items() if found} == {
        "attempt": 5, "judgement": 5, "verdict": 15, "gate": 5, "finding": 5, "coverage": 5, "action": 10, "spend": 5,
    }  # fmt: skip
