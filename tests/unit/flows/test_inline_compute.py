"""Worker processes: results by reference, roles apart, limits kept, and nothing of one body ends the run."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # workers get it by PYTHONPATH, see below
import bodies_for_tests as bodies

from flows.compute import inline
from flows.compute.inline import InlineCompute
from flows.compute.planes import open_compute
from flows.compute.protocol import QUIET, Resources
from tasks.matter.failures import FailureCause, SolonError

SOLVER = Resources(stage="draft")
JUDGE = Resources(stage="judge", role="judge")


@pytest.fixture(scope="module")
def compute() -> Iterator[InlineCompute]:
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)
    os.environ["SOLON_SEALED"] = "/where/rubrics/lie"
    opened = open_compute("inline", workers=2)
    assert isinstance(opened, InlineCompute)
    yield opened
    opened.close()
    os.environ.pop("SOLON_SEALED")
    os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)


def test_results_travel_by_reference(compute: InlineCompute) -> None:
    first = compute.submit(bodies.double, 3, resources=SOLVER)
    second = compute.submit(bodies.add, first, 1, resources=SOLVER)
    third = compute.submit(bodies.add, first, second, resources=JUDGE)
    assert (second.result(), third.result()) == (7, 13)


def test_judges_and_solvers_never_share_a_process(compute: InlineCompute) -> None:
    solvers = {compute.submit(bodies.pid, resources=SOLVER).result() for _ in range(4)}
    judges = {compute.submit(bodies.pid, resources=JUDGE).result() for _ in range(4)}
    assert not solvers & judges
    assert os.getpid() not in solvers | judges


def test_workers_share_the_cores_among_their_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    monkeypatch.setattr(inline.os, "cpu_count", lambda: 8)
    opened = InlineCompute(2, {}, {})
    try:
        said = [opened.submit(os.getenv, name, resources=SOLVER).result() for name in inline.THREADS]
    finally:
        opened.close()
    assert said == ["4", "3"], "what the user sets stands"
    assert inline.own_threads(16) == {"OMP_NUM_THREADS": "1"}


def test_a_solver_is_not_told_where_rubrics_lie(compute: InlineCompute) -> None:
    def ask(need: Resources, name: str) -> str | None:
        return compute.submit(bodies.environment, name, resources=need).result()

    assert ask(SOLVER, "SOLON_SEALED") is None
    assert ask(JUDGE, "SOLON_SEALED") == "/where/rubrics/lie"
    assert (ask(SOLVER, "SOLON_ROLE"), ask(JUDGE, "SOLON_ROLE")) == ("solver", "judge")
    assert ask(SOLVER, "DO_NOT_TRACK") == "1"


def test_what_a_body_prints_does_not_fall_between_messages(compute: InlineCompute) -> None:
    assert [compute.submit(bodies.noisy, n, resources=SOLVER).result() for n in range(3)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("body", "cause", "words"),
    [
        (bodies.refuse, FailureCause.PROVIDER, "endpoint is down"),
        (bodies.crash, FailureCause.UNKNOWN, "KeyError"),
        (bodies.hoard, FailureCause.CAPACITY, "memory"),
        (bodies.die, FailureCause.CAPACITY, "ended with code -9"),
        (bodies.unpicklable, FailureCause.UNKNOWN, "pickled"),
    ],
)
def test_a_failed_body_is_a_typed_failure_and_the_next_one_runs(
    compute: InlineCompute, body: object, cause: FailureCause, words: str
) -> None:
    with pytest.raises(SolonError, match=words) as caught:
        compute.submit(body, resources=SOLVER).result()  # type: ignore[arg-type]
    assert caught.value.failure.cause is cause
    assert compute.submit(bodies.double, 2, resources=SOLVER).result() == 4


def test_a_failed_body_fails_what_waits_for_it(compute: InlineCompute) -> None:
    broken = compute.submit(bodies.refuse, resources=SOLVER)
    with pytest.raises(SolonError, match="endpoint is down"):
        compute.submit(bodies.double, broken, resources=SOLVER).result()


@pytest.mark.parametrize("body", [bodies.sleep, bodies.stubborn])
def test_the_wall_limit_ends_a_body_in_its_worker(compute: InlineCompute, body: object, no_hang: None) -> None:
    need = Resources(stage="draft", seconds=0.3)
    with pytest.raises(SolonError, match=r"wall limit of 0\.3 s") as caught:
        compute.submit(body, 3000, resources=need).result()  # type: ignore[arg-type]
    assert caught.value.failure.cause is FailureCause.TIMEOUT


def test_the_driver_kills_the_process_group_of_a_deaf_body(
    compute: InlineCompute, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inline, "_GRACE", 0.5)
    with pytest.raises(SolonError, match="wall limit"):
        compute.submit(bodies.deaf, 37, resources=Resources(stage="draft", seconds=0.2)).result()
    deadline = time.monotonic() + 10  # on a loaded machine a killed process may take its time to go
    while left := [p for p in Path("/proc").glob("[0-9]*/cmdline") if _reads(p, b"time.sleep(37)")]:
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def test_many_more_bodies_than_workers(compute: InlineCompute) -> None:
    chain = compute.submit(bodies.double, 1, resources=SOLVER)
    for _ in range(20):
        chain = compute.submit(bodies.add, chain, 1, resources=SOLVER)
    assert chain.result() == 22


def test_preflight_names_what_is_missing(compute: InlineCompute) -> None:
    compute.preflight({"CPU": 1})
    with pytest.raises(SolonError, match="lacks GPU \\(wanted 1, there 0\\), llm_slot") as caught:
        compute.preflight({"GPU": 1, "llm_slot": 2})
    assert caught.value.failure.cause is FailureCause.CAPACITY


def test_closing_kills_the_workers() -> None:
    compute = InlineCompute(1, {"PYTHONPATH": ""}, {})
    worker = compute.submit(os.getpid, resources=SOLVER).result()
    compute.close()
    assert not Path(f"/proc/{worker}").exists()


def _reads(path: Path, words: bytes) -> bool:
    try:
        return words in path.read_bytes()
    except OSError:
        return False


def test_closing_lets_go_at_once_of_who_waits_for_a_body(compute: InlineCompute, no_hang: None) -> None:
    """A thread that waits on a pipe which another one closes would wait out the whole limit of its stage."""
    need = Resources(stage="draft", seconds=3000)
    going = compute.submit(bodies.sleep, 3000, resources=need)
    queued = [compute.submit(bodies.sleep, 3000, resources=need) for _ in range(5)]
    time.sleep(1.0)  # until the first is under way
    compute.close()
    for handle in (going, *queued):
        with pytest.raises(CancelledError):  # nobody's failure: its attempt has not ended
            handle.result()
    with pytest.raises(CancelledError):
        compute.submit(bodies.double, 1, resources=SOLVER)
    compute.close()
    ended = [t for t in threading.enumerate() if t.name.startswith(("solon-solver", "solon-judge"))]
    for thread in ended:
        thread.join(60)
    assert not any(t.is_alive() for t in ended)


def test_a_process_of_ours_adds_up_vectors_in_one_thread() -> None:
    """Two workers on two cores, each with two such threads, wait for each other most of the time."""
    count = "import os, numpy, scipy.linalg; print(len(os.listdir('/proc/self/task')))"
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2", **QUIET}
    told = subprocess.run([sys.executable, "-c", count], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "1"
