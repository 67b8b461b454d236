"""What a proposer may see carries no word that a corpus, a rubric or a judge chose."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from tasks.judging.records import FailedKind, JudgeReport, Verdict
from tasks.judging.tally import tally
from tasks.learning.records import Failed, Observation
from tasks.learning.redaction import signal

CANARY = "canaryheliotrope"


def test_names_of_ours_alone_pass_the_redaction() -> None:
    seen = Observation(
        matter_key="k",
        work_type=f"draft for {CANARY}",
        document_suffixes=(f".{CANARY}", ".docx", f".{CANARY} v. jones"),
        deliverable_suffixes=(f".{CANARY}",),
        skill_id="f/s",
        passed=0,
        failed=(Failed(match_kind=CANARY, error_class=CANARY),),
        unscored=0,
    )
    shown = signal(seen)
    assert CANARY not in shown.model_dump_json()
    assert shown.document_formats == (".docx", "other")


def test_a_tally_holds_no_word_of_a_verdict() -> None:
    verdict = Verdict(
        criterion_id=CANARY,
        title=CANARY,
        status="fail",
        reasoning=CANARY,
        match_kind=CANARY,
        quote=CANARY,
        error_class=CANARY,
    )
    passed = Verdict(criterion_id="C", title="t", status="pass", match_kind="date")
    report = JudgeReport(matter_id=CANARY, matter_digest="d", profile="anchor", verdicts=(verdict, passed, verdict))
    counted = tally(report, datetime(2026, 1, 1, tzinfo=UTC))
    assert CANARY not in counted.model_dump_json()
    assert (counted.criteria, counted.passed, counted.unscored) == (3, 1, 0)
    assert counted.failed == (FailedKind(match_kind="", error_class="other"),) * 2
    with pytest.raises(ValidationError):
        FailedKind(match_kind=CANARY, error_class="other")  # type: ignore[arg-type]
