"""The folder of one attack, the commands it starts, and the checks of what must hold afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from flows.bench.faults.corpus import CANARY, write_corpus
from tasks.matter.interpreter import code_command

PROJECT = Path(__file__).resolve().parents[3]
LIMIT = 300.0
"""Seconds after which a command counts as hanging."""
_VERDICTS = ("scores.json", "judgement.json")


class AttackSkippedError(Exception):
    """The attack is impossible on this machine; the message says why."""


@dataclass
class Done:
    """A command that ended. ``code`` is None when it hung and had to be killed."""

    code: int | None
    out: str
    err: str
    seconds: float

    @property
    def cells(self) -> list[dict[str, Any]]:
        """The table of cells that ``solon run --json`` printed."""
        try:
            found: list[dict[str, Any]] = json.loads(self.out)["cells"]
        except (ValueError, KeyError):
            return []
        return found


@dataclass
class Scene:
    """A folder with a corpus and a home, and the ``solon`` command over them.

    Attributes:
        folder: Everything of the scene; removed at its end.
        compute: Compute plane of its runs.
        matters: Size of its corpus.
        prefect: Whether runs are recorded by a server of their own.
    """

    compute: str = "inline"
    seed: int = 0
    matters: int = 3
    prefect: bool = False
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="solon-faults-")))
    home_name: str = "home"

    def __post_init__(self) -> None:
        self.random = random.Random(f"{self.compute}/{self.seed}")
        self.corpus = self.folder / "corpus"
        self._user = self.folder / "user"  # every process below keeps this as its HOME: how its children are found
        self._user.mkdir()
        self._groups: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def home(self) -> Path:
        """Where this scene's Solon writes."""
        return self.folder / self.home_name

    def plant(self, matters: int | None = None) -> list[Path]:
        """Write the corpus; returns the folders of its tasks."""
        return write_corpus(self.corpus, matters or self.matters)

    def start(self, *arguments: str, file_limit: int = 0, **environment: str) -> subprocess.Popen[str]:
        """Start a ``solon`` command in a session of its own.

        Args:
            arguments: Of the command.
            file_limit: Largest file in bytes that it may write; 0: no limit.
            environment: Added to its environment.
        """
        env = {k: v for k, v in os.environ.items() if not k.startswith(("SOLON_", "PREFECT_"))}
        env |= {"PYTHONPATH": str(PROJECT), "HOME": str(self._user), "SOLON_HOME": str(self.home), **environment}
        env.setdefault("SOLON_PREFECT", "auto" if self.prefect else "off")
        command = code_command(_LIMITED, str(file_limit), *arguments)
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def begin(self, run_id: str, *flags: str, **options: Any) -> subprocess.Popen[str]:
        """Start ``solon run`` over the corpus."""
        planes = ("--compute", self.compute, "--workers", "1")
        return self.start("run", str(self.corpus), "--run-id", run_id, "--json", *planes, *flags, **options)

    def run(self, run_id: str, *flags: str, **options: Any) -> Done:
        """Run the corpus to its end."""
        return wait_until_ended(self.begin(run_id, *flags, **options))

    def command(self, *arguments: str, **options: Any) -> Done:
        """Run any other command to its end."""
        return wait_until_ended(self.start(*arguments, **options))

    def finished(self, run_id: str) -> int:
        """Return how many attempts of a run have ended."""
        folder = self.home / "runs" / run_id
        return len([p for p in folder.rglob("attempt.json") if ".partial-" not in str(p)]) if folder.is_dir() else 0

    def wait_for(self, run_id: str, attempts: int, process: subprocess.Popen[str]) -> None:
        """Wait until that many attempts have ended, or the command has."""
        self.wait(lambda: self.finished(run_id) >= attempts or process.poll() is not None)

    @staticmethod
    def wait(until: Callable[[], bool], seconds: float = LIMIT) -> bool:
        """Wait for something to be true; returns whether it came true in time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if until():
                return True
            time.sleep(0.02)
        return False

    def processes(self) -> list[int]:
        """Return the living processes that this scene started, directly or not, zombies left out."""
        mark = f"HOME={self._user}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
        return found

    def named(self, words: str) -> list[int]:
        """Return its processes whose command line contains ``words``."""
        found = []
        for pid in self.processes():
            with contextlib.suppress(OSError):
                if words.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" "):
                    found.append(pid)
        return found

    def left_behind(self) -> Iterator[str]:
        """Report the processes that still run a few seconds after the last command ended."""
        if self.wait(lambda: not self.processes(), seconds=10.0):
            return
        for pid in self.processes():
            with contextlib.suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
                yield f"a process is left behind: {words[:120].strip()}"

    # what must hold

    def verdicts(self, run_id: str) -> dict[tuple[str, str], str]:
        """Return the status of every criterion that counts, from the published warehouse."""
        sql = f"SELECT matter_id, criterion_id, status FROM criteria_results WHERE run_id = '{run_id}'"  # noqa: S608
        return {(matter, criterion): status for matter, criterion, status in self.rows(sql)}

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Ask the published warehouse; no rows where there is none."""
        import duckdb

        database = self.home / "warehouse" / "solon.duckdb"
        if not database.is_file():
            return []
        with contextlib.closing(duckdb.connect(str(database), read_only=True)) as con:
            found: list[tuple[Any, ...]] = con.execute(sql).fetchall()
            return found

    def wrongs(self, done: Done, run_id: str, matters: int | None = None) -> Iterator[str]:
        """Say what does not hold after a run that should have come to its end.

        Every matter has one attempt that counts, every anchored criterion passes (as in a run without an attack), the
        command and the warehouse report the same counts, and nothing unfinished is left behind.
        """
        wanted = matters or self.matters
        if done.code != 0:
            yield f"the command ended with {done.code}: {_last(done.err)}"
            return
        if "Traceback" in done.err:
            yield f"a traceback: {_last(done.err)}"
        verdicts = self.verdicts(run_id)
        seen = {matter for matter, _ in verdicts}
        if len(seen) != wanted:
            yield f"{len(seen)} of {wanted} matters are in the warehouse"
        bad = {k: v for k, v in verdicts.items() if v != ("unscored" if k[1] == "C-004" else "pass")}
        if bad:
            yield f"{len(bad)} of {len(verdicts)} verdicts are not those of an undisturbed run, e.g. {min(bad.items())}"
        yield from self.disagreements(done, run_id)
        yield from self.unfinished()

    def disagreements(self, done: Done, run_id: str) -> Iterator[str]:
        """Report where the command's table and the warehouse differ."""
        landed = self.rows(
            f"SELECT count(*) FILTER (status = 'pass'), count(*) FILTER (status = 'unscored'), count(*) "  # noqa: S608
            f"FROM criteria_results WHERE run_id = '{run_id}'"
        )
        if not done.cells or not landed:
            yield "the command or the warehouse tells nothing"
            return
        cell, (passed, unscored, criteria) = done.cells[0], landed[0]
        pooled = round(passed / (criteria - unscored), 6) if criteria > unscored else None
        told = (cell["pooled_pass"], cell["unscored"], cell["criteria"])
        if told != (pooled, unscored, criteria):
            yield f"the command says {told} and the warehouse {(pooled, unscored, criteria)}"

    def unfinished(self) -> Iterator[str]:
        """List what a finished or resumed run should have removed but left behind, and where the canary was found."""
        for pattern in (".*.partial-*", ".*.private*", "*.wal"):
            for path in self.home.rglob(pattern):
                yield f"left over: {path.relative_to(self.home)}"
        for path in self.home.rglob("*"):
            where = path.relative_to(self.home).as_posix()
            if path.is_file() and not _may_hold_verdicts(where) and CANARY.encode() in path.read_bytes():
                yield f"the rubric's canary stands in {where}"


