"""Kills landings at random moments and counts what the warehouse then holds: nothing is lost, nothing lands twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flows.bench.warehouse.made import RUN, made_up, started
from tasks.matter.interpreter import code_command, import_path
from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.records import TABLES
from warehouse.sql import open_warehouse

ATTEMPTS_A_BATCH = 4  # a batch lands between two kills and is over in a moment
CRITERIA = 6  # of an attempt; few, since only whole parts are counted
MOMENTS = 50  # random moments at which a landing is killed

_LANDS = (
    "import sys\nfrom pathlib import Path\nfrom flows.bench.warehouse.kills import land_when_told\n"
    "land_when_told(Path(sys.argv[1]), Path(sys.argv[2]))\n"
)


def measure_kills(folder: Path, moments: int = MOMENTS, seed: int = 0) -> dict[str, Any]:
    """Bring new parts again and again, kill -9 each landing at a random moment, and look at the published file.

    A killed landing may leave the file of before or that of after, and no other: all tables are counted after each.
    The last landing is left to end, and must hold every row once.

    Args:
        folder: Empty; parts and warehouse go into it.
        moments: How often a landing is killed.
        seed: Of the moments.

    Returns:
        ``killed``, how many landings died before they ended, and ``ended``, how many were faster; ``published``, after
        how many kills the new rows were there; ``landing_seconds``, the mean of three landings that nobody killed,
        within which the moments are drawn evenly; ``wrong``, a line for each state that must not be.
    """
    parts, database, chance = folder / "parts", folder / "warehouse.duckdb", random.Random(seed)
    write_parts(parts, started(ATTEMPTS_A_BATCH * (moments + 4)), RUN)
    batches = iter(range(moments + 4))
    for _ in range(3):
        _bring(parts, next(batches))
    seconds = sum(_landing(parts, folder / f"alone-{n}.duckdb")[0] for n in range(3)) / 3
    land(parts, database)
    result: dict[str, Any] = {"killed": 0, "ended": 0, "published": 0, "landing_seconds": seconds, "wrong": []}
    before = _counts(database)
    for number in range(moments):
        _bring(parts, next(batches))
        full = _expected(parts)
        moment = chance.uniform(0.0, seconds)
        _, killed = _landing(parts, database, moment)
        result["killed" if killed else "ended"] += 1
        now = _counts(database)
        if now not in (before, full):
            result["wrong"].append(f"kill {number + 1}, after {moment:.3f} s: {_difference(now, before, full)}")
        result["published"] += now == full and now != before
        before = now
    _bring(parts, next(batches))
    said = land(parts, database)
    if not said.published or said.quarantined or _counts(database) != _expected(parts):
        result["wrong"].append(f"the last landing: {_difference(_counts(database), before, _expected(parts))}")
    if left := sorted(p.name for p in folder.glob(".*private*")):
        result["wrong"].append(f"left behind: {', '.join(left)}")
    return result


def land_when_told(parts: Path, database: Path) -> None:
    """Load what a landing loads, say so, wait for a line, and land: the moments are those of the landing alone."""
    import polars  # noqa: F401 - loaded before the clock runs

    print("ready", flush=True)
    sys.stdin.readline()
    land(parts, database)


def _bring(parts: Path, batch: int) -> None:
    first = batch * ATTEMPTS_A_BATCH
    numbers = range(first, first + ATTEMPTS_A_BATCH)
    write_parts(parts, [row for number in numbers for row in made_up(number, CRITERIA)], RUN)


def _landing(parts: Path, database: Path, moment: float | None = None) -> tuple[float, bool]:
    """Land in a process of its own, killed after so many seconds; return how long it lived, and if it was killed."""
    command = code_command(_LANDS, str(parts), str(database))
    env = {**os.environ, "PYTHONPATH": import_path()}
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        process.stdin.write("land\n")
        process.stdin.flush()
        began = time.perf_counter()
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        return time.perf_counter() - began, process.returncode == -signal.SIGKILL


def _expected(parts: Path) -> dict[str, int]:
    """Count the rows of all parts that lie there; what several attempts tell alike (their matter) lands once."""
    import polars as pl

    found = {table: sorted((parts / table).rglob("*.parquet")) for table in TABLES}
    return {
        table: pl.concat([pl.read_parquet(path) for path in paths]).unique().height if paths else 0
        for table, paths in found.items()
    }


def _counts(database: Path) -> dict[str, int]:
    """Count the rows of a published file: one that landed twice is there twice."""
    with open_warehouse(database) as con:
        return {
            table: con.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0]  # noqa: S608 - our own names
            for table in TABLES
        }


def _difference(now: Mapping[str, int], *states: Mapping[str, int]) -> str:
    """Say which tables hold something else than each of the states that may be."""
    return "; or ".join(
        ", ".join(f"{table} {n}, not {state[table]}" for table, n in now.items() if n != state[table])
        for state in states
    )
