"""The runtime scan: a matter's checklist delivered, with the words of every value, and without a model."""

import json

import pytest

from tests.unit.drafting.agent_room import scene
from tests.unit.drafting.extraction.test_scanning import PACER


def test_the_checklist_is_delivered_with_the_words_of_every_value(tmp_path):
    room = scene(tmp_path, {"docket.txt": PACER}, files=("list.json", "list.md"), runtime="scan")
    product = room.run()
    assert (product.outcome, product.failures, product.usage.calls) == ("finished", (), 0)
    told = json.loads((room.job.workspace / "output" / "list.json").read_text())
    (filed,) = told["filing_date"]
    assert filed["value"] == "May 6, 2019"
    (words,) = filed["evidence"]
    assert PACER[words["start"] : words["end"]] == words["text"]
    assert "Ruth T. Lane" in (room.job.workspace / "output" / "list.md").read_text()
    assert room.rows("tool")[0]["tool_name"] == "read"
    assert room.metrics()["documents_read"] == 1


def test_the_same_matter_gives_the_same_bytes(tmp_path):
    made = []
    for place in ("one", "two"):
        room = scene(tmp_path / place, {"docket.txt": PACER}, files=("list.json",), runtime="scan")
        room.run()
        made.append((room.job.workspace / "output" / "list.json").read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize("option", ["no-such-list"])
def test_a_checklist_that_there_is_not_fails_by_name(tmp_path, option):
    product = scene(tmp_path, {"docket.txt": PACER}, runtime="scan", options={"checklist": option}).run()
    assert product.outcome == "failed"
    assert "no such checklist" in product.failures[0].message


def test_what_is_delivered_may_be_called_checklist_and_answers_the_asks(tmp_path):
    room = scene(tmp_path, {"docket.txt": PACER}, files=("checklist.json",), runtime="scan")
    product = room.run()
    assert (product.outcome, [f.filename for f in product.files]) == ("finished", ["checklist.json"])
    assert len(product.answers) == len(room.job.asks.asks)