def wait_until_ended(process: subprocess.Popen[str], seconds: float = LIMIT) -> Done:
    """Wait for a command; one that hangs is killed, and its code is then None."""
    start = time.monotonic()
    try:
        out, err = process.communicate(timeout=seconds)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        code = None
    return Done(code, out, err, time.monotonic() - start)


def killed(process: subprocess.Popen[str], with_signal: signal.Signals = signal.SIGKILL) -> Done:
    """Send a signal to the command itself (not to its children) and wait for its end."""
    start = time.monotonic()
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(with_signal)
    done = wait_until_ended(process, 60.0)
    return Done(done.code, done.out, done.err, time.monotonic() - start)


def _may_hold_verdicts(where: str) -> bool:
    kept = ("sealed/", "judge-cache/", "warehouse/", "reports/")
    return where.startswith(kept) or where.rsplit("/", 1)[-1] in _VERDICTS or "/_judgements/" in where


def _last(text: str) -> str:
    return (text.strip().splitlines() or ["nothing said"])[-1][:300]


_LIMITED = """
import resource, runpy, sys
limit = int(sys.argv[1])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
sys.argv = ["solon", *sys.argv[2:]]
from flows.cli import main
sys.exit(main())
"""
"""Runs the command under a limit on the size of files: the soft limit, which its children inherit."""
