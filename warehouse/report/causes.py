"""The section on failed criteria: what happened and where, what is in Other, and which control answers it."""

from __future__ import annotations

from collections.abc import Iterator

from warehouse.report import figures
from warehouse.report.asking import Asker, Rows
from warehouse.report.blocks import Drawn, ReportSection, ReportTable, share_chart, table
from warehouse.report.drawings import dots_by, heat_by

Counts = dict[str, dict[str, int]]


def errors(asker: Asker) -> ReportSection:
    """Return the section of the error classes."""
    failed = asker.ask("which_criteria_failed_and_why")
    return ReportSection(
        "errors",
        "Error classes",
        "What the failed criteria have in common, where they fail, and which control answers it.",
        tuple(one for one in (*_classes(asker), *_places(asker)) if one is not None) if failed.height else (),
        tuple(one for one in _tables(asker) if one.rows),
        "No criterion failed.",
        folded=True,
    )


def _classes(asker: Asker) -> Iterator[Drawn | None]:
    """Yield the classes by cell as shares of all criteria; of one cell, how many failed of each."""
    if "cell" not in asker.varying:
        for title, rows in asker.groups(asker.ask("which_error_classes_dominate"), "Failed criteria by error class"):
            yield share_chart(title, rows, "error_class", "failed", "fail")
        return
    shares = asker.ask("what_share_of_all_criteria_failed_and_why")
    for title, rows in asker.groups(shares, "Share of all criteria that failed", ("run_id", "judge_profile")):
        yield dots_by(title, _causes(rows), "error_class", "cell", "share_of_all", figures.percent, least=0)


def _causes(rows: Rows) -> Rows:
    """Return the causes with the most failures first, without their total."""
    failed: dict[str, int] = {}
    for row in rows:
        failed[row["error_class"]] = failed.get(row["error_class"], 0) + row["failed"]
    named = [{**row, "error_class": figures.words(row["error_class"])} for row in rows if row["error_class"] != "total"]
    order = {figures.words(name): n for name, n in failed.items()}
    return sorted((row for row in named if order[row["error_class"]]), key=lambda row: -order[row["error_class"]])


def _places(asker: Asker) -> Iterator[Drawn | None]:
    """Yield the classes by practice area and by work type; failures of all cells are counted together."""
    frame = asker.ask("where_does_each_error_class_occur")
    for unit, name in (("area", "practice area"), ("work_type", "work type")):
        here = frame.filter(frame["unit"] == unit)
        yield heat_by(f"Share of the failures of each {name} by error class", _together(here.to_dicts()), name)


def _together(rows: Rows) -> Counts:
    counts: Counts = {}
    for row in rows:
        here = counts.setdefault(str(row["name"]), {})
        here[row["error_class"]] = here.get(row["error_class"], 0) + row["failed"]
    return counts


def _tables(asker: Asker) -> Iterator[ReportTable]:
    controls = asker.ask("which_control_answers_each_error_class")
    keys = asker.keys(controls)
    yield table(
        controls,
        [*keys, "error_class", "failed", "share", "failure_unit=what fails", "control", "surface"],
        "Controls",
        question="which_control_answers_each_error_class",
    )
    yield table(
        asker.ask("which_control_would_have_caught_it"),
        [*keys, "control", "error_class", "outcome", "failed", "matters", "share"],
        "What happened, by control",
        question="which_control_would_have_caught_it",
        limit=60,
    )
    yield table(
        asker.ask("what_happened_where_criteria_failed"),
        [*keys, "match_kind=kind of anchor", "outcome", "error_class", "failed", "matters", "share"],
        "What the anchors found",
        question="what_happened_where_criteria_failed",
        limit=60,
    )
    yield _other(asker)
    failed = asker.ask("which_criteria_failed_and_why")
    yield table(
        failed,
        [*keys, "matter_id=matter", "criterion_id=criterion", "title", "error_class", "reasoning=why"],
        "Failed criteria",
        question="which_criteria_failed_and_why",
        limit=60,
    )


def _other(asker: Asker) -> ReportTable:
    """Return the share of failures in Other by cell, with the commonest words of their titles."""
    import polars as pl

    frame = asker.ask("what_is_in_other")
    named = pl.format("{} {}", "word", "titles").drop_nulls().str.join(", ").alias("words_of_titles")
    told = frame.group_by("run_id", "cell", "judge_profile", "failed", "other", "share", maintain_order=True).agg(named)
    columns = [*asker.keys(told), "failed", "other", "share", "words_of_titles=commonest words of their titles"]
    return table(told, columns, "Failures that fit no class", question="what_is_in_other")
