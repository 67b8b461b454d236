"""Verdicts on an ended attempt."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, ConfigDict

from tasks.judging.checklist.records import ChecklistScore
from tasks.matter.base import Record
from tasks.matter.failures import FailureCause
from tasks.matter.reasons import ErrorClass, Failed, MatchKind, Outcome
from tasks.matter.usage import Usage


class Vote(Record):
    """What one judge said of one criterion, once. A verdict is made from votes; they are kept as they were given.

    Attributes:
        judge: Model profile that was asked.
        seat: Which member of the panel it spoke for, from 0.
        rung: Which rung of the seat's ladder it is, from 0, the smallest; a later rung replaces an earlier one.
        round: Which repetition of the seat's vote it is, from 0.
        call: Id of the call that it came in: criteria of one batch share it.
        status: ``unscored`` where no usable vote came; then ``cause`` says why.
    """

    judge: str
    seat: int = 0
    rung: int = 0
    round: int = 0
    call: str = ""
    status: Literal["pass", "fail", "unscored"]
    reasoning: str = ""
    quote: str = ""
    cause: FailureCause | None = None
    usage: Usage = Usage()


class Verdict(Record):
    """One criterion judged.

    Attributes:
        status: ``unscored`` where the judge or its infrastructure failed; then ``cause`` says why.
        match_kind: Kind of the anchor that decided; else empty.
        quote: Words of the deliverable that support the verdict, verified to be in it; may be empty.
        error_class: The class of a ``fail``; else empty.
        outcome: What the anchor or the checklist judge found; empty where neither decided.
        votes: What the models said, each vote as it was given; none where no model was asked.
    """

    criterion_id: str
    title: str
    status: Literal["pass", "fail", "unscored"]
    reasoning: str = ""
    cause: FailureCause | None = None
    match_kind: MatchKind | Literal[""] = ""
    quote: str = ""
    error_class: ErrorClass | Literal[""] = ""
    outcome: Outcome | Literal[""] = ""
    votes: tuple[Vote, ...] = ()
    usage: Usage = Usage()


class JudgeReport(Record):
    """All verdicts of one attempt by one judge profile.

    Attributes:
        profile: Name of the judge profile.
        profile_version: Content hash of all that decides its verdicts: models, prompts, extractors, temperature,
            votes, rule. Scores of different versions are never mixed.
        prompts: Content hash of the prompts that the profile's models were asked with; empty where it has none.
        checklist: Scores against the reference checklist of the matter, where the profile judges by one.
    """

    model_config = ConfigDict(hide_input_in_errors=True)  # a refusal must not repeat what is judged

    schema_version: int = 1
    matter_id: str
    matter_digest: str
    profile: str
    profile_version: str = ""
    prompts: str = ""
    verdicts: tuple[Verdict, ...]
    usage: Usage = Usage()
    checklist: ChecklistScore | None = None


class Tally(Record):
    """What leaves a judge's process: counts and classes, never words of a criterion, a quotation or a reason."""

    profile: str
    profile_version: str = ""
    judged_utc: AwareDatetime
    criteria: int
    passed: int
    unscored: int
    failed: tuple[Failed, ...] = ()
    usage: Usage = Usage()
