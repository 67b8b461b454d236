"""``solon tool``: one agent-callable tool from the command line."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flows.cli.common import DONE, Subparsers, command, say_json


def register(subparsers: Subparsers) -> None:
    """Add the sub-command; the tool's own arguments are parsed when it is known."""
    example = (
        "solon tool number_scan contract.docx --json\n  solon tool reconcile_numbers --draft memo.docx --sources docs"
    )
    parser = command(subparsers, "tool", "call one tool; without a name, list them", example, run)
    parser.add_argument("name", nargs="?", metavar="NAME", help="name of the tool; `solon tool NAME --help` says more")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="…", help="arguments of the tool")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.runs.home import written_folders
    from flows.settings import load_settings
    from tasks.toolbox.interfaces.cli import listing, parse
    from tasks.toolbox.process import ToolProcess, forked
    from tasks.toolbox.registry import ToolRegistry

    registry = ToolRegistry()
    if not args.name:
        if args.json:
            say_json({name: registry.schema(name) for name in registry.names()})
        else:
            print(listing(registry))
        return DONE
    call = parse(registry, args.name, args.rest, written_folders(load_settings()))
    with TemporaryDirectory(prefix="solon-tool-") as cache:
        desk = replace(call.desk, cache=Path(cache))
        process = ToolProcess(registry.tools, partial(forked, ToolRegistry(desk, registry.tools)))
        try:
            result = process.call(args.name, call.arguments)
        finally:
            process.close()
    _print(result, registry.tools[args.name].prose, args.json or call.as_json)
    return DONE


def _print(result: dict[str, Any], prose: str, as_json: bool) -> None:
    if as_json:
        say_json(result)
    elif prose:
        print(result[prose], end="" if str(result[prose]).endswith("\n") else "\n")
    else:
        print(json.dumps(result, indent=2, ensure_ascii=False, default=str))
