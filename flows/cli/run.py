"""``solon run``: a corpus by cells."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.common import (
    DONE,
    FAILED,
    Subparsers,
    command,
    say,
    say_json,
    say_problems,
    settable,
    settings_of,
)

if TYPE_CHECKING:
    from flows.corpus import RunResult


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = "solon run examples --cell extractive --run-id first --json"
    parser = command(subparsers, "run", "run a corpus by cells, or finish a run that was stopped", example, run)
    parser.add_argument(
        "corpus", type=Path, metavar="CORPUS", help="folder of task directories (task.json + documents/)"
    )
    parser.add_argument(
        "--cell", action="append", metavar="C", help="cell to run; repeat for more (default extractive)"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="at most N matters, in the order of their paths")
    parser.add_argument("--run-id", metavar="R", help="name of the run; an existing one is finished, not redone")
    parser.add_argument(
        "--epochs", type=int, default=1, metavar="N", help="attempts of each matter and cell (default 1)"
    )
    settable(parser, "judge", "detail", "model_cache")
    parser.add_argument("--retry-failed", action="store_true", help="make a new attempt where the last one failed")
    settable(parser, "home", "runs", "warehouse", "harness", "compute", "workers")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.corpus import run_corpus

    result = run_corpus(
        args.corpus,
        args.cell or ["extractive"],
        settings_of(args),
        limit=args.limit,
        run_id=args.run_id,
        epochs=max(1, args.epochs),
        retry_failed=args.retry_failed,
    )
    say_problems(result.problems)
    for note in result.notes:
        say(note)
    if args.json:
        say_json(result.model_dump(mode="json", include={"run_id", "cells", "warehouse", "report"}))
    else:
        _show(result, settings_of(args).runs / result.run_id)
    if result.came_to_nothing:
        say("every attempt failed, so there is no work product; `solon sql what_went_wrong` says why")
    elif result.nothing_scored:
        say(result.nothing_scored)
    return FAILED if result.came_to_nothing or result.nothing_scored or not result.landed else DONE


def _show(result: RunResult, folder: Path) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"Run {result.run_id}", box=box.SIMPLE_HEAD, title_justify="left", padding=(0, 1, 0, 0))
    for name in ("cell", "matters", "criteria", "pooled", "all-pass", "unscored", "blocked", "USD", "seconds"):
        table.add_column(name, justify="left" if name == "cell" else "right", no_wrap=name != "cell")
    for c in result.cells:
        rates = ["not scored" if rate is None else f"{rate:.1%}" for rate in (c.pooled_pass, c.all_pass)]
        table.add_row(
            c.cell,
            str(c.matters),
            str(c.criteria),
            *rates,
            str(c.unscored),
            str(c.blocked),
            f"{c.cost_usd:.2f}",
            f"{c.seconds:.1f}",
        )
    console = Console(file=sys.stdout, soft_wrap=True, width=None if sys.stdout.isatty() else 120)
    console.print(table)
    for judge in dict.fromkeys((c.judge_profile, c.judge_version) for c in result.cells if c.judge_profile):
        console.print(f"judge          {judge[0]} (version {judge[1] or 'unknown'})", highlight=False)
    console.print(f"work products  {folder}/<matter>/<cell>/<attempt>/output", highlight=False)
    console.print(f"report         {result.report or 'none'}", highlight=False)
    console.print(f"warehouse      {result.warehouse}", highlight=False)
