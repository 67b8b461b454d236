"""What the acceptance policies of the learner do where the truth is known, and on resampled real attempts."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from flows.runs.attempts import AttemptStore
from flows.runs.orders import Attempt
from tasks.learning.scores import Counts
from tasks.learning.sequential import PairedSequential
from tasks.learning.simulator.groups import CROWDED, NEAR, Groups, measure_groups
from tasks.learning.simulator.loop import Sizes
from tasks.learning.simulator.measure import Setting, deterministic, few_matters, measure
from tasks.learning.simulator.resampled import Attempts, described, measure_resampled
from tasks.learning.simulator.world import World
from tasks.matter.failures import Failure, FailureCause, SolonError

RUNS = 10_000  # simulated runs: a share near 1 % is then known to about 0.2 points
OTHER_WORLDS = {
    "no collapses": Setting(world=World(collapse=0.0)),
    "collapses of 5 %": Setting(world=World(collapse=0.05)),
    "20 criteria a matter": Setting(world=World(criteria=20.0)),
    "24 matters to compare on": Setting(sizes=Sizes(confirm=24)),
}
_FEW, _FEWER = 10, 100  # one in so many runs, for what takes as much longer


def measure_learner(runs: int = RUNS, attempts: Path | None = None, names: Sequence[str] = ()) -> dict[str, Any]:
    """Measure every policy over so many simulated learning runs of ten steps.

    Args:
        runs: Simulated learning runs of each kind.
        attempts: Folder of runs whose attempts are resampled: two runs of the same matters.
        names: The run of the incumbent and that of the candidate; the first two by name where it is empty.
    """
    started = time.perf_counter()
    setting = Setting(runs=runs)
    result: dict[str, Any] = {"policies": measure(setting)}
    result["world"], result["sizes"] = asdict(setting.world), asdict(setting.sizes)
    result["seconds"] = time.perf_counter() - started
    few = max(1, runs // _FEW)
    paired = (PairedSequential.name,)
    result["other_worlds"] = {
        name: measure(replace(other, runs=few), paired)[PairedSequential.name] for name, other in OTHER_WORLDS.items()
    }
    result["other_worlds"]["deterministic cell"] = deterministic(few)
    result["few_matters"] = few_matters(few)
    result["groups"] = measure_groups(Groups(), max(1, runs // _FEWER))
    result["groups_with_many_rivals"] = measure_groups(CROWDED, max(1, runs // _FEWER))
    result["groups_that_need_each_other"] = measure_groups(NEAR, max(1, runs // _FEWER))
    if attempts is not None:
        real = _real(attempts, names)
        result["resampled"] = {
            "attempts": described(real),
            "each_matter_once": measure_resampled(real, few),
            "of_150_matters": measure_resampled(real, few, pool=150),
        }
    return result


def _real(folder: Path, names: Sequence[str]) -> Attempts:
    runs = names or sorted(run.name for run in folder.iterdir() if run.is_dir())
    found = {run: _ended(folder, run) for run in runs}
    found = {name: ended for name, ended in found.items() if ended}
    if len(found) < 2:
        remedy = "run the same corpus under two harness versions: solon run CORPUS --harness DIR --run-id NAME"
        message = f"holds {len(found)} runs with judged attempts; two are compared"
        raise SolonError(
            Failure(cause=FailureCause.INPUT, stage="bench", subject=str(folder), message=message, remedy=remedy)
        )
    before, after = list(found.values())[:2]
    both = sorted(before.keys() & after.keys())
    return Attempts(_counts([before[key] for key in both]), _counts([after[key] for key in both]))


def _ended(folder: Path, run_id: str) -> dict[tuple[str, int], Attempt]:
    ended = AttemptStore(folder, run_id).ended()
    return {(a.matter_digest, a.epoch): a for a in ended if a.criteria}


def _counts(of: list[Attempt]) -> Counts:
    rows = [(a.passed, a.criteria - a.passed - a.unscored, a.unscored, a.usage.tokens) for a in of]
    return Counts(*np.array(rows, dtype=np.float64).reshape(-1, 4).T)


def render(result: dict[str, Any]) -> str:
    """Return the result as a table for a terminal."""
    return "\n".join(_lines(result))


def _lines(result: dict[str, Any]) -> Iterator[str]:
    head = f"{'':34}{'false':>8}{'power':>8}{'power':>8}{'pairs':>8}"
    first = next(iter(result["policies"].values()))
    yield f"{first['runs']} learning runs of ten steps in {result['seconds']:.0f} s"
    yield head
    yield f"{'':34}{'a run':>8}{'5 pt':>8}{'10 pt':>8}{'':>8}"
    for name, row in result["policies"].items():
        yield _row(name, row)
    yield "edits of every kind, ten steps (promoted; gain the run believes, gain on the matters it never saw):"
    for name, row in result["policies"].items():
        kept = ", ".join(f"{kind} {share:.0%}" for kind, share in row["mixed"]["kept"].items())
        yield f"  {name:32}{kept}; {row['mixed']['apparent']:+.3f}, {row['mixed']['held_out']:+.3f}"
    yield "promoted in one comparison (gain on few matters; nothing won, or something lost, for few collapse more):"
    for name, row in result["policies"].items():
        yield f"  {name:32}" + ", ".join(f"{kind} {share:.1%}" for kind, share in row["promoted"].items())
    yield "paired_sequential on 21 matters, each once (uneven gains found, false promotions over a run of four):"
    for name, row in result["few_matters"].items():
        found = ", ".join(f"{e} {share:.0%}" for e, share in row["uneven"].items())
        yield f"  {name:32}{found}; {row['false_promotion']:.1%}"
    yield "paired_sequential in other worlds:"
    for name, row in result["other_worlds"].items():
        yield _row(f"  {name}", row)
    yield "edits compared as one (kept, of what was offered; share of what all helpful ones gain; runs that promote):"
    yield from _groups(result["groups"])
    yield "the same with rivals for half of the helpful ones:"
    yield from _groups(result["groups_with_many_rivals"])
    yield "the same where a kind that is known takes the questions of a neighbour that is not:"
    yield from _groups(result["groups_that_need_each_other"])
    for name, rows in result.get("resampled", {}).items():
        if name == "attempts":
            yield "real attempts: " + ", ".join(f"{key} {value:.4g}" for key, value in rows.items())
            continue
        yield f"resampled, {name.replace('_', ' ')}:"
        for policy, row in rows.items():
            yield f"{_row(f'  {policy}', row)}   as it is {row['promoted_as_it_is']:.0%}"


def _groups(rows: dict[str, Any]) -> Iterator[str]:
    for name, row in rows.items():
        kept = ", ".join(f"{kind} {share:.1%}" for kind, share in row["kept"].items())
        yield f"  {name:16}{kept}; {row['regrown']:.0%}; {row['promoted']:.0%}, {row['false_promotion']:.1%} of idle"


def _row(name: str, row: dict[str, Any]) -> str:
    power = row["power"]
    return f"{name:34}{row['false_promotion']:8.1%}{power['0.05']:8.1%}{power['0.10']:8.1%}{row['pairs']:8.0f}"
