"""The questions of traces: on a small warehouse, on one that an earlier version made, and on the page of questions."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.unit.warehouse.conftest import attempt_row, everything_about, traced_about
from tests.unit.warehouse.questions_page import PAGE, page, sample_warehouse
from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.report import render
from warehouse.sql import named_queries, run_query

NEW = ("trajectory_measure", "document_served", "mandatory_tool", "trace_defect", "mechanism_firing", "message_sent",
       "flow_check")  # fmt: skip


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_warehouse(tmp_path_factory.mktemp("sample"))


@pytest.fixture
def landed(warehouse_of: Any) -> Any:
    return lambda *rows: warehouse_of([*rows])


def rows_of(database: Path, question: str, **where: Any) -> list[dict[str, Any]]:
    rows = run_query(database, question).to_dicts()
    return [row for row in rows if all(row[name] == value for name, value in where.items())]


@pytest.mark.slow
def test_every_question_is_on_the_page_with_its_answer(database: Path) -> None:
    """Where this fails and the answers are as they should be, ``WRITE_PAGES=1`` writes the page anew."""
    if os.environ.get("WRITE_PAGES"):
        PAGE.write_text(page(database), "utf-8")
    assert PAGE.read_text("utf-8") == page(database)


def test_every_question_says_in_which_order_it_answers() -> None:
    scripts = Path(__file__).resolve().parents[3] / "warehouse" / "queries"
    for name in named_queries():
        assert re.search(r"\bORDER BY\b[^()]*$", (scripts / f"{name}.sql").read_text("utf-8")), name


@pytest.mark.slow
def test_how_the_agents_worked(database: Path) -> None:
    (row,) = rows_of(database, "how_did_the_agents_work", cell="basic:local")
    assert (row["attempts"], row["measured"], row["turns"], row["actions"]) == (2, 2, 9.0, 7.0)
    assert (row["audited_before_finishing"], row["loaded_a_skill"], row["wrote_before_reading"]) == (2, 2, 0)
    assert (row["opened_share"], row["served_share"]) == (0.5, 0.5)
    (ours,) = rows_of(database, "how_did_the_agents_work", cell="extractive")
    assert (ours["lookups"], ours["actions"], ours["loaded_a_skill"]) == (12.0, 7.0, 0)


def test_turns_of_never_are_no_turns(landed: Any) -> None:
    never = {"first_read_turn": 0, "first_write_turn": 0, "audited_before_finishing": False}
    database = landed(*everything_about(0), *everything_about(1), *traced_about(0, **never), *traced_about(1))
    (row,) = run_query(database, "how_did_the_agents_work").to_dicts()
    assert (row["first_read_turn"], row["first_write_turn"]) == (2.0, 4.0)


def test_an_attempt_that_the_provider_failed_says_nothing_of_how_the_agent_works(landed: Any) -> None:
    lost = attempt_row(1, outcome="failed")
    database = landed(*everything_about(0), lost, *traced_about(0), *traced_about(1, audited_before_finishing=False))
    (row,) = run_query(database, "how_did_the_agents_work").to_dicts()
    assert (row["attempts"], row["measured"], row["audited_before_finishing"]) == (2, 1, 1)
    for question in ("trace_defects", "share_of_attempts_that_used_each_mandatory_tool"):
        rows = run_query(database, question).to_dicts()
        assert rows
        assert {row["attempts"] for row in rows} == {1}, question


def test_what_was_shown_of_each_document(database: Path) -> None:
    shares = [
        (r["document"], r["share"]) for r in rows_of(database, "how_much_of_each_document_was_shown", cell="extractive")
    ]
    assert shares == [("rents.xlsx", 0.0)] * 2 + [("lease.docx", pytest.approx(2 / 3))] * 2


def test_defects_by_cell(database: Path) -> None:
    told = [
        (r["defect"], r["by_construction"], r["attempts"], r["share"])
        for r in rows_of(database, "trace_defects", run_id="r1")
    ]
    assert told == [("D2", False, 2, 1.0), ("D5", True, 2, 1.0)] * 2


def test_the_share_of_attempts_that_used_each_mandatory_tool(database: Path) -> None:
    rows = rows_of(database, "share_of_attempts_that_used_each_mandatory_tool", cell="basic:local")
    told = [(r["tool"], r["attempts"], r["used"], r["share"], r["calls"]) for r in rows]
    assert told == [("authority", 2, 1, 0.5, 1), ("date_scan", 2, 2, 1.0, 4)]


def test_what_mechanisms_did_with_and_without(database: Path) -> None:
    (row,) = rows_of(database, "what_mechanisms_did")
    assert (row["cell"], row["mechanism"], row["fires"], row["files"]) == ("basic:local", "landing", 1, 1)
    assert (row["attempts"], row["attempts_without"]) == (1, 1)
    assert (row["pooled_pass_with"], row["pooled_pass_without"]) == (pytest.approx(1 / 2), pytest.approx(1 / 3))


def test_a_mechanism_of_attempts_that_nobody_judged_is_told(landed: Any) -> None:
    (row,) = run_query(landed(attempt_row(0), *traced_about(0)), "what_mechanisms_did").to_dicts()
    assert (row["fires"], row["judge_profile"], row["pooled_pass_with"]) == (1, "", None)


def test_leaks_within_an_attempt_and_across_attempts(database: Path) -> None:
    rows = rows_of(database, "did_anything_leak")
    assert [(r["attempt_id"], r["found_in"]) for r in rows] == [("a3", "attempt"), ("a3", "other attempt")]
    assert "sent to solver" in rows[1]["problems"]


def test_what_each_role_was_sent(database: Path) -> None:
    rows = rows_of(database, "what_was_each_role_sent", cell="basic:local")
    assert [(r["side"], r["role"], r["rescored"], r["messages"], r["times_sent"]) for r in rows] == [
        ("judge", "judge", False, 1, 4), ("judge", "judge", True, 1, 2), ("solver", "solver", False, 2, 6),
    ]  # fmt: skip


def test_cost_in_two_modes(database: Path) -> None:
    (row,) = rows_of(database, "what_did_it_cost", cell="basic:local", role="solver")
    assert (row["cost_usd"], row["cost_cached_free_usd"]) == (pytest.approx(0.1), pytest.approx(0.06))
    (cell,) = rows_of(database, "how_did_each_cell_do", cell="basic:local")
    assert (cell["cost_usd"], cell["cost_cached_free_usd"]) == (pytest.approx(0.1), pytest.approx(0.06))


def test_cost_without_cached_reads_is_not_told_where_their_rate_is_not_known(landed: Any) -> None:
    bill = {"cache_read": 10, "cost_usd": 1.0, "cost_source": "reported", "calls": 1}
    database = landed(attempt_row(0, **bill), *traced_about(0, cached_reads_usd=None), attempt_row(1))
    (row,) = run_query(database, "what_did_it_cost").to_dicts()
    assert (row["cost_usd"], row["cost_cached_free_usd"]) == (1.0, None)
    (cell,) = run_query(database, "how_did_each_cell_do").to_dicts()
    assert cell["cost_cached_free_usd"] is None


@pytest.mark.slow
def test_the_report_shows_what_traces_tell(database: Path, tmp_path: Path) -> None:
    shown = render(database, tmp_path).read_text("utf-8")
    for told in ("Trajectories, on average", "1 of 2 documents are named", "Mandatory tools", "date_scan", "Mechanisms",
                 "Information flow that is not sound", "sent to others too", "cached reads free"):  # fmt: skip
        assert told in shown, told


@pytest.mark.slow
def test_a_warehouse_of_an_earlier_version_is_rebuilt_and_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had none of the tables of traces; its attempts have no measures and are counted as such."""
    monkeypatch.setattr("warehouse.land.check_all", lambda con: ())  # the suites have their own tests
    parts, file = tmp_path / "parts", tmp_path / "w.duckdb"
    write_parts(parts, everything_about(0))
    land(parts, file)
    with duckdb.connect(str(file)) as con:
        for (name,) in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall():
            con.execute(f'DROP VIEW "{name}"')
        for table in NEW:
            con.execute(f"DROP TABLE {table}")
        con.execute("UPDATE meta SET setting = 'older' WHERE name IN ('schema', 'views')")
    result = land(parts, file)
    assert result.published
    assert result.quarantined == ()
    (row,) = run_query(file, "how_did_the_agents_work").to_dicts()
    assert (row["attempts"], row["measured"], row["served_share"]) == (1, 0, None)
    write_parts(parts, [*everything_about(0), *everything_about(1), *traced_about(1)])  # old and new side by side
    assert land(parts, file).quarantined == ()
    (row,) = run_query(file, "how_did_the_agents_work").to_dicts()
    assert (row["attempts"], row["measured"], row["actions"]) == (2, 1, 7.0)
    (defect, _) = run_query(file, "trace_defects").to_dicts()
    assert (defect["attempts"], defect["measured"], defect["share"]) == (1, 1, 1.0)
