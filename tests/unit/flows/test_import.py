"""``solon import``: runs of others become attempts that are asked like ours, and never mixed with them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from flows import cli
from flows.imports.bring import ImportResult, import_tree
from flows.imports.reading import moment, seconds, slug, task_id
from flows.imports.records import NOT_TOLD
from flows.runs.attempts import AttemptStore, changed_files
from flows.settings import Settings, load_settings
from tasks.matter.failures import SolonError
from warehouse.sql import run_query

RESULTS = [
    {"id": "C-001", "title": "States the date", "verdict": "pass", "reasoning": "It does."},
    {"id": "C-002", "title": "States the cap", "verdict": "FAIL", "reasoning": "The amount of the cap is missing."},
    {"id": "C-003", "title": "Reads well", "verdict": "error", "reasoning": ""},
]
TURNS = [
    {
        "turn": 1, "role": "assistant", "text": "I read.", "input_tokens": 100, "output_tokens": 20,
        "tool_calls": [{"name": "read", "arguments": '{"file_path": "lease.docx"}'}],
    },
    {"turn": 1, "role": "tool", "tool_name": "read", "arguments": "{}", "result_preview": "LEASE"},
    {"turn": 2, "role": "assistant", "text": "Done.", "input_tokens": 150, "output_tokens": 30, "tool_calls": []},
]  # fmt: skip


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr("warehouse.land.check_all", lambda con: ())
    monkeypatch.setattr("flows.land.knowledge_rows", lambda settings: None)  # has tests of its own
    return load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})


def lab(folder: Path, **changes: Any) -> Path:
    """Write an attempt in LAB's layout; ``changes`` replace the content of a file, or leave it out with None."""
    told: dict[str, Any] = {
        "config.json": {"model": "vendor/gpt-9"},
        "metrics.json": {"turn_count": 2, "wall_clock_seconds": 61.5, "finished_cleanly": True},
        "scores.json": {
            "criteria_results": RESULTS, "judge_model": "judge-1", "scored_at": "2026-05-21T10:00:00Z", "cost": 0.02,
        },
    }  # fmt: skip
    (folder / "output").mkdir(parents=True)
    (folder / "output" / "memo.md").write_text("The lease is dated 3 March 2021.")
    (folder / "transcript.jsonl").write_text("\n".join(map(json.dumps, TURNS)))
    for name, content in (told | changes).items():
        if content is not None:
            (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


def psionic(folder: Path, state: str = "submitted", **report: Any) -> Path:
    told = {
        "run/config.json": {"model": "Qwen/Q-1", "random_seed": 3, "metadata": {"mode": "model_only"}},
        "run/run_record.json": {"terminal_state": state, "transcript": [{"event_kind": "user", "content": "Do it."}]},
        "run/run_receipt.json": {"created_at_ms": 1_779_286_367_026},
        "run/metrics.json": {"model_turns": 2, "input_tokens": 5, "output_tokens": 7, "wall_time_ms": 8_000},
        "score_report.json": {
            "task_id": "harvey.tax.an_opinion",
            "coverage_snapshot": {"documents": [{"relative_path": "tax/an-opinion/documents/a.docx"}]},
            "criterion_results": [{"criterion_id": "p.1", "verdict": "pass", "judge_model": "rules"}],
            **report,
        },
    }
    for name, content in told.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(content))
    return folder


def bring(tree: Path, settings: Settings, **more: Any) -> ImportResult:
    return import_tree(tree, settings, **more)


def one(settings: Settings, table: str) -> dict[str, Any]:
    (row,) = run_query(settings.warehouse, f"SELECT * FROM {table}").to_dicts()
    return row


@pytest.mark.slow
def test_an_attempt_of_lab_is_taken_over_whole(tmp_path: Path, settings: Settings) -> None:
    lab(tmp_path / "tree" / "tax" / "opinion-001" / "codex" / "2")
    result = bring(tmp_path / "tree", settings)
    assert (result.imported, result.scored, result.verdicts, result.gated) == (1, 1, 3, 0)
    row = one(settings, "attempt")
    assert (row["run_id"], row["matter_id"], row["area"]) == ("imported-tree", "tax/opinion-001", "tax")
    assert (row["cell"], row["runtime"], row["profile"]) == ("gpt-9", "imported", "vendor/gpt-9")
    assert (row["outcome"], row["seconds"], row["words"], row["epoch"], row["turns"]) == ("finished", 61.5, 7, 2, 2)
    assert (row["input_uncached"], row["output"], row["release_status"]) == (250, 50, "")
    assert (row["title"], row["harness_version"], row["work_type"]) == ("", "", ""), "nobody tells it: it stays empty"
    (action,) = run_query(settings.warehouse, "SELECT tool, bucket FROM action").rows()
    assert action == ("read", "read")


