"""Whether two citations mean one provision, and whether a row counts the period that is right.

Written without the scanner of citations that the tool under test reads with: a fault of it must not hide itself.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

Match = Literal["right", "act", "wrong"]

# Words that say how a place is cited, not what is cited.
_FORM = frozenset(
    re.findall(
        r"\w+",
        "art arts article s ss sec section sections r rr rule rules reg regulation regulations eu ec eec abs no the of "
        "ch and for cap para",
    )
)
_PLACE = re.compile(
    r"(?:§+|\b(?:arts?|articles?|ss?|sec|sections?|rr?|rules?)\b\.?)\s*((?:[LRDA]\.?\s?)?\*?\d[\w./:-]*)", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w.])\d[\w./:-]*")
_REPORTED = re.compile(
    r"\[\d{4}\](?:\s\d+)?\s[A-Z][A-Za-z.]*(?:\s[A-Z][a-z]+)?\s\d+|\b\d+\s[A-Z][A-Za-z0-9.&’' ]*?\s\d+\b"
    r"|\b(?:19|20)\d\d\s[A-Z]{2,6}\s\d+|\bC[-‑]\d+/\d+|\bEU:C:\d+:\d+"
)
_CASE = re.compile(r"\sv\.?\s|\bMatter of\b|\bIn re\b|\[\d{4}\]|\bCase [CT]-|\bEU:[CT]:|\d+ \(.{0,30}\d{4}\)$")
_WHOSE = re.compile(r"(?<=[\w.]) \([A-Z][a-z]+(?: [A-Z][a-z]+)?\)(?= )")  # whose: "C. com. (France) art. 1"
_PENNSYLVANIA = ("Pa.C.S.", "Pa. Cons. Stat.")  # one code; in others each word of the short name begins one of the long
_ALL = 3  # letters up to which none may lack


@dataclass(frozen=True)
class _Provision:
    """A citation of enacted law, taken apart: the words of its instrument, its numbers, and the place in it."""

    words: tuple[str, ...]
    numbers: frozenset[str]
    place: str


def match(held: str, right: str) -> Match:
    """Tell whether a held citation is the right one: ``act`` where it names the act of the right section alone."""
    if _CASE.search(right) or _CASE.search(held):
        return "right" if _one_case(held, right) else "wrong"
    ours, theirs = _provision(held), _provision(right)
    if not _one_instrument(ours, theirs):
        return "wrong"
    if ours.place == theirs.place:
        return "right"
    return "act" if not ours.place else "wrong"


def _one_case(one: str, other: str) -> bool:
    reported, also = ({_squeezed(found) for found in _REPORTED.findall(text)} for text in (one, other))
    if reported & also:
        return True
    years = [set(re.findall(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)", text)) for text in (one, other)]
    names, others = _parties(one), _parties(other)
    return bool(names) and names == others and bool(years[0] & years[1])


def _parties(text: str) -> tuple[str, ...]:
    """Return the first word of the name of each party."""
    sides = re.split(r"\sv\.?\s", re.sub(r"^(?:Case \S+,?|.*? ex rel\.)\s", "", text), maxsplit=1)
    said = [re.findall(r"[A-Za-z][\w’'-]+", side) for side in sides]
    return tuple(words[0].casefold() for words in said if words)


def _squeezed(text: str) -> str:
    return re.sub(r"[\s.‑-]", "", text).casefold()


def _provision(citation: str) -> _Provision:
    text = re.sub(r"\bAbs\.?\s*\d+|\btit\.\s", " ", citation.replace(*_PENNSYLVANIA))
    text = re.sub(r"\bR\.\s?C\.\s?P\.", "R. Civ. P.", re.sub(_WHOSE, "", text))
    text = re.sub(r", c\. [A-Z]?[\d.-]+(?=,| )", "", text)  # the chapter of a Canadian act: no word of its name
    text = re.sub(r"\b(?:[A-Za-z]\.){2,}", lambda m: m[0].replace(".", "") + " ", text)  # U.S.C., N.Y.
    text = re.sub(r"(?<=\w)(?:\s?\((?:[a-z]{1,4}|\d+[a-z]?|[A-Z]{1,2})\))+", "", text)  # subdivisions
    text = re.sub(r"(?<=\b[Aa]rt\. )(\d+)\.\d(?!\d)", r"\1", text)  # a paragraph, as in Spain: "art. 5.1"
    said = _PLACE.search(text)
    if said is None:
        numbers = [m for m in _NUMBER.finditer(text) if not re.fullmatch(r"(?:\d+/)?(?:1[89]|20)\d\d(?:/\d+)?", m[0])]
        place, text = (numbers[-1][0], text[: numbers[-1].start()]) if numbers else ("", text)
    else:
        place, text = said[1], f"{text[: said.start()]} {text[said.end() :]}"
    numbers_left = frozenset(found.casefold().rstrip(".,:") for found in _NUMBER.findall(text))
    words = re.findall(r"[^\W\d_]+", re.sub(r"\b\d[\w./:-]*", " ", text).casefold())
    named = tuple(dict.fromkeys(word for word in words if word not in _FORM))
    return _Provision(named, numbers_left, re.sub(r"^(\D)\.?\s?|[.,:]$", r"\1", place).casefold())


def _one_instrument(one: _Provision, other: _Provision) -> bool:
    if one.numbers and other.numbers and one.numbers != other.numbers:
        return False
    if len(one.numbers) > 1 and one.numbers == other.numbers:
        return True  # an order and its chapter: "Cap. 4A O. 12"
    if any("/" in number for number in one.numbers & other.numbers):
        return True  # a number of its year: "Legge 392/1978", "L. 392/1978"
    if not one.words or not other.words:
        return one == other or (bool(one.numbers) and one.numbers == other.numbers)
    fewer, more = sorted((one.words, other.words), key=len)
    alike = [any(min(len(a), len(b)) > (len(fewer) == 1) and (a.startswith(b) or b.startswith(a)) for b in more)
             for a in fewer]  # fmt: skip
    return all(alike) or (len(fewer) == 1 and _initials(fewer[0], more))


def _initials(short: str, words: tuple[str, ...]) -> bool:
    """Whether letters are those with which the words of a name begin, in any order; of four or more one may lack."""
    long = [word for word in words if len(word) > 2]  # "Code de procédure civile" is the CPC
    asked, forms = Counter(short), [Counter(word[0] for word in some) for some in (words, words[1:], long)]
    lacking = len(short) > _ALL
    return any((asked - form).total() + (form - asked).total() <= lacking for form in forms if len(short) > 2)


_UNITS = r"(?:calendar |clear )?(business |working |court |trading )?(hour|day|week|month|year)s?"
_PERIOD = re.compile(rf"\b(\d+)(?:th|st|nd|rd)?[ -]{_UNITS}\b(?:\s(?:and\s)?(\d+) months?)?(?!-old)", re.IGNORECASE)
_OPEN_DAYS = re.compile(r"(?:business|working|court|trading) days\b", re.IGNORECASE)
_IN = {"week": ("day", 7), "year": ("month", 12)}


def periods(said: str) -> frozenset[tuple[int, str, bool]]:
    """Return the periods that words give: number, unit (hour, day, month) and whether business days count."""
    found: set[tuple[int, str, bool]] = set()
    for part in re.split(r"\s\|\s|,? or (?=\d)|; |(?<=\d) nor more than |and not more than ", said):
        first = _PERIOD.search(part)
        if first is None:
            continue
        n, business, unit, months = first.groups()
        found.add(_plain(int(n), unit.lower(), business is not None, int(months or 0)))
    if bare := re.match(r"\D*(\d+) nor", said):  # "not less than 10 nor more than 60 days"
        found |= {(int(bare[1]), unit, business) for _, unit, business in found}
    return frozenset(found)


def _plain(n: int, unit: str, business: bool, months: int = 0) -> tuple[int, str, bool]:
    unit, times = _IN.get(unit, (unit, 1))
    return n * times + months, unit, business


def same_period(window: dict[str, Any], said: str, days: str = "") -> bool:
    """Tell whether a window counts one of the periods that words give.

    Args:
        window: The window.
        said: The periods in words, parted as in a file of questions.
        days: What the file says of how days are counted; "court days (...)" makes plain days such days.
    """
    if _OPEN_DAYS.match(days):
        said = re.sub(r"(?<=\d) (?=days?\b)", " business ", said)
    return _plain(window["n"], window["unit"], window["calendar"] != "calendar") in periods(said)
