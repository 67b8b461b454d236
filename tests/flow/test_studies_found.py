"""Each named study finds what was planted: a difference where there is one, and an arm that never finished is told."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from flows.settings import Settings, load_settings
from flows.studies.regrow.empty import empty_harness
from flows.studies.request import StudyRequest
from flows.study import StudyResult, run_study
from tasks.harness import HarnessRef, find_harness
from tasks.learning import ledger
from tasks.learning.harnesses import candidate
from tasks.learning.records import Edit, LedgerRow
from tests.flow.conftest import PROJECT, in_process, write_task
from tests.flow.tutored import MARKED, tutored

pytestmark = pytest.mark.usefixtures("unchecked", "unpictured", "kept_workers", "sealed_here")


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Leave the report out: `test_study.py` draws one."""
    monkeypatch.setattr("flows.study.render_report", lambda *_: tmp_path)


@pytest.fixture
def empty(tmp_path: Path) -> HarnessRef:
    return empty_harness(find_harness(), tmp_path / "empty")


@pytest.fixture
def modelled(tmp_path: Path) -> Iterator[Settings]:
    """Settings with a model that is answered by a scripted endpoint, and one whose provider is gone."""
    with tutored() as url:
        (tmp_path / "solon.toml").write_text(
            f'[models.m]\nmodel = "openai/o3-mini"\napi_base = "{url}"\nretries = 0\n'
            '[models.gone]\nmodel = "scripted"\nretries = 0\nscript = []\n'
        )
        yield load_settings({"home": tmp_path / "home", "workers": 1, "prefect": "off"}, cwd=tmp_path, env={})


def cells_of(found: StudyResult, question: str, column: str) -> dict[str, Any]:
    return {row["cell"]: row[column] for row in found.answers[question]}


@pytest.mark.slow
def test_a_frontier_and_a_length_stand_for_every_cell(corpus: Callable[..., Path], offline: Settings) -> None:
    root = corpus(1)
    ask = StudyRequest("frontier", offline, root, ("extractive", "interrogator"))
    front = run_study(ask, "front", quiet=True)
    assert set(cells_of(front, "what_does_each_point_of_score_cost", "cell")) == {"extractive", "interrogator"}
    (pair,) = front.answers["how_do_cells_compare_pair_by_pair"]
    assert pair["matters"] == 1
    ask = StudyRequest("length", offline, root, ("extractive",))
    long = run_study(ask, "long", quiet=True)
    (room,) = long.answers["does_a_larger_data_room_lower_the_score"]
    assert room["cell"] == "extractive"
    assert all(long.answers[question] for question in long.answers), "each question has rows"
    assert not [arm.told for arm in (*front.arms, *long.arms) if arm.told]


@pytest.mark.slow
def test_effort_and_summaries_find_the_gain_that_is_there(corpus: Callable[..., Path], modelled: Settings) -> None:
    root = corpus(1)
    ask = StudyRequest("effort", modelled, root, ("api:m",), values=("low", "high"))
    effort = cells_of(run_study(ask, "effort", quiet=True), "how_did_each_cell_do", "pooled_pass")
    assert effort["api:m.effort-high"] > effort["api:m.effort-low"]
    ask = StudyRequest("summaries", modelled, root, ("basic:m",))
    told = cells_of(run_study(ask, "summaries", quiet=True), "how_did_each_cell_do", "pooled_pass")
    assert told["basic:m.summaries-with"] > told["basic:m.summaries-without"]


