"""The fault bench: every case in a scene of its own, and a table of what held and what broke."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flows.bench.faults import disks, documents, hostile, landings, privacy, processes, providers
from flows.bench.faults.records import Case, CaseOutcome, try_case
from flows.bench.faults.scene import Scene

CASES: tuple[Case, ...] = (
    *processes.CASES,
    *disks.CASES,
    *documents.CASES,
    *landings.CASES,
    *hostile.CASES,
    *privacy.CASES,
    *providers.CASES,
)


def measure_faults(
    *,
    quick: bool = False,
    only: Sequence[str] = (),
    trials: int | None = None,
    seed: int = 0,
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Attack runs of Solon from outside and check what must hold afterwards.

    Args:
        quick: Run only the quick cases, one trial per case.
        only: Groups or words of names of cases; empty for all.
        trials: At most so many trials of each case; each case's own number when None.
        seed: Seed of the moments at which the attacks come.
        say: Called with one line after each case.

    Returns:
        ``{"held", "broke", "skipped": counts of cases, "trials": n, "cases": [rows]}``.
    """
    chosen = [c for c in CASES if (c.quick or not quick) and (not only or any(w in _words(c) for w in only))]
    most = 1 if quick else trials
    outcomes: list[CaseOutcome] = []
    for case in chosen:
        outcome = try_case(case, lambda c, n: Scene(compute=c.compute, seed=seed + n), min(case.trials, most or 10**6))
        outcomes.append(outcome)
        say(outcome_line(outcome))
    return {
        "held": sum(not o.broke and not o.skipped for o in outcomes),
        "broke": sum(bool(o.broke) for o in outcomes),
        "skipped": sum(bool(o.skipped) for o in outcomes),
        "trials": sum(o.trials for o in outcomes),
        "seconds": round(sum(o.seconds for o in outcomes), 1),
        "cases": [o.row() for o in outcomes],
    }


def outcome_line(outcome: CaseOutcome) -> str:
    """Return one line on an outcome."""
    state = "skipped" if outcome.skipped else "BROKE  " if outcome.broke else "held   "
    case = outcome.case
    name = f"{case.group:10} {case.name:44} {case.compute:6}"
    said = "".join(f"\n          {text}" for text in [*outcome.broke, *([outcome.skipped] if outcome.skipped else [])])
    return f"{state} {name} {outcome.held}/{outcome.trials} {outcome.seconds:6.1f} s{said}"


def render(result: dict[str, Any]) -> str:
    """Return the table of a result for a terminal."""
    rows = [f"{'':8}{'group':10} {'case':44} {'compute':7} held  seconds"]
    for row in result["cases"]:
        state = "skipped" if row["skipped"] else "BROKE" if row["broke"] else "held"
        count = f"{row['held']}/{row['trials']}"
        rows.append(f"{state:8}{row['group']:10} {row['name']:44} {row['compute']:7} {count:5} {row['seconds']:7.1f}")
        rows += [f"{'':18} {text}" for text in [*row["broke"], row["skipped"]] if text]
    rows.append(f"{result['held']} cases held, {result['broke']} broke, {result['skipped']} could not be tried here")
    return "\n".join(rows)


def _words(case: Case) -> str:
    return f"{case.group} {case.name} {case.compute}".lower()
