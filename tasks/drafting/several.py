"""Several drafts of one matter, and the one of them that is delivered.

Each is made by the runtime of the cell in a folder of its own, ``drafts/1`` and so on, with what is left of the limits
of the attempt shared among those still to come; all charge its one account. What the runtime left of the draft that is
taken becomes the attempt's; the others stay beside it as evidence.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tasks.drafting.mechanisms.records import Firing, Picks, View
from tasks.drafting.mechanisms.registry import mechanisms_of
from tasks.drafting.records import DraftJob, WorkProduct
from tasks.drafting.stage import asks_model, draft
from tasks.matter.failures import FailureCause

FOLDER: Final = "drafts"
MadeBy = Callable[[DraftJob], WorkProduct]
_ENDS = frozenset({FailureCause.BUDGET, FailureCause.LOGIN})  # what no further draft can mend
_LONGEST = 500  # characters of a note, as its record allows


def draft_with_choice(job_at: Callable[[Path], DraftJob], folder: Path, made_by: MadeBy = draft) -> WorkProduct:
    """Draft a matter: once, or as often as the cell lets drafts be compared.

    A revision goes on with the draft that was taken.

    Args:
        job_at: Returns the job of drafting in a folder, whose toolbox writes there.
        folder: Of the attempt.
        made_by: What makes one draft.
    """
    job = job_at(folder)
    chosen = next((m for m in mechanisms_of(job.cell, job.harness) if isinstance(m, Picks)), None)
    if chosen is None or job.report or not asks_model(job.cell):
        return made_by(job)
    shutil.rmtree(folder / FOLDER, ignore_errors=True)  # of a try that was killed
    jobs, made = _made(job_at, folder, job.harness.mechanisms.vote.drafts, made_by)
    pick = chosen.picked([_view(one) for one in jobs])
    firing = Firing(mechanism=chosen.name, moment=chosen.moment, note=pick.note[:_LONGEST])
    _take(jobs[pick.place].workspace, folder)
    return _product(made, pick.place, firing, job)


def _made(
    job_at: Callable[[Path], DraftJob], folder: Path, drafts: int, made_by: MadeBy
) -> tuple[Sequence[DraftJob], Sequence[WorkProduct]]:
    """Make the drafts; a spent budget or a refused key ends them early."""
    jobs, made, began = list[DraftJob](), list[WorkProduct](), time.monotonic()
    for number in range(1, drafts + 1):
        place = folder / FOLDER / str(number)
        place.mkdir(mode=0o700, parents=True)
        job = job_at(place)
        limits = job.cell.limits
        seconds = max(1.0, limits.wall_seconds - (time.monotonic() - began)) / (drafts + 1 - number)
        cell = job.cell.model_copy(update={"limits": limits.model_copy(update={"wall_seconds": seconds})})
        jobs.append(replace(job, cell=cell, draft=number))
        made.append(made_by(jobs[-1]))
        if any(failure.cause in _ENDS for failure in made[-1].failures):
            break
    return jobs, made


def _view(job: DraftJob) -> View:
    return View(
        brief=job.matter.instructions,
        wanted=tuple(d.filename for d in job.matter.deliverables),
        documents={name: text.text for name, text in job.texts.items()},
        output=job.workspace / "output",
        scratch=job.workspace / "scratch",
        asks=job.asks,
    )


def _take(source: Path, folder: Path) -> None:
    """Move what a runtime left of a draft to where the attempt has it."""
    for left in sorted(source.iterdir()):
        target = folder / left.name
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)  # what a try left that was killed here; in the others nothing lies
        left.replace(target)
    source.rmdir()


def _product(made: Sequence[WorkProduct], place: int, firing: Firing, job: DraftJob) -> WorkProduct:
    """Return the work product of the draft that was taken, with what became of the others."""
    others = [(n, one) for n, one in enumerate(made) if n != place]
    told = [
        f.model_copy(update={"note": f"draft {n + 1}, not taken: {f.note}"[:_LONGEST]})
        for n, one in others
        for f in one.firings
    ]
    return made[place].model_copy(
        update={
            "firings": (*made[place].firings, *told, firing),
            "failures": (*made[place].failures, *(f for _, one in others for f in one.failures)),
            "usage": job.models.ledger.used,
        }
    )
