"""The bench of the researcher: what is asked, what counts as right, and which ways have a row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.bench.research.questions import rooms
from flows.bench.research.run import CHOICE, measure_research, render
from flows.bench.retrieval.graded import systems_rated
from flows.bench.retrieval.measure import systems_with
from tasks.harness import packaged
from tasks.matter.failures import SolonError

LEASE = """LEASE

1. Assignment

The Tenant shall not assign this Lease without the prior written consent of the Landlord.

2. Freight

The Tenant bears the freight of all goods that are returned to the warehouse.
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "corpus" / "leases").mkdir(parents=True)
    (tmp_path / "corpus" / "leases" / "a.txt").write_text(LEASE)
    right, wrong = LEASE.index("The Tenant bears"), LEASE.index("LEASE")
    tests = [
        {
            "query": f'Consider the lease "A; B"; {asked}',
            "snippets": [{"file_path": "leases/a.txt", "span": [at, at + 5], "answer": ""}],
        }
        for asked, at in (("Who bears the freight of returned goods?", right), ("May the lease be assigned?", wrong))
    ]
    (tmp_path / "benchmarks" / "leases.json").write_text(json.dumps({"tests": tests}))
    return tmp_path


def test_a_question_is_parted_from_the_name_of_its_paper(data: Path) -> None:
    asked = {a.text: a for a in rooms(data, None)["leases"].questions}
    assert set(asked) == {"Who bears the freight of returned goods?", "May the lease be assigned?"}
    assert {a.document for a in asked.values()} == {"leases/a.txt"}


@pytest.mark.slow
def test_right_is_an_answer_with_a_span_at_the_place_that_a_lawyer_marked(data: Path) -> None:
    result = measure_research(data, packaged())
    row = result["rows"]["leases"][CHOICE]
    assert (row["n"], row["answered"], row["right"], row["first"]) == (2, 100.0, 50.0, 50.0)
    assert row["interval"][0] < 50.0 < row["interval"][1]
    assert set(result["rows"]["leases"]) == {"hybrid", "hybrid+graph", "hybrid+knowledge", CHOICE}
    assert "leases" in render(result)


def test_a_paper_that_is_silent_counts_apart(tmp_path: Path) -> None:
    labels = {"nda-1": {"hypothesis": "Tenant bears the freight of goods."}, "nda-2": {"hypothesis": "Cats may fly."}}
    at = LEASE.index("The Tenant bears")
    spans = [[at, at + 60]]
    given = {"nda-1": {"choice": "Entailment", "spans": [0]}, "nda-2": {"choice": "NotMentioned", "spans": []}}
    row = {"id": 1, "text": LEASE, "spans": spans, "annotation_sets": [{"annotations": given}]}
    (tmp_path / "dev.json").write_text(json.dumps({"documents": [row], "labels": labels}))
    row = measure_research(tmp_path, packaged())["rows"]["contractnli statements"]["hybrid"]
    assert (row["n"], row["right"], row["silent"]) == (1, 100.0, {"n": 1, "said_so": 100.0})


def test_a_folder_of_another_form_is_misuse(tmp_path: Path) -> None:
    with pytest.raises(SolonError, match="holds neither"):
        rooms(tmp_path, None)


def test_each_kind_of_chunks_that_is_named_has_a_row() -> None:
    for systems in (systems_with("", ["node", "all"]), systems_rated("", ["node", "all"])):
        assert systems["solon_node"].policy.kind == "node"
        assert systems["solon_all"].policy.kind == "all"
        assert systems["solon_node"].dense_weight == systems["solon"].dense_weight
