"""The tables and figures of the Parthenon paper, recomputed by the views from the paper's own counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.unit.warehouse.bulk import Bulk
from warehouse.sql import run_query

MATTERS, PASSED, FAILED, IN_FULL = 1_251, 59_819, 15_171, 47
CLASSES = {  # table 13
    "numbers_dates": 2_508, "missing_facts": 3_497, "deliverable_format": 1_283, "legal_rule_use": 1_464,
    "coverage": 935, "other": 3_720, "remedial_action": 513, "materiality_impact": 623, "source_grounding": 610,
    "cross_doc_synthesis": 18,
}  # fmt: skip
AREAS = (
    "antitrust-competition", "banking-finance", "bankruptcy-restructuring", "capital-markets", "corporate-governance",
    "corporate-ma", "data-privacy-cybersecurity", "emerging-companies-venture-capital", "employment-labor",
    "energy-natural-resources", "environmental-esg", "funds-asset-management", "healthcare-life-sciences",
    "immigration", "insurance", "intellectual-property", "international-arbitration-dispute-resolution",
    "international-trade-sanctions", "litigation-dispute-resolution", "real-estate",
    "structured-finance-securitization", "tax", "trusts-estates-private-client", "white-collar-defense-investigations",
)  # fmt: skip


def lab(folder: Path) -> Path:
    """Codex with GPT-5.5 on all of LAB: 1,251 matters, of which 47 pass in full, and 74,990 criteria."""
    made = Bulk(folder)
    listed = ", ".join(f"'{area}'" for area in AREAS)
    cell = "'lab' AS run_id, 'codex:gpt-5.5' AS cell, 'codex' AS runtime, 'finished' AS outcome"
    made.insert(
        "attempt",
        f"SELECT {cell}, 'a' || m AS attempt_id, area, area || '/matter-' || m AS matter_id, 1 AS epoch, "
        "TIMESTAMP '2026-05-20' AS started_utc, TIMESTAMP '2026-05-20' AS ended_utc, 626.0 AS seconds, "
        "0.81 AS cost_usd, 'priced' AS cost_source, 1 AS calls, 1200 AS words "
        f"FROM (SELECT range AS m, [{listed}][1 + range % {len(AREAS)}] AS area FROM range({MATTERS}))",
    )
    # The failures go round over the matters that do not pass in full; so does each error class over the failures.
    bounds = [sum([*CLASSES.values()][: n + 1]) for n in range(len(CLASSES))]
    named = " ".join(f"WHEN n < {bound} THEN '{name}'" for name, bound in zip(CLASSES, bounds, strict=True))
    made.insert(
        "verdict",
        f"WITH told AS (SELECT range AS n, range < {FAILED} AS is_fail FROM range({PASSED + FAILED})) "
        "SELECT 'a' || CASE WHEN is_fail THEN "
        f"{IN_FULL} + n % {MATTERS - IN_FULL} ELSE n % {MATTERS} END AS attempt_id, 'C-' || n AS criterion_id, "
        "CASE WHEN is_fail THEN 'fail' ELSE 'pass' END AS status, 'lab' AS judge_profile, "
        f"TIMESTAMP '2026-05-21' AS judged_utc, CASE {named} ELSE '' END AS error_class FROM told",
    )
    made.insert(
        "action",
        "SELECT 'a' || m AS attempt_id, p AS position, "
        "CASE p WHEN 8 THEN 'tool' WHEN 9 THEN 'write' ELSE 'read' END AS bucket "
        f"FROM range({MATTERS}) AS matters (m), range(10) AS positions (p) WHERE m % 2 = 0",
    )
    return made.close()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lab(tmp_path_factory.mktemp("lab"))


def rows(database: Path, question: str) -> list[dict[str, Any]]:
    return run_query(database, question).to_dicts()


@pytest.mark.slow
def test_table_8_comes_out_of_its_own_counts(database: Path) -> None:
    """59,819 passed and 15,171 failed are 79.8 % of 74,990; 47 of 1,251 matters are 3.76 %."""
    (cell,) = rows(database, "how_many_matters_passed_in_full")
    assert (cell["matters"], cell["attempts"], cell["passed"], cell["failed"]) == (MATTERS, MATTERS, PASSED, FAILED)
    assert round(100 * cell["pooled_pass"], 1) == 79.8
    assert cell["all_pass_matters"] == pytest.approx(IN_FULL)
    assert round(100 * cell["all_pass"], 2) == 3.76
    (same,) = rows(database, "how_did_each_cell_do")
    assert (same["pooled_pass"], same["all_pass"]) == (cell["pooled_pass"], pytest.approx(cell["all_pass"]))


def test_table_13_comes_out_of_its_own_counts(database: Path) -> None:
    found = {row["error_class"]: row for row in rows(database, "which_control_answers_each_error_class")}
    assert {name: row["failed"] for name, row in found.items()} == CLASSES
    shares = {name: round(100 * row["share"], 1) for name, row in found.items()}
    assert (shares["numbers_dates"], shares["missing_facts"], shares["other"]) == (16.5, 23.1, 24.5)
    assert [*found] == [*CLASSES], "in the paper's order"
    assert all(row["control"] and row["failure_unit"] for row in found.values())
    assert {row["surface"] for row in found.values()} == {"tools", "knowledge", "skills", "agent", ""}


def test_table_5_is_a_share_of_all_criteria(database: Path) -> None:
    found = {row["error_class"]: row for row in rows(database, "what_share_of_all_criteria_failed_and_why")}
    told = {name: round(100 * row["share_of_all"], 1) for name, row in found.items()}
    assert (told["missing_facts"], told["numbers_dates"], told["legal_rule_use"], told["other"]) == (4.7, 3.3, 2.0, 5.0)
    assert told["total"] == 20.2
    assert sum(row["failed"] for name, row in found.items() if name != "total") == found["total"]["failed"] == FAILED
    assert {row["criteria"] for row in found.values()} == {PASSED + FAILED}


def test_table_7_has_the_papers_hours_and_dollars(database: Path) -> None:
    found = {row["practice_area"]: row for row in rows(database, "what_would_a_lawyer_have_needed")}
    assert len(found) == len(AREAS) + 1, "every area of LAB is known by its folder"
    for area, hours, usd in (("Tax", 10, 3_490), ("Immigration", 3, 1_047), ("Corporate M&A", 20, 6_980)):
        assert (found[area]["human_hours"], found[area]["human_usd"]) == (hours, usd)
    mean = found["mean of areas"]
    assert round(mean["human_hours"], 1) == 12.6
    assert mean["human_usd"] == pytest.approx(4_399, rel=0.002)
    assert mean["times_faster"] == pytest.approx(72, abs=1)  # the paper: on the order of 70
    assert mean["times_cheaper"] == pytest.approx(4_391 / 0.81, rel=0.01)
    assert mean["human_standard"] == 1.0


def test_an_area_that_nobody_listed_has_no_hours(tmp_path: Path) -> None:
    made = Bulk(tmp_path)
    made.insert(
        "attempt",
        "SELECT 'r' AS run_id, 'c' AS cell, 'a' AS attempt_id, 'cuad/x' AS matter_id, 'cuad' AS area, "
        "'finished' AS outcome, TIMESTAMP '2026-01-01' AS started_utc, TIMESTAMP '2026-01-01' AS ended_utc",
    )
    (row,) = rows(made.close(), "what_would_a_lawyer_have_needed")
    assert (row["area"], row["practice_area"], row["human_hours"], row["human_standard"]) == ("cuad", None, None, None)


def test_table_4_and_figure_4_are_two_views_of_the_same_rates(database: Path) -> None:
    table = rows(database, "how_does_each_area_do_under_each_cell")
    assert (table[0]["area"], round(100 * table[0]["pooled_pass"], 1)) == ("all areas", 79.8)
    assert [row["area"] for row in table[1:]] == sorted(AREAS)
    assert sum(row["passed"] for row in table[1:]) == PASSED
    figure = rows(database, "how_often_does_each_area_fail")
    assert {r["area"]: r["error_rate"] for r in figure} == {
        r["area"]: pytest.approx(1 - r["pooled_pass"]) for r in table[1:]
    }
    assert [r["error_rate"] for r in figure] == sorted((r["error_rate"] for r in figure), reverse=True)


def test_table_6_is_a_mean_over_all_matters_with_or_without_actions(database: Path) -> None:
    (row,) = rows(database, "what_kinds_of_action_did_a_matter_take")
    half = 626 / MATTERS
    assert (row["reads"], row["tools"], row["writes"]) == (
        pytest.approx(8 * half), pytest.approx(half), pytest.approx(half),
    )  # fmt: skip
    assert row["actions"] == pytest.approx(row["reads"] + row["tools"] + row["writes"] + row["others"])


@pytest.mark.parametrize(
    ("question", "column", "value"),
    [
        ("how_many_actions_did_each_area_take", "actions", 5.0),
        ("how_long_were_the_drafts_of_each_area", "words", 1_200.0),
        ("how_long_were_the_trajectories_of_each_area", "trace_words", None),
        ("what_did_a_matter_of_each_area_cost", "cost_cached_free_usd", 0.81),
    ],
)
def test_figures_5_to_8_are_means_a_matter_by_area(
    database: Path, question: str, column: str, value: float | None
) -> None:
    told = rows(database, question)
    assert [row["area"] for row in told] == sorted(AREAS)
    if value is None:
        assert {row[column] for row in told} == {None}, "what was not measured is not told"
    else:
        weighted = sum(row[column] * row["attempts"] for row in told) / MATTERS
        assert weighted == pytest.approx(value, rel=0.01)
