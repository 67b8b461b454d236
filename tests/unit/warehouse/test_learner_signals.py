"""The learner's view: what it tells of a judged attempt, and that no text which anybody wrote passes through it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from flows.runs.concluding import _formats
from tasks.learning.redaction import bucket
from tasks.matter.base import content_hash
from tasks.matter.reasons import ErrorClass, MatchKind, Outcome
from tasks.sources.readers import FORMATS
from tests.unit.warehouse.conftest import FAILURE, RUN, START, everything_about, traced_about
from warehouse.layout import create_views, recompute
from warehouse.learning_records import EditRow, HoldoutAccessRow
from warehouse.migrating import create_tables
from warehouse.parts import arrow_schema
from warehouse.records import (
    TABLES,
    ActionRow,
    AttemptKeyRow,
    ChecklistItemRow,
    ChecklistScoreRow,
    HarnessRow,
    MatterRow,
    PlanRow,
    VoteRow,
)
from warehouse.release_records import AskRow
from warehouse.row import Row
from warehouse.session_records import SessionAskRow
from warehouse.sql import ask, statement

JUDGED = {"attempt_id": "a0", "judge_profile": "anchor"}
MATTER = MatterRow(
    matter_digest="d" * 64, matter_id="tax/opinion-000", title="Opinion 0", work_type="review", n_documents=3,
    document_formats="docx pdf", deliverable_formats="docx",
)  # fmt: skip


def rows() -> list[Row]:
    """A row of every table."""
    about = everything_about(0, "ppffu", work_type="review", skill_id="other/general")
    judged = next(row for row in about if row.table == "verdict").model_dump()["judged_utc"]
    failed = {"status": "fail", "match_kind": "span", "error_class": "coverage", "outcome": "denied"}
    return [
        *(row.model_copy(update=failed) if row.model_dump().get("status") == "fail" else row for row in about),
        *traced_about(0),
        RUN,
        FAILURE,
        MATTER,
        PlanRow(run_id="r1", started_utc=START, cell="extractive", matter_id="tax/opinion-000", epoch=0, work_key="k"),
        AttemptKeyRow(attempt_id="a0", work_key="k"),
        HarnessRow(harness_version="h" * 64, surface="skills", files=2, digest="a" * 64),
        VoteRow(**JUDGED, judged_utc=judged, criterion_id="C-000", position=0, judge="small", status="pass"),
        ChecklistScoreRow(**JUDGED, judged_utc=judged, checklist="case", alpha=0.9, applicable=1, s_checklist=50.0),
        ChecklistItemRow(
            **JUDGED, judged_utc=judged, position=0, item_id="filing_date", manner="single", status="pass"
        ),
        SessionAskRow(
            room="m-0", session="s", number=1, ask_id="1", question="?", kind="fact", state="answered", words="?"
        ),
        AskRow(attempt_id="a0", position=0, ask_id="1", kind="question", state="answered", words="When?"),
        EditRow(learn_id="l", step=0, edit_id="1", surface="skills", decision="rejected", decided_utc=START),
        HoldoutAccessRow(learn_id="l", look=1, step=0, side="test", matters=1, attempts=1, read_utc=START),
    ]


def fill(con: duckdb.DuckDBPyConnection, given: list[Row]) -> None:
    """Insert rows as they stand, whatever a landing would say of them."""
    for table in TABLES:
        found = [{"part": "p", **row.model_dump()} for row in given if row.table == table]
        assert found, f"no row of {table}: what is planted must reach every table"
        columns = ["part", *arrow_schema(TABLES[table]).names]
        holes = ", ".join("?" for _ in columns)
        con.executemany(
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({holes})", [[r[c] for c in columns] for r in found]
        )


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        create_tables(opened)
        create_views(opened)
        fill(opened, rows())
        yield opened


def seen(con: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    for script in behind_the_view():
        con.execute(script)
    return ask(con, "what_the_learner_may_see").to_dicts()


@lru_cache(maxsize=1)
def behind_the_view() -> tuple[str, ...]:
    """Return the scripts of the tables that the learner's view can rest on: whatever a script names counts."""
    folder = sorted(files("warehouse").joinpath("views").iterdir(), key=lambda file: file.name)
    scripts = {file.name.partition("_")[2].partition(".")[0]: file for file in folder}
    wanted: set[str] = set()
    more = set(re.findall(r"\w+", statement("what_the_learner_may_see"))) & scripts.keys()
    while more - wanted:
        wanted |= more
        more = {
            word for name in wanted for word in re.findall(r"\w+", scripts[name].read_text("utf-8"))
        } & scripts.keys()
    assert {"learner_signals", "scored_attempts", "attempt_failures", "counted_attempts"} <= wanted
    tables = {file.name for name, file in scripts.items() if name in wanted and file.name.endswith(".table.sql")}
    return tuple(file.read_text("utf-8") for file in folder if file.name in tables)


def test_what_else_is_computed_changes_nothing_that_the_learner_sees(con: duckdb.DuckDBPyConnection) -> None:
    before = seen(con)
    recompute(con)
    assert ask(con, "what_the_learner_may_see").to_dicts() == before


