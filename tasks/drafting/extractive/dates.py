"""Agreement date and effective date of a document."""

from __future__ import annotations

import bisect
import re
from datetime import date

from tasks.drafting.extractive.find_provision import Found
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.term_words import after_its_end
from tasks.drafting.extractive.typed_value import Typed
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.records import DateMention
from tasks.sources.records import SegmentKind

_HEAD = 9000  # characters in which a preamble is looked for
_LINE = 8  # words of a line that is no sentence
# Characters around a date in which it is told what it is the date of; chosen by eye on the development contracts.
_MADE_BEFORE, _EFFECTIVE, _SIGNATURE = 130, 110, 300
_TOP, _PREAMBLE = 2500, 6000  # characters at the head that speak for a date a little
# Points, chosen by eye: words that say what a date is count as two hints; what speaks of another date outweighs them.
_SAYS_SO, _HINTS, _SPEAKS_OF_OTHER, _OTHER_DATE = 4, 2, 5, 6
_SURE = 5  # points: words that say so, and one more sign
_MADE = re.compile(
    r"\b(?:dated|made|entered\s+into|executed|signed|is\s+between|by\s+and\s+between|effective|as\s+of|date\s+of)\b"
    r"[^.;]{0,90}$",
    re.I,
)
_NAMED = re.compile(r"\b(?:this|the)\b.{0,80}\b(?:agreement|amendment|contract|license|lease)\b", re.I | re.S)
_BETWEEN = re.compile(r"\b(?:by and )?(?:between|among)\b", re.I)
_OTHER = re.compile(
    r"\b(?:amended|original|prior|previous|certain|that)\b[^.;]{0,60}\bagreement\b[^.;]{0,40}dated\b[^.;]{0,20}$"
    r"|\b(?:license|merger|purchase|trust|indenture|separation|distribution)\s+agreement,?\s+dated\b[^.;]{0,20}$"
    r"|\b(?:until|through|extended to|no later than|on or before)\b[^.;]{0,20}$|\bfiled\b[^.;]{0,40}$"
    r"|\bact of\b[^.;]{0,10}$|\bincorporated\b[^.;]{0,60}$|\bexpir\w+\b[^.;]{0,20}$",
    re.I,
)
_EFFECTIVE_AFTER = re.compile(
    r"^[^.;]{0,60}\(?[^)]{0,30}[\"“'‘]\s*(?:the )?effective\s*date|^\s*\(?[^.;)]{0,20}\beffective date\b", re.I
)
_EFFECTIVE_IS = re.compile(r"\beffective\s+date[^\w.;]+(?:\w+[^\w.;]+){0,4}$", re.I)
_EFFECTIVE_BEFORE = re.compile(
    r"(?:\beffective\s+(?:as\s+of|on|from|date(?:\s+of\s+this\s+\w+)?(?:\s+(?:is|shall\s+be|means|of))?)?|\beffective\b"
    r"|\b(?:commenc|begin|start)\w*\b|\bcommencement\s+date\b|\bfrom and after\b"
    r"|\btakes?\s+effect\b)\W*(?:\w+\W+){0,6}$",
    re.I,
)
_LAST_SIGNED = re.compile(
    r"\beffective\b.{0,80}\b(?:last|later|latest)\b.{0,40}\b(?:date|sign|execut)"
    r"|\beffective date\b.{0,60}\bdate\b.{0,30}\b(?:last|both)\b.{0,30}\b(?:sign|execut)",
    re.I,
)
_DEFINED = re.compile(r"\beffective date\W{0,4}\s*(?:means|shall mean|is|shall be)\b|\"effective date\"", re.I)
_SIGNED_NEAR = re.compile(
    r"/s/|\bby:|\bname:|\btitle:|\bsignature\b|\bauthori[sz]ed sign|\bwitness whereof\b|\bdate(?:d)?:", re.I
)
_FURNITURE = re.compile(r"source:|filename|\bfiled\b|whereas|shall", re.I)
_SIGNING = re.compile(r"(?:\bdated?\b\s*:?|\bdate\s+signed|\bsigned|\bexecuted\b[^.]{0,60}|\bthis)\W*$", re.I)
_SIGNING_LINE = re.compile(r"\bdated?\s*:\s*$", re.I)
_EARLIER = re.compile(
    r"\b(?:previously|supersedes?|replaces?|prior|originally|amended by|that certain|pursuant to the|under the)\b", re.I
)


def agreement_date(reading: SentencedDocument, _: Found) -> Typed:
    """Return the date of the document: from its preamble, else from its signatures."""
    text = reading.text.text
    best: tuple[int, DateMention] | None = None
    for mention in reading.dates:
        if mention.start > _HEAD:
            break
        points = _agreement_points(reading, mention, text)
        if points > 2 and (best is None or points > best[0]):
            best = (points, mention)
    if best is not None:
        return stated_date(reading, best[1])
    signed = signature_dates(reading)
    if signed:
        last = max(signed, key=lambda m: m.iso)
        return stated_date(reading, last, "Date of the last signature; the preamble gives none.", certain=False)
    return Typed()


