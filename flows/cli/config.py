"""``solon config``: what is in force, and from where."""

from __future__ import annotations

import argparse

from flows.cli.common import DONE, Subparsers, command, places, say_json, settings_of


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = command(subparsers, "config", "show every setting in force and where it comes from", "solon config", run)
    places(parser, "home", "runs", "warehouse", "harness")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.settings import OPTIONS

    settings = settings_of(args)
    if args.json:
        rows = {n: {"value": v, "origin": settings.origins[n]} for n, v in settings.values.items()}
        say_json(
            {
                "file": str(settings.file or ""),
                "settings": rows,
                "tables": {k: sorted(v) for k, v in settings.tables.items()},
            }
        )
        return DONE
    print(f"solon.toml: {settings.file or 'none found'}")
    for option in OPTIONS:
        shown = settings.values[option.name]
        print(f"{option.name:14} {shown!s:50} [{settings.origins[option.name]}]  {option.help}")
    for name, table in settings.tables.items():
        print(f"[{name}] {', '.join(sorted(table))}")
    return DONE
