"""Corrections where a table of holidays differs from the statute: days added to the library's, and days removed.

Each correction was found by comparing every calendar with formulas from the statute and with other tables (see the
tests). What no statute settles is reported as a doubt where such a day decides a deadline.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

Days = dict[date, str]
_DAY: Final = timedelta(days=1)
_SAINT_ANDREW: Final = 2007  # the year of the Act


def corrected(code: str, place: str | None, year: int, found: Days) -> Days:
    """Return the holidays of a year as the statutes have them.

    Args:
        code: Country of the library, e.g. ``US``.
        place: Its subdivision, e.g. ``NY``.
        year: The year of all days in ``found``.
        found: The library's days.
    """
    days = dict(found)
    for key in dict.fromkeys(((code, None), (code, place))):
        correction = _CORRECTIONS.get(key)
        if correction:
            correction(year, days)
    return days


def easter(year: int) -> date:
    """Return Western Easter Sunday (Gauss's rule, with the golden number's two exceptions)."""
    a, b, c = year % 19, year % 4, year % 7
    century = year // 100
    m = (15 - (13 + 8 * century) // 25 + century - century // 4) % 30
    n = (4 + century - century // 4) % 7
    d = (19 * a + m) % 30
    e = (2 * b + 4 * c + 6 * d + n) % 7
    if (d, e) == (29, 6) or (d == 28 and e == 6 and a > 10):  # the two exceptions of Gauss's rule
        e -= 7
    return date(year, 3, 22) + _DAY * (d + e)


def _first_monday(year: int, month: int) -> date:
    first = date(year, month, 1)
    return first + _DAY * (-first.weekday() % 7)


def _without(days: Days, *words: str) -> None:
    for day in [day for day, name in days.items() if any(word in name for word in words)]:
        parts = [part for part in days[day].split("; ") if not any(word in part for word in words)]
        if parts:
            days[day] = "; ".join(parts)
        else:
            del days[day]


def _scotland(year: int, days: Days) -> None:
    """St Andrew's Day since the St Andrew's Day Bank Holiday (Scotland) Act 2007."""
    if year < _SAINT_ANDREW:
        _without(days, "Saint Andrew", "St. Andrew", "St Andrew")


def _ireland(year: int, days: Days) -> None:  # noqa: ARG001 - one shape for all corrections
    """The day of mourning was in 2001, ten years before the library's, and no public holiday of the Act."""
    days.pop(date(2011, 9, 14), None)


def _france(year: int, days: Days) -> None:
    """Whit Monday stayed a holiday in the years in which it was worked (Law 2004-626)."""
    days.setdefault(easter(year) + 50 * _DAY, "Whit Monday")


def _hong_kong(year: int, days: Days) -> None:
    """Where 1 October is a Sunday, 2 October alone is given for it (General Holidays Ordinance s. 6)."""
    if "following National Day" in days.get(date(year, 10, 3), ""):
        del days[date(year, 10, 3)]


def _canada(year: int, days: Days) -> None:
    """Easter Monday is a holiday (Interpretation Act s. 35(1))."""
    days.setdefault(easter(year) + _DAY, "Easter Monday")


def _ontario(year: int, days: Days) -> None:
    """The Civic Holiday (Ontario Rules of Civil Procedure, r. 1.03)."""
    days.setdefault(_first_monday(year, 8), "Civic Holiday")


def _commemoration(year: int, days: Days) -> None:  # noqa: ARG001 - one shape for all corrections
    """A day of commemoration closes nothing."""
    _without(days, "Susan B. Anthony")


def _new_york(year: int, days: Days) -> None:
    """Each general election day; Lincoln's Birthday moves off a Sunday only (Gen. Constr. Law § 24)."""
    _without(days, "Susan B. Anthony", "Election Day", "Lincoln")
    days.setdefault(_first_monday(year, 11) + _DAY, "Election Day")
    lincoln = date(year, 2, 12)
    days.setdefault(lincoln + _DAY * (lincoln.weekday() == 6), "Lincoln's Birthday")


def _delaware(year: int, days: Days) -> None:
    """The general election as it biennially occurs; no Presidents' Day since 2010 (1 Del. C. § 501)."""
    _without(days, "Election Day")
    if year % 2 == 0:
        days.setdefault(_first_monday(year, 11) + _DAY, "Election Day")


def _texas(year: int, days: Days) -> None:  # noqa: ARG001 - one shape for all corrections
    """Optional holidays close nothing, and a day of the state moves off no weekend (Gov't Code §§ 662.003, 662.004)."""
    _without(days, "Good Friday", "Cesar Chavez", "Christmas Eve (observed)")


_CORRECTIONS: Final[Mapping[tuple[str, str | None], Callable[[int, Days], None]]] = MappingProxyType(
    {
        ("HK", None): _hong_kong,
        ("GB", "SCT"): _scotland,
        ("IE", None): _ireland,
        ("FR", None): _france,
        ("CA", None): _canada,
        ("CA", "ON"): _ontario,
        ("US", "NY"): _new_york,
        ("US", "DE"): _delaware,
        ("US", "TX"): _texas,
        ("US", "CA"): _commemoration,
        ("US", "WI"): _commemoration,
    }
)
# States whose days were compared with a formula from their statute; of the others a deciding day is doubtful.
STATES_OF_STATUTE: Final = frozenset({"DC", "DE", "MA", "NY"})
