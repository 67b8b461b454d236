"""Periods that a draft says a rule sets ("within 21 days under Rule 12(a)"), checked against the text of the rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import CARDINALS
from tasks.legaltext.records import CitationMention, Figure
from tasks.legaltext.sentences import WRAPPED, sentences
from tasks.matter.base import Record
from tasks.reconcile.law.library import LawProvision, LawShelf
from tasks.sources.records import Span

_REACH: Final = 140  # characters between a period and its rule; chosen by eye on drafts
_LEAD: Final = 50  # characters before a period in which its number in words and its norm stand; chosen by eye
_UNITS: Final = frozenset({"hour", "day", "week", "month", "year"})
_DAYS: Final = {"week": 7}
_ENDS: Final = re.compile(r"\s*(?:[.;)]|$)")
_SEE: Final = re.compile(r"(?:See|Accord)\s(?:also\s)?")
# What makes a period one that a rule sets, and not one that passed: "within 21 days", "the 21-day period".
_NORM: Final = re.compile(
    r"(?:\b(?:within|later\sthan|at\sleast|(?:less|fewer|more)\sthan|limited\sto|up\sto|ha(?:s|ve)|gets?|due|in|"
    r"allow(?:s|ed|ing)?|giv(?:es?|en|ing)|grant(?:s|ed)?|requires?|after|before|for|a|the|its|on|of|is|are)|['’]s|\bdeadline,|\bperiod,|\blimit,)"
    r"\s(?:only\s|just\s|an?\s|the\s|another\s)?[\"“(]?$"
)
_STRONG: Final = re.compile(
    r"\b(?:within|later\sthan|at\sleast|(?:less|fewer|more)\sthan|limited\sto|up\sto|ha(?:s|ve)|gets?|due|allow\w*"
    r"|giv\w+|grant\w*|requir\w*|must|may|shall|deadline|limit|period)\b"
)
_PERIOD: Final = re.compile(
    r"^\s?-?(?:period|deadline|limit|time|window|clock|notice|safe[\s-]harbou?r|requirement|rule|cut-?off|extension)\b"
)
_SPELLED: Final = re.compile(r"\b([A-Za-z]+)(?:-[A-Za-z]+)?\s\($")
_TO_RULE: Final = re.compile(
    r"(?:\b(?:under|per|by|pursuant\sto|accordance\swith|according\sto|in|of|from|see(?:\salso)?|cf\.|as)|[(\[—–,:]|\b(?:set|prescribed|required|allowed|fixed|provided)\s\w{2,4}|\.)"
    r"\s?(?:the\s|see\s|Federal\s|also\s){0,2}$",
    re.IGNORECASE,
)
_TO_FIGURE: Final = re.compile(
    r"\b(?:gives?|allows?|requires?|provides?|sets?|permits?|prescribes?|grants?|fixes|imposes|mandates?|states?|limits?|says|directs?|calls\sfor|"
    r"deadline|period|time|window|limit|within|later\sthan|at\sleast|must|may|shall|ha(?:s|ve)|due|is)\b|^['’]s\s",
    re.IGNORECASE,
)
# Another's period, or how one is counted: the rule named does not set it.
_OTHER: Final = re.compile(
    r"\b(?:extend|enlarg|stipulat|order(?:ed|s)\b|agree|shorten|comput|count(?:ed|ing)\b|calculat|former|scheduling\sorder|local\srule|but|instead|rather|whereas|although"
    r"|(?<!be\s)filed|elapsed|passed|waited|late\b)",
    re.IGNORECASE,
)

Verdict = Literal["supported", "elsewhere", "contradicted"]


class PeriodOutcome(Record):
    """The outcome of checking one stated period.

    Attributes:
        citation: The rule that is said to set it.
        verdict: ``supported``: it sets it. ``elsewhere``: another subdivision of that rule does. ``contradicted``: the
            rule, in the text held, sets no such period.
        found_in: The provision that sets it.
        grounding: Where it does, or where the cited provision sets another.
    """

    start: int
    end: int
    text: str
    citation: str
    verdict: Verdict
    checked: str
    found_in: str = ""
    grounding: Span | None = None


class PeriodClaim(NamedTuple):
    """A period of the draft and the rule to which the draft attributes it."""

    figure: Figure
    rule: CitationMention


def check_periods(shelf: LawShelf, text: str, cited: Sequence[CitationMention]) -> Iterator[PeriodOutcome]:
    """Yield the outcome for each period that a text attributes to a stored rule.

    Args:
        shelf: The provisions; only those held by the knowledge are asked.
        text: The draft.
        cited: Its citations, in order.
    """
    for claim in claims(text, cited):
        held = [p for p in shelf.named(claim.rule.canonical) if p.as_of]
        if held and not shelf.missing(claim.rule.canonical):
            yield _checked(shelf, claim, held)


def check_statement(shelf: LawShelf, citation: str, statement: str) -> Iterator[PeriodOutcome]:
    """Yield the outcome for each period in a statement about a stored rule.

    Args:
        shelf: The provisions; only those held by the knowledge are asked.
        citation: The rule in normal form.
        statement: What it is said to say, in the writer's words.
    """
    held = [p for p in shelf.named(citation) if p.as_of]
    if not held or shelf.missing(citation):
        return
    rule = CitationMention(start=0, end=0, text=citation, kind="rule", canonical=citation)
    for figure in scan_numbers(statement):
        if figure.kind == "duration" and figure.unit in _UNITS:
            yield _checked(shelf, PeriodClaim(figure, rule), held)


def claims(text: str, cited: Sequence[CitationMention]) -> Iterator[PeriodClaim]:
    """Yield the periods that clearly belong to a rule; doubtful ones are left out."""
    low = 0
    for high in _breaks(text, cited):
        rules = [m for m in cited if low <= m.start < high and m.canonical.startswith("Fed. R. Civ. P.")]
        if rules:
            yield from _in_sentence(text[low:high], low, rules)
        low = high


def _breaks(text: str, cited: Sequence[CitationMention]) -> Iterator[int]:
    """Yield the ends of sentences, none inside a citation; a sentence of citations alone belongs to the one before."""
    inside = {at for m in cited for at in range(m.start + 1, m.end)}
    only = {m.start for m in cited if _ENDS.match(text, m.end)}
    for start, _ in sentences(text, WRAPPED)[1:]:
        behind = _SEE.match(text, start)
        if start not in inside and (behind.end() if behind else start) not in only:
            yield start
    yield len(text)


def _in_sentence(sentence: str, offset: int, rules: Sequence[CitationMention]) -> Iterator[PeriodClaim]:
    figures = [f for f in scan_numbers(sentence) if f.kind == "duration" and f.unit in _UNITS]
    taken: set[int] = set()
    for rule in rules:
        start, end = rule.start - offset, rule.end - offset
        after = next((f for f in figures if f.start >= end), None)
        before = next((f for f in reversed(figures) if f.end <= start), None)
        for figure in (before, after):
            if figure is None or figure.start in taken or _holds_rule(offset, figure, rule, rules):
                continue
            if _behind(sentence, figure, start) if figure is before else _ahead(sentence[end : figure.start]):
                taken.add(figure.start)
                placed = {"start": figure.start + offset, "end": figure.end + offset}
                yield PeriodClaim(figure.model_copy(update=placed), rule)
                break


def _holds_rule(offset: int, figure: Figure, rule: CitationMention, rules: Sequence[CitationMention]) -> bool:
    """Say whether another rule stands between a figure and the one it would be linked to."""
    low, high = sorted((figure.start + offset, rule.start))
    return any(low < other.start < high and other is not rule for other in rules)


def _behind(sentence: str, figure: Figure, rule: int) -> bool:
    """Say whether the rule is named behind its period: "within 21 days … under Rule 12(a)"."""
    between = sentence[figure.end : rule]
    lead = _before_words(sentence[max(0, figure.start - _LEAD) : figure.start])[-30:]
    norm = _NORM.search(lead) and _STRONG.search(lead)
    linked = len(between) <= _REACH and _TO_RULE.search(between) and not _OTHER.search(lead + between)
    return bool(linked and (norm or _PERIOD.match(between)))


def _before_words(lead: str) -> str:
    """Return what stands before a figure and its words: "within " of "within twenty-one ("."""
    spelled = _SPELLED.search(lead)
    return lead[: spelled.start()] if spelled and spelled[1].lower() in CARDINALS else lead


def _ahead(between: str) -> bool:
    """Say whether the rule is named before its period: "Rule 12(a) gives 21 days", "Rule 12(a)'s 21-day period"."""
    return len(between) <= _REACH and bool(_TO_FIGURE.search(between)) and not _OTHER.search(between)


def _checked(shelf: LawShelf, claim: PeriodClaim, held: Sequence[LawProvision]) -> PeriodOutcome:
    wanted = _period(claim.figure)
    own = {period: span for p in held for period, span in _periods(shelf, p).items()}
    whole = LawProvision("", held[0].document, 0, len(shelf.texts[held[0].document].text))
    rule = _periods(shelf, whole)
    day = f"(text of {held[0].as_of}{f', amended {held[0].amended}' if held[0].amended else ''})"
    said = f"{claim.rule.canonical} {day}"
    if wanted in own:
        return _outcome(claim, "supported", f"{said} sets it.", claim.rule.canonical, own[wanted])
    if wanted in rule:
        span = rule[wanted]
        where = shelf.innermost(span.document, span.start, span.end).citation
        return _outcome(claim, "elsewhere", f"{said} does not set it; {where} does.", where, span)
    others = ", ".join(f"{n} {unit}{'s' if n != 1 else ''}" for n, unit in sorted(own or rule, key=str)) or "no period"
    nearest = next(iter((own or rule).values()), None)
    return _outcome(claim, "contradicted", f"{said} does not set it; it has {others}.", "", nearest)


def _outcome(claim: PeriodClaim, verdict: Verdict, checked: str, found_in: str, span: Span | None) -> PeriodOutcome:
    figure = claim.figure
    return PeriodOutcome(
        start=figure.start, end=figure.end, text=figure.text, citation=claim.rule.canonical, verdict=verdict,
        checked=checked, found_in=found_in, grounding=span,
    )  # fmt: skip


def _periods(shelf: LawShelf, provision: LawProvision) -> dict[tuple[Decimal, str], Span]:
    text = shelf.texts[provision.document].text[provision.start : provision.end]
    return {
        (n, unit): Span(document=provision.document, start=provision.start + start, end=provision.start + end)
        for n, unit, start, end in reversed(_durations(text))
    }


@lru_cache(maxsize=64)
def _durations(text: str) -> tuple[tuple[Decimal, str, int, int], ...]:
    return tuple((*_period(f), f.start, f.end) for f in scan_numbers(text) if f.kind == "duration")


def _period(figure: Figure) -> tuple[Decimal, str]:
    if figure.unit in _DAYS:
        return figure.value * _DAYS[figure.unit], "day"
    return figure.value, figure.unit
