"""One Prefect server for all flow tests, and small corpora that the embedded defaults solve in seconds."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import cloudpickle
import pytest

from flows.cli import main
from flows.compute.inline import InlineCompute, worker_environment
from flows.compute.planes import open_compute
from flows.compute.protocol import QUIET, Compute, Resources, Role
from flows.prefect.served import locked
from flows.prefect.server import prefect_server, reread_environment
from flows.settings import Settings, load_settings
from tasks.matter.failures import SolonError
from tests.flow import furnishing
from tests.flow.furnishing import furnish_this_process

PROJECT = Path(__file__).resolve().parents[2]
cloudpickle.register_pickle_by_value(furnishing)  # a worker does not find the modules of tests


@pytest.fixture(scope="session")
def prefect_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server of the flow tests keeps its records: one for all processes of the test run."""
    base = tmp_path_factory.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "prefect"
    home.mkdir(exist_ok=True)
    return home


@pytest.fixture(scope="session")
def server(prefect_home: Path, empty_records: Path) -> Iterator[str]:
    """A real server, as ``solon run`` starts it; PREFECT_API_URL is set while the tests run.

    It begins with tables that an earlier test run made; that a new home gets them is shown by tests of homes.
    """
    with locked(prefect_home):
        records = prefect_home / "prefect.db"
        if empty_records.exists() and not records.exists():
            shutil.copyfile(empty_records, records)
    with prefect_server(prefect_home) as running:
        with locked(prefect_home):  # no process of the test run has used it yet
            if not empty_records.exists():
                copy_records(prefect_home / "prefect.db", empty_records)
        os.environ["PREFECT_API_URL"] = running.url
        yield running.url


@pytest.fixture(scope="session")
def empty_records(pytestconfig: pytest.Config, prefect_home: Path) -> Path:
    """Where a database of this Prefect's stays from one test run to the next, with its tables and no runs."""
    cache = getattr(pytestconfig, "cache", None)  # there is none with -p no:cacheprovider
    return (cache.mkdir("prefect") if cache else prefect_home) / f"empty-{version('prefect')}.db"


def copy_records(records: Path, copy: Path) -> None:
    """Copy a database that a server may have open; whoever looks sees all of the copy or none."""
    part = copy.with_name(f"{copy.name}.{os.getpid()}")
    with closing(sqlite3.connect(records)) as made, closing(sqlite3.connect(part)) as new:
        made.backup(new)
    part.replace(copy)


@pytest.fixture
def unserved() -> Iterator[None]:
    """No server is configured; afterwards Prefect knows again of the one that was."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PREFECT_API_URL", raising=False)
        reread_environment()
        yield
    reread_environment()


@pytest.fixture(scope="session")
def new_records(server: str, prefect_home: Path) -> Path:
    """A database of Prefect's whose tables were made already: it takes longer to make them than to start a server."""
    copy = prefect_home / "new.db"
    if not copy.exists():
        copy_records(prefect_home / "prefect.db", copy)
    return copy


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[..., Path]:
    """Write a corpus of ``n`` one-document matters with anchored rubrics; returns its folder."""

    def make(n: int = 2, canary: str = "") -> Path:
        root = tmp_path / "corpus"
        for i in range(n):
            write_task(root / "leases" / f"lease-{i}", i, canary)
        return root

    return make


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the expectations and the knowledge out of a landing: they have tests of their own and cost seconds."""
    monkeypatch.setattr("warehouse.land.check_all", lambda con: ())
    monkeypatch.setattr("flows.land.knowledge_rows", lambda settings: None)


@pytest.fixture
def unpictured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the report that ends a run: a page of all questions, which has tests of its own."""
    monkeypatch.setattr("flows.corpus.render_report", lambda settings, run_id: None)


class _Kept(InlineCompute):
    """Workers that outlive the run they were opened for, and the test."""

    def __init__(self, logs: Mapping[Role, Path]) -> None:
        super().__init__(1, QUIET, logs)
        self._given: dict[Role, tuple[dict[str, str], Path | None]] = {}

    def close(self) -> None:
        """Leave them to the next run."""

    def furnish(self, env: Mapping[str, str], logs: Mapping[Role, Path]) -> None:
        """Give the workers the environment and the log that workers started now would have, and no other."""
        for role, pool in self._pools.items():
            inherited = {k: v for k, v in worker_environment(role).items() if k not in _OF_PYTEST}
            wanted, log = {**inherited, **QUIET, **env}, logs.get(role)
            if pool._all and (wanted, log) != self._given.get(role):
                gone = [*(self._given[role][0].keys() - wanted.keys())]
                means = Resources("test", role)
                try:
                    self.submit(furnish_this_process, gone, wanted, str(log), resources=means).result()
                except SolonError:
                    assert not pool._all, "a worker that lives is not as the next run wants it"  # the next is new
            pool._env, pool._log = {**QUIET, **env}, log
            self._given[role] = wanted, log


