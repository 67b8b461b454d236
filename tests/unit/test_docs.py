"""What the documents say of the code is there: files, names, commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flows.cli import build_parser

LINES = re.compile(r"^\| (?P<word>[^|]+) \| (?P<meaning>[^|]+) \| `(?P<path>[^`]+)`(?:: `(?P<name>[^`]+)`)? \|$", re.M)
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/glossary.md",
    "docs/decisions.md",
    "docs/questions.md",
    "docs/failures.md",
    "docs/judging.md",
    "docs/nli.md",
    "docs/learning.md",
)


def test_every_word_of_the_glossary_lives_where_it_says(project: Path) -> None:
    page = (project / "docs/glossary.md").read_text(encoding="utf-8")
    rows = list(LINES.finditer(page))
    assert len(rows) == len([n for n in page.splitlines() if n.startswith("| ")]) - page.count("| word |") > 40
    for row in rows:
        path = project / row["path"]
        assert path.is_file(), row["path"]
        assert (row["name"] or "") in path.read_text(encoding="utf-8"), row["word"]
        assert len(re.findall(r"[.!?](?= |$)", row["meaning"])) <= 3, row["word"]


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_is_there(project: Path, page: str) -> None:
    text = (project / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", text):
        assert ((project / page).parent / target).exists(), target
    roots = "flows|tasks|knowledge_db|skills_repo|warehouse|tests|deploy|examples|docs"
    for named in re.findall(rf"`((?:{roots})/[\w./-]*\w/?)`", text):
        assert (project / named).exists(), named


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_a_page_names_is_there(project: Path, page: str) -> None:
    text = (project / page).read_text(encoding="utf-8")
    said = build_parser().format_help()
    for command in set(re.findall(r"(?:`|bin/)solon ([a-z]+)", text)):
        assert re.search(rf"^ +{command}\b", said, re.M), command


def test_every_row_of_a_table_stands_in_one(project: Path) -> None:
    """A blank line within a table ends it: the rows below are shown as text."""
    for page in (*(project / "docs").glob("*.md"), project / "README.md", project / "CONTRIBUTING.md"):
        blocks = re.split(r"\n\s*\n", re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S))
        for block in blocks:
            lines = block.strip("\n").splitlines()
            begins = next((at for at, line in enumerate(lines) if line.startswith("|")), None)
            if begins is not None:
                assert lines[begins + 1 :], (page.name, block[:80])
                assert re.match(r"^\|[-:| ]+\|$", lines[begins + 1]), (page.name, block[:80])
