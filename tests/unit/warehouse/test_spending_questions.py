"""What was spent, by role: the rows of an attempt add up to what it used, whoever asked on its behalf."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.warehouse.conftest import attempt_row
from warehouse.sql import run_query
from warehouse.trace_records import CallRow, MeasureRow

USED: dict[str, Any] = {"input_uncached": 1000, "cache_read": 400, "cache_write": 8, "output": 90, "calls": 6}


def call(position: int, role: str, profile: str = "m", **usage: Any) -> CallRow:
    told = {"attempt_id": "a0", "position": position, "kind": "chat", "sha256": f"{position:064d}", "calls": 1}
    return CallRow.model_validate({**told, "role": role, "profile": profile, "cost_source": "priced", **usage})


@pytest.fixture
def told(warehouse_of: Any) -> list[dict[str, Any]]:
    rows = [
        attempt_row(0, cell="interrogator:m", profile="m", cost_usd=1.0, cost_source="priced", **USED),
        attempt_row(1, cell="interrogator:m", profile="m", input_uncached=7, calls=1, cost_source="priced"),
        call(0, "solver", input_uncached=100),
        call(1, "interrogator", input_uncached=300, cache_read=100, output=20, cost_usd=0.3),
        call(2, "interrogator", input_uncached=200, output=10, cost_usd=0.2),
        call(3, "chooser", "small", input_uncached=50, output=5, cost_source="none"),
        MeasureRow(attempt_id="a0", trace_format="lab", words=0, actions=0, lookups=0, tool_errors=0, first_read_turn=0,
                   first_write_turn=0, audited_before_finishing=False, documents=0, documents_opened=0, characters=0,
                   served=0, cached_reads_usd=0.4),
    ]  # fmt: skip
    return run_query(warehouse_of(rows), "what_did_it_cost").to_dicts()


def test_each_role_has_its_tokens_in_disjoint_columns(told: list[dict[str, Any]]) -> None:
    shown = [
        (r["role"], r["profile"], r["attempts"], r["calls"], r["input_uncached"], r["cache_read"], r["output"])
        for r in told
    ]
    assert shown == [
        ("chooser", "small", 1, 1, 50, 0, 5),
        ("interrogator", "m", 1, 2, 500, 100, 30),
        ("solver", "m", 2, 4, 457, 300, 55),
    ]
    assert [r["without_price"] for r in told] == [1, 0, 0]


def test_the_roles_add_up_to_the_attempts(told: list[dict[str, Any]]) -> None:
    for column, of_attempts in {**USED, "input_uncached": 1007, "calls": 7, "cost_usd": 1.0}.items():
        assert sum(r[column] for r in told) == pytest.approx(of_attempts), column
    assert sum(r["tokens"] for r in told) == 1007 + 400 + 8 + 90
    free = {r["role"]: r["cost_cached_free_usd"] for r in told}
    assert free == {"chooser": 0.0, "interrogator": pytest.approx(0.5 - 0.1), "solver": pytest.approx(0.5 - 0.3)}
