"""The open data pack gives away what its list allows: a canary in every text of the warehouse stays where it is."""

from __future__ import annotations

import hashlib
import json
import typing
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from flows import cli
from flows.cli.export import _leaks
from flows.packing import vocabularies
from tasks.drafting.stage import runtime_names
from tasks.toolbox.names import tool_names
from tests.unit.warehouse.bulk import Bulk
from tests.unit.warehouse.conftest import RUN, attempt_row, verdict_row
from tests.unit.warehouse.questions_page import sample_rows
from warehouse.pack import PackError, write_pack
from warehouse.pack.allowed import Allowed, allowed
from warehouse.pack.writing import refuse_leaks
from warehouse.records import TABLES
from warehouse.sql import QueryError, open_warehouse
from warehouse.trace_records import MandatoryToolRow

CANARY = "Canary of Acme v. Borden"
WORDS = vocabularies()


def planted(folder: Path) -> Path:
    """A warehouse with a row in every table, and a canary in every text that its record leaves free."""
    made = Bulk(folder)
    for table, kind in TABLES.items():
        values = []
        for name, type_ in made.con.execute(f"SELECT column_name, column_type FROM (DESCRIBE {table})").fetchall():
            words = typing.get_args(kind.model_fields[name].annotation) if name != "part" else ()
            if type_ == "VARCHAR":
                free = not words or not isinstance(words[0], str)
                text = f"{CANARY} {name}" if name in ("attempt_id", "run_id") else f"{CANARY} {table}.{name}"
                values.append(f"'{text if free else words[0]}' AS \"{name}\"")
            else:
                plain = {"TIMESTAMP": "TIMESTAMP '2026-01-01'", "BOOLEAN": "true"}.get(type_, "1")
                values.append(f'{plain} AS "{name}"')
        made.insert(table, f"SELECT {', '.join(values)}")
    return made.close()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Bulk(tmp_path_factory.mktemp("sample"))
    made.rows(sample_rows())
    return made.close()


def texts(folder: Path) -> dict[tuple[str, str], set[Any]]:
    return {
        (path.stem, name): set(frame[name].to_list())
        for path in sorted(folder.glob("*.parquet"))
        for frame in [pl.read_parquet(path)]
        for name, kind in frame.schema.items()
        if kind == pl.String
    }


def test_a_canary_in_every_text_stays_at_home(tmp_path: Path) -> None:
    pack = write_pack(planted(tmp_path), tmp_path / "pack", WORDS)
    assert len(pack.rows) > 15
    assert set(pack.rows.values()) == {1}
    for key, values in texts(pack.folder).items():
        assert not [v for v in values if "canary" in v.lower() or "acme" in v.lower()], key
    for path in pack.folder.iterdir():
        assert b"Acme" not in path.read_bytes(), path
    assert pack.withheld["attempt.area"] == 1, "what is left empty is told"
    assert pack.withheld["verdict.error_class"] == 1


def test_no_column_of_words_about_a_matter_is_on_the_list() -> None:
    listed = {(c.table, c.column) for columns in allowed(WORDS).values() for c in columns}
    secret = ("title", "reasoning", "quote", "text", "sentence", "message", "arguments", "result_preview", "answer")
    secret += ("evidence", "note", "files", "matter_digest", "corpus", "failure_message", "reasons", "subject")
    assert not {key for key in listed if key[1] in secret}
    assert all(c.how != "plain" for columns in allowed(WORDS).values() for c in columns if c.column.endswith("_id"))


def test_every_runtime_and_tool_there_is_is_told_by_its_name(tmp_path: Path) -> None:
    """No list of names stands beside the registries: what is added there is given away under its name."""
    made = Bulk(tmp_path)
    names, tools = [*runtime_names(), "imported"], sorted(tool_names())
    made.rows([attempt_row(n, runtime=name) for n, name in enumerate(names)])
    of = attempt_row(0).attempt_id
    made.rows([MandatoryToolRow(attempt_id=of, tool=tool, calls=1) for tool in tools])
    pack = write_pack(made.close(), tmp_path / "pack", WORDS)
    assert not {"attempt.runtime", "mandatory_tool.tool"} & set(pack.withheld)
    attempts, called = (pl.read_parquet(pack.folder / f"{table}.parquet") for table in ("attempt", "mandatory_tool"))
    assert sorted(attempts["runtime"]) == sorted(names)
    assert sorted(called["tool"]) == tools


