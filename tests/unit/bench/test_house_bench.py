"""The figures of the source: each is told of a small house in which it is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.bench.house.figures import PACKAGES, measure_house, render
from flows.bench.house.thresholds import unexplained

ROOT = Path(__file__).parents[3]
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


UNEXPLAINED = {
    "def f(x):\n    return len(x) > 40\n": [2],
    "def f(x):\n    return x >= 0.6 * len(x)\n": [2],
    "def f(x):\n    return text[max(0, x - 30) :]\n": [2],
    "def f(x):\n    return min(x, 3, 2)\n": [2],
    "_FAR = 40\n": [1],
    "_NEAR, _FAR = 4, 40\n": [1],
    "_NEAR = 3  # characters\n_FAR = 40\n": [2],
}
EXPLAINED = (
    "_FAR = 40  # characters; chosen by eye\n\ndef f(x):\n    return len(x) > _FAR\n",
    "# Both in characters.\n_NEAR = 4\n_FAR = 40\n",
    '_FAR = 40\n"""Characters."""\n',
    "_ONE = 1\n_WHOLE = 100\n",
    '_LINE = "-" * 40\n',
    "def f(x):\n    return len(x) > 40  # the width of a page\n",
    "def f(x):\n    # The width of a page.\n    return len(x) > 40\n",
    "def f(x):\n    return x.status == 404 or 0 < x <= 1 or chance.random() < 0.4\n",
)


@pytest.mark.parametrize(("source", "lines"), UNEXPLAINED.items())
def test_a_number_that_decides_asks_for_a_reason(source: str, lines: list[int]) -> None:
    assert unexplained(source) == lines


@pytest.mark.parametrize("source", EXPLAINED)
def test_a_number_with_a_name_and_a_reason_asks_for_nothing(source: str) -> None:
    assert unexplained(source) == []


def test_every_threshold_of_the_house_has_a_name_and_a_reason() -> None:
    """Thresholds carry a reason or a measurement: a comment at the constant, or in the line that compares."""
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    found = [f"{f.relative_to(ROOT)}:{at}" for f in files for at in unexplained(f.read_text(encoding="utf-8"))]
    assert len(files) > 1000
    assert not found, found
