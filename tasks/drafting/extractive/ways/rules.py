"""Deadlines that a rule of court sets: which rule, from which day of the papers; the tool counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from knowledge_db.records import WindowRule
from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.due.triggers import Trigger, trigger_day
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.likeness import Likeness
from tasks.drafting.extractive.ways.stated import long_date, open_entry, span_of, told
from tasks.matter.failures import SolonError
from tasks.retrieval.named_laws import jurisdictions_named

_DUE = re.compile(
    r"\b(?:when|due|deadline|(?:last|latest|final) (?:day|date)|(?:what|which) (?:day|date)|answer date|by when"
    r"|until what)\b",
    re.I,
)
_FEDERAL = re.compile(
    r"\bU(?:NITED|nited) S(?:TATES|tates) D(?:ISTRICT|istrict) C(?:OURT|ourt)\b|\bU\.S\. D(?:ISTRICT|istrict)"
    r"|\bFed\. R\. |\b[SNEWMC]\.\s?D\.\s?[A-Z](?:\.|[a-z])|\bD\.\s?[A-Z][a-z]{2,}\.|\bFederal Rules? of\b"
)
# The name of a court is no party: "United States District Court" makes no case of the United States.
_COURT_NAME = re.compile(r"\bunited states (?:district|bankruptcy|magistrate|court)\b", re.I)
_CIVIL = re.compile(r"\bplaintiffs?\b", re.I)  # a case that has one is a civil case, whether a paper calls it so or not
_COURTS = ("us_federal_courts", "us_appeals_courts")
_OUTSIDE = re.compile(r"\babroad\b|\boutside any\b|\bforeign country\b", re.I)
_IN_TIME = re.compile(r"\b(?:in time|timely|on time)\b", re.I)
_TOGETHER = re.compile(r"\b(?P<which>longest|earliest|latest) of the\b", re.I)
_CONDITION = re.compile(r"^\W*(?:and\s+)?if\b[^,]*,\s*(?=when|what|by|how)", re.I)
_ENOUGH = 0.4  # part of what is asked about that a rule must speak of
_CLEAR = 0.9  # another rule that fits nearly as well
# Chosen by eye beside a fit of 1 at most.
_EXTRA = 0.02  # what each word takes off that a rule names and nobody asked about
_MISSED = 0.6  # what it takes off that a rule is of another action, or of another place, than what is asked about
_BRIEF = 0.3  # what it adds, at most, that the rest of the brief speaks of the rule


@dataclass(frozen=True)
class _Fit:
    rule: WindowRule
    score: float


@dataclass(frozen=True)
class _Due:
    rule: WindowRule
    day: date
    trigger: Trigger
    steps: str
    warnings: tuple[str, ...]


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Work out a deadline of procedure in a case before a federal court; None where no rule of it fits the ask."""
    if not (_DUE.search(ask.words) or _IN_TIME.search(ask.words)) or not any(
        _FEDERAL.search(r.text.text) for r in room.readings
    ):
        return None
    found = _rules(ask, room)
    if not found:
        return None
    due, missing = [], []
    for rule in found:
        trigger = _trigger(rule, ask, room)
        if trigger is None:
            missing.append(rule)
        elif made := _count(rule, trigger, room):
            due.append(made)
    if (missing or not due) and ask.kind is not AskKind.CALCULATION:
        return None
    if missing or not due:
        which = "; ".join(
            f"{_period(r)} ({r.authority}; {_standing(r, room)}): the day of {r.trigger}" for r in missing or found
        )
        return told(ask, [open_entry(f"not stated in the papers or the request: {which}", [])])
    return _answered(ask, due, room)


def _standing(rule: WindowRule, room: Room) -> str:
    """Say the date of a period's text and what it was checked against, as the tool does for periods that it counts."""
    return room.knowledge.standings.of(rule.model_dump(mode="json")).said


def _mark(rule: WindowRule, room: Room) -> str:
    """Return what a period whose official text was not read says of that wherever its day is told."""
    found = room.knowledge.standings.of(rule.model_dump(mode="json"))
    changed = ", changed since" if found.changed_since else ""
    return {"official text": "", "second source": ", by a second source"}.get(found.verified, ", not checked") + changed


def _trigger(rule: WindowRule, ask: Ask, room: Room) -> Trigger | None:
    """Return the day that starts the period of a rule; the first one, if several events may start it."""
    return trigger_day(rule.trigger.split(" or ")[0], ask, None, room)


def _rules(ask: Ask, room: Room) -> list[WindowRule]:
    """Return the rules that an ask is about: one, several things asked at once, or periods one of which counts."""
    fits = sorted(_fitting(ask, room), key=lambda f: -f.score)
    if not fits or fits[0].score < _ENOUGH:
        return []
    best = [f.rule for f in fits if f.score >= _CLEAR * fits[0].score]
    chosen = _one(best, ask, room)
    grouped = _TOGETHER.search(chosen[0].note) if chosen else None
    if grouped:
        return [w for w in room.knowledge.windows if w.note == chosen[0].note and w.domain == chosen[0].domain]
    return chosen


def _one(best: Sequence[WindowRule], ask: Ask, room: Room) -> list[WindowRule]:
    """Return the rules that say the same, of several those whose day is known; none where they still differ."""
    if len({_says(w) for w in best}) > 1:
        best = [w for w in best if _trigger(w, ask, room)]
    return list(best) if len({_says(w) for w in best}) == 1 else []


