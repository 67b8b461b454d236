"""The files of an attempt become rows; the same files always give the same rows."""

from __future__ import annotations

from pathlib import Path

from flows.runs.attempts import AttemptStore, write_json
from flows.runs.concluding import flow_of
from flows.runs.judgements import Rescored
from flows.runs.orders import SPENT_NAME, Order
from flows.runs.plan import begin_attempt
from flows.runs.rows import attempt_rows, failure_rows, judgement_rows, run_rows
from tasks.drafting.mechanisms.records import Firing, Moment
from tasks.drafting.records import WorkProduct
from tasks.harness import find_harness, surface_versions
from tasks.judging.records import JudgeReport, Verdict, Vote
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.usage import Usage
from tasks.models.flow import FLOW_NAME, log_flow
from tasks.models.ledger import Ledger
from tasks.models.records import Request
from tasks.reconcile.records import Finding
from tasks.release.records import GateResult, ReleaseReport
from tasks.sources.records import CoverageEntry, Span
from tasks.tracing.records import Action, Defect, Measures, Served, Trajectory
from tests.unit.flows.test_attempts import NOW, attempt
from tests.unit.flows.test_plan import plan
from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.records import FailureRow
from warehouse.sql import run_query

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
        "schema_version": 2, "attempt_id": made.attempt_id, "judge_profile": "anchor", "judged_utc": NOW, "criteria": 2,
        "profile_version": "", "prompts": "",
    }  # fmt: skip


def test_a_failed_attempt_without_files_is_still_a_row(tmp_path: Path) -> None:
    rows = attempt_rows(attempt(outcome="failed", failures=(FAILURE,)), tmp_path)
    assert [r.table for r in rows] == ["attempt", "attempt_key", "failure"]
    assert rows[0].model_dump()["failure_cause"] == "reader"


def test_a_torn_file_does_not_stop_the_landing_and_is_told(tmp_path: Path) -> None:
    (tmp_path / "trajectory.json").write_text('{"trace_format": "la', "utf-8")
    *rows, told = attempt_rows(attempt(), tmp_path)
    assert [r.table for r in rows] == ["attempt", "attempt_key"]
    assert isinstance(told, FailureRow)
    assert (told.stage, told.subject, told.cause) == ("land", "trajectory.json", "input")


def test_problems_of_a_corpus_are_rows_of_the_run() -> None:
    assert [r.model_dump()["attempt_id"] for r in failure_rows("r", [FAILURE])] == [""]


def test_an_order_says_nothing_of_rubrics(tmp_path: Path) -> None:
    order = ordered(tmp_path)
    assert "seal" not in order.model_dump_json()
    assert "judge" not in order.model_dump_json()


def test_verdicts_that_the_judge_did_not_count_are_not_believed(tmp_path: Path) -> None:
    """One of the two files was altered: the verdicts count as lost, which the landing says, and never as they stand."""
    told = {"judged_utc": NOW, "judge_profile": "anchor", "criteria": 2, "unscored": 1}
    tables = [row.table for row in attempt_rows(attempt(**told, passed=0), folder(tmp_path))]
    assert ("judgement" in tables, "verdict" in tables) == (True, False)
    assert "verdict" in [row.table for row in attempt_rows(attempt(**told, passed=1), folder(tmp_path))]


MEASURED = Trajectory(
    trace_format="lab",
    turns=2,
    actions=(Action(index=0, turn=1, tool="read", bucket="read"),),
    internal=(Action(index=1, turn=1, tool="search", bucket="read"),),
    served=(Served(document="a.pdf", characters=9, served=3), Served(document="b.pdf", characters=5, served=0)),
    measures=Measures(words=7, lookups=1, mandatory={"authority": 2, "date_scan": 0}, skill_loaded="x"),
    defects=(Defect(defect="D5", by_construction=True, evidence="no revision"),),
)


def test_what_was_measured_lands_beside_the_actions(tmp_path: Path) -> None:
    write_json(folder(tmp_path) / "trajectory.json", MEASURED)
    rows = attempt_rows(attempt(), tmp_path)
    (measure,) = [r.model_dump() for r in rows if r.table == "trajectory_measure"]
    told = ("actions", "lookups", "words", "documents", "documents_opened", "characters", "served", "skill_loaded")
    assert [measure[name] for name in told] == [1, 1, 7, 2, 1, 14, 3, "x"]
    tables = [row.table for row in rows]
    counted = {t: tables.count(t) for t in ("action", "document_served", "mandatory_tool", "trace_defect")}
    assert counted == {"action": 1, "document_served": 2, "mandatory_tool": 2, "trace_defect": 1}
    write_parts(tmp_path / "parts", rows)  # and all of it can be stored


