"""The knowledge in the warehouse: landed with the parts, asked before there is one, written by the landing alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import duckdb
import pytest

from flows.cli import main
from flows.cli.sql import answer
from flows.settings import load_settings
from knowledge_db.tables import entries, knowledge_tables
from tasks.harness import find_harness
from warehouse.knowledge import KeptTables, load_knowledge, write_knowledge
from warehouse.land import land
from warehouse.sql import QueryError, named_queries, run_query

CODE = shutil.ignore_patterns("*.py", "__pycache__")
RENT = {"concept": "rent", "alias": "rental", "position": 1, "provenance": "drafting usage", "as_of": ""}


@pytest.fixture(scope="module")
def families():
    return KeptTables(knowledge_tables())


@pytest.fixture(scope="module")
def database(tmp_path_factory, families) -> Path:
    folder = tmp_path_factory.mktemp("known")
    assert land(folder / "parts", folder / "w.duckdb", knowledge=families).published
    return folder / "w.duckdb"


@pytest.mark.slow
def test_every_family_lands_whole(database, families):
    for table, rows in families.items():
        assert run_query(database, f"SELECT count(*) AS n FROM knowledge.{table}")["n"].item() == len(rows), table
    (row,) = run_query(database, "FROM knowledge.windows WHERE window_id = 'civil_procedure/answer'").to_dicts()
    assert (row["n"], row["unit"], row["calendar"], row["authority"][:16]) == (
        21,
        "day",
        "calendar",
        "Fed. R. Civ. P. ",
    )


@pytest.mark.slow
def test_the_questions_about_knowledge_answer(database, families):
    names = [name for name in named_queries() if name.startswith("knowledge_")]
    assert len(names) >= 5
    for name in names:
        assert run_query(database, name).height > 0, name
    counts = {row["family"]: row for row in run_query(database, "knowledge_counts").to_dicts()}
    assert not counts["citation_forms"]["substantive"]
    assert {name: counts[name]["entries"] for name in entries(families)} == entries(families)


@pytest.mark.slow
def test_a_landing_replaces_the_knowledge_only_where_it_changed(tmp_path):
    parts, published = tmp_path / "parts", tmp_path / "w.duckdb"
    one = {"synonyms": [RENT]}
    land(parts, published, knowledge=one)
    before = published.stat().st_mtime_ns
    land(parts, published, knowledge=one)
    land(parts, published)  # a landing without knowledge leaves what is there
    assert published.stat().st_mtime_ns == before
    two = {"synonyms": [{**one["synonyms"][0], "alias": "hire"}]}
    land(parts, published, knowledge=two)
    assert run_query(published, "SELECT alias FROM knowledge.synonyms")["alias"].to_list() == ["hire"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ({"secrets": []}, KeyError),
        ({"synonyms": [{"concept": "rent"}]}, duckdb.ConstraintException),
        (
            {"synonyms": [{"concept": "a", "alias": "b", "position": 1, "provenance": "c", "as_of": "", "x": 1}]},
            duckdb.BinderException,
        ),
    ],
)
def test_rows_of_another_shape_change_nothing(tmp_path, rows, error):
    parts, published = tmp_path / "parts", tmp_path / "w.duckdb"
    good = {"synonyms": [RENT]}
    land(parts, published, knowledge=good)
    before = published.read_bytes()
    with pytest.raises(error):
        land(parts, published, knowledge=rows)
    assert published.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if "private" in p.name] == []


def test_a_failed_load_leaves_the_rows_of_before():
    with duckdb.connect() as con:
        from warehouse.knowledge import create_knowledge

        create_knowledge(con)
        load_knowledge(con, {"synonyms": [RENT]})
        with pytest.raises(duckdb.Error):
            load_knowledge(con, {"synonyms": [{**RENT, "concept": None}]})
        con.execute("ROLLBACK")
        assert con.execute("SELECT count(*) FROM knowledge.synonyms").fetchone() == (1,)


@pytest.fixture
def no_warehouse(tmp_path):
    return load_settings({"home": tmp_path / "home"})


def test_knowledge_is_asked_before_there_is_a_warehouse(no_warehouse):
    frame = answer(no_warehouse, "SELECT jurisdiction, count(*) AS n FROM knowledge.authorities GROUP BY 1")
    assert dict(frame.rows())["US-DE"] > 0
    assert not no_warehouse.warehouse.exists()


@pytest.mark.slow
def test_a_warehouse_without_knowledge_leaves_the_question_to_the_data(no_warehouse, families):
    """One of an older layout, and one that landed without the knowledge."""
    query = "SELECT count(*) AS n FROM knowledge.authorities"
    no_warehouse.warehouse.parent.mkdir(parents=True)
    land(no_warehouse.home / "parts", no_warehouse.warehouse)
    assert run_query(no_warehouse.warehouse, query)["n"].item() == 0
    assert answer(no_warehouse, query)["n"].item() == len(families["authorities"])
    with duckdb.connect(str(no_warehouse.warehouse)) as con:
        con.execute("DROP SCHEMA knowledge CASCADE")
    assert answer(no_warehouse, query)["n"].item() == len(families["authorities"])
    no_warehouse.warehouse.write_text("no database")
    with pytest.raises(QueryError, match="cannot be opened"):
        answer(no_warehouse, query)


@pytest.mark.examples(3)
@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("how_did_each_cell_do", "no warehouse at"),
        ("SELECT 'knowledge' FROM cells", "no warehouse at"),
        ("DELETE FROM knowledge.authorities", "read-only"),
        ("COPY knowledge.authorities TO 'x.csv'", "disabled by configuration"),
        ("SELECT * FROM knowledge.windows, read_text('/etc/hostname')", "disabled by configuration"),
        ("SELECT nothing FROM knowledge.windows", "nothing"),
        ("knowledge_of_the_future", "no question is named"),
    ],
)
def test_what_is_refused_before_there_is_a_warehouse(no_warehouse, query, told):
    with pytest.raises(QueryError, match=told):
        answer(no_warehouse, query)


def test_a_broken_harness_is_told_not_traced(tmp_path, capsys):
    rows = tmp_path / "harness" / "knowledge_db" / "data" / "synonyms"
    rows.mkdir(parents=True)
    (rows / "a.csv").write_text("concept,aliases\nx,\n")
    shutil.copytree(find_harness().skills, tmp_path / "harness" / "skills_repo", ignore=CODE)
    where = ["--home", str(tmp_path / "home")]
    (tmp_path / "solon.toml").write_text(f'harness = "{tmp_path / "harness"}"\n')
    import os

    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        assert main(["sql", "knowledge_counts", *where]) == 2
    finally:
        os.chdir(here)
    assert "synonyms/a.csv, row 1" in capsys.readouterr().err


def test_the_command_prints_lists_as_csv_and_json(tmp_path, capsys):
    query = "SELECT citation, keywords FROM knowledge.authorities WHERE citation = '17 C.F.R. § 240.10b-5'"
    assert main(["sql", query, "--home", str(tmp_path)]) == 0
    assert '""securities fraud""' in capsys.readouterr().out
    assert main(["sql", query, "--json", "--home", str(tmp_path)]) == 0
    assert "securities fraud" in json.loads(capsys.readouterr().out)[0]["keywords"]


def test_help_shows_a_question_about_knowledge(capsys):
    with pytest.raises(SystemExit):
        main(["sql", "--help"])
    assert "knowledge.authorities" in capsys.readouterr().out


def test_a_file_of_knowledge_alone_has_no_runs(tmp_path):
    write_knowledge(tmp_path / "k.duckdb", {})
    assert run_query(tmp_path / "k.duckdb", "knowledge_counts").height == 0
    with pytest.raises(QueryError, match="cells"):
        run_query(tmp_path / "k.duckdb", "SELECT * FROM cells")


def test_the_doctor_names_a_row_that_breaks_its_schema(tmp_path, no_warehouse):
    from flows.health import _knowledge

    assert _knowledge(no_warehouse).ok
    rows = tmp_path / "broken" / "knowledge_db" / "data" / "synonyms"
    rows.mkdir(parents=True)
    (rows / "a.csv").write_text("concept,aliases\nx,\n")
    shutil.copytree(find_harness().skills, tmp_path / "broken" / "skills_repo", ignore=CODE)
    found = _knowledge(load_settings({"home": tmp_path, "harness": tmp_path / "broken"}))
    assert not found.ok
    assert "synonyms/a.csv, row 1" in found.detail
