"""The short part of the fault bench: `solon bench faults` runs the whole of it.

That a signal becomes an interrupt is shown by ``tests/unit/flows/test_ending.py``, a run that is killed by
``test_resume.py``: what is attacked here starts two commands and belongs to `make thorough`.
"""

from __future__ import annotations

import pytest

from flows.bench.faults.bench import CASES, outcome_line
from flows.bench.faults.records import Case, try_case
from flows.bench.faults.scene import Scene

QUICK = [case for case in CASES if case.quick]


@pytest.mark.thorough
@pytest.mark.parametrize("case", QUICK, ids=[case.name for case in QUICK])
def test_what_solon_promises_holds_under_attack(case: Case) -> None:
    outcome = try_case(case, lambda c, n: Scene(compute=c.compute, seed=n), 1)
    if outcome.skipped:
        pytest.skip(outcome.skipped)
    assert not outcome.broke, outcome_line(outcome)


def test_a_broken_promise_is_told() -> None:
    """The bench must not pass when Solon does nothing at all."""

    def nothing_happens(scene: Scene) -> list[str]:
        scene.plant()
        return list(scene.wrongs(scene.command("config"), "never"))

    outcome = try_case(Case("nothing", "processes", nothing_happens), lambda c, n: Scene(), 1)
    assert outcome.held == 0
    assert any("0 of 3 matters" in text for text in outcome.broke)
    assert any("tells nothing" in text for text in outcome.broke)
