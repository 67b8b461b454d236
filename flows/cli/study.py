"""``solon study``: questions asked of stored runs, without a model call."""

from __future__ import annotations

import argparse
from pathlib import Path

from flows.cli.common import DONE, MISUSE, Subparsers, command, say, say_json, settable, settings_of

STUDIES = {
    "replay": "one mechanism over stored attempts: where it acts, what it recovers, what it would have harmed",
}


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = command(
        subparsers,
        "study",
        "ask a question of stored runs, without a model call",
        "solon study replay landing --runs ~/.solon/runs",
        run,
    )
    parser.add_argument("name", nargs="?", choices=[*STUDIES], help="the study; without a name, list them")
    parser.add_argument("mechanism", nargs="*", metavar="MECHANISM", help="names of mechanisms, or all (replay)")
    parser.add_argument("--runs", type=Path, metavar="DIR", help="folder with stored attempts at any depth")
    parser.add_argument("--good", type=float, default=0.5, metavar="SHARE", help="criteria passed by a good attempt")
    parser.add_argument(
        "--crossed", action="store_true", help="give each attempt the work product of another matter (replay)"
    )
    settable(parser, "home")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    if not args.name:
        if args.json:
            say_json(STUDIES)
        else:
            print("\n".join(f"{name:12} {purpose}" for name, purpose in STUDIES.items()))
        return DONE
    if not args.mechanism or args.runs is None:
        say("name a mechanism, or all, and the stored attempts with --runs DIR")
        return MISUSE
    from flows.runs.plan import open_harness
    from flows.studies.replay import render, replay, table
    from tasks.harness import parsed

    settings = settings_of(args)
    harness = parsed(open_harness(settings))
    counted = table(replay(args.mechanism, args.runs, harness, settings.cache, args.good, args.crossed))
    if args.json:
        say_json({"good": args.good, "crossed": args.crossed, "mechanisms": counted})
    else:
        print(render(counted))
    return DONE
