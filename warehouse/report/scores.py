"""How each configuration did: cells, practice areas, kinds of criterion, the worst matters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from warehouse.report import figures, studies
from warehouse.report.asking import Asker
from warehouse.report.blocks import Bar, Chart, Drawn, ReportSection, ReportTable, bar_row, rate_chart, table
from warehouse.report.drawings import dots_by

if TYPE_CHECKING:
    import polars as pl


def cells(asker: Asker) -> ReportSection:
    """Return how each configuration did under each judge."""
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


def areas(asker: Asker) -> ReportSection:
    """Return how each practice area did."""
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


def kinds(asker: Asker) -> ReportSection:
    """Return how each kind of answer did."""
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


def worst(asker: Asker) -> ReportSection:
    """Return the matters with the lowest scores."""
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
