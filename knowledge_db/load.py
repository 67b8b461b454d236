"""Load the families from TOML and CSV files, with errors that name the file and the row."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from knowledge_db.records import KnowledgeRow

R = TypeVar("R", bound=KnowledgeRow)
_LISTS = ("keywords", "aliases", "also_cited", "earlier", "asked")


class KnowledgeError(ValueError):
    """A row that breaks its schema; the message names the file and the row."""


def rows_of(folder: Path, family: str, model: type[R]) -> tuple[R, ...]:
    """Return the rows of a family: all of ``folder/<family>/*.{toml,csv}``, by file and position.

    A TOML file holds an array of tables named ``row`` and may hold a table ``defaults`` that every row inherits.
    In a CSV file, a column that holds several values (``aliases``, ``earlier`` …) separates them by semicolons.

    Raises:
        KnowledgeError: A file cannot be parsed or a row breaks the schema.
    """
    rows: list[R] = []
    for path in sorted((folder / family).glob("*")):
        reader = {".toml": _toml, ".csv": _csv}.get(path.suffix)
        if reader is None:
            continue
        for number, raw in enumerate(reader(path), start=1):
            try:
                rows.append(model.model_validate(raw))
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(map(str, first["loc"]))
                raise KnowledgeError(f"{family}/{path.name}, row {number}: {where}: {first['msg']}") from error
    return tuple(rows)


def _toml(path: Path) -> Iterator[dict[str, Any]]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"{path.parent.name}/{path.name}: {error}") from error
    defaults, rows = content.get("defaults", {}), content.get("row", [])
    if not (isinstance(defaults, dict) and isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
        raise KnowledgeError(
            f"{path.parent.name}/{path.name}: its rows must stand under [[row]], and shared values under [defaults]"
        )
    for row in rows:
        yield {**defaults, **row}


def _csv(path: Path) -> Iterator[dict[str, Any]]:
    where, line = f"{path.parent.name}/{path.name}", 1
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream, strict=True)
            for number, row in enumerate(reader, start=1):
                line = reader.line_num
                if None in row or None in row.values():
                    named = len(reader.fieldnames or ())
                    raise KnowledgeError(
                        f"{where}, row {number} (line {line}): it has not the {named} values of the header; "
                        "put a value that holds commas in quotation marks, and close them"
                    )
                yield {
                    key: tuple(part.strip() for part in value.split(";") if part.strip()) if key in _LISTS else value
                    for key, value in row.items()
                }
    except (csv.Error, UnicodeDecodeError) as error:
        raise KnowledgeError(f"{where}, after line {line}: {error}") from error
