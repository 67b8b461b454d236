"""Replay of the choice among drafts: stored attempts at one matter are taken for the drafts of one attempt.

Without the choice the first of them would have been delivered, so the first is what it is measured by: it recovers
where what it takes was worth more, and harms where it was worth less, as the judge of the runs has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from flows.studies.stored import Stored
from tasks.drafting.mechanisms.records import Picks, View


@dataclass(frozen=True)
class ChoosingCost:
    """What a choice took of the drafts of a matter.

    Attributes:
        first: The draft that would have been delivered without it.
        taken: The one that it took.
        worth: Of the first and of the taken one.
    """

    first: Stored
    taken: Stored
    worth: tuple[float, float]
    note: str


def groups(attempts: Sequence[Stored], astray: Sequence[Stored] = ()) -> Iterator[list[Stored]]:
    """Yield the attempts at each matter that left work; single attempts are skipped.

    Args:
        attempts: All of them.
        astray: Attempts with the work of another matter: the first draft of each group is one of them, where given.
    """
    left = [one for one in attempts if one.output.is_dir()]
    for key in dict.fromkeys(map(_matter, left)):
        own = [one for one in left if _matter(one) == key]
        stray = [one for one in astray if one.attempt_id == own[0].attempt_id]
        yield [*stray, *own]


def _matter(stored: Stored) -> tuple[object, ...]:
    """Return what tells a matter: its request, and its papers; of papers kept in part each attempt read others."""
    return stored.brief, stored.wanted, () if stored.partial else tuple(sorted(stored.documents))


def chosen(
    mechanism: Picks,
    group: Sequence[Stored],
    view_of: Callable[[Stored, Path], View],
    worth_of: Callable[[Stored, View], float],
) -> ChoosingCost:
    """Choose one of the drafts of a matter; stored files are not changed.

    Documents that were kept in part say nothing of what a draft is about: the choice does without them.
    """
    with ExitStack() as opened:
        places = [Path(opened.enter_context(TemporaryDirectory())) for _ in group]
        views = [view_of(one, place) for one, place in zip(group, places, strict=True)]
        views = [replace(v, documents={}) if one.partial else v for one, v in zip(group, views, strict=True)]
        pick = mechanism.picked(views)
        worth = worth_of(group[0], views[0]), worth_of(group[pick.place], views[pick.place])
    return ChoosingCost(group[0], group[pick.place], worth, pick.note)
