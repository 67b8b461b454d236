"""Learner blindness: an observation becomes a signal that names no one and quotes nothing.

Reasons are not redacted judge prose but members of an enum chosen by error class, kind of match and outcome,
so that no word of a rubric can pass. Free text (the solver's last message) is stripped of every
name, figure, date, citation and quotation and then cut. Where the harness is at hand, no word of it passes that the
harness does not use itself, so that what no pattern knows for a name cannot pass either.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from tasks.learning.records import Observation, Signal
from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.matter.reasons import ErrorClass, Failed, MatchKind, Outcome, Reason
from tasks.sources.readers import FORMATS

MESSAGE_LIMIT = 600  # characters of a message that the learner sees: its gist, and no document
_SHORT = 3  # letters: the words in general use are listed from here on

_OF_KIND = {
    MatchKind.DATE: Reason.DATE_WRONG,
    MatchKind.VALUE: Reason.ANSWER_WRONG,
    MatchKind.SPAN: Reason.WORDS_NOT_CONVEYED,
    MatchKind.ABSENCE: Reason.ABSENCE_NOT_STATED,
}
# What happened tells a rule more than what was asked for: a clause that was denied needs another search, one that was
# thinly treated more passages. What no line holds for goes by the kind of anchor.
_OF_OUTCOME: dict[tuple[Outcome | Literal[""], MatchKind | None], Reason] = {
    (Outcome.DOCUMENT_OMITTED, None): Reason.DOCUMENT_LEFT_OUT,
    (Outcome.WRONG_DOCUMENT, None): Reason.ANSWER_MISPLACED,
    (Outcome.DENIED, MatchKind.SPAN): Reason.PROVISION_DENIED,
    (Outcome.ASSERTED, MatchKind.ABSENCE): Reason.PROVISION_INVENTED,
}
_OF_CLASS = {
    ErrorClass.NUMBERS_DATES: Reason.FIGURE_WRONG,
    ErrorClass.MISSING_FACTS: Reason.FACT_OMITTED,
    ErrorClass.DELIVERABLE_FORMAT: Reason.FORM_LACKING,
    ErrorClass.LEGAL_RULE_USE: Reason.RULE_NOT_APPLIED,
    ErrorClass.COVERAGE: Reason.POINT_UNTREATED,
    ErrorClass.REMEDIAL_ACTION: Reason.ACTION_LACKING,
    ErrorClass.MATERIALITY_IMPACT: Reason.IMPACT_MISJUDGED,
    ErrorClass.SOURCE_GROUNDING: Reason.SOURCE_LACKING,
    ErrorClass.CROSS_DOC_SYNTHESIS: Reason.NOT_RECONCILED,
    ErrorClass.OTHER: Reason.UNCLASSIFIED,
}
_WORK = frozenset(["", "analyze", "draft", "review", "research"])
# What is read, and kinds of files that clients send all the same.
_SUFFIXES = frozenset([".ppt", ".xml", *(suffix for form in FORMATS.values() for suffix in form.suffixes)])
_FILE = "|".join(sorted(suffix[1:] for suffix in _SUFFIXES))
_UPPER = "".join(c for c in map(chr, range(0x530)) if c.isupper() or c.istitle())  # Latin, Greek, Cyrillic
_LOWER = "".join(c for c in map(chr, range(0x530)) if c.islower())
# Runs are bounded: a long one would be tried again from each of its characters. A quotation that is not closed goes on
# to the end, for the message may have been cut within it.
_PLACES = (
    (re.compile(r"\b(?:https?://|www\.)[^\s<>\"”»)\]]+", re.IGNORECASE), "[link]"),
    (re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,9}"), "[email]"),
    (
        re.compile(
            rf"\b(?:[\w.-]{{1,64}}[/\\]){{0,9}}[\w-]{{1,99}}(?:\.[\w-]{{1,99}}){{0,5}}\.(?:{_FILE})\b", re.IGNORECASE
        ),
        "[file]",
    ),
    (re.compile(r"„[^“”]{3,}(?:[“”]|\Z)"), "[quotation]"),
    (re.compile(r"[\"“«][^\"”»]{3,}(?:[\"”»]|\Z)"), "[quotation]"),
    (re.compile(r"‘(?:[^’]|’(?=\w)){3,}(?:’|\Z)"), "[quotation]"),
    (
        re.compile(r"(?:§{1,9}|\b(?:Section|Article|Clause|Exhibit|Schedule|Annex))\s{0,9}[\w.()-]+", re.IGNORECASE),
        "[clause]",
    ),
)
_NAME = re.compile(
    rf"\b[{_UPPER}][\w'’&-]{{0,60}}(?:\s{{1,9}}(?:(?:of|and|the|de|van|von|und|et|&)\s{{1,9}})?[{_UPPER}][\w'’&.-]{{0,60}})+"
)
# A capital within a sentence, in brackets or behind a mark of emphasis.
_CAPITAL = re.compile(rf"(?:(?<=[{_LOWER},;:)]\s)|(?<=[(\['*_`/]))[{_UPPER}][\w'’-]+")
_WORD = re.compile(r"[^\W\d_]{3,}")
_DIGITS = re.compile(r"\d[\d.,/:-]*")
_LETTERS = re.compile(r"[^\W\d_]+")
_HIDDEN = "…"
MARKS = ("name", "date", "figure", "authority", "link", "email", "file", "quotation", "clause")
_IN_BRACKETS = frozenset(f"[{mark}]" for mark in MARKS)
_BRACKETS = re.compile(rf"(\[(?:{'|'.join(MARKS)})\])")
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")


def reason(failed: Failed) -> Reason:
    """Return the general reason why a criterion failed: by what its anchor found, its kind, else by its error class."""
    if not failed.match_kind:
        return _OF_CLASS[failed.error_class]
    whatever = _OF_OUTCOME.get((failed.outcome, None), _OF_KIND[failed.match_kind])
    return _OF_OUTCOME.get((failed.outcome, failed.match_kind), whatever)


def bucket(count: int) -> str:
    """Return the range that a count lies in ("4-10"): the count itself could identify a matter."""
    for limit, name in ((0, "none"), (3, "1-3"), (10, "4-10"), (30, "11-30"), (100, "31-100")):
        if count <= limit:
            return name
    return "over 100"


def redact(text: str, names: Iterable[str] = ()) -> str:
    """Replace names, figures, dates, citations, links, file names, clause numbers and quotations by marks in brackets.

    The time this takes grows with the length of the text and with nothing else, whatever the text holds.

    Args:
        text: Any text.
        names: Names known to be of the matter (ids, titles, documents, parties). They are replaced first, however they
            are spaced; a single word of one is replaced where it is capitalised.
    """
    text = _UNSEEN.sub("", unicodedata.normalize("NFC", text))
    known = {unicodedata.normalize("NFC", name).strip(" \t\r\n_-") for name in names}
    for name in sorted((name for name in known if len(name) > 2), key=len, reverse=True):
        text = re.sub(_spaced(name), "[name]", text, flags=re.IGNORECASE)
    spans = [
        *((m.start, m.end, "[date]") for m in scan_dates(text)),
        *((m.start, m.end, "[figure]") for m in scan_numbers(text)),
        *((m.start, m.end, "[authority]") for m in scan_citations(text)),
    ]
    for start, end, mark in _disjoint(spans):
        text = text[:start] + mark + text[end:]
    for pattern, mark in _PLACES:
        text = pattern.sub(mark, text)
    words = {word.lower() for name in known for word in _WORD.findall(name)}
    text = _NAME.sub("[name]", text)
    text = _WORD.sub(lambda word: "[name]" if _called(word[0], words) else word[0], text)
    text = _CAPITAL.sub("[name]", text)
    return _DIGITS.sub("[figure]", text)


def last_words(text: str, names: Iterable[str], general: Collection[str]) -> str:
    """Return what a proposer may see of a last message: redacted, in words of the harness alone, and cut.

    Args:
        text: The message.
        names: Names known to be of the matter.
        general: Words in general use, folded; of three letters and more.
    """
    known = tuple(names)
    theirs = {word.casefold() for name in known for word in _LETTERS.findall(unicodedata.normalize("NFC", name))}

    def kept(word: re.Match[str]) -> str:
        folded = word[0].casefold()
        short = len(folded) < _SHORT and word[0].islower()
        return word[0] if (short or folded in general) and folded not in theirs else _HIDDEN

    shown = " ".join(redact(text, known).split())
    pieces = [piece if piece in _IN_BRACKETS else _LETTERS.sub(kept, piece) for piece in _BRACKETS.split(shown)]
    told = re.sub(rf"{_HIDDEN}(?:[\s\W]*{_HIDDEN})+", _HIDDEN, "".join(pieces))
    return told[:MESSAGE_LIMIT] + (" [cut]" if len(told) > MESSAGE_LIMIT else "")


def _spaced(name: str) -> str:
    """Return an expression for a name whose words may be parted by line breaks, hyphens or underscores."""
    return r"[\s_-]{1,9}".join(re.escape(word) for word in re.split(r"[\s_-]+", name) if word)


def _called(word: str, of_names: Collection[str]) -> bool:
    """Whether a capitalised word is one of a known name: "Larkfield" of "Larkfield Estates Limited"."""
    return word[0].isupper() and word.lower() in of_names


def _disjoint(spans: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Keep the longest of overlapping spans, last first."""
    kept: list[tuple[int, int, str]] = []
    for span in sorted(spans, key=lambda s: (s[0] - s[1], s[0])):
        if all(span[1] <= other[0] or span[0] >= other[1] for other in kept):
            kept.append(span)
    return sorted(kept, reverse=True)


def _formats(suffixes: Iterable[str]) -> tuple[str, ...]:
    """Return the formats by names of ours: what follows the last dot of a file name may be anything."""
    return tuple(sorted({s if s in _SUFFIXES else "other" for s in suffixes}))


def signal(observation: Observation, names: Iterable[str] = ()) -> Signal:
    """Return what a proposer may see of one observation.

    Args:
        observation: What was observed of a scored attempt.
        names: Names known to be of its matter; see :func:`redact`.
    """
    reasons = Counter(reason(f) for f in observation.failed)
    message = redact(observation.final_message, names)
    return Signal(
        work_type=observation.work_type if observation.work_type in _WORK else "other",
        documents=bucket(len(observation.document_suffixes)),
        document_formats=_formats(observation.document_suffixes),
        deliverable_formats=_formats(observation.deliverable_suffixes),
        skill_id=observation.skill_id,
        tool_uses={name: bucket(count) for name, count in sorted(observation.tool_uses.items())},
        passed=observation.passed,
        failed=len(observation.failed),
        unscored=observation.unscored,
        reasons=dict(sorted(reasons.items())),
        final_message=message[:MESSAGE_LIMIT] + (" [cut]" if len(message) > MESSAGE_LIMIT else ""),
    )
