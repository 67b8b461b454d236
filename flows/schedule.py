"""Deployments and their cron, from ``[schedules.NAME]`` of solon.toml.

[schedules.nightly]
corpus = "examples"
cells = ["extractive"]
cron = "0 3 * * *"
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from flows.prefect.ending import leave, leave_soon
from flows.prefect.recording import mark_crashed
from flows.prefect.scheduler import drop_missed, standings
from flows.prefect.server import Server, prefect_server
from flows.runs.home import secure
from flows.runs.progress import write_status
from flows.scheduled import FOLDER
from flows.settings import OPTIONS, Settings, variable
from tasks.matter import lifetime
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.interpreter import SAFE_PATH, import_path

_STOPPING = 30.0  # seconds that running flow runs have to end
_AT_ONCE = 5  # flow runs, Prefect's own default; two of each schedule, so that a late one does not hold up the next


class Schedule(Record):
    """One schedule of a corpus flow; ``timezone`` as the IANA names it."""

    corpus: str
    cells: tuple[str, ...] = ("extractive",)
    cron: str
    timezone: str = "UTC"
    limit: int | None = None
    epochs: int = 1


def read_schedules(settings: Settings) -> dict[str, Schedule]:
    """Read the schedules; paths of corpora are relative to solon.toml.

    Raises:
        SolonError: A schedule is malformed.
    """
    base = settings.file.parent if settings.file else Path.cwd()
    found: dict[str, Schedule] = {}
    for name, table in settings.schedules.items():
        try:
            schedule = Schedule.model_validate(table)
            _check_cron(schedule)
        except ValueError as exc:
            message = _sentence(exc)
            raise SolonError(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="schedule",
                    subject=f"schedules.{name}",
                    message=message,
                    remedy="correct it in solon.toml",
                )
            ) from None
        found[name] = schedule.model_copy(update={"corpus": str((base / schedule.corpus).resolve())})
    return found


def serve(settings: Settings, ready: Callable[[str, list[str]], None], patience: float = 90.0) -> None:
    """Run the server and serve the schedules until interrupted.

    Args:
        settings: What is in force; runs started by a schedule have the same.
        ready: Called with the address of the UI and the names of the deployments.
        patience: Seconds that the server has for scheduling a run of each.

    Raises:
        SolonError: The server does not start, does not schedule, or died.
    """
    schedules = read_schedules(settings)
    secure(settings)
    home = settings.home / "prefect"
    with prefect_server(home) as server:
        _pass_on(settings)
        missed = drop_missed(server.url, set(schedules))
        for name, count in missed.items():
            write_status(f"{name}: {count} runs were due while nothing served it; they are not repeated")
        deployments = [_deployment(name, schedule) for name, schedule in schedules.items()]
        serving = _Serving(server, set(schedules), home, patience)
        asyncio.run(serving.run(deployments, lambda: ready(server.ui, list(schedules))))


def _pass_on(settings: Settings) -> None:
    """Give scheduled runs this code and the settings in force here, including flags."""
    for name in OPTIONS:
        if settings.origins[name] in {"flag", variable(name)}:
            os.environ[variable(name)] = str(getattr(settings, name))
    os.environ.update(lifetime.lifetime_environment(), **SAFE_PATH, PYTHONPATH=import_path())
    if settings.file:
        os.environ[FOLDER] = str(settings.file.parent)
    neutral = settings.home / "schedules"
    neutral.mkdir(parents=True, exist_ok=True)
    os.chdir(neutral)  # Prefect has the process of a flow run look for modules in its working folder first


class _Serving:
    """The runner of the deployments beside a watch on the server that schedules them."""

    def __init__(self, server: Server, names: set[str], home: Path, patience: float) -> None:
        self._server, self._names, self._home, self._patience = server, names, home, patience
        self._stop = asyncio.Event()

    async def run(self, deployments: Sequence[Any], ready: Callable[[], None]) -> None:
        from prefect.runner import Runner

        runner = Runner(name="solon", limit=max(_AT_ONCE, 2 * len(self._names)))
        for deployment in deployments:
            await runner.aadd_deployment(deployment)
        serving = asyncio.create_task(runner.start())
        while not (runner.started or serving.done()):
            await asyncio.sleep(0.05)
        self._heed_signals()  # after the runner, which takes SIGTERM for itself
        ready()
        watching, stopped = asyncio.create_task(self._watch()), asyncio.create_task(self._stop.wait())
        await asyncio.wait({serving, watching, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if runner.started:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(runner.astop(), _STOPPING)
        watching.cancel()
        stopped.cancel()
        results = await asyncio.gather(serving, watching, return_exceptions=True)
        if not self._stop.is_set():  # one of them ended by itself
            raise next((r for r in results if isinstance(r, SolonError)), None) or self._fault(f"ended: {results[0]!r}")

    def _heed_signals(self) -> None:
        def told() -> None:
            if self._stop.is_set():
                if time.monotonic() - begun[0] > 1.0:  # a terminal and a wrapper both pass Ctrl-C on
                    leave(1, "solon: ended at once")
                return
            begun.append(time.monotonic())
            self._stop.set()
            leave_soon(1, 2 * _STOPPING)

        begun: list[float] = []
        for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(kind) is not signal.SIG_IGN:
                asyncio.get_running_loop().add_signal_handler(kind, told)

    async def _watch(self) -> None:
        """Raise SolonError when the server does not answer, or leaves a schedule without a run, for too long."""
        last_good, first = time.monotonic(), True
        while True:
            fault = await asyncio.to_thread(self._look)
            now = time.monotonic()
            last_good = last_good if fault else now
            if now - last_good > self._patience:
                raise self._fault(fault)
            first = first and bool(fault)
            await asyncio.sleep(2.0 if first else 10.0)

    def _look(self) -> str:
        """Return what is wrong; also marks the runs of processes that were killed."""
        try:
            mark_crashed(self._home / "running")
            faults = [s.fault for s in standings(self._server.url) if s.name in self._names and s.fault]
        except Exception as exc:  # noqa: BLE001 - process boundary: whatever a server that fails may say
            return f"the server does not answer ({type(exc).__name__})"
        return "; ".join(faults)

    def _fault(self, message: str) -> SolonError:
        return SolonError(
            Failure(
                cause=FailureCause.UNKNOWN,
                stage="schedule",
                subject="scheduler of the Prefect server",
                message=f"{message} (log: {self._home / 'server.log'})",
                remedy="read the log, and see `solon doctor`",
            )
        )


def _deployment(name: str, schedule: Schedule) -> Any:
    from prefect.schedules import Cron

    from flows.deployed import corpus_flow

    return corpus_flow.to_deployment(
        name=name,
        schedule=Cron(schedule.cron, timezone=schedule.timezone),
        parameters=schedule.model_dump(mode="json", exclude={"cron"}),
    )


def _check_cron(schedule: Schedule) -> None:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    if len(schedule.cron.split()) != 5:
        raise ValueError(f"cron {schedule.cron!r} needs five fields")
    try:
        ZoneInfo(schedule.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"timezone {schedule.timezone!r} is not known") from None
    _check_due(schedule)


def _check_due(schedule: Schedule) -> None:
    """Refuse by name what Prefect would refuse with a traceback, or accept and never start."""
    from prefect.server.schemas.schedules import CronSchedule

    try:
        cron = CronSchedule(cron=schedule.cron, timezone=schedule.timezone)
    except ValueError:
        raise ValueError(f"cron {schedule.cron!r} is not valid: a field is out of range, or not understood") from None
    try:
        asyncio.run(cron.get_dates(1))
    except ValueError:
        raise ValueError(f"cron {schedule.cron!r} names a day that does not exist") from None


def _sentence(exc: ValueError) -> str:
    if isinstance(exc, ValidationError):
        error = exc.errors()[0]
        return f"{'.'.join(str(p) for p in error['loc'])}: {error['msg']}"
    return str(exc)
