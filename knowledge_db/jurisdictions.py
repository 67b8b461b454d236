"""Names, codes and signs of jurisdictions, and whose law applies where. Read API over ``data/jurisdictions``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
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


def of_a_state(jurisdiction: str) -> bool:
    """Tell whether law is that of one state of the United States."""
    return re.fullmatch(r"US-[A-Z]{2}", jurisdiction) is not None


def split_places(text: str, names: str, folder: Path = PACKAGED) -> tuple[frozenset[str], str]:
    """Part the law districts that a text names from its subject.

    Args:
        text: A question.
        names: The names of instruments, casefolded: the New York Convention is none of New York.
        folder: Of the data.

    Returns:
        The codes of the places, or the name of a place whose law the catalogue does not hold (for a state ``US-Utah``:
        federal law applies there); and the text without them.
    """
    pattern, codes = _places(folder)
    places: set[str] = set()

    def left(match: re.Match[str]) -> str:
        following = re.match(r"\W+\w+", text[match.end() :])
        if following is not None and f"{match[0]}{following[0]}".casefold() in names:
            return match[0]
        places.add(codes[match[0]])
        return " "

    topic = pattern.sub(left, text)
    return frozenset(places), topic


@lru_cache(maxsize=8)
def _places(folder: Path) -> tuple[re.Pattern[str], dict[str, str]]:
    codes = _codes(folder)[1]
    names = load_jurisdictions(folder) if codes else {}
    places = {name: f"US-{usual}" if usual in us_states(folder) else usual for name, usual in names.items()} | codes
    return _pattern(places), places


@lru_cache(maxsize=8)
def _codes(folder: Path) -> tuple[re.Pattern[str], dict[str, str]]:
    path = folder / "jurisdictions" / "jurisdictions.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    table = data.get("codes", {})
    usual = load_jurisdictions(folder) if path.is_file() else {}
    codes = {name: table[place] for name, place in usual.items() if place in table} | dict(table)
    codes |= dict(data.get("signs", {}))
    return _pattern(codes), codes


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    longest_first = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{longest_first})(?!\w)")


@lru_cache(maxsize=8)
def _members(folder: Path) -> dict[str, tuple[str, ...]]:
    path = folder / "jurisdictions" / "jurisdictions.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8")).get("members", {}) if path.is_file() else {}
    return {union: tuple(members) for union, members in table.items()}
