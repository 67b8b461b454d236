"""``solon export``: an open data pack, without rubrics and without client data."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from flows.cli.common import DONE, FAILED, Subparsers, command, say, say_json, settable, settings_of


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = command(
        subparsers,
        "export",
        "write an open data pack: Parquet by table, a dictionary and hashes, without rubrics or facts of clients",
        "solon export ../pack --run-id first --name cell --name judge",
        run,
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the pack goes; absent or empty")
    parser.add_argument("--run-id", action="append", metavar="R", help="a run to give away; repeat (default: all)")
    parser.add_argument(
        "--name",
        action="append",
        choices=("run", "cell", "profile", "judge"),
        help="names to tell as they are; without it each has a stand-in such as cell-0001",
    )
    settable(parser, "home", "warehouse")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.packing import vocabularies
    from flows.runs.held_out import landed_attempts, record_looks
    from warehouse.pack import PackError, write_pack
    from warehouse.sql import QueryError

    settings = settings_of(args)
    try:
        record_looks(landed_attempts(settings, args.run_id), settings, "export")
        pack = write_pack(
            settings.warehouse,
            args.folder,
            vocabularies(),
            args.run_id or (),
            args.name or (),
            scan=_leaks,
        )
    except (PackError, QueryError) as exc:
        say(f"solon: {exc}")
        return FAILED
    if args.json:
        say_json({"folder": str(pack.folder), "rows": pack.rows, "withheld": pack.withheld})
    else:
        print(f"{sum(pack.rows.values())} rows of {len(pack.rows)} tables in {pack.folder}")
        for column, n in pack.withheld.items():
            print(f"{n} values of {column} are left empty: they are no words of its vocabulary")
    return DONE


def _leaks(protected: Iterable[str], written: Sequence[str]) -> bool:
    """Tell whether a text of the pack contains a protected text, using the scanner that finds rubrics in documents."""
    from tasks.matter.leakscan import RubricScan

    scanner = RubricScan(protected)
    return any(scanner.found_in(text) for text in written)
