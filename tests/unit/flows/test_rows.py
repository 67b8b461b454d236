"""The files of an attempt become rows; the same files always give the same rows."""

from __future__ import annotations

from pathlib import Path

from flows.runs.attempts import AttemptStore, write_json
from flows.runs.rows import attempt_rows, failure_rows
from tasks.judging.records import JudgeReport, Verdict
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.usage import Usage
from tasks.reconcile.records import Finding
from tasks.release.records import GateResult, ReleaseReport
from tasks.sources.records import CoverageEntry, Span
from tasks.tracing.records import Action, Trajectory
from tests.unit.flows.test_attempts import NOW, attempt

FAILURE = Failure(cause=FailureCause.READER, stage="sources", subject="a.pdf", message="is cut off")


def folder(tmp_path: Path) -> Path:
    finding = Finding(
        gate="number", kind="near_miss", severity="flag", text="$5", grounding=Span(document="a.txt", start=1, end=3)
    )
    gate = GateResult(gate="number", status="flagged", checked=2, verified=1, findings=(finding,))
    entry = CoverageEntry(document="a.pdf", status="unread", characters=0, failures=(FAILURE,))
    release = ReleaseReport(
        matter_id="tax/a",
        status="released_with_flags",
        gates=(gate,),
        coverage=(entry, entry),
        deliverables=("m.docx",),
    )
    actions = (Action(index=0, turn=1, tool="read", bucket="read"), Action(index=1, turn=1, tool="w", bucket="write"))
    verdicts = (
        Verdict(criterion_id="C-1", title="t", status="pass", match_kind="date"),
        Verdict(criterion_id="C-2", title="t", status="unscored", cause=FailureCause.JUDGE),
    )
    usage = Usage(output=3, cost_usd=0.2, cost_source="priced", calls=1)
    report = JudgeReport(matter_id="tax/a", matter_digest="d", profile="anchor", verdicts=verdicts, usage=usage)
    write_json(tmp_path / "release.json", release)
    write_json(tmp_path / "trajectory.json", Trajectory(trace_format="lab", turns=1, actions=actions))
    write_json(tmp_path / "judgement.json", report)
    return tmp_path


def test_every_file_becomes_its_rows(tmp_path: Path) -> None:
    counts = {"criteria": 2, "passed": 1, "unscored": 1}
    made = attempt(judged_utc=NOW, judge_profile="anchor", failures=(FAILURE, FAILURE), **counts)
    rows = attempt_rows(made, folder(tmp_path))
    tables = [row.table for row in rows]
    assert {t: tables.count(t) for t in set(tables)} == {
        "attempt": 1, "attempt_key": 1, "gate": 1, "finding": 1, "coverage": 1, "action": 2, "verdict": 2,
        "spend": 1, "failure": 1,
        "judgement": 1,
    }  # fmt: skip
    by_table = {row.table: row.model_dump() for row in reversed(rows)}
    assert by_table["finding"]["source_document"] == "a.txt"
    assert by_table["coverage"]["cause"] == "reader"
    assert by_table["spend"]["cost_usd"] == 0.2
    assert by_table["verdict"]["judged_utc"] == NOW
    assert attempt_rows(made, tmp_path) == rows


def test_an_attempt_says_how_many_verdicts_it_had_when_they_are_gone(tmp_path: Path) -> None:
    made = attempt(judged_utc=NOW, judge_profile="anchor", criteria=2)
    (folder(tmp_path) / "judgement.json").unlink()
    (row,) = [r for r in attempt_rows(made, tmp_path) if r.table in {"judgement", "verdict"}]
    assert row.model_dump() == {
        "schema_version": 1, "attempt_id": made.attempt_id, "judge_profile": "anchor", "judged_utc": NOW, "criteria": 2,
    }  # fmt: skip


def test_a_failed_attempt_without_files_is_still_a_row(tmp_path: Path) -> None:
    rows = attempt_rows(attempt(outcome="failed", failures=(FAILURE,)), tmp_path)
    assert [r.table for r in rows] == ["attempt", "attempt_key", "failure"]
    assert rows[0].model_dump()["failure_cause"] == "reader"


def test_a_torn_file_does_not_stop_the_landing(tmp_path: Path) -> None:
    (tmp_path / "release.json").write_text("{")
    assert [r.table for r in attempt_rows(attempt(), tmp_path)] == ["attempt", "attempt_key"]


def test_problems_of_a_corpus_are_rows_of_the_run() -> None:
    assert [r.model_dump()["attempt_id"] for r in failure_rows("r", [FAILURE])] == [""]


def test_an_order_says_nothing_of_rubrics(tmp_path: Path) -> None:
    from flows.runs.plan import begin_attempt
    from tests.unit.flows.test_plan import plan

    p = plan("tax/a")
    order = begin_attempt(p.work()[0], p, AttemptStore(tmp_path / "runs", "r"), tmp_path / "home" / "cache")
    assert "seal" not in order.model_dump_json()
    assert "judge" not in order.model_dump_json()


def test_verdicts_that_the_judge_did_not_count_are_not_believed(tmp_path: Path) -> None:
    """One of the two files was altered: the verdicts count as lost, which the landing says, and never as they stand."""
    told = {"judged_utc": NOW, "judge_profile": "anchor", "criteria": 2, "unscored": 1}
    tables = [row.table for row in attempt_rows(attempt(**told, passed=0), folder(tmp_path))]
    assert ("judgement" in tables, "verdict" in tables) == (True, False)
    assert "verdict" in [row.table for row in attempt_rows(attempt(**told, passed=1), folder(tmp_path))]
