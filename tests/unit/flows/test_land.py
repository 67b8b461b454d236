"""``solon land``: what the attempts' folders hold is written again, and what nobody holds any more is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from flows import cli
from flows.land import knowledge_rows
from flows.runs.attempts import AttemptStore
from flows.settings import Settings, load_settings
from tests.unit.flows.test_attempts import NOW, attempt
from tests.unit.flows.test_rows import folder


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A home with one ended attempt, judged on two criteria."""
    monkeypatch.setattr("warehouse.land.check_all", lambda con: ())
    settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
    made = attempt(judged_utc=NOW, judge_profile="anchor", criteria=2, passed=1, unscored=1)
    store = AttemptStore(settings.runs, made.run_id)
    store.end(folder(store.begin(made.matter_id, made.cell.name, made.number)), made)
    return settings


def landed(settings: Settings, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert cli.main(["land", "--home", str(settings.home), "--json"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def lose(settings: Settings) -> None:
    shutil.rmtree(settings.parts)
    settings.warehouse.unlink()


def verdicts(settings: Settings) -> int:
    with duckdb.connect(str(settings.warehouse), read_only=True) as con:
        return len(con.execute("SELECT 1 FROM verdict").fetchall())


def test_parts_that_vanished_are_written_again_from_the_attempts(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    landed(settings, capsys)
    lose(settings)
    assert landed(settings, capsys)["lost"] == []
    assert verdicts(settings) == 2


def test_verdicts_that_nobody_holds_any_more_are_told(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    landed(settings, capsys)
    lose(settings)
    (judgement,) = settings.runs.rglob("judgement.json")
    judgement.unlink()
    (told,) = landed(settings, capsys)["lost"]
    assert (told["criteria"], told["verdicts"]) == (2, 0)
    assert cli.main(["land", "--home", str(settings.home)]) == 0
    assert f"VERDICTS LOST: {told['attempt_id']} was judged by anchor on 2 criteria" in capsys.readouterr().out
    assert cli.main(["sql", "which_verdicts_are_lost", "--home", str(settings.home)]) == 0
    assert told["attempt_id"] in capsys.readouterr().out


def test_a_stray_folder_or_a_broken_run_does_not_keep_the_others_out(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    (settings.runs / "notes (copy)").mkdir()
    landed(settings, capsys)
    assert verdicts(settings) == 2
    lose(settings)
    (settings.runs / "broken").mkdir()
    (settings.runs / "broken" / "run.json").write_text('{"schema_version": 1}')
    assert cli.main(["land", "--home", str(settings.home)]) == 1  # said, and not passed off as done
    assert "PASSED OVER broken: has a run.json that cannot be read" in capsys.readouterr().out
    assert verdicts(settings) == 2
    assert cli.main(["land", "broken", "--home", str(settings.home)]) == 2


def test_knowledge_is_parsed_again_when_it_changed_and_not_before(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[Path] = []
    monkeypatch.setattr("knowledge_db.tables.knowledge_tables", lambda folder: parsed.append(folder) or {})
    for version in ("one", "one", "two"):
        harness = SimpleNamespace(knowledge=tmp_path, version=version)
        monkeypatch.setattr("flows.land.open_harness", lambda settings, given=harness: given)
        knowledge_rows(settings)
    assert parsed == [tmp_path] * 2
