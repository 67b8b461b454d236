"""``solon serve``: the Prefect server with its schedules, until interrupted."""

from __future__ import annotations

import argparse
import contextlib

from flows.cli.common import DONE, Subparsers, command, say_json, settable, settings_of


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = command(subparsers, "serve", "run the Prefect server, its UI and the schedules", "solon serve", run)
    parser.add_argument("--stop", action="store_true", help="stop the server that runs under HOME, then exit")
    parser.add_argument("--status", action="store_true", help="report whether a server runs, then exit")
    settable(parser, "home")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.prefect.server import find_server, stop

    settings = settings_of(args)
    home = settings.home / "prefect"
    if args.stop or args.status:
        server = find_server(home)
        stopped = stop(home) if args.stop else False
        state = {"running": bool(server) and not stopped, "ui": server.ui if server else ""}
        if args.json:
            say_json(state)
        else:
            print("stopped" if stopped else f"running: {server.ui}" if server else "no server runs")
        return DONE
    from flows.schedule import serve

    with contextlib.suppress(KeyboardInterrupt):  # how serving ends before it has begun
        serve(settings, ready=lambda ui, names: _ready(args.json, ui, names))
    return DONE


def _ready(as_json: bool, ui: str, names: list[str]) -> None:
    if as_json:
        say_json({"ui": ui, "deployments": names})
    else:
        print(f"Prefect UI   {ui}", flush=True)
        print(f"deployments  {', '.join(names) or 'none ([schedules.NAME] in solon.toml makes one)'}", flush=True)
        print("interrupt (Ctrl-C) to stop", flush=True)
