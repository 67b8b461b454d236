"""Judge one ended attempt: the sealed rubric against the files left in ``output/``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tasks.judging.anchors import AnchorJudge
from tasks.judging.records import JudgeReport, Verdict
from tasks.judging.taxonomy import classify
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter
from tasks.matter.rubric import Criterion, Rubric
from tasks.sources.records import CanonicalText
from tasks.sources.texts import read_file


def judge(matter: Matter, output: Path, sealed: Path, profile: str, cache: Path) -> JudgeReport:  # noqa: ARG001
    """Judge an attempt.

    Args:
        matter: The public side of the matter; its digest names the sealed rubric.
        output: Folder of the work product.
        sealed: Root of the sealed store.
        profile: ``anchor``, ``model:<profile>`` or ``anchor+model:<profile>``.
        cache: Root of the caches; judge replies go below ``judge/``.

    Raises:
        SolonError: Where the matter has no sealed rubric or the profile is unknown.
    """
    rubric = open_rubric(matter, sealed)
    texts = read_deliverables(output)
    anchors = AnchorJudge.prepare(rubric, [d.name for d in matter.documents], texts)
    verdicts = tuple(_named(_one(c, anchors)) for c in rubric.criteria)
    return JudgeReport(matter_id=matter.matter_id, matter_digest=matter.digest, profile=profile, verdicts=verdicts)


def open_rubric(matter: Matter, sealed: Path) -> Rubric:
    """Open the sealed rubric of a matter."""
    path = sealed / f"{matter.digest}.json"
    if not path.is_file():
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="judging",
                subject=matter.matter_id,
                message="No sealed rubric for this matter.",
                remedy="Load the corpus again so that its rubrics are sealed.",
            )
        )
    return Rubric.model_validate_json(path.read_text(encoding="utf-8"))


def read_deliverables(output: Path) -> Mapping[str, CanonicalText]:
    """Read every file of the work product with the judge's reader, by name relative to ``output``."""
    files = sorted(p for p in output.rglob("*") if p.is_file() and not p.is_symlink()) if output.is_dir() else []
    names = {p.relative_to(output).as_posix(): p for p in files}
    return {name: read_file(path, name) for name, path in names.items()}


def _one(criterion: Criterion, anchors: AnchorJudge) -> Verdict:
    if criterion.anchors:
        return anchors.judge(criterion)
    return Verdict(
        criterion_id=criterion.id,
        title=criterion.title,
        status="unscored",
        reasoning="The criterion carries no anchor and no judge profile is configured.",
        cause=FailureCause.POLICY,
    )


def _named(verdict: Verdict) -> Verdict:
    if verdict.status != "fail":
        return verdict
    return verdict.model_copy(update={"error_class": classify(verdict.title, verdict.reasoning, verdict.match_kind)})