def test_what_mechanisms_did_lands(tmp_path: Path) -> None:
    firings = (
        Firing(mechanism="landing", moment=Moment.END, note="moved", files=("memo.docx", "matrix.xlsx")),
        Firing(mechanism="call_repair", moment=Moment.CALL, turn=3, note="mended"),
    )
    write_json(tmp_path / "work.json", WorkProduct(files=(), outcome="finished", firings=firings))
    told = [r.model_dump() for r in attempt_rows(attempt(), tmp_path) if r.table == "mechanism_firing"]
    assert [(r["mechanism"], r["moment"], r["turn"], r["n_files"], r["files"]) for r in told] == [
        ("landing", "end", 0, 2, "memo.docx, matrix.xlsx"), ("call_repair", "call", 3, 0, ""),
    ]  # fmt: skip


def logged(folder: Path, *sent: tuple[str, str, str]) -> None:
    """Log requests of roles; the account of the attempt has those of the solver."""
    ledger = Ledger("m", file=folder / SPENT_NAME)
    for role, key, words in sent:
        request = Request(messages=[{"role": "user", "content": words}])
        log_flow(folder / FLOW_NAME, role, "local", key, request)
        if role == "solver":
            ledger.charge("chat", "local", Usage(output=1, calls=1), key)


def ordered(tmp_path: Path) -> Order:
    p = plan("tax/a")
    return begin_attempt(p.work()[0], p, AttemptStore(tmp_path / "runs", "r"), tmp_path / "home" / "cache")


def test_a_leak_flags_its_attempt_and_lands(tmp_path: Path) -> None:
    order = ordered(tmp_path)
    logged(
        order.folder,
        ("solver", "1" * 64, "Draft."),
        ("judge", "j1", "C-1: the cap"),
        ("solver", "2" * 64, "C-1: the cap"),
    )
    (failure,) = flow_of(order, "finished", ())
    assert "judge" in failure.message
    ended = attempt(failures=(failure,))
    rows = attempt_rows(ended, order.folder)
    (check,) = [r.model_dump() for r in rows if r.table == "flow_check"]
    assert (check["status"], check["leaked"], check["requests"]) == ("violated", 1, 3)
    calls = [r.model_dump() for r in rows if r.table == "model_call"]
    assert [(c["position"], c["role"], c["profile"], c["sha256"], c["output"]) for c in calls] == [
        (0, "solver", "local", "1" * 64, 1), (1, "solver", "local", "2" * 64, 1),
    ], "what it was charged with, in order"  # fmt: skip
    assert [r.model_dump()["stage"] for r in rows if r.table == "failure"] == ["flow"]
    assert sorted(r.model_dump()["role"] for r in rows if r.table == "message_sent") == ["judge", "solver", "solver"]
    database = tmp_path / "w.duckdb"
    write_parts(tmp_path / "parts", rows)
    assert land(tmp_path / "parts", database).published
    (told,) = run_query(database, "did_anything_leak").to_dicts()
    assert (told["attempt_id"], told["found_in"]) == (ended.attempt_id, "attempt")


def test_a_sound_log_flags_nothing(tmp_path: Path) -> None:
    order = ordered(tmp_path)
    assert flow_of(order, "finished", ()) == ()
    assert not [r for r in attempt_rows(attempt(), order.folder) if r.table in ("flow_check", "message_sent")]
    logged(order.folder, ("solver", "1" * 64, "Draft."), ("judge", "j1", "C-1: the cap"))
    assert flow_of(order, "finished", ()) == ()
    (check,) = [r.model_dump() for r in attempt_rows(attempt(), order.folder) if r.table == "flow_check"]
    assert (check["status"], check["problems"]) == ("sound", "")


