"""``solon config``: what is in force, and from where."""

from __future__ import annotations

import argparse
from typing import Any

from flows.cli.common import DONE, Subparsers, command, say_json, settable, settings_of
from flows.settings import OPTIONS, TABLES, Settings
from tasks.matter.failures import SolonError


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
                "judges": judges_in_force(settings),
            }
        )
        return DONE
    print(f"solon.toml: {settings.file or 'none found'}")
    for name in OPTIONS:
        shown = f"{name:14} {getattr(settings, name)!s:50} [{settings.origins[name]}]"
        print(f"{shown}  {Settings.model_fields[name].description}")
    for name, table in tables.items():
        print(f"[{name}] {', '.join(table)}")
    for name, told in judges_in_force(settings).items():
        print(f"judge {name}: {told.get('problem') or _judge_line(told)}")
    return DONE


def judges_in_force(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the judge in force and those of ``[judges.X]``, each with its version or what is wrong with it."""
    from tasks.judging.profiles import judge_profile, judge_version
    from tasks.models.access import ModelAccess

    access = ModelAccess(settings.models_file)
    told: dict[str, dict[str, Any]] = {}
    for name in dict.fromkeys((settings.judge, *settings.judges)):
        try:
            profile = judge_profile(name, access)
            told[name] = {**profile.model_dump(mode="json"), "version": judge_version(profile, access)}
        except SolonError as error:
            told[name] = {"name": name, "problem": error.failure.line()}
    return told


def _judge_line(told: dict[str, Any]) -> str:
    seats = ", ".join(" > ".join(seat) for seat in told["seats"])
    parts = ["anchors"] if told["anchors"] else []
    if seats:
        parts += [seats, f"rule {told['rule']}", f"votes {told['votes']}", f"batch {told['batch']}"]
        parts += ["canaries"] if told["canaries"] else []
    return f"{'; '.join(parts)} (version {told['version']})"
