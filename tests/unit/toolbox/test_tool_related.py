"""The tool ``related`` on a small deal of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.matter.failures import SolonError
from tasks.sources.texts import read_file
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry

LEASE = """LEASE

This Lease is dated March 3, 2024 between Alder Holdings LLC (the "Landlord") and Birch Bakery Inc. (the "Tenant").

1. Definitions

1.1 "Base Rent" means $ 9,000 a month.

2. Rent

2.1 Payment. The Tenant shall pay the Base Rent on the first day of each month, subject to Section 3.1 and Exhibit C.

3. Abatement

3.1 Repairs. Rent abates while the roof is repaired.
"""
AMENDMENT = """FIRST AMENDMENT TO LEASE

This First Amendment amends the Lease dated March 3, 2024 between Alder Holdings LLC and Birch Bakery Inc.

1. Rent. Section 2.1 of the Lease is amended so that Base Rent is due on the fifth day.
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    room = tmp_path / "room"
    room.mkdir()
    (room / "lease.txt").write_text(LEASE)
    (room / "amendment.txt").write_text(AMENDMENT)
    return room


@pytest.fixture
def tools(room: Path) -> ToolRegistry:
    texts = {path.name: read_file(path, path.name) for path in sorted(room.iterdir())}
    return ToolRegistry(Desk(roots=(room,), texts=texts))


def test_a_clause_with_what_it_depends_on(tools: ToolRegistry) -> None:
    found = tools.call("related", {"document": "lease.txt", "clause": "2.1"})
    assert found["text"].startswith("2.1 Payment")
    reasons = [row["reason"] for row in found["related"]]
    assert reasons[0] == "Section 3.1 referred to"
    assert "defines 'Base Rent' used here" in reasons
    assert any("amendment.txt" in reason for reason in reasons)
    assert found["leads_nowhere"] == ["Exhibit C"]
    for row in found["related"]:
        text = tools.call("read", {"path": row["document"]})["text"]
        assert text[row["start"] : row["end"]] == row["text"]


def test_a_stretch_and_a_term(tools: ToolRegistry) -> None:
    start = LEASE.index("subject to")
    found = tools.call("related", {"document": "lease.txt", "start": start, "end": start + 30})
    assert [row["label"] for row in found["related"] if row["relation"] == "refers"] == ["§ 3.1"]
    term = tools.call("related", {"document": "lease.txt", "term": "Base Rent"})
    assert term["related"][0]["text"].startswith('"Base Rent" means')
    assert tools.call("related", {"document": "lease.txt", "term": "Moon"})["related"] == []


def test_a_folder_where_there_is_no_matter(room: Path) -> None:
    found = ToolRegistry(Desk(roots=(room,))).call(
        "related", {"document": "lease.txt", "clause": "2.1", "sources": "."}
    )
    assert found["related"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"document": "nowhere.txt", "clause": "2.1"},
        {"document": "lease.txt", "clause": "9.9"},
        {"document": "lease.txt"},
        {"document": "lease.txt", "start": 5, "end": 10**9},
        {"document": "lease.txt", "start": -4, "end": 10},
    ],
)
def test_what_is_not_there_is_said(tools: ToolRegistry, arguments: dict[str, object]) -> None:
    with pytest.raises(SolonError) as error:
        tools.call("related", arguments)
    assert error.value.failure.remedy
