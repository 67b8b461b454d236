"""Sentences of papers that are not running text: messages, sheets, slides, logs."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from tasks.drafting.extractive.units import Unit, sentence_units
from tasks.legaltext.dates.scan import scan_dates
from tasks.retrieval.records import Clause
from tasks.sources.line_numbers import PLACE
from tasks.sources.records import CanonicalText, Segment, SegmentKind

MESSAGES = frozenset({"eml", "msg"})
TABLES = frozenset({"xlsx", "csv", "json", "pptx"})
_QUOTED = re.compile(r"^(?:>[ \t]?)+", re.M)
_WROTE = re.compile(r"^(?:>\s?)*On (?P<when>[^\n]{6,60}), (?P<who>[^\n<,]{2,60}?)\s*(?:<[^>\n]*>)?\s+wrote:", re.M)
_FROM = re.compile(r"^From:\s*(?P<who>[^<\n]+?)\s*(?:<[^>\n]*>)?\s*$", re.M)
_DATE = re.compile(r"^(?:Date|Sent):\s*(?P<when>[^\n]+)$", re.M)
_HEAD = 1_500  # characters in which a message printed to a page shows its head; a banner may stand above it
_HEADERS = re.compile(r"^[ \t]*(?P<name>From|To|Date|Sent|Subject):[ \t]*\S", re.M)
_ENOUGH_HEADERS = 3  # of them all that tell a message from a letter or a form
_ATTACHED = re.compile(r"^\[Attachment: (?P<name>[^\]\n]+)\]", re.M)
_DAY = re.compile(r"\d{1,2} [A-Z][a-z]{2,8} \d{4}|[A-Z][a-z]{2,8} \d{1,2}, \d{4}|\d{1,2}/\d{1,2}/\d{4}")
_QUESTION, _ANSWER = re.compile(r"\s*Q\b\.?\s"), re.compile(r"\s*A\b\.?\s")
_UTTERANCE = re.compile(r"\s*(?:[QA]\b\.?\s|(?:THE|M[RS]S?\.|BY M[RS]S?\.) [A-Z]{2,}[A-Z .]*:)")
_SPEAKS = re.compile(r"(?P<who>(?:THE|M[RS]S?\.) [A-Z]{2,}[A-Z .]*):")
_BY = re.compile(r"BY (?P<who>M[RS]S?\. [A-Z]{2,}):\s*$")
_SWORN = re.compile(r"\b(?P<who>[A-Z][A-Z.'-]+(?: [A-Z][A-Z.'-]*){1,3}),?\s+(?:having been|being)\s[^.]{0,40}\bsworn\b")
_OBJECT = re.compile(r"\{[^{}]*\}")


def units_of(text: CanonicalText, clauses: Sequence[Clause] = ()) -> list[Unit]:
    """Cut a document into sentences by its format; a row, a slide's line or a log entry counts as a sentence."""
    if is_message(text):
        return _message(text)
    if spoken := _transcript(text):
        return spoken
    if text.media in TABLES:
        return list(_rows(text))
    return sentence_units(text, clauses)


def is_message(text: CanonicalText) -> bool:
    """Tell whether a document is a message, or one that was printed to a page and still shows its head."""
    if text.media in MESSAGES:
        return True
    found = {m["name"] for m in _HEADERS.finditer(text.text[:_HEAD])}
    return "From" in found and len(found - {"Sent"} | ({"Date"} if "Sent" in found else set())) >= _ENOUGH_HEADERS


def sent_on(text: CanonicalText) -> date | None:
    """Return the day on which a message was sent; None where its head does not say."""
    found = _DATE.search(text.text)
    days = [d for d in scan_dates(found["when"]) if d.precision == "day"] if found else []
    return date.fromisoformat(days[0].iso) if days else None


