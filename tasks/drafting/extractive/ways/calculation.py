"""Sums that an ask wants: worked out of the papers with the arithmetic shown; open where an operand is missing."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.due.worked import Worked, shown
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.accounts import ledger
from tasks.drafting.extractive.sums.asked import Asked, wants_no_sum
from tasks.drafting.extractive.sums.balances import balance
from tasks.drafting.extractive.sums.caps import most
from tasks.drafting.extractive.sums.days_between import days_between
from tasks.drafting.extractive.sums.differences import apart, restored
from tasks.drafting.extractive.sums.fits import CLEAR_RESULT, ENOUGH
from tasks.drafting.extractive.sums.holdings import HOLD, part_held, part_of_count
from tasks.drafting.extractive.sums.planner import Planner, ScoredResult
from tasks.drafting.extractive.sums.prices import by_count, converted
from tasks.drafting.extractive.sums.quantities import figures_in
from tasks.drafting.extractive.sums.stated_sums import figures
from tasks.drafting.extractive.sums.totals import sum_of_before, total
from tasks.drafting.extractive.ways.stated import open_entry, span_of, told

_ASKED = re.compile(
    r"\b(?:how much|how many|total|in all|together|come to|add up to|amount|sum|costs?|fees?|price|balance|payout"
    r"|bonus|charges?"
    r"|premium|severance|instal?lments?|share|maximum|at most|the most|minimum|least|below|above|difference"
    r"|outstanding|margin"
    r"|per diem|owes?|owed|rent|interest|penalty|damages|compensation|figure|what percentage|percentage of|pays?"
    r"|remains?|overtime|commission|earn-?out|earn\w*|credit|discount|tax|salary|dividend|royalt(?:y|ies)|refund"
    r"|deposit|surcharge|value|waiver|takes? up)\b",
    re.I,
)
_TOLD = re.compile(
    r"^(?:and |so |if |when |where )*(?:she|he|they|we|it|I)\b(?!.*\b(?:how|what|when|which)\b)", re.I
)  # told, not asked
_DAY = re.compile(r"\b(?:when|until when|how late|(?:what|which|last|latest) (?:day|date)|how long)\b", re.I)
_WANTS = re.compile(r"\b(?:how much|how many|what|which (?:sum|amount|fee))\b", re.I)
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|can|may|does|do|did|says?|must|shall)\b", re.I)
_RATE = re.compile(r"\b(?:what|which) (?:\w+ ){0,3}(?:rate|percentage|per ?cent)\b", re.I)
_MOST = re.compile(r"\b(?:the most|at most|maximum|ever (?:owe|have to pay)|capped?|highest)\b", re.I)
_SURE = 0.5  # part of what is asked that the rule of a result must speak of that is stated as a fact
_SHOWN = 3  # sentences shown beside what is left open
_FIGURES = 6  # figures named of them


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Work out what an ask wants from figures of the papers; None where it wants no figure."""
    wanted = ask.kind is AskKind.CALCULATION
    if not wanted and _TOLD.search(ask.words):
        return None
    made = next((m for way in _DIRECT if (m := way(ask, room)) is not None), None)
    if made is None and _DAY.search(ask.words) and not re.search(r"\bhow much\b", ask.words, re.I):
        return None
    if made is None and not (_ASKED.search(ask.subject) or _RATE.search(ask.words)):
        return None
    if not wanted and not _WANTS.search(ask.words) and _VERB.search(ask.words):
        return None  # a fact that speaks of a sum, and asks for none
    if made is None:
        asked = Asked(ask, room)
        made = (ledger(ask, room) if wanted else None) or _derived(asked) or _read(asked)
    if made is None:
        return _open(ask, room) if wanted else None
    room.worked[ask.ask_id] = made
    room.log.look_up(f"Work out: {ask.words}", "number_scan", {"ask": ask.ask_id}, made.arithmetic)
    entry = Entry(
        document=made.units[0].document if made.units else "",
        state=AskState.ANSWERED,
        answer=shown(made.value, made.unit) + made.more,
        support=tuple(dict.fromkeys(span_of(u) for u in made.units)),
        basis=made.arithmetic,
        certain=made.certain,
    )
    return told(ask, [entry], made.units)


def of_a_list(ask: Ask, room: Room) -> AskAnswer | None:
    """Calculate a sum that is asked for by way of a list: "how much is left after the deductions"."""
    return answer(ask, room) if re.match(r"\W*(?:and )?how much\b", ask.words, re.I) else None


def _read(asked: Asked) -> Worked | None:
    """Return the result of the rule that fits best; to be verified if another rule that fits about as well differs."""
    ask, sums, planner = asked.ask, asked.room.sums, Planner(asked)
    found = [] if wants_no_sum(ask.words) else planner.results()
    if _RATE.search(ask.words):
        found = [s for s in found if s.worked.unit == "percent"]
    if _MOST.search(ask.words):
        tops = [
            ScoredResult(asked.fit_of(f"{t.unit.heading} {t.says}", sums.paragraph(t.unit)), m)
            for t in sums.terms
            if t.caps and (m := most(planner, t))
        ]
        tops = [s for s in sorted(tops, key=lambda s: -s.score) if s.score >= ENOUGH]
        found = tops[:1] or found
    if re.search(r"\bwhat (?:share|part|percentage)\b", ask.words, re.I):
        found = [s for s in found if s.worked.unit == "percent"]
    elif not (_RATE.search(ask.words) or HOLD.search(ask.words)):
        found = [s for s in found if s.worked.unit != "percent"]
    if not found:
        return None
    best = found[0]
    if ask.kind is not AskKind.CALCULATION and not best.told and best.term and _is_stated(asked, best):
        return None
    rivals = {s.worked.value for s in found if s.score >= CLEAR_RESULT * best.score}
    sure = best.worked.certain and len(rivals) == 1 and best.score >= _SURE
    return replace(best.worked, certain=sure)


def _is_stated(asked: Asked, best: ScoredResult) -> bool:
    """Tell whether a paper states a sum whose words fit better than the rule for calculating one."""
    named = [s for s, m in figures(asked, asked.ask.words) if best.term is None or m.units[0] is not best.term.unit]
    return bool(named) and max(named) > best.score


def _derived(asked: Asked) -> Worked | None:
    """Return a result that is the sum, the difference or a part of other results."""
    ways = (part_held, part_of_count) if wants_no_sum(asked.ask.words) else _OF_SUMS
    return next((m for way in ways if (m := way(asked)) is not None), None)


def _open(ask: Ask, room: Room) -> AskAnswer | None:
    """Leave a calculation open, with the figures that it may turn on."""
    asked = Asked(ask, room)
    scored = sorted(
        ((asked.fit_of(f"{u.heading} {u.text}"), u) for r in room.of(ask) for u in r.units), key=lambda t: -t[0]
    )
    near = [u for s, u in scored if s >= ENOUGH]
    told_in = [(u, f) for u in near if (f := figures_in(u.text, "money", "percent", "count", "shares"))][:_SHOWN]
    if not told_in:
        return None
    named = list(dict.fromkeys(f.text for _, found in told_in for f in found))[:_FIGURES]
    units = [u for u, _ in told_in]
    reason = f"the operands are not certain; the nearest passages give {', '.join(named)}"
    return told(ask, [open_entry(reason, units)], units)


_DIRECT = (days_between, sum_of_before, by_count)
_OF_SUMS = (converted, part_held, restored, apart, balance, total)
