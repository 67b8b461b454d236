"""The version of our own code: what it follows, and what it leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.matter import code
from tasks.matter.code import code_version


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small house: reader -> words (deep in a function, in brackets) -> table; another reader beside it."""
    files = {
        "tasks/__init__.py": "",
        "tasks/read/__init__.py": "",
        "tasks/read/one.py": "def read():\n    from tasks.words import (\n        table,\n    )\n    return table\n",
        "tasks/read/two.py": "import tasks.other\n",
        "tasks/words/__init__.py": "",
        "tasks/words/table.py": "import re\n",
        "tasks/words/rows.csv": "a,b\n",
        "tasks/words/unused.py": "",
        "tasks/other.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(code, "_ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("names", "edited", "changes"),
    [
        (["tasks.read.one"], "tasks/read/one.py", True),
        (["tasks.read.one"], "tasks/words/table.py", True),
        (["tasks.read.one"], "tasks/words/rows.csv", True),
        (["tasks.read.one"], "tasks/words/__init__.py", True),
        (["tasks.read.one"], "tasks/words/unused.py", False),
        (["tasks.read.one"], "tasks/read/two.py", False),
        (["tasks.read.one"], "tasks/other.py", False),
        (["tasks.read"], "tasks/read/two.py", True),
        (["tasks.read"], "tasks/other.py", True),
        (["tasks.read"], "tasks/read/__pycache__/one.py", False),
    ],
)
def test_what_a_version_follows(tree: Path, names: list[str], edited: str, changes: bool) -> None:
    code_version.cache_clear()
    before = code_version(*names)
    assert code_version(*names) == before
    code_version.cache_clear()
    (tree / edited).parent.mkdir(exist_ok=True)
    (tree / edited).write_text("# edited\n" + ((tree / edited).read_text() if (tree / edited).exists() else ""))
    assert (code_version(*names) != before) is changes
    code_version.cache_clear()


def test_no_such_module_is_an_error(tree: Path) -> None:
    with pytest.raises(ModuleNotFoundError):
        code_version("tasks.nowhere")


def test_the_stages_follow_the_floor_and_the_data_packages_but_no_judge() -> None:
    from flows.runs.orders import stages_version

    seen: list[Path] = []
    real = Path.read_bytes
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "read_bytes", lambda path: (seen.append(path), real(path))[1])
        code_version.cache_clear()
        stages_version()
    names = {p.relative_to(code._ROOT).as_posix() for p in seen}
    assert {"tasks/legaltext/tokens.py", "knowledge_db/base.py", "skills_repo/router.py", "tasks/harness.py"} <= names
    assert {"tasks/sources/readers/pdf/reader.py", "tasks/drafting/runtimes/api.py"} <= names
    assert not [n for n in names if n.startswith(("tasks/judging", "tasks/learning", "flows"))]
