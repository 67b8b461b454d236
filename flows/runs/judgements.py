"""Re-scorings of ended attempts, stored beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import AwareDatetime, ValidationError

from flows.runs.attempts import AttemptStore, write_json
from flows.runs.orders import Attempt
from tasks.judging.records import JudgeReport
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.flow import FLOW_NAME

FOLDER, OWN = "_judgements", "judgement.json"


class Judgement(Record):
    """One re-scoring of one attempt."""

    schema_version: int = 1
    attempt_id: str
    judged_utc: AwareDatetime
    report: JudgeReport


class Rescored(NamedTuple):
    """A re-scoring as it is stored; ``flow`` is the log of what its models were sent, which may not be there."""

    attempt_id: str
    report: JudgeReport
    judged_utc: datetime
    flow: Path


def judgements(store: AttemptStore) -> Iterator[Rescored]:
    """Yield the re-scorings of a run. Re-scorings copied in from another run are ignored."""
    for path in sorted((store.folder / FOLDER).rglob("*.json")):
        try:
            found = Judgement.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            continue
        if found.attempt_id.startswith(f"{store.run_id}/"):
            yield Rescored(found.attempt_id, found.report, found.judged_utc, _flow_of(path))


def write_judgement(store: AttemptStore, attempt: Attempt, judgement: Judgement) -> None:
    """Write a re-scoring beside the attempts of its run; the log of what its models were sent becomes its own."""
    log = flow_place(store, attempt, judgement.report.profile)
    place = log.parent / f"{attempt.number}-{judgement.judged_utc:%Y%m%dT%H%M%S%f}.json"
    if log.is_file():
        log.replace(_flow_of(place))
    write_json(place, judgement)


def latest_judgement(store: AttemptStore, attempt: Attempt, profile: str) -> Path:
    """Return the file of the latest judgement of an attempt by a profile; the names sort by time."""
    again = _place(store, attempt, profile).glob(f"{attempt.number}-*.json")  # the times in their names sort
    return max(again, default=store.path(attempt) / OWN)


def verdicts_at(file: Path, version: str) -> JudgeReport | None:
    """Return a stored judgement, an attempt's own or a re-scoring; None where nothing was judged.

    Args:
        file: As :func:`latest_judgement` names it.
        version: The version of the profile that alone may count; empty for any.

    Raises:
        SolonError: It is by another version of its profile: its verdicts are not counted with those of this one.
    """
    if not file.is_file():
        return None
    content = file.read_bytes()
    own = file.name == OWN
    report = JudgeReport.model_validate_json(content) if own else Judgement.model_validate_json(content).report
    if version and report.profile_version not in ("", version):
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="judge",
                subject=report.matter_id,
                message=f"was judged by another version of the judge {report.profile} ({report.profile_version}) than "
                f"{version}, and their verdicts are not counted together",
                remedy=f"`solon judge RUN --profile {report.profile}` judges its run by the one in force",
            )
        )
    return report


def lost(file: Path) -> SolonError:
    """Return the error of verdicts that are gone."""
    message, remedy = "The verdicts of an ended attempt are gone.", "`solon judge RUN` judges it again."
    return SolonError(
        Failure(cause=FailureCause.CHANGED, stage="judge", subject=file.name, message=message, remedy=remedy)
    )


def flow_place(store: AttemptStore, attempt: Attempt, profile: str) -> Path:
    """Return the information-flow log for scoring an attempt again by a profile; its folder is made.

    What a re-scoring that was killed had sent stays in it, and is told with the next.
    """
    folder = _place(store, attempt, profile)
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{attempt.number}-{FLOW_NAME}"


def judged_otherwise(store: AttemptStore, ended: Iterable[Attempt], profile: str, version: str) -> dict[str, str]:
    """Return the attempts whose latest judgement by a profile is of another version, each with that version.

    Verdicts of an earlier Solon do not say which version gave them; they are left out.
    """
    latest = {
        a.attempt_id: (a.judged_utc, a.judge_version) for a in ended if a.judged_utc and a.judge_profile == profile
    }
    for attempt_id, report, judged, _ in judgements(store):
        known = latest.get(attempt_id)
        if report.profile == profile and (known is None or judged > known[0]):
            latest[attempt_id] = (judged, report.profile_version)
    return {i: found for i, (_, found) in latest.items() if found not in ("", version)}


def _flow_of(judgement: Path) -> Path:
    return judgement.with_name(f"{judgement.stem}-{FLOW_NAME}")


def _place(store: AttemptStore, attempt: Attempt, profile: str) -> Path:
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", profile)
    return store.folder / FOLDER / slug / attempt.matter_id / attempt.cell.name
