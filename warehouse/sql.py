"""Questions to a published warehouse: read-only, in SQL or by the name of a question."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warehouse.statistics import add_functions
from warehouse.telling import refusal

if TYPE_CHECKING:
    import duckdb
    import polars as pl

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_WITH_RUNS = """
SELECT DISTINCT table_name FROM duckdb_columns()
WHERE database_name = ? AND schema_name = 'main' AND column_name = 'run_id' AND NOT internal
"""


class QueryError(Exception):
    """A question that cannot be answered; the message says what to do."""


def run_query(
    database: Path,
    query_or_name: str,
    parameters: Sequence[Any] = (),
    *,
    run_id: str | None = None,
    timeout_seconds: float = 300.0,
) -> pl.DataFrame:
    """Answer one question.

    Args:
        database: A published warehouse; opened read-only, without access to other files.
        query_or_name: One SQL statement, or the name of a question (see ``named_queries``).
        parameters: Values of ``?`` in the statement.
        run_id: Keep the rows of one run; the answer must have a column ``run_id``.
        timeout_seconds: Interrupt the query after this time.

    Raises:
        QueryError: No such warehouse or question, or the query is wrong, forbidden or too slow.
    """
    with open_warehouse(database) as con:
        frame = ask(con, query_or_name, parameters, timeout_seconds=timeout_seconds)
    return frame if run_id is None else _of_run(frame, run_id)


def ask(
    con: duckdb.DuckDBPyConnection,
    query_or_name: str,
    parameters: Sequence[Any] = (),
    *,
    timeout_seconds: float = 300.0,
) -> pl.DataFrame:
    """Answer one question on an open warehouse, as ``run_query`` does."""
    import duckdb
    import polars as pl

    query = statement(query_or_name)
    timer = threading.Timer(timeout_seconds, con.interrupt)
    timer.start()
    try:
        _refuse_others(con, query)
        answer = con.sql(query, params=[*parameters])
        return pl.DataFrame() if answer is None else pl.DataFrame(_plain(answer).to_arrow_table())
    except duckdb.InterruptException as error:
        raise QueryError(f"the query took longer than {timeout_seconds:g} s and was stopped") from error
    except duckdb.Error as error:
        raise QueryError(str(error).strip()) from error
    except pl.exceptions.PolarsError as error:
        message = f"the answer cannot be shown ({error}); give each column a name of its own, cast odd types to VARCHAR"
        raise QueryError(message) from error
    finally:
        timer.cancel()


def _plain(answer: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Return the answer with spans of time as text: a frame has no type for months, days and seconds at once."""
    if not any("INTERVAL" in str(kind) for kind in answer.types):
        return answer
    columns = [f'"{name.replace(chr(34), chr(34) * 2)}"' for name in answer.columns]
    return answer.project(
        ", ".join(
            f"CAST({column} AS VARCHAR) AS {column}" if "INTERVAL" in str(kind) else column
            for column, kind in zip(columns, answer.types, strict=True)
        )
    )


def named_queries() -> dict[str, str]:
    """Return the questions by name with the sentence that explains each."""
    scripts = files("warehouse").joinpath("queries").iterdir()
    names = sorted(f.name.removesuffix(".sql") for f in scripts if f.name.endswith(".sql"))
    return {name: _script(name).splitlines()[0].removeprefix("-- ") for name in names}


@contextmanager
def open_warehouse(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a published warehouse for reading, with no way to other files, extensions or settings.

    Raises:
        QueryError: The file is absent or is no warehouse.
    """
    import duckdb

    if not database.is_file():
        raise QueryError(f"no warehouse at {database}; `solon land` makes one from the parts of a run")
    guards = {"enable_external_access": "false", "autoinstall_known_extensions": "false", "lock_configuration": "true"}
    try:
        con = duckdb.connect(str(database), read_only=True, config=guards)
    except duckdb.Error as error:
        raise QueryError(f"{database} cannot be opened as a warehouse: {error}") from error
    try:
        add_functions(con)
        yield con
    finally:
        con.close()


@contextmanager
def of_runs(con: duckdb.DuckDBPyConnection, runs: Sequence[str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the same warehouse as if it held some runs alone.

    A question that sets versions, cells or matters side by side over all runs then sees no other run: what one of them
    did before, under the same harness, cannot take the place of what these did.

    Args:
        con: An open warehouse; it goes on to show all runs.
        runs: The runs. What belongs to no run is there as it is.
    """
    alone = con.cursor()
    try:
        (database,) = alone.execute("SELECT current_database()").fetchone() or ("",)
        names = alone.execute(_WITH_RUNS, [database]).fetchall()
        chosen = ", ".join(_quoted(run, "'") for run in runs) or "NULL"
        for (name,) in names:
            shown = f"{_quoted(database)}.main.{_quoted(name)}"
            alone.execute(f"CREATE TEMP VIEW {_quoted(name)} AS SELECT * FROM {shown} WHERE run_id IN ({chosen})")  # noqa: S608  (quoted)
        yield alone
    finally:
        alone.close()


def _quoted(text: str, mark: str = '"') -> str:
    return f"{mark}{text.replace(mark, mark * 2)}{mark}"


def _script(name: str) -> str:
    return files("warehouse").joinpath("queries", f"{name}.sql").read_text("utf-8").strip()


def statement(query_or_name: str) -> str:
    """Return the SQL of a question given by its name, or the text itself.

    Raises:
        QueryError: No question has this name.
    """
    text = query_or_name.strip()
    if not _NAME.fullmatch(text):
        return text
    try:
        return _script(text)
    except FileNotFoundError:
        known = ", ".join(named_queries())
        raise QueryError(f"no question is named {text!r}; the questions are: {known}") from None


def _refuse_others(con: duckdb.DuckDBPyConnection, query: str) -> None:
    """Let one question pass that asks the tables of the warehouse, and nothing else."""
    statements = con.extract_statements(query)
    if len(statements) != 1:
        raise QueryError(f"one statement at a time, this is {len(statements) or 'none'}")
    if why := refusal(statements[0]):
        raise QueryError(why)


def _of_run(frame: pl.DataFrame, run_id: str) -> pl.DataFrame:
    if "run_id" not in frame.columns:
        raise QueryError("the answer has no column run_id to choose a run by")
    return frame.filter(frame["run_id"] == run_id)
