"""Plans: what is missing, cells by name, detail by cell, and runs that stay what they began as."""

from __future__ import annotations

import json
import shutil
from contextlib import nullcontext
from datetime import datetime, timedelta
from importlib import metadata
from pathlib import Path

import pytest

from flows.runs.attempts import AttemptStore
from flows.runs.orders import work_key
from flows.runs.plan import Plan, begin_attempt, new_run_id, open_from, open_harness, package_versions, pin_run
from flows.settings import load_settings
from tasks.drafting.records import Cell
from tasks.harness import HarnessRef, find_harness
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Corpus, Matter
from tests.unit.flows.test_attempts import NOW, attempt, end

HARNESS = HarnessRef(knowledge=Path("k"), skills=Path("s"), version="v1")
CELL = Cell(name="extractive", runtime="extractive")


def matter(name: str) -> Matter:
    return Matter(matter_id=name, title=name, area="tax", instructions="Say.")


def plan(*names: str, **fields: object) -> Plan:
    corpus = Corpus(root=Path("c"), matters=tuple(matter(n) for n in names))
    return Plan(**{"run_id": "r", "corpus": corpus, "cells": [CELL], "harness": HARNESS, **fields})  # type: ignore[arg-type]


def test_what_ended_is_not_redone() -> None:
    p = plan("a", "b")
    done = attempt("a", key=work_key(matter("a"), CELL, 1, HARNESS))
    assert [w.matter.matter_id for w in p.missing([done])] == ["b"]


@pytest.mark.parametrize(("retry", "missing"), [(False, []), (True, ["a"])])
def test_failed_attempts_are_retried_when_asked(retry: bool, missing: list[str]) -> None:
    p = plan("a", retry_failed=retry)
    failed = attempt("a", key=work_key(matter("a"), CELL, 1, HARNESS), outcome="failed")
    assert [w.matter.matter_id for w in p.missing([failed])] == missing


def test_a_retry_that_ended_is_enough() -> None:
    key = work_key(matter("a"), CELL, 1, HARNESS)
    tries = [attempt("a", key=key, outcome="failed"), attempt("a", 2, key=key)]
    assert plan("a", retry_failed=True).missing(tries) == []


@pytest.mark.parametrize(
    "change",
    [
        {"harness": HARNESS.model_copy(update={"version": "v2"})},
        {"cells": [CELL.model_copy(update={"revise": 1})]},
        {"epochs": 2},
        {"corpus": Corpus(root=Path(), matters=(matter("a").model_copy(update={"instructions": "Say more."}),))},
    ],
)
def test_what_defines_an_attempt_is_in_its_key(change: dict[str, object]) -> None:
    done = attempt("a", key=work_key(matter("a"), CELL, 1, HARNESS))
    assert plan("a").missing([done]) == []
    assert len(plan("a", **change).missing([done])) == 1


def test_where_a_matter_lies_is_not(tmp_path: Path) -> None:
    moved = HARNESS.model_copy(update={"skills": tmp_path})
    assert work_key(matter("a"), CELL, 1, HARNESS) == work_key(matter("a"), CELL, 1, moved)


def test_cells_are_interleaved() -> None:
    other = CELL.model_copy(update={"name": "other"})
    order = [(w.matter.matter_id, w.cell.name) for w in plan("a", "b", cells=[CELL, other]).work()]
    assert order == [("a", "extractive"), ("a", "other"), ("b", "extractive"), ("b", "other")]