def test_the_scores_of_others_land_under_a_profile_that_says_so(tmp_path: Path, settings: Settings) -> None:
    lab(tmp_path / "tree" / "tax" / "opinion-001" / "codex" / "1")
    bring(tmp_path / "tree", settings)
    verdicts = run_query(settings.warehouse, "SELECT * FROM verdict ORDER BY criterion_id").to_dicts()
    assert {v["judge_profile"] for v in verdicts} == {"imported:judge-1"}
    assert [(v["status"], v["cause"], v["error_class"]) for v in verdicts] == [
        ("pass", "", ""), ("fail", "", "numbers_dates"), ("unscored", "judge", ""),
    ]  # fmt: skip
    assert str(verdicts[0]["judged_utc"]).startswith("2026-05-21 10:00")
    assert one(settings, "cells")["pooled_pass"] == 0.5
    assert one(settings, "cells")["judge_cost_usd"] == 0.02


@pytest.mark.slow
def test_the_same_tree_again_brings_nothing_twice(tmp_path: Path, settings: Settings) -> None:
    lab(tmp_path / "tree" / "tax" / "opinion-001" / "codex" / "1")
    bring(tmp_path / "tree", settings)
    before = (settings.runs / "imported-tree" / "run.json").read_bytes()
    again = bring(tmp_path / "tree", settings)
    assert (again.imported, again.known, again.problems) == (0, 1, ())
    assert (settings.runs / "imported-tree" / "run.json").read_bytes() == before
    lab(tmp_path / "tree" / "tax" / "opinion-002" / "codex" / "1")
    more = bring(tmp_path / "tree", settings)
    assert (more.imported, more.known) == (1, 1)
    assert run_query(settings.warehouse, "SELECT count(*) AS n FROM attempt")["n"].item() == 2


@pytest.mark.slow
def test_a_tree_that_changed_is_told_and_its_attempt_stays(tmp_path: Path, settings: Settings) -> None:
    folder = lab(tmp_path / "tree" / "tax" / "opinion-001" / "codex" / "1")
    bring(tmp_path / "tree", settings)
    (folder / "output" / "memo.md").write_text("Something better.")
    lab(tmp_path / "tree" / "tax" / "opinion-002" / "codex" / "1")
    result = bring(tmp_path / "tree", settings)
    assert result.imported == 1, "the rest goes on"
    assert "was imported before from other files" in result.problems[0].message
    assert "another --run-id" in result.problems[0].remedy
    assert bring(tmp_path / "tree", settings, run_id="second").imported == 2


BAD = [
    ({"scores.json": "{"}, "is not JSON"),
    ({"scores.json": "[" * 100_000}, "is not JSON"),
    ({"metrics.json": "[]"}, "holds no JSON object"),
    ({"scores.json": {"criteria_results": [{"title": "x", "verdict": "pass"}]}}, "a verdict without 'id'"),
    ({"scores.json": {"criteria_results": [RESULTS[0], RESULTS[0]]}}, "gives two verdicts of the criterion 'C-001'"),
]


def test_every_bad_file_is_named_and_the_rest_goes_on(tmp_path: Path, settings: Settings) -> None:
    for number, (changes, _) in enumerate(BAD):
        lab(tmp_path / "tree" / "tax" / f"bad-{number}" / "codex" / "1", **changes)
    lab(tmp_path / "tree" / "tax" / "good" / "codex" / "1")
    result = bring(tmp_path / "tree", settings)
    assert len(result.problems) == len(BAD)
    for number, (changes, told) in enumerate(BAD):
        (problem,) = (p for p in result.problems if f"bad-{number}" in p.subject)
        assert told in problem.message
        assert problem.subject.endswith(next(iter(changes)))
        assert problem.remedy
    assert run_query(settings.warehouse, "SELECT matter_id FROM attempt")["matter_id"].to_list() == ["tax/good"]


