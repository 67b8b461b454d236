"""The learner's signals as rows of the warehouse tell them."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from flows.runs.signals import key_of, signal_of, signals_of
from tasks.matter.failures import SolonError
from tasks.matter.reasons import Reason

ROW = {
    "work_type": "review", "documents": "1-3", "document_formats": ["docx", "other"], "deliverable_formats": ["docx"],
    "skill_id": "other/general", "reads": "4-10", "tools": "none", "writes": "1-3", "others": "none", "passed": 3,
    "failed": 3, "unscored": 1,
    "failures": [
        {"match_kind": "span", "error_class": "coverage", "outcome": "", "n": 2},
        {"match_kind": "", "error_class": "numbers_dates", "outcome": "", "n": 1},
    ],
}  # fmt: skip


def test_a_row_is_a_signal():
    told = signal_of(ROW)
    assert told.reasons == {Reason.WORDS_NOT_CONVEYED: 2, Reason.FIGURE_WRONG: 1}
    assert told.document_formats == (".docx", "other")
    assert told.tool_uses == {"read": "4-10", "tool": "none", "write": "1-3", "other": "none"}
    assert (told.passed, told.failed, told.unscored, told.final_message) == (3, 3, 1, "")


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """A warehouse in which two runs, two epochs and two judges tell of two matters each."""
    path = tmp_path / "warehouse.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(
            "CREATE TABLE learner_signals AS SELECT r.* , e AS epoch, m AS matter_key, 'review' AS work_type, "
            "'1-3' AS documents, ['docx'] AS document_formats, ['docx'] AS deliverable_formats, 's' AS skill_id, "
            "'none' AS reads, 'none' AS tools, 'none' AS writes, 'none' AS others, e AS passed, 0 AS failed, "
            "0 AS unscored, "
            "[]::STRUCT(match_kind VARCHAR, error_class VARCHAR, outcome VARCHAR, n BIGINT)[] AS failures "
            "FROM (VALUES (?, ?, ?), (?, ?, ?), (?, ?, ?)) AS r(run_key, cell_key, judge_key), "
            "(VALUES (1), (2)) AS es(e), (VALUES ('a'), ('b')) AS ms(m)",
            [key_of(said) for said in ("l-1", "c", "anchor", "l-2", "c", "anchor", "l-1", "c", "other")],
        )
    return path


def test_the_attempts_of_a_step_are_found_by_their_keys(published: Path) -> None:
    assert [s.passed for _, s in signals_of(published, "l-1", "c", "anchor", {"a", "b"}, (1, 2))] == [1, 1, 2, 2]
    assert [s.passed for _, s in signals_of(published, "l-1", "c", "anchor", {"b", "z"}, (2,))] == [2]


def test_attempts_that_did_not_land_are_no_failures_of_nothing(published: Path) -> None:
    for asked in (("l-3", "c"), ("l-1", "d")):
        with pytest.raises(SolonError, match="tells nothing of the attempts"):
            signals_of(published, *asked, "anchor", {"a"}, (1,))
