"""``solon land``: parts into the warehouse."""

from __future__ import annotations

import argparse

from flows.cli.common import DONE, FAILED, Subparsers, command, say_json, settable, settings_of


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = command(subparsers, "land", "load what runs left into the warehouse and check it", "solon land", run)
    parser.add_argument("run_ids", nargs="*", metavar="RUN", help="runs to look through (default: all)")
    settable(parser, "home", "runs", "warehouse")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.land import land_runs

    result = land_runs(settings_of(args), args.run_ids)
    if args.json:
        say_json(result)
    else:
        print("\n".join(result.lines()))
        print(f"warehouse {result.database}")
    return DONE if result.published and not result.passed_over else FAILED
