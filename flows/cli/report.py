"""``solon report``: the static HTML report."""

from __future__ import annotations

import argparse

from flows.cli.common import DONE, Subparsers, command, say_json, settable, settings_of


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = command(subparsers, "report", "render the HTML report of a run", "solon report first", run)
    parser.add_argument("run_id", nargs="?", metavar="RUN", help="id of the run (default: all runs)")
    settable(parser, "home", "warehouse")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.land import render_report

    path = render_report(settings_of(args), args.run_id, purpose="report")
    if args.json:
        say_json({"report": str(path)})
    else:
        print(path)
    return DONE