def _agreement_points(reading: SentencedDocument, mention: DateMention, text: str) -> int:
    before = text[max(0, mention.start - _MADE_BEFORE) : mention.start]
    after = text[mention.end : mention.end + 120]
    points = -_OTHER_DATE if _is_recital(reading, mention) or _SIGNING_LINE.search(before) else 0
    points += _SAYS_SO * bool(_MADE.search(before)) + _HINTS * bool(_BETWEEN.search(after)) + (mention.start < _TOP)
    points += _HINTS * bool(_NAMED.search(before + after[:90])) - _SPEAKS_OF_OTHER * bool(_OTHER.search(before))
    return points


def effective_date(reading: SentencedDocument, _: Found) -> Typed:
    """Return the date from which the document takes effect."""
    best: tuple[int, DateMention] | None = None
    for mention in reading.dates:
        points = _effective_points(reading, mention)
        if points > 2 and (best is None or points > best[0]):
            best = (points, mention)
    if best is not None and best[0] >= _SURE:
        return stated_date(reading, best[1])
    last, signed = sentence_with(reading, _LAST_SIGNED), signature_dates(reading)
    if last is not None and signed:
        day = max(signed, key=lambda m: m.iso)
        note = "Defined as the date of the last signature."
        return Typed(day.iso, date.fromisoformat(day.iso), note, (last,))
    if best is not None:
        return stated_date(reading, best[1])
    return _by_reference(reading)


def _effective_points(reading: SentencedDocument, mention: DateMention) -> int:
    text = reading.text.text
    before = after_its_end(text[max(0, mention.start - _EFFECTIVE) : mention.start])
    after = text[mention.end : mention.end + _EFFECTIVE]
    if (_EFFECTIVE_AFTER.search(after) and not re.match(r"\W{0,3}between", after, re.I)) or _EFFECTIVE_IS.search(
        before
    ):
        points = 5
    elif _EFFECTIVE_BEFORE.search(before) and (mention.start < _HEAD or _in_a_sentence(reading, mention)):
        points = 3
    else:
        return 0
    other = _SAYS_SO * bool(_OTHER.search(before)) + _OTHER_DATE * _is_recital(reading, mention)
    return points + (mention.start < _PREAMBLE) - other


def _in_a_sentence(reading: SentencedDocument, mention: DateMention) -> bool:
    """Tell whether a date stands in a sentence; a line of a schedule says nothing about the agreement."""
    unit = unit_at(reading, mention.start)
    return unit is not None and len(unit.text.split()) > _LINE


def _by_reference(reading: SentencedDocument) -> Typed:
    made = agreement_date(reading, Found())
    if not made.value:
        return Typed()
    clause = sentence_with(reading, _DEFINED)
    note = "No other effective date is stated; the document speaks from its own date."
    if clause is not None:
        note = "The effective date is defined by reference to the date of the agreement."
    support = ((clause,) if clause else ()) + made.support
    return Typed(made.value, made.day, note, support, certain=clause is not None)


def stated_date(reading: SentencedDocument, mention: DateMention, note: str = "", *, certain: bool = True) -> Typed:
    """Return a date as the document states it, with the sentence that holds it."""
    unit = unit_at(reading, mention.start) or _line_at(reading, mention)
    return Typed(mention.iso, date.fromisoformat(mention.iso), note, (unit,), certain)


def unit_at(reading: SentencedDocument, offset: int) -> Unit | None:
    """Return the sentence at a place of the text."""
    index = bisect.bisect_right(reading.starts, offset) - 1
    unit = reading.units[index] if index >= 0 else None
    return unit if unit is not None and offset < unit.pieces[-1][1] else None


def _line_at(reading: SentencedDocument, mention: DateMention) -> Unit:
    """Return the line of a date outside sentences, such as a date below a title."""
    text = reading.text.text
    start = text.rfind("\n", 0, mention.start) + 1
    end = text.find("\n", mention.end)
    line = text[start : end if end >= 0 else len(text)]
    left = start + len(line) - len(line.lstrip())
    page = reading.text.locate(mention.start, SegmentKind.PAGE)
    return Unit(
        document=reading.document,
        pieces=((left, left + len(line.strip())),),
        text=re.sub(r"\s+", " ", line).strip(),
        heading="",
        label="",
        page=page.label if page else f"line {reading.text.line_of(mention.start)}",
        block=-1,
    )


def sentence_with(reading: SentencedDocument, pattern: re.Pattern[str]) -> Unit | None:
    """Return the first sentence that matches a pattern."""
    return next((u for u, t in zip(reading.units, reading.plain, strict=True) if pattern.search(t)), None)


def signature_dates(reading: SentencedDocument) -> list[DateMention]:
    """Return the dates written beside signatures; none from running headers or file paths."""
    text = reading.text.text
    found = []
    for mention in reading.dates:
        before = text[max(0, mention.start - _SIGNATURE) : mention.start]
        line = text[text.rfind("\n", 0, mention.start) + 1 : mention.start]
        if not _SIGNED_NEAR.search(before) or _FURNITURE.search(line):
            continue
        if _SIGNING.search(before[-90:]) or len(line.split()) <= _LINE:
            found.append(mention)
    return found


def _is_recital(reading: SentencedDocument, mention: DateMention) -> bool:
    """Tell whether a date stands in a recital or speaks of an earlier agreement."""
    unit = unit_at(reading, mention.start)
    if unit is None:
        return False
    before = reading.text.text[unit.start : mention.start][-200:]
    return bool(re.match(r"\W*whereas\b", unit.text, re.I) or _EARLIER.search(before))
