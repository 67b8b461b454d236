"""The bench of tools: formats in turn, other converters beside ours or said to be missing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from flows.bench.tools.others import measure_converters
from flows.bench.tools.speed import measure_speed
from tasks.release.build.deliverable import build_deliverable
from tasks.sources.texts import read_file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for n in range(3):
        build_deliverable(f"# Lease {n}\n\nThe rent is $5,000 due within 30 days.", None, tmp_path / f"lease{n}.docx")
    (tmp_path / "note.txt").write_text("The rent is $5,000.\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_every_format_is_in_a_small_sample(folder: Path) -> None:
    result = measure_speed(folder, 2)
    assert set(result["readers"]) == {"docx", "txt"}
    assert set(result["scanners"]) == {"number_scan", "date_scan", "citation_scan"}
    assert result["bytes"] == 1_000_000


FAKE = """#!{python}
print("never started: the library is asked")
"""
LIBRARY = """
class MarkItDown:
    def convert(self, path):
        if not path.endswith((".docx", ".py")):
            raise ValueError(path)
        return type("Result", (), {"text_content": "The rent is $5,000 dueday Lease"})
"""


def beside(files: list[Path]) -> dict[str, Any]:
    return measure_converters(files, lambda path: (read_file(path).text, 0.001))


def test_other_converters_are_compared_or_said_to_be_missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOLON_MARKITDOWN", str(folder / "absent"))
    found = beside(sorted(folder.glob("*.docx")))
    assert set(found) == {"pandoc", "markitdown", "pdftotext"}
    assert found["markitdown"] == {"installed": False, "note": "not installed"}
    pandoc = found["pandoc"]
    assert pandoc["files"] == 3
    assert pandoc["our_recall_of_its_words"] == 1.0
    assert pandoc["times_faster"] > 1
    assert pandoc["in_one_call"]["documents_a_second"] > 0
    if found["pdftotext"]["installed"]:
        assert found["pdftotext"]["refused"] == {".docx": 3}


@pytest.mark.slow
def test_markitdown_is_asked_as_a_library_in_its_own_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder / "other"
    place.mkdir()
    (place / "markitdown.py").write_text(LIBRARY, encoding="utf-8")
    command = place / "markitdown"
    command.write_text(FAKE.format(python=sys.executable), encoding="utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("SOLON_MARKITDOWN", str(command))
    monkeypatch.setenv("PYTHONPATH", str(place))
    monkeypatch.setattr("flows.bench.tools.others._COMMANDS", 1)
    found = beside([folder / "lease0.docx", folder / "note.txt"])["markitdown"]
    assert (found["files"], found["refused"]) == (1, {".txt": 1})
    assert found["our_recall_of_its_words"] == pytest.approx(6 / 7, abs=1e-4)  # "dueday" is a word of its own making
    assert found["our_recall_of_agreed_words"] == 1.0
    assert found["its_recall_of_agreed_words"] < 1.0
    assert found["as_a_command"]["files"] == 1
