"""Quotations: verbatim, trimmed to the operative words, with their citation."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tasks.asks.catalogue import Provision
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import fold, quotable, straight
from tasks.legaltext.tokens import terms
from tasks.sources.records import CanonicalText, Span

_BOUNDARY = re.compile(r"(?<=[;:,])\s+|\s+(?=\((?:[a-z]{1,3}|\d{1,2}|[ivx]+)\)\s)|(?<=\.)\s+")

# The number of a clause with its heading inside a run of text, and words before a number that make it a reference.
_NUMBER = re.compile(r"(?<=\s)\d{1,2}(?:\.\d{1,2})*[.)]\s+(?=[A-Z][a-z]+(?:[ ,&]+[A-Za-z]+){0,5}\s)")
_CLAUSE = re.compile(r"(\d{1,2}(?:\.\d{1,3})+)\.?\s+(?=\S)")
# What makes a sentence operative; an ellipsis never takes it away.
_DUTY = re.compile(r"\b(?:(?-i:may|MAY)|shall|must|will|cannot|agrees?|hereby)\b(?: not\b)?", re.I)
_MAIL = re.compile(r"(?:from|to|cc|bcc|date|sent|subject|re):", re.I)  # a line of a message's head names no place
_ITEM = re.compile(r"\(?(?:[A-Za-z]{1,2}|[ivxlc]+)[.)]?")
_HEADING = 60  # characters of a heading that is cited; a longer one is no name of a place
_LEEWAY = 1.15  # times the limit up to which a quotation is not cut: cutting so few words costs more than it saves
_LEAD = 3  # one third of what is kept stands before the operative word; chosen by eye, as the leeway
_BEGINS_LATE = 0.25  # cues that a run of clauses loses which leaves out the first: it needs a reason; chosen by eye
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
    pieces = own_words(unit, text)
    before = _before_its_number(pieces[0], sought) if len(pieces) == 1 else 0
    pieces[0] = pieces[0][before:]
    if sum(len(p.split()) for p in pieces) <= limit * _LEEWAY:
        return Quote(tuple(pieces), unit, not before, True)
    flat = max(pieces, key=lambda p: (_cue_weight(p, sought), len(p)))
    made = _trimmed(flat, unit, sought, limit, alone=len(pieces) == 1)
    return replace(made, opens=made.opens and not before)


def own_words(unit: Unit, text: CanonicalText) -> list[str]:
    """Return the pieces of a sentence without its clause number ("4.3 Within"), which the citation gives."""
    pieces = [p for a, b in unit.pieces if (p := quotable(text.text[a:b]))]
    number = _CLAUSE.match(pieces[0]) if pieces else None
    if number and unit.label.endswith(f" {number[1]}") and number.end() < len(pieces[0]):
        pieces[0] = pieces[0][number.end() :]
    return pieces


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
    """Quote the clauses of a long sentence that say most of what is sought, and the one that makes them operative."""
    parts = [p for p in _BOUNDARY.split(flat) if p]
    first, last = _window(parts, sought, limit)
    chosen = " ".join(parts[first:last])
    kept = _cut(chosen, limit)
    lead = "" if _DUTY.search(kept) else _operative_words(parts[:first], limit)
    fragments = (f"{lead} {kept}",) if lead and lead == parts[first - 1] else (lead, kept) if lead else (kept,)
    opens = flat.startswith(fragments[0][:40])
    return Quote(fragments, unit, alone and opens, alone and kept == chosen and last == len(parts))


def _window(parts: Sequence[str], sought: Provision, limit: int) -> tuple[int, int]:
    """Return the run of clauses with the most cues within the limit."""
    weights = [_cue_weight(p, sought) for p in parts]
    best, chosen = -1.0, (0, len(parts))
    for first in range(len(parts)):
        words = 0
        for last in range(first, len(parts)):
            words += len(parts[last].split())
            if words > limit and last > first:
                break
            value = sum(weights[first : last + 1]) + min(words, limit) / limit - _BEGINS_LATE * (first > 0)
            if value > best:
                best, chosen = value, (first, last + 1)
    return chosen


def _cut(kept: str, limit: int) -> str:
    """Cut one long clause to the limit, around its operative word."""
    words = kept.split()
    if len(words) <= limit * _LEEWAY:
        return kept
    duty = _DUTY.search(kept)
    before = len(kept[: duty.start()].split()) if duty else 0
    start = max(0, before - limit // _LEAD) if before >= limit else 0
    return " ".join(words[start : start + limit])


def _operative_words(parts: Sequence[str], limit: int) -> str:
    """Return the nearest clause ahead that has an operative word, with its subject; empty where none has."""
    found = next((p for p in reversed(parts) if _DUTY.search(p)), "")
    match = _DUTY.search(found)
    if match is None:
        return ""
    ahead = found[: match.start()].split()
    after = found[match.start() :].split()
    return " ".join([*ahead[-limit // 3 :], *after[: limit // 3]])


def units_at(reading: SentencedDocument, span: Span) -> list[Unit]:
    """Return the whole sentences that a span overlaps; if none, as in a heading, its own words."""
    first = max(bisect.bisect_right(reading.starts, span.start) - 1, 0)
    last = bisect.bisect_left(reading.starts, span.end)
    found = [u for u in reading.units[first:last] if u.pieces[-1][1] > span.start]
    words = quotable(reading.text.text[span.start : span.end])
    if found:
        return found
    near = reading.units[first] if reading.units else None
    bare = Unit(reading.document, ((span.start, span.end),), words, "", "", "", 0)
    return [replace(bare, label=near.label, page=near.page, block=near.block) if near else bare] if words else []


def nearest_unit(reading: SentencedDocument, span: Span, query: str) -> Unit | None:
    """Return the sentence of a passage that shares most words with a query."""
    asked = set(terms(query))
    return max(units_at(reading, span), key=lambda u: len(asked & set(terms(u.text))), default=None)


def place_in(unit: Unit, reading: SentencedDocument) -> str:
    """Return clause and page of a sentence; its heading or paragraph where it has neither.

    The title of the document is no place in it, nor is an item ("iii") of an unknown clause.
    """
    titles = {fold(reading.identity.title), fold(reading.document)}
    label = "" if fold(unit.label) in titles or _ITEM.fullmatch(unit.label) else unit.label
    headings = [h for h in unit.heading.split(" / ") if h and fold(h) not in titles and not _MAIL.match(h)]
    heading = headings[-1] if headings else ""
    parts = [p for p in (label, unit.page) if p] or ([heading] if heading and len(heading) <= _HEADING else [])
    return ", ".join(parts) or f"para. {unit.block + 1}"


def place_of(unit: Unit) -> str:
    """Return clause and page of a sentence; its heading or paragraph where it has neither."""
    parts = [p for p in (unit.label, unit.page) if p]
    if parts:
        return ", ".join(parts)
    return unit.heading.split(" / ")[-1][:60] or f"para. {unit.block + 1}"
