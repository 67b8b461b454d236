"""The figures of the source: each is told of a small house in which it is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.bench.house.figures import measure_house, render

MATTER = '''"""A matter."""

import re


def words(text: str) -> list[str]:
    """Say the words.

    They are split.
    """
    # no line of code
    return re.findall("[a-z]+", text)[:17]
'''
DRAFT = """from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flows.run import go

def draft():
    from tasks.matter import words
    try:
        return words.words("a")[:2]
    except Exception:
        return []
"""
SAME = "\n".join(f"x{n} = {n % 2}" for n in range(6))


@pytest.fixture
def house(tmp_path: Path) -> Path:
    files = {
        "tasks/__init__.py": "",
        "tasks/matter/__init__.py": "",
        "tasks/matter/words.py": MATTER,
        "tasks/drafting/draft.py": DRAFT,
        "flows/run.py": "from tasks.drafting.draft import draft\n\ndef go():\n    return draft()\n",
        "warehouse/one.py": SAME,
        "warehouse/two.py": f"y = 0\n{SAME}",
        "tests/unit/drafting/test_draft.py": "def test_it():\n    assert True\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_figures_of_a_small_house(house: Path) -> None:
    found = measure_house(house)
    matter, draft = found["rooms"]["tasks.matter"], found["rooms"]["tasks.drafting"]
    assert (matter["modules"], matter["lines"], matter["code"]) == (2, 12, 3)  # no docstring, no comment, no blank line
    assert (matter["functions"], matter["function_median"], matter["patterns"]) == (1, 7, 1)
    assert matter["numbers_per_1000"] == pytest.approx(1000 / 3, abs=0.1)
    assert (draft["wide_excepts"], draft["numbers_per_1000"]) == (1, 0.0)  # 2 is no number that asks for a reason
    assert found["rooms"]["warehouse"]["twice_per_1000"] == pytest.approx(1000 * 12 / 13, abs=0.1)
    assert found["test_to_code"]["tasks.drafting"] == pytest.approx(2 / 9, abs=0.01)


def test_imports_lead_down_and_those_of_type_checkers_do_not_count(house: Path) -> None:
    found = measure_house(house)
    assert found["imports"] == {"flows": {"tasks.drafting": 1}, "tasks.drafting": {"tasks.matter": 1}}
    assert (found["upward"], found["circles"]) == ([], [])
    (house / "tasks/matter/words.py").write_text("from tasks.drafting.draft import draft\n")
    found = measure_house(house)
    assert found["upward"] == ["tasks.matter -> tasks.drafting: 1"]
    assert set(found["circles"]) == {"tasks.drafting.draft", "tasks.matter.words"}
    assert "circles: tasks.drafting.draft; tasks.matter.words" in render(found)
