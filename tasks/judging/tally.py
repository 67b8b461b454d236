"""Counts a judgement for those who may not read it: the driver of a run and the learner."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, get_args

from tasks.judging.records import FailedKind, JudgeReport, Tally, Verdict
from tasks.judging.taxonomy import CLASSES

_Kind = Literal["date", "value", "span", "absence", ""]


def tally(report: JudgeReport, judged: datetime) -> Tally:
    """Count a report. Every name in the result is from our own vocabulary: any other becomes "other" or empty."""
    status = [v.status for v in report.verdicts]
    return Tally(
        profile=report.profile,
        judged_utc=judged,
        criteria=len(status),
        passed=status.count("pass"),
        unscored=status.count("unscored"),
        failed=tuple(_kind(v) for v in report.verdicts if v.status == "fail"),
        usage=report.usage,
    )


def _kind(verdict: Verdict) -> FailedKind:
    known: dict[str, _Kind] = {kind: kind for kind in get_args(_Kind)}
    error = verdict.error_class if verdict.error_class in CLASSES else "other"
    return FailedKind(match_kind=known.get(verdict.match_kind, ""), error_class=error)
