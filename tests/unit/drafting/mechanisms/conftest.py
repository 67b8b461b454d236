"""An attempt to try mechanisms on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tasks.drafting.mechanisms.records import Mechanism, View
from tasks.drafting.mechanisms.registry import mechanisms_of
from tasks.drafting.records import Cell
from tasks.harness import packaged
from tasks.release.build.deliverable import deliverable_bytes

MakeView = Callable[..., View]


@pytest.fixture
def attempt(tmp_path: Path) -> MakeView:
    """Return what makes a view: files of the output and of the scratch folder by name, and whatever a view holds."""

    def make(output: dict[str, str | bytes] | None = None, scratch: dict[str, str] | None = None, **rest: Any) -> View:
        for folder, files in (("output", output or {}), ("scratch", scratch or {})):
            for name, content in files.items():
                path = tmp_path / folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        (tmp_path / "output").mkdir(exist_ok=True)
        given = {"brief": "Review the lease.", "wanted": ("memo.docx",), "documents": {}, **rest}
        return View(output=tmp_path / "output", scratch=tmp_path / "scratch", **given)

    return make


@pytest.fixture
def mechanism() -> Callable[..., Any]:
    """Return what makes a mechanism by its name, with a builder unless told otherwise."""

    def make(name: str, build: Callable[[str, str], bytes] | None = built) -> Mechanism:
        cell = Cell(name="c", runtime="basic", options={"mechanisms": {name: True}})
        return next(m for m in mechanisms_of(cell, packaged(), build) if m.name == name)

    return make


def built(markdown: str, name: str) -> bytes:
    """Return the bytes of a deliverable."""
    return deliverable_bytes(markdown, None, Path(name).suffix)


@pytest.fixture
def docx() -> Callable[[str], bytes]:
    """Return what builds a Word file."""
    return lambda markdown: built(markdown, "x.docx")
