"""``solon sql`` answers questions and does nothing else: no write, file, network, setting or terminal code."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import pytest

from flows.cli.sql import _table
from warehouse.intake import fingerprint
from warehouse.sql import QueryError, run_query

FORBIDDEN = (
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_text('{here}/x.csv')",
    "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM read_json('/etc/passwd')",
    "SELECT * FROM parquet_metadata('/etc/passwd')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM read_csv('http://127.0.0.1:1/x.csv')",
    "FROM query_table('/etc/passwd')",
    "SELECT getenv('HOME')",
    "ATTACH ':memory:' AS m",
    "ATTACH '{here}/new.duckdb' AS m",
    "COPY t TO '{here}/out.csv'",
    "EXPORT DATABASE '{here}/out'",
    "FROM query('COPY t TO ''{here}/out.csv''')",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET threads = 1",
    "RESET threads",
    "PRAGMA threads = 1",
    "PRAGMA enable_profiling",
    "CALL enable_logging(storage = 'file', storage_config = {{'path': '{here}/log'}})",
    "CREATE SECRET s (TYPE s3)",
    "INSERT INTO t VALUES (2)",
    "UPDATE t SET a = 2",
    "DELETE FROM t",
    "DROP TABLE t",
    "CREATE TABLE z AS SELECT 1",
    "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x",
    "SELECT 1; DROP TABLE t",
    "SELECT * FROM here",
    "SELECT * FROM FORBIDDEN",
)


@pytest.mark.parametrize("query", FORBIDDEN)
def test_nothing_but_answers(tmp_path: Path, query: str) -> None:
    here = tmp_path
    with duckdb.connect(str(here / "w.duckdb")) as con:
        con.execute("CREATE TABLE t AS SELECT 1 AS a")
    (here / "x.csv").write_text("a\n1\n")
    before = (here / "w.duckdb").read_bytes()
    with pytest.raises(QueryError):
        run_query(here / "w.duckdb", query.format(here=here))
    assert sorted(p.name for p in here.iterdir()) == ["w.duckdb", "x.csv"]
    assert (here / "w.duckdb").read_bytes() == before


TELLING = (
    "PRAGMA database_list",
    "PRAGMA database_size",
    "SELECT * FROM pragma_database_list",
    "SELECT path FROM duckdb_databases()",
    'SELECT path FROM "DuckDB_databases"',
    "WITH x AS MATERIALIZED (FROM duckdb_databases()) FROM x",
    "SELECT (SELECT path FROM system.main.duckdb_databases /* ( */ LIMIT 1)",
    "FROM query('FROM duckdb_' || 'databases()')",
    "FROM query -- it is\n ('FROM duckdb_' || 'databases()')",
    "SELECT 'temp_directory'.current_setting()",
    "EXPLAIN SELECT current_setting('temp_directory')",
    "FROM duckdb_settings()",
    "FROM duckdb_temporary_files()",
    "CALL duckdb_databases()",
    "PIVOT duckdb_databases() ON path USING count(*)",
)


@pytest.mark.parametrize("query", TELLING)
def test_no_answer_says_where_the_warehouse_lies(tmp_path: Path, query: str) -> None:
    with duckdb.connect(str(tmp_path / "w.duckdb")) as con:
        con.execute("CREATE TABLE t AS SELECT 1 AS a")
    with pytest.raises(QueryError, match="SHOW TABLES"):
        run_query(tmp_path / "w.duckdb", query)


@pytest.mark.parametrize(
    "query",
    [
        "SHOW TABLES",
        "DESCRIBE t",
        "SUMMARIZE t",
        "EXPLAIN SELECT a FROM t",
        "PIVOT t ON a USING count(*)",
        "SELECT column_name FROM duckdb_columns()",
        "SELECT a AS query, 'ä duckdb_databases' AS current_setting FROM t -- duckdb_settings()",
    ],
)
def test_what_the_tables_are_is_told(tmp_path: Path, query: str) -> None:
    with duckdb.connect(str(tmp_path / "w.duckdb")) as con:
        con.execute("CREATE TABLE t AS SELECT 1 AS a")
    answer = run_query(tmp_path / "w.duckdb", query)
    assert answer.height > 0
    assert str(tmp_path) not in str(answer.rows())


def test_a_query_that_would_fill_the_machine_is_stopped(tmp_path: Path) -> None:
    duckdb.connect(str(tmp_path / "w.duckdb")).close()
    with pytest.raises(QueryError):
        run_query(tmp_path / "w.duckdb", "SELECT count(*) FROM range(10000000000) a, range(1000) b", timeout_seconds=1)


def test_a_table_on_a_terminal_shows_foreign_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    _table(["[red]c"], [("[link=http://a.b]x[/link] \x1b]0;owned\x07 \u202efdp",), ("[/nothing]",), (None,)])
    told = capsys.readouterr().out
    assert "[red]c" in told
    assert "\\x1b]0;owned\\x07 \\u202efdp" in told
    assert "\x1b]0" not in told


def test_a_pipe_among_the_parts_does_not_hang_the_landing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "part.parquet")
    assert fingerprint(tmp_path / "part.parquet") == ""
