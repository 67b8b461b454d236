"""Attempts begin hidden, end by rename, are never touched again; what counts is said once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from flows.prefect.processes import OWNER, owned
from flows.runs.attempts import AttemptStore, lab_scores
from flows.runs.orders import Attempt
from flows.runs.summary import counted, summarize
from tasks.drafting.records import Cell
from tasks.judging.records import JudgeReport, Verdict
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.reasons import Outcome
from tasks.matter.usage import Usage

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def attempt(matter: str = "tax/a", number: int = 1, **fields: Any) -> Attempt:
    cell = Cell(name="extractive", runtime="extractive")
    values: dict[str, Any] = {
        "attempt_id": f"r/{matter}/extractive/{number}",
        "key": f"{matter}-{fields.get('epoch', 1)}",
        "run_id": "r",
        "number": number,
        "epoch": 1,
        "cell": cell,
        "cell_digest": cell.digest,
        "matter_id": matter,
        "matter_digest": "d",
        "title": "t",
        "area": "tax",
        "work_type": "",
        "documents": 1,
        "harness_version": "h",
        "outcome": "finished",
        "started_utc": NOW,
        "ended_utc": NOW,
    }
    return Attempt(**{**values, **fields})


def end(store: AttemptStore, made: Attempt) -> Path:
    return store.end(store.begin(made.matter_id, made.cell.name, made.number), made)


def test_an_attempt_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    store = AttemptStore(tmp_path, "r")
    folder = store.begin("tax/a", "extractive", 1)
    (folder / "output" / "memo.md").write_text("half")
    assert store.ended() == []
    assert store.next_number("tax/a", "extractive") == 1
    done = store.end(folder, attempt())
    assert done == tmp_path / "r/tax/a/extractive/1"
    assert store.ended() == [attempt()]
    assert store.next_number("tax/a", "extractive") == 2
    assert not folder.exists()


def test_an_ended_attempt_is_never_overwritten(tmp_path: Path) -> None:
    store = AttemptStore(tmp_path, "r")
    end(store, attempt())
    folder = store.begin("tax/a", "extractive", 1)
    with pytest.raises(OSError, match="not empty"):
        store.end(folder, attempt(outcome="failed"))
    assert store.ended()[0].outcome == "finished"


def test_what_a_killed_process_left_is_swept_and_what_ended_stays(tmp_path: Path) -> None:
    store = AttemptStore(tmp_path, "r")
    end(store, attempt())
    left = store.begin("tax/b", "extractive", 1)
    hidden = tmp_path / "r/tax/a/extractive/1/output/.1.partial-7"
    hidden.mkdir(parents=True)
    with store.locked():
        assert not left.exists()
    assert len(store.ended()) == 1


def test_a_run_is_held_by_one_process(tmp_path: Path) -> None:
    store = AttemptStore(tmp_path, "r")
    with store.locked(), pytest.raises(SolonError, match="another process"), AttemptStore(tmp_path, "r").locked():
        pass
    with store.locked():
        pass


@pytest.mark.parametrize("run_id", ["", "..", "a/b", "-x", ".hidden", "x" * 101, "a\nb"])
def test_hostile_run_ids_are_refused(tmp_path: Path, run_id: str) -> None:
    with pytest.raises(SolonError, match="is no run id"):
        AttemptStore(tmp_path, run_id)


def test_an_attempt_planted_by_a_solver_is_not_ours(tmp_path: Path) -> None:
    store = AttemptStore(tmp_path, "r")
    done = end(store, attempt())
    planted = done / "output" / "x" / "1"
    planted.mkdir(parents=True)
    fake = attempt("tax/a/extractive/1/output", cell=Cell(name="x", runtime="x"), passed=9)
    (planted / "attempt.json").write_text(fake.model_dump_json())
    elsewhere = tmp_path / "r" / "odd" / "1"
    elsewhere.mkdir(parents=True)
    (elsewhere / "attempt.json").write_text(attempt().model_dump_json())
    broken = tmp_path / "r" / "bad" / "extractive" / "1"
    broken.mkdir(parents=True)
    (broken / "attempt.json").write_text("{")
    assert store.ended() == [attempt()]


def verdict(n: int, status: str) -> Verdict:
    cause = FailureCause.JUDGE if status == "unscored" else None
    return Verdict(criterion_id=f"C-{n}", title="t", status=status, cause=cause)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("statuses", "all_pass", "passed", "unscored"),
    [
        (["pass", "pass"], True, 2, 0),
        (["pass", "fail"], False, 1, 0),
        (["pass", "unscored"], False, 1, 1),
        (["unscored"], False, 0, 1),
        ([], False, 0, 0),
    ],
)
def test_lab_scores(statuses: list[str], all_pass: bool, passed: int, unscored: int) -> None:
    verdicts = tuple(verdict(n, s) for n, s in enumerate(statuses))
    report = JudgeReport(matter_id="m", matter_digest="d", profile="anchor", verdicts=verdicts)
    scores = lab_scores(report, NOW.isoformat())
    assert (scores["all_pass"], scores["n_passed"], scores["n_unscored"]) == (all_pass, passed, unscored)
    assert scores["score"] == (1.0 if all_pass else 0.0)
    assert all("match_criteria" not in row for row in scores["criteria_results"])
    json.dumps(scores)


def test_lab_scores_tell_what_an_anchor_found() -> None:
    found = verdict(0, "fail").model_copy(update={"outcome": Outcome.DENIED})
    report = JudgeReport(matter_id="m", matter_digest="d", profile="anchor", verdicts=(found, verdict(1, "pass")))
    first, second = lab_scores(report, NOW.isoformat())["criteria_results"]
    assert first["outcome"] == "denied"
    assert "outcome" not in second


SCORED = {"criteria": 4, "passed": 3}
WHOLE = {"criteria": 2, "passed": 2}
BROKEN = {"criteria": 4, "passed": 0, "unscored": 4, "outcome": "failed"}


@pytest.mark.parametrize(
    ("attempts", "expected"),
    [
        ([], (0, 0, None, None, 0)),
        ([attempt(**SCORED), attempt("tax/b", **WHOLE)], (2, 6, 5 / 6, 0.5, 0)),
        ([attempt(**BROKEN)], (1, 4, None, None, 4)),  # nothing scored is no rate
        ([attempt(**BROKEN), attempt(number=2, **SCORED)], (1, 4, 0.75, 0.0, 0)),  # the retry speaks
        ([attempt(**SCORED), attempt(number=2, criteria=4, passed=4)], (1, 4, 0.75, 0.0, 0)),  # not the best one
        ([attempt(**WHOLE), attempt(number=2, epoch=2, criteria=2, passed=1)], (1, 4, 0.75, 0.5, 0)),
        ([attempt(criteria=3, passed=2, unscored=1)], (1, 3, 1.0, 0.0, 1)),
        ([attempt()], (1, 0, None, None, 0)),  # nobody judged it
    ],
)
def test_summary(attempts: list[Attempt], expected: tuple[float | None, ...]) -> None:
    s = summarize("extractive", attempts)
    found = (s.matters, s.criteria, s.pooled_pass, s.all_pass, s.unscored)
    assert [None if x is None else round(x, 6) for x in found] == [None if x is None else round(x, 6) for x in expected]


def test_every_try_costs_though_one_speaks() -> None:
    tries = [
        attempt(usage=Usage(cost_usd=1.0, calls=1, cost_source="reported"), seconds=2.0, **BROKEN),
        attempt(number=2, usage=Usage(cost_usd=0.5, calls=1, cost_source="reported"), seconds=1.0, **SCORED),
    ]
    summary = summarize("extractive", tries)
    assert (summary.cost_usd, summary.seconds) == (1.5, 3.0)
    assert [a.number for a in counted(tries)] == [2]


def test_what_was_blocked_is_counted_on_the_attempts_that_speak() -> None:
    tries = [
        attempt(release_status="blocked", **BROKEN),
        attempt(number=2, release_status="released", **SCORED),
        attempt("tax/b", release_status="blocked", **SCORED),
        attempt("tax/c", release_status="blocked", **SCORED),
        attempt("tax/d", release_status="blocked", **SCORED),
        attempt("tax/e", release_status="released_with_flags", **SCORED),
    ]
    assert summarize("extractive", tries).blocked == 3


def test_small_costs_and_times_are_not_rounded_away() -> None:
    spent = Usage(cost_usd=0.000125, calls=1, cost_source="reported")
    summary = summarize("extractive", [attempt(usage=spent, seconds=0.0625), attempt("tax/b", seconds=1.5)])
    assert (summary.cost_usd, summary.seconds) == (0.000125, 1.562)


def test_where_every_try_failed_the_last_speaks_and_tries_are_taken_by_number() -> None:
    failed = [attempt(number=n, **BROKEN) for n in (3, 1, 2)]
    assert [a.number for a in counted(failed)] == [3]
    finished = [attempt(number=n, **SCORED) for n in (11, 4, 9)]
    assert [a.number for a in counted([*failed, *finished])] == [4]
    mixed = [attempt("tax/b", epoch=2, number=2), attempt("tax/a", epoch=2, number=2), attempt("tax/b"), attempt()]
    assert [(a.matter_id, a.epoch) for a in counted(mixed)] == [("tax/a", 1), ("tax/a", 2), ("tax/b", 1), ("tax/b", 2)]


def test_partial_folders_carry_the_process(tmp_path: Path) -> None:
    folder = AttemptStore(tmp_path, "r").begin("a", "c", 3)
    assert folder.name == f".3.partial-{os.getpid()}"


def test_what_a_killed_driver_left_running_ends_at_the_next_start_of_any_run(tmp_path: Path) -> None:
    with owned():
        left = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(60)"], env={**os.environ, OWNER: f"{os.getpid()}:0"}
        )
        kept = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], env=dict(os.environ))
    try:
        with AttemptStore(tmp_path, "r").locked():
            assert left.wait(10) == -signal.SIGKILL
            assert kept.poll() is None  # its owner lives
    finally:
        for process in (left, kept):
            process.kill()
            process.wait()
