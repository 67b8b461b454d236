"""How far a judge can be trusted: on drafts of known quality, beside another judge or people, and repeated."""

from __future__ import annotations

import csv
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from flows.runs.attempts import AttemptStore
from flows.runs.held_out import record_looks, to_read
from flows.runs.home import secure
from flows.runs.judgements import judgements
from flows.runs.models import models_of, require_callable
from flows.runs.orders import Attempt
from flows.runs.serving import served
from flows.settings import Settings
from tasks.judging.agreement.comparing import Agreement, Place, Status, compare
from tasks.judging.agreement.repeats import Repeats, repeats
from tasks.judging.profiles import judge_profile, judge_version
from tasks.judging.records import JudgeReport
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.access import ModelAccess

if TYPE_CHECKING:
    from tasks.judging.trust.checking import CheckReport
    from tasks.judging.trust.rubrics import Unsupported

_COLUMNS = ("attempt_id", "criterion_id", "verdict")


def check_judge(profile: str, settings: Settings) -> CheckReport:
    """Judge drafts of known quality by a profile, and keep the result for its version.

    Raises:
        SolonError: The profile is unknown, reads no prose, or a model of it cannot be asked.
    """
    from tasks.judging.trust.checking import check_profile

    asked = judge_profile(profile, ModelAccess(settings.models_file))
    if asked.checklist and not asked.seats:
        remedy = "`solon bench gavel` measures how it compares; check checklist+model:<profile> here"
        raise _refused(profile, "compares checklists without a model, and the drafts of known worth are prose", remedy)
    models = models_of((), settings, profile)
    require_callable(models)
    secure(settings)
    with served(models, settings):
        report = check_profile(profile, settings.judge_cache, settings.models_file)
    path = _kept(settings, report.profile_version)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report.model_dump_json(indent=1), encoding="utf-8")
    return report


def unproven(profile: str, settings: Settings) -> tuple[str, ...]:
    """Say that a model-based judge was never checked, or failed its check; otherwise nothing."""
    from tasks.judging.trust.checking import CheckReport

    access = ModelAccess(settings.models_file)
    asked = judge_profile(profile, access)
    if not asked.seats:
        return ()
    path = _kept(settings, judge_version(asked, access))
    try:
        report = CheckReport.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return (f"the judge {profile} was never checked on drafts of known worth: `solon judge check {profile}`",)
    if report.trusted:
        return ()
    missed = ", ".join(draft.draft for draft in report.drafts if not draft.believed)
    return (f"the judge {profile} is not to be trusted: `solon judge check` found it wrong on {missed}",)


def look_at_rubrics(corpus: Path, settings: Settings) -> tuple[list[Unsupported], tuple[Failure, ...]]:
    """Return the facts that rubrics of a corpus need and no document holds, and the tasks that cannot be loaded.

    Raises:
        SolonError: There is no corpus.
    """
    from tasks.judging.trust.rubrics import unsound
    from tasks.matter.loading import load_corpus

    secure(settings)
    loaded = load_corpus(corpus, settings.sealed, cache=settings.cache)
    found = [one for matter in loaded.matters for one in unsound(matter, settings.sealed, settings.cache)]
    return found, loaded.problems


def compare_judges(run_id: str, profile: str, against: str, settings: Settings) -> Agreement:
    """Compare stored verdicts of a profile on a run with those of another profile, or of people (a CSV file).

    Args:
        run_id: The run.
        profile: A judge profile that judged it.
        settings: Where runs lie.
        against: Another, or a file with the columns ``attempt_id``, ``criterion_id`` and ``verdict`` (pass, fail, or
            anything else for not judged).

    Raises:
        SolonError: One of the two left no verdict, or the file cannot be read.
    """
    store = AttemptStore(settings.runs, run_id)
    ended = {a.attempt_id: a for a in store.ended()}
    record_looks(to_read(ended.values(), store), settings, "judge against")
    version, mine = _latest(store, ended, profile)
    people = Path(against).is_file()
    other, theirs = ("", _of_people(Path(against), ended)) if people else _latest(store, ended, against)
    return compare(profile, mine, against, theirs, (version, other))


def repeats_of(store: AttemptStore, ended: Sequence[Attempt], profile: str, version: str) -> Repeats:
    """Measure how verdicts of one version of a judge move between judgements and between attempts of a matter."""
    attempts = {a.attempt_id: a for a in ended}
    found: dict[Hashable, dict[Hashable, list[bool]]] = {}
    for attempt_id, report in _reports(store, attempts):
        if (report.profile, report.profile_version) != (profile, version):
            continue
        attempt = attempts[attempt_id]
        for verdict in report.verdicts:
            if verdict.status != "unscored":
                place = (attempt.matter_id, attempt.cell.name, verdict.criterion_id)
                found.setdefault(place, {}).setdefault(attempt_id, []).append(verdict.status == "pass")
    return repeats(found)


def _reports(store: AttemptStore, attempts: Mapping[str, Attempt]) -> list[tuple[str, JudgeReport]]:
    """Return all judgements of a run, of each attempt the oldest first."""
    found = []
    for attempt_id, attempt in attempts.items():
        path = store.path(attempt) / "judgement.json"
        if path.is_file():
            found.append((attempt_id, JudgeReport.model_validate_json(path.read_bytes())))
    later = sorted(judgements(store), key=lambda one: one.judged_utc)
    return [*found, *((one.attempt_id, one.report) for one in later if one.attempt_id in attempts)]


def _latest(store: AttemptStore, attempts: Mapping[str, Attempt], profile: str) -> tuple[str, dict[Place, Status]]:
    """Return the latest version of a judge and its verdicts; those of earlier versions are left out."""
    given = [(i, report) for i, report in _reports(store, attempts) if report.profile == profile]
    version = given[-1][1].profile_version if given else ""
    latest = {i: report for i, report in given if report.profile_version == version}
    if not latest:
        known = sorted({report.profile for _, report in _reports(store, attempts)})
        raise _refused(profile, "left no verdict on this run", f"judged by: {', '.join(known) or 'nobody'}")
    return version, {
        (attempts[i].matter_id, i, v.criterion_id): v.status for i, report in latest.items() for v in report.verdicts
    }


def _of_people(path: Path, attempts: Mapping[str, Attempt]) -> dict[Place, Status]:
    remedy = (
        "save the answer of `solon sql \"SELECT attempt_id, criterion_id, '' AS verdict FROM criteria_results\"` "
        "and write pass or fail into it"
    )
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as exc:
        raise _refused(str(path), f"cannot be read as CSV: {exc}", remedy) from exc
    if not rows or any(name not in rows[0] for name in _COLUMNS):
        raise _refused(str(path), f"needs the columns {', '.join(_COLUMNS)}", remedy)
    strangers = sorted({row["attempt_id"] for row in rows} - attempts.keys())
    if strangers:
        raise _refused(str(path), f"judges attempts that are not of this run: {', '.join(strangers[:3])}", remedy)
    said: dict[str, Status] = {"pass": "pass", "fail": "fail"}
    return {
        (attempts[row["attempt_id"]].matter_id, row["attempt_id"], row["criterion_id"]): said.get(
            (row["verdict"] or "").strip().lower(), "unscored"
        )
        for row in rows
    }


def _kept(settings: Settings, version: str) -> Path:
    return settings.judge_cache / "checks" / f"{version}.json"


def _refused(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="judge", subject=subject, message=message, remedy=remedy))
