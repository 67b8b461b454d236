"""Learning runs from end to end: a gain on matters nobody saw, its looks at the holdout, and what is refused.

Matters are loaded, named and sized as they are; their attempts are scripted, for the runs are tested elsewhere.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, ClassVar

import duckdb
import pytest

from flows import learn
from flows.learn import learn_corpus
from flows.runs import judge_side
from flows.settings import Settings, load_settings
from knowledge_db import PACKAGED
from tasks.harness import HarnessRef, find_harness
from tasks.judging.records import JudgeReport, Verdict
from tasks.learning.comparison import Arena
from tasks.learning.proposers.rules import set_procedure
from tasks.learning.records import Edit, LearnerInput, MatterScore, Observation, Signal
from tasks.learning.redaction import signal as redacted
from tasks.learning.splits import Split
from tasks.matter.failures import SolonError
from tasks.matter.reasons import ErrorClass, Failed
from tasks.matter.records import Matter
from tests.flow.conftest import PROJECT, in_process
from warehouse.sql import run_query

pytestmark = pytest.mark.usefixtures("unchecked", "kept_workers")
SKILL = "extraction-reconstruction/key-terms"


class Scripted:
    """Attempts of which four criteria of ten pass where passages are withheld, and seven where they are not."""

    ran: ClassVar[list[tuple[str, str]]] = []

    def __init__(self, *_: object) -> None:
        self.attempts: set[tuple[str, str]] = set()

    def evaluate(
        self, harness: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int] = (1,)
    ) -> list[Observation]:
        weak = "min_score = 0.99" in (harness.skills / "skills" / SKILL / "SKILL.md").read_text("utf-8")
        self.ran += [(harness.version, m.matter_id) for m in matters]
        self.attempts |= {(harness.version, m.matter_id) for m in matters}
        failed = (Failed(match_kind="span", error_class=ErrorClass.MISSING_FACTS),) * (6 if weak else 3)
        return [
            Observation(
                matter_key=m.digest[:16], work_type="review", document_suffixes=(), deliverable_suffixes=(),
                skill_id=SKILL, passed=10 - len(failed), failed=failed, unscored=0,
            )
            for m in matters for _ in epochs
        ]  # fmt: skip

    def pairs(self, *given: Any) -> list[tuple[MatterScore, MatterScore]]:
        one, other, matters, epochs = given
        return Arena(self.evaluate).paired(one, other, list(zip(matters, epochs, strict=True)))

    def signals(
        self, harness: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int]
    ) -> list[tuple[str, Signal]]:
        return [(one.matter_key, redacted(one)) for one in self.evaluate(harness, matters, epochs)]

    def spent(self, matters: set[str]) -> tuple[int, int]:
        return 0, len({one for one in self.attempts if one[1] in matters})

    def shares_words(self, text: str, general: Collection[str], matters: Sequence[Matter]) -> bool:
        return False


@pytest.fixture
def weak(tmp_path: Path) -> Path:
    """The packaged harness with a threshold that withholds every passage."""
    root = tmp_path / "weak"
    shutil.copytree(PACKAGED, root / "knowledge_db" / "data")
    shutil.copytree(find_harness().skills, root / "skills_repo", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    skills = root / "skills_repo" / "skills"
    for skill in (p for p in skills.rglob("SKILL.md") if "matter-classes" not in p.parts):  # these have no procedure
        skill.write_text(set_procedure(skill.read_text("utf-8"), "min_score", 0.99), "utf-8")
    return root


class Mending:
    """Takes the threshold away again; a second edit says something of one matter."""

    name = "mending"

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        (skill, text), *_ = given.skills.items()
        path = f"skills/{skill}/SKILL.md"
        named = text.replace("Procedure", "Birch procedure", 1) if "Procedure" in text else f"{text}\nBirch.\n"
        edits = [
            Edit(surface="skills", path=path, before=text, after=named, rationale="of one matter"),
            Edit(
                surface="skills", path=path, before=text, after=set_procedure(text, "min_score", 0.0), rationale="all"
            ),
        ]
        return edits if "all" not in given.history else []


def off(tmp_path: Path, **flags: object) -> Settings:
    return load_settings({"home": tmp_path / "home", "workers": 1, "prefect": "off", **flags}, cwd=tmp_path, env={})


def test_a_gain_is_shown_on_matters_that_nothing_was_decided_on(
    corpus: Callable[..., Path], weak: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learn, "proposer_of", lambda name, surfaces: Mending())
    monkeypatch.setattr(learn, "Trials", Scripted)
    Scripted.ran.clear()
    settings = off(tmp_path, harness=weak)
    given = {"steps": 1, "minibatch": 2, "max_edits": 2, "holdout": 0.4, "learn_id": "l"}
    found = learn_corpus(corpus(4), settings, **given)
    split = json.loads(found.split.read_text())
    assert [len(split[side]) for side in ("training", "confirm", "test")] == [2, 0, 2]
    refused, gained, beside = (json.loads(line) for line in found.ledger.read_text().splitlines())
    assert (refused["gates"][-1]["gate"], refused["accepted"]) == ("audit", False)
    assert gained["accepted"], gained["gates"]
    assert [g["gate"] for g in gained["gates"]][-2:] == ["evaluation", "attribution"]
    (held,) = beside["beside"]
    assert (held["side"], held["matters"], held["k_run"]) == ("test", 2, 1)
    assert (held["before"]["pooled"], held["after"]["pooled"], held["gain"]) == (0.4, 0.7, 0.3)
    assert held["best_of_k"] == held["oracle"] == held["before"]
    looked = [version for version, matter in Scripted.ran if matter in split["test"]]
    assert set(looked[:2]) == {refused["base_version"]}  # not before the steps had ended
    assert Scripted.ran.index((looked[0], split["test"][0])) >= len(Scripted.ran) - len(looked)
    assert held["evaluations"] == held["k"] == 4  # two matters under two versions; the holdout is not learning
    assert found.beside[0].model_dump(mode="json") == held
    assert any(line.startswith("held out: pooled") for line in found.steps)
    rows = run_query(settings.warehouse, "select * from holdout_access order by look").to_dicts()
    assert [(r["look"], r["side"], r["purpose"], r["matters"]) for r in rows] == [
        (1, "test", "gain", 2),
        (2, "test", "best of k", 2),
    ]
    assert [r["harness_version"] for r in rows] == [found.harness_version, refused["base_version"]]
    assert rows[0]["split_sha256"] == Split.model_validate(split).digest
    for changed, words in (
        ({"seed": 3}, "--seed 0, not 3"),
        ({"holdout": 0.5}, "--holdout 0.4, not 0.5"),
        ({"cell": "interrogator"}, "--cell extractive, not interrogator"),
        ({"minibatch": 1}, "--minibatch 2, not 1"),
    ):
        with pytest.raises(SolonError, match=f"was frozen with {words}"):
            learn_corpus(tmp_path / "corpus", settings, **{**given, **changed})
    blended = off(tmp_path, harness=weak, policy="blended_margin")
    with pytest.raises(SolonError, match="with --policy best_so_far, not blended_margin"):
        learn_corpus(tmp_path / "corpus", blended, **given)
    given["max_edits"] = 3  # which may change
    again = learn_corpus(tmp_path / "corpus", settings, **given)  # nothing more to propose, so nothing to look at
    (said,) = again.steps
    assert said.startswith("step 1: nothing to propose: mending has no edit left that answers what failed (6 x ")
    assert "Try another --proposer" in said
    assert again.holdout_looks == 2
    with pytest.raises(SolonError, match="begun from another harness"):
        learn_corpus(tmp_path / "corpus", off(tmp_path), **given)
    skill = again.harness / "skills_repo" / "skills" / SKILL / "SKILL.md"
    skill.write_text(skill.read_text("utf-8").replace("quote_words = ", "quote_words = 1"), "utf-8")
    with pytest.raises(SolonError, match="was changed after the loop wrote it"):
        learn_corpus(tmp_path / "corpus", settings, **given)
    shutil.rmtree(again.harness)
    with pytest.raises(SolonError, match="is not there any more"):
        learn_corpus(tmp_path / "corpus", settings, **given)


@pytest.mark.slow
def test_a_run_that_was_killed_within_a_step_goes_on_to_the_same_ledger(
    corpus: Callable[..., Path], weak: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At whatever attempt it ends: rows are written when a step ends, and a comparison has its own order and epochs."""
    monkeypatch.setattr(learn, "proposer_of", lambda name, surfaces: Mending())
    monkeypatch.setattr(learn, "_land", lambda *_: None)

    class Mortal(Scripted):
        lives: ClassVar[int] = 10**6

        def evaluate(self, *given: Any) -> list[Observation]:
            Mortal.lives -= 1
            if not Mortal.lives:
                raise KeyboardInterrupt
            return super().evaluate(*given)

    monkeypatch.setattr(learn, "Trials", Mortal)
    settings = off(tmp_path, harness=weak, policy="paired_sequential")
    given = {"minibatch": 2, "max_edits": 2, "holdout": 0.3, "candidates": 1, "confirm": 0.6}
    root = corpus(13)

    def ledger(name: str, **more: Any) -> list[dict[str, Any]]:
        found = learn_corpus(root, settings, learn_id=name, **given, **more)
        return rows_of(found.ledger)

    whole = ledger("whole", steps=2)
    assert [row["accepted"] for row in whole] == [False, True, False, False]
    for lives in (4, 20):
        Mortal.lives = lives
        with pytest.raises(KeyboardInterrupt):
            learn_corpus(root, settings, learn_id=f"k{lives}", steps=2, **given)
        done = {r["step"] for r in map(json.loads, _read(tmp_path / f"home/learning/k{lives}/ledger.jsonl"))}
        assert ledger(f"k{lives}", steps=2 - len(done)) == whole


