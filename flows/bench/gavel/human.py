"""Checklists that people filled from case summaries (GAVEL's annotations), with the words they rest on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks.judging.checklist.side import Side
from tasks.legaltext.checklists.definition import Checklist, open_checklist
from tasks.legaltext.checklists.entering import Intake, Texts
from tasks.legaltext.checklists.records import Entry, Evidence, Filled
from tasks.legaltext.fold import fold
from tasks.matter.failures import Failure, FailureCause, SolonError

_SUMMARY = "summary"
_BLANK = 2  # characters between two quotations: white space


@dataclass(frozen=True)
class HumanChecklist:
    """What people found in the summary of one case.

    Attributes:
        lists: Their values by item, as they wrote them: repetitions stand here still.
        side: The filled checklist. The summary itself is not in the data: its text is put together from the quotations,
            which overlap, up to the last character that one of them holds.
        known: Share of that text that a quotation shows.
        conflicts: Characters that two quotations give differently.
    """

    case: str
    lists: Mapping[str, Sequence[str]]
    side: Side
    known: float
    conflicts: int


def load_checklists(folder: Path) -> tuple[Checklist, list[HumanChecklist]]:
    """Return the checklists of the file ``human_checklists*.json`` of a folder.

    Raises:
        SolonError: There is no such file, or it is not in the form of the annotations.
    """
    found = sorted(p for p in folder.glob("human_checklists*.json") if "held_out" not in p.name)
    if not found:
        raise _bad(folder, "holds no human_checklists*.json")
    checklist = open_checklist("case")
    try:
        results = json.loads(found[0].read_text(encoding="utf-8"))["results"]
        return checklist, [_checklist(checklist, case, items) for case, items in results.items()]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _bad(found[0], f"is not in the form of GAVEL's annotations ({type(error).__name__})") from error


def _checklist(checklist: Checklist, case: str, items: Mapping[str, Sequence[Mapping[str, Any]]]) -> HumanChecklist:
    said = {checklist.by_name[fold(name)]: [_value(v) for v in values] for name, values in items.items()}
    quotations = [e for values in said.values() for _, evidence in values for e in evidence]
    text, known, conflicts = _summary(quotations)
    intake = Intake(Texts({_SUMMARY: text}), evidenced=False)
    entries: dict[str, Entry] = {item: intake.entry(values) for item, values in said.items()}
    filled = Filled(entries=entries, dropped_evidence=intake.dropped_evidence)
    lists = {item: [words for words, _ in values] for item, values in said.items()}
    return HumanChecklist(case, lists, Side(filled, {_SUMMARY: text}), known, conflicts)


def _value(raw: Mapping[str, Any]) -> tuple[str, list[Evidence]]:
    places = zip(raw["evidences_indices"], raw["evidences"], strict=True)
    return raw["value"], [Evidence(document=_SUMMARY, start=s, end=e, text=words) for (s, e), words in places]


def _summary(quotations: Sequence[Evidence]) -> tuple[str, float, int]:
    """Return the text that the quotations come from, the share of it that they show, and where they differ."""
    signs: dict[int, str] = {}
    conflicts = 0
    for one in quotations:
        for at, sign in enumerate(one.text, one.start):
            conflicts += signs.setdefault(at, sign) != sign
    length = max(signs, default=-1) + 1
    text, last = "", 0
    for at in sorted(signs):
        gap = at - last
        text += (" " if gap <= _BLANK else "x") * gap + signs[at]
        last = at + 1
    return text, len(signs) / length if length else 0.0, conflicts


def _bad(path: Path, message: str) -> SolonError:
    remedy = "name the folder of the human checklists with --data, e.g. ../shared/data/gavel"
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="bench", subject=str(path), message=message, remedy=remedy)
    )
