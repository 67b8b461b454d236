"""Words that the number gate looks for in a draft, and its remedies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

NumberKind = Literal[
    "unsourced",
    "unit_mismatch",
    "near_miss",
    "wrong_entity",
    "wrong_context",
    "pair_disagrees",
    "source_disagrees",
    "silent_choice",
]
"""What the number gate can find."""

DRAFTING = re.compile(
    r"(?:agreements?|documents?|contracts?|files?|deliverables?|sections?|findings?|provisions?|topics?|questions?|issues?"
    r"|flags?|pages?|exhibits?|sheets?|rows?|columns?|clauses?|items?|points?|matters?|sources?|instruments?|passages?"
    r"|quotations?|citations?|characters|words|lines|entries|answers?|copies|parts|amendments?|lawyers?|attorneys?"
    r"|searches|places|hits|paragraphs?|criteria|categories|schedules|leases|conflicts?|records?|gaps|steps|parties"
    r"|readers?|figures|dates|terms|results|tables|papers|assumptions|limits|exceptions)$",
    re.IGNORECASE,
)
REMEDY: Mapping[NumberKind, str] = {
    "unsourced": "Cite the provision that states it, show its arithmetic, or strike it.",
    "unit_mismatch": "State the unit and scale as the source does.",
    "near_miss": "Compare with the source and correct the figure.",
    "wrong_context": "Compare with the place shown: the value is given of another thing.",
    "source_disagrees": "Say that the source's words and figures differ, and which of them the draft follows.",
    "silent_choice": "Say that the source's words and figures differ, and which of them the draft follows.",
    "wrong_entity": "Attribute it to the document that states it, or give this document's own figure.",
    "pair_disagrees": "Words and figures differ: say which the source means, and flag it to the parties.",
}
PERIODIC: Mapping[tuple[str, int], str] = MappingProxyType(
    {
        ("months", 12): r"\b(?:annual(?:ly)?|yearly|each year|year[\s-]to[\s-]year)\b",
        ("months", 6): r"\b(?:semi-?annual(?:ly)?|half-?yearly)\b",
        ("months", 3): r"\b(?:quarterly|each quarter)\b",
        ("months", 1): r"\b(?:monthly|each month|month[\s-]to[\s-]month)\b",
        ("days", 7): r"\bweekly\b",
        ("days", 1): r"\bdaily\b",
    }
)
FALLS = re.compile(
    r"(?i)\b(?:loss|losses|deficit|negative|decreas|declin|reduc|fell by|fall(?:en)? (?:of|by|in)|drop"
    r"|shortfall|outflow|down|under-?r[ue]n"
    r"|adjust|chang(?:e|ed) (?:of|by)|varia|credit|minus|used in|impair|write)"
)
INCONSISTENT = re.compile(r"(?i)inconsisten|discrepan|conflict|differ|disagree|in words|contradict|ambig")
NAMED = re.compile(r"(?<=[\s(“\"])[A-Z][A-Za-z&’'-]+")
