"""Verdicts on an ended attempt."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, ConfigDict

from tasks.matter.base import Record
from tasks.matter.failures import FailureCause
from tasks.matter.reasons import ErrorClass, Failed, MatchKind
from tasks.matter.usage import Usage


class Verdict(Record):
    """One criterion judged.

    Attributes:
        status: ``unscored`` where the judge or its infrastructure failed; then ``cause`` says why.
        match_kind: Kind of the anchor that decided; else empty.
        quote: Words of the deliverable that support the verdict, verified to be in it; may be empty.
        error_class: The class of a ``fail``; else empty.
    """

    criterion_id: str
    title: str
    status: Literal["pass", "fail", "unscored"]
    reasoning: str = ""
    cause: FailureCause | None = None
    match_kind: MatchKind | Literal[""] = ""
    quote: str = ""
    error_class: ErrorClass | Literal[""] = ""
    usage: Usage = Usage()


class JudgeReport(Record):
    """All verdicts of one attempt by one judge profile.

    Attributes:
        prompts: Content hash of the prompts that the profile's models were asked with; empty where it has none.
    """

    model_config = ConfigDict(hide_input_in_errors=True)  # a refusal must not repeat what is judged

    schema_version: int = 1
    matter_id: str
    matter_digest: str
    profile: str
    prompts: str = ""
    verdicts: tuple[Verdict, ...]
    usage: Usage = Usage()


class Tally(Record):
    """What leaves a judge's process: counts and classes, never words of a criterion, a quotation or a reason."""

    profile: str
    judged_utc: AwareDatetime
    criteria: int
    passed: int
    unscored: int
    failed: tuple[Failed, ...] = ()
    usage: Usage = Usage()
