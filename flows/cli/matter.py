"""``solon matter``: one matter, from a task directory or a plain folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.common import DONE, FAILED, Subparsers, command, say, say_json, settable, settings_of

if TYPE_CHECKING:
    from tasks.asks.records import AskOutcome


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = 'solon matter ./deal-room --ask "When can either party terminate?" --deliverable memo.docx'
    parser = command(subparsers, "matter", "draft one matter and show its release report", example, run)
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="a task directory, or any folder of documents with --ask"
    )
    parser.add_argument("--ask", metavar="TEXT", help="the brief, for a plain folder")
    parser.add_argument("--deliverable", action="append", metavar="FILE", help="file to write; repeat for more")
    parser.add_argument(
        "--title",
        default="",
        metavar="TEXT",
        help="subject of the work product, for a plain folder (default: what is asked)",
    )
    parser.add_argument("--cell", default="extractive", metavar="C", help="cell to draft with (default extractive)")
    parser.add_argument("--output", type=Path, metavar="DIR", help="also copy the deliverables there")
    settable(parser, "home", "runs", "harness", "compute", "workers")


def _ask(told: AskOutcome) -> dict[str, str | bool]:
    asked: dict[str, str | bool] = {"no": told.ask.ask_id, "asked": told.ask.words, "state": told.state.value}
    return {**asked, "to_be_verified": told.doubtful, "answer": told.answer}


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.matter import draft_matter

    result = draft_matter(
        args.folder,
        settings_of(args),
        cell=args.cell,
        ask=args.ask,
        deliverables=args.deliverable or (),
        title=args.title,
        output=args.output,
    )
    attempt = result.attempt
    if args.json:
        say_json(
            {
                "attempt": attempt.attempt_id,
                "outcome": attempt.outcome,
                "release": attempt.release_status,
                "headline": result.headline,
                "asks": [_ask(told) for told in result.asks],
                "output": str(result.folder / "output"),
                "kept": [str(file) for file in result.kept],
                "release_report": str(result.folder / "release.md"),
                "failures": [f.model_dump(mode="json") for f in attempt.failures],
            }
        )
    else:
        print(result.release)
        print(f"release        {result.headline or attempt.outcome}")
        print(f"work product   {args.output or result.folder / 'output'}")
        print(f"release report {result.folder / 'release.md'}")
        for file in result.kept:
            print(f"kept           {file} (the file that was there before)")
    for failure in attempt.failures:
        say(failure.line())
    return DONE if attempt.outcome == "finished" else FAILED