def test_links_and_odd_names_are_refused(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "secret.md").write_text("SECRET")
    linked = lab(tmp_path / "tree" / "tax" / "linked" / "codex" / "1")
    (linked / "output" / "leak.md").symlink_to(tmp_path / "secret.md")
    odd = lab(tmp_path / "tree" / "tax" / "odd" / "codex" / "1")
    (odd / "output" / "a\nb.md").write_text("x")
    trace = lab(tmp_path / "tree" / "tax" / "trace" / "codex" / "1")
    (trace / "transcript.jsonl").unlink()
    (trace / "transcript.jsonl").symlink_to(tmp_path / "secret.md")
    elsewhere = lab(tmp_path / "tree" / "tax" / "elsewhere" / "codex" / "1")
    shutil.rmtree(elsewhere / "output")
    (elsewhere / "output").symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(SolonError, match="is a link"):
        bring(tmp_path / "tree", settings)
    lab(tmp_path / "tree" / "tax" / "good" / "codex" / "1")
    result = bring(tmp_path / "tree", settings)
    assert sorted(p.message for p in result.problems) == [
        "has a name that cannot be stored", "is a link", "is no regular file", "is no regular file",
    ]  # fmt: skip
    assert not [p for p in settings.runs.rglob("*") if p.is_file() and "SECRET" in p.read_text("utf-8", "replace")]


def test_hostile_numbers_are_clamped(tmp_path: Path, settings: Settings) -> None:
    metrics = '{"wall_clock_seconds": 1e300, "turn_count": -5, "input_tokens": 1e400, "output_tokens": NaN}'
    folder = lab(tmp_path / "tree" / "tax" / "x" / "codex" / "1", **{"metrics.json": metrics})
    (folder / "transcript.jsonl").unlink()
    bring(tmp_path / "tree", settings)
    row = one(settings, "attempt")
    assert (row["seconds"], row["input_uncached"], row["output"], row["calls"]) == (30 * 86_400, 0, 0, 0)


def test_what_the_tree_does_not_tell_stays_empty(tmp_path: Path, settings: Settings) -> None:
    bare = {"config.json": None, "metrics.json": None, "scores.json": None}
    lab(tmp_path / "tree" / "tax" / "x", **bare)
    result = bring(tmp_path / "tree", settings)
    assert (result.imported, result.scored) == (1, 0)
    row = one(settings, "attempt")
    assert (row["cell"], row["profile"], row["seconds"], row["started_utc"]) == (
        "imported", "", 0.0, NOT_TOLD.replace(tzinfo=None),
    )  # fmt: skip
    assert one(settings, "cells")["seconds_median"] is None
    for table in ("area_work", "cells"):
        assert one(settings, table)["cost_usd"] is None, "calls were made, and nobody says at what price"


def test_totals_without_verdicts_make_no_verdict(tmp_path: Path, settings: Settings) -> None:
    totals = {"task": "tax/opinion-001", "n_passed": 26, "n_criteria": 67}
    lab(tmp_path / "tree" / "some-name", **{"scores.json": None, "scores_aggregate.json": totals})
    result = bring(tmp_path / "tree", settings)
    assert result.verdicts == 0
    assert "totals alone (26 of 67 criteria)" in result.notes[0]
    assert one(settings, "attempt")["matter_id"] == "tax/opinion-001"
    assert run_query(settings.warehouse, "which_verdicts_are_lost").height == 0


@pytest.mark.slow
def test_an_attempt_that_did_not_end_well_is_told(tmp_path: Path, settings: Settings) -> None:
    lab(tmp_path / "tree" / "tax" / "a", **{"metrics.json": {"finished_cleanly": False}})
    lab(tmp_path / "tree" / "tax" / "b", **{"rollout.json": {"agent_timeout_error": 1}})
    bring(tmp_path / "tree", settings)
    rows = run_query(settings.warehouse, "SELECT outcome, failure_cause FROM attempt ORDER BY matter_id").rows()
    assert rows == [("finished", ""), ("timeout", "timeout")]
    messages = run_query(settings.warehouse, "what_went_wrong")["message"].to_list()
    assert [m for m in messages if "did not finish cleanly" in m]
    assert [m for m in messages if "ended by timeout" in m]


def test_an_attempt_of_psionic(tmp_path: Path, settings: Settings) -> None:
    psionic(tmp_path / "tree" / "a")
    psionic(tmp_path / "tree" / "b", "max_tokens", coverage_snapshot={})
    result = bring(tmp_path / "tree", settings)
    assert (result.imported, result.verdicts, result.notes) == (
        2, 2, ("2 x no file of a work product lies in the tree",),
    )  # fmt: skip
    first, second = run_query(settings.warehouse, "SELECT * FROM attempt ORDER BY matter_id DESC").to_dicts()
    assert (first["matter_id"], second["matter_id"]) == ("tax/an-opinion", "harvey.tax.an_opinion")
    assert (first["outcome"], second["outcome"]) == ("finished", "budget")
    assert first["cell"] == second["cell"]
    assert first["cell"].startswith("Q-1-")
    assert (first["seconds"], str(first["ended_utc"])[:10]) == (8.0, "2026-05-20")
    assert one(settings, "cells")["judge_profile"] == "imported:rules"


