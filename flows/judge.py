"""Score, or re-score, ended attempts. The attempts are not touched: a judgement lies beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from datetime import datetime
from pathlib import Path

from pydantic import AwareDatetime, ValidationError

from flows.land import land_runs
from flows.settings import Settings, check_warehouse, secure
from flows.support import bodies
from flows.support.attempts import AttemptStore, changed, nothing_to_judge, work_of, write_json
from flows.support.compute import Compute, Resources
from flows.support.orders import Attempt, utc_now
from flows.support.plan import open_from
from flows.support.records import recorded
from tasks.judging.records import JudgeReport
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter

FOLDER = "_judgements"


class Judgement(Record):
    """One re-scoring of one attempt."""

    schema_version: int = 1
    attempt_id: str
    judged_utc: AwareDatetime
    report: JudgeReport


class JudgeResult(Record):
    """What a re-scoring gave."""

    run_id: str
    profile: str
    attempts: int
    criteria: int
    passed: int
    unscored: int
    cost_usd: float
    problems: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    landed: bool = True


def judge_run(run_id: str, profile: str, settings: Settings) -> JudgeResult:
    """Judge every ended attempt of a run with another profile, or again with the same.

    Raises:
        SolonError: There is no such run, or nothing of it has ended.
    """
    store = AttemptStore(settings.runs, run_id)
    ended = store.ended()
    if not ended:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="judge",
                subject=run_id,
                message=f"has no ended attempts below {settings.runs}",
                remedy="`solon run` makes them; --runs DIR says where they lie",
            )
        )
    check_warehouse(settings)
    secure(settings)
    judged: list[Judgement] = []
    problems: list[Failure] = []

    with closing(open_from(settings)) as compute:

        def body() -> None:
            _judge_all(ended, profile, store, settings, compute, judged, problems)

        recorded("judge", f"{run_id} {profile}", settings, body, body, stop=compute.close)
    landing = land_runs(settings, [run_id])
    verdicts = [v.status for j in judged for v in j.report.verdicts]
    return JudgeResult(
        run_id=run_id,
        profile=profile,
        attempts=len(judged),
        criteria=len(verdicts),
        passed=verdicts.count("pass"),
        unscored=verdicts.count("unscored"),
        cost_usd=sum(j.report.usage.cost_usd for j in judged),
        problems=tuple(problems),
        notes=tuple(landing.lines()[1:]),
        landed=landing.published,
    )


def judgements(store: AttemptStore) -> Iterator[tuple[str, JudgeReport, datetime]]:
    """Yield the re-scorings of a run: attempt id, report, time."""
    for path in sorted((store.folder / FOLDER).rglob("*.json")):
        try:
            found = Judgement.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            continue
        yield found.attempt_id, found.report, found.judged_utc


def _judge_all(
    ended: list[Attempt],
    profile: str,
    store: AttemptStore,
    settings: Settings,
    compute: Compute,
    judged: list[Judgement],
    problems: list[Failure],
) -> None:
    with ThreadPoolExecutor(compute.slots) as threads:
        work = [threads.submit(_judge_one, a, profile, store, settings, compute) for a in ended]
        for future in as_completed(work):
            try:
                judged.append(future.result())
            except SolonError as exc:
                problems.append(exc.failure)


def _judge_one(attempt: Attempt, profile: str, store: AttemptStore, settings: Settings, compute: Compute) -> Judgement:
    resources = Resources(stage="judge", role="judge", seconds=4 * settings.stage_seconds)
    folder = store.path(attempt)
    # a failed attempt is never judged as work, so nothing hangs on what its folder holds
    altered = changed(folder) if attempt.outcome != "failed" else ()
    if altered:
        message = f"was altered after it ended: {', '.join(altered[:3])}"
        remedy = "restore its folder, or make a new attempt with `solon run`"
        raise SolonError(
            Failure(
                cause=FailureCause.POLICY, stage="judge", subject=attempt.attempt_id, message=message, remedy=remedy
            )
        )
    matter = Matter.model_validate_json((folder / "matter.json").read_bytes())
    if cause := nothing_to_judge(attempt.outcome, attempt.failures, work_of(folder)):
        arguments: tuple[object, ...] = (matter, settings.sealed, profile, settings.judge_cache, cause)
        report = compute.submit(bodies.unscored, *arguments, resources=resources).result()
    else:
        arguments = (matter, folder, settings.sealed, profile, settings.judge_cache)
        report = compute.submit(bodies.judge, *arguments, resources=resources).result()
    judgement = Judgement(attempt_id=attempt.attempt_id, judged_utc=utc_now(), report=report)
    write_json(_path(store, attempt, profile, judgement.judged_utc), judgement)
    return judgement


def _path(store: AttemptStore, attempt: Attempt, profile: str, judged: datetime) -> Path:
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", profile)
    folder = store.folder / FOLDER / slug / attempt.matter_id / attempt.cell.name
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{attempt.number}-{judged:%Y%m%dT%H%M%S%f}.json"
