"""The sections of the report that compare: cells in pairs, areas, causes, effort, cost, reading, variance, learning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from warehouse.report import figures
from warehouse.report.asking import Asker, Rows
from warehouse.report.blocks import Drawn, ReportSection, ReportTable, table
from warehouse.report.drawings import (
    climb,
    climbs,
    converging,
    differences,
    differences_by_size,
    dots_by,
    heat,
    scatter,
)

RUNS_DRAWN: Final = 4  # of more runs at once the tables are shown, and no figure of each
PAIRS_DRAWN: Final = 3  # matter by matter; the others are in the table and the question
_MATTERS: Final = "which_matters_gain_and_which_lose_between_cells"


def of_some(drawn: Sequence[Drawn | None]) -> tuple[Drawn, ...]:
    """Return the figures that have something to show."""
    return tuple(one for one in drawn if one is not None)


def pairs(asker: Asker) -> Iterator[ReportSection]:
    """Yield the paired comparison of cells, and of those of other runs; none where there is one cell."""
    frame, others = asker.ask("how_do_cells_compare_pair_by_pair"), _other_runs(asker)
    if not frame.height and not others.rows:
        return
    columns = [*asker.keys(frame, ("run_id", "judge_profile")), "cell", "other_cell", "matters", "criteria",
               "pooled_difference=difference", "pooled_low=from", "pooled_high=to", "better", "worse", "same",
               "sign_p=sign test p", "gained", "lost", "mcnemar_p=McNemar p"]  # fmt: skip
    charts: list[Drawn | None] = [
        differences(title, rows[:40], lambda row: f"{row['other_cell']} − {row['cell']}")
        for title, rows in asker.groups(
            frame, "Other cell less cell, in points of pooled pass", ("run_id", "judge_profile")
        )
    ]
    charts += _by_size(asker)
    yield ReportSection(
        "pairs",
        "Cells in pairs",
        "Each two cells on the same matters, over the criteria that both scored: the difference with its 95 % "
        "interval, which draws whole matters. McNemar takes criteria as independent, so its p is too small; with fewer "
        "than ten matters no interval is to be believed.",
        of_some(charts),
        (
            table(frame, columns, "Pairs of cells", question="how_do_cells_compare_pair_by_pair", limit=60),
            _moved(asker),
            others,
        ),
        folded=True,
    )


def _other_runs(asker: Asker) -> ReportTable:
    """Return the comparison with cells of other runs, on matters of the same content."""
    frame = asker.ask("how_do_runs_compare_pair_by_pair")
    columns = ["run_id=run", "cell", "other_run_id=other run", "other_cell", "judge_profile=judge", "matters",
               "criteria", "gained", "lost", "difference", "difference_low=from", "difference_high=to",
               "mcnemar_p=McNemar p"]  # fmt: skip
    return table(frame, columns, "With cells of other runs", question="how_do_runs_compare_pair_by_pair", limit=60)


def _by_size(asker: Asker) -> list[Drawn | None]:
    """Draw the difference of each matter by the size of its data room, for the first pairs of cells."""
    frame = asker.ask(_MATTERS)
    by_pair: dict[tuple[str, ...], Rows] = {}
    for row in frame.filter(frame["characters"] > 0).iter_rows(named=True):
        by_pair.setdefault((row["other_cell"], row["cell"], row["judge_profile"], row["run_id"]), []).append(row)
    return [
        differences_by_size(f"Difference of each matter by the size of its data room · {other} − {cell}", rows)
        for (other, cell, *_), rows in list(by_pair.items())[:PAIRS_DRAWN]
    ]


def _moved(asker: Asker) -> ReportTable:
    """Return the matters that two cells do most differently; those of no difference come last."""
    frame = asker.ask(_MATTERS)
    frame = frame.sort(frame["difference"].abs(), descending=True, maintain_order=True)
    columns = [*asker.keys(frame, ("run_id", "judge_profile")), "cell", "other_cell", "matter_id=matter", "area",
               "characters", "criteria", "passed", "other_passed", "gained", "lost", "difference"]  # fmt: skip
    return table(frame, columns, "Matters that differ most", question=_MATTERS, limit=25)


def areas(asker: Asker) -> Iterator[ReportSection]:
    """Yield what a matter of each practice area took, and what a lawyer would have needed for it."""
    told = (
        ("Actions a matter", "how_many_actions_did_each_area_take", "actions", figures.decimal),
        ("Words of the deliverables a matter", "how_long_were_the_drafts_of_each_area", "words", figures.whole),
        ("Words of the trace a matter", "how_long_were_the_trajectories_of_each_area", "trace_words", figures.whole),
        ("US dollars a matter, cached reads free", "what_did_a_matter_of_each_area_cost", "cost_cached_free_usd",
         figures.usd),
    )  # fmt: skip
    hardest = asker.ask("how_often_does_each_area_fail")
    order = {area: n for n, area in enumerate(hardest["area"].unique(maintain_order=True))}
    charts: list[Drawn | None] = []
    for name, question, column, write in told:
        frame = asker.ask(question)
        if frame[column].sum() and frame["run_id"].n_unique() <= RUNS_DRAWN:
            for title, rows in asker.groups(frame, name, ("run_id",)):
                heading = name if title == name else f"{name} · {title}"
                by_error = sorted(rows, key=lambda row: order.get(row["area"], len(order)))
                charts.append(dots_by(heading, by_error, "area", "cell", column, write))
    kinds, lawyer = asker.ask("what_kinds_of_action_did_a_matter_take"), asker.ask("what_would_a_lawyer_have_needed")
    lawyer = lawyer.filter(lawyer["human_hours"].is_not_null())
    tables = []
    if kinds.height:
        columns = [*asker.keys(kinds), "matters", "reads=read", "tools=tool", "writes=write", "others=other", "actions"]
        tables.append(table(kinds, columns, "Actions a matter", question="what_kinds_of_action_did_a_matter_take"))
    if lawyer.height:
        columns = [*asker.keys(lawyer), "practice_area", "matters", "pooled_pass", "human_hours=lawyer",
                   "seconds=measured", "human_usd=lawyer at $349/h", "cost_cached_free_usd=cost",
                   "times_faster", "times_cheaper"]  # fmt: skip
        tables.append(table(lawyer, columns, "Beside a lawyer", question="what_would_a_lawyer_have_needed", limit=60))
    if not charts and not tables:
        return
    yield ReportSection(
        "took",
        "What a matter took",
        "Means over the attempts that did not fail, hardest area first. Counts of actions compare within one family of "
        "runtimes. A lawyer's hours are the paper's estimates by complexity (3, 10 or 20 h at $349), and a lawyer's "
        "accuracy is the release standard: neither was measured.",
        of_some(charts),
        tuple(tables),
        folded=True,
    )


def trade(asker: Asker) -> Iterator[ReportSection]:
    """Yield cost against score, and the score by how much there was and how much of it was read."""
    frame = asker.ask("what_does_each_point_of_score_cost")
    rows = [row for row in frame.to_dicts() if row["pooled_pass"] is not None]
    charts: list[Drawn | None] = []
    if len(rows) > 1:
        x, y = ("tokens", "tokens an attempt", figures.whole), ("pooled_pass", "pooled pass", figures.percent)
        charts.append(scatter("Tokens against pooled pass", rows, x, y, lambda row: str(row["cell"])))
    charts += _bands(asker, "does_a_larger_data_room_lower_the_score", "Pooled pass by size of the data room", _size)
    charts += _bands(asker, "does_reading_more_score_higher", "Pooled pass by the share that was read", _share)
    if not rows:
        return
    columns = [*asker.keys(frame), "harness_version", "matters", "tokens", "cost_usd=cost", "seconds=time",
               "pooled_pass", "all_pass=all-pass", "blended", "on_the_front=on the front"]  # fmt: skip
    yield ReportSection(
        "trade",
        "Cost and score",
        "What each point of score cost, and whether size and reading move with it; neither proves a cause. Blended is "
        "pooled pass plus half of all-pass, less 0.005 for a million tokens an attempt.",
        of_some(charts),
        (table(frame, columns, "Cost and score", question="what_does_each_point_of_score_cost"),),
        folded=True,
    )


def _bands(asker: Asker, question: str, name: str, label: Any) -> list[Drawn | None]:
    frame = asker.ask(question)
    charts: list[Drawn | None] = []
    for title, rows in asker.groups(frame, name, ("run_id", "judge_profile")):
        by_band = sorted(({**row, "band": label(row)} for row in rows), key=lambda row: row[frame.columns[3]])
        heading = name if title == name else f"{name} · {title}"
        charts.append(dots_by(heading, by_band, "band", "cell", "pooled_pass", figures.percent))
    return charts


def _size(row: dict[str, Any]) -> str:
    return f"{row['from_characters']:,} to {row['below_characters']:,} characters"


def _share(row: dict[str, Any]) -> str:
    return f"{100 * row['from_share']:.0f} to {100 * row['to_share']:.0f} % read"


def variance(asker: Asker) -> Iterator[ReportSection]:
    """Yield how often criteria flip between epochs and between judgements; none where nothing was repeated."""
    told = (
        (
            "Between epochs: the answer varies, and the judge with it",
            "how_often_do_criteria_flip_between_epochs",
            "epochs",
        ),
        (
            "Between judgements of one draft: the judge varies",
            "how_often_do_verdicts_flip_between_judgements",
            "judgements",
        ),
    )
    tables = [
        table(
            frame,
            [*asker.keys(frame), "matters", column, "criteria", "flipped", "flip_rate", "flip_low=from",
             "flip_high=to", "differ_rate=two differ"],
            name,
            question=question,
        )
        for name, question, column in told
        if (frame := asker.ask(question)).height
    ]  # fmt: skip
    if tables:
        yield ReportSection(
            "variance", "Variance", "How often the same criterion does not come out the same.", (), tuple(tables)
        )


def checklist(asker: Asker) -> Iterator[ReportSection]:
    """Yield the scores by a reference checklist and its items; none where nobody judged by one."""
    scores, items = asker.ask("how_do_cells_score_on_the_checklist"), asker.ask("which_checklist_items_are_missed")
    if not scores.height:
        return
    of_scores = [*asker.keys(scores), "checklist", "attempts", "applicable", "unscored", "s_checklist", "s_residual",
                 "s_style", "s_gavel=S GAVEL-Ref"]  # fmt: skip
    of_items = [*asker.keys(items), "item_group=group", "item_id=item", "applicable", "score=mean score", "equal",
                "contains", "contained", "different", "left_out", "added", "recall", "precision"]  # fmt: skip
    tables: list[ReportTable] = [
        table(scores, of_scores, "Scores from 0 to 100", question="how_do_cells_score_on_the_checklist")
    ]
    lengths = asker.ask("how_does_the_checklist_score_change_with_length")
    if lengths["thousand_tokens"].n_unique() > 1:
        of_lengths = [*asker.keys(lengths), "thousand_tokens=K tokens", "matters", "attempts", "applicable", "unscored",
                      "s_checklist", "s_residual", "s_style", "s_gavel=S GAVEL-Ref"]  # fmt: skip
        asked = "how_does_the_checklist_score_change_with_length"
        tables.append(table(lengths, of_lengths, "Scores by length of the data room", question=asked))
    if items.height:
        tables.append(table(items, of_items, "Items", question="which_checklist_items_are_missed", limit=60))
    yield ReportSection(
        "checklist", "Checklist", "Work products against a reference checklist (GAVEL-Ref).", (), tuple(tables)
    )


def harnesses(asker: Asker) -> Iterator[ReportTable]:
    """Yield the gain of each cell by each harness of a study; nothing where none was compared."""
    frame = asker.ask("what_does_a_harness_bring_each_cell")
    if frame.height:
        columns = ["study", *asker.keys(frame, ("cell", "judge_profile")), "harness_before=from", "harness_after=to",
                   "surfaces", "matters", "before", "after", "gain", "better", "worse"]  # fmt: skip
        yield table(frame, columns, "What a harness brings", question="what_does_a_harness_bring_each_cell", limit=60)


def learning(asker: Asker) -> tuple[Drawn, ...]:
    """Return the climb of each learning run, how those of one study converge, and what each version rescued."""
    rows, rescued = asker.ask("how_did_the_frontier_climb"), asker.ask("which_matters_were_rescued_by_which_harness")
    runs: dict[str, Rows] = {}
    for row in rows.unique(["learn_id", "step", "edit_id"], keep="first", maintain_order=True).to_dicts():
        runs.setdefault(row["learn_id"], []).append(row)
    by_matter: dict[tuple[str, ...], Rows] = {}
    for row in asker.ask("how_did_each_matter_climb").to_dicts():
        by_matter.setdefault((row["learn_id"], row["cell"], row["judge_profile"]), []).append(row)
    by_cell: dict[tuple[str, str], Rows] = {}
    for row in rescued.to_dicts():
        by_cell.setdefault((row["cell"], row["judge_profile"]), []).append(row)
    studied: dict[str, dict[str, Rows]] = {}
    for name, told in runs.items():
        stem, _, number = name.rpartition("-")
        if stem and number.isdecimal():  # hard-10 names its runs so
            studied.setdefault(stem, {})[name] = told
    return of_some(
        [climb(f"The climb of {name}", told) for name, told in runs.items()]
        + [converging(f"How the runs of {stem} converge", told) for stem, told in studied.items()]
        + [climbs(f"Each matter of {' · '.join(who)}, harness by harness", told) for who, told in by_matter.items()]
        + [heat(f"Pass rate by version of the harness · {' · '.join(who)}", told) for who, told in by_cell.items()]
    )
