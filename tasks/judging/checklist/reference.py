"""The sealed reference of a matter as a filled checklist."""

from __future__ import annotations

from typing import Final

from tasks.judging.checklist.side import Side
from tasks.legaltext.checklists.definition import Checklist, open_checklist
from tasks.legaltext.checklists.entering import Intake, Texts
from tasks.legaltext.checklists.records import Entry, Filled
from tasks.legaltext.fold import fold
from tasks.matter.failures import SolonError
from tasks.matter.rubric import ReferenceChecklist

DOCUMENT: Final = "reference"


def open_reference(given: ReferenceChecklist) -> tuple[Checklist, Side]:
    """Return the checklist and what the reference says to it. Evidence that is not in its text covers nothing there.

    Raises:
        SolonError: There is no such checklist, or it has no such item.
    """
    checklist = open_checklist(given.reference_checklist)
    if why := _unknown(checklist, given):
        raise ValueError(why)  # the sealer refuses such a file
    texts = {DOCUMENT: given.text} if given.text.strip() else {}
    intake = Intake(Texts(texts), evidenced=False)
    entries: dict[str, Entry] = {}
    for name, values in given.values.items():
        entry = intake.entry((v.value, v.evidence) for v in values)
        item = checklist.by_name[fold(name)]
        entries[item] = Entry(values=(*entries.get(item, Entry()).values, *entry.values))
    return checklist, Side(Filled(entries=entries, dropped_evidence=intake.dropped_evidence), texts)


def sources_of(checklist: Checklist, given: ReferenceChecklist) -> dict[str, tuple[str, ...]]:
    """Return the documents that the values of each item rest on, by the id of the item."""
    found: dict[str, tuple[str, ...]] = {}
    for name, values in given.values.items():
        item = checklist.by_name[fold(name)]
        found[item] = (*found.get(item, ()), *(source for value in values for source in value.sources))
    return found


def unusable(given: ReferenceChecklist) -> str:
    """Tell why a reference cannot be judged by, in words that quote nothing of it; empty where it can."""
    try:
        checklist = open_checklist(given.reference_checklist)
    except SolonError as error:
        return error.failure.message
    if why := _unknown(checklist, given):
        return why
    _, side = open_reference(given)
    if not any(entry.values for entry in side.filled.entries.values()):
        return "no item of `values` has a value"
    if side.texts and side.filled.dropped_evidence:
        return f"{side.filled.dropped_evidence} quotations of `values` are not in `text`"
    return ""


def _unknown(checklist: Checklist, given: ReferenceChecklist) -> str:
    places = [place for place, name in enumerate(given.values, 1) if fold(name) not in checklist.by_name]
    return f"item {places[0]} of `values` is no item of the checklist" if places else ""
