"""The folders that a caller was given are the room of every tool; what was drafted for the caller is no part of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.matter.failures import SolonError
from tasks.toolbox.desk import Desk
from tasks.toolbox.folder import open_room
from tasks.toolbox.registry import ToolRegistry
from tests.unit.toolbox.test_tool_related import AMENDMENT, LEASE


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "room" / "older").mkdir(parents=True)
    (tmp_path / "room" / "lease.txt").write_text(LEASE)
    (tmp_path / "room" / "older" / "amendment.txt").write_text(AMENDMENT)
    return tmp_path / "room"


def names(desk: Desk, *without: str) -> list[str]:
    return [d.name for d in open_room(desk, None, without).matter.documents]


def test_search_and_related_use_the_folder_that_is_served(room: Path, tmp_path: Path) -> None:
    tools = ToolRegistry(Desk(roots=(room,), cache=tmp_path / "cache"))
    found = tools.call("search", {"query": "When does rent abate?"})["passages"]
    assert found[0]["span"]["document"] == "lease.txt"
    tied = tools.call("related", {"document": "lease.txt", "clause": "2.1"})["related"]
    assert any("amendment.txt" in row["reason"] for row in tied)
    assert tools.call("search", {"query": "fifth day", "documents": ["older/amendment.txt"]})["passages"]
    with pytest.raises(SolonError, match=r"lease[.]txt"):
        tools.call("related", {"document": "nothing.txt", "clause": "1"})


@pytest.mark.slow
def test_a_draft_is_no_source_of_itself(room: Path) -> None:
    tools = ToolRegistry(Desk(roots=(room,)))
    tools.call("build_deliverable", {"path": "memo.md", "markdown": "# Rent\n\nThe rent is $ 77,123 a month."})
    (room / "output").mkdir()
    (room / "output" / "older.md").write_text("The rent is $ 77,123 a month.")
    assert names(tools.desk) == ["lease.txt", "older/amendment.txt"]
    found = tools.call("reconcile_numbers", {"draft": "memo.md"})
    assert [f for f in found["findings"] if "77,123" in str(f)]
    # in a process that began later, too
    later = ToolRegistry(Desk(roots=(room,)))
    assert [f for f in later.call("audit_all", {"draft": "memo.md"})["findings"] if "77,123" in str(f)]
    assert names(Desk(roots=(room,), workspace=room)) == ["lease.txt", "memo.md", "older/amendment.txt"]
    assert "output/older.md" in names(Desk(roots=(room,), workspace=room / "older"))


def test_several_folders_are_one_room(room: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "lease.txt").write_text("OTHER LEASE\n\nRent is $ 5.")
    (other / "note.txt").write_text("A note.")
    desk = Desk(roots=(room, other))
    assert names(desk) == ["lease.txt", "older/amendment.txt", str(other / "lease.txt"), "note.txt"]
    assert "OTHER" in desk.text(str(other / "lease.txt")).text
    assert "OTHER" in open_room(desk, None).texts[str(other / "lease.txt")].text


def test_a_room_that_changed_is_read_again(room: Path) -> None:
    desk = Desk(roots=(room,))
    first = open_room(desk, None)
    assert first.texts is open_room(desk, None).texts
    (room / "new.txt").write_text("A new document says that the fee is $ 3.")
    assert "new.txt" in open_room(desk, None).texts


def test_no_room_is_said_with_the_ways_to_name_one(tmp_path: Path) -> None:
    with pytest.raises(SolonError, match=r"--sources DIR, or serve one with --root DIR"):
        ToolRegistry(Desk()).call("search", {"query": "rent"})
    with pytest.raises(SolonError, match="holds no documents beside drafts"):
        ToolRegistry(Desk(roots=(tmp_path,))).call("search", {"query": "rent"})
    asked = {"citation": "Fed. R. Civ. P. 6(d)", "quote": "3 days are added after the period would otherwise expire"}
    assert ToolRegistry(Desk(roots=(tmp_path,))).call("quote_check", asked)["outcome"] == "verified"


def test_law_of_the_room_is_looked_up_without_being_named(room: Path) -> None:
    (room / "code.txt").write_text("N.Y. Lab. Law § 196-b\n\nEvery employer shall provide sick leave to its cats.\n")
    asked = {"citation": "N.Y. Lab. Law § 196-b", "quote": "Every employer shall provide sick leave to its cats"}
    assert ToolRegistry(Desk(roots=(room,))).call("quote_check", asked)["outcome"] == "verified"


def test_a_wrong_name_is_answered_with_names_like_it_and_with_none_that_is_private(room: Path) -> None:
    (room / "task.json").write_text('{"criteria": [{"title": "x"}]}')
    tools = ToolRegistry(Desk(roots=(room,)))
    with pytest.raises(SolonError) as told:
        tools.call("read", {"path": "older/amendmend.txt"})
    assert told.value.failure.remedy == "documents: older/amendment.txt, lease.txt"
