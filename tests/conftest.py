"""Shared fixtures: real data beside the project, and small corpora made on the spot."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import io
import json
import os
import signal
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hypothesis
import pytest

from flows.compute.inline import THREADS
from flows.compute.protocol import QUIET
from tasks.judging import sealing
from tasks.sources.pool import ReaderPool

PROJECT = Path(__file__).resolve().parents[1]
os.environ.update(QUIET)  # before any test imports Prefect, which reads the environment once: no ephemeral server
os.environ.pop("PREFECT_API_URL", None)
os.environ.update(dict.fromkeys(THREADS, "1"))  # before numpy is there: tests run side by side
hypothesis.settings.register_profile("untimed", deadline=None)  # no test is timed: the machine may be busy
hypothesis.settings.load_profile("untimed")
gc.disable()  # until all tests are found: they and what they import are no garbage


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what is marked
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave ``make test`` as many cases of a test as its mark ``examples`` says, by lot; the others are ``slow``."""
    drawn: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("examples"):
            drawn[item.nodeid.partition("[")[0]].append(item)
    for cases in drawn.values():
        lots = sorted(cases, key=lambda item: hashlib.sha256(item.nodeid.encode()).digest())
        for item in lots[cases[0].get_closest_marker("examples").args[0] :]:  # type: ignore[union-attr] - found above
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Look for garbage seldom, and not among the thousands of tests: a tenth of the processor's time went there."""
    gc.freeze()  # what little is garbage by now stays: to look for it took a second in each process
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


def pytest_unconfigure() -> None:
    """Let the interpreter tidy up all of it as it ends; some libraries complain of what stays."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def project() -> Path:
    return PROJECT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    folder = PROJECT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data set is not beside the project (../shared/data)")
    return folder


@pytest.fixture(scope="session")
def readers() -> Iterator[ReaderPool]:
    """Readers that outlive a corpus: each is a process that takes a fifth of a second to get ready."""
    pool = ReaderPool(os.cpu_count() or 1)
    yield pool
    pool.close()


@pytest.fixture(autouse=True)
def _a_users_mask() -> Iterator[None]:
    """Give each test a user's mask: commands and stage bodies set their own, and some tests run them here."""
    before = os.umask(0o022)
    yield
    os.umask(before)


_HANGS, _STUCK = 60, 600  # processor seconds; seconds of waiting. A test that stays below a tenth is not near them


@pytest.fixture
def no_hang() -> Iterator[None]:
    """Fail a test that never ends, by what the processor did for it: what others do on the machine does not count.

    A pattern that backtracks is stopped too: Python's matcher looks for signals. Whether time grows in step with the
    input is no question of a clock in a test: ``solon bench doubling`` and ``test_bench_doubling.py`` compare sizes.
    """

    def stop(number: int, frame: object) -> None:
        pytest.fail(f"it hangs: {_HANGS} processor seconds, or {_STUCK} seconds, were not enough")

    timers = {signal.ITIMER_PROF: (signal.SIGPROF, _HANGS), signal.ITIMER_REAL: (signal.SIGALRM, _STUCK)}
    before = {number: signal.signal(number, stop) for number, _ in timers.values()}
    for timer, (_, seconds) in timers.items():
        signal.setitimer(timer, seconds)
    yield
    for timer in timers:
        signal.setitimer(timer, 0)
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def own_sealer() -> None:
    """Let the sealer be a process of its own all the same, as it is for users."""


@pytest.fixture
def sealed_here(request: pytest.FixtureRequest, readers: ReaderPool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``load_corpus`` seal in this process, by the command line of its own one, which takes longer to start.

    A few tests of each module keep the process, and all flow tests whose subject is a command or what the rubric is
    kept from: they ask for ``own_sealer``, or for none of both.
    """
    if "own_sealer" in request.fixturenames:
        return

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert command[1:4] == ["-P", "-m", "tasks.judging.sealing"]
        said, mask = io.StringIO(), os.umask(0o077)
        try:
            with contextlib.redirect_stdout(said):
                code = sealing.main(command[4:])
        finally:
            os.umask(mask)
        return subprocess.CompletedProcess(command, code, said.getvalue(), "")

    kept = SimpleNamespace(size=readers.size, read=readers.read, close=lambda: None)
    monkeypatch.setattr("tasks.judging.sealing.ReaderPool", lambda size: kept)
    monkeypatch.setattr("tasks.matter.loading.subprocess", SimpleNamespace(run=run, DEVNULL=subprocess.DEVNULL))


@pytest.fixture
def make_task(tmp_path: Path) -> Callable[..., Path]:
    """Write a task below ``tmp_path/corpus`` and return its folder."""

    def make(
        name: str = "tax/memo-001",
        documents: dict[str, str | bytes] | None = None,
        criteria: list[dict[str, Any]] | None = None,
        drop: tuple[str, ...] = (),
        **fields: Any,
    ) -> Path:
        folder = tmp_path / "corpus" / name
        (folder / "documents").mkdir(parents=True)
        for file, content in ({"lease.txt": "The rent is $900."} if documents is None else documents).items():
            target = folder / "documents" / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        task = {
            "title": "Rent memo",
            "instructions": "State the rent. Output: `memo.docx`.",
            "deliverables": {"memo.docx": "memo.docx"},
            "criteria": criteria
            or [{"id": "C-001", "title": "States the rent", "match_criteria": "PASS if the rent is stated."}],
            **fields,
        }
        (folder / "task.json").write_text(json.dumps({k: v for k, v in task.items() if k not in drop}))
        return folder

    return make