def test_a_name_that_is_in_no_registry_is_left_empty(tmp_path: Path) -> None:
    made = Bulk(tmp_path)
    made.rows([attempt_row(0, runtime="acme-secret-runtime")])
    pack = write_pack(made.close(), tmp_path / "pack", WORDS)
    assert pack.withheld["attempt.runtime"] == 1


@pytest.mark.parametrize("vocabulary", sorted(WORDS))
def test_a_vocabulary_that_nobody_gives_is_missed_by_name(vocabulary: str) -> None:
    """Each that the code gives is asked for by some column."""
    with pytest.raises(ValueError, match=f"takes words of '{vocabulary}'"):
        allowed({name: words for name, words in WORDS.items() if name != vocabulary})


@pytest.mark.slow
def test_the_pack_can_be_joined_and_scored(sample: Path, tmp_path: Path) -> None:
    """Stand-ins are the same in every table: pooled pass by cell comes out as in the warehouse."""
    write_pack(sample, tmp_path / "pack", WORDS, ["r1"])
    verdicts, attempts = (pl.read_parquet(tmp_path / "pack" / f"{t}.parquet") for t in ("verdict", "attempt"))
    joined = verdicts.join(attempts, on="attempt_id").group_by("runtime").agg((pl.col("status") == "pass").sum())
    assert dict(joined.iter_rows()) == {"extractive": 5, "basic": 2}
    assert set(attempts["area"]) == {"Tax"}
    served, covered = (pl.read_parquet(tmp_path / "pack" / f"{t}.parquet") for t in ("document_served", "coverage"))
    assert set(covered["document"]) < set(served["document"]), "a document has one stand-in"


@pytest.mark.slow
def test_one_run_leaves_the_others_and_the_ledger_out(sample: Path, tmp_path: Path) -> None:
    every, one = write_pack(sample, tmp_path / "all", WORDS), write_pack(sample, tmp_path / "one", WORDS, ["r2"])
    assert (every.rows["edit"], one.rows["attempt"]) == (2, 2)
    assert "edit" not in one.rows
    with pytest.raises(PackError, match="no run 'nope' has landed"):
        write_pack(sample, tmp_path / "none", WORDS, ["nope"])
    assert not (tmp_path / "none").exists()


def test_names_are_told_where_whoever_gives_it_away_says_so(sample: Path, tmp_path: Path) -> None:
    write_pack(sample, tmp_path / "pack", WORDS, open_names=("cell", "judge"))
    attempts = pl.read_parquet(tmp_path / "pack" / "attempt.parquet")
    assert "basic:local" in set(attempts["cell"])
    assert all(name.startswith("matter-") for name in attempts["matter_id"])
    with pytest.raises(PackError, match="only run, cell, profile, judge"):
        write_pack(sample, tmp_path / "other", WORDS, open_names=("matter",))


def test_the_manifest_and_the_dictionary_tell_what_is_there(sample: Path, tmp_path: Path) -> None:
    pack = write_pack(sample, tmp_path / "pack", WORDS)
    manifest = json.loads((pack.folder / "manifest.json").read_text())
    for table, told in manifest["tables"].items():
        content = (pack.folder / told["file"]).read_bytes()
        assert (told["sha256"], told["rows"]) == (hashlib.sha256(content).hexdigest(), pack.rows[table])
    page = (pack.folder / "dictionary.md").read_text()
    assert "## verdict\n\nOne criterion judged once." in page
    assert "| words | BIGINT | as it is | Words of all deliverables together. |" in page
    assert "| matter_id | VARCHAR | a stand-in for the matter |" in page
    for columns in allowed(WORDS).values():
        assert all(f"| {c.column} |" in page for c in columns)


