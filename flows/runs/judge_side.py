"""The bodies of stages that judge processes alone run: they see a rubric or a verdict.

What they give back is counts and classes, never words.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.runs.orders import utc_now
from tasks.judging.records import JudgeReport, Tally
from tasks.matter.failures import Failure
from tasks.matter.private import keep_private
from tasks.matter.records import Matter
from tasks.release.records import ReleaseReport

if TYPE_CHECKING:
    from flows.settings import Settings
    from tasks.models.client import CacheMode


def score(
    matter: Matter,
    folder: Path,
    sealed: Path,
    profile: str,
    cache: Path,
    failure: Failure | None = None,
    version: str = "",
) -> Tally:
    """Judge an attempt and leave the verdicts in its folder; only counts and classes go back to the driver.

    Args:
        matter: The public side of the matter.
        folder: The attempt's folder.
        sealed: Root of the sealed store.
        profile: Judge profile.
        cache: Cache of judge processes.
        failure: What kept the attempt from being judged; every criterion is unscored then.
        version: The version that the profile must have; empty for any.
    """
    from flows.runs.attempts import lab_scores, write_json
    from tasks.judging.tally import tally
    from tasks.models.flow import FLOW_NAME

    if failure is None:
        report = judge(matter, folder, sealed, profile, cache, folder / FLOW_NAME, version=version)
    else:
        report = unscored(matter, sealed, profile, cache, failure)
    judged = utc_now()
    write_json(folder / "scores.json", lab_scores(report, judged.isoformat()))
    write_json(folder / "judgement.json", report)
    return tally(report, judged)


def tallied(judgement: Path, judged: datetime, version: str) -> Tally:
    """Count the verdicts of an ended attempt anew; those of another version of the judge are refused."""
    from flows.runs.judgements import lost, verdicts_at
    from tasks.judging.tally import tally

    report = verdicts_at(judgement, version)
    if report is None:
        raise lost(judgement)
    return tally(report, judged)


def judged_together(files: Sequence[Path], version: str = "") -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Count the stored verdicts of ended attempts at one matter over the criteria that all of them were judged by.

    Args:
        files: The file of the judgement that counts of each attempt; one may not be there.
        version: The version of the judge that alone counts; empty for any.

    Returns:
        Those criteria; how many of them each attempt passed; and how many criteria each has unscored.
    """
    from flows.runs.judgements import verdicts_at

    reports = [verdicts_at(file, version) for file in files]
    found = [{v.criterion_id: v.status for v in report.verdicts} if report else {} for report in reports]
    every = [c for c in found[0] if {of.get(c) for of in found} <= {"pass", "fail"}]
    passed = (sum(of[c] == "pass" for c in every) for of in found)
    open_ = (sum(status == "unscored" for status in of.values()) for of in found)
    return len(every), tuple(passed), tuple(open_)


def shares_words(text: str, matters: Sequence[Matter], sealed: Path, general: frozenset[str], cache: Path) -> bool:
    """Tell whether a text shares words with the rubrics of these matters; only that leaves the judge's process."""
    from tasks.judging.vocabulary import shares_words

    return shares_words(text, matters, sealed, general, cache)


def land_so_far(settings: Settings, run_id: str) -> bool:
    """Land the ended attempts of a running run. They include verdicts, so a judge process does it.

    Returns:
        Whether it was published.
    """
    from flows.land import land_runs

    return land_runs(settings, [run_id], knowledge=False).published


def judge(
    matter: Matter,
    folder: Path,
    sealed: Path,
    profile: str,
    cache: Path,
    flow: Path | None = None,
    mode: CacheMode = "read_write",
    version: str = "",
) -> JudgeReport:
    """Judge what an attempt left in its folder. Runs in judge processes alone.

    With ``mode`` off the models are asked anew, whatever was recorded. The requests are logged in ``flow``: in the
    attempt's folder until it has ended, beside the re-scoring later.
    """
    from tasks.judging.stage import judge

    keep_private(cache)
    released = folder / "release.json"
    coverage = ReleaseReport.model_validate_json(released.read_bytes()).coverage if released.is_file() else ()
    given: dict[str, Any] = {"mode": mode, "coverage": coverage, "flow": flow, "version": version}
    return judge(matter, folder / "output", sealed, profile, cache, **given)


def unscored(matter: Matter, sealed: Path, profile: str, cache: Path, failure: Failure) -> JudgeReport:
    """Return every criterion of a matter as unscored, with the cause."""
    import tempfile

    from tasks.judging.checklist.unscoring import voided
    from tasks.judging.stage import judge

    with tempfile.TemporaryDirectory() as empty:
        listed = judge(matter, Path(empty), sealed, profile, cache)  # of nothing no model is asked
    change = {"status": "unscored", "cause": failure.cause, "reasoning": failure.line(), "error_class": "", "quote": ""}
    verdicts = tuple(v.model_copy(update={**change, "outcome": ""}) for v in listed.verdicts)
    scores = voided(listed.checklist, (failure.cause, failure.line())) if listed.checklist else None
    return listed.model_copy(update={"verdicts": verdicts, "checklist": scores})
