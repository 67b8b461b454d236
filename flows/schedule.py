"""Deployments and their cron, from ``[schedules.NAME]`` of solon.toml.

[schedules.nightly]
corpus = "examples"
cells = ["extractive"]
cron = "0 3 * * *"
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from flows.settings import Settings, secure
from flows.support.server import prefect_server
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError


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
    for name, table in settings.table("schedules").items():
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


def serve(settings: Settings, ready: Callable[[str, list[str]], None]) -> None:
    """Run the server and serve the schedules until interrupted.

    Args:
        settings: What is in force; runs started by a schedule read the same solon.toml.
        ready: Called with the address of the UI and the names of the deployments.
    """
    schedules = read_schedules(settings)
    secure(settings)
    with prefect_server(settings.home / "prefect") as server:
        if settings.file:
            os.chdir(settings.file.parent)
        deployments = [_deployment(name, schedule) for name, schedule in schedules.items()]
        ready(server.ui, list(schedules))
        if deployments:
            from prefect import serve as serve_deployments

            serve_deployments(*deployments, print_starting_message=False)
        else:
            _wait()


def _deployment(name: str, schedule: Schedule) -> Any:
    from prefect.schedules import Cron

    from flows.deployed import corpus_flow

    parameters = {
        "corpus": schedule.corpus,
        "cells": list(schedule.cells),
        "limit": schedule.limit,
        "epochs": schedule.epochs,
    }
    return corpus_flow.to_deployment(
        name=name, schedule=Cron(schedule.cron, timezone=schedule.timezone), parameters=parameters
    )


def _check_cron(schedule: Schedule) -> None:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    if len(schedule.cron.split()) != 5:
        raise ValueError(f"cron {schedule.cron!r} needs five fields")
    try:
        ZoneInfo(schedule.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"timezone {schedule.timezone!r} is not known") from None


def _sentence(exc: ValueError) -> str:
    if isinstance(exc, ValidationError):
        error = exc.errors()[0]
        return f"{'.'.join(str(p) for p in error['loc'])}: {error['msg']}"
    return str(exc)


def _wait() -> None:
    import signal

    signal.pause()
