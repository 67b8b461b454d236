"""The deadline rules and calendars of a harness, found by id, by citation, or by the names that people use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Any

from knowledge_db import KnowledgeBase
from knowledge_db.calendar_records import HolidayCalendar
from knowledge_db.counting import CountingRule
from knowledge_db.records import WindowRule
from knowledge_db.standing import Standings
from tasks.reconcile.deadlines.places import Calendars
from tasks.reconcile.deadlines.rules import DUE, DeadlineRule, plain_citation, rule_of, with_due_date

_LISTED = 8  # windows that an error names


class DeadlineBook:
    """The windows and calendars of a knowledge base, by which deadlines are counted.

    Attributes:
        windows: The rows, as the knowledge orders them.
        calendars: The named calendars.
        counting: The rules of counting by their ids.
    """

    def __init__(
        self,
        windows: Iterable[WindowRule],
        calendars: Iterable[HolidayCalendar],
        counting: Mapping[str, CountingRule],
        search: Callable[[str], Sequence[str]] = lambda _: (),
        standings: Standings | None = None,
    ) -> None:
        """Index the rows by their names and citations; of two rows with one name the first counts.

        ``search`` returns the ids of the windows that words may mean, for the errors; ``standings`` says how far a row
        can be relied on.
        """
        self._search, self._standings = search, standings
        self.windows = tuple(windows)
        self.calendars = Calendars(calendars)
        self.counting = counting
        self._named: dict[str, WindowRule] = {}
        self._cited: dict[str, list[WindowRule]] = {}
        for row in self.windows:
            for name in (row.window_id, *row.aliases):
                self._named.setdefault(name, row)
            for citation in (row.authority, *row.also_cited):
                self._cited.setdefault(plain_citation(citation), []).append(row)
        self._rules: dict[str, DeadlineRule] = {}

    def rule(self, name: str) -> DeadlineRule:
        """Return the rule with this id or short id, whatever kind of period it is.

        Raises:
            ValueError: There is none, or its calendar is unknown.
        """
        row = self._named.get(name)
        if row is None:
            raise ValueError(f"no deadline rule named {name!r}")
        return self._rule(row)

    def deadline(self, name: str) -> DeadlineRule:
        """Return the deadline named by an id, a short id, or a citation that means one period.

        A citation that several rows share means the one that has a short id, where only one has.

        Raises:
            ValueError: There is none, it is no deadline, or a citation stands for several; the message says which.
        """
        return with_due_date(self.period(name))

    def period(self, name: str) -> DeadlineRule:
        """Return the period named by an id, a short id, or a citation that means one, whatever its end is.

        Raises:
            ValueError: There is none, or a citation stands for several; the message says which.
        """
        row = self._named.get(name.strip().lower())
        if row is not None:
            return self._rule(row)
        cited = self._cited.get(plain_citation(name), []) or self._only_below(plain_citation(name))
        if not cited:
            raise ValueError(f"no deadline rule named {name!r}; known: {self._known(name)}")
        known = [row for row in cited if row.aliases]
        if len(known) == 1:
            return self._rule(known[0])
        cited = [row for row in cited if row.kind in DUE] or cited
        if len({(row.n, row.unit, row.direction) for row in cited}) > 1:
            raise ValueError(f"{name} names several periods; name one by its id: {'; '.join(map(_told, cited))}")
        return self._rule(cited[0])

    @cached_property
    def countable(self) -> tuple[DeadlineRule, ...]:
        """The rules whose calendar is held; what the deadline tool cannot compute can ground nothing."""
        rules: dict[str, DeadlineRule] = {}
        for row in self.windows:
            try:
                rules[row.window_id] = self._rule(row)
            except ValueError:
                continue
        return tuple(rules.values())

    def basis(self, rule_id: str, calendar: str) -> dict[str, Any]:
        """Return the sources of a count with their dates: of the rule, of how it is counted, and of the calendar."""
        row, days = self._named.get(rule_id), self.calendars.named(calendar).row
        law = self.counting.get(row.counting if row else "") or self.counting.get(days.family)
        told = {"window_id", "regime", "authority", "jurisdiction", "in_force_from", "provenance", "as_of"}
        counted = {"name", "authority", "jurisdiction", "rule", "provenance", "as_of"}
        of_rule = {"rule": row.model_dump(include=told)} if row else {}
        of_rule |= {"counting": law.model_dump(include={*counted, "counting_id"})} if law else {}
        return {**of_rule, "calendar": days.model_dump(include=counted)}

    def doubts(self, rule_id: str) -> list[str]:
        """Return what changed since a window was read, and that it rests on a second source alone.

        What was not checked at all, the count itself says.
        """
        row = self._named.get(rule_id)
        if row is None or self._standings is None:
            return []
        found = self._standings.of(row.model_dump())
        return [f"{row.authority}: {found.said}"] if found.changed_since or found.verified == "second source" else []

    def _rule(self, row: WindowRule) -> DeadlineRule:
        if row.window_id not in self._rules:
            calendar = self.calendars.named(row.calendar_set).name
            self._rules[row.window_id] = rule_of(row, calendar, self.counting.get(row.counting))
        return self._rules[row.window_id]

    def _below(self, whole: str) -> list[WindowRule]:
        """Return the windows that rest on a part of a provision."""
        return [row for cited, rows in self._cited.items() if whole and cited.startswith(f"{whole}(") for row in rows]

    def _only_below(self, whole: str) -> list[WindowRule]:
        """Return the window of a provision that is cited without its part, where it holds only one."""
        below = {row.window_id: row for row in self._below(whole)}
        return list(below.values()) if len(below) == 1 else []

    def _known(self, name: str) -> str:
        """List the windows that may have been meant: of the citation, of an id that ends so, the nearest in words."""
        below = [row.window_id for row in self._below(plain_citation(name))]
        ends = [row.window_id for row in self.windows if row.window_id.endswith(f"/{name.strip().lower()}")]
        ids = [*below, *ends, *self._search(name), *get_close_matches(name, self._named, n=4)]
        near = list(dict.fromkeys(self._named[one].window_id for one in ids if one in self._named))[:_LISTED]
        return "; ".join(_told(self._named[one]) for one in near) or f"none like it among {len(self.windows)} windows"


@lru_cache(maxsize=4)
def book_of(knowledge: KnowledgeBase) -> DeadlineBook:
    """Return the book of a knowledge: one for each knowledge object, whose rows never change."""

    def search(words: str) -> list[str]:
        return [row["window_id"] for row in knowledge.search_windows(words, _LISTED)]

    return DeadlineBook(knowledge.windows, knowledge.calendars, knowledge.counting, search, knowledge.standings)


def _told(row: WindowRule) -> str:
    """Return the id of a window with what it is: enough to choose it."""
    return f"{row.window_id} ({row.authority}: {row.action}, {row.n} {row.unit}s {row.direction} {row.trigger})"
