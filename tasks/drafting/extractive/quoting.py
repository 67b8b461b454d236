"""Quotations: verbatim, trimmed to the operative words, with their citation."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tasks.asks.catalogue import Provision
from tasks.drafting.extractive.identity import Identity
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import quotable, straight
from tasks.sources.records import CanonicalText

_BOUNDARY = re.compile(r"(?<=[;:,])\s+|\s+(?=\((?:[a-z]{1,3}|\d{1,2}|[ivx]+)\)\s)|(?<=\.)\s+")

# The number of a clause with its heading inside a run of text, and words before a number that make it a reference.
_NUMBER = re.compile(r"(?<=\s)\d{1,2}(?:\.\d{1,2})*[.)]\s+(?=[A-Z][a-z]+(?:[ ,&]+[A-Za-z]+){0,5}\s)")
_REFERS = re.compile(r"\b(?:sections?|articles?|clauses?|paragraphs?|exhibit|schedule|and|or|to|in|of|no)[.\s]*$", re.I)


@dataclass(frozen=True)
class Quote:
    """Words of a document and where they stand.

    Attributes:
        fragments: Verbatim except for collapsed white space; more than one where words were left out.
    """

    fragments: tuple[str, ...]
    unit: Unit
    opens: bool
    closes: bool

    @property
    def text(self) -> str:
        """Return the quotation in quotation marks, an ellipsis where words are left out."""
        inner = " … ".join(self.fragments)
        return f"“{'' if self.opens else '… '}{inner}{'' if self.closes else ' …'}”"

    @property
    def words(self) -> int:
        """Return its length in words."""
        return len(self.text.split())


def quote(unit: Unit, sought: Provision, text: CanonicalText, limit: int) -> Quote:
    """Quote a sentence, trimmed at clause boundaries to ``limit`` words around its cues."""
    # The words stay as they are; curly marks inside become straight so that ours enclose them plainly.
    pieces = [p for a, b in unit.pieces if (p := quotable(text.text[a:b]))]
    before = _before_its_number(pieces[0], sought) if len(pieces) == 1 else 0
    pieces[0] = pieces[0][before:]
    if sum(len(p.split()) for p in pieces) <= limit * 1.15:
        return Quote(tuple(pieces), unit, not before, True)
    flat = max(pieces, key=lambda p: (_cue_weight(p, sought), len(p)))
    made = _trimmed(flat, unit, sought, limit, alone=len(pieces) == 1)
    return replace(made, opens=made.opens and not before)


def _before_its_number(piece: str, sought: Provision) -> int:
    """Return how much of a sentence belongs to the clause before, where the source does not separate the two."""
    for match in reversed(list(_NUMBER.finditer(piece))):
        ahead, rest = straight(piece[: match.start()]), straight(piece[match.start() :])
        cued = any(p.search(rest) for p in sought.strong) and not any(p.search(ahead) for p in sought.strong)
        if cued and not _REFERS.search(ahead):
            return match.start()
    return 0


def _cue_weight(piece: str, sought: Provision) -> int:
    plain = straight(piece)
    return sum(3 for p in sought.strong if p.search(plain)) + sum(1 for p in sought.support if p.search(plain))


def _trimmed(flat: str, unit: Unit, sought: Provision, limit: int, *, alone: bool) -> Quote:
    parts = [p for p in _BOUNDARY.split(flat) if p]
    weights = [_cue_weight(p, sought) for p in parts]
    best, chosen = -1.0, (0, len(parts))
    for first in range(len(parts)):
        words = 0
        for last in range(first, len(parts)):
            words += len(parts[last].split())
            if words > limit and last > first:
                break
            value = sum(weights[first : last + 1]) + min(words, limit) / limit - 0.25 * (first > 0)
            if value > best:
                best, chosen = value, (first, last + 1)
    first, last = chosen
    kept = " ".join(parts[first:last])
    if len(kept.split()) > limit * 1.15:
        kept, last = " ".join(kept.split()[:limit]), 0
    return Quote((kept,), unit, alone and first == 0, alone and last == len(parts))


def citation(unit: Unit, identity: Identity, *, short: bool = False) -> str:
    """Return the citation of a sentence, e.g. ``[Supply Agreement § 9.2(b), p. 14]``."""
    place = place_of(unit)
    return (
        f"[{place}]"
        if short
        else f"[{identity.short} {place}]"
        if place[:1] in "§(" or place
        else f"[{identity.short}]"
    )


def place_of(unit: Unit) -> str:
    """Return clause and page of a sentence; its heading or paragraph where it has neither."""
    parts = [p for p in (unit.label, unit.page) if p]
    if parts:
        return ", ".join(parts)
    return unit.heading.split(" / ")[-1][:60] or f"para. {unit.block + 1}"
