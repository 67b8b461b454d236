"""What counts follows the plan of a run's latest start; runs that landed before plans did count as they were."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.unit.warehouse.conftest import START, attempt_row, everything_about
from warehouse import land as landing
from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.records import AttemptKeyRow, PlanRow
from warehouse.report import render
from warehouse.row import Row
from warehouse.sql import QueryError, run_query

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _without_suites(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landing, "check_all", lambda con: ())


@pytest.fixture
def landed(tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """Land rows, and return the line of each cell."""

    def go(*rows: Row) -> list[dict[str, Any]]:
        for row in rows:
            write_parts(tmp_path / "parts", [row])
        result = land(tmp_path / "parts", tmp_path / "w.duckdb")
        assert (result.published, result.quarantined) == (True, ())
        return run_query(tmp_path / "w.duckdb", "SELECT * FROM cells ORDER BY cell, run_id").to_dicts()

    return go


def tried(number: int, key: str, statuses: str, **changes: object) -> list[Row]:
    values = {"matter_id": "tax/m", "ended_utc": START + timedelta(seconds=9 + number), **changes}
    return [*everything_about(number, statuses, **values), AttemptKeyRow(attempt_id=f"a{number}", work_key=key)]


def planned(key: str, start: int = 0, matter: str = "tax/m", cell: str = "extractive") -> PlanRow:
    began = START + timedelta(hours=start)
    return PlanRow(run_id="r1", started_utc=began, cell=cell, matter_id=matter, epoch=0, work_key=key)


@pytest.mark.slow
def test_an_attempt_under_another_key_does_not_count(landed: Callable[..., Any], tmp_path: Path) -> None:
    write_parts(tmp_path / "parts", [*tried(0, "old", "fff"), *tried(1, "new", "ppf")])
    before = landed(planned("old"))
    assert (before[0]["passed"], before[0]["failed"], before[0]["attempts"]) == (0, 3, 1)
    after = landed(planned("new", start=1))  # the latest start rules
    assert (after[0]["passed"], after[0]["failed"], after[0]["retries"]) == (2, 1, 0)
    assert after[0]["seconds"] == 2.5


def test_a_retry_of_what_is_planned_counts_as_ever(landed: Callable[..., Any], tmp_path: Path) -> None:
    failed = tried(0, "k", "uuu", outcome="failed", failure_cause="changed", release_status="")
    write_parts(tmp_path / "parts", [*failed, *tried(1, "k", "ppp")])
    (row,) = landed(planned("k"))
    assert (row["passed"], row["unscored"], row["retries"], row["seconds"]) == (3, 0, 1, 5.0)


@pytest.mark.slow
def test_a_smaller_start_counts_what_it_planned(landed: Callable[..., Any], tmp_path: Path) -> None:
    write_parts(tmp_path / "parts", [*tried(0, "k", "ppp"), *tried(1, "n", "fff", matter_id="tax/n")])
    first = (planned("k"), planned("n", matter="tax/n"))
    write_parts(tmp_path / "parts", first)
    assert landed()[0]["matters"] == 2
    assert landed(planned("k", start=1))[0]["matters"] == 1


@pytest.mark.slow
def test_a_run_that_landed_without_a_plan_counts_as_before_and_may_get_one(
    landed: Callable[..., Any], tmp_path: Path
) -> None:
    old = [row for row in tried(0, "k", "ppf") if row.table != "attempt_key"]
    write_parts(tmp_path / "parts", old)
    assert landed()[0]["passed"] == 2
    write_parts(tmp_path / "parts", tried(0, "k", "ppf"))  # landed again by a version that keeps work keys
    assert landed()[0]["passed"] == 2
    assert landed(planned("k"))[0]["passed"] == 2
    other = everything_about(5, "f", run_id="r2")
    write_parts(tmp_path / "parts", other)
    assert [r["run_id"] for r in landed()] == ["r1", "r2"]


@pytest.mark.slow
def test_the_number_of_an_attempt_and_not_the_clock_says_which_counts(
    landed: Callable[..., Any], tmp_path: Path
) -> None:
    """Ten tries with the clock set back before each: of failed ones the last counts, of others the first."""
    failed = {"outcome": "failed", "failure_cause": "provider", "release_status": "", "matter_id": "tax/m"}
    tries = [
        attempt_row(0, attempt_id=f"r1/tax/m/extractive/{n}", ended_utc=START + timedelta(hours=20 - n), **failed)
        for n in range(1, 11)
    ]
    landed(*tries)
    counted = "SELECT attempt_id FROM counted_attempts"
    assert run_query(tmp_path / "w.duckdb", counted).item() == "r1/tax/m/extractive/10"
    landed(*[row.model_copy(update={"attempt_id": f"r1/tax/m/extractive/{n}", "outcome": "finished"})
             for n, row in zip((11, 12), tries, strict=False)])  # fmt: skip
    assert run_query(tmp_path / "w.duckdb", counted).item() == "r1/tax/m/extractive/11"


@pytest.mark.slow
def test_a_stopped_run_is_told_to_be_in_part(landed: Callable[..., Any], tmp_path: Path) -> None:
    write_parts(tmp_path / "parts", [*tried(0, "k", "ppp"), planned("k"), planned("n", matter="tax/n")])
    (cell,) = landed()
    assert (cell["attempts"], cell["planned"], cell["passed"]) == (1, 2, 3)
    (run,) = run_query(tmp_path / "w.duckdb", "which_runs_are_here").to_dicts()
    assert (run["attempts"], run["planned"]) == (1, 2)
    render(tmp_path / "w.duckdb", tmp_path / "report")
    assert "Not whole" in (tmp_path / "report" / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_a_whole_run_is_not_told_to_be_in_part(landed: Callable[..., Any], tmp_path: Path) -> None:
    write_parts(tmp_path / "parts", [*tried(0, "k", "ppp"), planned("k")])
    landed()
    render(tmp_path / "w.duckdb", tmp_path / "report")
    assert "Not whole" not in (tmp_path / "report" / "index.html").read_text("utf-8")


def test_without_a_plan_or_a_time_nothing_is_made_up(landed: Callable[..., Any], tmp_path: Path) -> None:
    write_parts(tmp_path / "parts", tried(0, "k", "ppp", started_utc=NEVER, ended_utc=NEVER))
    (cell,) = landed()
    assert cell["planned"] is None
    (run,) = run_query(tmp_path / "w.duckdb", "which_runs_are_here").to_dicts()
    assert (run["planned"], run["last_ended_utc"]) == (None, None)


def test_a_report_of_a_file_of_an_earlier_version_says_what_to_do(landed: Callable[..., Any], tmp_path: Path) -> None:
    landed(*tried(0, "k", "ppp")[:0])
    with duckdb.connect(str(tmp_path / "w.duckdb")) as con:
        con.execute("ALTER TABLE cells DROP COLUMN planned")
    with pytest.raises(QueryError, match="`solon land` brings it up to date"):
        render(tmp_path / "w.duckdb", tmp_path / "report")