def _message(text: CanonicalText) -> list[Unit]:
    """Cut a message; quotation marks become blanks, and each sentence says who wrote it."""
    opened = re.sub(r"(?<=wrote:\n)>", "\n", text.text)
    plain = _QUOTED.sub(lambda m: " " * len(m[0]), opened)
    anchors = sorted(_anchors(text.text))
    starts = [at for at, _ in anchors]
    units = []
    for unit in sentence_units(text.model_copy(update={"text": plain})):
        index = bisect.bisect_right(starts, unit.start) - 1
        units.append(replace(unit, heading="", label=anchors[index][1] if index >= 0 else ""))
    return units


def _anchors(text: str) -> Iterator[tuple[int, str]]:
    sender, sent = _FROM.search(text), _DATE.search(text)
    if sender:
        yield sender.start(), _by(sender["who"], sent["when"] if sent else "")
    for wrote in _WROTE.finditer(text):
        yield wrote.end(), _by(wrote["who"], wrote["when"])
    for attached in _ATTACHED.finditer(text):
        yield attached.start(), f"attachment {attached['name']}"


def _by(who: str, when: str) -> str:
    day = _DAY.search(when)
    return f"{who.strip()}, {day[0]}" if day else who.strip()


def _transcript(text: CanonicalText) -> list[Unit]:
    """Cut a transcript: a question with its answer is one unit, cited by page and line, with who answers whom."""
    lines = [s for s in text.segments if s.kind is SegmentKind.PARAGRAPH and PLACE.fullmatch(s.label)]
    sworn = _SWORN.search(text.text)
    witness = " ".join(sworn["who"].split()).title() if sworn else "the witness"
    said: list[list[Segment]] = []
    for line in lines:
        words = text.text[line.start : line.end]
        answers = _ANSWER.match(words) and said and _QUESTION.match(text.text[said[-1][0].start : said[-1][0].end])
        if said and (answers or not _UTTERANCE.match(words)):
            said[-1].append(line)
        else:
            said.append([line])
    examiner, made = "", []
    for number, stretch in enumerate(said):
        start, end = stretch[0].start, stretch[-1].end
        flat = re.sub(r"\s+", " ", text.text[start:end]).strip()
        if by := _BY.match(flat):
            examiner = by["who"].title()
            continue
        speaks = _SPEAKS.match(flat)
        who = f"{witness}, asked by {examiner}" if examiner and _QUESTION.match(flat) else witness
        who = speaks["who"].title() if speaks else who if re.match(r"[QA]\b", flat) else ""
        first, last = stretch[0].label, stretch[-1].label
        to = last.partition(":")[2] if first.partition(":")[0] == last.partition(":")[0] else last
        place = first if first == last else f"{first}-{to}"
        label = f"{who}, {place}" if who else place
        if flat:
            stop = start + len(text.text[start:end].rstrip())
            made.append(Unit(text.document, ((start, stop),), flat, "", label, "", number))
    return made


def _rows(text: CanonicalText) -> Iterator[Unit]:
    """Yield a unit for each line; in a log, for each innermost object."""
    ranges = _ranges(text)
    heading = ""
    for number, (start, end) in enumerate(ranges):
        flat = re.sub(r"\s+", " ", text.text[start:end]).strip()
        if not re.search(r"\w", flat):
            continue
        title = re.match(r"(?:Sheet|Slide \d+):\s*(.+)", flat)
        heading = title[1] if title else heading
        row = text.locate(start, SegmentKind.ROW)
        page = text.locate(start, SegmentKind.SLIDE)
        yield Unit(
            document=text.document,
            pieces=((start, end),),
            text=flat,
            heading=heading,
            label=row.label if row else "",
            page=page.label if page else "",
            block=number,
        )


def _ranges(text: CanonicalText) -> list[tuple[int, int]]:
    lines = [(m.start(), m.end()) for m in re.finditer(r"\S[^\n]*", text.text)]
    if text.media != "json":
        return lines
    objects = [m.span() for m in _OBJECT.finditer(text.text)]
    free = [s for s in lines if not any(a < s[1] and s[0] < b for a, b in objects)]
    return sorted([*objects, *free])
