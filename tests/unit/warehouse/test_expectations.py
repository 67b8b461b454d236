"""What must hold before a publish, and that nothing is published when it does not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tasks.drafting.mechanisms.records import Moment
from tests.unit.warehouse.conftest import FAILURE, RUN, START, everything_about, traced_about
from warehouse.expectations.counting import count_broken
from warehouse.expectations.suites import check_all, check_published, open_batches, suite_names
from warehouse.intake import Part
from warehouse.land import land
from warehouse.layout import create_views
from warehouse.loading import load_table
from warehouse.migrating import create_tables
from warehouse.parts import write_parts
from warehouse.records import TABLES, AttemptKeyRow, PlanRow
from warehouse.row import Row

ROOT = Path(__file__).resolve().parents[3]
Everything = Callable[..., list[Row]]


PLANNED = [
    PlanRow(run_id="r1", started_utc=START, cell="extractive", matter_id="tax/opinion-000", epoch=0, work_key="k0"),
    AttemptKeyRow(attempt_id="a0", work_key="k0"),
]


def test_every_table_has_a_suite() -> None:
    assert set(TABLES) <= set(suite_names())


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a warehouse in which everything is as it should be."""
    folder = tmp_path_factory.mktemp("filled")
    rows = [RUN, FAILURE, *PLANNED, *everything_about(0), *everything_about(1, "pfu"), *traced_about(0)]
    with duckdb.connect(str(folder / "w.duckdb")) as con:
        create_tables(con)
        for path in sorted(write_parts(folder, rows), key=lambda p: list(TABLES).index(p.parent.name)):
            table = path.parent.name
            assert not load_table(con, table, [Part(f"{table}/{path.name}", table, path)])
        create_views(con)
    return folder / "w.duckdb"