@pytest.mark.slow
def test_the_same_warehouse_gives_the_same_bytes(sample: Path, tmp_path: Path) -> None:
    one, two = write_pack(sample, tmp_path / "one", WORDS), write_pack(sample, tmp_path / "two", WORDS)
    assert {p.name: p.read_bytes() for p in one.folder.iterdir()} == {
        p.name: p.read_bytes() for p in two.folder.iterdir()
    }


def test_a_pack_with_what_must_not_be_there_is_refused(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were a stand-in not made, or a column let through, nothing would be written."""
    monkeypatch.setattr(Allowed, "sql", lambda self, _=(): f't."{self.column}"')
    with pytest.raises(PackError, match="values that it may not"):
        write_pack(sample, tmp_path / "pack", WORDS)
    assert [p.name for p in tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("file", "column", "value", "told"),
    [
        ("attempt", "title", "Opinion 0", "is in the pack and not on its list"),
        ("attempt", "harness_version", "Opinion 0", "values that it may not"),
        ("attempt", "area", "Acme", "values that it may not"),
        ("attempt", "matter_id", "tax/opinion-000", "values that it may not"),
        ("verdict", "status", "perhaps", "values that it may not"),
    ],
)
def test_the_scan_of_what_was_written_finds_it(
    sample: Path, tmp_path: Path, file: str, column: str, value: str, told: str
) -> None:
    pl.DataFrame({column: [value]}).write_parquet(tmp_path / f"{file}.parquet")
    with open_warehouse(sample) as con, pytest.raises(PackError, match=told):
        refuse_leaks(con, tmp_path, allowed(WORDS))


def test_the_leakage_scanner_sees_all_that_the_pack_says(sample: Path, tmp_path: Path) -> None:
    """Names that are told by choice are no list of words: a sentence of a judge among them is found."""
    said = "The memorandum never says that the cap is five million dollars and fails to name the governing law."
    made = Bulk(tmp_path)
    made.rows([attempt_row(0, cell=said.upper()), verdict_row(0, reasoning=said)])
    database, found = made.close(), []

    def scan(protected: Iterable[str], written: Sequence[str]) -> bool:
        found.append("\n".join(written))
        return _leaks(protected, written)

    with pytest.raises(PackError, match="keeps to itself stands in the pack"):
        write_pack(database, tmp_path / "pack", WORDS, open_names=("cell",), scan=scan)
    assert not (tmp_path / "pack").exists()
    assert write_pack(database, tmp_path / "pack", WORDS, scan=scan).rows["verdict"] == 1
    assert "# Data dictionary" in found[1]
    assert "schema_version" in found[1]


def test_names_that_are_told_are_no_leak(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run lists its cells, and they stand beside each other in the pack: told by name, they are no secret."""
    made = Bulk(tmp_path)
    cells = [f"a-long-name-of-a-cell-of-somebody-{n}" for n in range(3)]
    made.rows(
        [RUN.model_copy(update={"cells": ", ".join(cells)}), *(attempt_row(n, cell=c) for n, c in enumerate(cells))]
    )
    asked = ["export", str(tmp_path / "pack"), "--warehouse", str(made.close()), "--home", str(tmp_path / "home")]
    assert cli.main([*asked, "--name", "cell"]) == 0, capsys.readouterr().err


def test_a_folder_that_is_not_empty_is_left_alone(sample: Path, tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "mine.txt").write_text("mine")
    with pytest.raises(PackError, match="name another folder"):
        write_pack(sample, tmp_path / "pack", WORDS)
    assert (tmp_path / "pack" / "mine.txt").read_text() == "mine"
    with pytest.raises(QueryError, match="no warehouse at"):
        write_pack(tmp_path / "none.duckdb", tmp_path / "other", WORDS)


def test_the_command(sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["export", str(tmp_path / "pack"), "--warehouse", str(sample), "--home", str(tmp_path / "home")]
    assert cli.main([*asked, "--run-id", "r1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"]["attempt"] == 5
    assert cli.main(asked) == 1
    assert "not empty" in capsys.readouterr().err
