"""``solon study``: questions asked of stored runs, without a model call, and harnesses made for a study."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from flows.cli.common import DONE, MISUSE, Subparsers, command, say, say_json, settable, settings_of

STUDIES: Final = {
    "replay": "one mechanism over stored attempts: where it acts, what it recovers, what it would have harmed",
    "empty": "write the empty harness: one skill, no provisions, no inference, prompts of one line, gates that note",
    "apart": "write the harness in force, less the empty one, as a catalogue of edits with planted ones among them",
    "regrown": "what a learning run made of such a catalogue: the climb, planted edits kept, the held-out figures",
}


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = command(
        subparsers,
        "study",
        "ask a question of stored runs, or make what a study starts from, without a model call",
        "solon study replay landing --runs ~/.solon/runs\n"
        "  solon study empty --to empty && solon study apart --to edits --seed 7\n"
        "  solon study regrown LEARN_ID --labels edits.labels.json",
        run,
    )
    parser.add_argument("name", nargs="?", choices=[*STUDIES], help="the study; without a name, list them")
    parser.add_argument(
        "subject", nargs="*", metavar="SUBJECT", help="names of mechanisms, or all (replay); a learning run (regrown)"
    )
    parser.add_argument("--runs", type=Path, metavar="DIR", help="folder with stored attempts at any depth")
    parser.add_argument("--good", type=float, default=0.5, metavar="SHARE", help="criteria passed by a good attempt")
    parser.add_argument(
        "--crossed", action="store_true", help="give each attempt the work product of another matter (replay)"
    )
    parser.add_argument("--to", type=Path, metavar="DIR", help="new folder that is written (empty, apart)")
    parser.add_argument("--seed", type=int, default=0, help="which edits are spoilt, and how (apart; default 0)")
    parser.add_argument(
        "--without", action="append", default=[], metavar="PREFIX", help="leave out edits of these paths (apart)"
    )
    parser.add_argument("--labels", type=Path, metavar="FILE", help="what was planted (regrown)")
    settable(parser, "home", "harness")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    if not args.name:
        if args.json:
            say_json(STUDIES)
        else:
            print("\n".join(f"{name:12} {purpose}" for name, purpose in STUDIES.items()))
        return DONE
    lacking, study = _RUNS[args.name]
    if wanted := lacking(args):
        say(wanted)
        return MISUSE
    result, told = study(args)
    if args.json:
        say_json(result)
    else:
        print(told)
    return DONE


Answer = tuple[dict[str, Any], str]


def _replay(args: argparse.Namespace) -> Answer:
    from flows.runs.plan import open_harness
    from flows.studies.replay import render, replay, table
    from tasks.harness import parsed

    settings = settings_of(args)
    harness = parsed(open_harness(settings))
    counted = table(replay(args.subject, args.runs, harness, settings.cache, args.good, args.crossed))
    return {"good": args.good, "crossed": args.crossed, "mechanisms": counted}, render(counted)


def _empty(args: argparse.Namespace) -> Answer:
    from flows.runs.plan import open_harness
    from flows.studies.regrow.empty import empty_harness

    made = empty_harness(open_harness(settings_of(args)), args.to)
    return {"harness": str(args.to), "version": made.version}, f"empty harness {made.version[:12]} at {args.to}"


def _apart(args: argparse.Namespace) -> Answer:
    from flows.runs.plan import open_harness
    from flows.studies.regrow.written import take_apart

    counted, labels = take_apart(open_harness(settings_of(args)), args.to, args.seed, args.without)
    told = ", ".join(f"{count} {label}" for label, count in counted.items())
    return (
        {"catalogue": str(args.to), "labels": str(labels), "edits": counted},
        f"{told} at {args.to}\nlabels, for no learner to read: {labels}",
    )


def _regrown(args: argparse.Namespace) -> Answer:
    from flows.studies.regrow.measure import lines, read_labels, regrown
    from tasks.learning.ledger import read

    rows = read(settings_of(args).home / "learning" / args.subject[0] / "ledger.jsonl")
    result = regrown(rows, read_labels(args.labels))
    return result, "\n".join(lines(result))


def _needs_mechanism(args: argparse.Namespace) -> str:
    missing = not args.subject or args.runs is None
    return "name a mechanism, or all, and the stored attempts with --runs DIR" if missing else ""


def _needs_folder(args: argparse.Namespace) -> str:
    return "" if args.to else "name the new folder with --to DIR"


def _needs_run(args: argparse.Namespace) -> str:
    missing = len(args.subject) != 1 or args.labels is None
    return "name one learning run, and what was planted with --labels FILE" if missing else ""


_RUNS: Final[dict[str, tuple[Callable[[argparse.Namespace], str], Callable[[argparse.Namespace], Answer]]]] = {
    "replay": (_needs_mechanism, _replay),
    "empty": (_needs_folder, _empty),
    "apart": (_needs_folder, _apart),
    "regrown": (_needs_run, _regrown),
}
