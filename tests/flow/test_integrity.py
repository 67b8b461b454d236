"""What goes wrong around an attempt is nobody's failure: documents that change under it, corpora that become others."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows import corpus as corpus_flow
from flows.corpus import RunResult, run_corpus
from flows.judge import judge_run
from flows.runs import orders
from flows.runs.attempts import AttemptStore
from flows.runs.orders import Attempt
from flows.settings import Settings
from tasks.judging.records import JudgeReport
from tasks.matter.failures import Failure, FailureCause, SolonError
from tests.flow.conftest import write_task
from warehouse.sql import run_query

CELL = ["extractive"]


@pytest.fixture(autouse=True)
def _quick(unchecked: None, kept_workers: None, unpictured: None, sealed_here: None) -> None:
    """No expectations, no report, no new workers and no sealer of its own: they cost seconds a landing and a run."""


@pytest.fixture
def make_root(tmp_path: Path) -> Callable[[int], Path]:
    """Write leases whose anchored criteria the extractive runtime passes."""

    def make(n: int) -> Path:
        for i in range(n):
            anchored(tmp_path / "corpus" / "leases" / f"lease-{i}", i)
        return tmp_path / "corpus"

    return make


def anchored(folder: Path, i: int) -> None:
    write_task(folder, i)
    task = json.loads((folder / "task.json").read_text())
    law, notice = (json.loads(json.dumps(task["criteria"][1])) for _ in range(2))
    notice["id"], notice["title"] = "C-003", "Notice of termination"
    notice["anchors"][0] |= {"facet": ["termination"], "match": {"kind": "value", "any": ["thirty (30) days"]}}
    task["criteria"] = [law, notice]
    task["instructions"] = "Review the lease and state its governing law and its termination. Write `memo.docx`."
    (folder / "task.json").write_text(json.dumps(task))


def lease(root: Path, i: int) -> Path:
    return root / "leases" / f"lease-{i}" / "documents" / "lease.txt"


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def altered(path: Path) -> None:
    """Other words of the same length and time stamp: no cache of size and time may vouch for a document."""
    before = path.stat()
    path.write_text(path.read_text().replace("Ohio", "Iowa"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


WAYS: dict[str, Callable[[Path], object]] = {
    "unlinked": Path.unlink,
    "renamed": lambda path: path.rename(path.with_name("other.txt")),
    "changed": altered,
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:60]),
    "grown": lambda path: path.write_text(path.read_text() + "\n4. Notices\n\nNotices are in writing.\n"),
    "fifo": fifo,
    "directory": folder,
}


def restore(path: Path, data: bytes) -> None:
    if path.is_dir():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    path.with_name("other.txt").unlink(missing_ok=True)
    path.write_bytes(data)


def after_load(monkeypatch: pytest.MonkeyPatch, change: Callable[[], object]) -> None:
    """Let something happen to the data room once the corpus is loaded and before the first attempt begins."""
    real = corpus_flow.run_missing

    def changing(*args: object, **kwargs: object) -> None:
        change()
        real(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(corpus_flow, "run_missing", changing)


def ended(settings: Settings, run_id: str = "r") -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = {}
    for attempt in AttemptStore(settings.runs, run_id).ended():
        found.setdefault(attempt.matter_id, []).append(attempt)
    return found


def verdicts(settings: Settings, attempt: Attempt, run_id: str = "r") -> list[tuple[str, str]]:
    path = AttemptStore(settings.runs, run_id).path(attempt) / "judgement.json"
    report = JudgeReport.model_validate_json(path.read_bytes())
    return [(v.status, str(v.cause or "")) for v in report.verdicts]


def agree(result: RunResult) -> None:
    """The command and the warehouse say the same of every cell the command printed."""
    rows = {r["cell"]: r for r in run_query(result.warehouse, "SELECT * FROM cells", run_id=result.run_id).to_dicts()}
    for cell in result.cells:
        row = rows[cell.cell]
        for name in ("matters", "criteria", "unscored", "blocked"):
            assert row[name] == getattr(cell, name), name
        for name in ("pooled_pass", "all_pass"):
            told = getattr(cell, name)
            assert row[name] == (None if told is None else pytest.approx(told, abs=1e-5)), name
        assert row["seconds"] == pytest.approx(cell.seconds, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("detail", ["matter", pytest.param("stage", marks=pytest.mark.thorough)])
def test_documents_that_change_under_an_attempt_fail_nobody(
    detail: str, make_root: Callable[[int], Path], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    # without a server stages are not recorded, and run in one process
    settings: Settings = request.getfixturevalue("settings" if detail == "stage" else "offline")
    settings = settings.model_copy(update={"detail": detail})
    ways = WAYS if detail == "matter" else {"unlinked": WAYS["unlinked"]}
    root, spared = make_root(len(ways) + 1), f"leases/lease-{len(ways)}"
    kept = {i: lease(root, i).read_bytes() for i in range(len(ways))}
    with monkeypatch.context() as patch:
        after_load(patch, lambda: [change(lease(root, i)) for i, change in enumerate(ways.values())])
        first = run_corpus(root, CELL, settings, run_id="r", quiet=True)
    made = {name: of[0] for name, of in ended(settings).items()}
    for i, way in enumerate(ways):
        hit = made[f"leases/lease-{i}"]
        assert (hit.outcome, hit.failures[0].cause, hit.failures[0].subject) == ("failed", "changed", "lease.txt"), way
        assert (hit.release_status, verdicts(settings, hit)) == ("", [("unscored", "changed")] * 2), way
    assert verdicts(settings, made[spared]) == [("pass", "")] * 2
    assert (first.cells[0].unscored, first.cells[0].pooled_pass) == (2 * len(ways), 1.0)
    agree(first)
    judged = judge_run("r", "anchor", settings)
    assert (judged.passed, judged.unscored, judged.criteria) == (2, 2 * len(ways), 2 * len(ways) + 2)
    for i, data in kept.items():
        restore(lease(root, i), data)
    again = run_corpus(root, CELL, settings, run_id="r", quiet=True)
    tries = {name: [a.outcome for a in of] for name, of in ended(settings).items()}
    assert tries.pop(spared) == ["finished"]
    assert set(map(tuple, tries.values())) == {("failed", "finished")}
    assert (again.cells[0].pooled_pass, again.cells[0].all_pass, again.cells[0].unscored) == (1.0, 1.0, 0)
    agree(again)


@pytest.mark.slow
def test_a_run_refuses_matters_that_became_others(
    make_root: Callable[[int], Path], offline: Settings, own_sealer: None
) -> None:
    root = make_root(3)
    run_corpus(root, CELL, offline, run_id="r", limit=2, quiet=True)
    before = AttemptStore(offline.runs, "r").pinned()
    kept = lease(root, 1).read_bytes()
    altered(lease(root, 1))
    with pytest.raises(SolonError, match=r"in 1 of 2 matters: leases/lease-1.*--run-id") as refused:
        run_corpus(root, CELL, offline, run_id="r", quiet=True)
    assert refused.value.failure.cause is FailureCause.INPUT
    lease(root, 1).unlink()  # no documents at all: the task itself is a problem now
    with pytest.raises(SolonError, match="in 1 of 2 matters: leases/lease-1"):
        run_corpus(root, CELL, offline, run_id="r", quiet=True)
    assert AttemptStore(offline.runs, "r").pinned() == before  # a refused start leaves no trace
    lease(root, 1).write_bytes(kept)
    more = run_corpus(root, CELL, offline, run_id="r", quiet=True)  # a new matter is welcome
    assert (more.cells[0].matters, more.notes) == (3, ())
    fewer = run_corpus(root, CELL, offline, run_id="r", limit=1, quiet=True)
    assert (fewer.cells[0].matters, len(fewer.notes)) == (1, 1)
    assert "leaves out 2 of 3 matters" in fewer.notes[0]
    agree(fewer)


@pytest.mark.slow
def test_command_and_warehouse_agree_when_the_stages_changed(
    make_root: Callable[[int], Path], offline: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_root(2)
    kept = lease(root, 0).read_bytes()
    with monkeypatch.context() as patch:
        after_load(patch, lambda: [lease(root, 0).unlink()])
        first = run_corpus(root, CELL, offline, run_id="r", limit=1, quiet=True)
    assert first.cells[0].pooled_pass is None
    agree(first)
    lease(root, 0).write_bytes(kept)
    agree(run_corpus(root, CELL, offline, run_id="r", quiet=True))
    other = run_corpus(root, ["extractive", "careful"], careful(offline), run_id="r", quiet=True)
    agree(other)
    monkeypatch.setattr(orders, "stages_version", lambda: "next")
    again = run_corpus(root, CELL, offline, run_id="r", limit=1, quiet=True)
    assert [a.number for a in ended(offline)["leases/lease-0"] if a.cell.name == "extractive"] == [1, 2, 3]
    agree(again)
    cells = run_query(again.warehouse, "SELECT cell, matters FROM cells ORDER BY cell", run_id=None).to_dicts()
    assert cells == [{"cell": "careful", "matters": 2}, {"cell": "extractive", "matters": 1}]  # it keeps its own plan
    assert run_query(again.warehouse, "SELECT count(*) AS n FROM attempt").item() == 6  # nothing was forgotten


def careful(settings: Settings) -> Settings:
    return settings.model_copy(update={"cells": {"careful": {"runtime": "extractive", "revise": 1}}})


@pytest.mark.slow
def test_an_attempt_without_any_verdict_is_named(make_root: Callable[[int], Path], offline: Settings) -> None:
    root = make_root(1)
    with pytest.MonkeyPatch.context() as patch:
        after_load(patch, lambda: [p.unlink() for p in offline.sealed.glob("*.json")])
        result = run_corpus(root, CELL, offline, run_id="r", quiet=True)
    assert (result.cells[0].matters, result.cells[0].criteria, result.cells[0].pooled_pass) == (1, 0, None)
    assert [f.subject for f in result.problems] == ["r/leases/lease-0/extractive/1"]
    assert "no rubric of this matter" in result.problems[0].message
    agree(result)


@pytest.mark.slow
def test_command_and_warehouse_agree_after_a_run_was_judged_again(
    make_root: Callable[[int], Path], offline: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counts of attempt.json are those of the first judgement; the verdicts that count are the latest."""
    root = make_root(1)

    killed = Failure(cause=FailureCause.CAPACITY, stage="judge", subject="judge", message="was killed")
    with monkeypatch.context() as patch:
        patch.setattr("flows.runs.judging.nothing_to_judge", lambda *_: killed)
        first = run_corpus(root, CELL, offline, run_id="r", quiet=True)
    assert (first.cells[0].pooled_pass, first.cells[0].unscored) == (None, 2)
    judge_run("r", "anchor", offline)
    again = run_corpus(root, CELL, offline, run_id="r", quiet=True)
    assert (again.cells[0].pooled_pass, again.cells[0].all_pass, again.cells[0].unscored) == (1.0, 1.0, 0)
    agree(again)
    (path,) = offline.runs.rglob("attempt.json")  # a colleague makes it better than it was
    path.write_text(path.read_text().replace('"passed": 0', '"passed": 2'))
    agree(run_corpus(root, CELL, offline, run_id="r", quiet=True))


