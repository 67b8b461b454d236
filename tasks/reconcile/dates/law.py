"""Dates that follow from a rule of law: the draft cites the rule and states the event, the sources have its day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from knowledge_db.records import WindowRule
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.records import DateMention
from tasks.reconcile.dates.claims import Claim
from tasks.reconcile.dates.match import Match
from tasks.reconcile.dates.sources import Sourced, Sources
from tasks.reconcile.deadlines.gate import compute
from tasks.reconcile.deadlines.rules import DeadlineRule, deadline_rules, plain_citation
from tasks.reconcile.deadlines.windows import rule_of

_MAIL: Final = re.compile(r"\bmail(?:ed)?\b|6\(d\)|9006\(f\)|26\(c\)", re.IGNORECASE)
_SHORT: Final = (
    ("fed. r. civ. p.", "frcp", "rule"),
    ("fed. r. bankr. p.", "frbp", "bankruptcy rule"),
    ("fed. r. app. p.", "frap", "appellate rule"),
)


class _Due(NamedTuple):
    """Where a rule leads from a source date."""

    due: date
    start: Sourced
    rule: DeadlineRule
    how: str


def rules_at_hand(windows: Sequence[dict[str, Any]]) -> tuple[DeadlineRule, ...]:
    """Return the built-in deadlines and those of a knowledge pack, whose rows may hold more than a window's fields."""
    rules = list(deadline_rules().values())
    for row in windows:
        try:
            window = WindowRule(**{k: v for k, v in row.items() if k in WindowRule.model_fields})
            if window.kind != "uncounted":
                rules.append(rule_of(window))
        except (ValidationError, ValueError):
            continue  # a row that the deadline tool cannot compute grounds nothing
    return tuple(rules)


def by_rule(claim: Claim, text: str, sources: Sources, rules: Sequence[DeadlineRule], reach: int) -> Match | None:
    """Ground a date that a cited rule gives, or say what the rule gives instead.

    Args:
        claim: A date to the day.
        text: The draft.
        sources: The dates of the sources: the day of the event must be one of them and stand in the paragraph.
        rules: The rules that may be cited.
        reach: Days; a claim farther off is about something else than the cited rule.
    """
    if not isinstance(claim.mention, DateMention) or claim.mention.precision != "day":
        return None
    paragraph = text[slice(*claim.paragraph)]
    cited = _cited(paragraph, rules)
    if not cited:
        return None
    wanted = date.fromisoformat(claim.mention.iso)
    said = {m.iso for m in scan_dates(paragraph) if m.precision == "day"} - {claim.mention.iso}
    led = [*_led(said, cited, sources, claim, mailed=_MAIL.search(paragraph) is not None)]
    for one in led:
        if one.due == wanted:
            return Match(None, (one.start.span,), f"{one.start.mention.text} + {one.how} = {wanted}")
    near = [one for one in led if abs((one.due - wanted).days) <= reach]
    if len({one.due for one in near}) == 1:
        return Match("near_miss", (near[0].start.span,), against=f"{near[0].due} by {near[0].how}")
    return None


def _cited(paragraph: str, rules: Iterable[DeadlineRule]) -> list[DeadlineRule]:
    plain = plain_citation(f" {paragraph}")
    return [rule for rule in rules if any(_stands(form, plain) for form in _forms(rule.citation))]


def _forms(citation: str) -> Iterator[str]:
    """Yield the ways to cite a provision, without blanks and points."""
    folded = citation.casefold()
    yield _letters(folded)
    for full, *others in _SHORT:
        if folded.startswith(full):
            yield from (_letters(other + folded[len(full) :]) for other in others)


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum() or c in "()-")


def _stands(form: str, plain: str) -> bool:
    """Whether the provision is cited whole: 12(a)(1) is not cited by 12(a)(1)(A)."""
    at = plain.find(form)
    while at >= 0:
        after = plain[at + len(form) : at + len(form) + 1]
        if after != "(" and not (after.isdigit() and form[-1].isdigit()):
            return True
        at = plain.find(form, at + 1)
    return False


def _led(
    said: set[str], cited: Iterable[DeadlineRule], sources: Sources, claim: Claim, *, mailed: bool
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
            for extra in (0, 3) if mailed and rule.mail else (0,):
                found = compute(date.fromisoformat(iso), rule=rule, service_days=extra)
                added = " and 3 days for mail" if extra else ""
                period = f"{rule.period(found.trigger)} {rule.unit} {rule.direction}"
                how = f"{period} ({rule.citation}, {found.calendar}){added}"
                yield _Due(found.due, start, rule, how)
