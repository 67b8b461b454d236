"""How often a learning run tries a matter: what the policy is made for and the simulator measures, or what is asked."""

from __future__ import annotations

import pytest

from flows.learn import attempts_of
from tasks.learning.acceptance import POLICIES, policy_of
from tasks.learning.simulator.loop import StoredIncumbent
from tasks.learning.simulator.measure import LOOPS, Setting


@pytest.mark.parametrize("name", POLICIES)
def test_a_run_and_the_simulator_try_a_matter_as_often_as_the_policy_says(name: str) -> None:
    sampling = policy_of(name).sampling
    assert attempts_of(None, sampling, samples=True) == sampling.trials == 3
    assert attempts_of(None, sampling.model_copy(update={"trials": 2}), samples=True) == 2
    assert attempts_of(5, sampling, samples=True) == 5
    loop = LOOPS[name](Setting(), None)
    if isinstance(loop, StoredIncumbent):
        assert loop.policy.sampling.trials == 3
    else:
        assert Setting().passes == 3


def test_attempts_that_cannot_differ_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    sampling = policy_of("best_so_far").sampling
    assert attempts_of(None, sampling, samples=False) == attempts_of(1, sampling, samples=False) == 1
    assert capsys.readouterr().err == ""
    assert attempts_of(4, sampling, samples=False) == 1
    assert "--trials 4 changes nothing: this cell gives the same work product each time" in capsys.readouterr().err
