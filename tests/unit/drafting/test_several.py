"""Several drafts of one matter: made in their own folders on one account, one taken, the others kept."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_api_runtime import file, make_job  # noqa: F401 - a fixture

from tasks.drafting.mechanisms.records import Moment
from tasks.drafting.records import Cell, WorkProduct
from tasks.drafting.several import draft_with_choice
from tasks.drafting.stage import require_acting
from tasks.matter.failures import FailureCause, SolonError
from tasks.models.access import ModelAccess
from tasks.models.ledger import Ledger
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, failed
from tasks.models.transports.scripted import ScriptedModel

VOTE = {"options": {"mechanisms": {"vote": True}}}
WHOLE = "# Memo\n\n" + "Harbour Estates lets the shop to Pine Books. The rent is EUR 1,200 a month. " * 3

EMPTY = ("nothing", "nothing")  # a draft without its file: it is asked for once more


class Seen(ScriptedModel):
    """A scripted model that notes how warm it was asked, and under which salt of the cache."""

    def __init__(self, script: Any) -> None:
        super().__init__(script)
        self.warm: list[float | None] = []

    def send(self, profile: ModelProfile, request: Any) -> Reply:
        self.warm.append(profile.temperature)
        return super().send(profile, request)


@pytest.fixture
def drafted(make_job: Any, tmp_path: Path) -> Any:  # noqa: F811
    """Return what drafts a matter with a scripted model: the product, the model, the account and the folder."""

    def run(
        *replies: Any, report: str = "", cell: Any = VOTE, profile: Any = None, limits: Any = None
    ) -> tuple[WorkProduct, Seen, Ledger]:
        model, ledger = Seen(list(replies)), Ledger("lease/one", **(limits or {}))
        models = {"m": {"model": "scripted", "retries": 0, **(profile or {})}}

        def job_at(folder: Path) -> Any:
            job = make_job(report=report, workspace=str(folder.relative_to(tmp_path)), **cell)
            return dataclasses.replace(job, models=ModelAccess(models, ledger, transport=model))

        return draft_with_choice(job_at, tmp_path / "attempt"), model, ledger

    return run


def test_the_best_of_three_is_delivered_and_the_others_are_kept(drafted: Any, tmp_path: Path) -> None:
    product, model, ledger = drafted(*EMPTY, file(body=WHOLE), *EMPTY)
    attempt = tmp_path / "attempt"
    assert [f.filename for f in product.files] == ["memo.docx"]
    assert (attempt / "output" / "memo.docx").is_file()
    assert sorted(p.name for p in (attempt / "drafts").iterdir()) == ["1", "3"]
    said = [json.loads(line) for line in (attempt / "transcript.jsonl").read_text().splitlines()]
    assert "Harbour Estates" in said[0]["text"]
    assert model.warm[0] == 0.0
    assert set(model.warm[2:]) == {0.7}
    assert product.usage == ledger.used
    assert product.usage.calls == len(model.requests)
    (firing,) = [f for f in product.firings if f.mechanism == "vote"]
    assert firing.moment is Moment.PICK
    assert firing.note.startswith("draft 2 of 3 was taken (1: empty; 2: states")


def test_a_cell_that_does_not_ask_for_it_drafts_once(drafted: Any, tmp_path: Path) -> None:
    product, model, _ = drafted(file(body=WHOLE), cell={})
    assert len(model.requests) == 1
    assert not product.firings
    assert not (tmp_path / "attempt" / "drafts").exists()


def test_a_revision_goes_on_with_the_draft_that_was_taken(drafted: Any, tmp_path: Path) -> None:
    drafted(*EMPTY, file(body=WHOLE), file(body=WHOLE))
    product, model, _ = drafted(file(body=WHOLE.replace("1,200", "1,300")), report="# Release\n\nThe rent is 1,300.")
    assert len(model.requests) == 1
    assert "EUR 1,200" in model.requests[0][-1]["content"]
    assert [f.filename for f in product.files] == ["memo.docx"]


@pytest.mark.parametrize("cause", [FailureCause.LOGIN, FailureCause.BUDGET])
def test_what_no_draft_can_mend_ends_the_drafting(drafted: Any, cause: FailureCause) -> None:
    error = SolonError(failed(ModelProfile(name="m", model="scripted"), cause, "No."))
    product, model, _ = drafted(error, file(body=WHOLE))
    assert len(model.requests) == 1
    assert [f.cause for f in product.failures] == [cause]


def test_a_draft_that_failed_is_told_beside_the_one_that_was_taken(drafted: Any) -> None:
    error = SolonError(failed(ModelProfile(name="m", model="scripted"), FailureCause.PROVIDER, "Gone."))
    product, _, _ = drafted(error, file(body=WHOLE), file(body=WHOLE))
    assert product.outcome == "finished"
    assert [f.cause for f in product.failures] == [FailureCause.PROVIDER]


def test_drafts_share_the_wall_time_of_the_attempt(drafted: Any, monkeypatch: Any) -> None:
    left: list[float] = []
    from tasks.drafting import several

    def made(job: Any) -> WorkProduct:
        left.append(job.cell.limits.wall_seconds)
        return WorkProduct(files=(), outcome="finished")

    monkeypatch.setattr(several.draft_with_choice, "__defaults__", (made,))
    drafted(cell={**VOTE, "limits": {"wall_seconds": 90.0}})
    assert [round(seconds) for seconds in left] == [30, 45, 90]


def test_what_a_killed_try_left_is_no_draft(drafted: Any, tmp_path: Path) -> None:
    for place in ("drafts/1/output/memo.docx", "output/old.docx"):
        (tmp_path / "attempt" / place).parent.mkdir(parents=True)
        (tmp_path / "attempt" / place).write_text("of a try that was killed")
    product, _, _ = drafted(file(body=WHOLE), *EMPTY, *EMPTY)
    assert [f.filename for f in product.files] == ["memo.docx"]


@pytest.mark.parametrize(
    ("runtime", "name", "acts"),
    [
        ("api", "vote", True), ("guided", "vote", True), ("basic", "vote", True), ("codex", "vote", True),
        ("basic", "compaction", True), ("codex", "landing", True), ("extract", "call_repair", True),
        ("codex", "compaction", False), ("api", "landing", False), ("guided", "completion", False),
        ("extract", "landing", False),
    ],
)  # fmt: skip
def test_a_switch_of_what_cannot_act_in_a_runtime_is_refused(runtime: str, name: str, acts: bool) -> None:
    cell = Cell(name="c", runtime=runtime, options={"mechanisms": {name: True}})
    if acts:
        require_acting(cell)
    else:
        with pytest.raises(SolonError, match=f"{name}: has no place in the runtime {runtime}"):
            require_acting(cell)
