"""``solon config``: what is in force, and from where."""

from __future__ import annotations

import argparse

from flows.cli.common import DONE, Subparsers, command, say_json, settable, settings_of
from flows.settings import OPTIONS, TABLES, Settings


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = command(subparsers, "config", "show every setting in force and where it comes from", "solon config", run)
    settable(parser, "home", "runs", "warehouse", "harness")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    settings = settings_of(args)
    tables = {name: sorted(table) for name in TABLES if (table := getattr(settings, name))}
    if args.json:
        rows = {name: {"value": getattr(settings, name), "origin": settings.origins[name]} for name in OPTIONS}
        say_json(
            {
                "file": str(settings.file or ""),
                "settings": rows,
                "tables": tables,
            }
        )
        return DONE
    print(f"solon.toml: {settings.file or 'none found'}")
    for name in OPTIONS:
        shown = f"{name:14} {getattr(settings, name)!s:50} [{settings.origins[name]}]"
        print(f"{shown}  {Settings.model_fields[name].description}")
    for name, table in tables.items():
        print(f"[{name}] {', '.join(table)}")
    return DONE
