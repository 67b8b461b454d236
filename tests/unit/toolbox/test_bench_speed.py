"""The bench of tools: formats in turn, other converters beside ours or said to be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.release.build import build_deliverable
from tasks.toolbox.bench_others import compare
from tasks.toolbox.bench_speed import measure_speed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for n in range(3):
        build_deliverable(f"# Lease {n}\n\nThe rent is $5,000 due within 30 days.", None, tmp_path / f"lease{n}.docx")
    (tmp_path / "note.txt").write_text("The rent is $5,000.\n", encoding="utf-8")
    return tmp_path


def test_every_format_is_in_a_small_sample(folder: Path) -> None:
    result = measure_speed(folder, 2)
    assert set(result["readers"]) == {"docx", "txt"}
    assert set(result["scanners"]) == {"number_scan", "date_scan", "citation_scan"}
    assert result["bytes"] == 1_000_000


def test_other_converters_are_compared_or_said_to_be_missing(folder: Path) -> None:
    from tasks.sources.texts import read_file

    files = sorted(folder.glob("*.docx"))
    beside = compare(files, {f: (read_file(f).text, 0.001) for f in files})
    assert set(beside) == {"pandoc", "markitdown"}
    for found in beside.values():
        if not found["installed"]:
            assert found["note"] == "not installed"
            continue
        assert found["files"] == 3
        assert found["our_recall_of_its_words"] == 1.0
        assert found["times_faster"] > 1