@pytest.fixture
def warehouse(filled: Path, tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A copy of it, open to be damaged."""
    with duckdb.connect(str(shutil.copy(filled, tmp_path))) as con:
        yield con


def test_a_good_warehouse_fails_nothing(warehouse: duckdb.DuckDBPyConnection) -> None:
    assert check_all(warehouse) == ()


def test_an_empty_warehouse_fails_nothing() -> None:
    with duckdb.connect() as con:
        create_tables(con)
        create_views(con)
        assert check_all(con) == ()


def test_a_suite_of_a_table_looks_at_its_rows_alone(warehouse: duckdb.DuckDBPyConnection) -> None:
    """A landing leaves out the suites of empty tables: whatever lies in others, they have nothing to look at."""
    for name in TABLES:
        kept = warehouse.execute(f"CREATE OR REPLACE TEMP TABLE kept AS SELECT * FROM {name}")
        warehouse.execute(f"DELETE FROM {name}")
        seen = files("warehouse").joinpath("expectations", f"{name}.sql").read_text("utf-8")
        assert warehouse.execute(f"SELECT count(*) FROM ({seen})").fetchall() == [(0,)], name
        kept.execute(f"INSERT INTO {name} SELECT * FROM kept")


BREAKS = [
    ("verdict", "UPDATE verdict SET status = 'maybe' WHERE criterion_id = 'C-000'", "a verdict is pass, fail"),
    ("verdict", "UPDATE verdict SET cause = '' WHERE status = 'unscored'", "an unscored criterion names its cause"),
    ("verdict", "UPDATE verdict SET error_class = 'other' WHERE status = 'pass'", "only a failed criterion has an"),
    ("verdict", "UPDATE verdict SET error_class = 'vibe' WHERE status = 'fail'", "an error class is one of the ten"),
    ("verdict", "INSERT INTO verdict SELECT * FROM verdict LIMIT 1", "one verdict a criterion"),
    ("verdict", "DELETE FROM attempt WHERE attempt_id = 'a0'", "a verdict belongs to an attempt that landed"),
    ("verdict", "UPDATE verdict SET match_kind = 'vibe'", "an anchor is a date"),
    ("attempt", "UPDATE attempt SET output = -1", "tokens are never negative: output"),
    ("attempt", "UPDATE attempt SET cost_usd = 'NaN'", "numbers are finite"),
    ("attempt", "UPDATE attempt SET cost_usd = 'inf', cost_source = 'priced'", "cost is a finite amount"),
    ("attempt", "UPDATE attempt SET cost_usd = 1", "a cost has a source"),
    ("attempt", "UPDATE attempt SET outcome = 'failed'", "a failed attempt names its cause"),
    ("attempt", "UPDATE attempt SET ended_utc = started_utc - INTERVAL 1 DAY", "an attempt ends after it starts"),
    ("attempt", "UPDATE attempt SET attempt_id = 'a0'", "an attempt lands once"),
    ("attempt", "UPDATE attempt SET release_status = 'shipped'", "a release is released"),
    ("gate", "UPDATE gate SET verified = checked + 1", "no more is verified than was checked"),
    ("gate", "UPDATE gate SET gate = 'Vibe?'", "a gate has the name of a check"),
    ("finding", "UPDATE finding SET start_char = 9, end_char = 3", "a span starts before it ends"),
    ("coverage", "UPDATE coverage SET status = 'skimmed'", "a document was read"),
    ("action", "UPDATE action SET bucket = 'pondering'", "an action reads, runs a tool, writes"),
    ("action", "UPDATE action SET position = 0", "actions of an attempt are numbered"),
    ("spend", "UPDATE spend SET role = 'thief'", "a solver, a judge or a proposer spends"),
    ("failure", "UPDATE failure SET cause = 'bad luck'", "a failure has a cause of the one vocabulary"),
    ("plan", "INSERT INTO plan SELECT * FROM plan", "a start plans a matter, cell and epoch once"),
    ("attempt_key", "INSERT INTO attempt_key SELECT * FROM attempt_key", "an attempt has one work key"),
    ("attempt_key", "DELETE FROM attempt WHERE attempt_id = 'a0'", "a work key belongs to an attempt that landed"),
    ("run", "INSERT INTO run SELECT * FROM run", "one row a start of a run"),
    ("trajectory_measure", "UPDATE trajectory_measure SET served = characters + 1", "what was served is a part"),
    ("trajectory_measure", "UPDATE trajectory_measure SET documents_opened = 9", "documents opened are documents of"),
    ("trajectory_measure", "UPDATE trajectory_measure SET first_write_turn = 0", "who audited a draft wrote one"),
    ("trajectory_measure", "UPDATE trajectory_measure SET cached_reads_usd = 9", "cached reads are a part of the cost"),
    ("document_served", "UPDATE document_served SET served = 9999", "what was served is a part of the document"),
    ("mandatory_tool", "UPDATE mandatory_tool SET tool = 'x'", "a mandatory tool is counted once an attempt"),
    ("trace_defect", "UPDATE trace_defect SET by_construction = true", "only a missing revision or citation gate"),
    ("trace_defect", "UPDATE trace_defect SET defect = 'D8' WHERE defect = 'D2'", "there are seven defects"),
    ("mechanism_firing", "UPDATE mechanism_firing SET moment = 'never'", "a mechanism acts at one of six moments"),
    ("message_sent", "UPDATE message_sent SET sha256 = 'The cap is'", "by its hash and never by its words"),
    ("rescoring_message", "UPDATE rescoring_message SET sha256 = 'The cap is'", "by its hash and never by its words"),
    ("rescoring_message", "DELETE FROM judgement WHERE attempt_id = 'a0'", "belongs to a judgement that landed"),
    ("model_call", "UPDATE model_call SET sha256 = 'The cap is'", "by its hash and never by its words"),
    ("model_call", "UPDATE model_call SET kind = 'pondering'", "a model chats, embeds or ranks"),
    ("model_call", "INSERT INTO model_call SELECT * FROM model_call", "model calls of an attempt are numbered"),
    ("model_call", "DELETE FROM attempt WHERE attempt_id = 'a0'", "a model call belongs to an attempt that landed"),
    ("flow_check", "UPDATE flow_check SET leaked = 1", "a leak is a violation"),
    ("flow_check", "UPDATE flow_check SET status = 'violated'", "a violation is told and nothing else is"),
    ("flow_check", "DELETE FROM attempt WHERE attempt_id = 'a0'", "a check belongs to an attempt that landed"),
    ("scores", "CREATE OR REPLACE TABLE cells AS SELECT * REPLACE (1.2 AS pooled_pass) FROM cells_", "is a rate"),
    ("scores", "CREATE OR REPLACE TABLE cells AS SELECT * REPLACE (passed + 1 AS passed) FROM cells_", "add up"),
]  # fmt: skip


@pytest.mark.examples(4)
@pytest.mark.parametrize(("suite", "damage", "told"), BREAKS, ids=[told for *_, told in BREAKS])
def test_damage_is_told(warehouse: duckdb.DuckDBPyConnection, suite: str, damage: str, told: str) -> None:
    if suite == "scores":
        warehouse.execute("CREATE TABLE cells_ AS SELECT * FROM cells")
    warehouse.execute(damage)
    lines = [v.line() for v in check_all(warehouse, [suite])]
    assert any(told in line for line in lines), lines


def test_a_sum_of_which_some_calls_had_no_price_lands(warehouse: duckdb.DuckDBPyConnection) -> None:
    """A fallback without a price answered some of the calls: what the others cost is known, and not that it is all."""
    warehouse.execute("UPDATE attempt SET cost_usd = 1, cost_source = 'none', calls = 2")
    assert check_all(warehouse, ["attempt"]) == ()


def test_a_gate_that_is_added_lands_with_its_findings(warehouse: duckdb.DuckDBPyConnection) -> None:
    """The gates are registered in one place, and that is not the warehouse."""
    warehouse.execute("UPDATE gate SET gate = 'planted'")
    warehouse.execute("UPDATE finding SET gate = 'planted'")
    assert check_all(warehouse, ["gate", "finding"]) == ()


def test_a_verdict_of_two_judges_one_without_a_price_lands(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Its share of the priced judge's call may be no whole call; the other judge's call has no price."""
    warehouse.execute("UPDATE verdict SET cost_usd = 0.1, cost_source = 'none', calls = 1")
    assert check_all(warehouse, ["verdict"]) == ()
    warehouse.execute("UPDATE verdict SET calls = 0")
    assert any("a cost has a source" in v.line() for v in check_all(warehouse, ["verdict"]))


def spoil(parts: Path, table: str, column: str, value: Any) -> Path:
    """Write a part that has the right shape and the wrong content, as a buggy or hostile writer would."""
    path = next((parts / table).glob("*.parquet"))
    good = pq.read_table(path)
    position = good.column_names.index(column)
    spoiled = good.set_column(
        position, good.schema.field(column), pa.array([value] * len(good), good.schema.types[position])
    )
    path.unlink()
    bad = path.with_name("spoiled.parquet")
    pq.write_table(spoiled, bad)
    return bad


@pytest.mark.slow
def test_only_the_part_that_breaks_an_expectation_is_kept_out(tmp_path: Path, everything: Everything) -> None:
    parts, database = tmp_path / "parts", tmp_path / "w.duckdb"
    write_parts(parts, [*everything(0), *everything(1)])
    write_parts(tmp_path / "other", everything(2))
    spoil(tmp_path / "other", "attempt", "ended_utc", datetime(2001, 1, 1))
    write_parts(tmp_path / "third", everything(3))
    spoil(tmp_path / "third", "verdict", "match_kind", "vibe").rename(tmp_path / "third" / "verdict" / "vibe.parquet")
    for path in [*(tmp_path / "other").rglob("*.parquet"), *(tmp_path / "third").rglob("*.parquet")]:
        path.rename(parts / path.parent.name / path.name)

    result = land(parts, database)
    assert result.published
    assert result.violations == ()
    told = {q.part: q.message for q in result.quarantined}
    assert set(told) == {"attempt/spoiled.parquet", "verdict/vibe.parquet"}
    assert "an attempt ends after it starts" in told["attempt/spoiled.parquet"]
    assert "an anchor is a date" in told["verdict/vibe.parquet"]
    assert len(result.waiting) == 6  # the rest of the attempt that was kept out waits for it
    with duckdb.connect(str(database), read_only=True) as con:
        assert con.execute("SELECT attempt_id FROM attempt ORDER BY 1").fetchall() == [("a0",), ("a1",), ("a3",)]
        assert con.execute("SELECT count(*) FROM verdict").fetchall() == [(6,)]
        assert con.execute("SELECT part FROM quarantine ORDER BY 1").fetchall() == [(p,) for p in sorted(told)]
    assert (parts / "attempt" / "spoiled.parquet").exists()  # the rows stay in their part

    (parts / "attempt" / "spoiled.parquet").unlink()
    write_parts(parts, everything(2))
    assert land(parts, database).waiting == ()


@pytest.mark.slow
def test_what_no_new_part_is_to_blame_for_blocks_the_publish(tmp_path: Path, everything: Everything) -> None:
    parts, database = tmp_path / "parts", tmp_path / "w.duckdb"
    write_parts(parts, everything(0))
    assert land(parts, database).published
    with duckdb.connect(str(database)) as con:
        con.execute("UPDATE attempt SET ended_utc = started_utc - INTERVAL 1 DAY")
    before = database.read_bytes()
    write_parts(parts, everything(1))

    result = land(parts, database)
    assert not result.published
    assert result.landed == {}
    assert database.read_bytes() == before
    told = [line for line in result.lines() if line.startswith("NOT PUBLISHED")]
    assert len(told) == 1
    assert "an attempt ends after it starts" in told[0]
    assert "from attempt/" in told[0]
    assert "move the warehouse file away" in result.lines()[-1]

    database.unlink()
    assert land(parts, database).published


@pytest.mark.slow
def test_great_expectations_finds_what_is_broken_in_a_published_warehouse(filled: Path, tmp_path: Path) -> None:
    published = Path(shutil.copy(filled, tmp_path))
    with duckdb.connect(str(published)) as con:
        con.execute("UPDATE verdict SET match_kind = 'vibe' WHERE attempt_id = 'a0'")
    (violation,) = check_published(published)
    assert violation.suite == "verdict"
    assert violation.examples[0] == "vibe"
    assert len(violation.parts) == 1


COUNTED_BY_BOTH = [
    {"kind": "ExpectColumnValuesToBeInSet", "column": "word", "value_set": ["a", "b"]},
    {"kind": "ExpectColumnValuesToBeInSet", "column": "word", "value_set": ["a"], "mostly": 0.5},
    {"kind": "ExpectColumnValuesToBeInSet", "column": "word", "value_set": ["a"], "mostly": 0.6},
    {"kind": "ExpectColumnValuesToBeBetween", "column": "number", "min_value": 0, "max_value": 2},
    {"kind": "ExpectColumnValuesToBeBetween", "column": "number", "min_value": 1.5},
    {"kind": "ExpectColumnValuesToMatchRegex", "column": "word", "regex": "^[ab]"},
    {"kind": "ExpectColumnValuesToBeUnique", "column": "word"},
    {"kind": "ExpectCompoundColumnsToBeUnique", "column_list": ["word", "number"]},
]


@pytest.mark.examples(2)
@pytest.mark.parametrize("wish", COUNTED_BY_BOTH, ids=lambda wish: f"{wish['kind']}-{wish.get('mostly', '')}")
def test_the_database_finds_what_great_expectations_would(wish: dict[str, Any]) -> None:
    """The database decides what lands: each kind means there what it means in the library, absent values too."""
    rows = "SELECT * FROM (VALUES ('a', 1.0), ('a', 1.0), ('b', 2.0), (NULL, 3.0), ('c', NULL)) t (word, number)"
    with duckdb.connect() as con:
        (mine,) = count_broken(con, "t", rows, [wish])
        frame = con.execute(rows).fetchdf()
    batch = open_batches().get_batch({"dataframe": frame})
    from great_expectations import expectations as kinds

    theirs = batch.validate(getattr(kinds, wish["kind"])(**{k: v for k, v in wish.items() if k != "kind"}))
    assert (mine.broken <= mine.allowed) == theirs.success
    if "Unique" not in wish["kind"]:  # the library counts every copy, ours all but one
        assert mine.broken == theirs.result["unexpected_count"]


def test_a_number_that_cannot_be_computed_is_a_violation_not_a_crash(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute("CREATE TABLE cells_ AS SELECT * FROM cells")
    too_large = "CAST(9223372036854775807 + criteria AS BIGINT) AS criteria"
    warehouse.execute("DROP TABLE cells")
    warehouse.execute(f"CREATE VIEW cells AS SELECT * REPLACE ({too_large}) FROM cells_")
    (violation,) = check_all(warehouse, ["scores"])
    assert "can be computed" in violation.line()


@pytest.mark.slow
def test_what_cannot_be_computed_publishes_nothing(
    tmp_path: Path, everything: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, database = tmp_path / "parts", tmp_path / "w.duckdb"
    write_parts(parts, everything(0))
    assert land(parts, database).published
    before = database.read_bytes()
    write_parts(parts, everything(1))

    def overflowing(con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "CREATE OR REPLACE TABLE too_large AS SELECT CAST(9223372036854775807 + words AS BIGINT) FROM attempt"
        )

    monkeypatch.setattr("warehouse.land.recompute", overflowing)
    result = land(parts, database)
    assert not result.published
    assert "can be computed" in result.violations[0].message
    assert database.read_bytes() == before


@pytest.mark.slow
def test_checks_leave_no_files_and_say_nothing(tmp_path: Path, everything: Everything) -> None:
    write_parts(tmp_path / "parts", everything(0))
    here = tmp_path / "cwd"
    here.mkdir()
    script = (
        "import sys; from pathlib import Path; from warehouse.land import land\n"
        "from warehouse.expectations.suites import check_published\n"
        "assert land(Path(sys.argv[1]), Path(sys.argv[2])).published\n"
        "assert 'great_expectations' not in sys.modules, 'a landing does without'\n"
        "assert check_published(Path(sys.argv[2])) == ()\n"
        "import os; assert os.environ['GX_ANALYTICS_ENABLED'] == 'false'\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != "GX_ANALYTICS_ENABLED"}
    environment |= {"PYTHONPATH": str(ROOT), "HOME": str(here)}
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "parts", tmp_path / "w.duckdb"],
        cwd=here, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "Calculating Metrics" not in done.stderr
    assert [p.name for p in here.iterdir()] == []


def test_every_moment_of_a_mechanism_may_land() -> None:
    """A firing at a moment that the expectation does not know would be kept out with all firings of its attempt."""
    suite = tomllib.loads(files("warehouse.expectations").joinpath("mechanism_firing.toml").read_text("utf-8"))
    (known,) = [e["value_set"] for e in suite["expect"] if e.get("column") == "moment"]
    assert set(known) == {moment.value for moment in Moment}