def test_pin_refuses_a_run_that_became_another(tmp_path: Path) -> None:
    store, settings = AttemptStore(tmp_path, "r"), load_settings(cwd=tmp_path, env={})
    store.folder.mkdir()
    pin_run(plan("a"), store, settings, tmp_path)
    pin_run(plan("a", "b"), store, settings, tmp_path)  # more matters are welcome
    known = json.loads((store.folder / "run.json").read_text())
    assert len(known["starts"]) == 2
    assert known["packages"]["duckdb"]
    assert len(known["lock_sha256"]) == 64
    assert str(settings.sealed) not in json.dumps(known)
    with pytest.raises(SolonError, match="another harness"):
        pin_run(plan("a", harness=HARNESS.model_copy(update={"version": "v2"})), store, settings, tmp_path)
    with pytest.raises(SolonError, match="another cell extractive"):
        pin_run(plan("a", cells=[CELL.model_copy(update={"revise": 2})]), store, settings, tmp_path)
    with pytest.raises(SolonError, match="another judge"):
        pin_run(plan("a"), store, load_settings({"judge": "model:scripted"}, cwd=tmp_path, env={}), tmp_path)
    told = tmp_path / "told"
    told.mkdir()
    (told / "solon.toml").write_text('[retrieval]\nembedder = "none"\n')
    with pytest.raises(SolonError, match="search profile"):
        pin_run(plan("a"), store, load_settings({}, cwd=told, env={}), tmp_path)


def test_begin_numbers_after_what_ended(tmp_path: Path) -> None:
    store, p = AttemptStore(tmp_path, "r"), plan("tax/a")
    end(store, attempt("tax/a", ended_utc=NOW))
    order = begin_attempt(p.work()[0], p, store, tmp_path / "cache")
    assert (order.number, order.attempt_id) == (2, "r/tax/a/extractive/2")
    assert (order.folder / "output").is_dir()


def test_run_ids_are_valid_and_sort_by_time() -> None:
    assert new_run_id(NOW).startswith("20260102-000000-")
    AttemptStore(Path("x"), new_run_id())


def test_packages_of_the_run_are_named() -> None:
    assert {"pydantic", "duckdb", "prefect"} <= set(package_versions())
    assert package_versions() == {name: metadata.version(name) for name in package_versions()}


def worded(name: str, words: str) -> Matter:
    return matter(name).model_copy(update={"instructions": words})


def of(*matters: Matter, **fields: object) -> Plan:
    return plan(corpus=Corpus(root=Path("c"), matters=matters), **fields)


def test_pin_names_the_matters_that_became_others(tmp_path: Path) -> None:
    store, settings = AttemptStore(tmp_path, "r"), load_settings(cwd=tmp_path, env={})
    store.folder.mkdir()
    names = [f"m{n}" for n in range(9)]
    pin_run(plan(*names), store, settings, tmp_path)
    others = of(*(worded(n, "Else.") for n in names[:7]), *(matter(n) for n in names[7:]))
    with pytest.raises(SolonError, match=r"in 7 of 9 matters: m0, m1, m2, m3, m4 and 2 more .*another --run-id"):
        pin_run(others, store, settings, tmp_path)
    known = pin_run(of(matter("m0"), matter("new")), store, settings, tmp_path)
    assert set(known["matters"]) == {*names, "new"}
    with pytest.raises(SolonError, match="in 1 of 10 matters: new"):
        pin_run(of(worded("new", "Else.")), store, settings, tmp_path)


def test_a_run_begun_before_digests_were_pinned_has_them_in_its_attempts(tmp_path: Path) -> None:
    store, settings = AttemptStore(tmp_path, "r"), load_settings(cwd=tmp_path, env={})
    end(store, attempt("a", matter_digest=matter("a").digest))
    old = pin_run(plan("a"), store, settings, tmp_path)
    del old["matters"], old["work"]
    (store.folder / "run.json").write_text(json.dumps(old))
    with pytest.raises(SolonError, match="in 1 of 1 matters: a"):
        pin_run(of(worded("a", "Else.")), store, settings, tmp_path)
    assert pin_run(plan("a", "b"), store, settings, tmp_path)["matters"].keys() == {"a", "b"}