def _read(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def catalogue(folder: Path, weak: Path) -> Path:
    """Write candidate edits of the one skill that the leases route to: one helps, the other does nothing."""
    where = "skills/other/general/SKILL.md"
    text = (weak / "skills_repo" / where).read_text("utf-8")
    folder.mkdir()
    front = text.partition("\n# ")[0]
    for name, after in (("helps", set_procedure(front, "min_score", 0.0)), ("idles", f"{front}\n")):
        given = {"surface": "skills", "path": where, "before": front, "after": after, "rationale": name}
        (folder / f"{name}.json").write_text(json.dumps(given))
    return folder


def rows_of(file: Path) -> list[dict[str, Any]]:
    rows = map(json.loads, _read(file))
    own = ("decided_utc", "learn_id", "beside", "chain")
    return [{k: v for k, v in row.items() if k not in own} for row in rows]


@pytest.mark.slow
def test_killed_in_the_middle_of_a_step_it_goes_on_to_the_same_ledger(
    corpus: Callable[..., Path], weak: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With processes: kill -9 after the first step was written, and while attempts of the second are made."""
    root, edits = corpus(2), catalogue(tmp_path / "edits", weak)
    for folder in (weak / "skills_repo" / "skills").glob("*/*"):
        if folder.name != "general":
            shutil.rmtree(folder)
    monkeypatch.setenv("SOLON_PREFECT", "off")
    monkeypatch.setattr(learn, "_land", lambda *_: None)
    common = ["learn", str(root), "--harness", str(weak), "--proposer", "catalogue", "--catalogue", str(edits)]
    common += ["--minibatch", "1", "--holdout", "0", "--workers", "1", "--home", str(tmp_path / "home"), "--json"]

    def ledger(name: str) -> Path:
        return tmp_path / "home" / "learning" / name / "ledger.jsonl"

    assert in_process([*common, "--steps", "2", "--learn-id", "whole"]) == 0
    whole = rows_of(ledger("whole"))
    assert [row["step"] for row in whole] == [0, 1]
    victim = subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *common, "--steps", "2", "--learn-id", "killed"],
        env={**os.environ, "PYTHONPATH": str(PROJECT)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not rows_of(ledger("killed")) and time.monotonic() < deadline and victim.poll() is None:
        time.sleep(0.01)
    os.killpg(victim.pid, signal.SIGKILL)
    victim.wait()
    assert rows_of(ledger("killed")) == whole[:1]
    assert in_process([*common, "--steps", "1", "--learn-id", "killed"]) == 0
    assert rows_of(ledger("killed")) == whole


def report(folder: Path, statuses: str) -> Path:
    """Write a judgement of ``statuses``: a letter a criterion."""
    names = {"P": "pass", "F": "fail", "U": "unscored"}
    verdicts = tuple(
        Verdict.model_validate({"criterion_id": f"C{n}", "title": "t", "status": names[letter]})
        for n, letter in enumerate(statuses)
    )
    folder.mkdir(parents=True)
    made = JudgeReport(matter_id="m", matter_digest="d", profile="anchor", verdicts=verdicts)
    (folder / "judgement.json").write_text(made.model_dump_json())
    return folder / "judgement.json"


def test_attempts_are_counted_over_the_criteria_that_all_were_judged_by(tmp_path: Path) -> None:
    one, other = report(tmp_path / "a", "PPFFU"), report(tmp_path / "b", "PUPFP")
    assert judge_side.judged_together([one, other]) == (3, (1, 2), (1, 1))
    third = report(tmp_path / "c", "FPPUP")
    assert judge_side.judged_together([one, other, third]) == (2, (1, 2, 1), (1, 1, 1))
    assert judge_side.judged_together([one, tmp_path / "none"]) == (0, (0, 0), (1, 0))


@pytest.mark.slow
def test_a_model_proposes_until_its_budget_is_spent(
    corpus: Callable[..., Path], weak: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learn, "Trials", Scripted)
    monkeypatch.setattr(learn, "require_callable", lambda models: None)  # it loads litellm, for seconds
    edit = {"surface": "skills", "path": f"skills/{SKILL}/SKILL.md", "find": "min_score = 0.99"}
    edit |= {"replace": "min_score = 0.0", "rationale": "passages were withheld", "reason": "words_not_conveyed"}
    profile = {"model": "scripted", "context_window": 30_000, "script": [json.dumps({"edits": [edit]})]}
    (tmp_path / "solon.toml").write_text(
        "[models.thinker]\nprices = { input_uncached = 1000.0, output = 0.0 }\n"
        + "".join(f"{key} = {json.dumps(value)}\n" for key, value in profile.items())
    )
    given = {"steps": 5, "minibatch": 2, "holdout": 0.4, "learn_id": "l"}
    settings = off(tmp_path, harness=weak, proposer="model", proposer_model="thinker", proposer_usd=0.01)
    found = learn_corpus(corpus(4), settings, **given)
    gained, stopped, _ = (json.loads(line) for line in found.ledger.read_text().splitlines())
    assert (gained["proposer"], gained["accepted"], gained["reason"]) == ("model", True, "words_not_conveyed")
    assert (stopped["surface"], stopped["failure"]["cause"]) == ("none", "budget")
    assert found.steps[1].startswith("step 1: no edit: ")
    with duckdb.connect(settings.warehouse, read_only=True) as warehouse:  # what it cost lands beside what it gained
        ((run, role, calls, cost),) = warehouse.sql("SELECT run_id, role, calls, cost_usd FROM spend").fetchall()
    assert (run, role, calls, cost > 0.01) == ("l", "proposer", 1, True)
    with pytest.raises(SolonError, match="nobody"):
        learn_corpus(tmp_path / "corpus", off(tmp_path, proposer="model", proposer_model="nobody"), **given)
