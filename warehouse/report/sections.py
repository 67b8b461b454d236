"""The sections of the report, each from the named questions of the warehouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from warehouse.report import causes, figures, studies
from warehouse.report.asking import Asker
from warehouse.report.blocks import (
    Bar,
    Chart,
    Drawn,
    ReportSection,
    ReportTable,
    bar_row,
    rate_chart,
    share_chart,
    stacked_chart,
    table,
)
from warehouse.report.drawings import dots_by

if TYPE_CHECKING:
    import polars as pl


def sections(asker: Asker) -> list[ReportSection]:
    """Return every section, in the order in which a reader wants them."""
    asker = asker.narrowed()
    return [
        _cells(asker),
        *studies.pairs(asker),
        _areas(asker),
        _kinds(asker),
        causes.errors(asker),
        _worst(asker),
        _unscored(asker),
        _gates(asker),
        _coverage(asker),
        _actions(asker),
        *studies.areas(asker),
        _cost(asker),
        *studies.trade(asker),
        _slowest(asker),
        _failures(asker),
        *_judges(asker),
        *studies.variance(asker),
        *studies.checklist(asker),
        *_learner(asker),
        *_quarantine(asker),
    ]


def _cells(asker: Asker) -> ReportSection:
    frame = asker.ask("how_did_each_cell_do")
    drawn = []
    for row in frame.iter_rows(named=True):
        title = " · ".join(row[key] for key in (asker.varying or ("cell",)) if row[key])
        pooled, strict = row["pooled_pass"], row["all_pass"]
        drawn.append(
            bar_row(
                title,
                [
                    Bar(pooled or 0.0, _of(pooled, "criteria"), "pass"),
                    Bar(strict or 0.0, _of(strict, "matters"), "strict"),
                ],
            )
        )
    legend = (("pooled pass: criteria passed of those scored", "pass"), ("all-pass: every criterion passed", "strict"))
    which = (
        ["cell", "judge_profile=judge"]
        if asker.runs and len(asker.runs) == 1
        else ["run_id=run", "cell", "judge_profile=judge"]
    )
    scores = [*which, "judge_version=judge version", "matters", "attempts", "criteria", "pooled_pass",
              "pass_low=95 % from", "pass_high=to", "all_pass=all-pass", "unscored"]  # fmt: skip
    took = [*which, "unjudged", "blocked", "unfinished", "words=words a draft", "seconds_median=median time",
            "cost_usd=solver cost", "judge_cost_usd=judge cost"]  # fmt: skip
    tables = (
        table(frame, scores, "Cells", question="how_did_each_cell_do"),
        table(frame, took, "What the cells took", question="how_did_each_cell_do"),
        *_parts(frame),
        *_inventory(asker),
        *_mixed(asker),
    )
    return ReportSection(
        "cells",
        "Cells",
        "How each configuration did under each judge. Unscored criteria are left out of pooled pass and counted "
        "beside it; a matter with an unscored criterion is never all-pass. The 95 % interval draws whole matters, "
        "and is never narrower than Wilson's; of fewer than ten matters it is too narrow.",
        (Chart("Pooled pass and all-pass by cell", tuple(drawn), legend),) if drawn else (),
        tables if frame.height else (),
        "No attempt has landed.",
    )


def _parts(frame: pl.DataFrame) -> Iterator[ReportTable]:
    """Yield the cells of which planned attempts are missing, as a warning; nothing where none is."""
    short = frame.filter(frame["attempts"] < frame["planned"])
    if short.height:
        columns = ["run_id=run", "cell", "judge_profile=judge", "attempts=ended", "planned"]
        title = "Not whole: the run goes on or was stopped, and what stands above is of the attempts that ended"
        yield table(short, columns, title, question="how_did_each_cell_do")


def _inventory(asker: Asker) -> Iterator[ReportTable]:
    """Yield how many matters of each cell pass in full; nothing where nothing was judged."""
    frame = asker.ask("how_many_matters_passed_in_full")
    if frame.height:
        columns = [*asker.keys(frame), "matters", "all_pass_matters=matters passed in full", "all_pass=all-pass",
                   "passed", "failed", "pooled_pass", "matters_with_unscored"]  # fmt: skip
        yield table(frame, columns, "Matters passed in full", question="how_many_matters_passed_in_full")


def _mixed(asker: Asker) -> Iterator[ReportTable]:
    """Yield the cells that several versions of one judge scored, as a warning; nothing where there is none."""
    frame = asker.ask("which_cells_mix_versions_of_a_judge")
    if frame.height:
        columns = ["run_id=run", "cell", "judge_profile=judge", "profile_version=version", "attempts", "criteria"]
        title = "Judged by several versions of one judge: no score until all of a cell is judged by one"
        yield table(frame, columns, title, question="which_cells_mix_versions_of_a_judge")


def _of(rate: float | None, what: str) -> str:
    return figures.rate(rate) + (f" of {what}" if rate is not None else "")


def _areas(asker: Asker) -> ReportSection:
    frame, rates = asker.ask("how_does_each_area_do_under_each_cell"), asker.ask("how_often_does_each_area_fail")
    columns = [*asker.keys(frame), "area", "matters", "criteria", "passed", "failed", "unscored", "pooled_pass",
               "all_pass=all-pass"]  # fmt: skip
    charts: list[Drawn | None] = []
    if "cell" in asker.varying:
        for title, rows in asker.groups(rates, "Error rate by practice area and cell", ("run_id", "judge_profile")):
            charts.append(dots_by(title, rows, "area", "cell", "error_rate", figures.percent))
    else:
        weakest = asker.ask("which_areas_are_weakest")
        for title, rows in asker.groups(weakest, "Pooled pass by practice area"):
            charts.append(rate_chart(title, rows, "area"))
    return ReportSection(
        "areas",
        "Practice areas",
        "Hardest area first. Of several cells the error rate is drawn: further right is worse.",
        studies.of_some(charts),
        (table(frame, columns, "Practice areas", question="how_does_each_area_do_under_each_cell"), *_work_types(asker))
        if frame.height
        else (),
        "Nothing has been judged.",
        folded=True,
    )


def _work_types(asker: Asker) -> Iterator[ReportTable]:
    """Yield the work types; nothing where the matters do not say theirs."""
    frame = asker.ask("how_do_work_types_compare")
    if frame["work_type"].n_unique() > 1:
        columns = [*asker.keys(frame), "work_type", "matters", "criteria", "passed", "failed", "unscored",
                   "pooled_pass", "all_pass=all-pass"]  # fmt: skip
        yield table(frame, columns, "Work types", question="how_do_work_types_compare")


def _kinds(asker: Asker) -> ReportSection:
    frame = asker.ask("which_kinds_of_answer_are_missed")
    named = frame.with_columns(match_kind=frame["match_kind"].replace({"": "no anchor"}))
    columns = [*asker.keys(named), "match_kind=kind", "criteria", "passed", "failed", "unscored", "pooled_pass"]
    return ReportSection(
        "kinds",
        "Kinds of answer",
        "Pooled pass by what had to be found: a date, a value, a passage, or that there is none.",
        tuple(
            rate_chart(title, rows, "match_kind")
            for title, rows in asker.groups(named, "Pooled pass by kind of answer")
        ),
        (table(named, columns, "Kinds of answer", question="which_kinds_of_answer_are_missed"),)
        if frame.height
        else (),
        "Nothing has been judged.",
        folded=True,
    )


def _worst(asker: Asker) -> ReportSection:
    frame = asker.ask("which_matters_are_worst").sort("pass_rate", nulls_last=False, maintain_order=True)
    columns = [*asker.keys(frame), "matter_id=matter", "matter_title=title", "area", "criteria", "passed",
               "failed", "unscored", "pass_rate"]  # fmt: skip
    shown = table(frame, columns, "Matters, worst first", question="which_matters_are_worst", limit=25)
    return ReportSection(
        "worst",
        "Worst matters",
        "Where a reviewer learns most.",
        (),
        (shown,) if frame.height else (),
        "Nothing has been judged.",
    )


def _unscored(asker: Asker) -> ReportSection:
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


def _gates(asker: Asker) -> ReportSection:
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


def _coverage(asker: Asker) -> ReportSection:
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


def _actions(asker: Asker) -> ReportSection:
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
            "wrote_before_reading audited_before_finishing loaded_a_skill opened_share served_share",
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


def _cost(asker: Asker) -> ReportSection:
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


def _slowest(asker: Asker) -> ReportSection:
    frame = asker.ask("which_attempts_were_slowest").sort("seconds", descending=True, maintain_order=True)
    columns = [*asker.keys(frame), "matter_id=matter", "outcome", "seconds=time", "turns",
               "n_documents=documents", "cost_usd=cost"]  # fmt: skip
    shown = table(frame, columns, "Slowest attempts", question="which_attempts_were_slowest", limit=10)
    return ReportSection(
        "slowest", "Slowest", "Where the time went.", (), (shown,) if frame.height else (), "No attempts."
    )


def _failures(asker: Asker) -> ReportSection:
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


def _judges(asker: Asker) -> Sequence[ReportSection]:
    agree, doubted = asker.ask("do_the_judges_agree"), asker.ask("which_criteria_may_be_defective")
    pairs = [*asker.keys(agree), "judge", "other_judge", "criteria", "both_pass", "both_fail",
             "differ", "unscored_by_either"]  # fmt: skip
    criteria = ["judge_profile=judge", "matter_id=matter", "criterion_id=criterion", "why", "cells", "attempts",
                "passed", "judged_again", "flipped"]  # fmt: skip
    of_runs = doubted if asker.runs is None else doubted.clear()  # it is asked of all runs together
    shown = (
        table(agree, pairs, "Agreement of judges", question="do_the_judges_agree"),
        table(
            of_runs, criteria, "Criteria that may be defective", question="which_criteria_may_be_defective", limit=60
        ),
    )
    lead = "How often two judges agree on the same drafts, and criteria that no draft passes or that flip."
    tables = tuple(one for one in shown if one.rows)
    return (ReportSection("judges", "Judges", lead, (), tables),) if tables else ()


def _learner(asker: Asker) -> Sequence[ReportSection]:
    frame = asker.ask("what_did_the_learner_change")
    if not frame.height:
        return ()
    columns = ["learn_id=ledger", "step", "surface", "target", "policy", "decision", "stopped_by", "minibatch",
               "score_before", "score_after", "gain", "reasons", "diff_sha256=diff"]  # fmt: skip
    shown = (
        table(frame, columns, "Edits", question="what_did_the_learner_change", limit=100),
        *studies.harnesses(asker),
        *_looks(asker),
    )
    lead = "Edits proposed and what became of them; the line is the score of the harness that was last accepted."
    return (ReportSection("learner", "Learner", lead, studies.learning(asker), shown),)


def _looks(asker: Asker) -> Iterator[ReportTable]:
    frame = asker.ask("who_looked_at_the_holdouts")
    if frame.height:
        columns = ["learn_id=ledger", "look", "step", "side", "purpose", "matters", "attempts", "harness_version",
                   "read_utc=read", "looks_of_this_kind=looks so far"]  # fmt: skip
        yield table(frame, columns, "Looks at the holdouts", question="who_looked_at_the_holdouts", limit=100)


def _quarantine(asker: Asker) -> Sequence[ReportSection]:
    frame = asker.ask("what_was_quarantined")
    if not frame.height:
        return ()
    shown = table(frame, ["part", "message"], "Quarantined parts", question="what_was_quarantined")
    return (ReportSection("quarantine", "Quarantine", "Parts that could not land; the rest did.", (), (shown,)),)