@pytest.mark.slow
def test_a_frontier_finds_what_a_guided_model_reads_and_the_rules_do_not(tmp_path: Path, modelled: Settings) -> None:
    """The clause has no word that the rules know; a harness that asks about all that is left open finds it."""
    folder = tmp_path / "corpus" / "leases" / "lease-0"
    write_task(folder, 0)
    paper = folder / "documents" / "lease.txt"
    way = f"At its convenience, and without any cause, Tenant is free to {MARKED} at six weeks' warning."
    paper.write_text(f"{paper.read_text().partition('3. Termination')[0]}3. Other\n\n{way}\n")
    task = json.loads((folder / "task.json").read_text())
    task["instructions"] = "Review the lease and state the termination for convenience. Write `memo.docx`."
    (anchor,) = task["criteria"][0]["anchors"]
    anchor |= {"facet": ["termination for convenience"], "match": {"kind": "value", "any": [way]}}
    task["criteria"] = task["criteria"][:1]
    (folder / "task.json").write_text(json.dumps(task))
    base = find_harness()
    before = (base.skills / "procedure.toml").read_text()
    after = re.sub(r"(guided_near =) \S+", r"\1 0.0", re.sub(r"(guided_shown =) \S+", r"\1 0.5", before))
    edit = Edit(surface="skills", path="procedure.toml", before=before, after=after, rationale="ask about what is open")
    asking = candidate(base, edit, tmp_path / "harnesses")
    given = modelled.model_copy(update={"harness": asking.skills.parent})
    ask = StudyRequest("frontier", given, tmp_path / "corpus", ("extractive", "guided:m"))
    found = run_study(ask, "read", quiet=True)
    assert cells_of(found, "how_did_each_cell_do", "pooled_pass") == {"extractive": 0.0, "guided:m": 1.0}
    (pair,) = found.answers["how_do_cells_compare_pair_by_pair"]
    assert abs(pair["pooled_difference"]) == 1.0
    assert cells_of(found, "how_did_each_cell_do", "tokens")["guided:m"] > 0


@pytest.mark.slow
def test_rescue_transfer_and_curve_find_what_the_whole_harness_gains(
    offline: Settings, empty: HarnessRef, tmp_path: Path
) -> None:
    """From the empty harness the shipped one is learned: each of the three studies tells the same gain."""
    shipped, root = find_harness().skills.parent, tmp_path / "corpus"
    shutil.copytree(PROJECT / "examples" / "real-estate", root / "real-estate")
    begun = offline.model_copy(update={"harness": empty.skills.parent})
    ask = StudyRequest("rescue", offline, root, ("extractive",), harnesses=(empty.skills.parent, shipped))
    rows = run_study(ask, "rescue", quiet=True).answers["which_matters_were_rescued_by_which_harness"]
    before, after = (row["gain"] for row in rows)
    assert before == 0.0
    assert after > 0.0
    ask = StudyRequest("transfer", begun, root, ("extractive",), harnesses=(shipped,))
    told = run_study(ask, "moved", quiet=True).answers["what_does_a_harness_bring_each_cell"]
    whole = next(row for row in told if row["run_id"] == "moved-2")
    assert whole["gain"] == after
    assert {row["surfaces"] for row in told if " " not in row["surfaces"]}, "each surface alone"
    home = offline.home / "learning" / "grown"
    version = find_harness(shipped).version
    shutil.copytree(shipped, home / "harnesses" / version)
    ledger.append(
        home / "ledger.jsonl",
        LedgerRow(
            learn_id="grown", step=0, minibatch=1, base_version=empty.version, candidate_version=version,
            surface="knowledge", path="x", rationale="all", diff="", edit_digest="", gates=(), decision=None,
            accepted=True, decided_utc=datetime(2026, 1, 1, tzinfo=UTC),
        ),
    )  # fmt: skip
    ask = StudyRequest("curve", begun, root, ("extractive",), learned="grown")
    curve = run_study(ask, "curve", quiet=True)
    assert [row["gain"] for row in curve.answers["which_matters_were_rescued_by_which_harness"]] == [0.0, after]
    assert len(curve.answers["how_did_each_cell_do"]) == 2
    assert not [row for rows in curve.answers.values() for row in rows if "on_the_front" in row], (
        "each is a run of its own"
    )


def test_an_arm_that_never_finished_says_so_and_ends_in_failure(
    corpus: Callable[..., Path], modelled: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(modelled.home.parent)
    flags = ["--home", str(modelled.home), "--workers", "1", "--prefect", "off"]
    cells = ["--cell", "extractive", "--cell", "api:gone", "--study-id", "half"]
    assert in_process(["study", "frontier", str(corpus(1)), *cells, *flags]) == 1
    said = capsys.readouterr().err
    assert "half-1 api:gone: no attempt finished: its gains say nothing (failed 1, of 1)" in said
    assert "extractive: no attempt" not in said
