"""The allow-list of the pack, as SQL: each column as it is, as a word of a vocabulary, or under a stand-in."""

from __future__ import annotations

import re
import tomllib
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from warehouse.records import TABLES

NAMES: Final = ("run", "cell", "profile", "judge")  # what whoever gives the pack away may choose to tell
_SAFE: Final = re.compile(r"[a-z_]+( [a-z_]+)?")
_LITERAL: Final = re.compile(r"[A-Za-z0-9_. -]*")


@dataclass(frozen=True)
class Allowed:
    """One column that may be given away.

    Attributes:
        how: plain, one of, word, hash, area or name.
        words: Of a vocabulary or of the record itself.
        kind: Of the names that it holds.
    """

    table: str
    column: str
    how: str
    words: tuple[str, ...] = ()
    kind: str = ""

    @property
    def shown(self) -> str:
        """Say how the column is treated, for the dictionary."""
        told = {
            "plain": "as it is",
            "one of": f"one of: {', '.join(w or '(empty)' for w in self.words)}",
            "word": f"one of: {', '.join(w or '(empty)' for w in self.words)}",
            "hash": "a content hash, or empty",
            "area": "a practice area of LAB, or empty",
            "name": f"a stand-in for the {self.kind}",
        }
        return told[self.how]

    def sql(self, open_names: typing.Collection[str] = ()) -> str:
        """Return the expression that the pack holds in its place."""
        column = f't."{self.column}"'
        if self.how == "plain" or self.kind in open_names:
            return column
        if self.how in ("one of", "word"):
            words = ", ".join(f"'{word}'" for word in self.words)
            return f"CASE WHEN {column} IN ({words}) THEN {column} ELSE '' END"
        if self.how == "hash":
            return f"CASE WHEN regexp_full_match({column}, '[0-9a-f]{{40,64}}') THEN {column} ELSE '' END"
        if self.how == "area":
            key = f"replace(regexp_replace(lower({column}), '[^a-z]+', '', 'g'), 'and', '')"
            return f"coalesce((SELECT practice_area FROM practice_areas p WHERE p.area_key = {key}), '')"  # noqa: S608
        return f"coalesce((SELECT s.stand_in FROM stand_ins s WHERE s.kind = '{self.kind}' AND s.name = {column}), '')"  # noqa: S608


Words = Mapping[str, Sequence[str]]  # vocabularies by name


def allowed(given: Words) -> dict[str, list[Allowed]]:
    """Return what may be given away, by table.

    Args:
        given: The vocabularies that only the code above the warehouse knows, by name.

    Raises:
        ValueError: The list cannot be used, or asks for a vocabulary that nobody gave.
    """
    listed = tomllib.loads(files("warehouse.pack").joinpath("columns.toml").read_text("utf-8"))
    known = {**listed["vocabularies"], **given}
    vocabularies = {name: tuple(map(str, words)) for name, words in known.items()}
    return {
        table: [_column(table, column, how, vocabularies) for column, how in columns.items()]
        for table, columns in listed["tables"].items()
    }


def _column(table: str, column: str, how: str, vocabularies: dict[str, tuple[str, ...]]) -> Allowed:
    field = TABLES[table].model_fields[column]
    head, _, tail = how.partition(" ")
    words: tuple[str, ...] = ()
    if how == "one of":
        words = _words_of(field.annotation)
    elif head == "word":
        if tail not in vocabularies:
            raise ValueError(f"columns.toml: {table}.{column} takes words of {tail!r}, and none were given")
        words = vocabularies[tail]
    if not _SAFE.fullmatch(how) or not all(_LITERAL.fullmatch(word) for word in words):
        raise ValueError(f"columns.toml: {table}.{column}: {how!r} cannot be used")
    if how == "plain" and _holds_text(field.annotation):
        raise ValueError(f"columns.toml: {table}.{column} is text, and text is never given away as it is")
    return Allowed(table, column, "one of" if how == "one of" else head, words, tail if head == "name" else "")


def _words_of(annotation: Any) -> tuple[str, ...]:
    words = typing.get_args(annotation) if typing.get_origin(annotation) is typing.Literal else ()
    if not words:
        raise ValueError(f"columns.toml: a column 'one of' has no words in its record: {annotation}")
    return tuple(words)


def _holds_text(annotation: Any) -> bool:
    if typing.get_origin(annotation) is typing.Literal:
        return True
    return annotation is str or any(_holds_text(inner) for inner in typing.get_args(annotation) if inner is not None)
