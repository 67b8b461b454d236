"""Deliverables copied out: the folder is tried before anything is drafted, and nothing that was there is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.matter import draft_matter
from flows.runs.matters import copy_deliverables, make_ready
from flows.settings import Settings
from tasks.matter.failures import SolonError


@pytest.fixture
def written(tmp_path: Path) -> Path:
    (tmp_path / "output" / "below").mkdir(parents=True)
    (tmp_path / "output" / "memo.md").write_text("new")
    (tmp_path / "output" / "below" / "annex.md").write_text("annex")
    return tmp_path / "output"


def test_a_file_that_was_there_is_kept_beside_the_new_one(written: Path, tmp_path: Path) -> None:
    target = tmp_path / "aus gäbe" / "x"
    make_ready(target)
    assert copy_deliverables(written, target) == ()
    assert copy_deliverables(written, target) == ()  # the same again replaces nothing
    for n in (1, 2):
        (target / "memo.md").write_text(f"edited by hand {n}")
        assert copy_deliverables(written, target) == (target / f"memo (earlier {n}).md",)
    assert (target / "memo.md").read_text() == "new"
    assert (target / "memo (earlier 1).md").read_text() == "edited by hand 1"
    assert (target / "below" / "annex.md").read_text() == "annex"


def test_a_folder_that_cannot_be_written_is_refused_beforehand(written: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(SolonError) as refused:
            make_ready(place)
        assert str(place) in refused.value.failure.line()
        assert "--output" in refused.value.failure.remedy
    with pytest.raises(SolonError) as lost:
        copy_deliverables(written, tmp_path / "file")
    assert str(written) in lost.value.failure.remedy


def test_a_format_that_nobody_writes_is_refused_before_anything_is_drafted(tmp_path: Path) -> None:
    with pytest.raises(SolonError, match="cannot be written") as caught:
        draft_matter(tmp_path / "absent", Settings(home=tmp_path / "home"), ask="Rent?", deliverables=["memo.rtf"])
    assert ".docx" in caught.value.failure.remedy
    assert not (tmp_path / "home").exists()
