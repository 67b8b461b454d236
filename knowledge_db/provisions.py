"""The provision catalogue: what a clause of each kind is called and how it is drafted.

Read API over ``data/provisions/*.toml``. It answers; it checks nothing but the form of the data.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

PACKAGED = Path(__file__).parent / "data"
LISTS = ("aliases", "asked", "unasked", "headings", "strong", "support", "against", "veto")


def load_provisions(folder: Path = PACKAGED) -> tuple[dict[str, Any], ...]:
    """Return the entries of the catalogue in ``folder``, ordered by file and position.

    Args:
        folder: The knowledge data folder, which holds ``provisions/*.toml``.

    Raises:
        ValueError: An entry without a name, with a list that is no list of strings, or with a
            pattern that is no regular expression; the message names the file and the entry.
    """
    entries: list[dict[str, Any]] = []
    for path in sorted((folder / "provisions").glob("*.toml")):
        for entry in _entries(path):
            _check(entry, path.name)
            entries.append(entry)
    return tuple(entries)


def _entries(path: Path) -> list[Any]:
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("provision", [])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"provisions/{path.name}: no TOML: {error}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError(f"provisions/{path.name}: its entries stand under [[provision]]")
    return entries


def _check(entry: Mapping[str, Any], where: str) -> None:
    name = entry.get("name")
    if not isinstance(name, str) or not name:
        raise ValueError(f"{where}: an entry has no name")
    for key in LISTS:
        values = entry.get(key, [])
        if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
            raise ValueError(f"{where}: {name}: {key} is not a list of strings")
        for pattern in values if key != "aliases" else ():
            _check_pattern(pattern, f"{where}: {name}: {key}")
    _check_pattern(str(entry.get("within", "")), f"{where}: {name}: within")
    for effect in entry.get("effects", []):
        if not isinstance(effect, dict) or set(effect) != {"says", "when"}:
            raise ValueError(f"{where}: {name}: an effect has the keys says and when")
        _check_pattern(str(effect["when"]), f"{where}: {name}: effects")


def _check_pattern(pattern: str, where: str) -> None:
    problem = _problem(pattern)
    if problem:
        raise ValueError(f"{where}: {pattern!r}: {problem}")


@lru_cache(maxsize=16_384)
def _problem(pattern: str) -> str:
    """Say why a pattern does not compile; asked again at each load, answered once."""
    try:
        re.compile(pattern)
    except re.error as error:
        return str(error)
    return ""
