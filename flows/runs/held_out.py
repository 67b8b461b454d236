"""Looks of runs and studies at what learning runs of the same home hold out: each is a row before an attempt is made.

A matter is known by its digest. Part of that is its path within the corpus, so it is also known where the corpus is
opened at another folder above or below it; a copy whose own folder has another name is another matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flows.runs.edit_rows import access_rows
from flows.runs.progress import write_status
from flows.settings import Settings
from tasks.learning.holdout import HoldoutLog, Side
from tasks.learning.ledger import last_step
from tasks.learning.splits import Split, read_split
from tasks.matter.failures import SolonError
from tasks.matter.records import Matter

if TYPE_CHECKING:
    from flows.runs.plan import WorkItem

_SIDES: tuple[Side, ...] = ("test", "giant")


def record_looks(work: Sequence[WorkItem], harness: str, settings: Settings, purpose: str) -> None:
    """Write down that attempts are about to be made at matters that a learning run of this home holds out.

    The rows are those of the learning run: in its log, and among the parts that the next landing takes up.

    Args:
        work: The attempts that are to be made.
        harness: Version of the harness that they are made under.
        settings: Where learning runs and parts lie.
        purpose: What the attempts are for, e.g. ``run`` or ``study curve``.

    Raises:
        SolonError: A split or a log cannot be read (``input``): to pass over it would hide a look.
    """
    from warehouse.parts import write_parts

    for home, parted in _splits(settings.home / "learning"):
        log = HoldoutLog(home / "holdout.jsonl", home.name, parted.digest)
        for side in _SIDES:
            held = _held(work, {matter_id: parted.matters[matter_id] for matter_id in getattr(parted, side)})
            if not held:
                continue
            matters = len({one.matter.digest for one in held})
            log.look(side, purpose, harness, step=last_step(home / "ledger.jsonl"), matters=matters, attempts=len(held))
            write_parts(settings.parts, access_rows(log.looks()))
            write_status(f"{matters} of these matters the learning run {home.name} holds out: the look is written down")


def _held(work: Sequence[WorkItem], digests: Mapping[str, str]) -> list[WorkItem]:
    """Return the work on matters with one of these digests, given by the id that each had in its corpus."""
    named = defaultdict[str, list[str]](list)
    for matter_id in digests:
        named[_folder(matter_id)].append(matter_id)
    return [one for one in work if any(_is(one.matter, i, digests[i]) for i in named[_folder(one.matter.matter_id)])]


def _folder(matter_id: str) -> str:
    return matter_id.rpartition("/")[2]


def _is(matter: Matter, matter_id: str, digest: str) -> bool:
    return matter.model_copy(update={"matter_id": matter_id}).digest == digest


def _splits(learning: Path) -> Iterator[tuple[Path, Split]]:
    for file in sorted(learning.glob("*/split.json")):
        try:
            yield file.parent, read_split(file)
        except SolonError as error:
            remedy = f"restore the file, or move the folder {file.parent.name} out of {learning}"
            raise SolonError(error.failure.model_copy(update={"remedy": remedy})) from None
