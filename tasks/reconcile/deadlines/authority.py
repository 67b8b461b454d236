"""Which provision supports a step of the arithmetic, under the time rules of a calendar."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Final

from knowledge_db.counting import CountingRule, Part
from tasks.reconcile.deadlines.rules import DAYS_ARE_DAYS

FEDERAL_RULES: Final = frozenset({"frcp", "frap", "frbp", "frcrp"})  # their time rules changed together in 2009
_RESTYLED: Final = date(2007, 12, 1)
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
        "working_days": "working days in a period",
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


def cite(part: Part, rule: CountingRule | None, calendar: str, start: date) -> str:
    """Return the provision for a step.

    Args:
        part: What the step does.
        rule: The rule by which the period is counted.
        calendar: Authority of the calendar, for steps without a rule.
        start: Day of the event: the federal rules were renumbered in 2007 and rewritten in 2009.
    """
    if rule is None:
        return f"{_GENERAL[part]} ({calendar})"
    own = rule.parts.get(part, "")
    if rule.counting_id in FEDERAL_RULES and own:
        if part == "service":
            return (
                "Fed. R. Civ. P. 6(e) (before 2007-12-01)"
                if own.startswith("Fed. R. Civ.") and start < _RESTYLED
                else own
            )
        return f"{rule.authority} (before 2009-12-01)" if old_rules(rule.counting_id, start) else own
    return own or f"{_GENERAL[part]} ({rule.authority})"
