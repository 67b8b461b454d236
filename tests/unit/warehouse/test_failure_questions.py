"""Questions about why criteria failed: what happened, where, which control answers it, what fits no class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from warehouse.row import Row
from warehouse.sql import run_query

Rows = Callable[..., Any]
FAILED = (  # attempt, title, kind, outcome, class
    (0, "Reports the cap", "span", "denied", "missing_facts"),
    (0, "Reports the term", "span", "denied", "missing_facts"),
    (0, "States no cap", "absence", "asserted", "source_grounding"),
    (1, "Polite tone kept", "", "", "other"),
    (1, "Polite close", "", "", "other"),
    (1, "Reports the fee", "span", "denied", "missing_facts"),
)


@pytest.fixture
def database(warehouse_of: Rows, make_attempt: Rows, make_verdict: Rows) -> Path:
    rows: list[Row] = [
        make_attempt(0, area="tax", work_type="draft", matter_id="tax/a"),
        make_attempt(1, area="ip", work_type="draft", matter_id="ip/b"),
    ]
    for number, (attempt, title, kind, outcome, name) in enumerate(FAILED):
        said = {"title": title, "match_kind": kind, "outcome": outcome, "error_class": name}
        rows.append(make_verdict(attempt, f"C-{number}", "fail", **said))
    passed = {"outcome": "matched", "match_kind": "span", "error_class": ""}
    rows += [make_verdict(0, "C-8", "pass", **passed), make_verdict(1, "C-9", "unscored", outcome="", error_class="")]
    file: Path = warehouse_of(rows)
    return file


def told(database: Path, question: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    return run_query(database, question).select(columns).rows()


def test_what_happened_is_counted_by_kind(database: Path) -> None:
    columns = ("match_kind", "outcome", "error_class", "failed", "matters", "share")
    assert told(database, "what_happened_where_criteria_failed", columns) == [
        ("", "", "other", 2, 1, 2 / 6),
        ("absence", "asserted", "source_grounding", 1, 1, 1 / 6),
        ("span", "denied", "missing_facts", 3, 2, 3 / 6),
    ]


def test_classes_are_counted_by_area_and_work_type(database: Path) -> None:
    columns = ("unit", "name", "error_class", "failed", "matters", "share")
    assert told(database, "where_does_each_error_class_occur", columns) == [
        ("area", "ip", "other", 2, 1, 2 / 3),
        ("area", "ip", "missing_facts", 1, 1, 1 / 3),
        ("area", "tax", "missing_facts", 2, 1, 2 / 3),
        ("area", "tax", "source_grounding", 1, 1, 1 / 3),
        ("work_type", "draft", "missing_facts", 3, 2, 3 / 6),
        ("work_type", "draft", "other", 2, 1, 2 / 6),
        ("work_type", "draft", "source_grounding", 1, 1, 1 / 6),
    ]


def test_each_failure_has_its_control(database: Path) -> None:
    found = run_query(database, "which_control_would_have_caught_it").to_dicts()
    columns = ("error_class", "outcome", "failed", "failed_of_control", "share")
    assert [tuple(row[c] for c in columns) for row in found] == [
        ("missing_facts", "denied", 3, 3, 3 / 6),
        ("other", "", 2, 2, 2 / 6),
        ("source_grounding", "asserted", 1, 1, 1 / 6),
    ]
    assert [row["surface"] for row in found] == ["tools", "", "agent"]
    assert "inventory of sources" in found[0]["control"]


def test_what_fits_no_class_is_shown_with_its_words(database: Path) -> None:
    columns = ("failed", "other", "share", "word", "titles")
    assert told(database, "what_is_in_other", columns) == [
        (6, 2, 2 / 6, "polite", 2),
        (6, 2, 2 / 6, "close", 1),
        (6, 2, 2 / 6, "kept", 1),
        (6, 2, 2 / 6, "tone", 1),
    ]


def test_a_run_in_which_every_failure_fits_has_no_words(
    warehouse_of: Rows, make_attempt: Rows, make_verdict: Rows
) -> None:
    rows = [make_attempt(0), make_verdict(0, "C-1", "fail", error_class="coverage")]
    assert told(warehouse_of(rows), "what_is_in_other", ("failed", "other", "share", "word")) == [(1, 0, 0.0, None)]
