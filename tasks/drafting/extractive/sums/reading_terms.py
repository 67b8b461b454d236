"""Reads the rules by which papers reckon sums out of their sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.sums.for_each import completed
from tasks.drafting.extractive.sums.quantities import figures_in
from tasks.drafting.extractive.sums.terms import Term
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.spelling import CARDINAL_PHRASE, words_to_int
from tasks.legaltext.records import Figure

_STOP = (
    r"(?=\s*(?:[.;,()]|$)|\s+(?:for each|for every|for all|per|each|by which|to be|divided|multiplied|if|unless|shall|"
    r"will|is|are|was|has|may|must|that is|payable|due|as of|but|and|or|above|over|exceeding|in excess|beyond"
    r"|from the|until|to which|which|when|where|as|for the|in the|during|at the)\b)"
)
_OF = re.compile(
    rf"\W{{0,3}}(?:of|on|(?:applies|apply|credited|added) to)\s+(?:the\s+|such\s+|any\s+|all\s+|each\s+|its\s+"
    rf"|her\s+|his\s+)*(?P<base>[^.;,()]{{2,80}}?){_STOP}",
    re.I,
)
_NEXT = re.compile(rf"\W{{1,3}}(?:the )?(?P<base>[a-z][^.;,()\d]{{2,50}}?){_STOP}", re.I)
_ON = re.compile(
    r"\bon (?:the |any |that |such )*(?P<base>[^.;,]{3,60}?) (?:above|over|exceeding|in excess of"
    r"|beyond) (?:the first )?$",
    re.I,
)
_EXCESS = re.compile(
    r"\W{0,3}of (?:the |any )?(?:amount|sum|extent|part|excess)?\s*(?:by which|to which) (?:the "
    r"|its )?(?P<base>[^;,]{2,120}?) "
    r"(?:exceeds?|is (?:more|higher|greater) than|surpass\w*)\s+$",
    re.I,
)
_BEARS = re.compile(
    r"(?:^|[.;,:] |\d\. )(?P<base>[^.;:]{3,120}?)\s+(?:shall |will )?(?:bears?|carr(?:y|ies)"
    r"|accrues?) (?:simple )?(?:default )?interest\b",
    re.I,
)
_YEARLY = re.compile(r"\b(?:per annum|per year|a year|yearly|annual(?:ly)?|p\.a\.)", re.I)
_BASIS = re.compile(
    r"\b(?:360|365|three hundred sixty(?:-five)?)\b[- ]days?|\bdays?[^.;]{0,30}\b(?:360|365)\b|/\s?(?:360|365)\b", re.I
)
_THIRTIES = re.compile(r"\b(?:months? (?:of|consisting of) (?:30|thirty) days|(?:30|thirty)-day months?)\b", re.I)
_MOST = re.compile(
    r"\b(?:shall not exceed|(?:may|can|does|do|will) not exceed|not exceeding|not to exceed"
    r"|in no event (?:to )?exceed\w*|(?:but )?(?:not|no) more than"
    r"|at most|up to|limited to|capped at|(?:a |the )?maximum(?: amount)? of|cap of)\s+(?:a (?:total|maximum) of "
    r"|in total )?$",
    re.I,
)
_LEAST = re.compile(r"\b(?:at least|not less than|no less than|minimum of|but not less than)\s+$", re.I)
_TIER = re.compile(r"\b(?P<how>first|next|above|over|exceeding|in excess of|more than|between)\s+(?:the )?$", re.I)
_ABOVE = re.compile(r"\b(?:above|over|exceed\w*|in excess of|beyond|more than)\s+(?:the )?(?:first )?$", re.I)
_RISES = re.compile(r"\b(?:ris(?:es?|ing)|increas(?:es?|ed|ing)|escalat\w+|go(?:es)? up|adjusted upward)\b", re.I)
_YEARS = re.compile(
    r"\b(?:each|every|per) (?:\w+ ){0,2}(?:anniversary|year)\b|\bannual(?:ly)?\b|\byear[- ]on[- ]year\b|\byearly\b",
    re.I,
)
_POINTS = re.compile(
    r"\W{0,3}(?:percentage points? )?(?:\([^)]*\) )?(?:per annum )?(?:above|over|in excess of|higher than"
    r"|plus)\s+(?:the )?(?P<base>[^.;,]{3,60})",
    re.I,
)
_PLUS = re.compile(r"\b(?:the )?(?P<base>rate[^.;,]{0,40}?) plus $", re.I)
_MULTIPLE = re.compile(
    rf"\b(?P<n>{CARDINAL_PHRASE}|\d+)(?: \(\d+\))? (?P<unit>month|week|year)s?(?:['’]| of| worth of) (?:the |her "
    rf"|his |its )*"
    rf"(?P<base>[^.;,()]{{3,60}}?){_STOP}",
    re.I,
)
_EQUAL = re.compile(
    r"\bin (?P<n>[a-z-]+|\d+)(?: \(\d+\))? (?:equal )?(?:consecutive |successive )?(?P<each>monthly|quarterly"
    r"|weekly|annual|yearly) inst?al?lments\b",
    re.I,
)
_ELAPSED = re.compile(
    r"\b(?:being )?(?:the )?(?P<base>\w[\w ]{3,40}?) multiplied by the number of days (?:elapsed )?[^,;]{0,40}?"
    r"\b(?P<way>through|until|to"
    r"|before)\b(?: and including)? (?P<date>[^,;]{4,40}?) (?:and )?divided by (?P<year>36\d)",
    re.I,
)
_PERCENTS = frozenset({"percent", "fraction", "bps"})


def terms_of(reading: SentencedDocument) -> tuple[Term, ...]:
    """Return the rules of a paper in reading order."""
    whole = straight(reading.text.text)
    dated = (_basis(whole), bool(_THIRTIES.search(whole)))
    found: list[Term] = []
    for n, unit in enumerate(reading.units):
        text = straight(unit.text)
        caps = [c for u in reading.units[n : n + 3] if u.block == unit.block or u is unit for c in _caps(u)]
        found += _read(text, unit, tuple(caps), dated)
    return tuple(found)


def _basis(text: str) -> int:
    match = _BASIS.search(text)
    return 0 if match is None else 365 if re.search(r"365|five", match[0]) else 360


def _caps(unit: Unit) -> Iterator[tuple[Figure, str, Unit]]:
    text = straight(unit.text)
    for f in figures_in(text, "money", "percent", "duration", "count"):
        if _MOST.search(text[: f.start]):
            of = _OF.match(text, f.end)
            yield f, of["base"] if of else "", unit


def _read(text: str, unit: Unit, caps: tuple[tuple[Figure, str, Unit], ...], dated: tuple[int, bool]) -> Iterator[Term]:
    yield from _whole_forms(text, unit)
    figures = figures_in(text)
    parts = [f for f in figures if f.kind in _PERCENTS and not _MOST.search(text[: f.start])]
    if tiers := _tiers(text, unit, parts, figures):
        yield tiers
        return
    for f in parts:
        value = f.value / (1 if f.kind == "fraction" else 10_000 if f.kind == "bps" else 100)
        made = _part(text, unit, f, value, figures)
        if made is not None:
            yield completed(made, text, f, caps, dated)
    for f in figures:
        if f.kind not in ("money", "per_share") or _LEAST.search(text[: f.start]):
            continue
        if _MOST.search(text[: f.start]) and not re.match(r" ?(?:for )?(?:each|every)\b| per\b", text[f.end :]):
            continue
        term = completed(Term("price", text, unit, f.value, f.text, f.unit), text, f, caps, dated)
        if term.each:
            yield term
    for match in _MULTIPLE.finditer(text):
        number = Decimal(match["n"]) if match["n"].isdigit() else Decimal(words_to_int(match["n"].lower()) or 0)
        at = next((g for g in figures if g.start == match.start()), None)
        if at and number and not _MOST.search(text[: match.start()]):
            made = Term("multiple", text, unit, number, match["n"], match["unit"].lower(), match["base"])
            yield completed(made, text, at, caps, dated)


def _whole_forms(text: str, unit: Unit) -> Iterator[Term]:
    if match := _EQUAL.search(text):
        number = Decimal(match["n"]) if match["n"].isdigit() else Decimal(words_to_int(match["n"].lower()) or 0)
        before = [f for f in figures_in(text, "money") if f.end <= match.start()]
        if number and before:
            last = before[-1]
            yield Term("instalments", text, unit, number, last.text, last.unit, match["each"], free=last.value)
    if match := _ELAPSED.search(text):
        base = re.split(r"\b(?:the|being|receive)\s", match["base"])[-1]
        yield Term(
            "elapsed",
            text,
            unit,
            base=base,
            each=match["date"],
            basis=int(match["year"]),
            rounding="" if match["way"].lower() == "before" else "up",
        )


def _tiers(text: str, unit: Unit, parts: Sequence[Figure], figures: Sequence[Figure]) -> Term | None:
    """Read "5 % on the first $200,000 of net sales, 7 % on the next $300,000, and 9 % above $500,000"."""
    found: list[tuple[Decimal, Decimal | None]] = []
    top = Decimal(0)
    bounds = [f for f in figures if f.kind in ("money", "count", "number") and _TIER.search(text[: f.start])]
    if len(parts) < 2 or not bounds:
        return None
    base = ""
    for n, part in enumerate(parts):
        end = parts[n + 1].start if n + 1 < len(parts) else len(text)
        own = next((b for b in bounds if part.end <= b.start < end), None)
        if own is None:
            return None
        how = _TIER.search(text[: own.start])
        word = how["how"].lower() if how else ""
        if word == "first":
            top = own.value
            found.append((part.value / 100, top))
        elif word == "next":
            top += own.value
            found.append((part.value / 100, top))
        elif word == "between":
            high = next((f for f in figures if own.end <= f.start < end and f.kind == own.kind), None)
            top = high.value if high else own.value
            found.append((part.value / 100, top))
        else:
            found.append((part.value / 100, None))
        of = _OF.match(text, own.end)
        base = base or (of["base"] if of else "")
    money = next((b.unit for b in bounds if b.kind == "money"), "")
    return Term("tiers", text, unit, money=money, base=base, tiers=tuple(found))


def _part(text: str, unit: Unit, f: Figure, value: Decimal, figures: Sequence[Figure]) -> Term | None:
    """Read of what a percentage or fraction is a part."""
    before, end = text[: f.start], f.end
    pair = re.match(r"\s*\([^)]{1,12}\)", text[end:])
    end += pair.end() if pair else 0
    if _RISES.search(text) and _YEARS.search(text):
        rest = _RISES.split(text, maxsplit=1)[0]
        return Term(
            "rise",
            text,
            unit,
            value,
            f.text,
            base=re.sub(r"^.*\b(?:anniversary|year)\b[^,]*?,?\s(?=the |monthly|base|rent)", "", rest),
        )
    if match := _POINTS.match(text, end) or _PLUS.search(before):
        return Term("margin", text, unit, f.value, f.text, "percent", match["base"])
    for money in (g for g in figures if g.kind in ("money", "number") and g.start >= end):
        if match := _EXCESS.search(text[end : money.start]):
            return Term("share", text, unit, value, f.text, money.unit, match["base"], free=money.value)
    free = next((g for g in figures if g.kind == "money" and g.end <= f.start and _ABOVE.search(text[: g.start])), None)
    if free and (match := _ON.search(text[: free.start])):
        return Term("share", text, unit, value, f.text, free.unit, match["base"], free=free.value)
    if match := _OF.match(text, end):
        return Term("share", text, unit, value, f.text, base=match["base"])
    if re.search(r"\binterest\b", text, re.I) and (
        _YEARLY.search(text) or re.match(r"\W+(?:simple )?interest", text[end:])
    ):
        bears = _BEARS.search(text[: f.start])
        return Term("share", text, unit, value, f.text, base=bears["base"] if bears else "principal sum", yearly=True)
    if match := _NEXT.match(text, end):
        return Term("share", text, unit, value, f.text, base=match["base"])
    return Term("share", text, unit, value, f.text)
