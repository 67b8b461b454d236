"""``solon mcp``: the tools as an MCP server over standard input and output."""

from __future__ import annotations

import argparse
from pathlib import Path

from flows.cli.common import DONE, Subparsers, command, settable, settings_of


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = "solon mcp --root ./deal-room"
    parser = command(subparsers, "mcp", "serve the tools to agents over MCP (stdio)", example, run)
    room = "room to serve: path arguments stay inside DIR; repeat for more (required)"
    parser.add_argument("--root", type=Path, action="append", metavar="DIR", help=room)
    parser.add_argument("--workspace", type=Path, metavar="DIR", help="workspace whose output/ takes deliverables")
    settable(parser, "home", "harness")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.runs.home import written_folders
    from tasks.toolbox.interfaces.mcp import serve

    serve(tuple(args.root or ()), args.workspace, written_folders(settings_of(args)))
    return DONE
