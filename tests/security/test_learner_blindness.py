"""What a proposer may see carries no word that a corpus, a rubric or a judge chose."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from tasks.judging.records import JudgeReport, Verdict
from tasks.judging.tally import tally
from tasks.learning.records import Observation
from tasks.learning.redaction import signal
from tasks.matter.reasons import ErrorClass, Failed, MatchKind

CANARY = "canaryheliotrope"


def test_names_of_ours_alone_pass_the_redaction() -> None:
    seen = Observation(
        matter_key="k",
        work_type=f"draft for {CANARY}",
        document_suffixes=(f".{CANARY}", ".docx", f".{CANARY} v. jones"),
        deliverable_suffixes=(f".{CANARY}",),
        skill_id="f/s",
        passed=0,
        failed=(Failed(match_kind=MatchKind.SPAN, error_class=ErrorClass.OTHER),),
        unscored=0,
    )
    shown = signal(seen)
    assert CANARY not in shown.model_dump_json()
    assert shown.document_formats == (".docx", "other")


def test_a_tally_holds_no_word_of_a_verdict() -> None:
    verdict = Verdict(criterion_id=CANARY, title=CANARY, status="fail", reasoning=CANARY, quote=CANARY)
    passed = Verdict(criterion_id="C", title="t", status="pass", match_kind=MatchKind.DATE)
    report = JudgeReport(matter_id=CANARY, matter_digest="d", profile="anchor", verdicts=(verdict, passed, verdict))
    counted = tally(report, datetime(2026, 1, 1, tzinfo=UTC))
    assert CANARY not in counted.model_dump_json()
    assert (counted.criteria, counted.passed, counted.unscored) == (3, 1, 0)
    assert counted.failed == (Failed(match_kind="", error_class=ErrorClass.OTHER),) * 2


@pytest.mark.parametrize("field", ["match_kind", "error_class", "outcome"])
def test_a_kind_or_class_that_is_no_word_of_ours_passes_nowhere(field: str) -> None:
    """Not as a record nor on a verdict put together unchecked; and the refusal does not repeat it."""
    with pytest.raises(ValidationError) as refused:
        Failed.model_validate({"match_kind": "", "error_class": "other"} | {field: CANARY})
    assert CANARY not in str(refused.value)
    verdict = Verdict(criterion_id="C", title="t", status="fail").model_copy(update={field: CANARY})
    report = JudgeReport(matter_id="m", matter_digest="d", profile="anchor", verdicts=(verdict,))
    with pytest.raises(ValidationError) as refused:
        tally(report, datetime(2026, 1, 1, tzinfo=UTC))
    assert CANARY not in str(refused.value)
    with pytest.raises(ValidationError) as refused:
        JudgeReport.model_validate_json(report.model_dump_json(warnings=False))
    assert CANARY not in str(refused.value)
