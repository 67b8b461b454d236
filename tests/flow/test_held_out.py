"""Matters that a learning run of the same home holds out: none is run, and no score of one told, without a row."""

from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows import corpus as flow
from flows.bench.named import geval
from flows.bench.request import BenchRequest
from flows.corpus import run_corpus
from flows.judge import judge_run
from flows.land import land_runs
from flows.matter import draft_matter
from flows.runs.held_out import Seen, landed_attempts, record_looks, to_make
from flows.runs.plan import WorkItem
from flows.settings import Settings
from flows.studies.request import StudyRequest
from flows.study import run_study
from flows.trust import compare_judges
from tasks.drafting.records import Cell
from tasks.learning.holdout import HoldoutLog
from tasks.learning.splits import Split
from tasks.matter.failures import SolonError
from tasks.matter.loading import load_corpus
from tasks.matter.records import Matter
from tests.flow.conftest import in_process
from warehouse.pack import Pack
from warehouse.sql import QueryError, run_query

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
    record_looks(to_make(work, "v1"), offline, "study length")
    assert looks(one) == [("test", "study length", 3, 1, 2), ("giant", "study length", 3, 1, 2)]
    assert looks(two) == [("test", "study length", 3, 1, 2)]
    assert not (none / "holdout.jsonl").exists()
    record_looks(to_make([WorkItem(a, CELL, 1)], "v1"), offline, "run")
    assert (len(looks(one)), len(looks(two))) == (2, 2)


def test_a_split_that_cannot_be_read_hides_no_look(offline: Settings) -> None:
    home = hold_out(offline, "one", [matter("a"), matter("b")])
    (home / "split.json").write_text("{}")
    with pytest.raises(SolonError, match=r"one/split\.json: is no split") as told:
        record_looks([], offline, "run")
    assert "move the folder one out of" in told.value.failure.remedy


def test_an_attempt_is_known_by_the_file_that_it_keeps_of_its_matter(offline: Settings, tmp_path: Path) -> None:
    a, b, c = (matter(name) for name in "abc")
    home = hold_out(offline, "one", [a, b, c])
    kept, altered = tmp_path / "kept.json", tmp_path / "altered.json"
    moved = b.model_copy(update={"matter_id": "elsewhere/b"})
    kept.write_text(moved.model_dump_json())
    altered.write_text("{")
    gone = tmp_path / "gone.json"
    record_looks([Seen("elsewhere/b", moved.digest, "v1", kept), Seen("b", b.digest, "v1", gone)], offline, "judge")
    record_looks([Seen("other/b", "0", "v1", gone), Seen("other/a", "0", "v1", altered)], offline, "judge")
    record_looks([Seen("c", c.digest, "v1", c), Seen("other/c", "0", "v2", altered)], offline, "report")
    assert looks(home) == [("test", "judge", 3, 1, 2), ("test", "report", 3, 1, 2)]
    split = Split.model_validate_json((home / "split.json").read_bytes())
    found = HoldoutLog(home / "holdout.jsonl", "one", split.digest).looks()
    assert [one.harness_version for one in found] == ["v1", ""], "what is read of several versions names none"


def test_where_nothing_is_held_out_the_warehouse_is_not_asked(offline: Settings) -> None:
    record_looks(landed_attempts(offline, None), offline, "report")
    hold_out(offline, "one", [matter("a"), matter("b")])
    with pytest.raises(QueryError, match="no warehouse"):
        record_looks(landed_attempts(offline, None), offline, "report")


@pytest.mark.slow
@pytest.mark.usefixtures("unchecked", "unpictured", "kept_workers", "sealed_here")
def test_each_command_that_tells_scores_writes_the_look_down_before(
    corpus: Callable[..., Path], offline: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root, cells = corpus(2), ["extractive", "interrogator"]
    run_corpus(root, cells, offline, run_id="plain", quiet=True)
    home = hold_out(offline, "l", list(load_corpus(root, offline.sealed, None, offline.cache).matters))
    before: list[int] = []

    def noting(name: str, told: Any = None) -> None:
        """Let what tells scores note first how many looks are written down."""
        module, _, attribute = name.rpartition(".")
        real = getattr(importlib.import_module(module), attribute)

        def tell(*given: Any, **more: Any) -> Any:
            before.append(len(looks(home)))
            return told if told is not None else real(*given, **more)

        monkeypatch.setattr(name, tell)

    noting("flows.judge._judge_all")
    noting("flows.trust._latest")
    noting("warehouse.report.render", tmp_path)
    noting("warehouse.pack.write_pack", Pack(tmp_path, {}, {}))
    noting("flows.studies.replay.replay", [])
    noting("flows.bench.geval.run.measure_reports", {})
    noting("flows.matter.run_attempt")
    monkeypatch.setattr("tasks.models.access.ModelAccess.client", lambda *_, **__: None)
    here = ["--home", str(offline.home)]
    assert judge_run("plain", offline.judge, offline).landed
    compare_judges("plain", offline.judge, offline.judge, offline)
    assert in_process(["report", "plain", *here]) == 0
    assert in_process(["report", *here]) == 0
    assert in_process(["export", str(tmp_path / "pack"), "--run-id", "plain", *here]) == 0
    assert in_process(["study", "replay", "all", "--runs", str(offline.runs / "plain"), *here]) == 0
    asked = offline.model_copy(update={"model_cache": "replay"})
    geval.measure(BenchRequest(settings=asked, data=root, limit=None, run="plain", cells=tuple(cells), model="m"))
    draft_matter(root / "leases" / "lease-1", offline)
    purposes = ["judge", "judge against", "report", "report", "export", "study replay", "bench geval"]
    assert looks(home) == [*(("test", name, 3, 1, 2) for name in purposes), ("test", "matter", 3, 1, 1)]
    assert before == [1, 2, 2, 3, 4, 5, 6, 7, 8], "the second judge of a comparison is read after the first"
    landed = run_query(offline.warehouse, "who_looked_at_the_holdouts").to_dicts()
    assert [row["purpose"] for row in landed] == ["judge"], "it lands with what was judged; the others land next"
    assert land_runs(offline).published
    landed = run_query(offline.warehouse, "who_looked_at_the_holdouts").to_dicts()
    assert [row["purpose"] for row in landed] == [*purposes, "matter"]


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
    run_corpus(root, ["extractive"], offline, run_id="plain", quiet=True)  # every attempt has ended: its score is told
    monkeypatch.setattr("flows.study.render_report", lambda *_: tmp_path)
    ask = StudyRequest("frontier", offline, root, ("extractive", "interrogator"))
    run_study(ask, "front", quiet=True)
    assert before == [1, 3]
    assert looks(home) == [("test", "run", 3, 1, 1), ("test", "run", 3, 1, 1), ("test", "study frontier", 3, 1, 2)]
    rows = run_query(offline.warehouse, "who_looked_at_the_holdouts").to_dicts()
    assert [(row["learn_id"], row["purpose"], row["attempts"]) for row in rows] == [
        ("l", "run", 1), ("l", "run", 1), ("l", "study frontier", 2)
    ]  # fmt: skip
    pinned = json.loads((offline.runs / "front-1" / "run.json").read_bytes())
    assert rows[2]["harness_version"] == pinned["harness_version"]
    shutil.rmtree(root / "leases" / "lease-1")
    run_corpus(root, ["extractive"], offline, run_id="learned-from", quiet=True)
    assert len(looks(home)) == 3, "of the matter that was learned from nothing is written"