_OF_PYTEST = ("PYTEST_CURRENT_TEST", "PYTHONPATH")


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Kept]:
    logs = tmp_path_factory.mktemp("logs")
    compute = _Kept({"solver": logs / "solver", "judge": logs / "judge"})
    yield compute
    InlineCompute.close(compute)


@pytest.fixture(scope="session")
def kept_landing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Kept]:
    """The process that lands what learning runs did: of its own, as theirs is."""
    compute = _Kept({"judge": tmp_path_factory.mktemp("logs") / "judge"})
    yield compute
    InlineCompute.close(compute)


@pytest.fixture
def kept_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all runs that want one worker of each role share it: it takes seconds to start, more where it calls models.

    It gets the environment of each run anew, without what the run before had, and prints into the log of each run.
    What a worker might remember of an earlier run, or of a test before, is under test as well.
    """

    def landing(kind: Any, *, workers: int, logs: Mapping[Role, Path]) -> Compute:
        compute: _Kept = request.getfixturevalue("kept_landing")
        compute.furnish({}, logs)
        return compute

    def opened(
        kind: Any, *, workers: int = 0, env: Mapping[str, str], logs: Mapping[Role, Path], **rest: Any
    ) -> Compute:
        if (kind, workers) != ("inline", 1):
            return open_compute(kind, workers=workers, env=env, logs=logs, **rest)
        compute: _Kept = request.getfixturevalue("kept")
        compute.furnish(env, logs)
        return compute

    monkeypatch.setattr("flows.runs.plan.open_compute", opened)
    monkeypatch.setattr("flows.learn.open_compute", landing)


@pytest.fixture
def settings(tmp_path: Path, server: str) -> Settings:
    """Settings with everything below ``tmp_path``; records go to the session's server."""
    return load_settings({"home": tmp_path / "home", "workers": 1}, cwd=tmp_path, env={})


@pytest.fixture
def offline(tmp_path: Path) -> Settings:
    """Settings without a Prefect server, with everything below ``tmp_path``: for what is no matter of its records."""
    given = {"home": tmp_path / "home", "workers": 1, "prefect": "off"}
    return load_settings(given, cwd=tmp_path, env={})


def in_process(args: list[str]) -> int:
    """Run the ``solon`` command in this process, which has imported most of it already; returns its code."""
    before, mask = signal.getsignal(signal.SIGTERM), os.umask(0o022)  # a user's mask: the command sets its own
    try:
        return main(args)
    except SystemExit as left:  # argparse leaves so
        return int(left.code or 0)
    finally:
        os.umask(mask)
        signal.signal(signal.SIGTERM, before)


def ask(server: str, what: str, **body: Any) -> list[dict[str, Any]]:
    """Return what the Prefect server keeps, e.g. ``ask(url, "flow_runs", flow_runs={…})``."""
    data = json.dumps({"limit": 200, **body}).encode()
    request = urllib.request.Request(f"{server}/{what}/filter", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        found: list[dict[str, Any]] = json.load(answer)
        return found


def write_task(folder: Path, i: int, canary: str = "") -> None:
    """Write one task: a lease, a memo asked for, and two anchored criteria."""
    (folder / "documents").mkdir(parents=True)
    day, rent = 3 + i, 1_200 + 100 * i
    (folder / "documents" / "lease.txt").write_text(
        f'LEASE AGREEMENT\n\nThis Lease is dated March {day}, 2021 between Alder Holdings LLC (the "Landlord") and '
        f'Birch Bakery Inc. (the "Tenant").\n\n1. Rent\n\nTenant shall pay rent of ${rent:,} a month.\n\n'
        "2. Governing Law\n\nThis Lease is governed by the laws of the State of Ohio.\n\n"
        "3. Termination\n\nEither party may terminate this Lease on thirty (30) days' written notice.\n"
    )
    task = {
        "title": "Lease abstract",
        "instructions": "Review the lease and state its date and its governing law. Write `memo.docx`.",
        "deliverables": {"memo.docx": "memo.docx"},
        "criteria": [
            _criterion(
                "C-001", f"Agreement date {canary}".strip(), canary, ["agreement date"], "date", f"2021-03-{day:02}"
            ),
            _criterion("C-002", "Governing law", canary, ["governing law"], "value", "Ohio"),
            {"id": "C-003", "title": "Style", "match_criteria": f"PASS if it reads well. {canary}"},
        ],
    }
    (folder / "task.json").write_text(json.dumps(task))


def _criterion(id_: str, title: str, canary: str, facet: list[str], kind: str, gold: str) -> dict[str, Any]:
    anchor = {"document": "lease.txt", "scope": ["lease.txt"], "facet": facet, "match": {"kind": kind, "any": [gold]}}
    return {"id": id_, "title": title, "match_criteria": f"PASS if right. {canary}", "anchors": [anchor]}