def test_a_log_that_was_taken_away_is_noticed(tmp_path: Path) -> None:
    """The log lies where a solver's process can write; the account says that there were calls."""
    order = ordered(tmp_path)
    logged(order.folder, ("solver", "1" * 64, "Draft."))
    (order.folder / FLOW_NAME).unlink()
    (failure,) = flow_of(order, "finished", ())
    (check,) = [
        r.model_dump() for r in attempt_rows(attempt(failures=(failure,)), order.folder) if r.table == "flow_check"
    ]
    assert (check["status"], check["unlogged"]) == ("violated", 1)


def test_a_link_in_the_place_of_a_log_is_not_followed(tmp_path: Path) -> None:
    order = ordered(tmp_path)
    logged(tmp_path, ("solver", "1" * 64, "Draft."))
    (order.folder / FLOW_NAME).symlink_to(tmp_path / FLOW_NAME)
    assert not [r for r in attempt_rows(attempt(), order.folder) if r.table in ("flow_check", "message_sent")]


def test_a_request_without_a_reply_is_told_by_a_failure_or_by_the_outcome(tmp_path: Path) -> None:
    order = ordered(tmp_path)
    logged(order.folder, ("solver", "1" * 64, "Draft."))
    log_flow(order.folder / FLOW_NAME, "solver", "local", "k2", Request(messages=[{"role": "user", "content": "more"}]))
    assert len(flow_of(order, "finished", ())) == 1
    assert flow_of(order, "finished", (FAILURE,)) == ()
    assert flow_of(order, "timeout", ()) == ()
    shortened = (Firing(mechanism="compaction", moment=Moment.CONTEXT, note="cut"),)
    write_json(order.folder / "work.json", WorkProduct(files=(), outcome="finished", firings=shortened))
    assert flow_of(order, "finished", ()) == ()


def test_votes_outcomes_and_profile_versions_become_columns_and_rows(tmp_path: Path) -> None:
    lost = Vote(judge="small", seat=1, status="unscored", cause=FailureCause.JUDGE, call="c1")
    votes = (Vote(judge="small", status="fail", quote="q", call="c1", usage=Usage(output=2, calls=1)), lost)
    verdict = Verdict(criterion_id="C-1", title="t", status="fail", outcome="denied", error_class="other", votes=votes)
    report = JudgeReport(
        matter_id="tax/a", matter_digest="d", profile="dual", profile_version="v1", prompts="p1", verdicts=(verdict,)
    )
    rows = [
        row.model_dump() | {"table": row.table}
        for row in judgement_rows(Rescored("r/a", report, NOW, tmp_path / "none"), "r")
    ]
    by_table = {row["table"]: row for row in rows}
    assert (by_table["judgement"]["profile_version"], by_table["judgement"]["prompts"]) == ("v1", "p1")
    assert by_table["verdict"]["outcome"] == "denied"
    told = [(r["position"], r["seat"], r["judge"], r["status"], r["cause"], r["output"]) for r in rows if "seat" in r]
    assert told == [(0, 0, "small", "fail", "", 2), (1, 1, "small", "unscored", "judge", 0)]
    assert [row["table"] for row in rows].count("vote") == 2


def test_a_matter_is_told_where_its_formats_are_known(tmp_path: Path) -> None:
    made = attempt(document_formats=("docx", "pdf"), deliverable_formats=("docx",), skill_id="other/general")
    rows = {row.table: row.model_dump() for row in attempt_rows(made, tmp_path)}
    assert (rows["matter"]["document_formats"], rows["matter"]["deliverable_formats"]) == ("docx pdf", "docx")
    assert (rows["matter"]["matter_digest"], rows["attempt"]["skill_id"]) == ("d", "other/general")


def test_a_run_tells_the_surfaces_of_its_harness(tmp_path: Path) -> None:
    surfaces = surface_versions(find_harness())
    assert {"knowledge", "skills", "prompts", "tools", "gates"} <= set(surfaces)
    pinned = {
        "run_id": "r", "corpus": "c", "cells": {}, "harness_version": "h", "packages": {}, "judge_profile": "anchor",
        "surfaces": surfaces, "starts": [{"utc": NOW.isoformat(), "matters": 1, "compute": "inline"}],
    }  # fmt: skip
    rows = [row.model_dump() for row in run_rows(pinned) if row.table == "harness"]
    assert {row["surface"]: row["digest"] for row in rows} == {n: told["digest"] for n, told in surfaces.items()}
    assert len({row["digest"] for row in rows}) > 4
    assert [row.table for row in run_rows({k: v for k, v in pinned.items() if k != "surfaces"})] == ["run"]
