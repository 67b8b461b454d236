"""Re-scorings of ended attempts, stored beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from pydantic import AwareDatetime, ValidationError

from flows.runs.attempts import AttemptStore, write_json
from flows.runs.orders import Attempt
from tasks.judging.records import JudgeReport
from tasks.matter.base import Record

FOLDER = "_judgements"


class Judgement(Record):
    """One re-scoring of one attempt."""

    schema_version: int = 1
    attempt_id: str
    judged_utc: AwareDatetime
    report: JudgeReport


def judgements(store: AttemptStore) -> Iterator[tuple[str, JudgeReport, datetime]]:
    """Yield the re-scorings of a run: attempt id, report, time. Re-scorings copied in from another run are ignored."""
    for path in sorted((store.folder / FOLDER).rglob("*.json")):
        try:
            found = Judgement.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            continue
        if found.attempt_id.startswith(f"{store.run_id}/"):
            yield found.attempt_id, found.report, found.judged_utc


def write_judgement(store: AttemptStore, attempt: Attempt, judgement: Judgement) -> None:
    """Write a re-scoring beside the attempts of its run."""
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", judgement.report.profile)
    folder = store.folder / FOLDER / slug / attempt.matter_id / attempt.cell.name
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / f"{attempt.number}-{judgement.judged_utc:%Y%m%dT%H%M%S%f}.json", judgement)
