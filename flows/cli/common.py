"""What the sub-commands share: flags that are settings, and how results and errors are printed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel

from flows.runs.progress import write_status
from flows.settings import OPTIONS, Settings, is_path, load_settings

if TYPE_CHECKING:
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


def settable(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add flags that set the settings of the same names, with their descriptions and choices."""
    for name in names:
        field = Settings.model_fields[name]
        flag, sentence = "--" + name.replace("_", "-"), (field.description or "").rstrip(".")
        text = sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]
        default = "" if field.default == "" else f" (default {field.default})"
        if is_path(name):
            parser.add_argument(flag, type=Path, metavar="PATH", help=text)
        elif choices := get_args(field.annotation):
            parser.add_argument(flag, choices=choices, help=text + default)
        else:
            metavar = "N" if field.annotation in (int, float) else "NAME"
            parser.add_argument(flag, metavar=metavar, help=text + default)


def settings_of(args: argparse.Namespace) -> Settings:
    """Resolve the settings under the flags given."""
    return load_settings({name: getattr(args, name, None) for name in OPTIONS})


def say_json(value: BaseModel | dict[str, Any] | Sequence[Any]) -> None:
    """Print one JSON value on standard output."""
    data = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    print(json.dumps(data, ensure_ascii=False, default=str))


def say(line: str) -> None:
    """Print one line for a reader on standard error."""
    write_status(line)


def say_problems(problems: Sequence[Failure], limit: int = 20) -> None:
    """Print one line per problem; problems that differ only in their subject share one."""
    alike: dict[Failure, list[str]] = {}
    for problem in problems:
        alike.setdefault(problem.model_copy(update={"subject": ""}), []).append(problem.subject)
    for problem, subjects in [*alike.items()][:limit]:
        first, *others = dict.fromkeys(subjects)
        more = (
            f" (and {len(subjects) - 1} more: {', '.join(others[:3])}{', …' if others[3:] else ''})" if others else ""
        )
        say(f"skipped: {problem.model_copy(update={'subject': first}).line()}{more}")
    if len(alike) > limit:
        say(f"… and {len(alike) - limit} more")
