"""One declaration a tool; limits, schemas and confinement hold at every door."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, get_args

import pytest

from tasks.drafting.records import Toolbox
from tasks.matter.failures import FailureCause, SolonError
from tasks.toolbox.desk import Desk
from tasks.toolbox.folder import open_room
from tasks.toolbox.interfaces.cli import listing, parse
from tasks.toolbox.registry import Served, Tool, ToolRegistry, discover

NAMES = {
    "read", "summarize_docs", "number_scan", "date_scan", "citation_scan", "docx_inspect", "xlsx_inspect",
    "eml_inspect", "pptx_inspect", "pdf_inspect", "search", "related", "authority", "skeleton", "reconcile_numbers",
    "reconcile_deadlines", "audit_all", "build_deliverable", "deadline",
}  # fmt: skip


def echo(
    desk: Desk, path: str, many: list[str], *, n: int = 1, loud: bool = False, note: str | None = None
) -> dict[str, Any]:
    """Say it back.

    Args:
        desk: What the caller may look at.
        path: A path.
        many: Words.
        n: How often.
        loud: Whether loudly.
        note: A note.
    """
    return {"path": path, "many": many, "n": n, "loud": loud, "note": note}


def slow(desk: Desk) -> dict[str, Any]:
    """Take long."""
    time.sleep(30)
    return {}


def big(desk: Desk) -> dict[str, Any]:
    """Say much."""
    return {"text": "x" * 1_000}


def broken(desk: Desk) -> dict[str, Any]:
    """Have a defect."""
    raise AttributeError("_passages")


TOOLS = {
    "echo": Tool(echo, stage="intake", max_input=500),
    "slow": Tool(slow, stage="intake", seconds=0.2),
    "big": Tool(big, stage="intake", max_output=100),
    "broken": Tool(broken, stage="intake"),
}


@pytest.fixture
def registry() -> ToolRegistry:
    return ToolRegistry(tools=TOOLS)


def test_every_tool_is_found_documented_and_has_a_schema() -> None:
    tools = discover()
    assert set(tools) >= NAMES - {"deadline"}
    registry = ToolRegistry()
    box: Toolbox = registry  # the protocol runtimes know
    for name in box.names():
        schema = box.schema(name)
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert len(schema["description"]) > 30
        json.dumps(schema)
        assert tools[name].stage in get_args(Served)
        assert name in listing(registry)


def test_a_call_is_validated(registry: ToolRegistry) -> None:
    assert registry.call("echo", {"path": "a", "many": ["b"], "n": 3})["n"] == 3
    for arguments, words in [
        ({"path": "a"}, "many: the call lacks this argument"),
        ({}, "path, many: the call lacks these arguments"),
        ({"path": "a", "many": "b"}, "many: Input should be a valid list"),
        ({"path": "a", "many": [], "extra": 1}, "extra: Extra inputs"),
        ({"path": "a", "many": [], "n": "x"}, "n: Input should be a valid integer"),
        ({"path": "a" * 600, "many": []}, "at most 500 bytes"),
    ]:
        with pytest.raises(SolonError, match=words) as caught:
            registry.call("echo", arguments)
        assert caught.value.failure.subject == "echo"


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("slow", FailureCause.TIMEOUT),
        ("big", FailureCause.CAPACITY),
        ("broken", FailureCause.UNKNOWN),
        ("nothing", FailureCause.INPUT),
    ],
)
def test_limits_and_defects_are_typed(registry: ToolRegistry, name: str, cause: FailureCause) -> None:
    with pytest.raises(SolonError) as caught:
        registry.call(name, {})
    assert caught.value.failure.cause is cause
    assert "\n" not in caught.value.failure.line()


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        (["a", "b", "c"], {"path": "a", "many": ["b", "c"]}),
        (
            ["a", "b", "--n", "2", "--loud", "--note", "hi"],
            {"path": "a", "many": ["b"], "n": 2, "loud": True, "note": "hi"},
        ),
        (["a", "b", "--no-loud"], {"path": "a", "many": ["b"], "loud": False}),
    ],
)
def test_command_line_arguments_come_from_the_declaration(
    registry: ToolRegistry, rest: list[str], expected: dict[str, Any]
) -> None:
    call = parse(registry, "echo", [*rest, "--json"])
    assert call.as_json
    assert call.arguments == expected


def test_misuse_of_a_tool_exits_with_2(registry: ToolRegistry, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(registry, "echo", ["a", "b", "--n", "x"])
    assert caught.value.code == 2
    assert "invalid int" in capsys.readouterr().err


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    room = tmp_path / "room"
    (room / "output").mkdir(parents=True)
    (room / "a.txt").write_text("The fee is $5.")
    (tmp_path / "secret.txt").write_text("no")
    (room / "link.txt").symlink_to(tmp_path / "secret.txt")
    return Desk(roots=(room,), workspace=room)


@pytest.mark.parametrize(
    "path", ["../secret.txt", "link.txt", "/etc/passwd", "a/../../secret.txt", "~/x", "", "\x00", "b.txt", "."]
)
def test_paths_stay_inside_the_roots(desk: Desk, path: str) -> None:
    with pytest.raises(SolonError):
        desk.text(path)


def test_paths_inside_are_served(desk: Desk) -> None:
    assert desk.text("a.txt").text.strip() == "The fee is $5."
    assert desk.text(str(desk.roots[0] / "a.txt")).text.strip() == "The fee is $5."


@pytest.mark.parametrize("path", ["../memo.docx", "/tmp/memo.docx", "output/../../memo.docx", "..", ".", "output"])
def test_deliverables_stay_in_the_output_folder(desk: Desk, path: str) -> None:
    with pytest.raises(SolonError, match="outside the output folder"):
        desk.target(path)


@pytest.mark.parametrize(
    ("path", "expected"), [("memo.docx", "memo.docx"), ("output/m.docx", "m.docx"), ("x/m.md", "x/m.md")]
)
def test_deliverables_land_in_output(desk: Desk, path: str, expected: str) -> None:
    assert desk.workspace
    assert desk.target(path) == desk.workspace / "output" / expected


def test_a_link_out_of_output_is_not_followed(desk: Desk, tmp_path: Path) -> None:
    assert desk.workspace
    (desk.workspace / "output" / "out").symlink_to(tmp_path)
    with pytest.raises(SolonError, match="outside the output folder"):
        desk.target("out/memo.docx")


def test_without_roots_the_users_rights_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.txt").write_text("plain")
    assert Desk().text("b.txt").text.strip() == "plain"
    assert Desk().text(os.fspath(tmp_path / "b.txt")).document == "b.txt"


def test_a_workspace_may_lie_below_any_name(tmp_path: Path) -> None:
    room = tmp_path / "a\\b"
    (room / "output").mkdir(parents=True)
    target = room / "output" / "memo.docx"
    assert Desk(roots=(room,), workspace=room).target(str(target)) == target


def test_a_copy_of_a_task_file_is_served_under_no_name(desk: Desk) -> None:
    rubric = '{"criteria": [{"match_criteria": "PASS if the fee is stated"}]}'
    (desk.roots[0] / "notes.txt").write_text(rubric)
    for call in (lambda: desk.text("notes.txt"), lambda: desk.file("notes.txt")):
        with pytest.raises(SolonError, match="criteria"):
            call()
    assert list(open_room(desk, ".").texts) == ["a.txt"]


def test_every_example_of_a_tool_is_a_call_that_it_takes() -> None:
    registry = ToolRegistry()
    for name, tool in registry.tools.items():
        assert tool.example_call, name
        tool.arguments.model_validate(tool.example_call)
    with pytest.raises(SolonError, match="path, source: the call lacks") as caught:
        registry.call("redline", {"edited_file": "revised.docx"})
    assert '"source": "agreement.docx"' in caught.value.failure.remedy
