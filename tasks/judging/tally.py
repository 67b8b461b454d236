"""Counts a judgement for those who may not read it: the driver of a run and the learner."""

from __future__ import annotations

from datetime import datetime

from tasks.judging.records import JudgeReport, Tally
from tasks.matter.reasons import ErrorClass, Failed


def tally(report: JudgeReport, judged: datetime) -> Tally:
    """Count a report. Every name in the result is a member of an enum of ours: no other word can pass."""
    status = [v.status for v in report.verdicts]
    failed = (v for v in report.verdicts if v.status == "fail")
    return Tally(
        profile=report.profile,
        profile_version=report.profile_version,
        judged_utc=judged,
        criteria=len(status),
        passed=status.count("pass"),
        unscored=status.count("unscored"),
        failed=tuple(
            Failed(match_kind=v.match_kind, error_class=v.error_class or ErrorClass.OTHER, outcome=v.outcome)
            for v in failed
        ),
        usage=report.usage,
    )
