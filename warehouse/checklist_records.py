"""The rows of a checklist judgement (GAVEL-Ref): one for each item compared, and one with the scores."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from warehouse.columns import Count, Label, Moment, Name, VerdictStatus
from warehouse.row import Row

Percent = Annotated[float, Field(ge=0, le=100)]
Share = Annotated[float, Field(ge=0, le=1)]


class ChecklistScoreRow(Row):
    """The scores of one work product by a reference checklist.

    Attributes:
        checklist: Name of the checklist.
        checklist_version: Content hash of its items, its aspects and the weight of content; other ones score otherwise.
        alpha: Weight of content against style.
        applicable: Items that the reference or the work product has a value for, those that are unscored included.
        unscored: Of these, how many could not be compared.
        s_checklist, s_residual, s_style, s_gavel: From 0 to 100; null where what they rest on was not compared.
        residual_ratio: Share of the reference text that no item covers; null where there is no such text.
        dropped_values: Values of the work product that were not counted, as no evidence of theirs is in it.
        dropped_evidence: Quotations that are not in the work product.
    """

    table = "checklist_score"
    key = ("attempt_id", "judge_profile", "judged_utc")
    owner = ("attempt_id", "judge_profile", "judged_utc")
    parent = "attempt"

    attempt_id: Name
    judge_profile: Name
    judged_utc: Moment
    checklist: Name
    checklist_version: Label = ""
    alpha: Share
    applicable: Count
    unscored: Count = 0
    s_checklist: Percent | None = None
    s_residual: Percent | None = None
    s_style: Percent | None = None
    s_gavel: Percent | None = None
    residual_ratio: Share | None = None
    dropped_values: Count = 0
    dropped_evidence: Count = 0


class ChecklistItemRow(Row):
    """One item of a checklist compared.

    Attributes:
        manner: ``single`` where both sides have one value at most, compared four ways; else ``list``.
        relation: What the value of the work product does to that of the reference; empty for lists.
        reference_values, candidate_values, matched: Numbers of values, and of pairs that say the same.
        score: The matching score, from 0 to 1; null where the item is unscored.
    """

    table = "checklist_item"
    key = ("attempt_id", "judge_profile", "judged_utc", "item_id")
    owner = ("attempt_id", "judge_profile", "judged_utc")
    parent = "attempt"

    attempt_id: Name
    judge_profile: Name
    judged_utc: Moment
    position: Count
    item_id: Name
    item_group: Label = ""
    manner: Literal["single", "list"]
    status: VerdictStatus
    relation: Literal["equal", "contains", "contained", "different", ""] = ""
    reference_values: Count = 0
    candidate_values: Count = 0
    matched: Count = 0
    score: Share | None = None
