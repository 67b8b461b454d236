"""What came of the drafts: releases, flags and asks, what was read, what could not be scored."""

from __future__ import annotations

from collections.abc import Iterator

from warehouse.report.asking import Asker
from warehouse.report.blocks import ReportSection, ReportTable, share_chart, stacked_chart, table


def unscored(asker: Asker) -> ReportSection:
    """Return the criteria without a verdict, with the cause."""
    frame, every = asker.ask("why_are_criteria_unscored"), asker.ask("which_criteria_are_unscored_and_why")
    columns = [*asker.keys(every), "matter_id=matter", "criterion_id=criterion", "title", "cause", "reasoning"]
    shown = table(every, columns, "Unscored criteria", question="which_criteria_are_unscored_and_why", limit=60)
    return ReportSection(
        "unscored",
        "Unscored",
        "Criteria without a verdict: a failure of judge, reader or provider, never counted as a fail.",
        tuple(
            share_chart(title, rows, "cause", "criteria", "unscored")
            for title, rows in asker.groups(frame, "Unscored criteria by cause")
        ),
        (shown,) if every.height else (),
        "Every criterion that was judged has a verdict.",
        folded=True,
    )


def gates(asker: Asker) -> ReportSection:
    """Return what the gates passed, flagged and blocked, and what became of the asks."""
    frame, found = asker.ask("which_gates_flagged"), asker.ask("what_did_the_gates_find")
    parts = (("passed", "passed", "pass"), ("flagged", "flagged", "flag"), ("blocked", "blocked", "fail"))
    keys = asker.keys(frame)
    gates = table(
        frame,
        [*keys, "gate", "attempts", "passed", "flagged", "blocked", "checked", "verified", "verified_share"],
        "Gates",
        question="which_gates_flagged",
    )
    findings = table(
        found,
        [*keys, "gate", "kind", "severity", "findings", "attempts"],
        "Findings by kind",
        question="what_did_the_gates_find",
        limit=60,
    )
    charts = (stacked_chart(title, rows, "gate", parts) for title, rows in asker.groups(frame, "Attempts by gate"))
    return ReportSection(
        "gates",
        "Release gates",
        "Attempts that each gate passed, flagged for a lawyer, or blocked.",
        tuple(charts),
        tuple(t for t in (gates, findings, *_asks(asker), *_right_flags(asker)) if t.rows),
        "No release report has landed.",
        folded=True,
    )


def _asks(asker: Asker) -> Iterator[ReportTable]:
    frame = asker.ask("what_became_of_the_asks")
    columns = [*asker.keys(frame), "kind", "state", "asks", "not_accepted", "attempts"]
    yield table(frame, columns, "Asks of the briefs", question="what_became_of_the_asks")


def _right_flags(asker: Asker) -> Iterator[ReportTable]:
    """Yield the gates beside the judges, where verdicts quote words that a gate flagged."""
    frame = asker.ask("do_the_gates_agree_with_the_judges")
    frame = frame.filter(frame["precision"].is_not_null() | (frame["flagged_failed"] > 0))
    columns = [*asker.keys(frame), "gate", "flags", "true_flags=right", "false_flags=wrong",
               "unjudged_flags=not judged", "precision", "precision_low=95 % from", "precision_high=to",
               "quoted_failed=failed with a quotation", "flagged_failed=of them flagged",
               "recall", "recall_low=95 % from", "recall_high=to"]  # fmt: skip
    yield table(frame, columns, "Gates beside the judges", question="do_the_gates_agree_with_the_judges")


def coverage(asker: Asker) -> ReportSection:
    """Return how much of the data rooms was read."""
    frame, unread = asker.ask("how_much_of_the_data_rooms_was_read"), asker.ask("which_documents_were_not_read")
    rows = [row | {"who": title} for title, (row,) in asker.groups(frame, "Data rooms")]
    parts = (("read_whole", "read", "pass"), ("read_in_part", "read in part", "flag"), ("unread", "unread", "fail"))
    columns = [*asker.keys(unread), "matter_id=matter", "document", "status", "cause", "message"]
    shown = table(unread, columns, "Documents not read whole", question="which_documents_were_not_read", limit=60)
    return ReportSection(
        "coverage",
        "Documents read",
        "How much of the data rooms was read, and what was not.",
        (stacked_chart("Documents by cell", rows, "who", parts),) if rows else (),
        (shown,) if unread.height else (),
        "No coverage has landed.",
        folded=True,
    )
