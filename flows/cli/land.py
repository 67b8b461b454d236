"""``solon land``: parts into the warehouse."""

from __future__ import annotations

import argparse
import contextlib
import time
from typing import TYPE_CHECKING

from flows.cli.common import DONE, FAILED, MISUSE, Subparsers, command, say, say_json, settable, settings_of

if TYPE_CHECKING:
    from warehouse.landing_result import LandingResult


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = "solon land --watch 30"
    parser = command(subparsers, "land", "load what runs left into the warehouse and check it", example, run)
    parser.add_argument("run_ids", nargs="*", metavar="RUN", help="runs to look through (default: all)")
    parser.add_argument(
        "--watch", type=float, metavar="SECONDS", help="land repeatedly, with this pause between, until stopped"
    )
    settable(parser, "home", "runs", "warehouse")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.land import checked, land_runs

    settings = settings_of(args)
    if args.watch is not None and args.watch <= 0:
        say("--watch takes seconds above 0")
        return MISUSE
    unknown = [name for name in args.run_ids if not (settings.runs / name).is_dir()]
    if unknown:
        say(f"no run {', '.join(unknown)} below {settings.runs}; `solon sql which_runs_are_here` lists what landed")
        return MISUSE
    if args.watch is None:
        return _say(checked(land_runs(settings, args.run_ids)), args.json)
    code = DONE
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            result = land_runs(settings, args.run_ids)
            if result.landed or result.lines()[1:]:
                code = max(code, _say(result, args.json))  # a failure is not forgotten for a later success
            time.sleep(args.watch)
    return code


def _say(result: LandingResult, as_json: bool) -> int:
    if as_json:
        say_json(result)
    else:
        print("\n".join(result.lines()))
        print(f"warehouse {result.database}", flush=True)
    sound = result.published and not result.violations
    return DONE if sound and not result.passed_over else FAILED
