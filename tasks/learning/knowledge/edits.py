"""Edits of the knowledge as data: which rows of one family a new text adds, changes and removes."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from tasks.learning.records import Edit
from tasks.matter.base import Record

# Families that a learner may edit, with the fields that name a row. Provenance is not among them: an edit never
# widens the vocabulary by which it is judged. Nor are the calendars: which days are holidays is not learned.
EDITABLE: Final[Mapping[str, tuple[str, ...]]] = {
    "authorities": ("citation",),
    "windows": ("window_id",),
    "deliverables": ("type_id",),
    "synonyms": ("concept",),
    "inference": ("document_type", "where", "pattern"),
    "questions": ("use", "name"),
    "provisions": ("name",),
}
PATH: Final = re.compile(rf"(?P<family>{'|'.join(EDITABLE)})/[a-z0-9][a-z0-9_-]*\.(?:toml|csv)")
# Fields that hold regular expressions, by family.
PATTERNS: Final[Mapping[str, tuple[str, ...]]] = {
    "inference": ("pattern",),
    "questions": ("patterns", "says"),
    "provisions": (
        "headings",
        "strong",
        "support",
        "against",
        "veto",
        "asked",
        "unasked",
        "denial",
        "within",
        "when",
    ),
}
# Fields in which numbers belong: a citation, a period, a weight, a date of the text.
_NUMERIC: Final = frozenset(
    {"citation", "authority", "also_cited", "n", "unit", "mail_days", "in_force_from", "earlier", "as_of", "weight"}
    | {"provenance", "window_id", "threshold", "max_quotes"}
)


class RowChange(Record):
    """A row that an edit adds, changes or removes; ``before`` is empty for a new row, ``after`` for one removed."""

    key: str
    before: dict[str, Any]
    after: dict[str, Any]

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields that differ."""
        names = dict.fromkeys((*self.before, *self.after))
        return tuple(name for name in names if self.before.get(name) != self.after.get(name))

    def added(self, field: str) -> tuple[str, ...]:
        """Return the values that the field has now and had not."""
        before, after = _values(self.before.get(field)), _values(self.after.get(field))
        return tuple((Counter(after) - Counter(before)).elements())


def family_of(path: str) -> str:
    """Return the family of a path below the knowledge data; empty where the learner may not edit it."""
    found = PATH.fullmatch(path)
    return found["family"] if found and ".." not in PurePosixPath(path).parts else ""


def row_changes(edit: Edit) -> tuple[RowChange, ...]:
    """Return the rows that an edit of the knowledge changes, ordered by key.

    Raises:
        ValueError: One of the two texts is no table of rows.
    """
    family = family_of(edit.path)
    before, after = _rows(edit.before, edit.path, family), _rows(edit.after, edit.path, family)
    return tuple(
        RowChange(key=key, before=before.get(key, {}), after=after.get(key, {}))
        for key in sorted({*before, *after})
        if before.get(key) != after.get(key)
    )


def added_words(edit: Edit) -> str:
    """Return the new values of an edit, a line each, without fields in which numbers belong and without patterns."""
    family = family_of(edit.path)
    apart = {*_NUMERIC, *PATTERNS.get(family, ())}
    return "\n".join(
        v for change in row_changes(edit) for f in change.fields if f not in apart for v in change.added(f)
    )


def added_patterns(edit: Edit) -> tuple[str, ...]:
    """Return the new regular expressions of an edit."""
    family = family_of(edit.path)
    fields = PATTERNS.get(family, ())
    return tuple(v for change in row_changes(edit) for f in fields for v in change.added(f))


def _rows(text: str, path: str, family: str) -> dict[str, dict[str, Any]]:
    read = _toml if path.endswith(".toml") else _csv
    found: dict[str, dict[str, Any]] = {}
    for row in read(text):
        key = " | ".join(str(row.get(field, "")) for field in EDITABLE[family])
        while key in found:  # a key that comes twice is the suites' business; here no row may hide another
            key += " (again)"
        found[key] = row
    return found


def _toml(text: str) -> Iterator[dict[str, Any]]:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"is no TOML: {error}") from error
    strange = sorted(set(content) - {"row", "provision", "defaults"})
    if strange:
        raise ValueError(f"holds {strange[0]!r}, which is no row")
    defaults = content.get("defaults", {})
    for row in (*content.get("row", ()), *content.get("provision", ())):
        if not isinstance(row, dict):
            raise ValueError("a row is no table of fields")
        yield _flat({**defaults, **row})


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Part the effects of a provision into their words and their patterns, which are judged apart."""
    effects = row.get("effects")
    if not isinstance(effects, list) or not all(isinstance(effect, dict) for effect in effects):
        return row  # what is no list of tables is refused by the form gate
    apart = {key: [effect.get(key, "") for effect in effects] for key in ("says", "when")}
    return {**{key: value for key, value in row.items() if key != "effects"}, **apart}


def _csv(text: str) -> Iterator[dict[str, Any]]:
    for row in csv.DictReader(io.StringIO(text, newline=""), strict=True):
        if None in row or None in row.values():
            raise ValueError("a row has another number of fields than the heading")
        yield {k: _split(v) if k in ("keywords", "aliases") else v for k, v in row.items()}


def _split(value: str) -> list[str]:
    return [part.strip() for part in value.split(";") if part.strip()]


def _values(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in _values(inner)]
    if isinstance(value, (list, tuple)):
        return [text for inner in value for text in _values(inner)]
    return [str(value)]
