"""``solon doctor``: what works on this machine, what does not, and how to repair it."""

from __future__ import annotations

import argparse

from flows.cli.common import DONE, FAILED, Subparsers, command, say_json, settable, settings_of


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = command(subparsers, "doctor", "check the installation, the folders and the tools", "solon doctor", run)
    settable(parser, "home")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.health import examine

    findings = examine(settings_of(args))
    if args.json:
        say_json({"ok": all(f.ok or f.optional for f in findings), "checks": [f.model_dump() for f in findings]})
    else:
        for f in findings:
            mark = "ok     " if f.ok else "missing" if f.optional else "FAILED "
            print(f"{mark} {f.name:20} {f.detail}" + (f"  -> {f.remedy}" if f.remedy and not f.ok else ""))
    return DONE if all(f.ok or f.optional for f in findings) else FAILED
