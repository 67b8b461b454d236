"""How fast the warehouse writes, lands, answers and reports, on made-up attempts."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from warehouse.columns import VerdictStatus
from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.records import ActionRow, AttemptRow, GateRow, VerdictRow
from warehouse.report import render
from warehouse.row import Row
from warehouse.sql import run_query

START = datetime(2024, 1, 1, tzinfo=UTC)


def measure_warehouse(attempts: int = 200, criteria: int = 60) -> dict[str, Any]:
    """Return the seconds it takes to write, land, land again, query and report on so many attempts.

    Args:
        attempts: Attempts, each with its own parts, as workers leave them.
        criteria: Verdicts per attempt.
    """
    with tempfile.TemporaryDirectory() as folder:
        parts, database = Path(folder) / "parts", Path(folder) / "warehouse.duckdb"
        result: dict[str, Any] = {"attempts": attempts, "verdicts": attempts * criteria}
        result["write_seconds"] = _seconds(
            lambda: [write_parts(parts, _made_up(number, criteria)) for number in range(attempts)]
        )
        result["land_seconds"] = _seconds(lambda: land(parts, database))
        result["land_nothing_seconds"] = _seconds(lambda: land(parts, database))
        result["cells_query_seconds"] = _seconds(lambda: run_query(database, "how_did_each_cell_do"))
        result["report_seconds"] = _seconds(lambda: render(database, Path(folder) / "report"))
        result["database_megabytes"] = database.stat().st_size / 1e6
    return result


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _made_up(number: int, criteria: int) -> list[Row]:
    attempt = AttemptRow(
        attempt_id=f"bench-{number}",
        run_id="bench",
        cell="bench",
        matter_id=f"area-{number % 24}/matter-{number}",
        area=f"area-{number % 24}",
        outcome="finished",
        release_status="released",
        started_utc=START,
        ended_utc=START + timedelta(seconds=number),
        seconds=float(number),
    )
    return [
        attempt,
        *(_verdict(attempt.attempt_id, k) for k in range(criteria)),
        *(GateRow(attempt_id=attempt.attempt_id, gate=g, status="passed") for g in ("number", "date")),
        *(ActionRow(attempt_id=attempt.attempt_id, position=k, tool="read", bucket="read") for k in range(10)),
    ]


def _verdict(attempt_id: str, number: int) -> VerdictRow:
    status: VerdictStatus = "fail" if number % 4 == 0 else "pass"
    return VerdictRow(
        attempt_id=attempt_id,
        judge_profile="bench",
        judged_utc=START,
        criterion_id=f"C-{number:03d}",
        status=status,
        error_class="other" if status == "fail" else "",
        reasoning="Because. " * 20,
    )
