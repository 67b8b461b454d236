"""Deadline regimes of the knowledge as rules of the deadline tool: every row must be computable."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from difflib import get_close_matches
from typing import Final, cast

from knowledge_db.records import WindowRule
from tasks.reconcile.deadlines.authority import Part, rests_on_rule
from tasks.reconcile.deadlines.calendars import calendar_named
from tasks.reconcile.deadlines.gate import compute
from tasks.reconcile.deadlines.records import Roll
from tasks.reconcile.deadlines.rules import (
    DeadlineRule,
    Unit,
    deadline_rules,
    find_rule,
    plain_citation,
    with_due_date,
)

_ROLLS: Final[dict[str, Roll]] = {"next": "forward", "previous": "backward", "none": "none"}
_COURT_CALENDARS: Final = ("us_federal_court", "us_bankruptcy_court")
# The federal rows name one calendar for all courts; each court counts by its own time rule.
_OWN_RULES: Final = {
    "Fed. R. App. P.": "us_appeals_courts",
    "Fed. R. Crim. P.": "us_criminal",
    "Sup. Ct. R.": "us_supreme_court",
    "26 U.S.C.": "irs",
}
# Trial days for the check: a leap day, a Saturday, the last of a long month, the eve of a year.
_TRIALS: Final = tuple(
    datetime.fromisoformat(f"{day}T16:30") for day in ("2024-02-29", "2023-07-01", "2025-01-31", "2021-12-31")
)


def rule_of(window: WindowRule) -> DeadlineRule:
    """Return the deadline that a row of the knowledge describes; former periods come from the built-in table.

    Raises:
        ValueError: Its calendar or the holidays of its jurisdiction are unknown.
    """
    built_in = next(
        (
            rule
            for rule in deadline_rules().values()
            if (rule.citation, rule.n, rule.unit) == (window.authority, window.n, f"{window.unit}s")
        ),
        None,
    )
    calendar = calendar_named(_place(window))
    served = window.calendar_set in _COURT_CALENDARS and window.trigger.startswith("service of")
    return DeadlineRule(
        rule_id=window.window_id,
        citation=window.authority,
        event=window.trigger,
        act=window.action,
        n=window.n,
        unit=cast(Unit, f"{window.unit}s"),
        direction=window.direction,
        counting="business" if window.calendar in ("business", "trading") else "calendar",
        calendar=calendar.name,
        earlier=built_in.earlier if built_in else (),
        mail=built_in.mail if built_in else served and "summons" not in window.trigger,
        roll=_ROLLS[window.roll],
        roll_authority=window.roll_authority,
        convention=window.count,
        kind=window.kind,
        caution=_caution(window),
    )


def _place(window: WindowRule) -> str:
    """Name the calendar of a row: by its court's own time rule, by what it names, else by its jurisdiction."""
    if window.calendar_set in ("us_federal_court", "us_federal"):
        own = next((name for head, name in _OWN_RULES.items() if window.authority.startswith(head)), "")
        return own or window.calendar_set
    if window.calendar_set:
        return window.calendar_set
    if window.calendar == "trading":
        return "nyse"
    place = window.jurisdiction.casefold()
    country, _, state = place.partition("-")
    if country == "us" and state and state != "ucc":
        return f"state_{state}"
    return {"us": "us_federal", "uk": "england_wales", "gb": "england_wales", "eu": "eu", "intl": "weekends"}.get(
        country, place.replace("-", "_")
    )


def _caution(window: WindowRule) -> tuple[str, ...]:
    """Say what the row itself leaves open."""
    notes = [f"{window.authority}: {window.note}"] if window.note else []
    if "re-verified" in window.provenance:
        notes.append(f"{window.authority}: the period is to be verified against the official text")
    if window.jurisdiction in ("US-UCC", "INTL"):
        notes.append("the place is not given: name its calendar")
    return tuple(notes)


def find_window(name: str, windows: Iterable[WindowRule]) -> DeadlineRule:
    """Return the deadline named by a built-in id, a window's id, or a citation that means one period.

    Raises:
        ValueError: Where there is none, it is no deadline, or a citation stands for several; the message says which.
    """
    if name.strip().lower() in deadline_rules():
        return find_rule(name)
    rows = list(windows)
    for window in rows:
        if window.window_id == name.strip().lower():
            return with_due_date(rule_of(window))
    wanted = plain_citation(name)
    cited = [window for window in rows if plain_citation(window.authority) == wanted]
    cited = [window for window in cited if window.kind == "deadline"] or cited
    try:
        return find_rule(name)
    except ValueError as error:
        if not cited:
            raise ValueError(f"{error}{_near(name, rows)}") from None
    if len({(window.n, window.unit, window.direction) for window in cited}) > 1:
        raise ValueError(f"{name} names several periods: {', '.join(window.window_id for window in cited)}")
    return with_due_date(rule_of(cited[0]))


def _near(name: str, windows: Iterable[WindowRule]) -> str:
    """Name the windows that were perhaps meant."""
    ids = [window.window_id for window in windows]
    words = {word for word in re.split(r"[\W_]+", name.casefold()) if len(word) > 3}
    near = [one for one in ids if words & set(re.split(r"[\W_]+", one))] + get_close_matches(name, ids, n=4)
    listed = ", ".join(dict.fromkeys(near[:12])) or "such as civil_procedure/answer"
    return f"; or a window of the knowledge: {listed}"


def uncomputable(windows: Iterable[WindowRule]) -> list[str]:
    """Return what is wrong with the rows that the deadline tool cannot compute, one line each; empty if none.

    Each row is computed from four awkward days; the due date must lie on the row's side of the event, be an open day
    where the row rolls, and the last step must end on it. A row that rolls must rest on a rule that says so.
    """
    wrong = []
    for window in windows:
        try:
            rule = rule_of(window)
            if not _roll_is_founded(rule):
                raise ValueError(f"it rolls, but neither the rules of {rule.calendar} nor roll_authority say so")
            problems = [problem for trial in _TRIALS if (problem := _problem(rule, trial))]
        except ValueError as error:
            problems = [str(error)]
        if problems:
            wrong.append(f"{window.window_id}: {problems[0]}")
    return wrong


def _roll_is_founded(rule: DeadlineRule) -> bool:
    """Whether the row names, or the rules of its calendar are, an authority for moving off a closed day."""
    part: Part = "roll" if rule.roll == "forward" else "roll_back"
    return rule.roll == "none" or bool(rule.roll_authority) or rests_on_rule(part, calendar_named(rule.calendar).family)


def _problem(rule: DeadlineRule, trial: datetime) -> str:
    compute(trial.date(), rule=rule)  # of an event whose time is not known
    found = compute(trial, rule=rule)
    calendar = calendar_named(found.calendar)
    forward = rule.direction == "after"
    due = found.due_at or datetime.combine(found.due, trial.time())
    same_day = rule.n == 1 and rule.convention in ("beginning_with", "before_the_day")
    if rule.n and (due < trial if same_day else due <= trial) == forward:
        return f"{due} is not {rule.direction} the event of {trial}"
    if rule.roll != "none" and calendar.closed(found.due, forward=forward):
        return f"{found.due} is closed ({calendar.closed(found.due, forward=forward)})"
    if found.steps[-1].on != found.due or not all(step.rule and step.note for step in found.steps):
        return "the steps do not lead to the due date"
    return ""