@pytest.mark.slow
def test_a_worker_that_dies_over_a_landing_costs_the_run_nothing(
    make_root: Callable[[int], Path], offline: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attempts have ended by then; the landing at the end of the run writes the parts that are missing."""
    root = make_root(2)
    monkeypatch.setattr("flows.runs.judge_side.land_so_far", lambda *_: os._exit(9))
    often = offline.model_copy(update={"land_seconds": 0.001})
    result = run_corpus(root, CELL, often, run_id="r", quiet=True)
    assert (result.cells[0].matters, result.cells[0].pooled_pass) == (2, 1.0)
    agree(result)


def test_scores_are_in_the_warehouse_before_the_run_ends(
    make_root: Callable[[int], Path], offline: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A monitor asks the published file while attempts are made; the end of the run lands the rest once."""
    root, seen = make_root(3), []
    ends = corpus_flow.finish

    def finish(*args: Any) -> Any:
        seen.append(run_query(offline.warehouse, "SELECT sum(passed) AS n FROM scored_attempts").item())
        return ends(*args)

    monkeypatch.setattr(corpus_flow, "finish", finish)
    often = offline.model_copy(update={"land_seconds": 0.001})
    result = run_corpus(root, CELL, often, run_id="r", quiet=True)
    assert seen[0] >= 2
    agree(result)
    twice = "SELECT count(*) - count(DISTINCT attempt_id) AS twice, count(*) AS n FROM attempt"
    assert run_query(offline.warehouse, twice).rows() == [(0, 3)]
