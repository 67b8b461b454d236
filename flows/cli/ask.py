"""``solon ask``: the asks of a matter's brief, before anything is drafted."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.common import DONE, Subparsers, command, say_json, settable, settings_of

if TYPE_CHECKING:
    from tasks.asks.records import Ask, Asks


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = 'solon ask ./deal-room --ask "What is the rent of each lease, and may the tenant assign?"'
    parser = command(subparsers, "ask", "show what a brief asks, as it will be answered", example, run)
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="a task directory, or any folder of documents with --ask"
    )
    parser.add_argument("--ask", metavar="TEXT", help="the brief, for a plain folder")
    settable(parser, "home", "harness")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.runs.home import secure
    from flows.runs.matters import open_matter
    from flows.runs.plan import open_harness
    from tasks.asks.parse import parse_asks
    from tasks.harness import parsed
    from tasks.sources.stage import inventory

    settings = settings_of(args)
    secure(settings)
    matter, harness = open_matter(args.folder, settings, args.ask, ()), parsed(open_harness(settings))
    asks = parse_asks(matter, inventory(matter, settings.cache, harness.knowledge), harness)
    if args.json:
        say_json(asks)
        return DONE
    for ask in asks.asks:
        print(_line(ask))
    for state, spans in (("background", asks.background), ("uncovered", asks.uncovered)):
        for start, end in spans:
            print(f"{'':4} {state:11} {_one_line(asks, start, end)}")
    return DONE


def _line(ask: Ask) -> str:
    papers = (" each of " if ask.each else " of ") + (", ".join(ask.documents) or "the data room")
    about = f" ({ask.subject})" if ask.subject != " ".join(ask.words.split()) else ""
    return f"{ask.ask_id:>4} {ask.kind.value:11} {' '.join(ask.words.split())}{about} ·{papers}"


def _one_line(asks: Asks, start: int, end: int) -> str:
    return " ".join(asks.brief[start:end].split())
