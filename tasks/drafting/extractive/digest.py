"""What the documents of a matter say, whatever the brief asks: events, figures, periods, definitions, conflicts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tasks.drafting.extractive.lines import MESSAGES
from tasks.drafting.extractive.quoting import place_of
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.windows.scan import scan_windows
from tasks.sources.records import DocumentState

SHOWN_WORDS = 26  # words of a sentence that a line of the digest shows
TELLING, ENOUGH = 2.0, 4  # with so many entries of such weight, lighter ones are left out
_WORD = re.compile(r"[a-z][a-z-]{3,}")
_EMPTY = frozenset(
    [
        "review", "attached", "prepare", "memo", "memorandum", "output", "draft", "documents", "document", "please",
        "with", "that", "this", "from", "their", "each", "provide", "including", "based", "using", "related",
        "comprehensive", "report", "materials", "analysis", "identify", "summary", "produce", "supporting", "docx",
    ]
)  # fmt: skip
_DUTY = re.compile(r"\b(?:shall|must|agrees? to|is required|are required|may not|no later than|deadline)\b", re.I)
_LABELLED = re.compile(
    r"\b(?:an?|the|our|my|your|its|their|of|and|with|report(?:s|ed)?|total|\w+'s)\s+(?:\w+'s\s+)?"
    r"((?:[A-Za-z][\w&/-]*\s+){0,4}?[A-Za-z][\w&/-]*)"
    r"\s+(?:of|is|was|are|were|at|equals?|stands at|now is|totals?|totaled)\s+(?:approximately |about |now )?$",
    re.I,
)
_HAPPENS = re.compile(
    r"\b(expires?|ends?|begins?|commences?|matures?|closes?|terminates?)\s+(?:on|as of|at)\s+(?:the )?$"
)
_UNSETTLED = re.compile(
    r"\b(?:TBD|TBC|to be (?:determined|confirmed|agreed|settled)|not signed|unsigned|\[[•●_ ]+\]|\[_+\]|pending"
    r"|please (?:confirm|send|advise)|open (?:point|issue|question)|unclear|subject to (?:review|confirmation))",
    re.I,
)
_WROTE = re.compile(r"On [^\n]{6,80}, (?P<who>[^<,]{2,60}?)\s*(?:<[^>]*>)?\s+wrote:$")
_HEADER = re.compile(r"From: (?P<who>[^<]+?)\s*(?:<[^>]*>)? To: (?P<to>[^<]+?)\s*(?:<.*?)? (?:Cc: .*? )?Date: ")
_SUBJECT = re.compile(r"Subject: (?P<about>.+)$")
_SKIP = re.compile(r"(?:From|To|Subject|Date): |\[Attachment: |Sheet: |Slide \d+: ")


@dataclass(frozen=True)
class DigestLine:
    """A line of the digest.

    Attributes:
        key: A date in ISO form, a figure, a period, or a defined term.
        says: The sentence, verbatim, cut after some words.
        weight: How much it bears on the request.
    """

    document: str
    key: str
    says: str
    place: str
    weight: float = 0.0
    label: str = ""


@dataclass(frozen=True)
class Conflict:
    """A fact on which documents disagree."""

    label: str
    entries: tuple[DigestLine, ...]


@dataclass(frozen=True)
class Digest:
    """What the documents of a matter say."""

    events: tuple[DigestLine, ...]
    figures: tuple[DigestLine, ...]
    periods: tuple[DigestLine, ...]
    terms: tuple[DigestLine, ...]
    conflicts: tuple[Conflict, ...]
    unsettled: tuple[DigestLine, ...]


def read_digest(readings: Sequence[SentencedDocument], states: Sequence[DocumentState], request: str) -> Digest:
    """Read the events, figures, periods, definitions and contradictions in a matter's documents."""
    asked = request_words(request)
    figures = [e for r in readings for e in _figures(r, asked)]
    dated = [e for r in readings for e in _events(r, asked)]
    return Digest(
        events=tuple(sorted(_heaviest(_grouped(dated), 14), key=lambda e: (e.key, e.document))),
        figures=tuple(_heaviest(_without_repeats(e for e in figures if not _SKIP.match(e.says.lstrip("“"))), 9)),
        periods=tuple(_heaviest(_without_repeats(e for r in readings for e in _periods(r, asked)), 9)),
        terms=tuple(_heaviest([e for r in readings for e in _terms(r, states, asked)], 8)),
        conflicts=tuple(_conflicts([*figures, *dated])),
        unsettled=tuple(_without_repeats(e for r in readings for e in _unsettled(r)))[:8],
    )


