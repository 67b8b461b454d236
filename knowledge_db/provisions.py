"""The provision catalogue: what a clause of each kind is called and how it is drafted.

Read API over ``data/provisions/*.toml``. It answers; it checks nothing but the form of the data.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from knowledge_db.load import KnowledgeError
from knowledge_db.records import ProvisionEntry

PACKAGED = Path(__file__).parent / "data"
LISTS = ("aliases", "asked", "unasked", "posed", "headings", "strong", "support", "against", "veto")


def load_provisions(folder: Path = PACKAGED) -> tuple[ProvisionEntry, ...]:
    """Return the entries of the catalogue in ``folder``, ordered by file and position.

    Args:
        folder: The knowledge data folder, which holds ``provisions/*.toml``.

    Raises:
        KnowledgeError: An entry breaks its schema (``ProvisionEntry``), or has a pattern that is no regular
            expression; the message names the file and the entry.
    """
    return tuple(
        _entry(raw, path.name) for path in sorted((folder / "provisions").glob("*.toml")) for raw in _entries(path)
    )


def _entries(path: Path) -> list[Any]:
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("provision", [])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"provisions/{path.name}: no TOML: {error}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise KnowledgeError(f"provisions/{path.name}: its entries must stand under [[provision]]")
    return entries


def _entry(raw: Mapping[str, Any], where: str) -> ProvisionEntry:
    try:
        return ProvisionEntry.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise KnowledgeError(f"{where}: {raw.get('name', 'an entry')}: {place}: {first['msg']}") from error
