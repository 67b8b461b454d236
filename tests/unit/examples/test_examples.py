"""The example corpus: as its sources say, in every format, and loadable without a problem."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tasks.matter.loading import load_corpus


def written(root: Path) -> dict[str, bytes]:
    return {
        p.relative_to(root).as_posix(): p.read_bytes()
        for p in sorted(root.rglob("*"))
        if (p.is_file() and "documents" in p.parts) or p.name == "task.json"
    }


def test_the_committed_matters_are_what_the_sources_give(project, tmp_path):
    runpy.run_path(str(project / "examples" / "make_examples.py"))["main"](tmp_path)
    fresh, committed = written(tmp_path), written(project / "examples")
    assert fresh.keys() == committed.keys()
    assert [name for name in fresh if fresh[name] != committed[name]] == []


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    root = Path(__file__).resolve().parents[3] / "examples"
    return load_corpus(root, tmp_path_factory.mktemp("sealed"))


def test_six_matters_in_six_areas(corpus):
    assert not corpus.problems
    assert len(corpus.matters) >= 6
    assert len({m.area for m in corpus.matters}) >= 6


def test_every_document_format_is_there(corpus):
    suffixes = {Path(d.name).suffix for m in corpus.matters for d in m.documents}
    assert suffixes >= {".docx", ".xlsx", ".pptx", ".eml", ".pdf", ".txt", ".md", ".csv", ".html", ".json"}