def request_words(request: str) -> frozenset[str]:
    """Return the beginnings of the significant words of a request."""
    return frozenset(w[:7] for w in _WORD.findall(request.lower()) if w not in _EMPTY)


def shown_sentence(unit: Unit, words: int = SHOWN_WORDS) -> str:
    """Return a sentence as shown in a line: verbatim, cut after a number of words."""
    flat = unit.text.replace("|", "/").split()
    return " ".join(flat[:words]) + (" …" if len(flat) > words else "")


def bearing(text: str, asked: frozenset[str]) -> float:
    """Return how relevant a sentence is to the words of the request."""
    return float(len({w[:7] for w in _WORD.findall(text.lower())} & asked))


def _entry(reading: SentencedDocument, unit: Unit, key: str, weight: float, label: str = "") -> DigestLine:
    return DigestLine(
        reading.document, key, _message(unit) or f"“{shown_sentence(unit)}”", place_of(unit), weight, label
    )


def _message(unit: Unit) -> str:
    """Return a message's header or quotation line in words; empty for any other sentence."""
    wrote, header = _WROTE.match(unit.text), _HEADER.match(unit.text)
    if wrote:
        return f"Message of {wrote['who']} (quoted)"
    if not header:
        return ""
    about = _SUBJECT.search(unit.text)
    return f"Message of {header['who']} to {header['to']}" + (f", “{about['about'][:80]}”" if about else "")


def _events(reading: SentencedDocument, asked: frozenset[str]) -> Iterator[DigestLine]:
    told = 2.0 if not reading.identity.agreement else 0.0
    for unit in reading.units:
        for mention in reading.dates_of(unit):
            before = straight(reading.text.text[max(0, mention.start - 70) : mention.start])
            early = 1.0 if unit.start < 1500 else 0.0
            weight = bearing(unit.text, asked) + told + early
            yield _entry(reading, unit, mention.iso, weight, _label(before))


def _figures(reading: SentencedDocument, asked: frozenset[str]) -> Iterator[DigestLine]:
    for unit in reading.units:
        found = scan_numbers(unit.text)
        if not found:
            continue
        # Once per sentence: a page without full stops may hold ten thousand figures.
        told, bears = _entry(reading, unit, "", 0.0), bearing(unit.text, asked)
        for figure in found:
            if figure.kind not in {"money", "per_share", "ratio", "multiple", "percent", "bps", "shares"}:
                continue
            label = _label(straight(unit.text[max(0, figure.start - 70) : figure.start]))
            spelled = not any(c.isdigit() for c in figure.text)
            weight = 2 * bears + (1.0 if figure.kind != "percent" else 0.5) + bool(label)
            if not spelled:  # its figures follow in parentheses
                yield replace(told, key=figure.text, weight=weight, label=label)


def _label(before: str) -> str:
    """Return what the words before a figure or a date call it."""
    match = _LABELLED.search(before)
    if match:
        words = re.sub(r"^(?:the|an?|its|our|my|sum|amount|rate)\s+", "", match[1].lower()).strip()
        return words if len(words) > 3 else ""
    happens = _HAPPENS.search(before)
    return re.sub(r"s$", "", happens[1].lower()) + "s on" if happens else ""


