"""The layers of the house hold: import-linter over the project's contracts, and no circles of files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import grimp
import pytest


def test_the_layers_hold(project: Path) -> None:
    tool = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run(
        [str(tool), "--no-cache"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "0 broken" in done.stdout


def circles(*packages: str) -> list[str]:
    """Return the modules that import each other in a circle, with what of it they import.

    Imports inside functions count; those for type checkers alone do not.
    """
    graph = grimp.build_graph(*packages, exclude_type_checking_imports=True, cache_dir=None)
    left = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    while True:
        imported = set().union(*left.values()) if left else set()
        ends = [module for module, needs in left.items() if not needs or module not in imported]
        if not ends:
            return [f"{module} -> {', '.join(sorted(needs))}" for module, needs in sorted(left.items())]
        left = {module: needs - set(ends) for module, needs in left.items() if module not in ends}


def test_no_modules_import_each_other_in_a_circle(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(project))
    assert circles("flows", "tasks", "knowledge_db", "skills_repo", "warehouse") == []


@pytest.mark.parametrize(
    ("back", "found"),
    [
        ("def later():\n    from planted.one import X\n", ["planted.one -> planted.two", "planted.two -> planted.one"]),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from planted.one import X\n", []),
        ("", []),
    ],
)
def test_a_planted_circle_is_found(
    back: str, found: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "planted"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text("from planted.two import Y\nX = 1\n")
    (package / "two.py").write_text(back + "Y = 2\n")
    (package / "three.py").write_text("from planted.two import Y\n")  # leads to the circle, and is not of it
    monkeypatch.syspath_prepend(str(tmp_path))
    assert circles("planted") == found
