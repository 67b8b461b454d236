"""The line of a cell and the end of an attempt: which try speaks, what is averaged, what voids a draft."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.runs.concluding import blinded, outcome_of
from flows.runs.orders import Attempt, Order, Solved
from flows.runs.rows import attempt_rows, failure_rows, run_rows
from flows.runs.solving import needs_revision
from flows.runs.summary import counted, summarize
from tasks.drafting.records import WorkProduct
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.usage import Usage
from tasks.release.records import ReleaseReport
from tasks.sources.records import CoverageEntry
from tests.unit.flows.test_attempts import NOW, attempt


def made(matter: str, passed: int, criteria: int, unscored: int = 0, **fields: Any) -> Attempt:
    return attempt(f"tax/{matter}", passed=passed, criteria=criteria, unscored=unscored, **fields)


# --- the line of a cell ---


@pytest.mark.parametrize(
    ("attempts", "pooled", "all_pass", "matters", "unscored"),
    [
        ([], None, None, 0, 0),
        ([made("a", 3, 3)], 1.0, 1.0, 1, 0),
        ([made("a", 2, 3)], 0.666667, 0.0, 1, 0),
        ([made("a", 3, 3), made("b", 0, 1)], 0.75, 0.5, 2, 0),
        ([made("a", 1, 1), made("b", 0, 9)], 0.1, 0.5, 2, 0),  # pooled weighs criteria, all-pass matters
        # an unscored criterion is no failure, but it is no pass either
        ([made("a", 2, 3, 1)], 1.0, 0.0, 1, 1),
        ([made("a", 2, 3, 1), made("b", 1, 2)], 0.75, 0.0, 2, 1),
        ([made("a", 0, 2, 2)], None, None, 1, 2),  # nothing scored is no rate
        # a matter that was never judged has no share
        ([made("a", 2, 2), made("b", 0, 0)], 1.0, 1.0, 2, 0),
        ([made("a", 0, 0)], None, None, 1, 0),
        # epochs of one matter are averaged before the matters are
        ([made("a", 2, 2), made("a", 1, 2, epoch=2), made("b", 2, 2)], 0.833333, 0.75, 2, 0),
        # the try that failed does not speak where another did not fail
        ([made("a", 0, 0, outcome="failed"), made("a", 2, 2, number=2)], 1.0, 1.0, 1, 0),
        ([made("a", 2, 2, number=2), made("a", 0, 2, number=1)], 0.0, 0.0, 1, 0),
    ],
)
def test_rates_of_a_cell(attempts, pooled, all_pass, matters, unscored):
    line = summarize("cell", attempts)
    assert (line.pooled_pass, line.all_pass, line.matters, line.unscored) == (pooled, all_pass, matters, unscored)
    assert line.cell == "cell"


def test_what_failed_tries_cost_is_in_the_line():
    tries = [
        made("a", 0, 0, outcome="failed", seconds=1.5, usage=Usage(cost_usd=0.25, calls=1)),
        made("a", 1, 2, number=2, seconds=2.25, usage=Usage(cost_usd=0.5, calls=1), release_status="blocked"),
        made("b", 1, 1, seconds=4.0, release_status="released"),
        made("c", 0, 0, outcome="failed", release_status="blocked"),
        made("c", 0, 0, outcome="failed", number=2, release_status=""),
    ]
    line = summarize("cell", tries)
    assert (line.cost_usd, line.seconds, line.criteria) == (0.75, 7.75, 3)
    assert line.blocked == 1  # of the tries that speak


@pytest.mark.parametrize(
    ("tries", "speaks"),
    [
        ([(1, "finished"), (2, "finished")], 1),
        ([(1, "failed"), (2, "finished"), (3, "finished")], 2),
        ([(1, "failed"), (2, "timeout"), (3, "finished")], 2),  # the solver's own end is its answer
        ([(1, "failed"), (2, "budget")], 2),
        ([(1, "failed"), (2, "failed")], 2),
        ([(2, "failed"), (1, "failed")], 2),
        ([(1, "budget")], 1),
    ],
)
def test_the_first_try_that_did_not_fail_speaks_else_the_last(tries, speaks):
    chosen = counted([made("a", 0, 1, number=n, outcome=outcome) for n, outcome in tries])
    assert [a.number for a in chosen] == [speaks]


COUNTS = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5))


@settings(max_examples=60, deadline=None)
@given(counts=st.lists(COUNTS, max_size=6), seed=st.randoms(use_true_random=False))
def test_the_order_of_attempts_does_not_change_a_line(counts, seed):
    attempts = [made(f"m{i}", p, p + f + u, u) for i, (p, f, u) in enumerate(counts)]
    shuffled = list(attempts)
    seed.shuffle(shuffled)
    line = summarize("c", attempts)
    assert line == summarize("c", shuffled)
    passed, failed = sum(c[0] for c in counts), sum(c[1] for c in counts)
    assert line.criteria == passed + failed + line.unscored
    assert line.pooled_pass == (round(passed / (passed + failed), 6) if passed + failed else None)
    if line.all_pass == 1.0 and line.pooled_pass is not None:
        assert line.pooled_pass == 1.0


# --- how an attempt ended ---


def failure(cause: FailureCause, subject: str = "a.pdf") -> Failure:
    return Failure(cause=cause, stage="sources", subject=subject, message="m")


def solved(outcome: str = "finished", *coverage: CoverageEntry, status: str = "released") -> Solved:
    report = ReleaseReport(matter_id="tax/a", status=status, gates=(), coverage=coverage, deliverables=())
    return cast(Solved, SimpleNamespace(product=WorkProduct(outcome=outcome, files=()), report=report))


@pytest.mark.parametrize(
    ("draft", "broken", "void", "outcome"),
    [
        ("finished", None, None, "finished"),
        ("budget", None, None, "budget"),
        ("finished", FailureCause.TIMEOUT, None, "timeout"),
        ("finished", FailureCause.BUDGET, None, "budget"),
        ("finished", FailureCause.PROVIDER, None, "failed"),
        (None, FailureCause.TIMEOUT, None, "timeout"),
        (None, FailureCause.READER, None, "failed"),
        (None, None, None, "failed"),
        # a document that changed voids whatever was drafted, and however it ended
        ("finished", None, FailureCause.CHANGED, "failed"),
        ("finished", FailureCause.TIMEOUT, FailureCause.CHANGED, "failed"),
        (None, FailureCause.BUDGET, FailureCause.CHANGED, "failed"),
    ],
)
def test_how_an_attempt_ended(draft, broken, void, outcome):
    of = solved(draft) if draft else None
    voids = (failure(void),) if void else ()
    assert outcome_of(of, failure(broken) if broken else None, voids) == outcome


def entry(status: str, *causes: FailureCause) -> CoverageEntry:
    return CoverageEntry(
        document=f"{status}{len(causes)}.pdf", status=status, characters=0, failures=tuple(failure(c) for c in causes)
    )


@pytest.mark.parametrize(
    ("coverage", "cause"),
    [
        ([entry("unread", FailureCause.TIMEOUT)], FailureCause.TIMEOUT),
        ([entry("unread", FailureCause.TIMEOUT), entry("unread", FailureCause.CAPACITY)], FailureCause.TIMEOUT),
        ([entry("unread", FailureCause.TIMEOUT), entry("read")], None),  # something was read
        ([entry("unread", FailureCause.TIMEOUT), entry("partial")], None),
        ([entry("unread", FailureCause.INPUT)], None),  # malformed: a fact of the matter
        ([], None),
    ],
)
def test_a_room_of_which_nothing_was_read_by_our_fault_is_no_attempt(coverage, cause):
    assert [f.cause for f in blinded(solved("finished", *coverage))] == ([cause] if cause else [])


def test_nothing_drafted_was_not_blinded():
    assert blinded(None) == ()


@pytest.mark.parametrize(
    ("outcome", "status", "revise", "passes", "due"),
    [
        ("finished", "released_with_flags", 1, 0, True),
        ("finished", "blocked", 2, 1, True),
        ("finished", "blocked", 2, 2, False),
        ("finished", "blocked", 0, 0, False),
        ("finished", "released", 3, 0, False),
        ("failed", "blocked", 3, 0, False),
        ("timeout", "released_with_flags", 3, 0, False),
    ],
)
def test_a_revision_is_due_while_passes_are_left_and_something_is_open(outcome, status, revise, passes, due):
    order = cast(Order, SimpleNamespace(cell=SimpleNamespace(revise=revise)))
    of = solved(outcome, status=status)
    assert needs_revision(order, of.product, of.report, passes) is due


# --- rows ---


@pytest.mark.parametrize(
    ("outcome", "causes", "said"),
    [
        ("failed", [FailureCause.PROVIDER, FailureCause.READER], "provider"),
        ("timeout", [FailureCause.TIMEOUT], "timeout"),
        ("failed", [], ""),
        ("finished", [FailureCause.READER], ""),  # a reader's failure beside a finished draft is not its cause
    ],
)
def test_the_row_of_an_attempt_names_the_first_failure_that_ended_it(tmp_path, outcome, causes, said):
    failures = tuple(failure(c, f"{i}.pdf") for i, c in enumerate(causes))
    rows = attempt_rows(attempt(outcome=outcome, failures=failures), tmp_path)
    (row,) = [r.model_dump() for r in rows if r.table == "attempt"]
    assert row["failure_cause"] == said
    assert row["failure_message"] == ("m" if said else "")
    assert sum(r.table == "failure" for r in rows) == len(causes)
    assert not [r for r in rows if r.table in {"judgement", "verdict", "gate", "finding"}]


def test_a_failure_that_is_told_twice_is_one_row():
    told = [failure(FailureCause.READER), failure(FailureCause.READER), failure(FailureCause.READER, "b.pdf")]
    rows = [r.model_dump() for r in failure_rows("run", told, "run/a/c/1")]
    assert [(r["subject"], r["run_id"], r["attempt_id"]) for r in rows] == [
        ("a.pdf", "run", "run/a/c/1"),
        ("b.pdf", "run", "run/a/c/1"),
    ]


def test_each_start_of_a_run_is_a_row_and_the_latest_plan_counts():
    later = NOW + timedelta(hours=2)
    pinned = {
        "run_id": "r", "corpus": "c", "cells": ["x", "y"], "harness_version": "h", "packages": {"solon": "1"},
        "judge_profile": "anchor",
        "starts": [
            {"utc": NOW.isoformat(), "matters": 3, "compute": "inline"},
            {"utc": later.isoformat(), "matters": 2, "compute": "ray"},
        ],
        "work": [{"cell": "x", "matter_id": "tax/a", "epoch": 1, "key": "k"}],
    }  # fmt: skip
    rows = [(r.table, r.model_dump()) for r in run_rows(pinned)]
    assert [(t, d["started_utc"]) for t, d in rows] == [("run", NOW), ("run", later), ("plan", later)]
    assert [d["compute"] for t, d in rows if t == "run"] == ["inline", "ray"]
    assert {d["cells"] for t, d in rows if t == "run"} == {"x, y"}
    assert {d["solon_version"] for t, d in rows if t == "run"} == {"1"}
    assert run_rows({**pinned, "starts": []}) == []
    del pinned["work"]
    assert [r.table for r in run_rows(pinned)] == ["run", "run"]
