"""``solon land``: what the attempts' folders hold is written again, and what nobody holds any more is told."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from flows import cli
from flows.land import checked, knowledge_rows, land_runs
from flows.runs.attempts import AttemptStore
from flows.runs.parts import Landed, landed_of
from flows.settings import Settings, load_settings
from tests.unit.flows.test_attempts import NOW, attempt
from tests.unit.flows.test_rows import folder
from warehouse.sql import run_query


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A home with one ended attempt, judged on two criteria."""
    monkeypatch.setattr("warehouse.land.check_all", lambda con: ())
    monkeypatch.setattr("flows.land.checked", lambda result: result)
    monkeypatch.setattr("flows.land.knowledge_rows", lambda settings: None)
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


@pytest.mark.slow
def test_parts_that_vanished_are_written_again_from_the_attempts(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    landed(settings, capsys)
    lose(settings)
    assert landed(settings, capsys)["lost"] == []
    assert verdicts(settings) == 2


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_is_broken_in_the_published_file_is_told_though_nothing_new_landed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    land_runs(settings)
    with duckdb.connect(str(settings.warehouse)) as con:
        con.execute("UPDATE verdict SET match_kind = 'vibe'")
    monkeypatch.setattr("flows.land.checked", checked)
    assert cli.main(["land", "--home", str(settings.home)]) == 1
    assert "PUBLISHED, BUT expectation failed in suite verdict: an anchor is a date" in capsys.readouterr().out


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


@pytest.mark.slow
def test_what_is_wrong_with_one_attempt_keeps_no_other_out(tmp_path: Path) -> None:
    """Many attempts share a part. The suites refuse it for one of them; the others land by themselves."""
    settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
    store = AttemptStore(settings.runs, "r")
    for number in range(1, 5):
        ended = NOW - timedelta(days=1) if number == 2 else NOW
        told = {"judged_utc": NOW, "judge_profile": "anchor", "criteria": 2, "passed": 1, "unscored": 1}
        made = attempt(number=number, ended_utc=ended, **told)
        store.end(folder(store.begin(made.matter_id, made.cell.name, number)), made)
    result = land_runs(settings, ["r"], knowledge=False)
    assert result.published
    assert all("an attempt ends after it starts" in refused.message for refused in result.quarantined)
    assert len(result.quarantined) == 2  # the part of all four, and that of the second alone
    found = run_query(settings.warehouse, "SELECT attempt_id FROM scored_attempts ORDER BY 1").to_series().to_list()
    assert found == ["r/tax/a/extractive/1"], "of four tries the first counts"
    with duckdb.connect(str(settings.warehouse), read_only=True) as con:
        assert con.execute("SELECT attempt_id, count(*) FROM verdict GROUP BY 1 ORDER BY 1").fetchall() == [
            (f"r/tax/a/extractive/{number}", 2) for number in (1, 3, 4)
        ]
    again = land_runs(settings, ["r"], knowledge=False)
    assert (again.landed, len(again.quarantined)) == ({}, 2)


def test_attempts_that_landed_are_not_read_again(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert land_runs(settings).landed["attempt"] == 1
    monkeypatch.setattr("flows.runs.attempts.read_attempt", lambda *_: pytest.fail("it was read"))
    assert land_runs(settings).landed == {}


@pytest.mark.slow
def test_a_file_made_anew_from_some_of_the_parts_gets_the_rest_from_the_runs(settings: Settings) -> None:
    land_runs(settings)
    before = counted(settings)
    assert before["action"] > 0
    settings.warehouse.unlink()
    shutil.rmtree(settings.parts / "action")
    land_runs(settings)
    assert counted(settings) == before


def counted(settings: Settings) -> dict[str, int]:
    with duckdb.connect(str(settings.warehouse), read_only=True) as con:
        return {t: con.execute(f"SELECT count(*) FROM {t}").fetchall()[0][0] for t in ("attempt", "verdict", "action")}


def test_a_file_of_an_earlier_layout_that_is_still_served_keeps_no_attempt_from_being_written(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "w.duckdb")) as con:
        con.execute("CREATE TABLE attempt (attempt_id VARCHAR, run_id VARCHAR)")
    assert landed_of(tmp_path / "w.duckdb", "r", count=True) == Landed()
    assert landed_of(tmp_path / "none.duckdb", "r", count=False) == Landed()
