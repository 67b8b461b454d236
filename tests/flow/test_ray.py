"""The compute seam on a local Ray: references, roles apart, typed failures, preflight."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.compute.embedders import Pool
from flows.compute.planes import open_compute
from flows.compute.protocol import QUIET, Resources
from flows.compute.ray import RayCompute
from flows.prefect.ending import ended_by_signals
from tasks.matter.failures import FailureCause, SolonError

BODIES = Path(__file__).resolve().parents[1] / "unit" / "flows"
sys.path.insert(0, str(BODIES))
import bodies_for_tests as bodies  # noqa: E402 - workers import it from the same folder

SOLVER = Resources(stage="draft", cpus=0.5)
JUDGE = Resources(stage="judge", role="judge", cpus=0.5)


@pytest.fixture(scope="module")
def compute() -> Iterator[RayCompute]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(BODIES))
        patch.setenv("SOLON_SEALED", "/where/rubrics/lie")
        opened = open_compute("ray")
        assert isinstance(opened, RayCompute)
        yield opened
        opened.close()


def test_stages_on_ray(compute: RayCompute) -> None:
    first = compute.submit(bodies.double, 3, resources=SOLVER)
    second = compute.submit(bodies.add, first, 1, resources=SOLVER)
    second.ready()
    assert second.result() == 7
    solver = compute.submit(bodies.pid, resources=SOLVER).result()
    judge = compute.submit(bodies.pid, resources=JUDGE).result()
    assert len({solver, judge, os.getpid()}) == 3
    assert not compute.submit(bodies.environment, "SOLON_SEALED", resources=SOLVER).result()
    assert compute.submit(bodies.environment, "SOLON_ROLE", resources=JUDGE).result() == "judge"
    _failures_are_typed(compute)
    with pytest.raises(SolonError, match="lacks GPU"):
        compute.preflight({"GPU": 1})


@pytest.mark.slow
def test_ray_does_not_take_our_way_of_being_told_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own handler exits with 15 at once: nothing is said, and nothing tidied up."""
    import ray

    def init(*_args: object, **_options: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if told:
            raise SystemExit(15)

    monkeypatch.setattr(ray, "init", init)
    monkeypatch.setattr(ray, "cluster_resources", lambda: {"CPU": 1.0})
    told = False
    with ended_by_signals():
        ours = signal.getsignal(signal.SIGTERM)
        RayCompute("", QUIET)
        assert signal.getsignal(signal.SIGTERM) is ours
        told = True
        with pytest.raises(KeyboardInterrupt):
            RayCompute("", QUIET)


def _failures_are_typed(compute: RayCompute) -> None:
    for body, cause, words in [
        (bodies.refuse, FailureCause.PROVIDER, "endpoint is down"),
        (bodies.crash, FailureCause.UNKNOWN, "KeyError"),
    ]:
        broken = compute.submit(body, resources=SOLVER)
        with pytest.raises(SolonError, match=words) as caught:
            compute.submit(bodies.double, broken, resources=SOLVER).result()
        assert caught.value.failure.cause is cause
    slow = compute.submit(bodies.sleep, 30, resources=Resources(stage="draft", cpus=0.5, seconds=0.3))
    with pytest.raises(SolonError, match="wall limit") as late:
        slow.ready()
    assert late.value.failure.cause is FailureCause.TIMEOUT


@pytest.mark.slow
def test_embedding_actors_stand_in_for_the_model(compute: RayCompute) -> None:
    with pytest.raises(SolonError, match="lacks GPU"):
        compute.lend_embedders("wordllama", Pool(count=2))
    with pytest.raises(SolonError, match="No such embeddings profile"):
        compute.lend_embedders("never-heard-of", Pool(gpus=0))
    compute.lend_embedders("wordllama", Pool(gpus=0))  # last in this file: from here on bodies embed there
    found = compute.submit(bodies.embedder_in_force, "wordllama", resources=SOLVER).result()
    assert found == ("ActorEmbedder", True)
