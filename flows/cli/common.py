"""What the sub-commands share: flags that are settings, and how results and errors are said."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from flows.runs.progress import tell

if TYPE_CHECKING:
    from flows.settings import Settings
    from tasks.matter.failures import Failure

DONE, FAILED, MISUSE = 0, 1, 2
Subparsers = Any  # argparse keeps the class of its sub-parsers private


def command(subparsers: Subparsers, name: str, purpose: str, example: str, run: Any) -> argparse.ArgumentParser:
    """Add a sub-command with its example and ``--json``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        help=purpose,
        description=purpose[0].upper() + purpose[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object on standard output")
    parser.set_defaults(run=run)
    return parser


def places(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add flags that set options of the same name."""
    known = {
        "home": "folder of everything Solon writes",
        "runs": "where run directories lie",
        "warehouse": "published DuckDB file",
        "harness": "folder holding knowledge_db/ and skills_repo/",
    }
    for name in names:
        parser.add_argument(f"--{name}", type=Path, metavar="PATH", help=known[name])


def computing(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the compute plane."""
    parser.add_argument("--compute", choices=["inline", "ray", "dask"], help="where stage bodies run (default inline)")
    parser.add_argument(
        "--workers", type=int, metavar="N", help="worker processes of inline compute (default: one a core)"
    )


def settings_of(args: argparse.Namespace) -> Settings:
    """Resolve the settings under the flags given."""
    from flows.settings import OPTIONS, load_settings

    return load_settings({o.name: getattr(args, o.name, None) for o in OPTIONS})


def say_json(value: BaseModel | dict[str, Any] | Sequence[Any]) -> None:
    """Print one JSON value on standard output."""
    data = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    print(json.dumps(data, ensure_ascii=False, default=str))


def say(line: str) -> None:
    """Print one line for a reader on standard error."""
    tell(line)


def say_problems(problems: Sequence[Failure], limit: int = 20) -> None:
    """Print one line a problem."""
    for problem in problems[:limit]:
        say(f"skipped: {problem.line()}")
    if len(problems) > limit:
        say(f"… and {len(problems) - limit} more")
