"""``solon import``: runs of others, so that they can be judged, gated, compared and asked in SQL."""

from __future__ import annotations

import argparse
from pathlib import Path

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


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = "solon import ../lab/results --corpus ../lab/tasks\n  solon import ./drafts-of-a-vendor --cell vendor"
    parser = command(
        subparsers, "import", "bring in runs of others: result trees of LAB, or folders of deliverables", example, run
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the result tree, or a folder of deliverables")
    parser.add_argument("--run-id", default="", metavar="R", help="the run they go into (default: named after DIR)")
    parser.add_argument(
        "--corpus", type=Path, metavar="DIR", help="the tasks that were solved: gates and judges need them"
    )
    parser.add_argument("--cell", default="", metavar="C", help="what to call the configuration that made them")
    settable(parser, "home", "runs", "warehouse")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.imports.bring import import_tree

    result = import_tree(args.folder, settings_of(args), run_id=args.run_id, corpus=args.corpus, cell=args.cell)
    say_problems(result.problems)
    for note in result.notes:
        say(note)
    if args.json:
        say_json(result)
    else:
        print(f"{result.imported} attempts imported into {result.run_id} ({result.known} were there before);")
        print(f"{result.scored} came with verdicts ({result.verdicts}), {result.gated} went through our gates;")
        if args.corpus is None:
            print("their tasks were not given: with --corpus, and another --run-id, gates and judges look at them too")
        else:
            print(f"`solon judge {result.run_id} --profile P` judges them")
        print(f"`solon report {result.run_id}` shows them")
    return DONE if result.landed and not result.problems else FAILED
