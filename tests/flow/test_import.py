"""A draft of somebody else goes through our gates and our judge, where its task is given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from flows.imports.bring import import_tree
from flows.judge import judge_run
from flows.runs.attempts import AttemptStore
from flows.settings import Settings
from warehouse.sql import run_query

DRAFT = "lease.txt\n\nAgreement date: 3 March 2021.\n\nGoverning law: Ohio.\n\nThe rent is $9,999 a month.\n"


@pytest.mark.slow
@pytest.mark.usefixtures("unchecked", "kept_workers")
def test_a_draft_of_others_is_gated_and_judged_like_ours(
    corpus: Callable[..., Path], offline: Settings, tmp_path: Path
) -> None:
    drafts, tasks = tmp_path / "drafts", corpus(1, canary="CANARY-OF-THE-RUBRIC")
    (drafts / "leases" / "lease_0").mkdir(parents=True)
    (drafts / "leases" / "lease_0" / "memo.md").write_text(DRAFT)
    (drafts / "leases" / "unknown").mkdir()
    (drafts / "leases" / "unknown" / "memo.md").write_text(DRAFT)
    result = import_tree(drafts, offline, corpus=tasks, cell="vendor")
    assert (result.imported, result.gated) == (1, 1)
    assert result.problems[0].message == "no task of the corpus is called leases/unknown"
    assert result.problems[0].remedy.endswith("leases/lease-0")
    folder = offline.runs / "imported-drafts"
    assert not [p for p in folder.rglob("*") if p.is_file() and b"CANARY-OF-THE-RUBRIC" in p.read_bytes()]
    judged = judge_run("imported-drafts", "anchor", offline)
    assert (judged.passed, judged.criteria, judged.unscored) == (2, 3, 1)
    (cell,) = run_query(offline.warehouse, "how_did_each_cell_do").to_dicts()
    assert (cell["cell"], cell["judge_profile"], cell["passed"]) == ("vendor", "anchor", 2)
    flagged = run_query(offline.warehouse, "SELECT text FROM finding WHERE gate = 'number'")["text"].to_list()
    assert [text for text in flagged if "9,999" in text], "no document holds that rent"
    told = run_query(offline.warehouse, "SELECT * FROM trace_defect WHERE by_construction").height
    assert told == 0, "nobody knows how the cell of others was built"
    (attempt,) = AttemptStore(offline.runs, "imported-drafts").ended()
    assert (attempt.document_formats, attempt.deliverable_formats) == (("txt",), ("docx",))


@pytest.mark.usefixtures("unchecked", "kept_workers")
def test_drafts_without_their_tasks_are_told_to_have_no_rubric(
    corpus: Callable[..., Path], offline: Settings, tmp_path: Path
) -> None:
    corpus(1)
    (tmp_path / "drafts" / "lease_0").mkdir(parents=True)
    (tmp_path / "drafts" / "lease_0" / "memo.md").write_text(DRAFT)
    assert import_tree(tmp_path / "drafts", offline).gated == 0
    judged = judge_run("imported-drafts", "anchor", offline)
    assert (judged.attempts, len(judged.problems)) == (0, 1)  # as it was never run, nothing of it is sealed
    assert "solon import DIR --corpus TASKS" in judged.problems[0].remedy
