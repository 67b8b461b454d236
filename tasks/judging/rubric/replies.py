"""A judge's reply to a batch, read: which items it answers, and what is wrong with the others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from tasks.judging.prompt_files import Fault
from tasks.judging.rubric.items import JudgedItem, Work, fold_quotation
from tasks.models.parsing import find_objects

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_LEAST_QUOTE = 4  # characters; less stands everywhere
_ENTRY: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["id", "reasoning", "verdict", "quote"],
        "properties": {
            "id": {"type": "string", "maxLength": 20},
            "reasoning": {"type": "string", "maxLength": 900},
            "verdict": {"type": "string", "enum": ["pass", "fail"]},
            "quote": {"type": "string", "maxLength": 600},
        },
    }
)
SCHEMA: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["verdicts"],
        "properties": {"verdicts": {"type": "array", "items": dict(_ENTRY)}},
    }
)


@dataclass(frozen=True)
class Answer:
    """What a judge says of one item."""

    verdict: Literal["pass", "fail"]
    reasoning: str
    quote: str


def read_reply(text: str, items: Sequence[JudgedItem], work: Work) -> dict[str, Answer | Fault]:
    """Return for each item, by its id, its answer, or what keeps it from having one.

    A judge may repeat a verdict it found in the work product before it gives its own: of two that disagree neither is
    taken. Entries under ids that were not asked for are nobody's. Where one item alone was asked for, an entry without
    an id is its.
    """
    said: dict[str, list[Mapping[str, Any]]] = {item.id: [] for item in items}
    alone = items[0].id if len(items) == 1 else ""
    for entry in _entries(text):
        said.get(str(entry.get("id") or alone).strip().strip("[]").lower(), []).append(entry)
    return {item.id: _answer(said[item.id], work) for item in items}


def _entries(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield every object of a reply that holds a verdict, in order; a reply that was cut off has some all the same."""
    for value in find_objects(_THINKING.sub("", text)):
        inner = value.get("verdicts")
        for entry in [value, *(inner if isinstance(inner, list) else ())]:
            if isinstance(entry, Mapping) and "verdict" in entry:
                yield entry


def _answer(said: Sequence[Mapping[str, Any]], work: Work) -> Answer | Fault:
    verdicts = {str(entry["verdict"]).strip().lower() for entry in said}
    if verdicts not in ({"pass"}, {"fail"}):
        return Fault.NO_ANSWER
    entry = said[-1]
    reasoning, quote = (str(entry.get(name) or "")[:2000] for name in ("reasoning", "quote"))
    answer = Answer("pass" if verdicts == {"pass"} else "fail", reasoning, quote)
    return _fault(answer, work) or answer


def _fault(answer: Answer, work: Work) -> Fault | None:
    """Say what is wrong with the quotation of an answer; None when nothing is."""
    quote = fold_quotation(answer.quote)
    if not quote:
        return Fault.NO_QUOTE if answer.verdict == "pass" else None
    if len(quote) < _LEAST_QUOTE and answer.verdict == "pass":
        return Fault.SHORT_QUOTE
    return None if quote in work.quotable else Fault.MISQUOTED
