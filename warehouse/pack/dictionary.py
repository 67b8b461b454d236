"""The data dictionary of a pack, from the comments of the schema files and the records of the rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from warehouse.pack.allowed import Allowed
from warehouse.records import TABLES

_ENTRY = re.compile(r"^\s*(?P<names>[a-z_]+(?:, [a-z_]+)*): (?P<said>.+)$")
_COLUMN = re.compile(r'^\s+"?(?P<name>\w+)"? (?P<type>[A-Z]+)[^-]*(?:-- (?P<said>.*))?$')


def dictionary(tables: Mapping[str, Sequence[Allowed]]) -> str:
    """Return the dictionary as Markdown."""
    parts = ["# Data dictionary\n", "Every table of the pack, with what each column holds. Times are UTC.\n"]
    for table, columns in tables.items():
        said, types, comments = _schema(table)
        meant = _attributes(table) | comments
        parts.append(f"## {table}\n\n{said}\n\n| column | type | holds | meaning |\n| --- | --- | --- | --- |")
        parts += [f"| {c.column} | {types[c.column]} | {c.shown} | {meant.get(c.column, '')} |" for c in columns]
        parts.append("")
    return "\n".join(parts)


def _schema(table: str) -> tuple[str, dict[str, str], dict[str, str]]:
    """Return what the schema file says of a table, the types of its columns, and what it says of each."""
    lines = files("warehouse").joinpath("schema", f"{table}.sql").read_text("utf-8").splitlines()
    head = [line.removeprefix("-- ") for line in lines if line.startswith("-- ")]
    found = [match for line in lines if (match := _COLUMN.match(line))]
    return (
        " ".join(head),
        {m["name"]: m["type"] for m in found},
        {m["name"]: m["said"] for m in found if m["said"]},
    )


def _attributes(table: str) -> dict[str, str]:
    """Return what the record of a table says of its fields."""
    lines = (TABLES[table].__doc__ or "").partition("Attributes:")[2].splitlines()
    meant: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        if entry := _ENTRY.match(line):
            names = entry["names"].split(", ")
            meant |= dict.fromkeys(names, entry["said"])
        elif line.strip():
            meant |= {name: f"{meant[name]} {line.strip()}" for name in names}
    return meant
