"""Runs and studies of matters that a learning run of the same home holds out: none is run without a row."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows import corpus as flow
from flows.corpus import run_corpus
from flows.runs.held_out import record_looks
from flows.runs.plan import WorkItem
from flows.settings import Settings
from flows.studies.request import StudyRequest
from flows.study import run_study
from tasks.drafting.records import Cell
from tasks.learning.holdout import HoldoutLog
from tasks.learning.splits import Split
from tasks.matter.failures import SolonError
from tasks.matter.loading import load_corpus
from tasks.matter.records import Matter
from warehouse.sql import run_query

CELL = Cell(name="c", runtime="extractive")


def matter(name: str) -> Matter:
    return Matter(matter_id=name, title=name, area="tax", instructions="Do it.")


def hold_out(settings: Settings, learn_id: str, matters: list[Matter], *, giant: tuple[str, ...] = ()) -> Path:
    """Freeze the split of a learning run that learns from the first matter, and holds out all others."""
    home = settings.home / "learning" / learn_id
    home.mkdir(parents=True)
    first, *others = [one.matter_id for one in matters]
    made = Split(
        seed=0, test_share=0.5, confirm_share=0.0, candidates=10, giant_tokens=1_000_000,
        matters={one.matter_id: one.digest for one in matters}, training=(first,),
        test=tuple(name for name in others if name not in giant), giant=giant,
    )  # fmt: skip
    (home / "split.json").write_text(made.model_dump_json())
    (home / "ledger.jsonl").write_text('{"step": 0}\n{"step": 3}\n')
    return home


def looks(home: Path) -> list[tuple[str, str, int, int, int]]:
    split = Split.model_validate_json((home / "split.json").read_bytes())
    found = HoldoutLog(home / "holdout.jsonl", home.name, split.digest).looks()
    assert [one.look for one in found] == list(range(1, len(found) + 1))
    assert {one.split_sha256 for one in found} <= {split.digest}
    return [(one.side, one.purpose, one.step, one.matters, one.attempts) for one in found]


def test_each_side_of_each_learning_run_is_counted_by_what_the_matters_are(offline: Settings) -> None:
    a, b, c, d = (matter(name) for name in "abcd")
    one = hold_out(offline, "one", [a, b, c], giant=("c",))
    two = hold_out(offline, "two", [b, a])
    none = hold_out(offline, "none", [d])
    moved = b.model_copy(update={"matter_id": "elsewhere/b"})
    namesake = b.model_copy(update={"matter_id": "other/b", "instructions": "Do another thing."})
    work = [WorkItem(at, CELL, epoch) for at in (a, moved, namesake, c, d) for epoch in (1, 2)]
    record_looks(work, "v1", offline, "study length")
    assert looks(one) == [("test", "study length", 3, 1, 2), ("giant", "study length", 3, 1, 2)]
    assert looks(two) == [("test", "study length", 3, 1, 2)]
    assert not (none / "holdout.jsonl").exists()
    record_looks([WorkItem(a, CELL, 1)], "v1", offline, "run")
    assert (len(looks(one)), len(looks(two))) == (2, 2)


def test_a_split_that_cannot_be_read_hides_no_look(offline: Settings) -> None:
    home = hold_out(offline, "one", [matter("a"), matter("b")])
    (home / "split.json").write_text("{}")
    with pytest.raises(SolonError, match=r"one/split\.json: is no split") as told:
        record_looks([], "v1", offline, "run")
    assert "move the folder one out of" in told.value.failure.remedy


@pytest.mark.slow
@pytest.mark.usefixtures("unchecked", "unpictured", "kept_workers", "sealed_here")
def test_a_run_and_a_study_write_the_look_down_before_a_matter_is_run(
    corpus: Callable[..., Path], offline: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root = corpus(2)
    home = hold_out(offline, "l", list(load_corpus(root, offline.sealed, None, offline.cache).matters))
    before, made = [], flow.run_missing

    def missing(*given: Any, **more: Any) -> None:
        before.append(len(looks(home)))
        made(*given, **more)

    monkeypatch.setattr(flow, "run_missing", missing)
    run_corpus(root, ["extractive"], offline, run_id="plain", quiet=True)
    run_corpus(root, ["extractive"], offline, run_id="plain", quiet=True)  # every attempt has ended: nothing is run
    monkeypatch.setattr("flows.study.render_report", lambda *_: tmp_path)
    ask = StudyRequest("frontier", offline, root, ("extractive", "interrogator"))
    run_study(ask, "front", quiet=True)
    assert before == [1, 2]
    assert looks(home) == [("test", "run", 3, 1, 1), ("test", "study frontier", 3, 1, 2)]
    rows = run_query(offline.warehouse, "who_looked_at_the_holdouts").to_dicts()
    assert [(row["learn_id"], row["purpose"], row["attempts"]) for row in rows] == [
        ("l", "run", 1), ("l", "study frontier", 2)
    ]  # fmt: skip
    pinned = json.loads((offline.runs / "front-1" / "run.json").read_bytes())
    assert rows[1]["harness_version"] == pinned["harness_version"]
    shutil.rmtree(root / "leases" / "lease-1")
    run_corpus(root, ["extractive"], offline, run_id="learned-from", quiet=True)
    assert len(looks(home)) == 2, "of the matter that was learned from nothing is written"
