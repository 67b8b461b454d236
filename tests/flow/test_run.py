"""`solon run` end to end on a small corpus, in this process; as a command it is tried in ``test_home.py``."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.corpus import RunResult, run_corpus
from flows.judge import judge_run
from flows.runs.attempts import AttemptStore
from flows.settings import Settings, load_settings
from tasks.matter.failures import SolonError
from tests.flow.conftest import ask, in_process
from warehouse.sql import run_query

LAB_FILES = {"config.json", "transcript.jsonl", "metrics.json", "output", "scores.json"}


def digest(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.usefixtures("unchecked", "kept_workers")
def test_a_corpus_end_to_end(corpus: Callable[..., Path], settings: Settings) -> None:
    result = run_corpus(corpus(2), ["extractive"], settings, run_id="r", quiet=True)
    cell = result.cells[0]
    assert (cell.matters, cell.criteria, cell.unscored, cell.blocked) == (2, 6, 2, 0)
    assert 0 <= cell.pooled_pass <= 1
    assert 0 <= cell.all_pass <= 1
    attempts = AttemptStore(settings.runs, "r").ended()
    assert [a.outcome for a in attempts] == ["finished", "finished"]
    folder = AttemptStore(settings.runs, "r").path(attempts[0])
    assert {p.name for p in folder.iterdir()} >= LAB_FILES | {"release.json", "release.md", "trajectory.json"}
    assert (folder / "output" / "memo.docx").stat().st_size > 1_000
    assert result.report
    assert result.report.is_file()
    _warehouse_agrees(result)
    before = digest(settings.runs / "r" / "leases")
    again = run_corpus(corpus_of(settings), ["extractive"], settings, run_id="r", quiet=True)
    assert again.cells == result.cells
    assert digest(settings.runs / "r" / "leases") == before
    _judging_again_touches_no_attempt(settings, before)


def corpus_of(settings: Settings) -> Path:
    return settings.home.parent / "corpus"


def _warehouse_agrees(result: RunResult) -> None:
    row = run_query(result.warehouse, "SELECT * FROM cells", run_id="r").to_dicts()[0]
    cell = result.cells[0]
    assert (row["matters"], row["criteria"], row["unscored"]) == (cell.matters, cell.criteria, cell.unscored)
    assert row["pooled_pass"] == pytest.approx(cell.pooled_pass, abs=1e-5)
    assert row["all_pass"] == pytest.approx(cell.all_pass)


def _judging_again_touches_no_attempt(settings: Settings, before: dict[str, bytes]) -> None:
    judged = judge_run("r", "anchor", settings)
    assert judged.pooled_pass == pytest.approx(judged.passed / (judged.criteria - judged.unscored), abs=1e-6)
    assert (judged.attempts, judged.criteria, judged.unscored) == (2, 6, 2)
    assert digest(settings.runs / "r" / "leases") == before
    count = "SELECT count(DISTINCT judged_utc) AS n FROM verdict"
    assert run_query(settings.warehouse, count).item() == 4  # two attempts, each judged twice
    with pytest.raises(SolonError, match="has no ended attempts"):
        judge_run("nobody", "anchor", settings)


@pytest.mark.slow
def test_one_matter_of_a_plain_folder(
    tmp_path: Path,
    corpus: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    room = corpus(1) / "leases" / "lease-0" / "documents"
    ask = ["--ask", "What law governs the lease?", "--deliverable", "answer.docx", "--output", str(tmp_path / "out")]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOLON_HOME", str(tmp_path / ".solon"))
    monkeypatch.setenv("SOLON_PREFECT", "off")  # without a server a matter is drafted all the same
    assert in_process(["matter", str(room), *ask]) == 0
    assert (tmp_path / "out" / "answer.docx").is_file()
    assert "release report" in capsys.readouterr().out.lower()


@pytest.mark.usefixtures("unchecked", "kept_workers")
def test_failures_of_infrastructure_are_unscored(corpus: Callable[..., Path], settings: Settings, server: str) -> None:
    # An endpoint that does not answer: its criteria are nobody's failure.
    (settings.home.parent / "solon.toml").write_text(
        '[models.nowhere]\nmodel = "openai/x"\napi_base = "http://127.0.0.1:9/v1"\nretries = 0\n'
    )
    settings = load_settings({"home": settings.home, "workers": 1}, cwd=settings.home.parent, env={})
    result = run_corpus(corpus(1), ["api:nowhere", "extractive"], settings, run_id="two", quiet=True)
    api, extractive = result.cells
    assert (api.criteria, api.unscored, api.pooled_pass, api.all_pass) == (3, 3, None, None)
    assert extractive.unscored == 1
    assert (sum(result.unscored.values()), result.nothing_scored) == (4, "")
    failed = next(a for a in AttemptStore(settings.runs, "two").ended() if a.cell.name == "api:nowhere")
    assert failed.outcome == "failed"
    assert failed.failures
    causes = run_query(settings.warehouse, "SELECT DISTINCT cause FROM verdict WHERE status = 'unscored'")
    assert causes.height >= 1
    _the_ui_shows_the_run(server)


@pytest.mark.slow
@pytest.mark.usefixtures("unchecked", "unserved", "kept_workers")
def test_a_run_without_records_replays_its_model(corpus: Callable[..., Path], tmp_path: Path) -> None:
    """Without a server nothing looks for one, at any detail; a second run is replayed at no cost."""
    (tmp_path / "solon.toml").write_text(
        '[models.told]\nmodel = "scripted"\nscript = ["# Memo\\n\\nThe laws of Ohio govern [lease.txt]."]\n'
    )
    settings = load_settings(
        {"home": tmp_path / "home", "prefect": "off", "detail": "stage", "workers": 1}, cwd=tmp_path, env={}
    )
    root = corpus(1)
    first, again = (run_corpus(root, ["api:told"], settings, run_id=r, quiet=True) for r in ("one", "two"))
    assert (first.cells[0].matters, first.cells[0].criteria) == (1, 3)
    assert again.cells[0].pooled_pass == first.cells[0].pooled_pass
    kept = [json.loads(p.read_text()) for p in (settings.cache / "models").rglob("*.json")]
    assert [k["made_for"] for k in kept] == ["one/leases/lease-0/api:told/1"]


def _the_ui_shows_the_run(server: str) -> None:
    """At detail stage each stage of each matter has its task run, and the run its artifacts."""
    wanted = {f"{stage} leases/lease-0 extractive" for stage in ("inventory", "draft", "check number", "judge")}
    deadline = time.monotonic() + 120  # the server records in batches
    while time.monotonic() < deadline:
        names = {r["name"] for r in ask(server, "task_runs", flow_runs={"name": {"any_": ["two"]}})}
        if wanted <= names:
            break
        time.sleep(0.5)
    assert wanted <= names
    keys = [a["key"] for a in ask(server, "artifacts") if a["key"]]  # what a failed run leaves has none
    for beginning in ("two-progress-", "two-cells-", "release-two-leases-lease-0-extractive-"):
        assert any(k.startswith(beginning) for k in keys), keys


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["run", "no/such/corpus"], 2, "is not a folder"),
        (["run", ".", "--cell", "abacus"], 2, "is no cell"),
        (["run", ".", "--cell", "api"], 2, "names no model profile"),
        (["run", ".", "--cell", "api:nobody"], 2, "nobody"),
        (["matter", ".", "--ask", ""], 2, "has no brief"),
        (["sql", "no_such_question"], 1, ""),
        (["tool", "abacus"], 2, "is no tool"),
        (["bench", "abacus"], 2, "is no bench"),
        (["judge", "nobody", "--profile", "anchor"], 2, "has no ended attempts"),
        (["run"], 2, "CORPUS"),
        (["land", "nope"], 2, "no run nope"),
        (["land", "--watch", "0"], 2, "--watch takes seconds above 0"),
        (["judge", "r", "--profile", "anchor", "--repeat", "0"], 2, "--repeat takes 1 or more"),
        (["judge", "r", "--profile", "anchor", "--repeat", "2", "--against", "x"], 2, "--against judges nothing"),
    ],
)
def test_misuse_is_one_line_and_its_code(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: list[str],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOLON_HOME", str(tmp_path / ".solon"))
    assert in_process(args) == code
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said
