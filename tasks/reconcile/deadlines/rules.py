"""Named deadlines: what must be done, how long after or before what, and how the period changed over time."""

from __future__ import annotations

import csv
import io
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, cast

from tasks.reconcile.deadlines.records import Convention, Counting, Direction, Kind, Roll

Unit = Literal["days", "weeks", "months", "years", "hours"]
DAYS_ARE_DAYS: Final = date(2009, 12, 1)  # the time-computation amendments of all federal rules
_SHORT: Final = {
    **{"frcp": "fedrcivp", "frap": "fedrappp", "frbp": "fedrbankrp", "frcrp": "fedrcrimp", "frcrimp": "fedrcrimp"},
    **{"federalruleofcivilprocedure": "fedrcivp", "federalruleofbankruptcyprocedure": "fedrbankrp"},
    **{"federalruleofappellateprocedure": "fedrappp", "federalruleofcriminalprocedure": "fedrcrimp"},
    **{"fedrbankp": "fedrbankrp", "bankrr": "fedrbankrp", "rule": "fedrcivp"},
}

_NO_DUE_DATE: Final[dict[Kind, str]] = {
    "opening": "it only fixes the first day on which something may be done",
    "waiting": "it is a waiting period that must have passed before something may be done",
    "look_back": "the law looks back so far from the event; nothing has to be done on that day",
    "span": "a state lasts, or a fact is measured, so long; nothing has to be done on its last day",
    "minimum": "the law only fixes the least period; the period that was set or agreed decides",
    "uncounted": "the law counts its days in a way that this tool cannot",
}


class DeadlineRule(NamedTuple):
    """A period fixed by law.

    Attributes:
        rule_id: Stable name for commands.
        citation: The provision.
        event: What starts the period (or what it counts back from).
        act: What must be done.
        n: The period in force.
        earlier: Former periods: ``(until, n)`` for triggers before ``until``, oldest first.
        calendar: Default calendar; a court's state is named by the caller.
        mail: Whether three days are added after service by mail (Fed. R. Civ. P. 6(d) and its like).
        roll: What to do when the last day is closed; None leaves it to the direction.
        roll_authority: What makes the period roll, where the rules of its calendar do not say so themselves.
        convention: From where the days are counted.
        kind: What the end of the period is; only a deadline has a due date.
        caution: What a human must look at whenever the rule is used.
    """

    rule_id: str
    citation: str
    event: str
    act: str
    n: int
    unit: Unit = "days"
    direction: Direction = "after"
    counting: Counting = "calendar"
    calendar: str = "us_federal_courts"
    earlier: tuple[tuple[date, int], ...] = ()
    mail: bool = False
    roll: Roll | None = None
    roll_authority: str = ""
    convention: Convention = "after"
    kind: Kind = "deadline"
    caution: tuple[str, ...] = ()

    def period(self, trigger: date) -> int:
        """Return the period in force on the day of the trigger."""
        for until, n in self.earlier:
            if trigger < until:
                return n
        return self.n


@lru_cache(maxsize=1)
def deadline_rules() -> dict[str, DeadlineRule]:
    """Return the named deadlines by id, from the table beside this module."""
    table = files("tasks.reconcile.deadlines").joinpath("rules.csv").read_text(encoding="utf-8")
    return {row["rule_id"]: _read(row) for row in csv.DictReader(io.StringIO(table))}


def _read(row: dict[str, str]) -> DeadlineRule:
    former = [part.split(":") for part in row["earlier"].split(";") if part]
    return DeadlineRule(
        rule_id=row["rule_id"],
        citation=row["citation"],
        event=row["event"],
        act=row["act"],
        n=int(row["n"]),
        unit=cast(Unit, row["unit"]),
        direction=cast(Direction, row["direction"]),
        counting=cast(Counting, row["counting"]),
        calendar=row["calendar"],
        earlier=tuple((date.fromisoformat(until), int(n)) for until, n in former),
        mail=row["mail"] == "yes",
        kind=cast(Kind, row["kind"] or "deadline"),
    )


def with_due_date(rule: DeadlineRule) -> DeadlineRule:
    """Return a rule whose end is a due date.

    Raises:
        ValueError: The rule is another kind of period; the message says which.
    """
    if rule.kind == "deadline":
        return rule
    notes = "".join(f"; {note}" for note in rule.caution)
    raise ValueError(f"{rule.rule_id} has no due date: {_NO_DUE_DATE[rule.kind]}{notes}")


def find_rule(name: str) -> DeadlineRule:
    """Return the deadline named by id or by its citation.

    Raises:
        ValueError: Where there is none, it is no deadline, or a citation stands for several; the message lists the ids.
    """
    rules = deadline_rules()
    if name.strip().lower() in rules:
        return with_due_date(rules[name.strip().lower()])
    wanted = plain_citation(name)
    cited = [rule for rule in rules.values() if plain_citation(rule.citation) == wanted]
    if len(cited) == 1:
        return with_due_date(cited[0])
    if cited:
        raise ValueError(f"{name} names several periods: {', '.join(rule.rule_id for rule in cited)}")
    raise ValueError(f"no deadline rule named {name!r}; known: {', '.join(rules)}")


def plain_citation(citation: str) -> str:
    """Return a citation as its letters and figures, so that "FRCP 12(a)" and "Fed. R. Civ. P. 12 (a)" are one."""
    letters = "".join(c for c in citation.casefold() if c.isalnum() or c in "()-")
    for short, full in _SHORT.items():
        if letters.startswith(short):
            return full + letters[len(short) :]
    return letters
