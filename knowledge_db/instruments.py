"""Names of statutes that tell whose law a question is about: "Divorce Act" is Canadian, "InsO" German.

Read from the citations of the catalogue alone. A name that held law of the United States bears, too, tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from knowledge_db.jurisdictions import HOME, applies
from knowledge_db.records import Authority

_PLACED = re.compile(r"\s(?:arts?\.|ss?\.|rr?\.|regs?\.|§+|pt\.|sch\.|O\.)\s", re.IGNORECASE)
_GERMAN = re.compile(r"^(?:§+|Arts?\.)\s\S+\s(?:(?:Abs|Nr|S)\.\s\S+\s)*([A-Z]\w*(?:\s[IVX]+)?)\b")
_WHERE = re.compile(r"\s\([^()]*\)$|,\s.*$")  # "(Singapore)"; ", R.S.C. 1985, c. 3"
_YEAR = re.compile(r",?\s(?:1[89]|20)\d\d$")
_NAMED = 2  # capital words of a name that is no code
_CODE = 3  # letters
_GENERIC = re.compile(r"^\w+ (?:Code|Rules|Convention)$|^Rules ")


class Instruments:
    """The names of the instruments of a catalogue, and where each is law."""

    def __init__(self, authorities: Iterable[Authority]) -> None:
        """Remember the authorities; their names are gathered at the first question."""
        self._authorities = tuple(row for row in authorities if row.kind != "case")

    def places(self, text: str) -> frozenset[str]:
        """Return the law districts whose statutes a text names; none where it names none.

        Where neither year nor code tells it from others ("Divorce Act"), an Act of the United States may be called so.
        """
        found = frozenset[str]()
        for match in self._pattern.finditer(text):
            longer = re.search(r"[A-Z][\w’']*\s(?:and\s|of\s)?$", text[: match.start()])  # "Federal Arbitration Act"
            if longer is None or _tells(match[0]):
                found |= self._by_name[match[0]] | (frozenset() if _tells(match[0]) else HOME)
        return found

    @cached_property
    def _by_name(self) -> dict[str, frozenset[str]]:
        """Where each name is law; one with its year is known in small letters, too."""
        found: dict[str, set[str]] = {}
        for row in self._authorities:
            for name in _names(row.citation) if row.jurisdiction != "INTL" else ():
                found.setdefault(name, set()).add(row.jurisdiction)
        home = " | ".join(
            " ".join((row.title, row.note, *row.keywords)) for row in self._authorities if _at_home(row)
        ).casefold()
        return {
            name: frozenset(places)
            for name, places in found.items()
            if not any(applies(place, HOME) for place in places) and (_tells(name) or name.casefold() not in home)
        }

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        names = sorted(self._by_name, key=len, reverse=True)
        return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names)) or '(?!)'})(?![\w-])")


def _at_home(row: Authority) -> bool:
    return row.jurisdiction.partition("-")[0] in HOME


def _tells(name: str) -> bool:
    return _YEAR.search(name) is not None or " " not in name


def _names(citation: str) -> Iterable[str]:
    """Yield the names by which the instrument of a citation is called: whole, and without its place and year."""
    if german := _GERMAN.match(citation):
        name = german[1]
    else:
        name = _PLACED.split(citation, maxsplit=1)[0]
        name = name if name != citation else ""
    if name.startswith(("Loi n", "Lei ", "Ley ", "Legge ", "Regulation (", "Directive ")):
        return
    while name != (shorter := _WHERE.sub("", name)):
        name = shorter
    if " " not in name:
        if len(name) >= _CODE and sum(map(str.isupper, name)) >= _NAMED:
            yield name
        return
    bare = _YEAR.sub("", name)
    if bare != name:
        yield from (name, name.casefold())
    if len(re.findall(r"\b[A-ZÉ]\w+", bare)) >= _NAMED and not _GENERIC.search(bare):
        yield bare