def key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_it_tells_shape_ranges_counts_and_classes(con: duckdb.DuckDBPyConnection) -> None:
    assert seen(con) == [
        {
            "run_key": key("r1"), "cell_key": key("extractive"), "harness_key": key("h" * 64),
            "judge_key": key("anchor"), "judge_version_key": key(""), "matter_key": content_hash("d" * 64)[:16],
            "epoch": 0, "work_type": "review", "documents": "1-3", "document_formats": ["docx", "pdf"],
            "deliverable_formats": ["docx"], "skill_id": "other/general", "ended": "finished", "reads": "1-3",
            "tools": "none", "writes": "1-3", "others": "none", "tokens": 0, "passed": 2, "failed": 2, "unscored": 1,
            "failures": [{"match_kind": "span", "error_class": "coverage", "outcome": "denied", "n": 2}],
        }
    ]  # fmt: skip


def test_no_text_that_anybody_wrote_passes(con: duckdb.DuckDBPyConnection) -> None:
    """A canary in every text column of every table: table by table, then in all at once; in a join's column alone."""
    joins = ("attempt_id", "judge_profile", "matter_digest", "run_id", "status")  # a canary there may find no row
    texts = {
        table: [field.name for field in arrow_schema(kind) if str(field.type) == "string"]
        for table, kind in TABLES.items()
    }
    assert sum(map(len, texts.values())) > 100
    together = {table: [column for column in columns if column not in joins] for table, columns in texts.items()}
    alone = [(table, [column]) for table, columns in texts.items() for column in columns if column in joins]
    for table, columns in [*together.items(), *alone]:
        con.execute("BEGIN TRANSACTION")
        plant(con, table, columns)
        assert not re.search("canary|larkfield", repr(seen(con)), re.IGNORECASE), (table, columns)
        con.execute("ROLLBACK")
    for table, columns in together.items():
        plant(con, table, columns)
    assert len(seen(con)) == 1
    assert not re.search("canary|larkfield", repr(seen(con)), re.IGNORECASE)


def plant(con: duckdb.DuckDBPyConnection, table: str, columns: list[str]) -> None:
    told = ", ".join(f"{column} = 'CANARY {column} Larkfield'" for column in columns)
    con.execute(f"UPDATE {table} SET {told}")


def test_every_column_is_a_key_a_number_or_a_word_of_ours(con: duckdb.DuckDBPyConnection) -> None:
    """What is added to the view must be one of these kinds too."""
    (row,) = seen(con)
    words = {*ErrorClass, *MatchKind, *Outcome, "", "review", "finished", "docx", "pdf", "1-3", "none", "other/general"}

    def leaves(value: Any) -> Iterator[Any]:
        if isinstance(value, dict | list):
            for one in value.values() if isinstance(value, dict) else value:
                yield from leaves(one)
        else:
            yield value

    for name, value in row.items():
        for leaf in leaves(value):
            kept = (
                re.fullmatch("[0-9a-f]{16}", leaf) if name.endswith("_key") else isinstance(leaf, int) or leaf in words
            )
            assert kept, (name, leaf)


@pytest.mark.examples(1)
@pytest.mark.parametrize("count", [0, 1, 3, 4, 10, 11, 30, 31, 100, 101, 10**6])
def test_counts_become_the_ranges_of_the_redaction(con: duckdb.DuckDBPyConnection, count: int) -> None:
    assert con.execute("SELECT range_of(?)", [count]).fetchall() == [(bucket(count),)]


def test_the_vocabularies_are_those_of_the_stages(con: duckdb.DuckDBPyConnection) -> None:
    text = files("warehouse").joinpath("views", "26_attempt_failures.table.sql").read_text("utf-8")
    for word in {*ErrorClass, *MatchKind, *Outcome}:
        assert f"'{word}'" in text, word
    known = sorted(suffix for form in FORMATS.values() for suffix in form.suffixes)
    given = _formats([*known, ".Larkfield", ""])
    assert con.execute("SELECT formats_of(?)", [" ".join(given)]).fetchall() == [(list(given),)]
    assert con.execute("SELECT formats_of('pdf Larkfield')").fetchall() == [(["other", "pdf"],)]


def test_actions_of_every_bucket_are_counted(con: duckdb.DuckDBPyConnection) -> None:
    more = [ActionRow(attempt_id="a0", position=9 + n, tool="x", bucket="tool") for n in range(5)]
    for row in more:
        con.execute(
            "INSERT INTO action BY NAME SELECT 'p' AS part, ? AS attempt_id, 1 AS schema_version, ? AS position, "
            "0 AS turn, 'x' AS tool, 'tool' AS bucket, false AS failed, '' AS arguments, '' AS result_preview",
            [row.attempt_id, row.position],
        )
    assert (seen(con)[0]["tools"], seen(con)[0]["reads"]) == ("4-10", "1-3")


def test_the_question_is_asked_by_name(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    assert "learner_signals" in statement("what_the_learner_may_see")
    recompute(con)
    assert isinstance(ask(con, "what_the_learner_may_see"), pl.DataFrame)
