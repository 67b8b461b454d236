"""Two filled checklists compared, item by item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tasks.judging.checklist.equations import list_score, single_score
from tasks.judging.checklist.records import ItemScore, Relation, ValuePairs
from tasks.legaltext.checklists.definition import Checklist, Item
from tasks.legaltext.checklists.records import Entry, Filled
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.usage import Usage


class Comparator(Protocol):
    """Tells what values say to each other.

    Attributes:
        usage: What its calls cost so far.
    """

    @property
    def usage(self) -> Usage:
        """Return what was spent."""
        ...

    def relation(self, item: Item, candidate: str, reference: str) -> Relation:
        """Return what the value of the work product is to that of the reference.

        Raises:
            SolonError: It cannot be told; the failure says why.
        """
        ...

    def match(self, item: Item, candidate: Sequence[str], reference: Sequence[str]) -> ValuePairs:
        """Return the pairs of values that say the same.

        Raises:
            SolonError: They cannot be told; the failure says why.
        """
        ...


def compare(checklist: Checklist, candidate: Filled, reference: Filled, by: Comparator) -> tuple[ItemScore, ...]:
    """Compare the applicable items: those that at least one side has a value for, or could not be asked for."""
    return tuple(
        _compared(checklist, item, candidate.of(item.id), reference.of(item.id), by)
        for item in checklist.items()
        if _applies(candidate.of(item.id), reference.of(item.id))
    )


def _applies(candidate: Entry, reference: Entry) -> bool:
    return bool(candidate.values or reference.values or candidate.cause)


def _compared(checklist: Checklist, item: Item, ours: Entry, theirs: Entry, by: Comparator) -> ItemScore:
    known = ItemScore(
        item=item.id,
        group=checklist.group_of[item.id],
        manner="list" if max(len(ours.values), len(theirs.values)) > 1 else "single",
        reference=len(theirs.values),
        candidate=len(ours.values),
    )
    if ours.cause is not None:
        return _unscored(known, ours.cause, ours.message)
    try:
        return _scored(known, item, [v.text for v in ours.values], [v.text for v in theirs.values], by)
    except SolonError as error:
        if error.failure.cause is FailureCause.LOGIN:
            raise  # no later item will do better
        return _unscored(known, error.failure.cause, error.failure.message)


def _scored(known: ItemScore, item: Item, ours: Sequence[str], theirs: Sequence[str], by: Comparator) -> ItemScore:
    if known.manner == "single" and ours and theirs:
        relation = by.relation(item, ours[0], theirs[0])
        same = relation is Relation.EQUAL
        found = ValuePairs(pairs=((0, 0),) if same else ())
        score = single_score(relation)
    else:
        relation = None
        found = by.match(item, ours, theirs) if ours and theirs else ValuePairs(pairs=())
        score = list_score(len(found.pairs), len(ours), len(theirs))
    met, hit = {one for one, _ in found.pairs}, {other for _, other in found.pairs}
    return known.model_copy(
        update={
            "relation": relation or "",
            "matched": len(found.pairs),
            "missed": tuple(at for at in range(len(theirs)) if at not in met),
            "added": tuple(at for at in range(len(ours)) if at not in hit),
            "score": score,
        }
    )


def _unscored(known: ItemScore, cause: FailureCause, message: str) -> ItemScore:
    return known.model_copy(update={"cause": cause, "message": message})
