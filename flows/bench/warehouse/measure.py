"""Measures the warehouse on made-up attempts, as runs leave them: parts of many attempts, landed by one process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from flows.bench.warehouse.logs import read_logs, write_logs
from flows.bench.warehouse.made import RUN, made_up, started
from flows.runs.parts import ATTEMPTS_A_PART
from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.report import render
from warehouse.sql import ask, named_queries, open_warehouse, run_query

SIZES = {"small": 1_000, "paper": 12_510}
"""Attempts by size; the second is the Parthenon paper's corpus under its ten cells."""

GROWTH = 10  # how many times more attempts the second landing has: ten times, as the aim is stated


def measure_warehouse(attempts: int = SIZES["small"], criteria: int = 60) -> dict[str, Any]:
    """Return the seconds it takes to write, land, land again, ask and report on so many attempts.

    Args:
        attempts: Attempts, in parts as a run writes them.
        criteria: Verdicts per attempt.

    Returns:
        Beside the seconds: ``rows_per_second`` of landing; ``questions_seconds`` for all named questions on one open
        warehouse; ``growth``, how many times longer landing and asking take than for a tenth of the attempts;
        ``*_processor_seconds``, what both cost on all cores together, which a busy machine changes less;
        ``start_seconds``, what the libraries cost a process once, which is in none of the others.
    """
    result: dict[str, Any] = {"attempts": attempts, "verdicts": attempts * criteria}
    result["start_seconds"] = _seconds(_start)
    with tempfile.TemporaryDirectory() as folder:
        tenth = _land_and_ask(Path(folder) / "tenth", max(1, attempts // GROWTH), criteria)
        whole = _land_and_ask(Path(folder) / "whole", attempts, criteria)
        result |= whole
        taken, before = (one["land_seconds"] + one["questions_seconds"] for one in (whole, tenth))
        result["growth"] = taken / before
        result |= _against_logs(Path(folder), attempts, criteria)
    return result


def _start() -> None:
    import numpy.random  # noqa: F401 - loaded once, so that no measure below pays for it
    import polars  # noqa: F401
    import pyarrow  # noqa: F401
    import scipy.special  # noqa: F401


def _land_and_ask(folder: Path, attempts: int, criteria: int) -> dict[str, Any]:
    parts, database = folder / "parts", folder / "warehouse.duckdb"
    result: dict[str, Any] = {"rows": 0}

    def write() -> None:
        result["rows"] = _write(parts, attempts, criteria)

    result["write_seconds"] = _seconds(write)
    processor = time.process_time()
    result["land_seconds"] = _seconds(lambda: land(parts, database))
    result["land_processor_seconds"] = time.process_time() - processor
    result["rows_per_second"] = round(result["rows"] / result["land_seconds"])
    result["land_nothing_seconds"] = _seconds(lambda: land(parts, database))
    result["cells_query_seconds"] = _seconds(lambda: run_query(database, "how_did_each_cell_do"))
    processor = time.process_time()
    by_name = _questions(database)
    result["questions_processor_seconds"] = time.process_time() - processor
    result["questions"], result["questions_seconds"] = len(by_name), sum(by_name.values())
    result["slowest_questions"] = dict(sorted(by_name.items(), key=lambda kv: -kv[1])[:5])
    result["report_seconds"] = _seconds(lambda: render(database, folder / "report"))
    result["database_megabytes"] = database.stat().st_size / 1e6
    return result


def _write(parts: Path, attempts: int, criteria: int) -> int:
    rows = started(attempts)
    write_parts(parts, rows, RUN)
    written = len(rows)
    for first in range(0, attempts, ATTEMPTS_A_PART):
        numbers = range(first, min(attempts, first + ATTEMPTS_A_PART))
        rows = [row for number in numbers for row in made_up(number, criteria)]
        write_parts(parts, rows, RUN)
        written += len(rows)
    return written


def _questions(database: Path) -> dict[str, float]:
    with open_warehouse(database) as con:
        return {name: round(_seconds(partial(ask, con, name)), 4) for name in named_queries()}


def _against_logs(folder: Path, attempts: int, criteria: int) -> dict[str, Any]:
    """Time the table of every criterion, read from the warehouse and from one JSON log an attempt."""
    write_logs(folder / "logs", attempts, criteria)
    database = folder / "whole" / "warehouse.duckdb"
    table = "SELECT matter_id, cell, criterion_id, title, status, reasoning FROM criteria_results"
    return {
        "criteria_from_warehouse_seconds": _seconds(lambda: run_query(database, table)),
        "criteria_from_json_logs_seconds": _seconds(lambda: read_logs(folder / "logs")),
    }


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
