"""What we write runs nothing and goes nowhere: formulas, links, paths, markup, terminals."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tasks.matter.failures import FailureCause, SolonError
from tasks.release.build.deliverable import Column, Table, deliverable_bytes
from tasks.toolbox import Desk, ToolRegistry

FORMULAS = (
    '=HYPERLINK("http://127.0.0.1/"&A1,"x")',
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "+1-cmd|' /C calc'!A0",
    "@SUM(1+1)",
    " =1+1",
    "\t=1+1",
    "\r=1+1",
    "\n@x",
    "＝1+1",
    "-1*cmd|'x'!A0",
    "- 1%=2",
)
HARMLESS = ("-5", "+1.5%", "-$1,200.00", "- 7", "plain", "a=b", "")


def table(*cells: Any) -> Table:
    return Table(name="t", columns=(Column(name="=c"),), rows=tuple((c,) for c in cells))


def test_csv_cells_start_no_formula() -> None:
    rows = list(csv.reader(io.StringIO(deliverable_bytes(None, [table(*FORMULAS)], ".csv").decode(), newline="")))
    assert [r[0][:1] for r in rows] == ["'"] * (1 + len(FORMULAS))
    kept = list(csv.reader(io.StringIO(deliverable_bytes(None, [table(*HARMLESS)], ".csv").decode(), newline="")))
    assert [(r or [""])[0] for r in kept[1:]] == list(HARMLESS)


def test_csv_of_markdown_starts_no_formula() -> None:
    lines = deliverable_bytes("\n".join(f for f in FORMULAS if f.isprintable()), None, ".csv").decode().splitlines()
    assert all(line.lstrip('"').startswith("'") for line in lines)


def test_workbooks_hold_text_and_no_formulas_or_links() -> None:
    markdown = "# x\n\n| =a | b |\n|---|---|\n" + "".join(f"| {f.strip()} | http://a.b |\n" for f in FORMULAS[:5])
    for data in (deliverable_bytes(None, [table(*FORMULAS)], ".xlsx"), deliverable_bytes(markdown, None, ".xlsx")):
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            sheets = b"".join(book.read(n) for n in book.namelist() if "worksheets/" in n)
        assert b"<f>" not in sheets
        assert b"hyperlink" not in sheets.lower()


def test_word_files_link_and_fetch_nothing() -> None:
    markdown = "[x](http://127.0.0.1/a) ![y](file:///etc/passwd) <script>alert(1)</script> {{ INCLUDETEXT }}\n"
    for suffix in (".docx", ".pptx"):
        with zipfile.ZipFile(io.BytesIO(deliverable_bytes(markdown, None, suffix))) as package:
            relations = b"".join(package.read(n) for n in package.namelist() if n.endswith(".rels"))
        assert b'TargetMode="External"' not in relations


def desk(tmp_path: Path) -> ToolRegistry:
    room, workspace = tmp_path / "matter" / "documents", tmp_path / "work"
    room.mkdir(parents=True)
    (workspace / "output").mkdir(parents=True)
    (room / "lease.txt").write_text("The rent is $900.")
    (room.parent / "task.json").write_text('{"criteria": "CANARY"}')
    (tmp_path / "sealed").mkdir()
    (tmp_path / "sealed" / "x.json").write_text("CANARY")
    (workspace / "way-out").symlink_to(tmp_path)
    (workspace / "one.json").symlink_to(room.parent / "task.json")
    return ToolRegistry(Desk(roots=(workspace.resolve(),), workspace=workspace))


WAYS_OUT = (
    "../matter/task.json",
    "way-out/sealed/x.json",
    "WAY-OUT/sealed/x.json",
    "one.json",
    "output/../../sealed/x.json",
    "~/x",
    "/etc/passwd",
    "/proc/self/environ",
    "file:///etc/passwd",
    "a\x00b",
    "",
)


@pytest.mark.parametrize("path", [*WAYS_OUT, "{tmp}/sealed/x.json", "{tmp}/matter/task.json"])
@pytest.mark.parametrize(
    ("tool", "key"),
    [
        ("read", "path"),
        ("number_scan", "path"),
        ("docx_inspect", "path"),
        ("eml_inspect", "path"),
        ("pdf_inspect", "path"),
        ("xlsx_inspect", "path"),
        ("search", "sources"),
        ("reconcile_numbers", "sources"),
        ("audit_all", "draft"),
    ],
)
def test_no_tool_reads_outside_its_roots(tmp_path: Path, path: str, tool: str, key: str) -> None:
    registry = desk(tmp_path)
    given = {key: path.replace("{tmp}", str(tmp_path))}
    required = registry.schema(tool).get("required", [])
    given |= {name: "rent" for name in required if name != key}
    with pytest.raises(SolonError) as caught:
        registry.call(tool, given)
    assert "CANARY" not in str(caught.value)


@pytest.mark.parametrize(
    "path", ["../x.md", "output/../../x.md", "way-out/x.md", "/tmp/x.md", "..", "output", "a/../../x.md"]
)
def test_no_deliverable_lands_outside_output(tmp_path: Path, path: str) -> None:
    registry = desk(tmp_path)
    (tmp_path / "work" / "output" / "way-out").symlink_to(tmp_path)
    for name in (path, f"way-out/{path}" if path == "way-out/x.md" else path):
        try:
            registry.call("build_deliverable", {"path": name, "markdown": "x"})
        except SolonError:
            continue
    written = [p for p in tmp_path.rglob("x.md") if "output" not in p.parts]
    assert written == []


def test_a_link_in_output_is_replaced_or_refused_never_written_through(tmp_path: Path) -> None:
    registry = desk(tmp_path)
    victim = tmp_path / "victim.md"
    victim.write_text("mine")
    (tmp_path / "work" / "output" / "memo.md").symlink_to(victim)
    with pytest.raises(SolonError):
        registry.call("build_deliverable", {"path": "memo.md", "markdown": "theirs"})
    assert victim.read_text() == "mine"


def test_an_agent_at_a_data_room_cannot_overwrite_its_documents(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    (room / "lease.md").write_text("the original")
    registry = ToolRegistry(Desk(roots=(room.resolve(),)))
    with pytest.raises(SolonError) as caught:
        registry.call("build_deliverable", {"path": "lease.md", "markdown": "x"})
    assert caught.value.failure.cause is FailureCause.POLICY
    assert (room / "lease.md").read_text() == "the original"
    for _ in range(2):  # a deliverable of its own may be revised
        registry.call("build_deliverable", {"path": "output/memo.md", "markdown": "x"})
