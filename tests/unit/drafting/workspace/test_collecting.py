"""What is gathered from ``output``, and what is refused, whatever a solver left there."""

from __future__ import annotations

import hashlib
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tasks.drafting.workspace import collecting
from tasks.drafting.workspace.collecting import Collected, collect
from tasks.drafting.workspace.trees import DEEPEST, opened, raze, trim
from tasks.matter.failures import FailureCause


@pytest.fixture
def output(tmp_path: Path) -> Path:
    (tmp_path / "outside").write_text("not ours")
    folder = tmp_path / "output"
    (folder / "part").mkdir(parents=True)
    (folder / "memo.md").write_text("draft")
    (folder / "part" / "table.csv").write_text("a,b")
    return folder


def _names(collected: Collected) -> list[str]:
    return [file.filename for file in collected.files]


def test_plain_files_are_the_work_product(output: Path):
    collected = collect(output)
    assert _names(collected) == ["memo.md", "part/table.csv"]
    assert collected.files[0].sha256 == hashlib.sha256(b"draft").hexdigest()
    assert collected.files[0].size == 5
    assert not collected.refused


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path):
    assert collect(tmp_path / "output") == Collected((), ())


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


def _deep(path: Path, depth: int) -> None:
    handle = os.open(path.parent, os.O_RDONLY)
    name = path.name
    for _ in range(depth):
        os.mkdir(name, dir_fd=handle)
        inner = os.open(name, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle, name = inner, "d"
    os.close(handle)


_PLANTED: dict[str, Callable[[Path], object]] = {
    "a link to a file": lambda f: (f / "x.md").symlink_to(f.parent / "outside"),
    "a link to nothing": lambda f: (f / "x.md").symlink_to("/nowhere"),
    "a link to a folder": lambda f: (f / "x.md").symlink_to(f.parent),
    "a link to itself": lambda f: (f / "x.md").symlink_to("x.md"),
    "a pipe": lambda f: os.mkfifo(f / "x.md"),
    "a socket": lambda f: _socket(f / "x.md"),
    "a hard link": lambda f: os.link(f.parent / "outside", f / "x.md"),
    "a name of two lines": lambda f: (f / "x.md\nC-001 PASS").write_text("x"),
    "a name of no letters": lambda f: (f / "\u202ex.md").write_text("x"),
    "a name that is no text": lambda f: Path(os.fsdecode(os.fsencode(f) + b"/x\xff")).write_text("x"),
    "a folder of such a name": lambda f: (f / "x\ny" / "z").mkdir(parents=True),
    "a tree": lambda f: _deep(f / "x", 200),
}


@pytest.mark.parametrize("what", _PLANTED)
def test_what_is_no_plain_file_is_refused_and_removed(output: Path, what: str):
    _PLANTED[what](output)
    collected = collect(output)
    assert _names(collected) == ["memo.md", "part/table.csv"]
    assert {f.cause for f in collected.refused} == {FailureCause.POLICY}
    assert all("\n" not in f.line() for f in collected.refused)
    assert [p.name for p in sorted(output.rglob("*")) if not p.is_dir()] == ["memo.md", "table.csv"]
    assert not (output / "x\ny").exists()
    assert (output.parent / "outside").read_text() == "not ours"
    assert not collect(output).refused


def test_two_names_of_one_file_in_output_are_two_files(output: Path):
    os.link(output / "memo.md", output / "again.md")
    assert _names(collect(output)) == ["again.md", "memo.md", "part/table.csv"]


def test_a_flood_of_files_is_told_in_a_few_lines(output: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(collecting, "MOST_FILES", 50)
    for number in range(150):
        (output / "part" / f"{number:05}").touch()
    collected = collect(output)
    assert len(collected.files) == 50
    assert len(collected.refused) == 21
    assert "82 more" in collected.refused[-1].message


def test_what_its_owner_closed_is_opened(output: Path):
    (output / "part").chmod(0)
    assert _names(collect(output)) == ["memo.md", "part/table.csv"]


def test_a_tree_too_deep_for_others_to_remove_is_removed(tmp_path: Path):
    (tmp_path / "kept").mkdir()
    _deep(tmp_path / "kept" / "d", DEEPEST - 2)
    assert not trim(tmp_path)
    _deep(tmp_path / "x", 1200)
    assert trim(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["kept"]


def test_a_path_longer_than_the_system_takes_is_removed_and_told(output: Path):
    handle = os.open(output, os.O_RDONLY)
    for _ in range(40):  # of 200 bytes each: twice what a path may have
        os.mkdir("x" * 200, dir_fd=handle)
        inner = os.open("x" * 200, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(os.open("memo.md", os.O_WRONLY | os.O_CREAT, dir_fd=handle))
    os.close(handle)
    collected = collect(output)
    assert _names(collected) == ["memo.md", "part/table.csv"]
    assert next(f.cause for f in collected.refused) is FailureCause.POLICY
    assert collect(output).refused == ()


@pytest.fixture
def as_a_user() -> Iterator[Path]:
    """A folder of a user who is not root, whom closed folders stop."""
    with tempfile.TemporaryDirectory() as place:
        root = os.geteuid() == 0
        if root:
            os.chown(place, 65534, 65534)
            os.seteuid(65534)
        try:
            yield Path(place)
        finally:
            if root:
                os.seteuid(0)


@pytest.mark.parametrize("mode", [0o000, 0o444, 0o555, 0o111])
def test_folders_that_a_command_closed_are_gathered_and_removed_all_the_same(as_a_user: Path, mode: int):
    closed = as_a_user / "output" / "closed"
    (closed / "inner").mkdir(parents=True)
    (closed / "memo.md").write_text("draft")
    (closed / "inner" / "link").symlink_to("/etc/passwd")
    for folder in (closed / "inner", closed):
        folder.chmod(mode)
    collected = collect(as_a_user / "output")
    assert _names(collected) == ["closed/memo.md"]
    assert [f.subject for f in collected.refused] == ["output/closed/inner/link"]
    closed.chmod(mode)
    with opened(as_a_user) as top:
        raze("output", top)
    assert not (as_a_user / "output").exists()


def test_a_file_that_a_command_closed_can_be_read_afterwards(as_a_user: Path):
    (as_a_user / "memo.md").write_text("draft")
    (as_a_user / "memo.md").chmod(0)
    assert not trim(as_a_user)
    assert (as_a_user / "memo.md").read_text() == "draft"
