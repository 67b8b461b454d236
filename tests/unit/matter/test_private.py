"""What Solon keeps to itself is entered by its owner alone, and is known by where a path really leads."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tasks.matter.private import MARKER, is_judging_file, keep_private, why_private


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o707, 0o701, 0o500])
def test_a_folder_that_was_there_is_closed_to_others_and_keeps_what_it_holds(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "ours"
    folder.mkdir()
    (folder / "draft.md").write_text("kept")
    folder.chmod(mode)
    assert keep_private(folder) == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / "draft.md").read_text() == "kept"
    assert stat.S_IMODE((folder / MARKER).stat().st_mode) == 0o600
    assert why_private(folder / "draft.md")


def test_a_marker_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / MARKER).symlink_to("nowhere")  # written through, it would make a file in another place
    keep_private(tmp_path)
    assert (tmp_path / MARKER).readlink() == Path("nowhere")
    assert not (tmp_path / "nowhere").exists()
    assert why_private(tmp_path / "x")


@pytest.mark.parametrize(
    "name", ["task.json", "checklist.json", "Scores.JSON", "a/b/judgement.json", "a\\b\\task.json"]
)
def test_files_that_say_how_work_is_judged_are_known_by_name(name: str) -> None:
    assert is_judging_file(name)


@pytest.mark.parametrize("name", ["task.json.md", "my-task.json", "task.json/lease.txt", "tasks.json"])
def test_other_files_are_not(name: str) -> None:
    assert not is_judging_file(name)


def test_only_a_desk_of_a_running_attempt_opens_a_folder_of_ours(tmp_path: Path) -> None:
    keep_private(tmp_path / "runs")
    running, ended = tmp_path / "runs" / ".1.partial-7", tmp_path / "runs" / "1"
    for folder in (running, ended):
        folder.mkdir()
        (folder / "memo.md").write_text("x")
    assert not why_private(running / "memo.md", desks=(running,))
    assert why_private(running / "memo.md")
    assert why_private(ended / "memo.md", desks=(ended,))
    assert why_private(ended / "memo.md", desks=(running,))
    (running / "link.md").symlink_to(ended / "memo.md")
    assert why_private(running / "link.md", desks=(running,))


def test_a_running_attempt_sees_the_checklist_that_it_wrote_and_no_other(tmp_path: Path) -> None:
    keep_private(tmp_path / "runs")
    running = tmp_path / "runs" / ".1.partial-7"
    for folder in (running / "output", running / "documents", tmp_path / "runs" / "task"):
        folder.mkdir(parents=True)
        (folder / "checklist.json").write_text("{}")
    written = running / "output" / "checklist.json"
    assert not why_private(written, desks=(running,))
    assert why_private(written)
    assert why_private(running / "documents" / "checklist.json", desks=(running,))
    (running / "output" / "task.json").write_text("{}")
    assert why_private(running / "output" / "task.json", desks=(running,))
    written.unlink()
    written.symlink_to(tmp_path / "runs" / "task" / "checklist.json")
    assert why_private(written, desks=(running,))
    (running / "output" / "list.json").symlink_to(tmp_path / "runs" / "task" / "checklist.json")
    assert why_private(running / "output" / "list.json", desks=(running,))


def test_folders_of_ours_are_known_by_mark_by_name_or_by_settings(tmp_path: Path) -> None:
    for folder in ("room", "known", ".solon"):
        (tmp_path / folder / "deep").mkdir(parents=True)
        (tmp_path / folder / "deep" / "a.txt").write_text("x")
    places = (tmp_path / "room" / ".." / "known",)
    for folder, private in (("room", False), ("known", True), (".solon", True)):
        for path in ("deep/a.txt", "deep", "", "deep/../deep/absent"):
            assert bool(why_private(tmp_path / folder / path, places=places)) is private, (folder, path)
    assert not why_private(tmp_path / "known" / "deep" / "a.txt")
    assert why_private(tmp_path / "known", places=(tmp_path / "known",))
    (tmp_path / "room" / "link").symlink_to(tmp_path / ".solon")
    assert why_private(tmp_path / "room" / "link" / "deep")
    (tmp_path / "room" / "memo.md").symlink_to(tmp_path / "room" / "task.json")
    assert "rubric" in why_private(tmp_path / "room" / "memo.md")
    assert "rubric" in why_private(tmp_path / "room" / "Task.json")


def test_a_second_name_of_a_file_of_ours_is_that_file(tmp_path: Path) -> None:
    ours, room = keep_private(tmp_path / "ours" / "deep").parent, tmp_path / "room"
    room.mkdir()
    (ours / "deep" / "draft.md").write_text("x")
    (room / "hard.md").hardlink_to(ours / "deep" / "draft.md")
    (room / "lease.md").write_text("y")
    (room / "twice.md").hardlink_to(room / "lease.md")
    assert "is a link" in why_private(room / "hard.md", places=(ours,))
    assert "is a link" in why_private(room / "hard.md", places=(tmp_path / "absent", ours / "deep" / "draft.md"))
    assert why_private(room / "twice.md", places=(ours,)) == ""
    assert why_private(room / "absent.md", places=(ours,)) == ""
    assert why_private(room, places=(ours,)) == ""
