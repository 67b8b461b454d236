"""Load the families from TOML and CSV files, with errors that name the file and the row."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

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
    files = (path for path in sorted((folder / family).glob("*")) if path.suffix in _READERS)
    return tuple(row for path in files for row in _rows(f"{family}/{path.name}", path.read_bytes(), model))


@lru_cache(
    maxsize=512
)  # of many harness versions that a learner tries, each has nearly all files in common with others
def _rows(where: str, content: bytes, model: type[R]) -> tuple[R, ...]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise KnowledgeError(f"{where}: {error}") from error
    rows: list[R] = []
    for number, raw in enumerate(_READERS[Path(where).suffix](where, text), start=1):
        try:
            rows.append(model.model_validate(raw))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise KnowledgeError(f"{where}, row {number}: {place}: {first['msg']}") from error
    return tuple(rows)


def _toml(where: str, text: str) -> Iterator[dict[str, Any]]:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise KnowledgeError(f"{where}: {error}") from error
    defaults, rows = content.get("defaults", {}), content.get("row", [])
    if not (isinstance(defaults, dict) and isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
        raise KnowledgeError(f"{where}: its rows must stand under [[row]], and shared values under [defaults]")
    for row in rows:
        yield {**defaults, **row}


def _csv(where: str, text: str) -> Iterator[dict[str, Any]]:
    line = 1
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
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
    except csv.Error as error:
        raise KnowledgeError(f"{where}, after line {line}: {error}") from error


_READERS: Final = {".toml": _toml, ".csv": _csv}
