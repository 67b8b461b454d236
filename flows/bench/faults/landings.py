"""Attacks on the warehouse: two runs at once, landings killed, parts spoiled or gone."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from flows.bench.faults.records import Case
from flows.bench.faults.scene import Scene, killed, wait_until_ended


def two_runs_at_once(scene: Scene) -> Iterator[str]:
    """Run twice side by side into one warehouse."""
    scene.plant()
    both = [scene.begin(name) for name in ("left", "right")]
    for name, process in zip(("left", "right"), both, strict=True):
        yield from scene.wrongs(wait_until_ended(process), name)


def landing_killed(scene: Scene) -> Iterator[str]:
    """Kill -9 landings at random moments: nothing is lost and nothing lands twice."""
    scene.plant()
    done = scene.run("kept")
    before = scene.verdicts("kept")
    for _ in range(4):
        (scene.home / "warehouse" / "solon.duckdb").unlink(missing_ok=True)  # so that each has everything to land
        process = scene.start("land")
        time.sleep(scene.random.uniform(0.5, 6.0))
        killed(process)
        if scene.verdicts("kept") not in ({}, before):
            yield "a killed landing left a warehouse with a part of the rows"
    landed = scene.command("land", "--json")
    if landed.code != 0:
        yield f"the last landing ended with {landed.code}: {landed.err.strip()[-200:]}"
    twice = scene.rows("SELECT attempt_id FROM attempt GROUP BY 1 HAVING count(*) > 1")
    if twice:
        yield f"{len(twice)} attempts landed twice"
    yield from scene.wrongs(done, "kept")


def parts_spoiled(scene: Scene) -> Iterator[str]:
    """Put spoiled parts among the good ones: they are named and set aside, the rest lands."""
    scene.plant()
    done = scene.run("good")
    spoiled = _spoil(scene.home / "warehouse" / "parts")
    landed = scene.command("land")
    told = landed.out + landed.err
    unnamed = [name for name in spoiled if name not in told]
    if unnamed:
        yield f"not named as set aside: {', '.join(unnamed)}"
    yield from scene.wrongs(done, "good")
    yield from scene.wrongs(scene.run("after"), "after")


def parts_and_database_gone(scene: Scene) -> Iterator[str]:
    """Remove database and parts: the attempts' folders give everything back."""
    scene.plant()
    done = scene.run("deep")
    before = scene.verdicts("deep")
    shutil.rmtree(scene.home / "warehouse")
    landed = scene.command("land")
    if landed.code != 0 or scene.verdicts("deep") != before:
        yield f"not the same after landing anew (code {landed.code})"
    yield from scene.wrongs(done, "deep")


def verdicts_gone(scene: Scene) -> Iterator[str]:
    """Remove database, verdict parts and run folders: what is missing is reported, never left out of a score."""
    scene.plant()
    scene.run("gone")
    warehouse = scene.home / "warehouse"
    (warehouse / "solon.duckdb").unlink()
    shutil.rmtree(warehouse / "parts" / "verdict")
    shutil.rmtree(scene.home / "runs")
    landed = scene.command("land")
    if "verdict" not in (landed.out + landed.err):
        yield "the missing verdicts are not mentioned"


def _spoil(parts: Path) -> list[str]:
    import pyarrow.parquet as pq

    good = sorted((parts / "verdict").rglob("*.parquet"))[0]
    table = pq.read_table(good)
    folder = parts / "verdict"
    made: dict[str, Callable[[Path], object]] = {
        "noise.parquet": lambda path: path.write_bytes(os.urandom(4_000)),
        "cut.parquet": lambda path: path.write_bytes(good.read_bytes()[:-100]),
        "columns.parquet": lambda path: pq.write_table(table.drop_columns(["status"]), path),
        "value.parquet": lambda path: pq.write_table(_other_status(table), path),
        "pipe.parquet": os.mkfifo,
        "link.parquet": lambda path: path.symlink_to(good),
    }
    for name, make in made.items():
        make(folder / name)
    return list(made)


def _other_status(table: object) -> object:
    import pyarrow as pa

    assert isinstance(table, pa.Table)
    changed = table.set_column(table.schema.get_field_index("status"), "status", pa.array(["maybe"] * len(table)))
    return changed.set_column(
        changed.schema.get_field_index("judge_profile"), "judge_profile", pa.array(["another judge"] * len(table))
    )


CASES = (
    Case("two runs on one warehouse", "warehouse", two_runs_at_once, trials=2),
    Case("kill -9 of landings", "warehouse", landing_killed, trials=2),
    Case("spoiled parts", "warehouse", parts_spoiled),
    Case("database and parts gone", "warehouse", parts_and_database_gone),
    Case("verdict parts and attempts gone", "warehouse", verdicts_gone),
)
