"""The record of an ended attempt."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from flows.runs.attempts import AttemptStore
from flows.runs.concluding import conclude
from flows.runs.plan import begin_attempt
from tests.unit.flows.test_plan import plan


def test_a_clock_set_back_does_not_end_an_attempt_before_it_starts(tmp_path: Path) -> None:
    chosen = plan("a")
    order = begin_attempt(chosen.work()[0], chosen, AttemptStore(tmp_path, "r"), tmp_path / "cache")
    started = datetime.now(UTC) + timedelta(hours=1)  # before the clock was set back
    ended = conclude(order, None, "failed", None, (), started, 1.0, {})
    assert ended.ended_utc >= ended.started_utc == started
