"""A harness grown again from end to end: learned, then set beside the shipped one where nothing was decided."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from flows.learn import learn_corpus
from flows.settings import Settings
from flows.studies.regrow.apart import taken_apart
from flows.studies.regrow.empty import empty_harness
from flows.studies.regrow.written import write_catalogue
from tasks.harness import find_harness
from tests.flow.conftest import PROJECT, in_process
from warehouse.sql import run_query

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("unchecked", "unpictured", "kept_workers", "sealed_here"),
]


def learned_of_labor(offline: Settings, tmp_path: Path) -> tuple[Path, Path, Path]:
    """Learn the non-compete under the default policy; return the corpus, the empty harness and the labels."""
    root = tmp_path / "corpus"
    for name in ("okafor", "okafor-again"):
        shutil.copytree(PROJECT / "examples" / "employment-labor" / "separation-timeline-okafor", root / "labor" / name)
    shutil.copytree(PROJECT / "examples" / "corporate-ma", root / "corporate-ma")  # the largest is held out
    empty = empty_harness(find_harness(), tmp_path / "empty")
    edits = [one for one in taken_apart(find_harness(), empty) if one.rationale.startswith("the provision non-compete")]
    labels = write_catalogue(tmp_path / "edits", edits, ())
    begun = offline.model_copy(
        update={"harness": empty.skills.parent, "proposer": "catalogue", "catalogue": tmp_path / "edits"}
    )
    found = learn_corpus(root, begun, minibatch=2, holdout=0.34, learn_id="l", surfaces=("knowledge",))
    assert found.accepted == 1, found.steps
    return root, empty.skills.parent, labels


def test_the_shipped_harness_is_run_where_the_learned_one_was_and_the_share_is_told(
    offline: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, empty, labels = learned_of_labor(offline, tmp_path)
    flags = ["--home", str(offline.home), "--workers", "1", "--prefect", "off"]
    words = ["study", "regrown", "l", "--labels", str(labels), *flags]
    assert in_process(words) == 0, "a ledger of best_so_far, which has no wealth"
    assert "promoted, 1 kept" in capsys.readouterr().out
    assert in_process([*words, "--shipped", str(root)]) == 2, "the packaged harness is not the one it began with"
    assert "was begun from another harness" in capsys.readouterr().err
    shipped = [*words, "--harness", str(empty), "--shipped"]
    assert in_process([*shipped, str(root), "--json"]) == 0
    share: dict[str, Any] = json.loads(capsys.readouterr().out)["share"]
    passed = [share[arm]["pooled"] for arm in ("empty", "learned", "shipped")]
    assert passed == [5 / 7, 5 / 7, 1.0], "no clause of this review was among what the labour matters taught"
    assert (share["matters"], share["criteria"], share["share"]) == (1, 7, 0.0)
    attempts = sorted(offline.runs.rglob("attempt.json"))
    assert in_process([*shipped, str(root)]) == 0
    assert "share of the shipped gain that came back: 0.0%" in capsys.readouterr().out
    assert sorted(offline.runs.rglob("attempt.json")) == attempts, "nothing is run twice"
    rows = run_query(offline.warehouse, "select * from holdout_access order by look").to_dicts()
    assert [(r["purpose"], r["matters"], r["attempts"]) for r in rows] == [
        ("gain", 1, 2), ("best of k", 1, 1), ("shipped gain", 1, 3), ("shipped gain", 1, 3)
    ]  # fmt: skip
    assert rows[-1]["harness_version"] == find_harness().version
    shutil.rmtree(root / "corporate-ma")
    assert in_process([*shipped, str(root)]) == 2
    assert "are not in the corpus as they were" in capsys.readouterr().err
