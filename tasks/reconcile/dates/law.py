"""Dates that follow from a rule of law: the draft cites the rule and names the event; the sources give its day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.records import DateMention
from tasks.reconcile.dates.claims import DateClaim
from tasks.reconcile.dates.match import DateMatch
from tasks.reconcile.dates.sources import Sourced, Sources
from tasks.reconcile.deadlines.book import DeadlineBook
from tasks.reconcile.deadlines.gate import compute
from tasks.reconcile.deadlines.rules import DeadlineRule, plain_citation

_MAIL: Final = re.compile(r"\bmail(?:ed)?\b|6\(d\)|9006\(f\)|26\(c\)", re.IGNORECASE)
_COUNT: Final = re.compile(r"\bday\s(\d{1,3})\s(?:is|was|falls\son)\s$", re.IGNORECASE)  # a count that is shown
_SHORT: Final = (
    ("fed. r. civ. p.", "frcp", "rule"),
    ("fed. r. bankr. p.", "frbp", "bankruptcy rule"),
    ("fed. r. app. p.", "frap", "appellate rule"),
)


class _Due(NamedTuple):
    """The due date that a rule gives from a source date."""

    due: date
    trigger: date
    start: Sourced
    rule: DeadlineRule
    how: str


class LawAtHand(NamedTuple):
    """The rules of law by which a gate reads a draft.

    Attributes:
        book: The calendars they are counted on.
        rules: The rules that the draft cites.
        reach: Days; a date that differs more from what a cited rule gives is about something else.
    """

    book: DeadlineBook
    rules: tuple[DeadlineRule, ...]
    reach: int


def by_rule(claim: DateClaim, text: str, sources: Sources, law: LawAtHand) -> DateMatch | None:
    """Ground a date that follows from a cited rule; otherwise return the date that the rule gives.

    Args:
        claim: A date to the day.
        text: The draft.
        sources: The dates of the sources: the day of the event must be one of them and stand in the paragraph.
        law: The rules that may be cited.
    """
    if not isinstance(claim.mention, DateMention) or claim.mention.precision != "day":
        return None
    paragraph = text[slice(*claim.paragraph)]
    cited = cited_rules(paragraph, law.rules)
    if not cited:
        return None
    wanted = date.fromisoformat(claim.mention.iso)
    said = {m.iso for m in scan_dates(paragraph) if m.precision == "day"} - {claim.mention.iso}
    led = [*_dates_by_rule(said, cited, sources, claim, law.book, mailed=_MAIL.search(paragraph) is not None)]
    counted = _COUNT.search(text[claim.paragraph[0] : claim.mention.start])
    for one in led:
        if one.due == wanted:
            return DateMatch(None, (one.start.span,), f"{one.start.mention.text} + {one.how} = {wanted}")
        if counted and (wanted - one.trigger).days == int(counted[1]):
            return DateMatch(None, (one.start.span,), f"{one.start.mention.text} + {counted[1]} days = {wanted}")
    near = [one for one in led if abs((one.due - wanted).days) <= law.reach]
    if len({one.due for one in near}) == 1:
        return DateMatch("near_miss", (near[0].start.span,), against=f"{near[0].due} by {near[0].how}")
    return None


def cited_rules(text: str, rules: Iterable[DeadlineRule]) -> tuple[DeadlineRule, ...]:
    """Return the rules that a text cites without a subdivision."""
    plain = plain_citation(f" {text}")
    return tuple(r for r in rules if any(_is_cited_whole(f, plain) for c in r.citations for f in _forms(c)))


@lru_cache(maxsize=4096)
def _forms(citation: str) -> tuple[str, ...]:
    """Return the ways to cite a provision, without blanks and points."""
    folded = citation.casefold()
    short = [other + folded[len(full) :] for full, *others in _SHORT if folded.startswith(full) for other in others]
    return tuple(_letters(form) for form in (folded, *short))


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum() or c in "()-")


def _is_cited_whole(form: str, plain: str) -> bool:
    """Whether the provision is cited whole: 12(a)(1) is not cited by 12(a)(1)(A)."""
    at = plain.find(form)
    while at >= 0:
        after = plain[at + len(form) : at + len(form) + 1]
        if after != "(" and not (after.isdigit() and form[-1].isdigit()):
            return True
        at = plain.find(form, at + 1)
    return False


def _dates_by_rule(
    said: set[str],
    cited: Iterable[DeadlineRule],
    sources: Sources,
    claim: DateClaim,
    book: DeadlineBook,
    *,
    mailed: bool,
) -> Iterator[_Due]:
    starts = {
        iso: hit
        for iso in sorted(said)
        if "1938" <= iso < "2100"
        for hit in sorted(sources.stating(iso), key=lambda h: h.document, reverse=True)
        if not claim.documents or hit.document in claim.documents
    }
    for rule in cited:
        if rule.unit == "hours":
            continue
        for iso, start in starts.items():
            for extra in (0, rule.mail_days) if mailed and rule.mail_days else (0,):
                found = compute(date.fromisoformat(iso), book=book, rule=rule, service_days=extra)
                added = f" and {extra} days for mail" if extra else ""
                period = f"{rule.period(found.trigger)} {rule.unit} {rule.direction}"
                how = f"{period} ({rule.citation}, {found.calendar}){added}"
                yield _Due(found.due, date.fromisoformat(iso), start, rule, how)
