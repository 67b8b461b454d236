"""What the work took: actions, tokens and money, time, and what failed on our side."""

from __future__ import annotations

from collections.abc import Iterator

from warehouse.report.asking import Asker
from warehouse.report.blocks import ReportSection, ReportTable, stacked_chart, table


def actions(asker: Asker) -> ReportSection:
    """Return what the solvers did, by kind of action."""
    frame = asker.ask("what_did_the_solvers_do")
    rows = []
    for title, buckets in asker.groups(frame, "Solver"):
        counted = {row["bucket"]: row["actions"] for row in buckets}
        rows.append({"who": title} | {bucket: counted.get(bucket, 0) for bucket in ("read", "tool", "write", "other")})
    parts = (("read", "read", "one"), ("tool", "tool", "two"), ("write", "write", "three"), ("other", "other", "four"))
    return ReportSection(
        "actions",
        "What the solvers did",
        "Actions by bucket. Counts compare within one family of runtimes, not across families.",
        (stacked_chart("Actions by cell", rows, "who", parts),) if rows else (),
        tuple(_traced(asker)),
        "No trace has landed.",
        folded=True,
    )


def _traced(asker: Asker) -> Iterator[ReportTable]:
    """Yield the tables of traces that have rows."""
    told = (
        ("Actions", "what_did_the_solvers_do", "bucket actions failed per_attempt share"),
        (
            "Trajectories, on average over the attempts measured",
            "how_did_the_agents_work",
            "attempts measured turns actions lookups tool_errors first_read_turn first_write_turn "
            "wrote_before_reading audited_before_finishing loaded_a_skill loaded_its_skill opened_share served_share",
        ),
        ("Defects", "trace_defects", "defect by_construction attempts measured share example"),
        ("Mandatory tools", "share_of_attempts_that_used_each_mandatory_tool", "tool attempts used share calls"),
        (
            "Mechanisms",
            "what_mechanisms_did",
            "mechanism fires files attempts attempts_without pooled_pass_with pooled_pass_without",
        ),
        ("Information flow that is not sound", "did_anything_leak", "matter_id found_in problems"),
    )
    for title, question, columns in told:
        frame = asker.ask(question)
        if frame.height:
            yield table(frame, [*asker.keys(frame), *columns.split()], title, question=question)


def cost(asker: Asker) -> ReportSection:
    """Return what calls and tokens cost, by role and profile."""
    frame = asker.ask("what_did_it_cost")
    columns = [*asker.keys(frame), "role", "profile", "attempts", "calls", "input_uncached=input",
               "cache_read", "cache_write", "output", "cost_usd=cost", "cost_cached_free_usd=cached reads free",
               "without_price=without a price"]  # fmt: skip
    return ReportSection(
        "cost",
        "Cost",
        "Calls, tokens and US dollars; all tries included, judges apart from solvers.",
        (),
        (table(frame, columns, "Cost", question="what_did_it_cost"),) if frame.height else (),
        "Nothing was spent.",
    )


def slowest(asker: Asker) -> ReportSection:
    """Return the attempts that took longest."""
    frame = asker.ask("which_attempts_were_slowest").sort("seconds", descending=True, maintain_order=True)
    columns = [*asker.keys(frame), "matter_id=matter", "outcome", "seconds=time", "turns",
               "n_documents=documents", "cost_usd=cost"]  # fmt: skip
    shown = table(frame, columns, "Slowest attempts", question="which_attempts_were_slowest", limit=10)
    return ReportSection(
        "slowest", "Slowest", "Where the time went.", (), (shown,) if frame.height else (), "No attempts."
    )


def failures(asker: Asker) -> ReportSection:
    """Return what failed on our side: attempts that did not finish, and failures by cause."""
    ended, wrong = asker.ask("which_attempts_did_not_finish"), asker.ask("what_went_wrong")
    keys = asker.keys(ended)
    attempts = table(
        ended,
        [*keys, "matter_id=matter", "outcome", "failure_cause=cause", "failure_message=message", "seconds=time"],
        "Attempts that did not finish",
        question="which_attempts_did_not_finish",
        limit=60,
    )
    columns = [*asker.keys(wrong), "subject", "stage", "cause", "message", "remedy"]
    failures = table(wrong, columns, "Failures", question="what_went_wrong", limit=100)
    return ReportSection(
        "failures",
        "Failures",
        "Tasks that could not be loaded, attempts that did not finish, documents that could not be read.",
        (),
        tuple(t for t in (attempts, failures) if t.rows),
        "Nothing failed.",
    )
