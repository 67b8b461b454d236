"""The router bench on a few titles."""

from __future__ import annotations

import json

import pytest

from flows.bench.router.run import class_name, measure_router, render
from flows.cli import main
from tasks.harness import packaged
from tasks.matter.failures import SolonError

ROWS = """title,area,work_type
Draft a Tax Opinion,tax,draft
Draft a Tax Opinion,tax,review
Redline License Agreement First Turn,contracts,(none)
"""


def test_titles_are_measured_by_class(tmp_path):
    file = tmp_path / "titles.csv"
    file.write_text(ROWS, encoding="utf-8")
    result = measure_router(file, packaged())
    assert (result["n"], result["top1"]) == (3, pytest.approx(2 / 3))
    assert result["classes"]["tax/draft"] == {"n": 1, "top1": 1.0, "top3": 1.0}
    assert result["classes"]["tax/review"]["top1"] == 0.0
    assert result["area"] == 1.0
    assert "3 titles: class first 66.7%" in render(result)


def test_a_row_without_work_type_is_of_its_area():
    assert class_name({"area": "contracts", "work_type": "(none)"}) == "contracts"
    assert class_name({"area": "tax", "work_type": "draft"}) == "tax/draft"


@pytest.mark.parametrize("text", ["", "title,area\nx,y\n", "title,area,work_type\n"])
def test_a_file_that_is_no_such_table_is_misuse(tmp_path, text):
    file = tmp_path / "titles.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SolonError, match="has no rows with the columns"):
        measure_router(file, packaged())


def test_the_command(tmp_path, capsys):
    file = tmp_path / "titles.csv"
    file.write_text(ROWS, encoding="utf-8")
    assert main(["bench", "router", "--titles", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 3
    assert main(["bench", "router"]) == 2
