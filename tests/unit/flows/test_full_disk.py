"""A full disk is named as such wherever it is met, and never as a want of memory."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from pathlib import Path

import duckdb
import pytest

from flows import cli
from flows import land as landing
from flows.compute.guard import guarded, worker_ended
from flows.compute.inline import InlineCompute
from flows.compute.protocol import Resources
from flows.settings import load_settings
from tasks.matter.failures import FailureCause, SolonError

sys.path.insert(0, str(Path(__file__).parent))
import bodies_for_tests as bodies

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/data/cache/text.json")


def full() -> None:
    raise FULL


def test_a_stage_that_meets_a_full_disk_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOLON_ROLE", "solver")
    with pytest.raises(SolonError) as caught:
        guarded(full, (), "inventory", None)
    failure = caught.value.failure
    assert failure.cause is FailureCause.CAPACITY
    assert failure.message.startswith("no space left on the disk of /data/cache/text.json")
    assert "free space" in failure.remedy


def test_a_judge_names_no_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOLON_ROLE", "judge")
    with pytest.raises(SolonError) as caught:
        guarded(full, (), "judge", None)
    assert caught.value.failure.cause is FailureCause.CAPACITY
    assert "/data" not in caught.value.failure.line()


def test_a_log_on_a_full_disk_does_not_hide_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class FullLog:
        def write(self, text: str) -> int:
            raise FULL

        def flush(self) -> None:
            raise FULL

    monkeypatch.setattr("sys.stderr", FullLog())
    with pytest.raises(SolonError) as caught:
        guarded(int, ("no number",), "draft", None)
    assert caught.value.failure.cause is FailureCause.UNKNOWN
    assert "no number" in caught.value.failure.message


@pytest.mark.parametrize("sign", [signal.SIGXFSZ, signal.SIGBUS])
def test_a_worker_killed_for_want_of_room_is_not_out_of_memory(
    sign: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    compute = InlineCompute(1, {}, {"solver": tmp_path / "log", "judge": tmp_path / "log"})
    try:
        with pytest.raises(SolonError) as caught:
            compute.submit(bodies.die_of, int(sign), resources=Resources(stage="draft")).result()
    finally:
        compute.close()
    assert "no space left" in caught.value.failure.message
    assert "memory)" not in caught.value.failure.message
    assert "out of memory" in worker_ended("draft", -signal.SIGKILL).message


def test_the_driver_ends_with_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("flows.corpus.run_corpus", lambda *_args, **_kwargs: full())
    assert cli.main(["run", str(tmp_path), "--home", str(tmp_path)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("solon: no space left on the disk of /data/cache/text.json")
    assert "free space" in line
    assert "--run-id to continue" in line


def test_other_errors_of_the_system_are_not_called_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_args: object, **_kwargs: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("flows.corpus.run_corpus", refused)
    with pytest.raises(PermissionError):
        cli.main(["run", str(tmp_path), "--home", str(tmp_path)])


@pytest.mark.slow
@pytest.mark.parametrize("where", ["flows.land.write_run_parts", "warehouse.land.holdings"])
def test_a_landing_names_the_disk_and_what_to_do(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_args: object, **_: object) -> None:
        if where == "flows.land.write_run_parts":
            full()
        raise duckdb.FatalException("Could not write file: No space left on device")

    (tmp_path / "runs" / "r").mkdir(parents=True)
    monkeypatch.setattr("warehouse.land.check_all", lambda con: ())
    with monkeypatch.context() as patch:
        patch.setattr(where, refuse)
        assert cli.main(["land", "--home", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert "no space left on the disk of /" in told
    assert "then `solon land`" in told
    assert len(told.splitlines()) == 1
    assert cli.main(["land", "--home", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["published"]


def test_the_remedy_is_in_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings({"home": tmp_path}, cwd=tmp_path, env={})
    (settings.runs / "r").mkdir(parents=True)
    monkeypatch.setattr(landing, "write_run_parts", lambda *_, **__: full())
    with pytest.raises(SolonError) as caught:
        landing.land_runs(settings)
    assert caught.value.failure.cause is FailureCause.CAPACITY
    assert caught.value.failure.stage == "land"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.EROFS, "Read-only file system", "/data/runs"), "/data/runs: Read-only file system"),
        (MemoryError(), "out of memory"),
    ],
)
def test_what_the_system_refuses_is_one_line(
    error: BaseException,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refused(*_args: object, **_kwargs: object) -> None:
        raise error

    monkeypatch.setattr("flows.corpus.run_corpus", refused)
    assert cli.main(["run", str(tmp_path), "--home", str(tmp_path)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
    assert "--run-id to continue" in line
