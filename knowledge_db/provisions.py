"""The provision catalogue: what a clause of each kind is called and how it is drafted.

Read API over ``data/provisions/*.toml``. It answers; it checks nothing but the form of the data.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
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
    files = sorted((folder / "provisions").glob("*.toml"))
    return tuple(entry for path in files for entry in _entries(path.name, path.read_bytes()))


@lru_cache(maxsize=1024)  # of many harness versions that a learner tries, each has most files in common with others
def _entries(name: str, content: bytes) -> tuple[ProvisionEntry, ...]:
    try:
        entries = tomllib.loads(content.decode("utf-8")).get("provision", [])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"provisions/{name}: no TOML: {error}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise KnowledgeError(f"provisions/{name}: its entries must stand under [[provision]]")
    return tuple(_entry(raw, name) for raw in entries)


def _entry(raw: Mapping[str, Any], where: str) -> ProvisionEntry:
    try:
        return ProvisionEntry.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise KnowledgeError(f"{where}: {raw.get('name', 'an entry')}: {place}: {first['msg']}") from error
