"""Named deadlines: what must be done, how long after or before what, and how the period changed over time."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Final, Literal, NamedTuple, cast

from knowledge_db.counting import CountingRule
from knowledge_db.records import WindowRule
from tasks.reconcile.deadlines.records import Convention, Counting, Direction, Kind, Roll

Unit = Literal["days", "weeks", "months", "years", "hours"]
DAYS_ARE_DAYS: Final = date(2009, 12, 1)  # the time-computation amendments of all federal rules
_ROLLS: Final[dict[str, Roll]] = {"next": "forward", "previous": "backward", "none": "none"}
_SHORT: Final = {
    **{"frcp": "fedrcivp", "frap": "fedrappp", "frbp": "fedrbankrp", "frcrp": "fedrcrimp", "frcrimp": "fedrcrimp"},
    **{"federalruleofcivilprocedure": "fedrcivp", "federalruleofbankruptcyprocedure": "fedrbankrp"},
    **{"federalruleofappellateprocedure": "fedrappp", "federalruleofcriminalprocedure": "fedrcrimp"},
    **{"cplr": "nycplr", "ccp": "calcivproccode", "trcp": "texrcivp", "dgcl": "8delc"},
    **{"fedrbankp": "fedrbankrp", "bankrr": "fedrbankrp", "rule": "fedrcivp"},
}

DUE: Final[tuple[Kind, ...]] = ("deadline", "decision")
NO_DUE_DATE: Final[dict[Kind, str]] = {
    "earliest": "it only fixes the first day on which something may be done",
    "waiting": "it is a waiting period that must have passed before something may be done",
    "look_back": "the law looks back so far from the event; nothing has to be done on that day",
    "duration": "a state lasts, or a fact is measured, so long; nothing has to be done on its last day",
    "minimum": "the law only fixes the least period; the period that was set or agreed decides",
}


class DeadlineRule(NamedTuple):
    """A period fixed by law, as the deadline tool counts it.

    Attributes:
        rule_id: Stable name for commands.
        citations: The provision, then the other ways to cite the same period.
        event: What starts the period (or what it counts back from).
        act: What must be done.
        n: The period in force.
        calendar: Default calendar; a court's state is named by the caller.
        since: Day from which the oldest known period was in force; None where no day is known.
        earlier: Former periods: ``(until, n)`` for triggers before ``until``, oldest first.
        mail_days: Days added after service by mail (Fed. R. Civ. P. 6(d) and its like).
        counted_by: The rule of counting of its law or forum; that of the calendar where it is None.
        roll: What to do when the last day is closed.
        roll_authority: What makes the period roll.
        convention: From where the days are counted.
        kind: What the end of the period is; only a deadline has a due date.
        caution: What a human must look at whenever the rule is used.
        exceptions: When another period, or none, applies.
        tolling: What suspends or extends the period.
    """

    rule_id: str
    citations: tuple[str, ...]
    event: str
    act: str
    n: int
    unit: Unit
    direction: Direction
    counting: Counting
    calendar: str
    since: date | None
    earlier: tuple[tuple[date, int], ...]
    mail_days: int
    counted_by: CountingRule | None
    roll: Roll
    roll_authority: str
    convention: Convention
    kind: Kind
    caution: tuple[str, ...]
    exceptions: str
    tolling: str

    @property
    def citation(self) -> str:
        """The provision."""
        return self.citations[0]

    def period(self, trigger: date) -> int:
        """Return the period in force on the day of the trigger; the oldest known one for earlier days."""
        for until, n in self.earlier:
            if trigger < until:
                return n
        return self.n


def rule_of(window: WindowRule, calendar: str, counted_by: CountingRule | None = None) -> DeadlineRule:
    """Return the rule that a row of the knowledge describes, counted on a calendar by a rule of counting."""
    versions = window.versions
    changed = [day for day, _ in versions[:-1] if day]
    return DeadlineRule(
        rule_id=window.window_id,
        citations=(window.authority, *window.also_cited),
        event=window.trigger,
        act=window.action,
        n=window.n,
        unit=cast(Unit, f"{window.unit}s"),
        direction=window.direction,
        counting="business" if window.calendar in ("business", "trading") else "calendar",
        calendar=calendar,
        since=versions[-1][0],
        earlier=tuple(zip(reversed(changed), [n for _, n in reversed(versions[1:])], strict=True)),
        mail_days=window.mail_days,
        counted_by=counted_by,
        roll=_ROLLS[window.roll],
        roll_authority=window.roll_authority,
        convention=window.count,
        kind=window.kind,
        caution=_caution(window),
        exceptions=window.exceptions,
        tolling=window.tolling,
    )


def _caution(window: WindowRule) -> tuple[str, ...]:
    """Say what the row itself leaves open."""
    notes = [f"{window.authority}: {said}" for said in (window.note, window.exceptions, window.tolling) if said]
    if "re-verified" in window.provenance:
        notes.append(f"{window.authority}: verify the period against the official text")
    if window.jurisdiction in ("US-UCC", "INTL"):
        notes.append("the place is not given: name its calendar")
    return tuple(notes)


def with_due_date(rule: DeadlineRule) -> DeadlineRule:
    """Return a rule whose end is a due date.

    Raises:
        ValueError: The rule is another kind of period; the message says which.
    """
    if rule.kind in DUE:
        return rule
    notes = "".join(f"; {note}" for note in rule.caution)
    raise ValueError(f"{rule.rule_id} has no due date: {NO_DUE_DATE[rule.kind]}{notes}")


@lru_cache(maxsize=16_384)  # those of the rules are asked for again by every harness version that a process reads
def plain_citation(citation: str) -> str:
    """Return a citation as its letters and figures, so that "FRCP 12(a)" and "Fed. R. Civ. P. 12 (a)" are one."""
    letters = "".join(c for c in citation.casefold() if c.isalnum() or c in "()-")
    for short, full in _SHORT.items():
        if letters.startswith(short):
            return full + letters[len(short) :]
    return letters