def _says(rule: WindowRule) -> tuple[int, str, str]:
    return rule.n, rule.unit, rule.trigger.replace("the ", "").split(" or ")[0].split(" through ")[0]


def _is_abroad(ask: Ask, room: Room) -> bool:
    """Tell whether the papers place a party that the ask names in another country."""
    names = [n for n in re.findall(r"\b[A-Z][a-z]{3,}\b", ask.words)]
    known = room.knowledge.jurisdictions
    for line in (line for r in room.ours for line in r.text.text.split("\n")):
        places = jurisdictions_named(line, known) if any(n in line for n in names) else []
        if places and not any(p in room.knowledge.us_states or p == "United States" for p in places):
            return True
    return False


def _fitting(ask: Ask, room: Room) -> Iterator[_Fit]:
    """Score the rules of the federal courts against an ask.

    A rule must speak of what is asked; what it says besides must be true of the matter ("removal" of a case that was
    removed, no "counterclaim" where there is none), and it is the better the more of that the request itself tells.
    """
    rules = [w for w in room.knowledge.windows if w.calendar_set in _COURTS and w.kind == "deadline"]
    known = Likeness(room.knowledge.vocabulary, (f"{w.regime} {w.action}" for w in rules))
    brief = known.of(room.job.matter.instructions)
    papers = brief.union(*(known.of(_COURT_NAME.sub(" ", r.text.text)) for r in room.ours))
    if any(_CIVIL.search(r.text.text) for r in room.ours):
        papers |= known.of("civil case")
    spoken = frozenset[str]().union(*(known.asked(f"{w.regime} {w.action}") for w in rules))
    condition = _CONDITION.match(ask.words)
    told_if = known.asked(condition[0]) & spoken if condition else frozenset[str]()
    readings = [r for r in known.readings(ask.words[condition.end() :] if condition else ask.words) if r & spoken]
    if not readings:
        return
    abroad = _is_abroad(ask, room)
    placed = {w.authority for w in rules if _is_outside(w)}
    for rule in rules:
        names, action = known.asked(rule.regime), known.asked(rule.action)
        fits = ((known.shared(r & spoken, names | action), len(r & names), r) for r in readings)
        fit, _, asked = max(fits, key=lambda t: t[:2], default=(0.0, 0, names))
        extra = names - asked - told_if
        score = fit + known.shared(told_if, names) - _EXTRA * len(extra)
        score -= _MISSED * (1 - known.shared(action, asked | names - extra)) if action else 0.0
        score += _BRIEF * sum(map(known.weight, extra & brief)) / (sum(map(known.weight, names)) or 1.0)
        if rule.authority in placed:
            score -= 0.0 if _is_outside(rule) == abroad else _MISSED
            extra -= known.asked("defendant abroad")
        score -= sum(map(known.weight, extra - papers)) / (sum(map(known.weight, names)) or 1.0)
        yield _Fit(rule, score)


def _is_outside(rule: WindowRule) -> bool:
    return bool(_OUTSIDE.search(f"{rule.regime} {rule.note}"))


def _count(rule: WindowRule, trigger: Trigger, room: Room) -> _Due | None:
    arguments: dict[str, Any] = {"trigger": trigger.day.isoformat(), "rule": rule.window_id}
    try:
        made = room.job.toolbox.call("deadline", arguments)
    except SolonError:
        return None
    room.log.act(f"Count {rule.window_id} from {trigger.day}.", "deadline", arguments, made["due"])
    steps = " ".join(f"{s['note']} [{s['rule']}]" for s in made["steps"])
    return _Due(rule, date.fromisoformat(made["due"]), trigger, steps, tuple(made["attention"]))


def _period(rule: WindowRule) -> str:
    return f"{rule.n} {rule.unit}{'' if rule.n == 1 else 's'} {rule.direction} {rule.trigger}"


def _answered(ask: Ask, due: Sequence[_Due], room: Room) -> AskAnswer:
    """Tell the day with its rule; of periods of which one counts the longest or the earliest."""
    which = _TOGETHER.search(due[0].rule.note)
    late = which is not None and which["which"].lower() != "earliest"
    last = max(due, key=lambda d: d.day) if late else min(due, key=lambda d: d.day)
    rules = "; ".join(dict.fromkeys(f"{d.rule.authority}{_mark(d.rule, room)}" for d in due))
    units = list(dict.fromkeys(u for d in due for u in d.trigger.units))
    timely = _timely(ask, last, room)
    notes = dict.fromkeys([*(d.rule.note for d in due if d.rule.note), *last.warnings])
    entry = Entry(
        state=AskState.ANSWERED,
        answer=f"{timely}{long_date(last.day)} ({rules}: {_period(last.rule)}, {last.trigger.how})",
        support=tuple(span_of(u) for u in units),
        basis=" ".join(d.steps for d in due),
        day=last.day.isoformat(),
        note="; ".join(notes),
    )
    return told(ask, [entry], units)


def _timely(ask: Ask, last: _Due, room: Room) -> str:
    """Say whether an act was in time, where that is asked and the papers give its day."""
    if not _IN_TIME.search(ask.words):
        return ""
    done = trigger_day(last.rule.action, ask, None, room)
    if done is None:
        return ""
    return f"{'Yes' if done.day <= last.day else 'No'}: done on {long_date(done.day)}; the last day was "
