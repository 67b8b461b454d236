"""Lists and ranges of sections: "§§ 101–103", "§§ 1983, 1985(3) and 1988", "12(b)(1) and (6)".

A range gives its two ends. A hyphen inside a number ("78u-4", "2-207", "47-18-104") is told from that of a range by
what stands on its sides: a range joins two numbers of one shape, the second after the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tasks.legaltext.citations.shapes import PART, SECTION, tight

_ITEM: Final = re.compile(rf"{SECTION}|(?:{PART}){{1,8}}")
_DASH: Final = re.compile(r"[\-\u2010\u2011\u2013\u2014]")
_SPACED: Final = re.compile(r"\s?[\-\u2010\u2011]\s?")
_SIGNED: Final = re.compile(r"§{1,2}\s?$")
_SMALL: Final = 2  # digits of a section that could be a contract's own
_PARTS: Final = re.compile(r"\(([A-Za-z]{1,6}|\d{1,3})\)")
_PIECE: Final = re.compile(r"(\d*)([A-Za-z]*)")
_UNITS: Final = {"i": 1, "v": 5, "x": 10}
_SMALLEST_BARE: Final = 100  # "349-350" is a range; "5-1401" and "18-1101" are numbers of one section


class Section(NamedTuple):
    """One section of a list: where it stands and its whole number."""

    start: int
    end: int
    number: str


def sections_of(text: str, start: int, end: int, plain: bool, plural: bool) -> Iterator[Section]:
    """Yield the sections that a list names, each with its whole number.

    Args:
        text: The text.
        start: Where the list begins.
        end: Where it ends.
        plain: Whether numbers of this body of law hold no hyphen, so that "26-37" is a range.
        plural: Whether the text says "§§", so that "1961-68" is short for 1961 to 1968.
    """
    found: list[Section] = []
    for item in _ITEM.finditer(text, start, end):
        last = found[-1].number if found else ""
        if item[0].lstrip().startswith("("):
            number = _continued(last, tight(item[0]))
            if number:
                found.append(Section(item.end() - len(item[0].lstrip()), item.end(), number))
        elif found and _broken(text[found[-1].end : item.start()], last, item[0]):
            found[-1] = Section(found[-1].start, item.end(), f"{last}-{tight(item[0])}")
        else:
            signed = _SIGNED.search(text, max(start, item.start() - len("§§  ")), item.start()) if found else None
            if signed and not _goes_on(last, item[0]):
                break
            first, *others = _ends(item, plain, plural)
            found.append(first._replace(start=signed.start()) if signed else first)
            found.extend(others)
    yield from found


def _goes_on(last: str, number: str) -> bool:
    """Say whether "§ 164.312" goes on with a list behind "164.308": the same part, or a section of the same size."""
    one, other = re.split(r"[^\w]", last)[0], re.split(r"[^\w]", number)[0]
    if "." in last or "." in number:
        return one == other and "." in last and "." in number
    return (
        len(re.sub(r"\D", "", other)) >= len(re.sub(r"\D", "", one)) - 1 and other[:1].isdigit() and len(other) > _SMALL
    )


def _broken(between: str, last: str, number: str) -> bool:
    """Say whether a hyphen with blanks around it ("1320a - 7(a)") stands inside one number."""
    if _SPACED.fullmatch(between) is None:
        return False
    return _key(last.split("(", maxsplit=1)[0])[0] > _key(number.split("(", maxsplit=1)[0])[0]


def _ends(item: re.Match[str], plain: bool, plural: bool) -> Iterator[Section]:
    head = item[0].split("(")[0].rstrip()
    for dash in _DASH.finditer(head):
        low, high = head[: dash.start()], head[dash.end() :]
        upper = _upper(low, high, plain, plural)
        if upper:
            yield Section(item.start(), item.start() + len(low), tight(low))
            yield Section(item.start() + dash.end(), item.end(), upper + tight(item[0][len(head) :]))
            return
    yield Section(item.start(), item.end(), tight(item[0]))


def _upper(low: str, high: str, plain: bool, plural: bool) -> str:
    """Return the upper end of a range in full, or an empty string where the two are one number."""
    if low.isdigit() and high.isdigit():
        if int(high) > int(low):
            return high if plain or int(low) >= _SMALLEST_BARE else ""
        full = low[: -len(high)] + high if plural and len(high) < len(low) and int(low) >= _SMALLEST_BARE else ""
        return full if full and len(high) > 1 and int(full) > int(low) else ""
    if _shape(low) == _shape(high) and _key(low) < _key(high):
        return tight(high)
    # 1692-1692p, 2000e-2000e-17
    longer = len(high) > len(low) and high.startswith(low) and not high[len(low)].isdigit()
    return tight(high) if longer else ""


def _shape(number: str) -> str:
    return re.sub(r"[A-Za-z]+", "a", re.sub(r"\d+", "9", number))


def _key(number: str) -> list[tuple[int, int, str]]:
    parts = (_PIECE.fullmatch(piece) for piece in re.split(r"\W", tight(number)))
    return [(int(p[1] or 0), len(p[2]), p[2]) for p in parts if p]


def _continued(last: str, parts: str) -> str:
    """Return the section that "(6)" means after "12(b)(1)"; empty where it continues nothing."""
    chain, first = _PARTS.findall(last), _PARTS.findall(parts)[0]
    for level in range(len(chain) - 1, -1, -1):
        if _level(chain[level], first) and _later(first, chain[level]):
            head = last.split("(", maxsplit=1)[0]
            return head + "".join(f"({part})" for part in chain[:level]) + parts
    return ""


def _level(one: str, other: str) -> bool:
    if one.isdigit() or other.isdigit():
        return one.isdigit() and other.isdigit()
    return one.isupper() == other.isupper() and (len(one) == len(other) or bool(_roman(one) and _roman(other)))


def _later(other: str, one: str) -> bool:
    """Say whether (other) comes after (one) in its row; a single "(i)" is a letter beside a letter."""
    if one.isdigit():
        return int(other) > int(one)
    if len(one) + len(other) > 2 and _roman(one) and _roman(other):
        return _roman(other) > _roman(one)
    return other.lower() > one.lower()


def _roman(part: str) -> int:
    """Return the value of a small Roman number; 0 where the letters are none."""
    units = [_UNITS.get(ch, 0) for ch in part.lower()]
    if not all(units):
        return 0
    return sum(-n if units[at + 1 : at + 2] > [n] else n for at, n in enumerate(units))
