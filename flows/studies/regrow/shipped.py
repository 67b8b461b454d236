"""The shipped harness on the held-out side of a learning run: how much of what it gains there the run brought back.

check what the run was -> record the look -> attempts under its first, its last and the shipped harness -> the share
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from flows.land import land_runs
from flows.runs.attempts import AttemptStore
from flows.runs.cells import resolve_cell
from flows.runs.edit_rows import access_rows
from flows.runs.home import check_warehouse, secure
from flows.runs.models import models_of, require_callable
from flows.runs.plan import open_from, open_harness
from flows.runs.serving import served
from flows.runs.trials import Trials, run_of
from flows.settings import Settings
from flows.studies.regrow.measure import refused
from tasks.drafting.records import Cell
from tasks.harness import HarnessRef, find_harness, validated
from tasks.learning.harnesses import stored
from tasks.learning.holdout import GAIN, SHIPPED, HoldoutLog
from tasks.learning.records import LedgerRow
from tasks.learning.share import Share, share_of
from tasks.learning.splits import Split, read_split
from tasks.matter.records import Corpus, Matter


def shipped_share(learn_id: str, rows: Sequence[LedgerRow], corpus: Path, settings: Settings) -> Share | None:
    """Run the shipped harness on the held-out side of a learning run, as the run itself did, and return the share.

    Attempts that ended count and are not made again. Each call is a look at the holdout, and written down as one.

    Args:
        learn_id: The learning run.
        rows: Its ledger.
        corpus: The corpus that it learned from.
        settings: What is in force; ``harness`` is the one that the run began with.

    Returns:
        The share; None where the run promoted nothing, so that nothing is looked at.

    Raises:
        SolonError: The harness, the corpus or the judge is not that of the run, it held nothing out, or it has not
            looked at its holdout yet (``input``).
    """
    promoted = [row.candidate_version for row in rows if row.accepted]
    if not promoted:
        return None
    check_warehouse(settings)
    secure(settings)
    home = settings.home / "learning" / learn_id
    first, parted = _first(learn_id, rows, settings), read_split(home / "split.json")
    looks = HoldoutLog(home / "holdout.jsonl", learn_id, parted.digest)
    trials = _trials(learn_id, looks)
    arms = first, stored(home / "harnesses", promoted[-1]), validated(find_harness())
    cell = _cell(learn_id, first, settings)
    loaded = _loaded(corpus, settings)
    matters = _held_out(learn_id, parted, loaded.matters)
    models = models_of([cell], settings, settings.judge)
    require_callable(models)
    drawn = [(matter, epoch) for epoch in range(1, trials + 1) for matter in matters]
    last = max(row.step for row in rows)
    looks.look("test", SHIPPED, arms[2].version, step=last, matters=len(matters), attempts=len(arms) * len(drawn))
    with served(models, settings), closing(open_from(settings)) as compute:
        runs = Trials(learn_id, loaded, cell, settings, compute, compute)
        scores = runs.together(arms, [m for m, _ in drawn], [e for _, e in drawn])
    _land(learn_id, arms, looks, settings)
    return share_of(scores)


def _first(learn_id: str, rows: Sequence[LedgerRow], settings: Settings) -> HarnessRef:
    first = open_harness(settings)
    if first.version != rows[0].base_version:
        message = f"was begun from another harness ({rows[0].base_version[:12]}) than the one in force"
        raise refused(learn_id, message, "name the one that it was begun from with --harness DIR")
    return first


def _cell(learn_id: str, first: HarnessRef, settings: Settings) -> Cell:
    """Return the cell that the run was made with; that it still is what it was is checked where its runs are opened."""
    pinned = AttemptStore(settings.runs, run_of(learn_id, first)).pinned()
    if pinned is None:
        remedy = "restore the folder of runs, or name it with --runs DIR"
        raise refused(learn_id, "has no attempts under the harness that it was begun from", remedy)
    names = list(pinned["cells"])
    if len(names) > 1:
        told = f"was run by several cells ({', '.join(names)}), so that its harness was learned with none of them"
        raise refused(learn_id, told, "learn under another --learn-id, with one cell")
    return resolve_cell(names[0], settings)


def _trials(learn_id: str, looks: HoldoutLog) -> int:
    """Return how often the run tried each held-out matter, as its last look at the gain says."""
    gains = [look for look in looks.looks() if look.side == "test" and look.purpose == GAIN]
    if not gains:
        remedy = "let the run end: `solon learn` looks once, at its end, where it promoted something (--holdout)"
        raise refused(learn_id, "has not looked at a held-out side", remedy)
    return max(1, gains[-1].attempts // (2 * gains[-1].matters))


def _loaded(corpus: Path, settings: Settings) -> Corpus:
    from tasks.matter.loading import load_corpus

    return load_corpus(corpus, settings.sealed, None, settings.cache)


def _held_out(learn_id: str, parted: Split, matters: Sequence[Matter]) -> list[Matter]:
    held = [matter for matter in parted.of("test", matters) if matter.digest == parted.matters[matter.matter_id]]
    if len(held) < len(parted.test):
        gone = sorted(set(parted.test) - {matter.matter_id for matter in held})
        told = f"held out {len(parted.test)} matters, and {len(gone)} are not in the corpus as they were: {gone[0]}"
        raise refused(learn_id, told, "name the corpus that it learned from with --shipped CORPUS")
    return held


def _land(learn_id: str, arms: Sequence[HarnessRef], looks: HoldoutLog, settings: Settings) -> None:
    from warehouse.parts import write_parts

    write_parts(settings.parts, access_rows(looks.looks()))
    land_runs(settings, list(dict.fromkeys(run_of(learn_id, arm) for arm in arms)), knowledge=False)
