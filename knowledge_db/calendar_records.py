"""The rows of the legal calendars: which days are holidays, and how periods end around them."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field, field_validator

from knowledge_db.records import KnowledgeRow


class HolidaySource(KnowledgeRow):
    """A set of holidays of the ``holidays`` library.

    Attributes:
        code: ISO 3166 country, or the library's code of a market or bank.
        subdivision: State, Land or nation; empty for the whole country.
        categories: Kinds of days that count; a country's public holidays by default.
        observed: Whether the day on which a holiday is observed counts, where it falls on a weekend.
    """

    code: str
    subdivision: str = ""
    categories: tuple[str, ...] = ("public",)
    observed: bool = True


class HolidayCalendar(KnowledgeRow):
    """A named legal calendar: which days are holidays, for what purpose, under what authority.

    Attributes:
        calendar_id: Name that windows and the deadline tool use for it; unique, as are the aliases.
        name: Name shown to a reader.
        jurisdiction: As in ``Authority``.
        authority: What makes these days holidays.
        rule: How a period is counted and where it ends, in our own words; told with a deadline; may be empty.
        sources: Holidays that count in every period.
        open_saturday: Whether a Saturday is a business day like any other (12 C.F.R. § 1026.2(a)(6)).
        family: The rule of counting (``data/counting``) for a period of which nothing but the calendar is named; empty
            where no rule can be named, and such a period does not roll.
        place_family: The rule of counting of each place, where it is another.
        warning: What the library cannot know and a human must look up; shown with every deadline.
        doubts: Words in a holiday's name, and the note shown where such a day decides a deadline.
        fixed: Further closed days by ``MM-DD``, with their names.
        perhaps: Open days by ``MM-DD`` that are closed in some places, and the note shown where a deadline ends there.
        known: First and last year whose holidays are settled.
        doubtful: Days on which it is uncertain whether the office was closed.
        doubt: Why they are doubtful.
        place: Whether a place may be named after it (``us_federal_courts_ny``) and what the place's holidays do:
            count in periods ``after`` an event only, count ``always``, or stand ``instead`` of the country's.
        place_aliases: Further names by which the calendar is asked for where a place follows (``de_by``).
        place_spellings: Places by names that the library does not know (``bavaria``).
        place_name: What a reader is told of a calendar with a place, with ``{place}``.
        needs_place: Whether the calendar needs a place to be complete.
        place_authority: The authority of a calendar with a place, with ``{place}``; the calendar's own where empty.
        place_warning: The note shown with every deadline of a place, instead of ``warning``.
        place_perhaps: The entries of ``perhaps`` for each place.
    """

    calendar_id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    name: str
    aliases: tuple[str, ...] = ()
    jurisdiction: str
    authority: str
    rule: str = ""
    sources: tuple[HolidaySource, ...]
    open_saturday: bool = False
    family: str = ""
    place_family: dict[str, str] = Field(default_factory=dict)
    warning: str = ""
    doubts: dict[str, str] = Field(default_factory=dict)
    fixed: dict[str, str] = Field(default_factory=dict)
    perhaps: dict[str, str] = Field(default_factory=dict)
    known: tuple[int, int] = (1900, 2200)
    doubtful: tuple[date, ...] = ()
    doubt: str = ""
    place: Literal["", "after", "always", "instead"] = ""
    place_aliases: tuple[str, ...] = ()
    place_spellings: dict[str, str] = Field(default_factory=dict)
    place_name: str = ""
    needs_place: bool = False
    place_authority: str = ""
    place_warning: str = ""
    place_perhaps: dict[str, dict[str, str]] = Field(default_factory=dict)
    provenance: str
    as_of: str = ""

    @field_validator("fixed", "perhaps")
    @classmethod
    def _days_of_the_year(cls, days: dict[str, str]) -> dict[str, str]:
        for day in days:
            date.fromisoformat(f"2024-{day}")
        return days
