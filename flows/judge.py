"""Score, or re-score, ended attempts. The attempts are not changed: a judgement is stored beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from datetime import datetime
from pathlib import Path

from pydantic import Field, ValidationError

from flows.compute.protocol import Compute, Resources
from flows.land import land_runs
from flows.prefect.recording import recorded
from flows.runs import judge_side
from flows.runs.attempts import AttemptStore, changed_files, nothing_to_judge, work_of
from flows.runs.flow import logged
from flows.runs.held_out import record_looks, to_read
from flows.runs.home import check_warehouse, secure
from flows.runs.judgements import Judgement, flow_place, judged_otherwise, judgements, write_judgement
from flows.runs.models import models_of, require_callable
from flows.runs.orders import Attempt, time_after
from flows.runs.plan import judge_pin, open_from, pin_judge
from flows.runs.scoring import nothing_scored
from flows.runs.serving import served
from flows.settings import Settings
from flows.trust import repeats_of, unproven
from tasks.judging.agreement.repeats import Repeats
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter
from tasks.models.flow import read_flow
from tasks.tracing.flow import FLOW_STAGE, check_flow

_NAMED = 3  # attempts that a message names


class JudgeResult(Record):
    """The result of a re-scoring.

    Attributes:
        profile_version: Hash of all that decides the profile's verdicts: scores of two versions are not comparable.
        pooled_pass: Passed criteria of all that were scored, from 0 to 1; None where none was.
        repeats: How verdicts move between judgements and between attempts; None unless it was judged several times.
    """

    run_id: str
    profile: str
    profile_version: str = ""
    attempts: int
    criteria: int
    passed: int
    unscored: int
    pooled_pass: float | None
    cost_usd: float
    repeats: Repeats | None = None
    problems: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    landed: bool = True
    unscored_causes: dict[str, int] = Field(default_factory=dict)

    @property
    def nothing_scored(self) -> str:
        """Why no criterion has a score, if infrastructure failed; empty if some have one, or none could."""
        return nothing_scored(self.criteria, self.unscored_causes)


def judge_run(run_id: str, profile: str, settings: Settings, repeat: int = 0) -> JudgeResult:
    """Judge every ended attempt of a run with another profile, or again with the same.

    Args:
        run_id: The run.
        profile: The judge profile.
        settings: Where runs, sealed rubrics and warehouse lie.
        repeat: Judge so many times, and ask models anew each time; each judgement is kept, the last counts. 0 judges
            once, from recorded replies where there are some.

    Raises:
        SolonError: There is no such run, nothing of it has ended, or the profile cannot judge.
    """
    models = models_of((), settings, profile)
    require_callable(models)
    pin = judge_pin(settings, profile)
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
    record_looks(to_read(ended, store), settings, "judge")
    rounds: list[list[Judgement]] = []
    problems: list[Failure] = []

    with served(models, settings), closing(open_from(settings)) as compute:

        def body() -> None:
            for _ in range(max(1, repeat)):
                rounds.append([])
                given = (ended, profile, store, settings, compute, rounds[-1], problems)
                _judge_all(*given, anew=repeat > 0, version=pin["judge_version"])

        recorded("judge", f"{run_id} {profile}", settings, body, body, stop=compute.close)
    other = judged_otherwise(store, ended, profile, pin["judge_version"])
    if not other:
        try:
            pin_judge(store, pin)
        except SolonError as exc:  # the verdicts are there; only a start of the run in between would be refused
            problems.append(exc.failure)
    landing = land_runs(settings, [run_id])
    judged = rounds[-1]
    verdicts = [v.status for j in judged for v in j.report.verdicts]
    scored = len(verdicts) - verdicts.count("unscored")
    return JudgeResult(
        run_id=run_id,
        profile=profile,
        profile_version=pin["judge_version"],
        attempts=len(judged),
        criteria=len(verdicts),
        passed=verdicts.count("pass"),
        unscored=verdicts.count("unscored"),
        pooled_pass=round(verdicts.count("pass") / scored, 6) if scored else None,
        cost_usd=sum(j.report.usage.cost_usd for of in rounds for j in of),
        repeats=repeats_of(store, ended, profile, pin["judge_version"]) if repeat else None,
        problems=tuple(problems),
        notes=(*unproven(profile, settings), *_mixed(other, profile), *landing.lines()[1:]),
        landed=landing.published,
        unscored_causes=dict(Counter(str(v.cause) for j in judged for v in j.report.verdicts if v.cause)),
    )


def _mixed(other: Mapping[str, str], profile: str) -> tuple[str, ...]:
    """Name the attempts that keep verdicts of another version, which cannot be compared with the new ones."""
    if not other:
        return ()
    named = ", ".join(sorted(other)[:_NAMED]) + (", …" if len(other) > _NAMED else "")
    versions = ", ".join(sorted(set(other.values())))
    return (f"{len(other)} attempts keep their verdicts by another version of {profile} ({versions}): {named}",)


def _judge_all(
    ended: list[Attempt],
    profile: str,
    store: AttemptStore,
    settings: Settings,
    compute: Compute,
    judged: list[Judgement],
    problems: list[Failure],
    anew: bool = False,
    version: str = "",
) -> None:
    times: dict[str, list[datetime]] = {a.attempt_id: [a.judged_utc] if a.judged_utc else [] for a in ended}
    for one in judgements(store):
        times.setdefault(one.attempt_id, []).append(one.judged_utc)
    with ThreadPoolExecutor(compute.slots) as threads:
        given = (profile, store, settings, compute)
        work = [threads.submit(_judge_one, a, *given, times[a.attempt_id], anew, version) for a in ended]
        for future in as_completed(work):
            try:
                judged.append(future.result())
            except SolonError as exc:
                if exc.failure.cause is FailureCause.LOGIN:  # every later call would fail alike
                    threads.shutdown(wait=False, cancel_futures=True)
                    raise
                problems.append(exc.failure)


def _judge_one(
    attempt: Attempt,
    profile: str,
    store: AttemptStore,
    settings: Settings,
    compute: Compute,
    earlier: Sequence[datetime] = (),
    anew: bool = False,
    version: str = "",
) -> Judgement:
    resources = Resources(stage="judge", role="judge", seconds=4 * settings.stage_seconds)
    folder = store.path(attempt)
    # a failed attempt is never judged as work, so nothing hangs on what its folder holds
    altered = changed_files(folder) if attempt.outcome != "failed" else []
    matter = _matter_of(attempt, folder)
    if altered or matter is None:
        altered = [*altered, *(["matter.json"] if matter is None else [])]
        message = f"was altered after it ended: {', '.join(altered[:3])}"
        remedy = "restore its folder, or make a new attempt with `solon run`"
        raise SolonError(
            Failure(
                cause=FailureCause.POLICY, stage="judge", subject=attempt.attempt_id, message=message, remedy=remedy
            )
        )
    if cause := nothing_to_judge(attempt.outcome, attempt.failures, work_of(folder)):
        arguments: tuple[object, ...] = (matter, settings.sealed, profile, settings.judge_cache, cause)
        report = compute.submit(judge_side.unscored, *arguments, resources=resources).result()
    else:
        log = flow_place(store, attempt, profile)  # the folder of an ended attempt is never written into
        mode = "off" if anew else "read_write"
        arguments = (matter, folder, settings.sealed, profile, settings.judge_cache, log, mode, version)
        report = compute.submit(judge_side.judge, *arguments, resources=resources).result()
        _require_unseen(folder, log, attempt)
    # the latest judgement counts, also where the clock was set back since the one before
    judgement = Judgement(attempt_id=attempt.attempt_id, judged_utc=time_after(earlier), report=report)
    write_judgement(store, attempt, judgement)
    return judgement


def _require_unseen(folder: Path, log: Path, attempt: Attempt) -> None:
    """Refuse a re-scoring if the solver was sent a message that the judge was sent: it may know the rubric.

    Raises:
        SolonError: It was sent one of them.
    """
    if leaked := check_flow((*logged(folder), *read_flow(log)), ()).leaked:
        message = f"its solver was sent {leaked} of the messages that the judge was sent"
        remedy = "trust no score of this attempt; `solon sql did_anything_leak` lists all such attempts"
        raise SolonError(
            Failure(
                cause=FailureCause.POLICY, stage=FLOW_STAGE, subject=attempt.attempt_id, message=message, remedy=remedy
            )
        )


def _matter_of(attempt: Attempt, folder: Path) -> Matter | None:
    """Return the matter of an attempt; None where its file was changed after the attempt.

    The judge finds the rubric through this file: a file of another matter would lead to the wrong rubric.
    """
    try:
        matter = Matter.model_validate_json((folder / "matter.json").read_bytes())
    except (OSError, ValidationError):
        return None
    return matter if (matter.matter_id, matter.digest) == (attempt.matter_id, attempt.matter_digest) else None