def test_the_latest_start_rules_its_cells_and_leaves_the_others_alone(tmp_path: Path) -> None:
    store, settings = AttemptStore(tmp_path, "r"), load_settings(cwd=tmp_path, env={})
    store.folder.mkdir()
    other = CELL.model_copy(update={"name": "other"})
    pin_run(plan("a", "b"), store, settings, tmp_path)
    pin_run(plan("a", "b", cells=[other]), store, settings, tmp_path)
    known = pin_run(plan("a"), store, settings, tmp_path)
    assert sorted((w["cell"], w["matter_id"]) for w in known["work"]) == [
        ("extractive", "a"), ("other", "a"), ("other", "b"),
    ]  # fmt: skip
    known = pin_run(plan("c", adds=True), store, settings, tmp_path)  # a learner's run gathers minibatches
    assert [w["matter_id"] for w in known["work"] if w["cell"] == "extractive"] == ["a", "c"]
    assert all(w["key"] for w in known["work"])


def test_a_torn_run_json_is_named(tmp_path: Path) -> None:
    store = AttemptStore(tmp_path, "r")
    store.folder.mkdir()
    (store.folder / "run.json").write_text("{")
    with pytest.raises(SolonError, match=r"run\.json that cannot be read"):
        pin_run(plan("a"), store, load_settings(cwd=tmp_path, env={}), tmp_path)


def test_an_attempt_that_its_documents_changed_under_is_made_again() -> None:
    key = work_key(matter("a"), CELL, 1, HARNESS)
    moved = Failure(cause=FailureCause.CHANGED, stage="matter", subject="lease.txt", message="It changed.")
    ended = attempt("a", key=key, outcome="failed", failures=(moved,))
    assert ended.void
    assert [w.matter.matter_id for w in plan("a").missing([ended])] == ["a"]
    assert plan("a").missing([ended, attempt("a", 2, key=key)]) == []


def test_of_a_cell_are_its_attempts_of_this_plan() -> None:
    other = CELL.model_copy(update={"name": "other"})
    p = plan("a", "b", cells=[CELL, other], epochs=2)
    mine = attempt("a", key=work_key(matter("a"), CELL, 2, HARNESS))
    theirs = attempt("a", key=work_key(matter("a"), other, 1, HARNESS), cell=other)
    left = attempt("c", key=work_key(matter("c"), CELL, 1, HARNESS))  # a matter that this plan leaves out
    older = attempt("b", key=work_key(matter("b"), CELL, 1, HARNESS.model_copy(update={"version": "v0"})))
    assert p.of_cell(CELL, [mine, theirs, left, older]) == [mine]
    assert p.of_cell(other, [mine, theirs, left, older]) == [theirs]


