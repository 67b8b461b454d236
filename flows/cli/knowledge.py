"""``solon knowledge``: checks whether the knowledge of a harness can be trusted."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.common import DONE, FAILED, MISUSE, Subparsers, command, say, say_json, settable, settings_of

if TYPE_CHECKING:
    from tasks.learning.knowledge.suites import KnowledgeReport


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = "solon knowledge check\n  solon knowledge check --folder candidate/knowledge_db/data --json"
    parser = command(subparsers, "knowledge", "check the families of the knowledge with their suites", example, run)
    parser.add_argument("action", choices=["check"], help="what to do: check every family")
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="knowledge data, or a harness holding it (default: the one in force)"
    )
    settable(parser, "home", "harness")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.runs.plan import open_harness
    from tasks.learning.knowledge.suites import check_knowledge

    folder = _data_below(args.folder) if args.folder else open_harness(settings_of(args)).knowledge
    if not folder.is_dir():
        say(f"solon: {folder} is no folder of knowledge data; give one that holds authorities/, windows/ …")
        return MISUSE
    logging.getLogger("great_expectations").setLevel(logging.WARNING)
    report = check_knowledge(folder)
    if args.json:
        say_json({**report.model_dump(mode="json"), "passed": report.passed})
    else:
        print("\n".join(lines(report)))
    return DONE if report.passed else FAILED


def lines(report: KnowledgeReport) -> list[str]:
    """List what was found, one line per fact."""
    if report.error:
        return [f"a row breaks its schema: {report.error}"]
    held = ", ".join(f"{family} {n}" for family, n in report.entries.items())
    said = [f"entries       {report.total} ({held}); citation forms are not counted"]
    said += [_parts("citations", report.forms), _parts("law checked", report.levels)]
    said.append(f"expectations  {report.expectations}, of which {len(report.violations)} fail")
    return said + [violation.line() for violation in report.violations]


def _parts(name: str, counts: dict[str, int]) -> str:
    return f"{name:13} " + ", ".join(f"{kind} {n}" for kind, n in counts.items())


def _data_below(folder: Path) -> Path:
    inner = folder / "knowledge_db" / "data"
    return inner if inner.is_dir() else folder
