"""Names of scheduled runs, and one run of a schedule at a time."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows import scheduled
from flows.runs.summary import summarize
from flows.scheduled import RunSkippedError, due_name
from tests.unit.flows.test_attempts import attempt


@pytest.mark.parametrize(
    ("due", "timezone", "name"),
    [
        (datetime(2026, 11, 22, 3, tzinfo=UTC), "UTC", "nightly 2026-11-22 03:00"),
        (datetime(2026, 11, 22, 3, 0, 7, tzinfo=UTC), "UTC", "nightly 2026-11-22 03:00:07"),
        # 01:30 comes twice when clocks are put back; the second must not pass for the first, which has ended
        (datetime(2026, 11, 1, 5, 30, tzinfo=UTC), "America/New_York", "nightly 2026-11-01 01:30 EDT"),
        (datetime(2026, 11, 1, 6, 30, tzinfo=UTC), "America/New_York", "nightly 2026-11-01 01:30 EST"),
    ],
)
def test_a_run_is_named_by_its_schedule_and_when_it_was_due(due: datetime, timezone: str, name: str) -> None:
    assert due_name("nightly", due, timezone) == name


def test_a_run_is_skipped_while_the_one_before_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = tmp_path / "schedules" / "nightly.lock"
    with (
        scheduled._locked(lock, "nightly 03:00"),
        pytest.raises(RunSkippedError, match="nightly 03:00 is still going"),
        scheduled._locked(lock, "nightly 03:01"),
    ):
        pass
    assert "nightly 03:01: skipped" in capsys.readouterr().err
    with scheduled._locked(lock, "nightly 03:02"):
        assert lock.read_text() == "nightly 03:02"


def test_a_killed_run_does_not_hold_its_schedule(tmp_path: Path) -> None:
    lock = tmp_path / "nightly.lock"
    script = (
        "import sys, time; from pathlib import Path; from flows.scheduled import _locked\n"
        "with _locked(Path(sys.argv[1]), 'a'): print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", script, str(lock)], stdout=subprocess.PIPE)
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(RunSkippedError), scheduled._locked(lock, "b"):
        pass
    holder.kill()
    holder.wait()
    time.sleep(0.1)
    with scheduled._locked(lock, "c"):
        pass


def test_a_run_in_which_nothing_was_scored_is_told_too() -> None:
    line = scheduled._summary_line(summarize("extractive", [attempt(criteria=2, unscored=2)]))
    assert line == "extractive: 1 matters, none of the criteria scored, 2 unscored"
