"""Re-scorings of attempts by versions of a judge: which attempt has which, and what may not be mixed."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path

import pytest

from flows.judge import _require_unseen
from flows.runs.attempts import AttemptStore, write_json
from flows.runs.judgements import Judgement, flow_place, judged_otherwise, judgements, write_judgement
from flows.runs.parts import write_run_parts
from flows.runs.plan import pin_judge, require_one_judge
from flows.settings import load_settings
from tasks.judging.records import JudgeReport
from tasks.matter.failures import SolonError
from tasks.models.flow import FLOW_NAME, log_flow, read_flow
from tasks.models.records import Request
from tests.unit.flows.test_attempts import NOW, attempt, end
from warehouse.land import land
from warehouse.sql import run_query

PINNED = {"run_id": "r", "judge_profile": "house", "judge_version": "new"}


def rejudged(store: AttemptStore, matter: str, version: str, minutes: int, profile: str = "house") -> None:
    made = attempt(matter)
    report = JudgeReport(matter_id=matter, matter_digest="d", profile=profile, profile_version=version, verdicts=())
    at = NOW + timedelta(minutes=minutes)
    write_judgement(store, made, Judgement(attempt_id=made.attempt_id, judged_utc=at, report=report))


def test_the_latest_judgement_of_each_attempt_says_its_version(tmp_path: Path) -> None:
    store = AttemptStore(tmp_path, "r")
    own = {"judge_profile": "house", "judged_utc": NOW}
    ended = [
        attempt(f"tax/{n}", judge_version=v, **own) for n, v in (("a", "old"), ("b", "old"), ("c", ""), ("d", "new"))
    ]
    rejudged(store, "tax/a", "new", 1)
    rejudged(store, "tax/d", "older", 2)
    rejudged(store, "tax/d", "new", 3)
    rejudged(store, "tax/b", "new", 4, profile="other")
    assert judged_otherwise(store, ended, "house", "new") == {attempt("tax/b").attempt_id: "old"}
    assert judged_otherwise(store, ended, "other", "newer") == {attempt("tax/b").attempt_id: "new"}
    with pytest.raises(
        SolonError, match=r"1 of its attempts were judged by another version .*\(old\) than new"
    ) as told:
        require_one_judge(store, ended, PINNED)
    assert "solon judge r --profile house" in told.value.failure.remedy
    rejudged(store, "tax/b", "new", 5)
    require_one_judge(store, ended, PINNED)


@pytest.mark.parametrize(("profile", "version"), [("house", "newer"), ("other", "new")])
def test_a_run_is_pinned_to_the_version_that_judged_all_of_it(tmp_path: Path, profile: str, version: str) -> None:
    store = AttemptStore(tmp_path, "r")
    store.folder.mkdir()
    begun = {"schema_version": 1, "corpus": "c", "harness_version": "v", "cells": {}, "packages": {}}
    starts = [{"utc": NOW.isoformat(), "matters": 1, "compute": "inline"}]
    write_json(store.folder / "run.json", {**begun, **PINNED, "starts": starts})
    pin_judge(store, {"judge_profile": profile, "judge_prompts": "p", "judge_version": version})
    assert (store.pinned() or {})["judge_version"] == ("newer" if profile == "house" else "new")


def test_what_a_rescoring_was_sent_lands_with_it_and_is_held_against_every_attempt(tmp_path: Path) -> None:
    """The rubric that a judge is sent when it judges again is looked for in what any solver was sent."""
    store, made = AttemptStore(tmp_path / "runs", "r"), attempt()
    end(store, made)
    asked = Request(messages=[{"role": "user", "content": "PASS if the rent is $900."}])
    for minutes, key in ((1, "k1"), (2, "k2")):
        log_flow(flow_place(store, made, "house"), "judge", "m", key, asked)
        rejudged(store, made.matter_id, "new", minutes)
    first, second = judgements(store)
    assert [len(read_flow(one.flow)) for one in (first, second)] == [1, 1], "each has a log of its own"
    solver = Request(messages=[{"role": "user", "content": "Draft."}, *asked.messages])
    for number, request in ((2, solver), (3, Request(messages=[{"role": "user", "content": "Draft."}]))):
        other = attempt(number=number)
        log_flow(end(store, other) / FLOW_NAME, "solver", "m", f"s{number}", request)
    settings = load_settings({"home": tmp_path, "runs": tmp_path / "runs"}, cwd=tmp_path, env={})
    write_run_parts(settings, "r")
    assert land(settings.parts, tmp_path / "w.duckdb").published
    told = run_query(tmp_path / "w.duckdb", "did_anything_leak").to_dicts()
    assert [t["attempt_id"] for t in told if t["found_in"] == "other attempt"] == [attempt(number=2).attempt_id]
    sent = run_query(tmp_path / "w.duckdb", "what_was_each_role_sent").to_dicts()
    assert [(s["role"], s["rescored"], s["times_sent"]) for s in sent] == [("judge", True, 2), ("solver", False, 3)]


@pytest.mark.parametrize(("role", "leaked"), [("solver", True), ("judge", False)])
def test_a_rescoring_of_what_the_solver_was_sent_too_is_refused(tmp_path: Path, role: str, leaked: bool) -> None:
    store, made = AttemptStore(tmp_path, "r"), attempt()
    folder = end(store, made)
    asked = Request(messages=[{"role": "user", "content": "PASS if the rent is $900."}])
    log_flow(folder / FLOW_NAME, role, "m", "k1", asked)
    log = flow_place(store, made, "model:x")
    log_flow(log, "judge", "m", "k2", asked)
    assert folder not in log.parents
    with pytest.raises(SolonError, match="sent 1 of the messages that the judge was") if leaked else nullcontext():
        _require_unseen(folder, log, made)
