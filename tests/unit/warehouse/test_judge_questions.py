"""Which criteria may be defective: never passed by anyone, or judged now this way and now that."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.unit.warehouse.conftest import START, attempt_row, verdict_row
from warehouse.records import JudgementRow
from warehouse.row import Row
from warehouse.sql import run_query


@pytest.fixture
def asked(warehouse_of: Any) -> Any:
    def go(*rows: Row) -> list[tuple[Any, ...]]:
        found = run_query(warehouse_of([*rows]), "which_criteria_may_be_defective").to_dicts()
        return [(r["matter_id"], r["criterion_id"], r["why"], r["cells"], r["attempts"], r["flipped"]) for r in found]

    return go


def judged(number: int, statuses: dict[str, str], matter: str = "tax/one", minutes: int = 1) -> list[Row]:
    attempt = attempt_row(number, matter_id=matter, cell=f"c{number}")
    later = {"judged_utc": START + timedelta(minutes=minutes)}
    return [attempt, *(verdict_row(number, c, s, **later) for c, s in statuses.items())]


def test_a_criterion_that_three_attempts_miss_is_listed_and_one_that_two_miss_is_not(asked: Any) -> None:
    rows = [row for n in range(3) for row in judged(n, {"C-1": "fail", "C-2": "pass" if n else "fail"})]
    rows += [row for n in (3, 4) for row in judged(n, {"C-1": "fail"}, "tax/two")]
    rows += judged(5, {"C-1": "unscored"}, "tax/two")
    assert asked(*rows) == [("tax/one", "C-1", "never passes", 3, 3, 0)]


def test_a_criterion_that_flips_when_the_same_answer_is_judged_again(asked: Any) -> None:
    first = judged(0, {"C-1": "pass", "C-2": "pass", "C-3": "pass"})
    again = judged(0, {"C-1": "fail", "C-2": "pass", "C-3": "unscored"}, minutes=2)[1:]
    other = judged(1, {"C-2": "fail"})  # another answer: no flip of the judge
    assert asked(*first, *again, *other) == [("tax/one", "C-1", "flips", 1, 1, 1)]


def test_two_versions_of_a_judge_that_disagree_are_no_flip(asked: Any) -> None:
    """The rubric is not to blame where the judge was changed in between."""
    first, again = judged(0, {"C-1": "pass"}), judged(0, {"C-1": "fail"}, minutes=2)[1:]
    versions = [
        JudgementRow(attempt_id="a0", judge_profile="anchor", judged_utc=START + timedelta(minutes=at), criteria=1,
                     profile_version=version)
        for at, version in ((1, "v1"), (2, "v2"))
    ]  # fmt: skip
    assert asked(*first, *again, *versions) == []
