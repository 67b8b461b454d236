"""Months, number words and legal forms of companies are written in ``tasks/legaltext`` and nowhere else."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.legaltext import months, names
from tasks.legaltext.numbers import spelling

ROOT = Path(__file__).parents[3]
FLOOR = ROOT / "tasks" / "legaltext"
MODULES = [p for room in ("tasks", "flows") for p in sorted((ROOT / room).rglob("*.py")) if FLOOR not in p.parents]
# Words of other trades that happen to be spelled like a month, or like a legal form.
TABLES = {
    "months": (frozenset({*months.NAMES, *months.ABBREVIATIONS}) - {"may", "mar"}, 6),
    "number words": (frozenset(spelling.CARDINALS), 8),
    "legal forms": (names.FORM_WORDS - {"company", "limited", "co", "as", "ab", "sa", "pc", "na"}, 6),
}


def written(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string, and of each collection's strings together."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict | ast.JoinedStr):
            parts = [part for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            yield node.lineno, " ".join(part.value for part in parts)


def named(text: str) -> set[str]:
    """Return the tables of which a text holds so many words that it is a copy."""
    plain = re.sub(r"\\+[A-Za-z]", " ", text).replace("\\", "").replace(".", "")
    words = set(re.findall(r"[a-z]+", plain.lower()))
    return {name for name, (table, most) in TABLES.items() if len(words & table) >= most}


def copies(source: str) -> set[tuple[int, str]]:
    """Return the line and the name of each table that a module writes again."""
    if not named(source):
        return set()  # not worth a parse: all of its words together are no copy
    return {(line, name) for line, text in written(ast.parse(source)) for name in named(text)}


def test_no_table_of_the_floor_is_written_elsewhere():
    assert len(MODULES) > 500
    found = {m.relative_to(ROOT).as_posix(): copies(m.read_text(encoding="utf-8")) for m in MODULES}
    assert {name: tables for name, tables in found.items() if tables} == {}


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("M = ('January', 'February', 'March', 'April', 'June', 'July')", "months"),
        ("M = re.compile(r'(?:Jan(?:uary)?|Feb|Apr|Jun|Jul|Aug)')", "months"),
        (
            "W = {'one': 1, 'two': 2, 'three': 3, 'four': 4, 'five': 5, 'six': 6, 'seven': 7, 'eight': 8}",
            "number words",
        ),
        ("W = 'one two three four five six seven eight'.split()", "number words"),
        ("S = rf'(?:Inc|Corp|LLC|L\\.L\\.P|Ltd|GmbH){x}'", "legal forms"),
    ],
)
def test_a_copy_is_found(source, name):
    assert {found for _, found in copies(source)} == {name}
