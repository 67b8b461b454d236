"""How far the figures can be trusted, and what was learned: judges, edits, looks at the holdout, refused parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warehouse.report import studies
from warehouse.report.asking import Asker
from warehouse.report.blocks import ReportSection, ReportTable, table


def judges(asker: Asker) -> Sequence[ReportSection]:
    """Return how often judges agree, and the criteria that may be defective; nothing where neither is known."""
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


def learner(asker: Asker) -> Sequence[ReportSection]:
    """Return the edits of the learner; nothing where there are none."""
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


def quarantine(asker: Asker) -> Sequence[ReportSection]:
    """Return the parts that could not land; nothing where all did."""
    frame = asker.ask("what_was_quarantined")
    if not frame.height:
        return ()
    shown = table(frame, ["part", "message"], "Quarantined parts", question="what_was_quarantined")
    return (ReportSection("quarantine", "Quarantine", "Parts that could not land; the rest did.", (), (shown,)),)
