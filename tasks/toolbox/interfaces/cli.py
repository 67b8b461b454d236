"""The command-line interface: a tool's declaration becomes its arguments and options."""

from __future__ import annotations

import argparse
import inspect
import json
import re
import types
import typing
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool, ToolRegistry


@dataclass(frozen=True)
class ParsedCall:
    """A parsed call."""

    desk: Desk
    arguments: dict[str, Any]
    as_json: bool


def listing(registry: ToolRegistry) -> str:
    """Return one line per tool, with its stage."""
    return "\n".join(f"{t.name:22} {t.stage:10} {t.summary}" for t in registry.tools.values())


def parse(registry: ToolRegistry, name: str, rest: Sequence[str], private: Sequence[Path] = ()) -> ParsedCall:
    """Parse the arguments of a tool; exits with code 2 on misuse, like every sub-command.

    ``private`` are folders and files of ours that the settings name; nothing of them is served.
    """
    tool = registry._tool(name)
    parser = argument_parser(tool)
    args = vars(parser.parse_args(list(rest)))
    as_json, roots = args.pop("json"), args.pop("root") or []
    given = {k: v for k, v in args.items() if v is not None and v != []}
    return ParsedCall(Desk(roots=tuple(Path(r) for r in roots), private=tuple(private)), given, as_json)


def argument_parser(tool: Tool) -> argparse.ArgumentParser:
    """Return the parser of a tool."""
    said, helps = _documented(tool.documentation)
    parser = argparse.ArgumentParser(
        prog=f"solon tool {tool.name}",
        description=said,
        epilog=f"example:\n  solon tool {tool.name} {tool.example}" if tool.example else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for parameter in tool.parameters.values():
        _add(parser, parameter, helps.get(parameter.name, "").replace("%", "%%"))
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument("--root", action="append", metavar="DIR", help="confine path arguments to DIR; repeat for more")
    return parser


def _documented(docstring: str) -> tuple[str, dict[str, str]]:
    """Split a docstring into what stands before its arguments, and what it says of each."""
    said, _, rest = docstring.partition("\nArgs:\n")
    helps: dict[str, str] = {}
    name = ""
    for line in rest.splitlines():
        if line and not line.startswith(" "):
            break  # the next section
        entry = re.match(r" {4}(\w+): (.*)", line)
        if entry:
            name = entry[1]
            helps[name] = entry[2]
        elif name and line.strip():
            helps[name] += f" {line.strip()}"
    return said.strip(), helps


def _add(parser: argparse.ArgumentParser, parameter: inspect.Parameter, said: str) -> None:
    kind, many = _plain(parameter.annotation)
    required = parameter.default is inspect.Parameter.empty
    if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
        nargs: Any = ("+" if required else "*") if many else (None if required else "?")
        name = parameter.name
        parser.add_argument(name, metavar=name.upper(), type=kind or json.loads, nargs=nargs, help=said)
        return
    flag = "--" + parameter.name.replace("_", "-")
    if kind is bool:
        parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=said)
    elif many:
        parser.add_argument(flag, action="append", type=kind or str, metavar=parameter.name.upper(), help=said)
    else:
        convert = kind or json.loads  # what is not plain is given as JSON
        parser.add_argument(flag, type=convert, required=required, metavar=parameter.name.upper(), help=said)


def _plain(annotation: Any) -> tuple[Any, bool]:
    """Return (type, is a list) of an annotation; type None for one that must be given as JSON."""
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _plain(inner[0])
    if origin in (typing.Union, types.UnionType):
        rest = [a for a in inner if a is not type(None)]
        return _plain(rest[0]) if len(rest) == 1 else (None, False)
    if origin is typing.Literal:
        return str, False
    if origin in (list, tuple, Sequence) or (isinstance(origin, type) and issubclass(origin, Sequence)):
        kind, _ = _plain(inner[0])
        return (kind, True) if kind in (str, int, float) else (None, False)
    return (annotation, False) if annotation in (str, int, float, bool) else (None, False)
