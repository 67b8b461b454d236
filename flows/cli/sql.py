"""``solon sql``: a question to the warehouse."""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.common import DONE, FAILED, Subparsers, command, say, say_json, settable, settings_of
from tasks.matter.failures import visible

if TYPE_CHECKING:
    import polars as pl

    from flows.settings import Settings

_KNOWLEDGE = re.compile(r'(?<![\w.])"?knowledge"?\s*\.', re.IGNORECASE)


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = (
        'solon sql how_did_each_cell_do\n  solon sql "SELECT cell, pooled_pass FROM cells"\n'
        "  solon sql knowledge_by_jurisdiction\n"
        "  solon sql \"SELECT citation, title FROM knowledge.authorities WHERE jurisdiction = 'US-DE'\""
    )
    parser = command(subparsers, "sql", "ask the warehouse: SQL, or a question by its name", example, run)
    parser.add_argument(
        "query", nargs="?", metavar="QUERY|NAME", help="one SQL statement or a name; without it, list the names"
    )
    parser.add_argument("--run-id", metavar="R", help="keep the rows of one run")
    settable(parser, "home", "warehouse")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from warehouse.sql import QueryError, named_queries

    if not args.query:
        return _names(named_queries(), args.json)
    try:
        frame = answer(settings_of(args), args.query, args.run_id)
    except QueryError as exc:
        say(f"solon: {exc}")
        return FAILED
    if args.json:
        say_json(frame.to_dicts())
    elif sys.stdout.isatty():
        _table(frame.columns, frame.rows())
    else:
        print(_flat(frame).write_csv(), end="")
    return DONE


def answer(settings: Settings, query: str, run_id: str | None = None) -> pl.DataFrame:
    """Answer a question from the warehouse; until one holds the knowledge, from the files of the knowledge.

    Raises:
        QueryError: The question cannot be answered.
        SolonError: The knowledge breaks its schema.
    """
    from flows.land import knowledge_rows
    from warehouse.knowledge import holds_knowledge, write_knowledge
    from warehouse.sql import run_query, statement

    database = settings.warehouse
    if not _KNOWLEDGE.search(statement(query)) or (database.exists() and holds_knowledge(database)):
        return run_query(database, query, run_id=run_id)
    with tempfile.TemporaryDirectory(prefix="solon-") as folder:
        database = Path(folder) / "solon.duckdb"  # a file named like a schema of ours would hide it
        write_knowledge(database, knowledge_rows(settings))
        return run_query(database, query, run_id=run_id)  # through the same guarded, read-only connection


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame with lists as JSON, since CSV has no lists."""
    import polars as pl

    def told(value: object) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False, default=str)

    nested = {name: map(told, frame[name].to_list()) for name, kind in frame.schema.items() if kind.is_nested()}
    return frame.with_columns(pl.Series(name, list(values), dtype=pl.String) for name, values in nested.items())


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

    from warehouse.report import figures

    def shown(column: str, value: object) -> Text:
        # foreign text: neither markup of ours nor codes that a terminal obeys
        none = figures.rate(None) if figures.FORMATS.get(column) is figures.rate else ""
        told = none if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
        return Text("\n".join(visible(line) for line in told.split("\n")))

    table = Table(*(escape(visible(column)) for column in columns))
    for row in rows:
        table.add_row(*map(shown, columns, row))
    Console().print(table)
