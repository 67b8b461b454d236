"""For what a sum is due each, how that is counted, what is divided, and what caps it."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from tasks.drafting.extractive.sums.terms import TIMES_A_YEAR, UNITS_OF_TIME, Term
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.numbers.spelling import words_to_int
from tasks.legaltext.records import Figure

_EACH = re.compile(
    r"\b(?:for each|for every|per|for any|each|every|a|an)\s+(?:such\s+)?(?P<whole>full |completed? |whole "
    r"|started |further |additional |calendar |business |late |copy of the )*"
    r"(?P<step>[a-z]+(?:-[a-z]+)? |\d+ )??(?P<noun>[a-z]{3,})(?P<part>,? (?:or (?:any )?(?:part|portion|fraction)\b))?",
    re.I,
)
_ALONE = re.compile(r"(?P<whole>)(?P<step>)(?P<noun> (?:for )?each)(?P<part>)(?=[.;,]|$)", re.I)
_NO_NOUN = frozenset(
    [
        "in",
        "the",
        "of",
        "by",
        "for",
        "and",
        "to",
        "on",
        "or",
        "not",
        "such",
        "rate",
        "sum",
        "amount",
        "total",
        "year's",
        "party",
        "case",
        "payment",
        "part",
        "time",
    ]
)
_DIVIDED = re.compile(r"\bdivided by (?:a )?(?P<n>\d+|[a-z-]+)\b|\b(?P<thirty>thirty|30)-day months?\b", re.I)
_BEYOND = re.compile(
    r"(?<!not )(?<!no )\b(?:beyond|above|over|after|in excess of|more than"
    r"|exceeding) (?:the )?(?:first )?(?P<n>[a-z-]+|\d[\d,]*)(?: \(\d+\))?\s*(?P<noun>hours?|days?|weeks?|months?"
    r"|units?|[a-z]+s)?\b",
    re.I,
)
_EVERY = re.compile(
    r"\b(?:per|each|every|a) (?:calendar )?(?P<noun>week|month|quarter|year|annum)\b"
    r"|\b(?P<how>weekly|monthly|quarterly|yearly|annual(?:ly)?)\b",
    re.I,
)
_TIME = {
    "annum": "year",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
}
_BEHIND = 4  # characters: "5 per", "5, a", "5 / each"


def completed(
    term: Term, text: str, f: Figure, caps: tuple[tuple[Figure, str, Unit], ...], dated: tuple[int, bool]
) -> Term:
    """Add for what it is due each, how that is counted, what is divided, and what caps it."""
    each = _each(text, f)
    noun = each["noun"].lower().removesuffix("s") if each else ""
    noun = "time" if noun.strip().endswith("each") else noun
    step = (each["step"] or "").strip().lower() if each else ""
    many = Decimal(words_to_int(step) or 1) if step and not step.isdigit() else Decimal(step or 1)
    said = each["whole"] or "" if each else ""
    rounding = (
        "up"
        if each and (each["part"] or "started" in said.lower())
        else "down"
        if re.search(r"full|complete|whole", said, re.I)
        else ""
    )
    if re.search(
        r"\bodd (?:days|weeks|hours)\b[^.;]*\bcounted\b|\b(?:part|portion|fraction) (?:of"
        r"|thereof)[^.;]{0,40}\b(?:counts?|counted|deemed|as a (?:full|whole))\b",
        text,
        re.I,
    ):
        rounding = "up"
    beyond = _BEYOND.search(text) if noun in UNITS_OF_TIME and not term.free else None
    over = (
        (
            Decimal(beyond["n"].replace(",", ""))
            if beyond["n"][0].isdigit()
            else Decimal(words_to_int(beyond["n"].lower()) or 0)
        )
        if beyond
        else Decimal(0)
    )
    if beyond and beyond["noun"] and beyond["noun"].lower().removesuffix("s") != noun:
        over = Decimal(0)
    divided = _DIVIDED.search(text)
    divisor = Decimal(1)
    if divided and term.form != "elapsed":
        word = divided["n"] or divided["thirty"]
        divisor = Decimal(word) if word.isdigit() else Decimal(words_to_int(word.lower()) or 1)
    yearly = term.yearly or bool(
        term.form == "share"
        and re.match(
            r"\s*(?:\([^)]*\)\s*)?(?:interest )?(?:per annum|per year|p\.a\.|a year|annually)", text[f.end :], re.I
        )
    )
    own = tuple(c for c in caps if not (c[2] is term.unit and c[0].start == f.start))
    return replace(
        term,
        each="" if yearly and noun in ("annum", "year") else noun,
        every="" if term.form != "price" or noun in ("", *TIMES_A_YEAR, *UNITS_OF_TIME) else every(text[f.end :]),
        step=many,
        rounding=rounding,
        beyond=over,
        divisor=divisor,
        yearly=yearly,
        basis=dated[0],
        thirties=dated[1],
        caps=own,
    )


def every(text: str) -> str:
    """Return the time that a text speaks of before it breaks off: "per user per month", "for a year", "annually"."""
    found = _EVERY.search(re.split(r"[.;]", text, maxsplit=1)[0])
    if found is None:
        return ""
    said = (found["noun"] or found["how"]).lower()
    return _TIME.get(said, said)


def _each(text: str, f: Figure) -> re.Match[str] | None:
    """Return for what a figure is due each: behind it, else where the sentence says "for each" before it."""
    for match in _EACH.finditer(text, f.end):
        short = not re.search(r"[.;]", text[f.end : match.start()])
        close = match.start() - f.end < _BEHIND or re.match(r"(?:for )?(?:each|every)|per", match[0], re.I)
        if (
            short
            and close
            and match["noun"].lower() not in _NO_NOUN
            and not re.match(r"each (?:party|of)\b", match[0], re.I)
        ):
            return match
    if alone := _ALONE.match(text, f.end):
        return alone
    before = [m for m in _EACH.finditer(text, 0, f.start) if re.match(r"for (?:each|every)|per\b", m[0], re.I)]
    return before[-1] if before and before[-1]["noun"].lower() not in _NO_NOUN else None
