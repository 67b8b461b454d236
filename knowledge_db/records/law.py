"""Rows of law: authorities, periods fixed by law, how they are asked for, and how law is cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from knowledge_db.records.row import KnowledgeRow

# Subdivision at the end: "(1)" or " Abs. 1 Satz 2", also before the name of the code; behind a comma: ", § 1", ", IV";
# or behind a point, of an article or of a rule of the Supreme Court: "art. 50.1", "Sup. Ct. R. 13.1".
_ABSATZ = r"\sAbs\. \d\w?(?: (?:Satz|Nr\.) \d\w?)*"
_SUBDIVISION = re.compile(
    rf"(.*\S)\s*(?:(?:\([^()\s]{{1,6}}\)|{_ABSATZ})(\s[^()]*)?|, (?:§ \d+|[IVXL]+|[a-z]|al\. \d+|parágrafo único))"
    r"|(.*\bart\. \d+|Sup\. Ct\. R\. \d+)\.\d{1,2}"
)


def wider_citations(citation: str) -> Iterator[str]:
    """Yield a citation and what it is a part of: without its last subdivision, and so on.

    The subdivision may stand before the name of the code, or behind a comma: ``§ 15a(1) InsO``, ``§ 15a Abs. 1 InsO``,
    ``Lei 6.404/1976 art. 124, § 1, II``, ``Ley 9/2017 art. 50.1``.
    """
    yield citation
    while shorter := _SUBDIVISION.fullmatch(citation):
        citation = shorter[3] or shorter[1] + (shorter[2] or "")
        yield citation


class Authority(KnowledgeRow):
    """A statute, regulation, rule, case, ethics rule or secondary source.

    Attributes:
        citation: Canonical citation; unique.
        kind: What it is.
        jurisdiction: ``US``, ``US-DE``, ``EU``, ``UK``, ``INTL`` …
        title: Heading, or for a case its name.
        keywords: What a lawyer would search for.
        note: What it provides or holds, in our own words; may be empty.
        provenance: The text against which the row was checked.
        as_of: Date of that text.
    """

    citation: str
    kind: Literal["statute", "regulation", "rule", "case", "ethics", "treaty", "secondary"]
    jurisdiction: str
    title: str
    keywords: tuple[str, ...] = ()
    note: str = ""
    provenance: str
    as_of: str = ""


class AskedFor(KnowledgeRow):
    """How lawyers ask for an authority or a period, where it says nothing of the kind itself.

    Attributes:
        citation: The authority, as its entry writes it, or the id of the window.
        asked: Questions and half sentences in their words: what happened, who wants what, what they call it.
    """

    citation: str
    asked: tuple[str, ...] = Field(min_length=1)


class WindowRule(KnowledgeRow):
    """A period fixed by law: a number of days of one kind, counted from an event, set by an authority.

    Attributes:
        window_id: ``<domain>/<name>``; unique.
        direction: ``after`` or ``before`` the trigger.
        calendar: calendar or business days, or the sessions of an exchange.
        calendar_set: The holiday calendar to count by, e.g. ``us_federal_courts`` or, with a place, ``state_de``.
        counting: The rule of counting of the law or forum (``data/counting``): it alone says whether the period rolls.
        roll, roll_authority: What happens when the last day is closed, and what says so. Filled in from the rule of
            counting when the knowledge is loaded; a file that says it itself is refused.
        count: Which days the period includes: ``after`` (the day of the event is left out, the last day counts),
            ``beginning_with`` (the day of the event is the first day), ``before_the_day`` (the act must be done before
            the day that lies so far after the event), ``clear`` (neither end counts), ``end_of_month`` (from the last
            day of a month the months end with the last day of one), ``next_monday`` (the Monday next after the period
            has ended, Tex. R. Civ. P. 99(b)) or, of an earliest date, ``anniversary`` (the day
            that lies so far after the event is itself the first day; else it is the day after).
        kind: What the end of the period is. Only a ``deadline`` and a ``decision``
            have a due date: ``earliest`` fixes the first day on
            which something may be done, a ``waiting`` period must pass first, a ``look_back`` reaches into the past, a
            ``duration`` is how long a state lasts or a fact is measured, a ``decision`` is the time of an authority,
            a court or the other side to act, and a ``minimum`` is the least that
            somebody must grant.
        exceptions: When another period, or none, applies, with the authority; may be empty.
        tolling: What suspends or extends the period, with the authority; may be empty.
        aliases: Short ids that also name the row (``frcp_4_m``). Where several rows share a citation, it means the row
            with a short id, and the date gate always uses that row.
        also_cited: Other citations of the same period.
        in_force_from: Day from which the period ``n`` governs; empty where no change is known.
        earlier: Former periods in the same unit, newest first: ``14 from 2009-12-01``. The oldest may lack its day:
            ``120`` was always in force before.
        mail_days: Days that service by mail adds (Fed. R. Civ. P. 6(d) and its like).
    """

    window_id: str
    domain: str
    regime: str
    trigger: str
    action: str
    n: int = Field(ge=0, le=10_000)
    unit: Literal["hour", "day", "week", "month", "year"]
    calendar: Literal["calendar", "business", "trading"] = "calendar"
    direction: Literal["after", "before"] = "after"
    roll: Literal["next", "previous", "none"] = "none"
    calendar_set: str = Field(min_length=1)
    counting: str = ""
    count: Literal[
        "after", "beginning_with", "before_the_day", "clear", "end_of_month", "next_monday", "anniversary"
    ] = "after"
    roll_authority: str = ""
    kind: Literal[
        "deadline", "earliest", "waiting", "look_back", "duration", "decision", "minimum"
    ] = "deadline"  # fmt: skip
    authority: str
    jurisdiction: str
    note: str = ""
    exceptions: str = ""
    tolling: str = ""
    provenance: str
    as_of: str = ""
    aliases: tuple[str, ...] = ()
    also_cited: tuple[str, ...] = ()
    in_force_from: str = Field("", pattern=r"^(\d{4}-\d\d-\d\d)?$")
    earlier: tuple[Annotated[str, Field(pattern=r"^\d{1,4}( from \d{4}-\d\d-\d\d)?$")], ...] = ()
    mail_days: int = Field(0, ge=0, le=30)

    @property
    def versions(self) -> tuple[tuple[date | None, int], ...]:
        """The periods that have governed, newest first, each with the day from which it was in force, where known."""
        said = [(self.in_force_from, self.n)]
        for version in self.earlier:
            n, _, since = version.partition(" from ")
            said.append((since, int(n)))
        return tuple((date.fromisoformat(since) if since else None, n) for since, n in said)

    @model_validator(mode="after")
    def _in_order(self) -> WindowRule:
        *changes, _ = since = [day for day, _ in self.versions]
        if None in changes:
            raise ValueError("only the oldest period may omit the day from which it was in force")
        known = [day for day in since if day]
        if any(newer <= older for newer, older in pairwise(known)):
            raise ValueError("the periods must be listed newest first")
        return self

    @model_validator(mode="after")
    def _countable(self) -> WindowRule:
        first_day_counts = self.count in ("beginning_with", "before_the_day")
        if first_day_counts and (self.direction == "before" or self.n == 0 or self.unit == "hour"):
            raise ValueError(f"{self.count} needs days, weeks, months or years after an event")
        if self.count == "clear" and (self.unit not in ("day", "week") or self.calendar != "calendar"):
            raise ValueError("clear days are calendar days or weeks")
        if self.count == "next_monday" and self.direction == "before":
            raise ValueError("next_monday needs a period after an event")
        if self.count == "end_of_month" and self.unit not in ("month", "year"):
            raise ValueError("end_of_month needs months or years")
        if self.count == "anniversary" and self.kind != "earliest":
            raise ValueError("anniversary belongs to an earliest date")
        if self.roll_authority and self.roll == "none":
            raise ValueError("roll_authority is given, but the period does not roll")
        return self


class CitationForm(KnowledgeRow):
    """How a reporter, journal, code or court is cited. It is no entry of the knowledge: it says nothing about the law.

    Attributes:
        abbreviation: As it stands in a citation; a court's own short name where citations do not name it.
        jurisdictions: As the package it comes from names them.
        first, last: ISO dates from which and up to which it was used; empty where unknown or open.
    """

    kind: Literal["reporter", "journal", "code", "court"]
    abbreviation: str
    name: str
    jurisdictions: tuple[str, ...] = ()
    first: str = ""
    last: str = ""
    provenance: str
    as_of: str = ""


class ProvenanceSource(KnowledgeRow):
    """A source that the provenance of a row may name, and how far it can be trusted.

    Attributes:
        source: How the provenance of a row begins.
        level: ``official`` text, ``held`` metadata of a package, ``practice`` of our own, or ``unverified``.
        what: What the source is.
    """

    source: str
    level: Literal["official", "held", "practice", "unverified"]
    what: str
