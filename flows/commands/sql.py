"""``solon sql``: a question to the warehouse."""

from __future__ import annotations

import argparse
import sys

from flows.commands.common import DONE, FAILED, Subparsers, command, places, say, say_json, settings_of
from tasks.matter.failures import visible


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = 'solon sql how_did_each_cell_do\n  solon sql "SELECT cell, pooled_pass FROM cells"'
    parser = command(subparsers, "sql", "ask the warehouse: SQL, or a question by its name", example, run)
    parser.add_argument(
        "query", nargs="?", metavar="QUERY|NAME", help="one SQL statement or a name; none lists the names"
    )
    parser.add_argument("--run-id", metavar="R", help="keep the rows of one run")
    places(parser, "home", "warehouse")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from warehouse.sql import QueryError, named_queries, run_query

    if not args.query:
        return _names(named_queries(), args.json)
    try:
        frame = run_query(settings_of(args).warehouse, args.query, run_id=args.run_id)
    except QueryError as exc:
        say(f"solon: {exc}")
        return FAILED
    if args.json:
        say_json(frame.to_dicts())
    elif sys.stdout.isatty():
        _table(frame.columns, frame.rows())
    else:
        print(frame.write_csv(), end="")
    return DONE


def _names(names: dict[str, str], as_json: bool) -> int:
    if as_json:
        say_json(names)
    else:
        for name, purpose in names.items():
            print(f"{name:42} {purpose}")
    return DONE


def _table(columns: list[str], rows: list[tuple[object, ...]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    def shown(value: object) -> Text:
        # foreign text: neither markup of ours nor codes that a terminal obeys
        told = "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
        return Text("\n".join(visible(line) for line in told.split("\n")))

    table = Table(*(escape(visible(column)) for column in columns))
    for row in rows:
        table.add_row(*map(shown, row))
    Console().print(table)
