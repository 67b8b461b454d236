"""Dates that follow from a rule of law: the draft cites the rule and states the event, and the sources give its day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final, NamedTuple

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.records import DateMention
from tasks.reconcile.dates.claims import DateClaim
from tasks.reconcile.dates.match import Match
from tasks.reconcile.dates.sources import Sourced, Sources
from tasks.reconcile.deadlines.book import DeadlineBook
from tasks.reconcile.deadlines.gate import compute
from tasks.reconcile.deadlines.rules import DeadlineRule, plain_citation

_MAIL: Final = re.compile(r"\bmail(?:ed)?\b|6\(d\)|9006\(f\)|26\(c\)", re.IGNORECASE)
_SHORT: Final = (
    ("fed. r. civ. p.", "frcp", "rule"),
    ("fed. r. bankr. p.", "frbp", "bankruptcy rule"),
    ("fed. r. app. p.", "frap", "appellate rule"),
)


class _Due(NamedTuple):
    """The due date that a rule gives from a source date."""

    due: date
    start: Sourced
    rule: DeadlineRule
    how: str


class LawAtHand(NamedTuple):
    """The rules of law by which a gate reads a draft.

    Attributes:
        book: The calendars they are counted on.
        rules: The rules that may be cited.
        reach: Days; a date that differs more from what a cited rule gives is about something else.
    """

    book: DeadlineBook
    rules: tuple[DeadlineRule, ...]
    reach: int


def by_rule(claim: DateClaim, text: str, sources: Sources, law: LawAtHand) -> Match | None:
    """Ground a date that follows from a cited rule, or return the date that the rule gives instead.

    Args:
        claim: A date to the day.
        text: The draft.
        sources: The dates of the sources: the day of the event must be one of them and stand in the paragraph.
        law: The rules that may be cited.
    """
    if not isinstance(claim.mention, DateMention) or claim.mention.precision != "day":
        return None
    paragraph = text[slice(*claim.paragraph)]
    cited = _cited(paragraph, law.rules)
    if not cited:
        return None
    wanted = date.fromisoformat(claim.mention.iso)
    said = {m.iso for m in scan_dates(paragraph) if m.precision == "day"} - {claim.mention.iso}
    led = [*_dates_by_rule(said, cited, sources, claim, law.book, mailed=_MAIL.search(paragraph) is not None)]
    for one in led:
        if one.due == wanted:
            return Match(None, (one.start.span,), f"{one.start.mention.text} + {one.how} = {wanted}")
    near = [one for one in led if abs((one.due - wanted).days) <= law.reach]
    if len({one.due for one in near}) == 1:
        return Match("near_miss", (near[0].start.span,), against=f"{near[0].due} by {near[0].how}")
    return None


def _cited(paragraph: str, rules: Iterable[DeadlineRule]) -> list[DeadlineRule]:
    plain = plain_citation(f" {paragraph}")
    return [rule for rule in rules if any(_is_cited_whole(f, plain) for c in rule.citations for f in _forms(c))]


def _forms(citation: str) -> Iterator[str]:
    """Yield the ways to cite a provision, without blanks and points."""
    folded = citation.casefold()
    yield _letters(folded)
    for full, *others in _SHORT:
        if folded.startswith(full):
            yield from (_letters(other + folded[len(full) :]) for other in others)


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
        mention.iso: Sourced(document, mention)
        for document in sorted(claim.documents or sources.texts.keys(), reverse=True)
        for mention in sources.dates.get(document, ())
        if mention.precision == "day" and mention.iso in said and "1938" <= mention.iso < "2100"
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
                yield _Due(found.due, start, rule, how)
