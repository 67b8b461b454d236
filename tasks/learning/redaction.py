"""Learner blindness: an observation becomes a signal that names no one and quotes nothing.

Reasons are not redacted judge prose but general sentences chosen by error class and kind of match,
so that no word of a rubric can pass. Free text (the solver's last message) is stripped of every
name, figure, date, citation and quotation and then cut.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tasks.learning.records import Observation, Signal
from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.sources.readers import FORMATS

MESSAGE_LIMIT = 600

_KIND = {
    "date": "a date was missing or wrong",
    "value": "a typed answer was missing or wrong",
    "span": "the operative words of a provision were not conveyed",
    "absence": "the absence of a provision was not stated",
}
_CLASS = {
    "numbers_dates": "an amount, date, threshold or deadline was missing or wrong",
    "missing_facts": "a fact or entity of the record was omitted",
    "deliverable_format": "the work product lacked a required form or section",
    "legal_rule_use": "a rule, clause or standard was not applied",
    "coverage": "an enumerated source, issue or subpart was left untreated",
    "remedial_action": "a risk was stated without an action or owner",
    "materiality_impact": "severity or impact was absent or miscalibrated",
    "source_grounding": "a statement lacked its source",
    "cross_doc_synthesis": "related documents were not reconciled",
    "other": "the criterion failed for a reason without a class",
}
_WORK = frozenset(["", "analyze", "draft", "review", "research"])
# What is read, and kinds of files that clients send all the same.
_SUFFIXES = frozenset([".ppt", ".xml", *(suffix for form in FORMATS.values() for suffix in form.suffixes)])
_FILE = "|".join(sorted(suffix[1:] for suffix in _SUFFIXES))
_PLACES = (
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "[email]"),
    (re.compile(rf"\b[\w-]+(?:\.[\w-]+)*\.(?:{_FILE})\b", re.IGNORECASE), "[file]"),
    (re.compile(r"[\"“«][^\"”»]{3,}[\"”»]"), "[quotation]"),
    (re.compile(r"(?:§+|\b(?:Section|Article|Clause|Exhibit|Schedule|Annex))\s*[\w.()-]+", re.IGNORECASE), "[clause]"),
)
_NAME = re.compile(r"\b[A-Z][\w'’&-]*(?:\s+(?:of|and|the|de|van|von|&)?\s*[A-Z][\w'’&.-]*)+")
_CAPITAL = re.compile(r"(?<=[a-z,;:)] )[A-Z][\w'’-]+")
_DIGITS = re.compile(r"\d[\d.,/:-]*")


def reason(match_kind: str, error_class: str) -> str:
    """Return the general sentence for a failed criterion."""
    return _KIND.get(match_kind) or _CLASS.get(error_class) or _CLASS["other"]


def bucket(count: int) -> str:
    """Bucket a count so that it cannot identify a matter."""
    for limit, name in ((0, "none"), (3, "1-3"), (10, "4-10"), (30, "11-30"), (100, "31-100")):
        if count <= limit:
            return name
    return "over 100"


def redact(text: str, names: Iterable[str] = ()) -> str:
    """Strip names, figures, dates, citations, file names, clause numbers and quotations from free text.

    Args:
        text: Any text.
        names: Names known to be of the matter (ids, titles, documents, parties), removed first.
    """
    for name in sorted({n.strip() for n in names if len(n.strip()) > 2}, key=len, reverse=True):
        text = re.sub(re.escape(name), "[name]", text, flags=re.IGNORECASE)
    spans = [
        *((m.start, m.end, "[date]") for m in scan_dates(text)),
        *((m.start, m.end, "[figure]") for m in scan_numbers(text)),
        *((m.start, m.end, "[authority]") for m in scan_citations(text)),
    ]
    for start, end, mark in _disjoint(spans):
        text = text[:start] + mark + text[end:]
    for pattern, mark in _PLACES:
        text = pattern.sub(mark, text)
    text = _NAME.sub("[name]", text)
    text = _CAPITAL.sub("[name]", text)
    return _DIGITS.sub("[figure]", text)


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
    """Redact one observation."""
    reasons = Counter(reason(f.match_kind, f.error_class) for f in observation.failed)
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
