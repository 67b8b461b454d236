"""The bench of the agent's loop: what it measures, and that a promise that does not hold is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.bench.runtime import measure
from flows.bench.runtime.matter import Metronome, job_at
from tasks.drafting.runtimes.basic import BasicRuntime


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("SHORT", 4), ("LONG", 8), ("ROUNDS", 1), ("LATENCY", 0.3), ("TURNS_AT_ONCE", 3)):
        monkeypatch.setattr(measure, name, value)


def test_it_measures_both_loops_and_many_attempts_at_once(quick: None) -> None:
    told = measure.measure_runtime(attempts=5)
    assert {
        "agent_ms",
        "bare_ms",
        "direct_ms",
        "ratio",
    } <= told.keys()  # so few turns cost less than the clock tells apart
    assert (told["in_flight"], told["finished"]) == (5, 5)
    assert 0 < told["memory_before_mb"] <= told["memory_peak_mb"]


def test_a_promise_that_does_not_hold_is_told(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "MOST_RATIO", float("-inf"))  # so few turns may cost less than the clock tells apart
    assert measure.measure_runtime(attempts=2)["broke"] == 1


def test_the_scripted_attempt_does_what_an_agent_does(tmp_path: Path) -> None:
    product = BasicRuntime().draft(job_at(tmp_path, Metronome(12)))
    assert (product.outcome, [f.filename for f in product.files]) == ("finished", ["memo.md"])
