"""An ended attempt that was altered is noticed before it is judged again."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from flows.runs.attempts import changed_files, write_json
from tasks.drafting.records import OutputFile, WorkProduct


@pytest.fixture
def attempt(tmp_path: Path) -> Path:
    (tmp_path / "output" / "annex").mkdir(parents=True)
    files = []
    for name in ("memo.md", "annex/a.csv"):
        (tmp_path / "output" / name).write_text(name)
        files.append(OutputFile(filename=name, sha256=hashlib.sha256(name.encode()).hexdigest(), size=len(name)))
    write_json(tmp_path / "work.json", WorkProduct(files=tuple(files), outcome="finished"))
    (tmp_path / "release.json").write_text("{}")
    return tmp_path


def test_an_untouched_attempt_passes(attempt: Path) -> None:
    assert changed_files(attempt) == []


def test_what_was_altered_removed_or_added_is_named(attempt: Path) -> None:
    (attempt / "output" / "memo.md").write_text("better")
    (attempt / "output" / "annex" / "a.csv").unlink()
    (attempt / "output" / "new.md").write_text("x")
    assert changed_files(attempt) == ["annex/a.csv", "memo.md", "new.md"]


def test_a_link_in_the_place_of_a_file_is_named(attempt: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("memo.md")
    (attempt / "output" / "memo.md").unlink()
    (attempt / "output" / "memo.md").symlink_to(elsewhere)
    assert changed_files(attempt) == ["memo.md"]


def test_a_lost_or_broken_record_is_named_and_a_failed_attempt_has_none(attempt: Path) -> None:
    (attempt / "work.json").write_text("{")
    assert changed_files(attempt) == ["work.json"]
    (attempt / "work.json").unlink()
    (attempt / "release.json").unlink()
    assert changed_files(attempt) == []
