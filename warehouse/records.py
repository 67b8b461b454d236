"""The rows of the warehouse. They are plain facts: stages map their records onto them, and no value is derived.

Every row type names its table, its key, its owner and its parent. Rows of one owner (an attempt, one
judgement of an attempt) land together and never change afterwards; rows without an owner are a set.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from warehouse.checklist_records import ChecklistItemRow, ChecklistScoreRow
from warehouse.columns import (
    Count,
    Label,
    Moment,
    Name,
    Outcome,
    Prose,
    ReleaseStatus,
    Seconds,
    VerdictStatus,
)  # fmt: skip
from warehouse.learning_records import EditRow, HoldoutAccessRow
from warehouse.release_records import AskRow, CoverageRow, FindingRow, GateRow
from warehouse.row import Row, UsageRow
from warehouse.session_records import SessionAskRow
from warehouse.trace_records import (
    CallRow,
    DefectRow,
    FiringRow,
    FlowCheckRow,
    MandatoryToolRow,
    MeasureRow,
    MessageRow,
    RescoringRow,
    ServedRow,
)


class RunRow(Row):
    """One start of a run. A resumed run has several; the earliest is when the run began."""

    table = "run"
    key = ("run_id", "started_utc")

    run_id: Name
    started_utc: Moment
    corpus: Label = ""
    n_matters: Count = 0
    cells: Label = ""
    harness_version: Label = ""
    solon_version: Label = ""
    compute: Label = ""
    judge_profile: Label = ""


class HarnessRow(Row):
    """One surface of a harness version, so that two versions say which of their surfaces differ.

    Attributes:
        digest: Content hash of the surface's files.
    """

    table = "harness"
    key = ("harness_version", "surface")
    owner = ("harness_version", "surface")

    harness_version: Name
    surface: Name
    files: Count
    digest: Name


class MatterRow(Row):
    """One matter as a digest of its content names it. Formats are names of ours ("pdf docx"), never file names."""

    table = "matter"
    key = ("matter_digest",)
    owner = ("matter_digest",)

    matter_digest: Name
    matter_id: Name
    area: Label = ""
    work_type: Label = ""
    title: Prose = ""
    n_documents: Count = 0
    document_formats: Label = ""
    deliverable_formats: Label = ""


class PlanRow(Row):
    """One piece of work that a start of a run planned: the attempts under its key count for this cell and matter.

    Attributes:
        started_utc: The start that planned it; of several starts the latest rules the run.
        work_key: Content hash of everything that defines an attempt but its number.
    """

    table = "plan"
    key = ("run_id", "started_utc", "cell", "matter_id", "epoch")
    owner = ("run_id", "started_utc")

    run_id: Name
    started_utc: Moment
    cell: Name
    matter_id: Name
    epoch: Count
    work_key: Name


class AttemptRow(UsageRow):
    """One solve of one matter by one cell, ended. Usage is the solver's alone.

    Attributes:
        cell_digest: Content hash of the cell's configuration.
        words: Words of all deliverables together.
        failure_cause: Why the attempt did not finish, in the one failure vocabulary; else empty.
        skill_id: The routed skill; empty for an attempt that landed before skills did.
    """

    table = "attempt"
    key = ("attempt_id",)
    owner = ("attempt_id",)
    since = MappingProxyType({"skill_id": 2})

    schema_version: int = 2
    attempt_id: Name
    run_id: Name
    cell: Name
    cell_digest: Label = ""
    runtime: Label = ""
    profile: Label = ""
    effort: Label = ""
    revise: Count = 0
    matter_id: Name
    matter_digest: Label = ""
    area: Label = ""
    work_type: Label = ""
    title: Prose = ""
    epoch: Count = 0
    outcome: Outcome
    release_status: ReleaseStatus = ""
    failure_cause: Label = ""
    failure_message: Prose = ""
    seconds: Seconds = 0.0
    words: Count = 0
    n_documents: Count = 0
    n_deliverables: Count = 0
    turns: Count = 0
    harness_version: Label = ""
    skill_id: Label = ""
    started_utc: Moment
    ended_utc: Moment


class JudgementRow(Row):
    """One judgement of one attempt, with the number of its verdicts, so that a lost verdict is noticed.

    Attributes:
        profile_version: Content hash of all that decides the profile's verdicts; empty where none was kept.
        prompts: Content hash of the prompts that its models were asked with; empty where it has none.
    """

    table = "judgement"
    key = ("attempt_id", "judge_profile", "judged_utc")
    owner = ("attempt_id", "judge_profile", "judged_utc")
    parent = "attempt"
    since = MappingProxyType({"profile_version": 2, "prompts": 2})

    schema_version: int = 2
    attempt_id: Name
    judge_profile: Name
    judged_utc: Moment
    criteria: Count
    profile_version: Label = ""
    prompts: Label = ""


class AttemptKeyRow(Row):
    """The work key that an attempt was made under."""

    table = "attempt_key"
    key = ("attempt_id",)
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    work_key: Name


class VerdictRow(UsageRow):
    """One criterion judged once. A re-scoring has its own ``judged_utc`` and does not change the old verdicts.

    Attributes:
        outcome: What the anchor judge found; empty where no anchor decided.
    """

    table = "verdict"
    key = ("attempt_id", "judge_profile", "judged_utc", "criterion_id")
    owner = ("attempt_id", "judge_profile", "judged_utc")
    parent = "attempt"
    since = MappingProxyType({"outcome": 2})

    schema_version: int = 2
    attempt_id: Name
    judge_profile: Name
    judged_utc: Moment
    criterion_id: Name
    title: Prose = ""
    status: VerdictStatus
    cause: Label = ""
    match_kind: Label = ""
    error_class: Label = ""
    outcome: Label = ""
    reasoning: Prose = ""
    quote: Prose = ""


class VoteRow(UsageRow):
    """What one judge said of one criterion, once: what a verdict was made from.

    Attributes:
        position: Which vote of its criterion it is, from 0.
        judge: Model profile that was asked.
        seat, rung, round: Member of the panel, rung of its ladder and repetition, each from 0.
        call: Id of the call that it came in.
        cause: Why no usable vote came; empty where one did.
    """

    table = "vote"
    key = ("attempt_id", "judge_profile", "judged_utc", "criterion_id", "position")
    owner = ("attempt_id", "judge_profile", "judged_utc")
    parent = "attempt"

    attempt_id: Name
    judge_profile: Name
    judged_utc: Moment
    criterion_id: Name
    position: Count
    judge: Name
    seat: Count = 0
    rung: Count = 0
    round: Count = 0
    call: Label = ""
    status: VerdictStatus
    cause: Label = ""
    reasoning: Prose = ""
    quote: Prose = ""


class ActionRow(Row):
    """One tool call of the solver."""

    table = "action"
    key = ("attempt_id", "position")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    position: Count
    turn: Count = 0
    tool: Label = ""
    bucket: Literal["read", "tool", "write", "other"]
    failed: bool = False
    arguments: Prose = ""
    result_preview: Prose = ""


class SpendRow(UsageRow):
    """What was spent on anything but solving. Solver usage is on the attempt; a ``solver`` row here is not added to it.

    Attributes:
        attempt_id: The attempt judged; for a proposer the learning run, and the call's place on its account.
        spent_utc: For a judge the ``judged_utc`` of its verdicts.
    """

    table = "spend"
    key = ("attempt_id", "role", "profile", "spent_utc")
    owner = ("attempt_id", "role", "profile", "spent_utc")

    attempt_id: Name
    run_id: Label = ""
    role: Literal["solver", "judge", "proposer"]
    profile: Label = ""
    spent_utc: Moment


class FailureRow(Row):
    """One thing that went wrong: a bad task line, an attempt that crashed, a document that could not be read."""

    table = "failure"
    key = ("run_id", "attempt_id", "stage", "subject", "cause", "message")

    run_id: Name
    attempt_id: Label = ""
    stage: Label = ""
    subject: Label = ""
    cause: Name
    message: Prose = ""
    remedy: Prose = ""


def _tables() -> Mapping[str, type[Row]]:
    # Parents first: the order in which parts land.
    kinds: tuple[type[Row], ...] = (
        RunRow,
        HarnessRow,
        MatterRow,
        PlanRow,
        AttemptRow,
        JudgementRow,
        AttemptKeyRow,
        VerdictRow,
        ChecklistScoreRow,
        ChecklistItemRow,
        VoteRow,
        GateRow,
        FindingRow,
        AskRow,
        CoverageRow,
        ActionRow,
        MeasureRow,
        ServedRow,
        MandatoryToolRow,
        DefectRow,
        FiringRow,
        MessageRow,
        RescoringRow,
        CallRow,
        FlowCheckRow,
        SpendRow,
        FailureRow,
        EditRow,
        HoldoutAccessRow,
        SessionAskRow,
    )
    return MappingProxyType({kind.table: kind for kind in kinds})


TABLES: Mapping[str, type[Row]] = _tables()
