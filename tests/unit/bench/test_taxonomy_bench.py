"""The bench of the taxonomy: labels joined with the index, the matcher beside both labellers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from flows.bench.registry import render
from flows.bench.taxonomy.run import INDEX, LABELS, measure_taxonomy, read_labels
from flows.bench.taxonomy.unseen import alternatives, classes_unseen
from flows.cli import main
from tasks.judging.taxonomy import classify
from tasks.matter.failures import SolonError

# (task, area, work type, criterion, title, rule, first, second)
ROWS = [
    ("a/one", "a", "draft", "C-1", "Calculates the rent", "PASS if so.", "numbers_dates", "numbers_dates"),
    ("a/one", "a", "draft", "C-2", "Recommends a cap", "PASS if so.", "remedial_action", "legal_rule_use"),
    ("b/two", "b", "review", "C-1", "Recommends a fix", "PASS if so.", "legal_rule_use", "remedial_action"),
    ("c/three", "c", "review", "C-1", "Polite tone, polite close", "PASS if so.", "other", "other"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    tasks: dict[str, dict[str, Any]] = {}
    for task, area, kind, criterion, title, rule, *_ in ROWS:
        row = tasks.setdefault(task, {"task_id": task, "area": area, "work_type": kind, "criteria_sample": []})
        row["criteria_sample"].append({"id": criterion, "title": title, "match": rule})
    path = tmp_path / INDEX
    path.parent.mkdir()
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in tasks.values())
    return tmp_path


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    lines = [{"task_id": t, "criterion": c, "first": f, "second": s, "note": "x"} for t, _, _, c, _, _, f, s in ROWS]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return path


def test_the_matcher_is_compared_with_each_labeller(data: Path, labels: Path) -> None:
    told = measure_taxonomy(labels, data)
    assert told["n"] == 4
    assert [told[k]["accuracy"] for k in ("between", "matcher_first", "matcher_second")] == [0.5, 0.75, 0.75]
    # By hand: expected of matcher and first is (1*1 + 2*1 + 0*1 + 1*1) / 16 = 1/4, and (3/4 - 1/4) / (3/4) = 2/3.
    assert told["matcher_first"]["kappa"] == pytest.approx(2 / 3)
    assert (told["where_both_agree"]["n"], told["where_both_agree"]["accuracy"]) == (2, 1.0)
    assert told["confusion"]["first"]["legal_rule_use"] == {"remedial_action": 1}
    assert told["confusion"]["second"]["remedial_action"] == {"remedial_action": 1}
    assert told["other"] == {"n": 1, "share": 0.25, "terms": {"close": 1, "polite": 1, "tone": 1}}
    assert told["by_area"]["a"] == {"n": 2, "first": 1.0, "second": 0.5, "other": 0}
    assert told["by_work_type"]["review"] == {"n": 2, "first": 0.5, "second": 1.0, "other": 1}
    assert told["unseen"]["first"]["n"] == 4


def test_words_that_one_fold_alone_holds_are_left_out_there() -> None:
    folds = [[("Calculates the rent", ""), ("Severity is rated", "")], [("Calculates the fee", "")], []]
    assert classes_unseen(folds) == [["numbers_dates", "other"], ["numbers_dates"], []]
    assert classes_unseen([*folds[:1], [("Severity again", "")]])[0][1] == "materiality_impact"


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        (r"\b(?:a|b(?:c|d))\b|e\|f", [r"\b(?:a)\b", r"\b(?:b(?:c|d))\b", r"e\|f"]),
        (r"^(?:a|b)", ["^(?:a)", "^(?:b)"]),
        (r"(?:a)x(?:b|c)", [r"(?:a)x(?:b|c)"]),
        (r"(?:a|b)x(?:c)", [r"(?:a|b)x(?:c)"]),
        ("[a|(]b", ["[a|(]b"]),
    ],
)
def test_patterns_are_parted_at_their_bars(pattern: str, parts: list[str]) -> None:
    assert alternatives(pattern) == parts


def test_the_command_prints_the_tables(data: Path, labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["bench", "taxonomy", "--labels", str(labels), "--data", str(data)]
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["between"]["n"] == 4
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert shown.strip() == render("taxonomy", told).strip()
    assert "4 criteria" in shown
    assert "other              1 (25.0%): close 1" in shown


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no labels"),
        ("{", "no labels that can be read"),
        ("[1]", "no labels that can be read"),
        ('{"task_id": "a/one", "criterion": "C-1", "first": "vibes", "second": "other"}', "no labels that can be read"),
        ('{"task_id": "a/one", "criterion": "C-9", "first": "other", "second": "other"}', "no criterion of the index"),
    ],
)
def test_what_cannot_be_compared_is_refused(data: Path, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SolonError) as error:
        measure_taxonomy(path, data)
    assert message in error.value.failure.message
    with pytest.raises(SolonError):
        measure_taxonomy(tmp_path / "none.jsonl", data)


def test_without_the_index_there_is_nothing_to_compare(labels: Path, tmp_path: Path) -> None:
    with pytest.raises(SolonError) as error:
        measure_taxonomy(labels, tmp_path / "elsewhere")
    assert "--data" in error.value.failure.remedy


def test_the_labels_of_the_project_hold_no_words_of_a_rubric() -> None:
    for file in LABELS.glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            assert set(json.loads(line)) == {"task_id", "criterion", "first", "second"}
    assert len({(one.task_id, one.criterion) for one in read_labels(LABELS)}) >= 80


def test_the_words_still_fit_the_labels_that_they_were_written_on(shared_data: Path) -> None:
    if not (shared_data / INDEX).is_file():
        pytest.skip("../shared/data/lab is absent")
    told = measure_taxonomy(LABELS / "development.jsonl", shared_data)
    assert told["between"]["accuracy"] == 0.925
    assert min(told["matcher_first"]["accuracy"], told["matcher_second"]["accuracy"]) >= 0.85
    assert told["other"]["share"] < 0.05


def test_the_words_still_fit_what_one_labeller_classed(shared_data: Path) -> None:
    if not (shared_data / INDEX).is_file():
        pytest.skip("../shared/data/lab is absent")
    with gzip.open(shared_data / INDEX, "rt", encoding="utf-8") as file:
        tasks = {task["task_id"]: task for task in map(json.loads, file)}
    lines = [json.loads(line) for line in (LABELS / "single/development.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == 183
    assert {frozenset(line) for line in lines} == {frozenset({"task_id", "criterion", "label"})}
    assert not {line["task_id"] for line in lines} & {one.task_id for one in read_labels(LABELS)}
    right = 0
    for line in lines:
        sample = tasks[line["task_id"]]["criteria_sample"]
        (told,) = (one for one in sample if one["id"] == line["criterion"])
        right += classify(told["title"], told["match"]) == line["label"]
    assert right / len(lines) > 0.87
