"""``solon knowledge``: whether the knowledge of a harness can be trusted, and which law is to be read again."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.common import DONE, FAILED, MISUSE, Subparsers, command, say, say_json, settable, settings_of

if TYPE_CHECKING:
    from tasks.learning.knowledge.suites import KnowledgeReport


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = "solon knowledge check\n  solon knowledge check --folder candidate/knowledge_db/data --json"
    example += "\n  solon knowledge review --area securities"
    about = "check the families of the knowledge with their suites, or list the law to be read again"
    parser = command(subparsers, "knowledge", about, example, run)
    parser.add_argument(
        "action", choices=["check", "review"], help="check every family, or list what to read again, urgent rows first"
    )
    parser.add_argument("--area", default="", metavar="WORD", help="only areas whose name holds WORD (review)")
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
    if args.action == "review":
        return _review(folder, args.area, args.json)
    report = check_knowledge(folder)
    if args.json:
        say_json({**report.model_dump(mode="json"), "passed": report.passed})
    else:
        print("\n".join(lines(report)))
    return DONE if report.passed else FAILED


_SHOWN = 40  # rows that a terminal shows; --json gives all


def _review(folder: Path, area: str, as_json: bool) -> int:
    from knowledge_db import KnowledgeBase
    from tasks.learning.knowledge.review import areas, review

    rows = tuple(row for row in review(KnowledgeBase(folder)) if area.casefold() in row.area.casefold())
    counted = areas(rows)
    if as_json:
        say_json({"rows": [row.model_dump(mode="json") for row in rows], "areas": counted})
        return DONE
    for name, why in sorted(counted.items(), key=lambda item: -item[1].total()):
        print(f"{name:40} " + ", ".join(f"{reason} {n}" for reason, n in why.most_common()))
    for row in rows[:_SHOWN]:
        print(f"{row.why}: {row.entry} (as of {row.as_of})" + (f": {row.changed_since}" if row.changed_since else ""))
    print(f"{len(rows)} rows wait; the most urgent {min(_SHOWN, len(rows))} are listed, all with --json")
    return DONE


def lines(report: KnowledgeReport) -> list[str]:
    """List what was found, one line per fact."""
    if report.error:
        return [f"a row breaks its schema: {report.error}"]
    held = ", ".join(f"{family} {n}" for family, n in report.entries.items())
    said = [f"entries       {report.total} ({held}); citation forms are not counted"]
    said += [_parts("citations", report.forms), _parts("law checked", report.levels)]
    said.append(_parts("law verified", report.verified))
    said.append(f"expectations  {report.expectations}, of which {len(report.violations)} fail")
    return said + [violation.line() for violation in report.violations]


def _parts(name: str, counts: dict[str, int]) -> str:
    return f"{name:13} " + ", ".join(f"{kind} {n}" for kind, n in counts.items())


def _data_below(folder: Path) -> Path:
    inner = folder / "knowledge_db" / "data"
    return inner if inner.is_dir() else folder