def test_a_bare_folder_of_deliverables(tmp_path: Path, settings: Settings) -> None:
    for name in ("tax/one/memo.md", "tax/two/output/memo.md", "tax/two/output/annex/list.md", ".git/config"):
        (tmp_path / "drafts" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "drafts" / name).write_text("Words of a draft.")
    result = bring(tmp_path / "drafts", settings, cell="vendor")
    assert (result.imported, result.scored) == (2, 0)
    rows = run_query(settings.warehouse, "SELECT matter_id, cell, n_deliverables, words FROM attempt ORDER BY 1").rows()
    assert rows == [("tax/one", "vendor", 1, 4), ("tax/two", "vendor", 2, 8)]
    store = AttemptStore(settings.runs, "imported-drafts")
    for attempt in store.ended():
        assert changed_files(store.path(attempt)) == [], "it was never gated, so it has no release report to lose"


def test_a_changed_work_product_of_an_import_is_noticed(tmp_path: Path, settings: Settings) -> None:
    lab(tmp_path / "tree" / "tax" / "x")
    bring(tmp_path / "tree", settings)
    store = AttemptStore(settings.runs, "imported-tree")
    (attempt,) = store.ended()
    (store.path(attempt) / "output" / "memo.md").write_text("Other words.")
    assert changed_files(store.path(attempt)) == ["memo.md"]


def test_nothing_is_mixed_with_runs_of_ours(tmp_path: Path, settings: Settings) -> None:
    lab(tmp_path / "tree" / "tax" / "x")
    ours = settings.runs / "own"
    ours.mkdir(parents=True)
    pinned = {
        "run_id": "own", "corpus": "c", "harness_version": "h", "judge_profile": "anchor", "cells": {}, "packages": {},
        "starts": [{"utc": "2026-01-01T00:00:00+00:00", "matters": 1, "compute": "inline"}],
    }  # fmt: skip
    (ours / "run.json").write_text(json.dumps(pinned))
    with pytest.raises(SolonError, match="is a run of Solon's own"):
        bring(tmp_path / "tree", settings, run_id="own")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "attempt.json").write_text("{}")
    with pytest.raises(SolonError, match="is an attempt of Solon's own"):
        bring(tmp_path / "mine", settings)


@pytest.mark.parametrize("tree", ["nowhere", "empty"])
def test_nothing_to_import_is_told(tmp_path: Path, settings: Settings, tree: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SolonError, match=r"is not a folder|holds no results"):
        bring(tmp_path / tree, settings)


@pytest.mark.slow
def test_the_command_says_what_it_did(tmp_path: Path, settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    lab(tmp_path / "tree" / "tax" / "x")
    asked = ["import", str(tmp_path / "tree"), "--home", str(settings.home), "--run-id", "theirs"]
    assert cli.main(asked) == 0
    said = capsys.readouterr().out
    assert "1 attempts imported into theirs (0 were there before)" in said
    assert "with --corpus, and another --run-id" in said
    assert cli.main([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["known"] == 1
    assert cli.main(["import", str(tmp_path / "nowhere"), "--home", str(settings.home)]) == 2


def test_values_of_a_tree_are_believed_as_far_as_they_make_sense() -> None:
    assert seconds("12") == seconds(None) == seconds(True) == seconds(float("nan")) == seconds(-3) == 0.0
    assert moment("2026-05-21T10:00:00+02:00").hour == 8
    assert moment("soon") == moment(None) == moment(1e300) == moment(-1) == moment("9999-01-01") == NOT_TOLD
    assert slug("../../etc/passwd") == "etc-passwd"
    assert task_id("../tax//an opinion/..") == "tax/an-opinion"


def test_a_summary_above_the_attempts_is_none(tmp_path: Path, settings: Settings) -> None:
    """A tree may sum up its attempts in a file of the same name; scores with nothing below them are an attempt."""
    lab(tmp_path / "a+b" / "tax" / "x" / "codex" / "1")
    (tmp_path / "a+b" / "metrics.json").write_text("{}")
    (tmp_path / "a+b" / "tax" / "scores.json").write_text("{}")
    (tmp_path / "a+b" / "tax" / "scored").mkdir()
    (tmp_path / "a+b" / "tax" / "scored" / "scores.json").write_text(json.dumps({"criteria_results": RESULTS}))
    result = bring(tmp_path / "a+b", settings)
    assert (result.run_id, result.imported, result.problems) == ("imported-a-b", 2, ())
    found = run_query(settings.warehouse, "SELECT matter_id FROM attempt ORDER BY 1")["matter_id"].to_list()
    assert found == ["tax/scored", "tax/x"]
