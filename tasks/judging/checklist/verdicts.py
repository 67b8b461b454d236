"""The verdict on an item: it passes where both sides say the same, no more and no less."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.judging.checklist.records import ItemScore, Relation
from tasks.judging.checklist.side import Side
from tasks.judging.records import Verdict
from tasks.legaltext.checklists.definition import Checklist
from tasks.legaltext.checklists.records import Value
from tasks.matter.reasons import Outcome

_SHOWN = 5  # values that a rationale quotes; the others are counted
_SHORT = 160  # characters of a quoted value, so that a rationale stays a line or two
_TOLD = {
    Relation.EQUAL: "says what the reference says",
    Relation.CONTAINS: "says more than the reference",
    Relation.CONTAINED: "says a part of what the reference says",
    Relation.DIFFERENT: "says something else than the reference",
}


def verdict_of(checklist: Checklist, item: ItemScore, candidate: Side, reference: Side) -> Verdict:
    """Return the verdict on an applicable item; its id is ``checklist:<item>``."""
    title = next(i.title for i in checklist.items() if i.id == item.item)
    known = Verdict(criterion_id=f"checklist:{item.item}", title=title, status="unscored", cause=item.cause)
    if item.score is None:
        return known.model_copy(update={"reasoning": item.message})
    ours, theirs = candidate.filled.of(item.item).values, reference.filled.of(item.item).values
    return known.model_copy(
        update={
            "status": "pass" if item.score == 1 else "fail",
            "outcome": outcome_of(item),
            "reasoning": _reasoning(item, ours, theirs),
            "quote": next((e.text for value in ours for e in value.evidence), ""),
        }
    )


def outcome_of(item: ItemScore) -> Outcome:
    """Return what happened to an item that has a score."""
    if item.score == 1:
        return Outcome.MATCHED
    if not item.candidate:
        return Outcome.OMITTED
    if not item.reference:
        return Outcome.ASSERTED
    return Outcome.PARTIAL if item.score else Outcome.WRONG_VALUE


def _reasoning(item: ItemScore, ours: Sequence[Value], theirs: Sequence[Value]) -> str:
    if not ours:
        told = "The work product says nothing to this item."
    elif not theirs:
        told = "The item does not apply, and the work product gives it a value."
    elif item.relation:
        told = f"The work product {_TOLD[Relation(item.relation)]}."
    else:
        told = f"{item.matched} of {len(theirs)} values of the reference are among the {len(ours)} of the work product."
    parts = [told, f"Score {item.score:.2f}."]
    parts += [f"Missing: {_listed(theirs, item.missed)}."] if item.missed else []
    parts += [f"Not in the reference: {_listed(ours, item.added)}."] if item.added else []
    return " ".join(parts)


def _listed(values: Sequence[Value], places: Sequence[int]) -> str:
    shown = [values[at].text for at in places[:_SHOWN]]
    short = [f"“{words if len(words) <= _SHORT else words[: _SHORT - 1] + '…'}”" for words in shown]
    more = len(places) - len(short)
    return "; ".join(short) + (f" and {more} more" if more > 0 else "")
