"""The router bench on a few titles."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json

import pytest

from flows.bench.router.kept import FORMAL, INDEX, LABELS, measure_kept
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


# Title, area and work type of the index, and the reader's area and work type; the last title the index does not hold.
MADE_UP = (
    ("Draft a Tax Opinion", "tax", "draft", "tax", "draft"),
    ("Draft a Tax Opinion on a Lease", "tax", "draft", "tax", "review"),
    ("Review Ground Lease", "tax", "review", "real-estate", "review"),
    ("Redline License Agreement First Turn", "contracts", None, "contracts", ""),
    ("Draft a Charter", "", "", "corporate-governance", "draft"),
)


def _sha(title):
    return hashlib.sha256(title.encode()).hexdigest()


@pytest.fixture
def made_up(tmp_path):
    """A tiny index in a folder of data, with the labels of a reader."""
    index = tmp_path / "data" / INDEX
    index.parent.mkdir(parents=True)
    rows = [{"title": t, "area": a, "work_type": w} for t, a, w, _, _ in MADE_UP[:-1]]
    rows.append({"title": "A title without a label", "area": "tax", "work_type": "draft"})
    with gzip.open(index, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    labels = tmp_path / "labels.csv"
    lines = [f"{_sha(t)},{area},{work}" for t, _, _, area, work in MADE_UP]
    labels.write_text("\n".join(["title_sha256,area,work_type", *lines, ""]), encoding="utf-8")
    return tmp_path / "data", labels


def test_kept_labels_find_their_titles_by_hash_and_stand_beside_the_index(made_up):
    data, labels = made_up
    result = measure_kept(data, packaged(), labels)
    assert (result["n"], result["missing"]) == (4, 1)
    assert set(result["classes"]) == {"tax/draft", "tax/review", "real-estate/review", "contracts"}
    assert result["classes"]["tax/draft"]["top1"] == 1.0
    assert result["classes"]["tax/review"]["top1"] == 0.0
    assert result["index"] == {"n": 4, "class": 0.5, "area": 0.75, "work_type": 0.75}
    assert result["other"]["n"] == result["index_other"]["n"] == 3
    assert result["index_other"]["class"] == pytest.approx(1 / 3)
    assert "classes" not in result["other"]


def test_kept_labels_by_the_command(made_up, capsys):
    data, labels = made_up
    asked = ["bench", "router", "--data", str(data), "--labels", str(labels)]
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"n", "top1", "top3", "area", "work_type", "other", "index", "index_other", "missing"} <= set(told)
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert "index and reader agree on 50.0% of the classes" in out
    assert "1 labelled titles are not in this index" in out


def test_without_the_index_it_says_what_is_missing(tmp_path, made_up):
    with pytest.raises(SolonError, match="the titles of the kept labels stand in it alone") as caught:
        measure_kept(tmp_path, packaged())
    assert "--data DIR" in caught.value.failure.remedy
    assert main(["bench", "router", "--data", str(tmp_path)]) == 2
    with pytest.raises(SolonError, match="holds none of the labelled titles"):
        measure_kept(made_up[0], packaged())
    (tmp_path / INDEX).parent.mkdir()
    (tmp_path / INDEX).write_bytes(b"no archive")
    with pytest.raises(SolonError, match="is no index of matters"):
        measure_kept(tmp_path, packaged())


def test_labels_that_are_no_table_are_misuse(tmp_path, made_up):
    (tmp_path / "bad.csv").write_text("title,area\nx,y\n", encoding="utf-8")
    for name, said in (("bad.csv", "has no rows with the columns"), ("absent.csv", "is not there")):
        with pytest.raises(SolonError, match=said):
            measure_kept(made_up[0], packaged(), tmp_path / name)


def test_the_committed_labels_are_200_hashes_with_classes_of_the_harness():
    with LABELS.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len({row["title_sha256"] for row in rows}) == len(rows) == 200
    assert all(len(row["title_sha256"]) == 64 and set(row) == {"title_sha256", "area", "work_type"} for row in rows)
    known = {name for skill in packaged().skills for name in skill.classes}
    assert {class_name(row) for row in rows} <= known
    assert all((row["area"] in FORMAL) == (not row["work_type"]) for row in rows)
