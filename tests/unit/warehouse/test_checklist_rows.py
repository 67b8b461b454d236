"""Scores by a reference checklist in the warehouse: they land with their items, and are reckoned anew there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.unit.warehouse.conftest import RUN, START, everything_about
from warehouse.checklist_records import ChecklistItemRow, ChecklistScoreRow
from warehouse.expectations.suites import check_all
from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.row import Row

OWNER = {"attempt_id": "a0", "judge_profile": "checklist+model:one", "judged_utc": START}


def scored(**changes: object) -> list[Row]:
    """Four items: equal, a part, 2 of 3 on both sides, and one that was not compared; (1 + 0.5 + 2/3) / 3 = 72.22."""
    facts = {
        "checklist": "case",
        "alpha": 0.9,
        "applicable": 4,
        "unscored": 1,
        "s_checklist": 100 * (1 + 0.5 + 2 / 3) / 3,
    }
    more = {"s_residual": 40.0, "s_style": 70.0, "residual_ratio": 0.2}
    whole = 0.8 * 0.9 * facts["s_checklist"] + 0.2 * 0.9 * 40 + 0.1 * 70  # type: ignore[operator]
    items = [
        {
            "item_id": "filing_date",
            "manner": "single",
            "status": "pass",
            "relation": "equal",
            "matched": 1,
            "score": 1.0,
        },
        {"item_id": "judge_name", "manner": "single", "status": "fail", "relation": "contained", "score": 0.5},
        {"item_id": "parties", "manner": "list", "status": "fail", "matched": 2, "score": 2 / 3},
        {"item_id": "appeals", "manner": "single", "status": "unscored"},
    ]
    values = {"single": 1, "list": 3}
    rows: list[Row] = [ChecklistScoreRow.model_validate({**OWNER, **facts, **more, "s_gavel": whole, **changes})]
    for position, item in enumerate(items):
        n = values[str(item["manner"])]
        told = {**OWNER, "position": position, "reference_values": n, "candidate_values": n, **item}
        rows.append(ChecklistItemRow.model_validate(told))
    return rows


@pytest.fixture(scope="module")
def landed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("landed")
    write_parts(folder / "parts", [RUN, *everything_about(0), *scored()])
    result = land(folder / "parts", folder / "solon.duckdb")
    assert result.published, result.lines()
    assert not result.quarantined
    return folder / "solon.duckdb"


@pytest.fixture
def warehouse(landed: Path, tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(shutil.copy(landed, tmp_path))) as con:
        yield con


@pytest.mark.slow
def test_scores_land_with_their_items(warehouse: duckdb.DuckDBPyConnection) -> None:
    (row,) = warehouse.execute(
        "SELECT round(s.s_checklist, 2), round(100 * avg(i.score), 2), count(*) "
        "FROM checklist_score s JOIN checklist_item i USING (attempt_id, judge_profile, judged_utc) GROUP BY ALL"
    ).fetchall()
    assert row == (72.22, 72.22, 4)
    assert check_all(warehouse, ["checklist_score", "checklist_item"]) == ()


BREAKS = [
    ("checklist_score", "UPDATE checklist_score SET s_checklist = 99", "is the mean of its items"),
    ("checklist_score", "UPDATE checklist_score SET s_checklist = NULL", "is the mean of its items"),
    ("checklist_score", "UPDATE checklist_score SET s_gavel = 99", "as equation 2 does"),
    ("checklist_score", "UPDATE checklist_score SET s_style = NULL", "as equation 2 does"),
    ("checklist_score", "DELETE FROM checklist_item WHERE item_id = 'appeals'", "landed with it"),
    ("checklist_score", "UPDATE checklist_score SET unscored = 0", "landed with it"),
    ("checklist_score", "INSERT INTO checklist_score SELECT * FROM checklist_score", "one row of checklist scores"),
    ("checklist_score", "DELETE FROM attempt", "belong to an attempt that landed"),
    ("checklist_item", "UPDATE checklist_item SET score = 0.9 WHERE manner = 'list'", "the F1 of its matches"),
    ("checklist_item", "UPDATE checklist_item SET score = NULL WHERE item_id = 'parties'", "unless it is unscored"),
    ("checklist_item", "UPDATE checklist_item SET matched = 4", "matches one value at most"),
    (
        "checklist_item",
        "UPDATE checklist_item SET reference_values = 0, candidate_values = 0, matched = 0",
        "not counted",
    ),
    (
        "checklist_item",
        "INSERT INTO checklist_item SELECT * FROM checklist_item",
        "compares an item of a checklist once",
    ),
    ("checklist_item", "DELETE FROM attempt", "belongs to an attempt that landed"),
]


@pytest.mark.examples(7)
@pytest.mark.parametrize(("suite", "damage", "told"), BREAKS, ids=[f"{suite}: {told}" for suite, _, told in BREAKS])
def test_damage_is_told(warehouse: duckdb.DuckDBPyConnection, suite: str, damage: str, told: str) -> None:
    warehouse.execute(damage)
    lines = [v.line() for v in check_all(warehouse, [suite])]
    assert any(told in line for line in lines), lines


@pytest.mark.parametrize(
    "weights",
    [
        "alpha = 1, s_style = NULL, s_gavel = 0.8 * s_checklist + 0.2 * s_residual",
        "residual_ratio = 0, s_residual = NULL, s_gavel = 0.9 * s_checklist + 0.1 * s_style",
        "residual_ratio = NULL, s_residual = NULL, s_style = NULL, s_gavel = NULL",
    ],
)
def test_a_part_without_weight_may_be_missing(warehouse: duckdb.DuckDBPyConnection, weights: str) -> None:
    warehouse.execute(f"UPDATE checklist_score SET {weights}")
    assert check_all(warehouse, ["checklist_score"]) == ()
