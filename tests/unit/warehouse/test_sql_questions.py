"""Scores are recomputed from verdicts, and the warehouse answers questions and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.unit.warehouse.conftest import judgement_row
from warehouse.land import land
from warehouse.learning_records import EditRow
from warehouse.records import AttemptRow, RunRow, SpendRow
from warehouse.release_records import FindingRow, GateRow
from warehouse.row import Row
from warehouse.sql import QueryError, ask, named_queries, open_warehouse, run_query

Rows = Callable[..., Any]
WORDS = {"p": "pass", "f": "fail", "u": "unscored"}


@pytest.fixture
def judged(make_attempt: Rows, make_verdict: Rows) -> Callable[..., list[Row]]:
    def rows(number: int, statuses: str, profile: str = "anchor", **attempt: Any) -> list[Row]:
        verdicts = [make_verdict(number, f"C-{i}", WORDS[s], judge_profile=profile) for i, s in enumerate(statuses)]
        return [make_attempt(number, **attempt), *verdicts]

    return rows


def cell(database: Path, **where: str) -> dict[str, Any]:
    frame = run_query(database, "how_did_each_cell_do")
    (row,) = [r for r in frame.to_dicts() if all(r[k] == v for k, v in where.items())]
    return row


def test_pooled_pass_leaves_unscored_out_and_counts_it(warehouse_of: Rows, judged: Rows) -> None:
    database = warehouse_of(judged(0, "ppfu") + judged(1, "pp"))
    row = cell(database)
    assert row["pooled_pass"] == pytest.approx(4 / 5)
    assert (row["criteria"], row["passed"], row["failed"], row["unscored"]) == (6, 4, 1, 1)
    assert row["all_pass"] == pytest.approx(1 / 2)


def test_a_matter_with_an_unscored_criterion_is_not_all_pass(warehouse_of: Rows, judged: Rows) -> None:
    row = cell(warehouse_of(judged(0, "pppu")))
    assert row["all_pass"] == 0
    assert row["matters_with_unscored"] == 1


def test_a_cell_with_nothing_scored_has_no_pooled_rate(warehouse_of: Rows, judged: Rows) -> None:
    row = cell(warehouse_of(judged(0, "uu")))
    assert row["pooled_pass"] is None
    assert (row["all_pass"], row["unscored"]) == (None, 2)


def test_an_unjudged_cell_is_there_without_rates(warehouse_of: Rows, make_attempt: Rows, judged: Rows) -> None:
    database = warehouse_of([make_attempt(0, cell="api"), *judged(1, "p"), make_attempt(2)])
    assert cell(database, cell="api")["unjudged"] == 1
    assert cell(database, cell="api")["judge_profile"] == ""
    assert cell(database, cell="api")["pooled_pass"] is None
    assert cell(database, cell="extractive")["unjudged"] == 1
    assert cell(database, cell="extractive")["all_pass"] == 1  # of the attempts that were judged


def test_several_epochs_keep_the_matter_as_the_unit(warehouse_of: Rows, judged: Rows) -> None:
    same = {"matter_id": "tax/m"}
    rows = judged(0, "pp", epoch=0, **same) + judged(1, "pf", epoch=1, **same) + judged(2, "pp", matter_id="tax/n")
    row = cell(warehouse_of(rows))
    assert (row["matters"], row["attempts"]) == (2, 3)
    assert row["all_pass"] == pytest.approx((0.5 + 1.0) / 2)
    assert row["pooled_pass"] == pytest.approx(5 / 6)


def test_a_retry_after_a_failure_counts_once_but_its_cost_stays(warehouse_of: Rows, judged: Rows) -> None:
    same: dict[str, Any] = {"matter_id": "tax/m", "cost_usd": 0.5, "cost_source": "reported"}
    failed = judged(0, "uu", outcome="failed", failure_cause="provider", **same)
    later = failed[0].started_utc + timedelta(hours=1)
    retried = judged(1, "pp", **same, started_utc=later, ended_utc=later)
    row = cell(warehouse_of(failed + retried))
    assert (row["attempts"], row["retries"], row["unscored"]) == (1, 1, 0)
    assert row["pooled_pass"] == 1
    assert row["cost_usd"] == pytest.approx(1.0)


def test_a_second_finished_try_does_not_replace_the_first(warehouse_of: Rows, judged: Rows) -> None:
    first = judged(0, "pf", matter_id="tax/m")
    later = first[0].ended_utc + timedelta(hours=1)
    luckier = judged(1, "pp", matter_id="tax/m", started_utc=later, ended_utc=later)
    assert cell(warehouse_of(first + luckier))["pooled_pass"] == pytest.approx(1 / 2)


def test_the_latest_judgement_counts_and_the_old_one_stays(
    warehouse_of: Rows, judged: Rows, make_verdict: Rows
) -> None:
    first = judged(0, "ff")
    later = first[1].judged_utc + timedelta(days=1)
    again = [make_verdict(0, f"C-{i}", "pass", judged_utc=later) for i in range(2)]
    database = warehouse_of(first + again)
    assert cell(database)["pooled_pass"] == 1
    assert run_query(database, "SELECT count(*) AS n FROM verdict")["n"].item() == 4


def test_two_judges_are_two_rows_and_can_be_compared(warehouse_of: Rows, judged: Rows, make_verdict: Rows) -> None:
    other = [make_verdict(0, f"C-{i}", WORDS[s], judge_profile="panel") for i, s in enumerate("pfu")]
    database = warehouse_of(judged(0, "ppp") + other)
    assert cell(database, judge_profile="anchor")["pooled_pass"] == 1
    assert cell(database, judge_profile="panel")["pooled_pass"] == pytest.approx(1 / 2)
    (row,) = run_query(database, "do_the_judges_agree").to_dicts()
    assert (row["both_pass"], row["both_fail"], row["differ"], row["unscored_by_either"]) == (1, 0, 1, 1)


def test_areas_and_kinds_and_error_classes(warehouse_of: Rows, judged: Rows) -> None:
    database = warehouse_of(judged(0, "ppf", area="tax") + judged(1, "fff", area="ip") + judged(2, "p", area="tax"))
    areas = run_query(database, "which_areas_are_weakest").to_dicts()
    assert [(a["area"], a["matters"], a["pooled_pass"]) for a in areas] == [("ip", 1, 0.0), ("tax", 2, 0.75)]
    (kind,) = run_query(database, "which_kinds_of_answer_are_missed").to_dicts()
    assert (kind["match_kind"], kind["criteria"], kind["pooled_pass"]) == ("date", 7, pytest.approx(3 / 7))
    (error,) = run_query(database, "which_error_classes_dominate").to_dicts()
    assert (error["error_class"], error["failed"], error["matters"], error["share"]) == ("numbers_dates", 4, 2, 1.0)


def test_a_fail_without_a_class_is_shown_as_such(warehouse_of: Rows, make_attempt: Rows, make_verdict: Rows) -> None:
    database = warehouse_of([make_attempt(0), make_verdict(0, "C", "fail", error_class="")])
    assert run_query(database, "which_error_classes_dominate")["error_class"].to_list() == ["unclassified"]


def test_unscored_criteria_are_listed_with_their_cause(warehouse_of: Rows, judged: Rows) -> None:
    database = warehouse_of(judged(0, "uup"))
    assert run_query(database, "which_criteria_are_unscored_and_why")["cause"].to_list() == ["judge", "judge"]
    assert run_query(database, "why_are_criteria_unscored")["criteria"].to_list() == [2]


def test_money_is_booked_once(warehouse_of: Rows, make_attempt: Rows) -> None:
    attempt: AttemptRow = make_attempt(0, output=100, cost_usd=2.0, cost_source="priced", profile="mini", calls=3)
    usage = {"output": 100, "cost_usd": 2.0, "cost_source": "priced"}
    spent = [
        SpendRow(attempt_id="a0", role=role, profile=role, spent_utc=attempt.ended_utc, **usage)
        for role in ("solver", "judge")
    ]
    step = SpendRow(attempt_id="learn-1/3", run_id="r1", role="proposer", spent_utc=attempt.ended_utc, **usage)
    frame = run_query(warehouse_of([attempt, *spent, step]), "what_did_it_cost")
    assert {r["role"]: r["cost_usd"] for r in frame.to_dicts()} == {"solver": 2.0, "judge": 2.0, "proposer": 2.0}


def test_gates_actions_and_coverage(warehouse_of: Rows, everything: Rows) -> None:
    database = warehouse_of(everything(0) + everything(1))
    (gate,) = run_query(database, "which_gates_flagged").to_dicts()
    assert (gate["flagged"], gate["checked"], gate["verified"]) == (2, 8, 6)
    buckets = {r["bucket"]: r["per_attempt"] for r in run_query(database, "what_did_the_solvers_do").to_dicts()}
    assert buckets == {"read": 1.0, "write": 1.0}
    assert run_query(database, "how_much_of_the_data_rooms_was_read")["read_share"].item() == 1.0


def test_gates_against_judges(warehouse_of: Rows, make_attempt: Rows, make_verdict: Rows) -> None:
    def flag(position: int, sentence: str, severity: str = "flag") -> FindingRow:
        return FindingRow(
            attempt_id="a0", position=position, gate="number", kind="unsourced", severity=severity, text="$5",
            sentence=sentence,
        )  # fmt: skip

    rows = [
        make_attempt(0),
        GateRow(attempt_id="a0", gate="number", position=0, status="flagged", checked=9, verified=3, n_findings=4),
        GateRow(attempt_id="a0", gate="date", position=1, status="passed", checked=2, verified=2, n_findings=0),
        make_verdict(0, "C-1", "fail", quote="The  cap is $5 million."),
        make_verdict(0, "C-2", "fail", quote="The term ends in 2031."),
        make_verdict(0, "C-3", "fail"),
        make_verdict(0, "C-4", "pass", quote="The rent is $8,500 a month."),
        flag(0, "As to liability, the cap is $5 million. It is low."),
        flag(1, "The rent is $8,500 a month."),
        flag(2, "A line that no verdict speaks of."),
        flag(3, "The term ends in 2031.", "note"),
    ]
    date, number = run_query(warehouse_of(rows), "do_the_gates_agree_with_the_judges").to_dicts()
    assert (number["gate"], number["flags"]) == ("number", 3)
    assert (number["true_flags"], number["false_flags"], number["unjudged_flags"]) == (1, 1, 1)
    assert number["precision"] == pytest.approx(0.5)
    assert (number["failed"], number["quoted_failed"], number["flagged_failed"]) == (3, 2, 1)
    assert number["recall"] == pytest.approx(0.5)
    one_of_two = (pytest.approx(0.0945, abs=1e-4), pytest.approx(0.9055, abs=1e-4))  # Wilson
    assert (number["precision_low"], number["precision_high"]) == one_of_two
    assert (number["recall_low"], number["recall_high"]) == one_of_two
    assert (date["precision_low"], date["recall_low"]) == (None, 0.0)
    assert (number["attempts"], number["flagged_attempts"], number["flagged_and_failed"]) == (1, 1, 1)
    assert (date["gate"], date["flags"], date["precision"], date["recall"]) == ("date", 0, None, 0.0)


def test_the_learners_ledger(warehouse_of: Rows, run_row: RunRow) -> None:
    edit = EditRow(
        learn_id="l1", step=1, edit_id="1", surface="skills", decision="rejected", policy="best_so_far",
        score_before=0.5, score_after=0.4, minibatch=8, decided_utc=run_row.started_utc,
    )  # fmt: skip
    unscored = edit.model_copy(update={"edit_id": "2", "score_after": None, "stopped_by": "leakage"})
    frame = run_query(warehouse_of([edit, unscored]), "what_did_the_learner_change")
    assert frame["gain"].to_list() == [pytest.approx(-0.1), None]


def test_every_question_answers_on_an_empty_warehouse(warehouse_of: Rows) -> None:
    database = warehouse_of([])
    assert {"how_did_each_cell_do", "what_did_the_learner_change"} <= set(named_queries())
    with open_warehouse(database) as con:
        for name, sentence in named_queries().items():
            assert ask(con, name).height == 0, name
            assert sentence.endswith("."), name


def test_every_question_answers_in_a_stated_order(warehouse_of: Rows, everything: Rows) -> None:
    database = warehouse_of(everything(0) + everything(1))
    with open_warehouse(database) as con:
        answers = {name: ask(con, name) for name in named_queries()}
    with open_warehouse(database) as con:
        for name, answer in answers.items():
            assert ask(con, name).equals(answer), name
    scripts = Path(__file__).resolve().parents[3] / "warehouse" / "queries"
    assert all(re.search(r"\bORDER BY\b", script.read_text("utf-8")) for script in scripts.glob("*.sql"))


def test_one_run_is_chosen(warehouse_of: Rows, judged: Rows) -> None:
    database = warehouse_of(judged(0, "p", run_id="o'r") + judged(1, "f", run_id="s"))
    assert run_query(database, "how_did_each_cell_do", run_id="o'r")["pooled_pass"].to_list() == [1.0]
    assert run_query(database, "how_did_each_cell_do", run_id="none").height == 0
    with pytest.raises(QueryError, match="no column run_id"):
        run_query(database, "what_was_quarantined", run_id="s")


def test_parameters(warehouse_of: Rows, judged: Rows) -> None:
    database = warehouse_of(judged(0, "p") + judged(1, "f"))
    frame = run_query(database, "SELECT status FROM verdict WHERE attempt_id = ?", ["a1"])
    assert frame["status"].to_list() == ["fail"]


FORBIDDEN = [
    ("DELETE FROM verdict", "read-only"),
    ("INSERT INTO verdict SELECT * FROM verdict", "read-only"),
    ("DROP VIEW cells", "read-only"),
    ("CREATE TABLE x (a INT)", "read-only"),
    ("COPY verdict TO '{tmp}/out.csv'", "disabled by configuration"),
    ("EXPORT DATABASE '{tmp}/out'", "disabled by configuration"),
    ("SELECT * FROM read_text('/etc/hostname')", "disabled by configuration"),
    ("SELECT * FROM read_csv('/etc/passwd')", "disabled by configuration"),
    ("SELECT * FROM '/etc/passwd'", "does not exist"),
    ("SELECT * FROM glob('/*')", "disabled by configuration"),
    ("ATTACH '{tmp}/other.duckdb'", "disabled by configuration"),
    ("INSTALL httpfs", "disabled"),
    ("SET enable_external_access = true", "locked"),
    ("RESET enable_external_access", "locked"),
    ("SELECT 1; DROP TABLE verdict", "one statement at a time"),
    ("", "one statement at a time"),
    ("  ;  ", "one statement at a time"),
    ("SELEKT 1", "syntax error"),
    ("SELECT nothing FROM verdict", "nothing"),
    ("how_is_the_weather", "no question is named"),
]


@pytest.fixture(scope="module")
def one_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("warehouse")
    land(folder / "parts", folder / "w.duckdb")
    return folder / "w.duckdb"


@pytest.mark.examples(9)
@pytest.mark.parametrize(("query", "told"), FORBIDDEN, ids=[q[:30] for q, _ in FORBIDDEN])
def test_what_is_refused(one_warehouse: Path, tmp_path: Path, query: str, told: str) -> None:
    before = one_warehouse.read_bytes()
    with pytest.raises(QueryError, match=re.escape(told)):
        run_query(one_warehouse, query.replace("{tmp}", str(tmp_path)))
    assert one_warehouse.read_bytes() == before
    assert not (tmp_path / "out.csv").exists()
    assert not (tmp_path / "out").exists()


def test_a_query_that_does_not_end_is_stopped(warehouse_of: Rows) -> None:
    slow = "SELECT sum(a.range * b.range) AS s FROM range(10000000) a, range(10000000) b"
    with pytest.raises(QueryError, match="was stopped"):
        run_query(warehouse_of([]), slow, timeout_seconds=0.3)


def test_no_warehouse_is_told(tmp_path: Path) -> None:
    with pytest.raises(QueryError, match="no warehouse at"):
        run_query(tmp_path / "none.duckdb", "SELECT 1")
    (tmp_path / "x.duckdb").write_text("no")
    with pytest.raises(QueryError, match="cannot be opened"):
        run_query(tmp_path / "x.duckdb", "SELECT 1")


def test_a_span_of_time_is_shown(warehouse_of: Callable[[list[Row]], Path], judged: Callable[..., list[Row]]) -> None:
    """The difference of two times is an ordinary question, and of a type that no frame has."""
    database = warehouse_of(judged(0, "p"))
    asked = 'SELECT attempt_id, ended_utc - started_utc AS "how ""long" FROM attempt'
    assert run_query(database, asked).rows() == [("a0", "00:00:02.5")]
    assert run_query(database, "SELECT [ended_utc - started_utc] AS s FROM attempt").rows() == [("['00:00:02.5']",)]
    with pytest.raises(QueryError, match="a name of its own"):
        run_query(database, "SELECT * FROM (SELECT 1 AS a) CROSS JOIN (SELECT 2 AS a)")


def test_runs_are_compared_on_matters_of_the_same_content(warehouse_of: Rows, judged: Rows) -> None:
    def run(run_id: str, first: int, *statuses: str, digest: str = "0", version: str = "v1") -> list[Row]:
        rows: list[Row] = []
        for place, said in enumerate(statuses):
            changes = {"run_id": run_id, "matter_id": f"tax/{place}", "matter_digest": f"{digest}{place}" * 32}
            rows += judged(first + place, said, **changes)
            rows.append(judgement_row(first + place, len(said)).model_copy(update={"profile_version": version}))
        return rows

    database = warehouse_of(
        run("ours", 0, "ppp", "ppf")
        + run("theirs", 4, "fpp", "ppu")
        + run("of other content", 6, "fff", digest="9")
        + run("by another version", 7, "fff", version="v2")
    )
    answer = run_query(database, "how_do_runs_compare_pair_by_pair").to_dicts()
    assert [(r["run_id"], r["other_run_id"], r["matters"], r["criteria"]) for r in answer] == [
        ("ours", "theirs", 2, 5),
        ("theirs", "ours", 2, 5),
    ]
    assert [(r["gained"], r["lost"], r["difference"]) for r in answer] == [(0, 1, -0.2), (1, 0, 0.2)]
    assert [(r["difference_low"], r["difference_high"]) for r in answer] == [
        (pytest.approx(-1 / 3), 0.0),
        (0.0, pytest.approx(1 / 3)),
    ]