def test_a_run_goes_on_with_the_judge_it_began_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts under other prompts are those of another judge; the anchors are asked nothing."""
    (tmp_path / "solon.toml").write_text('[models.x]\nmodel = "scripted"\n')
    for judge, other in (("anchor+model:x", True), ("anchor", False)):
        store, settings = AttemptStore(tmp_path / judge, "r"), load_settings({"judge": judge}, cwd=tmp_path, env={})
        store.folder.mkdir(parents=True)
        monkeypatch.setattr("tasks.judging.profiles.prompts_version", lambda: "before")
        pin_run(plan("a"), store, settings, tmp_path)
        pin_run(plan("a"), store, settings, tmp_path)
        monkeypatch.setattr("tasks.judging.profiles.prompts_version", lambda: "after")
        refused = pytest.raises(SolonError, match="another judge's prompts") if other else nullcontext()
        with refused:
            pin_run(plan("a"), store, settings, tmp_path)


@pytest.mark.parametrize(
    "change",
    ["votes = 3", 'seats = [["x", "y"]]', 'rule = "majority"', "batch = 4", "temperature = 1.0", "canaries = false"],
)
def test_a_run_goes_on_with_the_version_of_the_judge_it_began_with(tmp_path: Path, change: str) -> None:
    """Scores of different versions are never mixed, whatever the profile is called."""
    models = '[models.x]\nmodel = "scripted"\n[models.y]\nmodel = "scripted"\nseed = 1\n'
    store = AttemptStore(tmp_path, "r")
    store.folder.mkdir(parents=True)

    def pin(table: str) -> None:
        (tmp_path / "solon.toml").write_text(f"{models}[judges.house]\n{table}\n")
        pin_run(plan("a"), store, load_settings({"judge": "house"}, cwd=tmp_path, env={}), tmp_path)

    pin('seats = ["x"]')
    pin('seats = ["x"]')
    with pytest.raises(SolonError, match=r"another version of its judge profile.*solon judge r --profile house"):
        pin(change if change.startswith("seats") else f'seats = ["x"]\n{change}')
    del (known := json.loads((store.folder / "run.json").read_text()))["judge_version"]
    (store.folder / "run.json").write_text(json.dumps(known))
    pin(change if change.startswith("seats") else f'seats = ["x"]\n{change}')  # a run of an earlier Solon goes on


def test_pin_writes_down_what_the_run_is(tmp_path: Path) -> None:
    store, settings = AttemptStore(tmp_path, "r"), load_settings(cwd=tmp_path, env={})
    store.folder.mkdir()
    broken = Failure(cause=FailureCause.INPUT, stage="matter", subject="tax/x/task.json", message="It is malformed.")
    other = CELL.model_copy(update={"name": "other", "revise": 1})
    corpus = Corpus(root=Path("c"), matters=(matter("a"), matter("b")), problems=(broken,))
    pin_run(plan(corpus=corpus, epochs=2), store, settings, tmp_path / "matters")
    pin_run(plan("a", "b", cells=[other]), store, settings, tmp_path)
    known = json.loads((store.folder / "run.json").read_text())
    assert (known["run_id"], known["corpus"], known["harness_version"]) == ("r", "matters", "v1")
    assert known["judge_profile"] == settings.judge
    assert known["matters"] == {n: matter(n).digest for n in ("a", "b")}
    assert {n: c["digest"] for n, c in known["cells"].items()} == {c.name: c.digest for c in (CELL, other)}
    assert Cell.model_validate(known["cells"]["other"]["cell"]) == other
    assert [p["subject"] for p in known["problems"]] == ["tax/x/task.json"]
    assert [s["matters"] for s in known["starts"]] == [2, 2]
    assert all(s["compute"] == settings.compute and s["utc"] for s in known["starts"])
    planned = {(w["cell"], w["matter_id"], w["epoch"]): w["key"] for w in known["work"]}
    assert len(planned) == len(known["work"]) == 6
    assert planned["extractive", "b", 2] == work_key(matter("b"), CELL, 2, HARNESS)


def test_a_matter_that_can_no_longer_be_loaded_stops_a_run_that_began_with_it(tmp_path: Path) -> None:
    store, settings = AttemptStore(tmp_path, "r"), load_settings(cwd=tmp_path, env={})
    store.folder.mkdir()
    pin_run(plan("a", "tax/b"), store, settings, tmp_path)
    lost = Failure(cause=FailureCause.INPUT, stage="matter", subject="tax/b/task.json", message="It is malformed.")
    new = Failure(cause=FailureCause.INPUT, stage="matter", subject="tax/c/task.json", message="It is malformed.")
    now = (matter("a"),)
    with pytest.raises(SolonError, match="in 1 of 2 matters: tax/b") as caught:
        pin_run(plan(corpus=Corpus(root=Path("c"), matters=now, problems=(lost, new))), store, settings, tmp_path)
    assert "tax/c" not in caught.value.failure.message
    pin_run(plan(corpus=Corpus(root=Path("c"), matters=now, problems=(new,))), store, settings, tmp_path)


def test_up_to_five_matters_that_changed_are_all_named(tmp_path: Path) -> None:
    store, settings = AttemptStore(tmp_path, "r"), load_settings(cwd=tmp_path, env={})
    store.folder.mkdir()
    names = [f"m{n}" for n in range(5)]
    pin_run(plan(*names), store, settings, tmp_path)
    with pytest.raises(SolonError, match="in 5 of 5 matters: m0, m1, m2, m3, m4") as caught:
        pin_run(of(*(worded(n, "Else.") for n in names)), store, settings, tmp_path)
    assert "more" not in caught.value.failure.message


@pytest.mark.parametrize(
    ("given", "address", "told"),
    [
        ('compute = "ray"\nray_address = "ray://here"\ndask_address = "tcp://there"\n', "ray://here", False),
        ('compute = "dask"\nray_address = "ray://here"\ndask_address = "tcp://there"\n', "tcp://there", False),
        ('compute = "inline"\nray_address = "ray://here"\n', "", False),
        ('[models.far]\nmodel = "openai/x"\n', "", True),
        ('[retrieval]\nembedder = "none"\n', "", True),
    ],
)
def test_workers_are_told_where_to_work_and_which_models_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, address: str, told: bool
) -> None:
    (tmp_path / "solon.toml").write_text(given)
    settings = load_settings(cwd=tmp_path, env={})
    asked: list[tuple[str, dict[str, object]]] = []
    monkeypatch.setattr("flows.runs.plan.open_compute", lambda name, **more: asked.append((name, more)))
    open_from(settings)
    ((name, more),) = asked
    assert (name, more["address"], more["workers"]) == (settings.compute, address, settings.workers)
    assert more["env"] == ({"SOLON_MODELS": str(tmp_path / "solon.toml")} if told else {})


@pytest.mark.parametrize("content", ["[]", "{}", '{"run_id": "r", "starts": [{"utc": "noon"}]}'])
def test_a_run_json_that_is_none_is_named(tmp_path: Path, content: str) -> None:
    store = AttemptStore(tmp_path, "r")
    store.folder.mkdir()
    (store.folder / "run.json").write_text(content)
    with pytest.raises(SolonError, match=r"run\.json that cannot be read"):
        pin_run(plan("a"), store, load_settings(cwd=tmp_path, env={}), tmp_path)


def test_a_run_whose_folder_was_copied_is_refused(tmp_path: Path) -> None:
    """Its attempts bear the name of the other run: they would count there, and this one would show nothing."""
    store, settings = AttemptStore(tmp_path, "r"), load_settings(cwd=tmp_path, env={})
    end(store, attempt("a"))
    pin_run(plan("a"), store, settings, tmp_path)
    shutil.copytree(tmp_path / "r", tmp_path / "copy")
    copy = AttemptStore(tmp_path, "copy")
    assert copy.ended() == []
    with pytest.raises(SolonError, match="copy of the run r"):
        pin_run(plan("a", run_id="copy"), copy, settings, tmp_path)


def test_the_latest_start_is_the_latest_though_the_clock_was_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, settings = AttemptStore(tmp_path, "r"), load_settings(cwd=tmp_path, env={})
    store.folder.mkdir()

    def at(now: datetime, **fields: object) -> list[dict[str, str]]:
        for module in ("orders", "plan"):
            monkeypatch.setattr(f"flows.runs.{module}.utc_now", lambda: now)
        starts: list[dict[str, str]] = pin_run(plan("a", **fields), store, settings, tmp_path)["starts"]
        return starts

    at(NOW)
    starts = at(NOW - timedelta(days=10), epochs=2)
    assert datetime.fromisoformat(starts[0]["utc"]) < datetime.fromisoformat(starts[1]["utc"])


def test_a_skill_that_demands_a_tool_that_there_is_not_is_refused_before_work_starts(tmp_path: Path) -> None:
    shipped = find_harness()
    shutil.copytree(shipped.knowledge, tmp_path / "knowledge_db" / "data")
    shutil.copytree(shipped.skills, tmp_path / "skills_repo")
    settings = load_settings({"harness": tmp_path}, cwd=tmp_path, env={})
    assert open_harness(settings).version == shipped.version
    skill = tmp_path / "skills_repo" / "skills" / "other" / "general" / "SKILL.md"
    skill.write_text(skill.read_text().replace('"audit_all"', '"audit_everything"'))
    with pytest.raises(SolonError, match=r"other/general: The skill demands the tool 'audit_everything'"):
        open_harness(settings)
