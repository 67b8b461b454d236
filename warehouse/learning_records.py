"""The rows of the learner: its ledger, and every read of a holdout."""

from __future__ import annotations

from typing import Literal

from warehouse.columns import Count, Label, Moment, Name, Prose
from warehouse.row import Row


class EditRow(Row):
    """One row of the learner's ledger: an edit proposed, and what became of it.

    Attributes:
        edit_id: Unique within the learning run and step, e.g. ``1``.
        score_before: The incumbent's score, recomputed at the time of the comparison.
        score_after: The candidate's; empty when a gate stopped the edit before it was run.
        reasons: Why it was accepted or rejected, in sentences.
    """

    table = "edit"
    key = ("learn_id", "step", "edit_id")
    owner = ("learn_id", "step", "edit_id")

    learn_id: Name
    step: Count
    edit_id: Name
    surface: Literal["knowledge", "tools", "skills", "agent"]
    target: Label = ""
    proposer: Label = ""
    policy: Label = ""
    decision: Literal["accepted", "rejected", "rolled_back"]
    stopped_by: Label = ""
    score_before: float | None = None
    score_after: float | None = None
    reasons: Prose = ""
    diff_sha256: Label = ""
    minibatch: Count = 0
    harness_before: Label = ""
    harness_after: Label = ""
    decided_utc: Moment


class HoldoutAccessRow(Row):
    """One read of a holdout: that a learning run, or a command beside it, ran matters or told scores of it, and why.

    Attributes:
        look: Which look of the learning run it is, from 1; a run that is believed has one per side.
        side: Which part of the frozen split was read.
        split_sha256: Content hash of the split file.
    """

    table = "holdout_access"
    key = ("learn_id", "look")
    owner = ("learn_id", "look")

    learn_id: Name
    look: Count
    step: Count
    side: Literal["test", "giant"]
    purpose: Label = ""
    matters: Count
    attempts: Count
    harness_version: Label = ""
    split_sha256: Label = ""
    read_utc: Moment
