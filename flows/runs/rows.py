"""Maps the files of an ended attempt onto rows of the warehouse. The same directory always gives the same rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from flows.runs.attempts import work_of
from flows.runs.checklist_rows import checklist_rows
from flows.runs.flow import account, checked_flow, log_at, logged
from flows.runs.judgements import Rescored
from flows.runs.orders import Attempt
from tasks.asks.records import AskOutcome, AskState
from tasks.judging.records import JudgeReport
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.usage import Usage
from tasks.release.records import ReleaseReport
from tasks.tracing.flow import FLOW_STAGE
from tasks.tracing.records import Trajectory
from tasks.tracing.rows import action_rows, call_rows, firing_rows, flow_rows, measure_rows, rescoring_rows
from warehouse.records import (
    AttemptKeyRow,
    AttemptRow,
    FailureRow,
    HarnessRow,
    JudgementRow,
    MatterRow,
    PlanRow,
    RunRow,
    SpendRow,
    VerdictRow,
    VoteRow,
)
from warehouse.release_records import AskRow, CoverageRow, FindingRow, GateRow
from warehouse.row import Row

R = TypeVar("R", bound=Record)


def attempt_rows(attempt: Attempt, folder: Path) -> list[Row]:
    """Return every row of an ended attempt."""
    rows: list[Row] = [
        _attempt_row(attempt),
        AttemptKeyRow(attempt_id=attempt.attempt_id, work_key=attempt.key),
        *_matter_rows(attempt),
    ]
    release = _load(folder / "release.json", ReleaseReport)
    trajectory = _load(folder / "trajectory.json", Trajectory)
    verdicts = _load(folder / "judgement.json", JudgeReport)
    if release:
        rows += _release_rows(attempt.attempt_id, release)
    if trajectory:
        rows += action_rows(attempt.attempt_id, trajectory)
        rows += measure_rows(attempt.attempt_id, trajectory)
    if product := work_of(folder):
        rows += firing_rows(attempt.attempt_id, product.firings)
    rows += call_rows(attempt.attempt_id, account(folder))
    rows += _flow_rows(attempt, folder)
    if attempt.judged_utc:
        # verdicts that are not those the judge counted were altered since: they count as lost, and the landing says so
        sound = (
            verdicts if verdicts and _counts(verdicts) == (attempt.criteria, attempt.passed, attempt.unscored) else None
        )
        # what the attempt itself says of its judgement lands even where the verdicts are gone
        judged = (attempt.attempt_id, attempt.judge_profile, attempt.judged_utc, attempt.criteria)
        rows.append(_judgement_row(*judged, sound))
        if sound:
            rows += _verdict_rows(attempt.attempt_id, attempt.run_id, sound, attempt.judged_utc)
    read = {"release.json": release, "trajectory.json": trajectory, "judgement.json": verdicts}
    damaged = [_damaged(name) for name, found in read.items() if found is None and (folder / name).exists()]
    return rows + list(failure_rows(attempt.run_id, (*attempt.failures, *damaged), attempt.attempt_id))


def _damaged(name: str) -> Failure:
    """Report a file of an ended attempt that exists but holds no record, so that its rows are missing."""
    message = "the file is damaged: what it told of the attempt did not land"
    remedy = "restore the file, move the parts of its run and the warehouse away, and land again"
    return Failure(cause=FailureCause.INPUT, stage="land", subject=name, message=message, remedy=remedy)


def _flow_rows(attempt: Attempt, folder: Path) -> list[Row]:
    """Return what each role was sent; nothing for an attempt of a version that kept no log and flagged none."""
    flagged = [f for f in attempt.failures if f.stage == FLOW_STAGE]
    log = logged(folder)
    if not log and not flagged:
        return []
    check = checked_flow(folder, attempt.outcome, len(attempt.failures) - len(flagged))
    return flow_rows(attempt.attempt_id, log, check)


def _matter_rows(a: Attempt) -> list[MatterRow]:
    """Return the matter; nothing for an attempt of a version that did not keep the formats of its files."""
    if not a.document_formats and not a.deliverable_formats:
        return []
    return [
        MatterRow(
            matter_digest=a.matter_digest,
            matter_id=a.matter_id,
            area=a.area,
            work_type=a.work_type,
            title=a.title,
            n_documents=a.documents,
            document_formats=" ".join(a.document_formats),
            deliverable_formats=" ".join(a.deliverable_formats),
        )
    ]


def _counts(report: JudgeReport) -> tuple[int, int, int]:
    statuses = [v.status for v in report.verdicts]
    return len(statuses), statuses.count("pass"), statuses.count("unscored")


def judgement_rows(one: Rescored, run_id: str) -> list[Row]:
    """Return a re-scoring with its verdicts, what it cost, and what its models were sent."""
    attempt_id, report, judged, flow = one
    row = _judgement_row(attempt_id, report.profile, judged, len(report.verdicts), report)
    sent = rescoring_rows(attempt_id, report.profile, judged, log_at(flow))
    return [row, *_verdict_rows(attempt_id, run_id, report, judged), *sent]


def _judgement_row(
    attempt_id: str, profile: str, judged: datetime, criteria: int, report: JudgeReport | None
) -> JudgementRow:
    return JudgementRow(
        attempt_id=attempt_id,
        judge_profile=profile,
        judged_utc=judged,
        criteria=criteria,
        profile_version=report.profile_version if report else "",
        prompts=report.prompts if report else "",
    )


def _verdict_rows(attempt_id: str, run_id: str, report: JudgeReport, judged: datetime) -> list[Row]:
    of_judgement = {"attempt_id": attempt_id, "judge_profile": report.profile, "judged_utc": judged}
    rows: list[Row] = []
    for v in report.verdicts:
        told = v.model_dump(exclude={"usage", "votes"}) | {"cause": v.cause or ""}
        rows.append(VerdictRow.model_validate(of_judgement | told | _usage(v.usage)))
        for position, vote in enumerate(v.votes):
            said = vote.model_dump(exclude={"usage"}) | {"cause": vote.cause or "", "position": position}
            of_criterion = of_judgement | {"criterion_id": v.criterion_id}
            rows.append(VoteRow.model_validate(of_criterion | said | _usage(vote.usage)))
    rows += checklist_rows(attempt_id, report, judged)
    spend = {"role": "judge", "profile": report.profile, "spent_utc": judged, **_usage(report.usage)}
    return [*rows, SpendRow.model_validate({"attempt_id": attempt_id, "run_id": run_id, **spend})]


def failure_rows(run_id: str, failures: Sequence[Failure], attempt_id: str = "") -> Iterable[Row]:
    """Return one row per failure."""
    for f in dict.fromkeys(failures):
        yield FailureRow(
            run_id=run_id,
            attempt_id=attempt_id,
            stage=f.stage,
            subject=f.subject,
            cause=f.cause,
            message=f.message,
            remedy=f.remedy,
        )


def _attempt_row(a: Attempt) -> AttemptRow:
    worst = a.failures[0] if a.failures and a.outcome != "finished" else None
    return AttemptRow(
        attempt_id=a.attempt_id,
        run_id=a.run_id,
        cell=a.cell.name,
        cell_digest=a.cell_digest,
        runtime=a.cell.runtime,
        profile=a.routed or a.cell.profile,
        effort=a.cell.effort,
        revise=a.cell.revise,
        matter_id=a.matter_id,
        matter_digest=a.matter_digest,
        area=a.area,
        work_type=a.work_type,
        title=a.title,
        epoch=a.epoch,
        outcome=a.outcome,
        release_status=a.release_status,
        failure_cause=worst.cause if worst else "",
        failure_message=worst.message if worst else "",
        seconds=a.seconds,
        words=a.words,
        n_documents=a.documents,
        n_deliverables=a.deliverables,
        turns=a.turns,
        harness_version=a.harness_version,
        skill_id=a.skill_id,
        started_utc=a.started_utc,
        ended_utc=a.ended_utc,
        **_usage(a.usage),
    )


def _ask_row(attempt_id: str, position: int, told: AskOutcome) -> AskRow:
    states = Counter(e.state for e in told.entries)
    return AskRow(
        attempt_id=attempt_id,
        position=position,
        ask_id=told.ask.ask_id,
        kind=told.ask.kind,
        state=told.state.value,
        words=told.ask.words,
        answer=told.answer,
        answered=states[AskState.ANSWERED],
        not_found=states[AskState.NOT_FOUND],
        not_attempted=states[AskState.NOT_ATTEMPTED],
        problem=told.problem,
    )


def _release_rows(attempt_id: str, release: ReleaseReport) -> list[Row]:
    rows: list[Row] = []
    findings = [(gate.gate, f) for gate in release.gates for f in gate.findings]
    for position, gate in enumerate(release.gates):
        rows.append(
            GateRow(
                attempt_id=attempt_id,
                gate=gate.gate,
                position=position,
                status=gate.status,
                checked=gate.checked,
                verified=gate.verified,
                n_findings=len(gate.findings),
            )
        )
    for position, (name, f) in enumerate(findings):
        rows.append(
            FindingRow(
                attempt_id=attempt_id,
                position=position,
                gate=name,
                kind=f.kind,
                severity=f.severity,
                deliverable=f.deliverable,
                text=f.text,
                start_char=f.start,
                end_char=f.end,
                sentence=f.sentence,
                checked=f.checked,
                source_document=f.grounding.document if f.grounding else "",
                source_start=f.grounding.start if f.grounding else 0,
                source_end=f.grounding.end if f.grounding else 0,
                remedy=f.remedy,
            )
        )
    rows += [_ask_row(attempt_id, position, told) for position, told in enumerate(release.asks)]
    for entry in {c.document: c for c in release.coverage}.values():
        why = entry.failures[0] if entry.failures else None
        rows.append(
            CoverageRow(
                attempt_id=attempt_id,
                document=entry.document,
                status=entry.status,
                characters=entry.characters,
                cause=why.cause if why else "",
                message=why.message if why else "",
            )
        )
    return rows


def _usage(usage: Usage) -> dict[str, object]:
    return usage.model_dump()


def _load(path: Path, kind: type[R]) -> R | None:
    try:
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def run_rows(pinned: Mapping[str, Any]) -> list[Row]:
    """Return the rows of run.json: each start of the run, the surfaces of its harness, the work of the latest start."""
    starts: list[Row] = [
        RunRow(
            run_id=pinned["run_id"],
            started_utc=datetime.fromisoformat(start["utc"]),
            corpus=pinned["corpus"],
            n_matters=start["matters"],
            cells=", ".join(pinned["cells"]),
            harness_version=pinned["harness_version"],
            solon_version=pinned["packages"].get("solon", ""),
            compute=start["compute"],
            judge_profile=pinned["judge_profile"],
        )
        for start in pinned["starts"]
    ]
    if not starts:
        return []
    surfaces = [
        HarnessRow(harness_version=pinned["harness_version"], surface=name, **told)
        for name, told in pinned.get("surfaces", {}).items()  # a run begun by an earlier version kept none
    ]
    latest = datetime.fromisoformat(pinned["starts"][-1]["utc"])
    planned = [
        PlanRow(
            run_id=pinned["run_id"],
            started_utc=latest,
            cell=work["cell"],
            matter_id=work["matter_id"],
            epoch=work["epoch"],
            work_key=work["key"],
        )
        for work in pinned.get("work", [])  # a run begun by an earlier version planned none
    ]
    return [*starts, *surfaces, *planned]
