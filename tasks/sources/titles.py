"""The title of a document, from the head of its text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.legaltext import months
from tasks.sources.records import CanonicalText, SegmentKind

_STRONG = (
    "agreement contract amendment addendum lease sublease license guaranty guarantee indenture deed mortgage complaint "
    "petition motion brief memorandum memo affidavit declaration resolution bylaws power-of-attorney "
    "term-sheet subpoena "
    "stipulation judgment interrogatories side-letter assignment undertaking opinion arrangement"
)
_WEAK = (
    "note will trust plan policy letter order notice certificate charter statement report schedule "
    "exhibit appendix annex "
    "checklist questionnaire minutes summary invoice consent waiver release prospectus proposal instrument terms bond "
    "warrant regulation code handbook transcript answer authorization disclosure supplement protocol budget forecast"
)
_CUT = re.compile(
    rf"\s+(?:This|THIS|These|Dated?|DATED?|{months.TITLED}|Preamble|WHEREAS|Parties|PARTIES|TABLE OF)\b.*$"
    r"|\s+\d{1,2}/\d.*$|\s*[{\[].*$"
    r"|\s(?:Contract|Agreement)\s+(?:No|NO)\b.*$",
    re.DOTALL,
)
# Lengths in characters; all chosen by eye on the heads of filings, none measured.
_EXHIBIT_ALONE = 14  # a line no longer than this is the exhibit's number alone: nothing is left when it is cut off
_LONGEST_LINE = 200  # a longer line is a sentence
_LONGEST = 180  # of a title; from a longer line only what ends in the kind of document is taken
_SHORTEST = 3
_CAPITALISED = 0.9  # of the words of a title begin with a capital or are small words
_SIGNS = 3  # by which a title may be shorter than its line (a stop, a bracket) and still be all of it
_UPPER = 120  # of a line that a title begins with and that goes on in the next
_LABEL = 5  # a first heading no longer than this is a number or a label


def _nouns(words: str) -> re.Pattern[str]:
    choices = "|".join(n.replace("-", r"[\s-]+") for n in sorted(words.split(), key=len, reverse=True))
    return re.compile(rf"\b(?:{choices})s?\b", re.IGNORECASE)


_KINDS = (_nouns(_STRONG), _nouns(_WEAK))
_EXHIBIT = re.compile(
    r"^(?:\d{1,2}\s+)?(?:(?:exhibit|ex\.|annex"
    r"|appendix)\s*\(?(?:no\.?\s*)?[\dA-Z]{1,3}(?:[.\-]\d{1,3})*(?:\([a-z\d]{1,3}\))*\)?[.:\s-]*)?"
    r"(?:(?:execution|redacted|conformed|final)\s+(?:copy|version|draft)[.:\s-]*)?",
    re.IGNORECASE,
)
_BODY = re.compile(r"^(?:This|THIS)\s|^(?:WHEREAS|RECITALS)\b|^(?:\d+|[IVX]+|ARTICLE [I\d]+|SECTION \d+)\b[.:]?\s")
_SKIPPED = re.compile(
    r"^(?:confidential\b|dear|draft|privileged|execution (?:version|copy)|table of contents|source:|page\b|\[|\*"
    r"|final\b|copy\b"
    r"|certain (?:identified|confidential|portions)|portions of|this exhibit|dated?\b|re:|to:|from:|cc:"
    r"|by:|subject:|.*\bnumber\b|redacted|privileged)",
    re.IGNORECASE,
)
_LINKS = {"to", "to the", "of", "of the", "and", "for", "for the", "by and between", "between", "with", "&", "-"}
_STOPS = re.compile(
    r"\s+(?:by and (?:between|among)|between|among|dated|is (?:made|entered|effective)|made (?:as|and"
    r"|this|by)|entered into"
    r"|effective|in respect of|\(?the \"|regarding)\b.*$|\s*[\"“(].*$",
    re.IGNORECASE | re.DOTALL,
)
_PREAMBLE = re.compile(
    r"\b(?:This|THIS)\s+((?:[A-Z][\w&/’'.-]*,?\s+|(?:of|and|to|the|for|in|No\.|\d+)\s+){0,14}?(?:[A-Z][\w-]*\s+)?"
    r"(?:(?:Agreement|Contract|Amendment|Lease|License|Addendum|Deed|Guaranty|Note|Indenture)"
    r"|(?:AGREEMENT|CONTRACT|AMENDMENT|LEASE|LICENSE|ADDENDUM|DEED|GUARANTY|NOTE|INDENTURE))"
    r"(?:\s+(?:Agreement|AGREEMENT))?(?:\s+(?:to|TO)\s+(?:the\s+|THE\s+)?(?:[A-Z][\w&/’'-]*\s*){1,10})?)"
)
_HEAD = 6000  # characters in which a printed title stands: about two pages; chosen by eye


def title_of(text: CanonicalText) -> str:
    """Return the title as printed; empty where the document shows none."""
    if text.media in {"eml", "msg"}:
        return _mail_subject(text)
    if text.media in {"csv", "json"}:
        return ""
    if text.media in {"pptx", "xlsx", "md", "html"}:
        first = next((s for s in text.segments if s.kind is SegmentKind.HEADING), None)
        if text.media != "xlsx":
            return "" if first is None else re.sub(r"^Slide \d+(?: \(hidden\))?: ", "", first.label)
        return _sheet_title(text)
    return _printed(text.text[:_HEAD]) or _preamble(text.text[:20_000]) or _first_heading(text)


def _mail_subject(text: CanonicalText) -> str:
    for segment in text.segments:
        if segment.kind is SegmentKind.MAIL_HEADER and segment.label == "Subject":
            return text.text[segment.start : segment.end].partition(":")[2].strip()
    return ""


def _sheet_title(text: CanonicalText) -> str:
    """Return the first cell that contains words."""
    for segment in text.segments:
        if segment.kind is SegmentKind.CELL:
            words = text.text[segment.start : segment.end].partition(": ")[2]
            if len(re.findall(r"[A-Za-z]{3,}", words)) >= 2:
                return words[:150]
    return next((s.label for s in text.segments if s.kind is SegmentKind.SHEET), "")


def _lines(head: str) -> list[str]:
    lines = (re.sub(r"\s+", " ", line).strip(" \t_-–—*•|") for line in head.split("\n"))
    return [_EXHIBIT.sub("", line).strip() if len(line) > _EXHIBIT_ALONE else line for line in lines if line]


def _is_title_like(line: str) -> bool:
    words = re.findall(r"[A-Za-z][\w’'-]*", line)
    if not words or len(line) > _LONGEST_LINE:
        return False
    small = {"of", "and", "the", "to", "for", "in", "on", "by", "with", "a", "an", "or", "between", "no", "as", "at"}
    large = [w for w in words if w[0].isupper() or w.lower() in small]
    return len(large) >= _CAPITALISED * len(words) and not re.search(r"[.;]\s+[A-Za-z]{4,}.*\s\w+\s\w+", line)


def _printed(head: str) -> str:
    """Return the first line of the head that names a kind of document, with its continuation lines."""
    lines = _lines(head)[:40]
    for kind in _KINDS:
        for at, line in enumerate(lines):
            if _BODY.search(line) and at:
                break
            if (
                _SKIPPED.match(line)
                or line.lower().startswith("this ")
                or re.fullmatch(r"(?:exhibit|annex|schedule|appendix)\s*[\w.\-()]*", line, re.I)
            ):
                continue
            title = _title_in(line, kind)
            if title:
                return _continued(lines, at, title) if len(title) + _SIGNS > len(line) else title
    return ""


def _title_in(line: str, kind: re.Pattern[str]) -> str:
    """Return the title that a line consists of, or that run-together text begins with."""
    cut = _STOPS.sub("", _CUT.sub("", line)).strip(" ,:-–—")
    if len(cut) > _LONGEST:
        found = kind.search(cut[:200])
        cut = cut[: found.end()] if found else ""
    for title in (cut, re.split(r"\s[-–—]\s", cut, maxsplit=1)[0]):
        if _SHORTEST < len(title) <= _LONGEST and kind.search(title) and _is_title_like(title):
            return title
    return ""


def _continued(lines: Sequence[str], at: int, title: str) -> str:
    """Add the lines around a title that belong to it: ``FIRST AMENDMENT / TO / SUPPLY AGREEMENT``."""
    before = at - 1
    while (
        before >= 0
        and at - before <= 2
        and _hangs(lines[before], lines[before + 1])
        and not _SKIPPED.match(lines[before])
    ):
        title = f"{lines[before]} {title}"
        before -= 1
    for line in lines[at + 1 : at + 4]:
        ends_open = title.lower().rsplit(" ", 1)[-1] in {"to", "of", "and", "for", "the", "&"}
        link = line.lower() in _LINKS - {"between", "by and between", "with"} or re.match(
            r"(?:to|of)\s(?:the\s)?[A-Z]", line, re.I
        )
        if not (ends_open or link) or not _is_title_like(line) or len(title) + len(line) > _LONGEST_LINE:
            break
        title = f"{title} {_STOPS.sub('', line).strip(' ,:-')}"
    return re.sub(r"\s+(?:to|of|and|for|the|&)$", "", title.strip(), flags=re.IGNORECASE)


def _hangs(upper: str, lower: str) -> bool:
    """Tell whether two printed lines form one title: the upper is incomplete, or the lower is a continuation."""
    open_end = upper.lower().rsplit(" ", 1)[-1] in {"to", "of", "and", "for", "the", "&", ","}
    return _is_title_like(upper) and (open_end or lower.lower() in _LINKS) and len(upper) < _UPPER


def _preamble(head: str) -> str:
    match = _PREAMBLE.search(head)
    title = re.sub(r"\s+", " ", match.group(1)).strip() if match else ""
    return title if len(title.split()) > 1 else ""


def _first_heading(text: CanonicalText) -> str:
    for segment in text.segments:
        if segment.kind is SegmentKind.HEADING:
            return segment.label
    for line in _lines(text.text[:2000])[:6]:
        if _is_title_like(line) and not _SKIPPED.match(line) and len(line) > _LABEL:
            return line[:150]
    return ""
