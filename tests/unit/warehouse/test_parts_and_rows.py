"""Rows refuse what is not storable or not true; parts are whole or absent."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from warehouse import parts as parts_module
from warehouse.columns import LABEL_LIMIT, PROSE_LIMIT
from warehouse.intake import BadPartError, Part, find_parts, read_part
from warehouse.migrating import create_tables
from warehouse.parts import arrow_schema, write_parts
from warehouse.records import TABLES, AttemptRow, VerdictRow
from warehouse.row import Row

MakeAttempt = Callable[..., AttemptRow]
MakeVerdict = Callable[..., VerdictRow]


@pytest.mark.parametrize(
    "change",
    [
        {"cost_usd": float("nan")},
        {"cost_usd": float("inf")},
        {"cost_usd": -0.01},
        {"output": -1},
        {"output": 10**18},
        {"seconds": -1.0},
        {"outcome": "gave up"},
        {"release_status": "maybe"},
        {"attempt_id": ""},
        {"started_utc": datetime(2024, 1, 1)},  # no timezone
        {"surprise": 1},
    ],
)
def test_rows_refuse_what_cannot_be(make_attempt: MakeAttempt, change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        make_attempt(0, **change)


def test_model_output_is_made_storable_and_bounded(make_verdict: MakeVerdict) -> None:
    row = make_verdict(reasoning="a\x00b\ud800c", quote="x" * 10**6, cause="y" * 5000, criterion_id="C\x00")
    assert row.reasoning == "a\ufffdb\ufffdc"
    assert len(row.quote) == PROSE_LIMIT
    assert len(row.cause) == LABEL_LIMIT
    assert row.criterion_id == "C\ufffd"


def test_rows_are_frozen(make_attempt: MakeAttempt) -> None:
    with pytest.raises(ValidationError):
        make_attempt(0).words = 1  # type: ignore[misc]


@pytest.mark.examples(7)
@pytest.mark.parametrize("table", TABLES)
def test_schema_and_records_agree(table: str) -> None:
    names = {
        "string": "VARCHAR",
        "int64": "BIGINT",
        "double": "DOUBLE",
        "bool": "BOOLEAN",
        "timestamp[us]": "TIMESTAMP",
    }
    with duckdb.connect() as con:
        create_tables(con)
        described = {n: (kind, null) for n, kind, null, *_ in con.execute(f"DESCRIBE {table}").fetchall()}
    assert described.pop("part") == ("VARCHAR", "NO")
    expected = {f.name: (names[str(f.type)], "YES" if f.nullable else "NO") for f in arrow_schema(TABLES[table])}
    assert described == expected
    kind = TABLES[table]
    assert set(kind.key) <= set(kind.model_fields)
    assert set(kind.owner) <= set(kind.key)


def test_the_same_rows_make_the_same_part_in_any_order(tmp_path: Path, make_verdict: MakeVerdict) -> None:
    rows = [make_verdict(0, f"C-{i}") for i in range(5)]
    (one,) = write_parts(tmp_path / "a", rows)
    (other,) = write_parts(tmp_path / "b", reversed(rows))
    assert one.name == other.name
    assert one.read_bytes() == other.read_bytes()
    stamp = one.stat().st_mtime_ns
    assert write_parts(tmp_path / "a", rows) == [one]
    assert one.stat().st_mtime_ns == stamp  # not written again
    (changed,) = write_parts(tmp_path / "a", [*rows[:4], make_verdict(0, "C-4", "fail")])
    assert changed.name != one.name


def test_one_part_a_table(tmp_path: Path, everything: Callable[..., list[Row]]) -> None:
    written = write_parts(tmp_path, everything(0) + everything(1))
    tables = [path.parent.name for path in written]
    assert tables == sorted({row.table for row in everything(0)})
    assert all(re.fullmatch(r"[0-9a-f]{40}\.parquet", path.name) for path in written)
    assert write_parts(tmp_path, []) == []


def test_times_are_stored_in_utc(tmp_path: Path, make_attempt: MakeAttempt) -> None:
    east = timezone(timedelta(hours=9))
    (path,) = write_parts(tmp_path, [make_attempt(0, started_utc=datetime(2024, 3, 4, 1, 0, tzinfo=east))])
    assert pq.read_table(path).column("started_utc").to_pylist() == [datetime(2024, 3, 3, 16, 0)]
    same = make_attempt(0, started_utc=datetime(2024, 3, 3, 16, 0, tzinfo=UTC))
    assert len(write_parts(tmp_path, [same])) == 1


def test_a_writer_that_dies_leaves_no_part(
    tmp_path: Path, make_attempt: MakeAttempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parts_module.os, "fsync", torn)
    with pytest.raises(OSError, match="No space"):
        write_parts(tmp_path, [make_attempt(0)])
    assert list((tmp_path / "attempt").iterdir()) == []


def test_parts_are_found_in_landing_order(tmp_path: Path, everything: Callable[..., list[Row]]) -> None:
    write_parts(tmp_path, everything(0))
    order = [part.table for part in find_parts(tmp_path)]
    assert order.index("attempt") < order.index("verdict")
    (tmp_path / "attempt" / ".x.partial").write_bytes(b"")
    (tmp_path / "attempt" / "notes.txt").write_bytes(b"")
    assert [part.table for part in find_parts(tmp_path)] == order
    assert list(find_parts(tmp_path / "nowhere")) == []


def test_a_damaged_part_is_refused_or_read_as_it_was_written(
    tmp_path: Path, everything: Callable[..., list[Row]]
) -> None:
    path = next(p for p in write_parts(tmp_path, everything(0)) if p.parent.name == "verdict")
    part = Part("verdict/x", "verdict", path)
    whole, data = read_part(part), path.read_bytes()
    refused = 0
    for position in range(0, len(data), len(data) // 150):
        damaged = bytearray(data)
        damaged[position] ^= 1 << (position % 8)
        path.write_bytes(damaged)
        try:
            assert read_part(part).equals(whole)
        except BadPartError:
            refused += 1
    assert refused > 30


def test_a_part_that_declares_more_than_it_may_is_refused(
    tmp_path: Path, make_attempt: MakeAttempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = write_parts(tmp_path, [make_attempt(0), make_attempt(1)])
    part = Part("attempt/x", "attempt", path)
    monkeypatch.setattr("warehouse.intake.MAX_ROWS", 1)
    with pytest.raises(BadPartError, match="declares 2 rows"):
        read_part(part)
    monkeypatch.setattr("warehouse.intake.MAX_FILE_BYTES", 10)
    with pytest.raises(BadPartError, match="larger than"):
        read_part(part)


@pytest.mark.slow
def test_a_small_file_that_unfolds_beyond_bounds_is_refused(tmp_path: Path, make_attempt: MakeAttempt) -> None:
    (path,) = write_parts(tmp_path, [make_attempt(0)])
    rows = 500_000
    table = pq.read_table(path)
    columns = {name: pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), column.combine_chunks())
               for name, column in zip(table.column_names, table.columns, strict=True)}  # fmt: skip
    long = pa.array(["x" * 2_000_000])
    columns["title"] = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), long)
    pq.write_table(pa.table(columns), path, dictionary_pagesize_limit=2**26, store_schema=False)
    assert path.stat().st_size < 2**20
    with pytest.raises(BadPartError, match="unfolds to 1000"):
        read_part(Part("attempt/x", "attempt", path))


def test_nested_columns_are_refused(tmp_path: Path, make_attempt: MakeAttempt) -> None:
    (path,) = write_parts(tmp_path, [make_attempt(0)])
    table = pq.read_table(path)
    nested = table.set_column(table.column_names.index("title"), "title", pa.array([["x"]]))
    pq.write_table(nested, path)
    with pytest.raises(BadPartError, match="nested columns: title"):
        read_part(Part("attempt/x", "attempt", path))


def test_a_column_younger_than_the_part_gets_its_default(tmp_path: Path, make_attempt: MakeAttempt) -> None:
    (path,) = write_parts(tmp_path, [make_attempt(0)])
    pq.write_table(pq.read_table(path).drop_columns(["turns", "effort"]), path)
    row = read_part(Part("attempt/x", "attempt", path)).to_pylist()[0]
    assert (row["turns"], row["effort"]) == (0, "")


def test_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.parquet")
    with pytest.raises(BadPartError, match="not a regular file"):
        read_part(Part("attempt/x", "attempt", tmp_path / "x.parquet"))


@pytest.mark.parametrize("room", range(8))
def test_a_writing_that_breaks_off_leaves_no_attempt_without_its_verdicts(
    tmp_path: Path, everything: Callable[..., list[Row]], monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    real, written = parts_module._write_part, []

    def full(folder: Path, rows: list[Row]) -> Path:
        if len(written) == room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(folder)
        return real(folder, rows)

    monkeypatch.setattr(parts_module, "_write_part", full)
    with pytest.raises(OSError, match="No space left"):
        write_parts(tmp_path, everything(0))
    assert not (tmp_path / "attempt").exists()