def _periods(reading: SentencedDocument, asked: frozenset[str]) -> Iterator[DigestLine]:
    for unit in reading.units:
        for window in scan_windows(unit.text):
            duty = 2.0 * bool(_DUTY.search(unit.text)) + bool(window.trigger)
            calendar = "" if window.calendar in {"unspecified", "calendar"} else f"{window.calendar} "
            direction = "" if window.direction == "of" else f" {window.direction} {window.trigger[:60].strip()}"
            key = f"{window.n} {calendar}{window.unit}{'' if window.n == 1 else 's'}{direction}".rstrip()
            yield _entry(reading, unit, key, duty + 2 * bearing(unit.text, asked))


def _terms(reading: SentencedDocument, states: Sequence[DocumentState], asked: frozenset[str]) -> Iterator[DigestLine]:
    state = next((s for s in states if s.document == reading.document), None)
    for term in state.defined_terms if state else ():
        unit = next((u for u in reading.units if u.pieces[0][0] <= term.span.start < u.pieces[-1][1]), None)
        weight = bearing(term.term, asked) * 2
        if unit is not None and weight and re.search(r"\bmeans?\b|\bincludes?\b", unit.text):
            yield _entry(reading, unit, term.term, weight)


def _unsettled(reading: SentencedDocument) -> Iterator[DigestLine]:
    for unit in reading.units:
        if _UNSETTLED.search(unit.text) and (reading.text.media in MESSAGES or not reading.identity.agreement):
            yield _entry(reading, unit, "", 0.0)


def _conflicts(entries: Sequence[DigestLine]) -> Iterator[Conflict]:
    """Yield the labels to which documents give different figures or dates."""
    groups: dict[str, list[DigestLine]] = defaultdict(list)
    for entry in entries:
        if entry.label:
            groups[entry.label].append(entry)
    for label, found in sorted(groups.items()):
        by_value = {_value(e.key): e for e in reversed(found)}
        documents = {e.document for e in by_value.values()}
        if 2 <= len(by_value) <= 5 and len(documents) >= 2 and len({_kind(e.key) for e in by_value.values()}) == 1:
            yield Conflict(label, tuple(sorted(by_value.values(), key=lambda e: (e.document, e.key))))


def _value(key: str) -> str:
    return re.sub(r"[\s,]|\.0+\b", "", key.lower())


def _kind(key: str) -> str:
    return "date" if re.match(r"\d{4}-\d\d-\d\d$", key) else re.sub(r"[\d.,\s]", "", key)[:2]


def _without_repeats(entries: Iterable[DigestLine]) -> list[DigestLine]:
    """Leave out repeated sentences; the first figure of a sentence represents it."""
    kept: dict[tuple[str, str], DigestLine] = {}
    for entry in entries:
        kept.setdefault((entry.document, entry.says), entry)
    return list(kept.values())


def _heaviest(entries: Sequence[DigestLine], most: int) -> list[DigestLine]:
    ranked = sorted(enumerate(entries), key=lambda pair: (-pair[1].weight, pair[0]))[:most]
    telling = [pair for pair in ranked if pair[1].weight >= TELLING]
    ranked = telling if len(telling) >= ENOUGH else ranked
    return [entry for _, entry in sorted(ranked)]


def _grouped(entries: Sequence[DigestLine]) -> list[DigestLine]:
    """Merge the days of one sentence: the first represents it and says how many follow."""
    groups: dict[tuple[str, str], list[DigestLine]] = defaultdict(list)
    for entry in entries:
        groups[(entry.document, entry.says)].append(entry)
    made = []
    for found in groups.values():
        days = sorted({e.key for e in found})
        more = f" (and {len(days) - 1} more to {days[-1]})" if len(days) > 1 else ""
        first = min(found, key=lambda e: e.key)
        made.append(replace(first, key=first.key + more))
    return made
