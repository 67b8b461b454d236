"""Named legal calendars: which days are holidays where, and under what authority.

Holidays come from the ``holidays`` library with its traps dealt with (categories, subdivisions, observed days at the
turn of the year). What the library cannot know (a closure by executive order) is told as a warning, not guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

ONE_DAY: Final = timedelta(days=1)
# Executive branch closed by executive order; whether a court counts such a day as "declared a holiday by the
# President" (FRCP 6(a)(6)(B)) has been answered differently, so it is for a human.
_CLOSED_BY_ORDER: Final = frozenset(
    {
        *(date(2001, 12, 24), date(2004, 6, 11), date(2007, 1, 2), date(2007, 12, 24), date(2008, 12, 26)),
        *(date(2012, 12, 24), date(2014, 12, 26), date(2018, 12, 5), date(2018, 12, 24), date(2019, 12, 24)),
        *(date(2020, 12, 24), date(2024, 12, 24), date(2025, 1, 9)),
    }
)
_STATE_FAMILIES: Final = ("us_federal_courts", "bankruptcy", "state")
_PLACED_FAMILIES: Final = ("canada", "australia", "germany", "india")
_ALSO: Final = {
    **{"us_federal_court": "us_federal_courts", "us": "us_federal_courts", "federal_courts": "us_federal_courts"},
    **{"us_bankruptcy_court": "bankruptcy", "us_bankruptcy_courts": "bankruptcy", "bankruptcy_court": "bankruptcy"},
    **{"uk": "england_wales", "england": "england_wales", "england_and_wales": "england_wales"},
    **{"target2": "target", "t2": "target", "ecb": "target", "federal_reserve": "fed", "frb": "fed"},
    **{"new_york_stock_exchange": "nyse", "us_irs": "irs", "hk": "hong_kong", "sg": "singapore", "jp": "japan"},
    **{"de": "germany", "ca": "canada", "au": "australia", "in": "india", "us_nyse": "nyse", "us_sifma": "sifma"},
}


class _Source(NamedTuple):
    """A set of holidays of the library."""

    code: str
    subdivision: str | None = None
    categories: tuple[str, ...] = ("public",)
    financial: bool = False


class _Spec(NamedTuple):
    label: str
    authority: str
    both: tuple[_Source, ...]
    forward: tuple[_Source, ...] = ()  # counted only in periods measured after an event
    family: str = ""
    warning: str = ""


_FEDERAL: Final = _Source("US")
_FIXED: Final[Mapping[str, _Spec]] = {
    "us_federal_courts": _Spec(
        "United States federal courts",
        "Fed. R. Civ. P. 6(a)(6)",
        (_FEDERAL,),
        family="frcp",
        warning="State holidays of the district (Fed. R. Civ. P. 6(a)(6)(C)) are not counted: name the state.",
    ),
    "bankruptcy": _Spec(
        "United States bankruptcy courts",
        "Fed. R. Bankr. P. 9006(a)(6)",
        (_FEDERAL,),
        family="frbp",
        warning="State holidays (Fed. R. Bankr. P. 9006(a)(6)(C)) are not counted: name the state.",
    ),
    "us_federal": _Spec("United States (federal holidays)", "5 U.S.C. § 6103(a)", (_FEDERAL,)),
    "eu": _Spec(
        "European Union",
        "Regulation (EEC, Euratom) No 1182/71",
        (),
        warning="Holidays of the Member State or institution (art. 2 of Regulation 1182/71) are not counted: "
        "compare with its published list.",
    ),
    "irs": _Spec("Internal Revenue Service", "26 U.S.C. § 7503", (_Source("US", "DC"),), family="irs"),
    "nyse": _Spec("New York Stock Exchange", "NYSE Rule 7.2", (_Source("NYSE", financial=True),)),
    "sifma": _Spec(
        "SIFMA recommended US bond market schedule",
        "SIFMA holiday schedule (a recommendation)",
        (_Source("XSIF", financial=True),),
        warning="The SIFMA schedule is set year by year: compare with the published one.",
    ),
    "fed": _Spec("Federal Reserve Banks", "Federal Reserve Bank holiday schedule", (_Source("FED", financial=True),)),
    "target": _Spec("TARGET (T2)", "ECB TARGET calendar", (_Source("XECB", financial=True),)),
    "england_wales": _Spec(
        "England and Wales", "CPR 2.8; Banking and Financial Dealings Act 1971", (_Source("GB", "ENG"),), family="cpr"
    ),
    "scotland": _Spec(
        "Scotland",
        "Banking and Financial Dealings Act 1971, Sch 1 para 2",
        (_Source("GB", "SCT"),),
        warning="Court holidays in Scotland differ from bank holidays: check the court's own list.",
    ),
    "northern_ireland": _Spec(
        "Northern Ireland", "Banking and Financial Dealings Act 1971, Sch 1 para 3", (_Source("GB", "NIR"),)
    ),
    "hong_kong": _Spec(
        "Hong Kong", "General Holidays Ordinance (Cap. 149)", (_Source("HK", categories=("public", "optional")),)
    ),
    "singapore": _Spec("Singapore", "Holidays Act 1998", (_Source("SG"),)),
    "canada": _Spec(
        "Canada (federal)",
        "Interpretation Act, R.S.C. 1985, c. I-21, s. 35",
        (_Source("CA", categories=("public", "government")),),
    ),
    "australia": _Spec(
        "Australia (national)",
        "national public holidays",
        (_Source("AU"),),
        warning="Public holidays are set by the states and territories: name one.",
    ),
    "japan": _Spec("Japan", "Act on National Holidays; bank holidays", (_Source("JP", categories=("public", "bank")),)),
    "germany": _Spec(
        "Germany (federal)",
        "§ 193 BGB",
        (_Source("DE"),),
        warning="Holidays of the Land at the place of performance count (§ 193 BGB): name the Land.",
    ),
    "india": _Spec(
        "India (national)",
        "Negotiable Instruments Act 1881 s 25; General Clauses Act 1897 s 10",
        (_Source("IN"),),
        warning="Holidays are notified by each state, bank or court; second and fourth Saturdays may be working days.",
    ),
    "weekends": _Spec("weekends only", "no holidays are counted", ()),
}


class Calendar:
    """The days on which nothing can be done, at one place and for one purpose."""

    def __init__(self, name: str, spec: _Spec) -> None:
        self.name = name
        self.label = spec.label
        self.authority = spec.authority
        self.family = spec.family
        self.warning = spec.warning
        self._spec = spec
        self._years: dict[tuple[int, bool], dict[date, str]] = {}

    def holiday(self, day: date, *, forward: bool = True) -> str:
        """Return the holiday's name, or an empty string.

        Args:
            day: The day asked about.
            forward: Whether the period is measured after an event; state holidays count only then.
        """
        return self._year(day.year, forward=forward).get(day, "")

    def closed(self, day: date, *, forward: bool = True) -> str:
        """Say why the day does not count: "Saturday", "Sunday", a holiday; empty for a business day."""
        if day.weekday() >= 5:
            return ("Saturday", "Sunday")[day.weekday() - 5]
        return self.holiday(day, forward=forward)

    def is_business_day(self, day: date) -> bool:
        """Whether it is neither a weekend nor a holiday."""
        return not self.closed(day)

    def doubtful(self, day: date) -> str:
        """Say why a human should look at this day although it is not a holiday by rule."""
        if day in _CLOSED_BY_ORDER and self.family in {"frcp", "frbp", "irs"}:
            return f"{day}: the executive branch was closed by executive order; ask whether the court was"
        return ""

    def _year(self, year: int, *, forward: bool) -> dict[date, str]:
        key = (year, forward)
        if key not in self._years:
            sources = self._spec.both + (self._spec.forward if forward else ())
            self._years[key] = {}
            for source in sources:
                self._years[key].update(_holidays_of(source, year))
        return self._years[key]


@lru_cache(maxsize=2048)
def _holidays_of(source: _Source, year: int) -> dict[date, str]:
    """Holidays of one year; the next year is read too, since 1 January may be observed on 31 December."""
    import holidays

    years = (year, year + 1)
    if source.financial:
        found = holidays.financial_holidays(source.code, years=years)
    else:
        found = holidays.country_holidays(
            source.code, subdiv=source.subdivision, years=years, categories=source.categories
        )
    return {day: name for day, name in found.items() if day.year == year}


@lru_cache(maxsize=256)
def calendar_named(name: str) -> Calendar:
    """Return a calendar by name.

    Args:
        name: One of ``calendar_names()``, or a family with a place: ``us_federal_courts_ny``, ``bankruptcy_de``,
            ``state_ca``, ``canada_on``, ``australia_nsw``, ``germany_by``, ``india_mh``.

    Raises:
        ValueError: Where no such calendar is known; the message lists those that are.
    """
    key = _key(name)
    key = _ALSO.get(key, key)
    spec = _FIXED.get(key) or _placed(key)
    if spec is None:
        raise ValueError(
            f"no calendar named {name!r}; known: {', '.join(calendar_names())}, and with a place e.g. bankruptcy_ny"
        )
    return Calendar(key, spec)


def _key(name: str) -> str:
    return "_".join(name.strip().lower().replace("-", " ").replace("_", " ").split())


def calendar_names() -> tuple[str, ...]:
    """Return the names of the calendars that need no place."""
    return tuple(sorted(_FIXED))


def _placed(key: str) -> _Spec | None:
    for family in (*_STATE_FAMILIES, *_PLACED_FAMILIES):
        if not key.startswith(f"{family}_"):
            continue
        code = "US" if family in _STATE_FAMILIES else _FIXED[family].both[0].code
        place = _subdivisions(code).get(key[len(family) + 1 :])
        if place is None:
            return None
        if family in _STATE_FAMILIES:
            return _of_state(family, place)
        base = _FIXED[family]
        source = base.both[0]._replace(subdivision=place)
        return _Spec(f"{base.label.split(' (')[0]} ({place})", base.authority, (source,))
    return None


def _of_state(family: str, place: str) -> _Spec:
    state = _Source("US", place)
    if family == "state":
        return _Spec(f"courts of {place}", f"federal and {place} holidays", (_FEDERAL, state))
    bankruptcy = family == "bankruptcy"
    rule = "Fed. R. Bankr. P. 9006(a)(6)" if bankruptcy else "Fed. R. Civ. P. 6(a)(6)"
    label = f"United States {'bankruptcy' if bankruptcy else 'district'} courts in {place}"
    return _Spec(label, rule, (_FEDERAL,), (state,), "frbp" if bankruptcy else "frcp")


@lru_cache(maxsize=16)
def _subdivisions(code: str) -> Mapping[str, str]:
    """Map the code and the names of each place, in lower case with underscores, to its code."""
    import holidays

    country = getattr(holidays, code)
    places = {_key(alias): place for alias, place in country.subdivisions_aliases.items()}
    places.update({_key(place): place for place in country.subdivisions})
    return places
