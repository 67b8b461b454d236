"""Which provision supports a step of the arithmetic, under the time rules of a calendar."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Final, Literal

from tasks.reconcile.deadlines.rules import DAYS_ARE_DAYS

Part = Literal[
    "count", "count_back", "months", "roll", "roll_back", "hours", "hours_roll", "service", "inaccessible", "clear"
]
FEDERAL_RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "frcp": "Fed. R. Civ. P. 6",
        "frap": "Fed. R. App. P. 26",
        "frbp": "Fed. R. Bankr. P. 9006",
        "frcrp": "Fed. R. Crim. P. 45",
    }
)
_RESTYLED: Final = date(2007, 12, 1)
# The four sets of federal rules number their time rules alike, but for the days added after service.
_FEDERAL_PARTS: Final[Mapping[Part, str]] = MappingProxyType(
    {
        "count": "(a)(1)(A)-(B)",
        "count_back": "(a)(1), (a)(5)",
        "months": "(a)(1)",
        "roll": "(a)(1)(C)",
        "roll_back": "(a)(5)",
        "hours": "(a)(2)(A)-(B)",
        "hours_roll": "(a)(2)(C)",
        "inaccessible": "(a)(3)",
    }
)
_SERVICE: Final[Mapping[str, str]] = MappingProxyType({"frcp": "(d)", "frap": "(c)", "frbp": "(f)", "frcrp": "(c)"})
_OTHERS: Final[Mapping[str, Mapping[Part, str]]] = MappingProxyType(
    {
        "irs": {"roll": "26 U.S.C. § 7503"},
        "scotus": {"count": "Sup. Ct. R. 30.1", "roll": "Sup. Ct. R. 30.1", "months": "Sup. Ct. R. 30.1"},
        "cpr": {
            "count": "CPR 2.8(2)-(3)",
            "count_back": "CPR 2.8(2)-(3)",
            "months": "CPR 2.10",
            "roll": "CPR 2.8(5)",
            "inaccessible": "CPR 2.8(5)",
            "clear": "CPR 2.8(2)-(3)",
        },
        "eu": {
            "count": "Regulation 1182/71 art. 3(1), (2)(b)",
            "months": "Regulation 1182/71 art. 3(2)(c)",
            "hours": "Regulation 1182/71 art. 3(1), (2)(a)",
            "roll": "Regulation 1182/71 art. 3(4)",
        },
        "bgb": {
            "count": "§§ 187(1), 188(1) BGB",
            "count_back": "§§ 187(1), 188(1) BGB, counted back",
            "months": "§ 188(2)-(3) BGB",
            "roll": "§ 193 BGB",
        },
    }
)
_GENERAL: Final[Mapping[Part, str]] = MappingProxyType(
    {
        "count": "days are counted from the next day",
        "count_back": "days are counted back from the day before",
        "months": "corresponding date",
        "roll": "rolling forward",
        "roll_back": "rolling backward",
        "hours": "hours are counted at once, without a break",
        "hours_roll": "rolling forward",
        "service": "days added for service",
        "inaccessible": "the office was inaccessible",
        "clear": "clear days",
    }
)


def old_rules(family: str, start: date) -> bool:
    """Whether a count is under the federal time rules before 1 December 2009."""
    return family in FEDERAL_RULES and start < DAYS_ARE_DAYS


def short_period(family: str, start: date) -> int:
    """Return the length in days below which the old federal rules skipped weekends and holidays."""
    if family == "frap" and start < date(2002, 12, 1):
        return 7
    return {"frcp": 11, "frap": 11, "frbp": 8, "frcrp": 11}[family]


def rests_on_rule(part: Part, family: str) -> bool:
    """Whether the time rules of a calendar themselves provide for the step."""
    return part in (_FEDERAL_PARTS if family in FEDERAL_RULES else _OTHERS.get(family, {}))


def cite(part: Part, family: str, authority: str, start: date) -> str:
    """Return the provision for a step.

    Args:
        part: What the step does.
        family: The time rules that go with the calendar.
        authority: Authority of the calendar, for steps that rest on a general principle.
        start: Day of the event: the federal rules were renumbered in 2007 and rewritten in 2009.
    """
    head = FEDERAL_RULES.get(family)
    if head and part == "service":
        if family == "frcp" and start < _RESTYLED:
            return "Fed. R. Civ. P. 6(e) (before 2007-12-01)"
        return head + _SERVICE[family]
    if head and part in _FEDERAL_PARTS:
        return f"{head}(a) (before 2009-12-01)" if old_rules(family, start) else head + _FEDERAL_PARTS[part]
    own = _OTHERS.get(family, {}).get(part)
    return own or f"{_GENERAL[part]} ({authority})"
