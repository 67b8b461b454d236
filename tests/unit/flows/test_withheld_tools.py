"""A cell that is not offered a tool: what an ablation of a tool compares with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from flows.runs import stages
from flows.runs.attempts import AttemptStore
from flows.runs.cells import resolve_cell, withheld_tools
from flows.runs.plan import begin_attempt
from flows.settings import Settings
from tasks.asks.records import Asks
from tasks.drafting.records import Cell
from tasks.harness import find_harness
from tasks.matter.failures import SolonError
from tasks.sources.records import MatterState
from tests.unit.flows.test_rows import plan


def _cell(without: object) -> Cell:
    return Cell(name="c", runtime="extractive", options={"without_tools": without})


def test_the_tools_are_withheld_from_whoever_drafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Any] = []
    monkeypatch.setattr("tasks.drafting.several.draft_with_choice", lambda job_at, folder: jobs.append(job_at(folder)))
    monkeypatch.setattr("tasks.retrieval.stage.build_index", lambda *_, **__: None)
    made = plan("tax/a")
    order = begin_attempt(made.work()[0], made, AttemptStore(tmp_path / "runs", "r"), tmp_path / "cache")
    order = order.model_copy(update={"cell": _cell(["summarize_docs"]), "harness": find_harness(None)})
    state = MatterState(matter_id="tax/a", documents=(), coverage=())
    stages.draft(order, state, Asks(brief="", asks=()), None)  # type: ignore[arg-type]
    assert "summarize_docs" not in jobs[0].toolbox.names()
    assert "search" in jobs[0].toolbox.names()
    with pytest.raises(SolonError):
        jobs[0].toolbox.call("summarize_docs", {})


@pytest.mark.parametrize("without", ["search", ["no_such_tool"], [1], ["build_deliverable"]])
def test_what_cannot_be_withheld_is_refused_before_the_run(without: object, tmp_path: Path) -> None:
    with pytest.raises(SolonError, match="without_tools"):
        withheld_tools(_cell(without))
    table = {"runtime": "extractive", "options": {"without_tools": without}}
    with pytest.raises(SolonError, match="without_tools"):
        resolve_cell("odd", Settings(home=tmp_path, cells={"odd": table}))
