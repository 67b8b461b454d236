"""Named calendars against formulas written from the statutes, 2000 to 2030: weekdays only, since weekends are closed.

Compared outside the suite with other tables too (workalendar, exchange_calendars), difference by difference: each kind
of difference is a row of calendar_differences.tsv with what settled it; what the law settled against the holidays
library is in ``deadlines_statutes``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from pathlib import Path

import pytest

from tasks.harness import packaged
from tasks.reconcile.deadlines.book import book_of

CALENDARS = book_of(packaged().knowledge).calendars

DAY = timedelta(days=1)
YEARS = range(2000, 2031)


def easter(year: int) -> date:
    """Western Easter by the computus of Meeus, Jones and Butcher."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    h = (19 * a + b - d - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    i, k = divmod(c, 4)
    step = (32 + 2 * e + 2 * i - h - k) % 7
    month, day = divmod(h + step - 7 * ((a + 11 * h + 22 * step) // 451) + 114, 31)
    return date(year, month, day + 1)


def nth(year: int, month: int, weekday: int, n: int) -> date:
    """The n-th weekday (Monday is 0) of a month; the last one for -1."""
    if n < 0:
        following = date(year + month // 12, month % 12 + 1, 1)
        return following - DAY * ((following.weekday() - weekday - 1) % 7 + 1)
    first = date(year, month, 1)
    return first + DAY * ((weekday - first.weekday()) % 7 + 7 * (n - 1))


def beside(day: date) -> date:
    """Saturday to Friday, Sunday to Monday (5 U.S.C. § 6103(b), E.O. 11582)."""
    return day + DAY * {5: -1, 6: 1}.get(day.weekday(), 0)


def sunday_to_monday(day: date) -> date:
    return day + DAY * (day.weekday() == 6)


def monday_after(day: date) -> date:
    return day + DAY * {5: 2, 6: 1}.get(day.weekday(), 0)


def weekdays(year: int, days: Iterable[date]) -> set[date]:
    return {day for day in days if day.year == year and day.weekday() < 5}


def federal_days(year: int, move: Callable[[date], date]) -> set[date]:
    """5 U.S.C. § 6103(a); Juneteenth since 17 June 2021."""
    fixed = [date(year, 1, 1), date(year, 7, 4), date(year, 11, 11), date(year, 12, 25), date(year + 1, 1, 1)]
    fixed += [date(year, 6, 19)] if year >= 2021 else []
    mondays = {nth(year, m, 0, n) for m, n in ((1, 3), (2, 3), (5, -1), (9, 1), (10, 2))}
    return {move(day) for day in fixed} | mondays | {nth(year, 11, 3, 4)}


def federal(year: int) -> set[date]:
    return federal_days(year, beside)


def reserve_banks(year: int) -> set[date]:
    """Closed on the Monday after a Sunday, open on the Friday before a Saturday."""
    return federal_days(year, sunday_to_monday)


def district_of_columbia(year: int) -> set[date]:
    """D.C. Code § 28-2701: also 16 April since 2005, and 20 January after an election."""
    days = federal(year)
    if year >= 2005:
        days.add(beside(date(year, 4, 16)))
    if year % 4 == 1 and date(year, 1, 20).weekday() != 5:
        days.add(sunday_to_monday(date(year, 1, 20)))
    return days


def new_york(year: int) -> set[date]:
    """N.Y. Gen. Constr. Law § 24 beside the federal holidays: Lincoln, every general election."""
    return federal(year) | {sunday_to_monday(date(year, 2, 12)), nth(year, 11, 0, 1) + DAY}


def delaware(year: int) -> set[date]:
    """1 Del. C. § 501 beside the federal holidays: Good Friday, the Friday of Thanksgiving, the biennial election."""
    days = federal(year) | {easter(year) - 2 * DAY, nth(year, 11, 3, 4) + DAY}
    return days | ({nth(year, 11, 0, 1) + DAY} if year % 2 == 0 else set())


def massachusetts(year: int) -> set[date]:
    """Mass. G.L. c. 4 § 7 cl. 18 beside the federal holidays: Patriots' Day."""
    return federal(year) | {nth(year, 4, 0, 3)}


def christmas_uk(year: int) -> set[date]:
    """25 and 26 December with the weekdays given for them."""
    days = {4: (25, 28), 5: (27, 28), 6: (26, 27)}.get(date(year, 12, 25).weekday(), (25, 26))
    return {date(year, 12, day) for day in days}


def may_uk(year: int) -> set[date]:
    """Early May and spring bank holidays, as proclaimed, and the single days."""
    early = date(2020, 5, 8) if year == 2020 else nth(year, 5, 0, 1)
    jubilees = {2002: ("06-03", "06-04"), 2012: ("06-04", "06-05"), 2022: ("06-02", "06-03")}
    spring = {date.fromisoformat(f"{year}-{d}") for d in jubilees.get(year, ())} or {nth(year, 5, 0, -1)}
    single = {date(2011, 4, 29), date(2022, 9, 19), date(2023, 5, 8)}
    return {early} | spring | {day for day in single if day.year == year}


def england(year: int) -> set[date]:
    """Banking and Financial Dealings Act 1971, Sch 1 para 1, with the proclamations under s 1(3)."""
    good_friday = easter(year) - 2 * DAY
    days = {monday_after(date(year, 1, 1)), good_friday, good_friday + 3 * DAY, nth(year, 8, 0, -1)}
    return days | may_uk(year) | christmas_uk(year)


def scotland(year: int) -> set[date]:
    """Sch 1 para 2: two days of New Year, the first Monday of August, St Andrew since 2007, no Easter Monday."""
    new_year = {4: (1, 4), 5: (3, 4), 6: (2, 3)}.get(date(year, 1, 1).weekday(), (1, 2))
    days = {date(year, 1, day) for day in new_year} | {easter(year) - 2 * DAY, nth(year, 8, 0, 1)}
    if year >= 2007:
        days.add(monday_after(date(year, 11, 30)))
    if year == 2026:
        days.add(date(2026, 6, 15))  # proclaimed for the World Cup
    return days | may_uk(year) | christmas_uk(year)


def northern_ireland(year: int) -> set[date]:
    """Sch 1 para 3: as England, with St Patrick and the Battle of the Boyne."""
    return england(year) | {monday_after(date(year, 3, 17)), monday_after(date(year, 7, 12))}


def canada(year: int) -> set[date]:
    """Interpretation Act s. 35: what it names, on the day itself (Canada Day moves off a Sunday)."""
    friday = easter(year) - 2 * DAY
    victoria = date(year, 5, 24) - DAY * date(year, 5, 24).weekday()
    days = {date(year, 1, 1), friday, friday + 3 * DAY, victoria, sunday_to_monday(date(year, 7, 1))}
    days |= {nth(year, 9, 0, 1), nth(year, 10, 0, 2), date(year, 11, 11), date(year, 12, 25)}
    return days | ({date(year, 9, 30)} if year >= 2021 else set())


def _equinox(year: int, base: float) -> int:
    return int(base + 0.242194 * (year - 1980)) - (year - 1980) // 4


def japan_national(year: int) -> set[date]:
    """The Act on National Holidays as amended, art. 2 and the special laws of 2019 to 2021."""
    days = {date(year, m, d) for m, d in ((1, 1), (2, 11), (4, 29), (5, 3), (5, 5), (11, 3), (11, 23))}
    days |= {nth(year, 1, 0, 2), date(year, 3, _equinox(year, 20.8431)), date(year, 9, _equinox(year, 23.2488))}
    days |= {date(year, 5, 4)} if year >= 2007 else set()
    days |= {date(year, 12, 23)} if year <= 2018 else {date(year, 2, 23)} if year >= 2020 else set()
    games = {2020: ((7, 23), (7, 24), (8, 10)), 2021: ((7, 22), (7, 23), (8, 8))}.get(year)
    if games:
        days |= {date(year, m, d) for m, d in games}
    else:
        days |= {nth(year, 7, 0, 3) if year >= 2003 else date(year, 7, 20), nth(year, 10, 0, 2)}
        days |= {date(year, 8, 11)} if year >= 2016 else set()
    days.add(nth(year, 9, 0, 3) if year >= 2003 else date(year, 9, 15))
    return days | ({date(2019, 5, 1), date(2019, 10, 22)} if year == 2019 else set())


def japan(year: int) -> set[date]:
    """With the substitutes of art. 3(2), the days between of art. 3(3), and the bank holidays around New Year."""
    national = japan_national(year)
    days = set(national)
    for day in sorted(national):
        if day.weekday() == 6:
            substitute = day + DAY
            while year >= 2007 and substitute in national:
                substitute += DAY
            days.add(substitute)
        between = day + DAY
        if between not in days and between + DAY in national and between.weekday() != 6:
            days.add(between)
    return days | {date(year, 1, 2), date(year, 1, 3), date(year, 12, 31)}


def japan_courts(year: int) -> set[date]:
    """Code of Civil Procedure art. 95(3): 29 to 31 December, 2 and 3 January."""
    return japan(year) | {date(year, 12, 29), date(year, 12, 30)}


def germany(year: int) -> set[date]:
    """The nine holidays of every Land; in 2017 Reformation Day too."""
    sunday = easter(year)
    days = {date(year, 1, 1), date(year, 5, 1), date(year, 10, 3), date(year, 12, 25), date(year, 12, 26)}
    days |= {sunday + DAY * n for n in (-2, 1, 39, 50)}
    return days | ({date(2017, 10, 31)} if year == 2017 else set())


def land(code: str) -> Callable[[int], set[date]]:
    """The holidays law of a Land."""

    def days(year: int) -> set[date]:
        found = germany(year)
        sunday = easter(year)
        rules: list[tuple[str, date, int]] = [
            ("bw by st", date(year, 1, 6), 0),
            ("bw by he nw rp sl", sunday + 60 * DAY, 0),
            ("sl", date(year, 8, 15), 0),
            ("bb mv sn st th", date(year, 10, 31), 0),
            ("hb hh ni sh", date(year, 10, 31), 2018),
            ("bw by nw rp sl", date(year, 11, 1), 0),
            ("sn", date(year, 11, 22) - DAY * ((date(year, 11, 22).weekday() - 2) % 7), 0),
            ("be", date(year, 3, 8), 2019),
            ("mv", date(year, 3, 8), 2023),
            ("th", date(year, 9, 20), 2019),
        ]
        found |= {day for places, day, since in rules if code in places.split() and year >= since}
        return found | ({date(year, 5, 8)} if code == "be" and year in (2020, 2025) else set())

    return days


def france(year: int) -> set[date]:
    """Code du travail art. L3133-1."""
    fixed = {date(year, m, d) for m, d in ((1, 1), (5, 1), (5, 8), (7, 14), (8, 15), (11, 1), (11, 11), (12, 25))}
    return fixed | {easter(year) + DAY * n for n in (1, 39, 50)}


def ireland(year: int) -> set[date]:
    """Organisation of Working Time Act 1997, Sch 2; the day itself, without a Monday in its place."""
    days = {date(year, 1, 1), date(year, 3, 17), easter(year) + DAY, date(year, 12, 25), date(year, 12, 26)}
    days |= {nth(year, 5, 0, 1), nth(year, 6, 0, 1), nth(year, 8, 0, 1), nth(year, 10, 0, -1)}
    if year >= 2023:
        brigid = date(year, 2, 1)
        days.add(brigid if brigid.weekday() == 4 else nth(year, 2, 0, 1))
    return days | ({date(2022, 3, 18)} if year == 2022 else set())


def netherlands(year: int) -> set[date]:
    """Algemene termijnenwet art. 3: Good Friday and 5 May every year, the sovereign's day not on a Sunday."""
    royal = date(year, 4, 27) if year >= 2014 else date(year, 4, 30)
    royal -= DAY * (royal.weekday() == 6)
    fixed = {date(year, 1, 1), royal, date(year, 5, 5), date(year, 12, 25), date(year, 12, 26)}
    return fixed | {easter(year) + DAY * n for n in (-2, 1, 39, 50)}


def switzerland(year: int) -> set[date]:
    """Federal constitution art. 110(3)."""
    return {date(year, 8, 1)}


def target(year: int) -> set[date]:
    """The calendar of TARGET since 2002; 31 December 2001 was closed too."""
    fixed = {date(year, 1, 1), date(year, 5, 1), date(year, 12, 25), date(year, 12, 26)}
    extra = {date(2001, 12, 31)} if year == 2001 else set()
    return fixed | {easter(year) - 2 * DAY, easter(year) + DAY} | extra


LAENDER = ["bb", "be", "bw", "by", "hb", "he", "hh", "mv", "ni", "nw", "rp", "sh", "sl", "sn", "st", "th"]
FORMULAS: dict[str, Callable[[int], set[date]]] = {
    **{"us_federal_courts": federal, "us_federal": federal, "fed": reserve_banks, "irs": district_of_columbia},
    **{"bankruptcy_ny": new_york, "state_ny": new_york, "bankruptcy_de": delaware},
    **{"us_federal_courts_ma": massachusetts, "england_wales": england, "scotland": scotland},
    **{"northern_ireland": northern_ireland, "japan": japan, "japan_courts": japan_courts, "germany": germany},
    **{"france": france, "ireland": ireland, "netherlands": netherlands, "target": target},
    **{f"germany_{code}": land(code) for code in LAENDER},
}


def closed(name: str, year: int) -> set[date]:
    calendar = CALENDARS.named(name)
    days = (date(year, 1, 1) + DAY * n for n in range(366))
    return weekdays(year, (day for day in days if calendar.holiday(day)))


@pytest.mark.examples(17)
@pytest.mark.parametrize("name", FORMULAS)
def test_calendar_agrees_with_the_statute(name: str) -> None:
    wrong = {}
    for year in YEARS:
        found, expected = closed(name, year), weekdays(year, FORMULAS[name](year))
        if found != expected:
            wrong[year] = ([f"+{day}" for day in sorted(found - expected)], [f"-{d}" for d in sorted(expected - found)])
    assert not wrong


@pytest.mark.parametrize(("name", "formula"), [("canada", canada), ("switzerland", switzerland)])
def test_calendar_has_at_least_what_the_statute_names(name: str, formula: Callable[[int], set[date]]) -> None:
    for year in YEARS:
        assert weekdays(year, formula(year)) <= closed(name, year), year


def test_every_difference_from_other_tables_is_settled() -> None:
    wrong = []
    lines = (Path(__file__).parent / "calendar_differences.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    assert len(rows) >= 70
    for name, day, state, why in rows:
        holiday = CALENDARS.named(name).holiday(date.fromisoformat(day))
        if bool(holiday) != (state == "closed"):
            wrong.append(f"{name} {day}: should be {state} ({why}), holiday {holiday!r}")
    assert not wrong, "\n".join(wrong)
