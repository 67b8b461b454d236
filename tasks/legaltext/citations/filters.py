"""How words of a text are written in a canonical form: the filters that a form's template may name behind a slot."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from tasks.legaltext.citations.shapes import squeeze, tight

_LEADING: Final = re.compile(
    r"^(?:(?:See|Under|The|In|By|Per|Cf|And|Where|As|Section|Sections|Pursuant|Of|An|A|Any|This|Our|Both|To)\s)+"
)
_COUNTRY: Final = re.compile(
    r"^(?:Singapore|England|Britain|Australia|India|Ireland|Malaysia|Canada|New Zealand|Bermuda|Jersey|Kenya|UK)['’]s\s"
)
_ABSATZ: Final = re.compile(r"\sAbs\.\s(\d)")
_FIRST_LETTER: Final = re.compile(r"^([\d.]+\()([A-Z])(?=\))")
_SMALL: Final = frozenset({"of", "the", "and", "for"})


def act_name(said: str) -> str:
    """Drop the capitalised words of the sentence before the name of an Act: the "Under" of "Under Bribery Act"."""
    return _COUNTRY.sub("", _LEADING.sub("", squeeze(said)))


def _part_or_section(number: str) -> str:
    """Tell a section of the federal regulations ("240.10b-5") from a part ("240")."""
    return f"{'§' if '.' in number else 'pt.'} {number}"


def _article_or_section(number: str) -> str:
    """Tell a section of the Uniform Commercial Code ("2-207") from an article ("9")."""
    return f"{'§' if '-' in number else 'art.'} {number}"


def _lowered(section: str) -> str:
    """Read a section in a caption: in capitals "12(B)(6)" is 12(b)(6)."""
    return _FIRST_LETTER.sub(lambda m: m[1] + m[2].lower(), section)


def _unshouted(title: str) -> str:
    if not title.isupper():
        return title
    return " ".join(word if word in _SMALL else word.capitalize() for word in title.lower().split())


def _stopped(court: str) -> str:
    """End an abbreviated court with a stop; initials ("SDNY") have none."""
    return f"{court}." if court and court[-1] != "." and not court.isupper() else court


def _abbreviated(series: str) -> str:
    """Drop the stops of a law report's initials: "W.L.R." is WLR."""
    return series if "Lloyd" in series or " " in series else series.replace(".", "")


FILTERS: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {
        "squeeze": squeeze,
        "tight": tight,
        "act_name": act_name,
        "part_or_section": _part_or_section,
        "article_or_section": _article_or_section,
        "lowered": _lowered,
        "unshouted": _unshouted,
        "stopped": _stopped,
        "abbreviated": _abbreviated,
        "bracketed": lambda said: _ABSATZ.sub(r"(\1)", said),  # "6 Abs. 1" of a German text is 6(1)
        "digits": lambda said: said.replace(",", ""),
        "hyphen": lambda said: said.replace("\u2013", "-"),
        "spaced": lambda said: " ".join(said.split()),
        "straight": lambda said: said.replace("’", "'"),
        "undashed": lambda said: said.replace("-", ""),
        "undotted": lambda said: said.replace(".", ""),
    }
)
