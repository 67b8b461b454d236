"""Names, codes and signs of jurisdictions, and whose law applies where. Read API over ``data/jurisdictions``."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

PACKAGED = Path(__file__).parent / "data"


@lru_cache(maxsize=8)
def load_jurisdictions(folder: Path = PACKAGED) -> dict[str, str]:
    """Return the usual name of each jurisdiction by each name a contract may use for it."""
    path = folder / "jurisdictions" / "jurisdictions.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    names = [n for group in ("states", "provinces", "countries") for n in data.get(group, [])]
    return {**{n: n for n in names}, **dict(data.get("aliases", {}))}


@lru_cache(maxsize=8)
def us_states(folder: Path = PACKAGED) -> frozenset[str]:
    """Return the states and territories of the United States."""
    path = folder / "jurisdictions" / "jurisdictions.toml"
    return frozenset(tomllib.loads(path.read_text(encoding="utf-8")).get("states", ()))


HOME = frozenset({"US"})  # whose law is meant where none is named
_EVERYWHERE = frozenset({"INTL"})


def codes_in(text: str, folder: Path = PACKAGED) -> frozenset[str]:
    """Return the catalogue's codes of the law districts that a text names; empty where it names none."""
    pattern, codes = _codes(folder)
    return frozenset(codes[match.group()] for match in pattern.finditer(text)) if codes else frozenset()


def applies(jurisdiction: str, places: frozenset[str], folder: Path = PACKAGED) -> bool:
    """Tell whether law of a jurisdiction may apply in one of some places.

    That is the law of a place, of its country (federal law in a state) or, where the country is named, of its parts,
    of a union that it belongs to, and of treaties.
    """
    if jurisdiction in places or jurisdiction in _EVERYWHERE:
        return True
    members = _members(folder).get(jurisdiction, ())
    country = jurisdiction.partition("-")[0]
    uniform = jurisdiction.startswith("US-") and not jurisdiction[3:].isupper()  # model acts
    return any(
        place.partition("-")[0] == jurisdiction
        or place == country
        or place in members
        or (uniform and place[:2] == "US")
        for place in places
    )


@lru_cache(maxsize=8)
def _codes(folder: Path) -> tuple[re.Pattern[str], dict[str, str]]:
    path = folder / "jurisdictions" / "jurisdictions.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    table = data.get("codes", {})
    usual = load_jurisdictions(folder) if path.is_file() else {}
    codes = {name: table[place] for name, place in usual.items() if place in table} | dict(table)
    codes |= dict(data.get("signs", {}))
    names = "|".join(re.escape(name) for name in sorted(codes, key=len, reverse=True)) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{names})(?!\w)"), codes


@lru_cache(maxsize=8)
def _members(folder: Path) -> dict[str, tuple[str, ...]]:
    path = folder / "jurisdictions" / "jurisdictions.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8")).get("members", {}) if path.is_file() else {}
    return {union: tuple(members) for union, members in table.items()}
