"""The Parquet parts of what ended: written by judge processes, for verdicts are among them."""

from __future__ import annotations

from pathlib import Path

from flows.runs.attempts import AttemptStore
from flows.runs.judgements import judgements
from flows.runs.orders import Attempt
from flows.runs.rows import attempt_rows, judgement_rows, run_rows
from flows.settings import Settings


def write_run_parts(settings: Settings, run_id: str) -> None:
    """Write the parts of a run; writing the same again changes nothing."""
    from warehouse.parts import write_parts

    store = AttemptStore(settings.runs, run_id)
    write_parts(settings.parts, run_rows(store.pinned() or {"starts": []}))
    for attempt in store.ended():
        write_attempt_parts(settings.parts, attempt, store.path(attempt))
    for attempt_id, report, judged in judgements(store):
        write_parts(settings.parts, judgement_rows(attempt_id, run_id, report, judged))


def write_attempt_parts(parts: Path, attempt: Attempt, folder: Path) -> None:
    """Write the parts of one ended attempt."""
    from warehouse.parts import write_parts

    write_parts(parts, attempt_rows(attempt, folder))
