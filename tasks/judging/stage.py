"""Judge one ended attempt: the sealed rubric against the files left in ``output/``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tasks.judging.anchors.judge import AnchorJudge
from tasks.judging.checklist.judge import ChecklistJudge
from tasks.judging.lost_documents import Lost
from tasks.judging.profiles import JudgeProfile, judge_profile, judge_prompts_version, judge_version, models_asked
from tasks.judging.reading import read_deliverables, read_redlines, unscored_verdict, verdict_without_judge
from tasks.judging.records import JudgeReport, Verdict
from tasks.judging.rubric.panel import Panel
from tasks.judging.taxonomy import classify
from tasks.judging.trust.canaries import Canaries
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter
from tasks.matter.rubric import Criterion, Rubric
from tasks.matter.usage import Usage
from tasks.models.access import ModelAccess
from tasks.models.client import CacheMode
from tasks.models.ledger import Ledger
from tasks.models.records import Transport
from tasks.sources.records import CanonicalText, CoverageEntry

__all__ = ["judge", "open_rubric", "read_deliverables"]


def judge(
    matter: Matter,
    output: Path,
    sealed: Path,
    profile: str,
    cache: Path,
    models: Mapping[str, Any] | Path | None = None,
    mode: CacheMode = "read_write",
    max_usd: float | None = None,
    transport: Transport | None = None,
    coverage: Sequence[CoverageEntry] = (),
    flow: Path | None = None,
    version: str = "",
) -> JudgeReport:
    """Judge an attempt.

    Args:
        matter: The public side of the matter; its digest names the sealed rubric.
        output: Folder of the work product.
        sealed: Root of the sealed store.
        profile: Name of a judge profile (:func:`tasks.judging.profiles.judge_profile`).
        cache: Root of the caches; judge replies are kept below ``judge/`` by content, so that judging
            again gives the same verdicts.
        models: Model profiles by name, or the solon.toml that holds them; default those of the file that
            ``SOLON_MODELS`` names.
        mode: ``off`` asks the judge anew and keeps nothing.
        max_usd: Budget of this judging; what it does not reach is unscored with cause ``budget``.
        transport: Replaces the transport of every model (tests).
        coverage: What the attempt could read of its data room; criteria that rest on what it could not read
            through a fault of ours are unscored.
        flow: Log of what the judge's models are sent, by hash.
        version: The version that the profile must have, so that no score is mixed with others; empty for any.

    Raises:
        SolonError: Where the matter has no sealed rubric, or a profile is unknown or of another version.
    """
    access = ModelAccess(
        models,
        Ledger(matter.matter_id, max_usd=max_usd),
        cache / "judge",
        mode,
        role="judge",
        flow=flow,
        transport=transport,
    )
    asked = judge_profile(profile, access)
    models_asked(asked, access)  # an unknown one is told before anything is read
    in_force = judge_version(asked, access)
    if version and version != in_force:
        raise _edited(profile, version, in_force)
    rubric = open_rubric(matter, sealed)
    texts = read_deliverables(output)
    report = JudgeReport(
        matter_id=matter.matter_id,
        matter_digest=matter.digest,
        profile=profile,
        profile_version=in_force,
        prompts=judge_prompts_version(asked),
        verdicts=(),
    )
    if asked.checklist:
        return _by_checklist(report, asked, access, rubric, texts, Lost.of(coverage))
    redlined = read_redlines(output, texts) if any(c.include_redlines for c in rubric.criteria) else {}
    anchors = AnchorJudge.prepare(rubric, [d.name for d in matter.documents], texts) if asked.anchors else None
    companions = Canaries() if asked.canaries else None
    panel = Panel(asked, access, rubric.title, texts, redlined, companions) if asked.seats else None
    lost = Lost.of(coverage)
    early = {c.id: _early(c, anchors, panel, lost) for c in rubric.criteria}
    judged = panel.judge([c for c in rubric.criteria if early[c.id] is None]) if panel else {}
    verdicts = tuple(_classed(_final(c, early[c.id] or judged[c.id], lost)) for c in rubric.criteria)
    usage = sum((v.usage for v in verdicts), Usage())
    return report.model_copy(update={"verdicts": verdicts, "usage": usage})


def _edited(profile: str, version: str, in_force: str) -> SolonError:
    return SolonError(
        Failure(
            cause=FailureCause.CHANGED,
            stage="judging",
            subject=profile,
            message=f"The judge was edited meanwhile: it is of version {in_force}, and the others were judged by "
            f"{version}.",
            remedy=f"Restore it, or judge all attempts alike: `solon judge RUN --profile {profile}`.",
        )
    )


def _by_checklist(
    report: JudgeReport,
    asked: JudgeProfile,
    access: ModelAccess,
    rubric: Rubric,
    texts: Mapping[str, CanonicalText],
    lost: Lost,
) -> JudgeReport:
    judge = ChecklistJudge.prepare(rubric, [access.client(seat[0]) for seat in asked.seats])
    score, verdicts = judge.judge(texts, lost)
    classed = tuple(_classed(v) for v in verdicts)
    return report.model_copy(update={"verdicts": classed, "checklist": score, "usage": judge.usage})


def open_rubric(matter: Matter, sealed: Path) -> Rubric:
    """Open the sealed rubric of a matter.

    Raises:
        SolonError: Where there is none.
    """
    path = sealed / f"{matter.digest}.json"
    if not path.is_file():
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="judging",
                subject=matter.matter_id,
                message="no rubric of this matter is here",
                remedy="resume the run, which seals the rubrics of its corpus; a run that was imported without its "
                "tasks has none: `solon import DIR --corpus TASKS --run-id NEW`",
            )
        )
    return Rubric.model_validate_json(path.read_text(encoding="utf-8"))


def _early(criterion: Criterion, anchors: AnchorJudge | None, panel: Panel | None, lost: Lost) -> Verdict | None:
    """Return the verdict that takes no model: lost with its documents, anchored, nothing to judge, or nobody to."""
    if foregone := lost.foregone(criterion):
        return foregone
    if criterion.anchors and anchors is not None:
        return anchors.judge(criterion)
    if panel is None:
        message = "The criterion carries no anchor and no judge profile is configured."
        return unscored_verdict(criterion, FailureCause.POLICY, message)
    return verdict_without_judge(criterion, panel.texts)


def _final(criterion: Criterion, verdict: Verdict, lost: Lost) -> Verdict:
    return lost.unearned(criterion, lost.excused(criterion, verdict))


def _classed(verdict: Verdict) -> Verdict:
    if verdict.status != "fail":
        return verdict
    return verdict.model_copy(
        update={"error_class": classify(verdict.title, verdict.reasoning, verdict.match_kind, verdict.outcome)}
    )
