"""The shipped harness less the empty one, as candidate edits within the bounds of the gates.

Each edit is of one surface. A provision and a handful of inference rows are files of their own, so that an edit is
independent of the others and taken back alone; a provision of many patterns comes in pieces, each of which is made
from the one before.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from skills_repo.release_gates import FILE as GATES_FILE
from tasks.harness import HarnessRef
from tasks.learning.gates import MAX_CHANGED_LINES
from tasks.learning.harness_gates import EDITABLE_ROLES
from tasks.learning.knowledge.gates import MAX_PATTERNS, MAX_ROWS, number_in
from tasks.learning.proposers.catalogue import CatalogueEdit
from tasks.matter.reasons import Reason

LISTS: Final = ("headings", "strong", "support", "against", "veto", "asked", "unasked", "posed")
# What a criterion lacks where no provision of the catalogue gives the answer; of the other kinds it is a date.
_ANSWERS: Final = {
    "clause": Reason.WORDS_NOT_CONVEYED,
    "title": Reason.ANSWER_WRONG,
    "parties": Reason.ANSWER_WRONG,
    "law": Reason.ANSWER_WRONG,
}
_OF_SKILLS: Final = Reason.ABSENCE_NOT_STATED  # a procedure says what was not found
_SINGLE: Final = re.compile(r"\b(?:denial|within|when) = ")
_LITERAL: Final = re.compile(r"'[^']*'")  # lists as long as that hold plain texts alone
_ITEM: Final = re.compile(r"""^\s+['"].*['"],?\s*$""")
_FIELD: Final = re.compile(rf"^({'|'.join(LISTS)}) = \[.*\]\s*$")
_COMMENTS_AFTER: Final = re.compile(r"\s*(?:^#.*\s*)*\Z", re.MULTILINE)
_SECTION: Final = re.compile(r"^\[(\w+)\]\n(?:.*\n)*?(?=^\[|\Z)", re.MULTILINE)


def taken_apart(shipped: HarnessRef, empty: HarnessRef) -> list[CatalogueEdit]:
    """Return the edits that lead from the empty harness to the shipped one, pieces of one file in their order."""
    return [
        *_provisions(shipped.knowledge),
        *_inference(shipped.knowledge),
        *_skills(shipped.skills, empty.skills),
        *_prompts(shipped.skills, empty.skills),
        *_gates(shipped.skills, empty.skills),
    ]


def _provisions(knowledge: Path) -> Iterator[CatalogueEdit]:
    for path in sorted((knowledge / "provisions").glob("*.toml")):
        for number, block in enumerate(blocks(path.read_text("utf-8"), "provision")):
            entry = tomllib.loads(block)["provision"][0]
            name, reason = entry["name"], _ANSWERS.get(entry.get("answer", "clause"), Reason.DATE_WRONG)
            where = f"provisions/{path.stem}-{number:02}-{_slug(name)}.toml"
            before = ""
            for part, after in enumerate(pieces(block), start=1):
                what = "its words and first cues" if part == 1 else f"further cues ({part})"
                yield CatalogueEdit(
                    surface="knowledge", path=where, before=before, after=after,
                    rationale=f"the provision {name}: {what}", reason=reason,
                )  # fmt: skip
                before = after


def _inference(knowledge: Path) -> Iterator[CatalogueEdit]:
    for path in sorted((knowledge / "inference").glob("*.toml")):
        rows = blocks(path.read_text("utf-8"), "row")
        for number, at in enumerate(range(0, len(rows), MAX_ROWS)):
            some = rows[at : at + MAX_ROWS]
            kinds = dict.fromkeys(tomllib.loads(row)["row"][0]["document_type"] for row in some)
            yield CatalogueEdit(
                surface="knowledge", path=f"inference/{path.stem}-{number:03}.toml", after="".join(some),
                rationale=f"what tells a document of these kinds, part {number} of {path.stem}: {', '.join(kinds)}",
            )  # fmt: skip


def blocks(text: str, table: str) -> list[str]:
    """Return the tables of an array, each as text; comments between them are left out."""
    found = re.split(rf"^\[\[{table}\]\]\n", text, flags=re.MULTILINE)[1:]
    return [f"[[{table}]]\n{_COMMENTS_AFTER.sub('', one)}\n" for one in found]


def pieces(block: str, most: int = MAX_PATTERNS, lines: int = MAX_CHANGED_LINES) -> list[str]:
    """Return a provision as it grows: each text holds the one before and at most ``most`` patterns more.

    Fields that hold no list of patterns come with the first; a list whose items stand line by line is filled up.
    """
    rows = [row for line in block.splitlines(keepends=True) for row in _opened(line, most)]
    weights = [_patterns(row) for row in rows]
    now = {at for at, weight in enumerate(weights) if not weight}
    room, space = most - sum(len(_SINGLE.findall(rows[at])) for at in now), lines - len(now)
    # A pattern with a number in it is refused: it comes last, so that it takes no other with it.
    waiting = sorted((at for at, weight in enumerate(weights) if weight), key=lambda at: number_in(rows[at]))
    grown: list[str] = []
    while waiting:
        taken: list[int] = []
        while waiting and weights[waiting[0]] <= room and space > 0:
            if taken and number_in(rows[waiting[0]]) != number_in(rows[taken[-1]]):
                break
            room, space = room - weights[waiting[0]], space - 1
            taken.append(waiting.pop(0))
        if not taken and room == most:
            raise ValueError(f"a line holds more than {most} patterns: {rows[waiting[0]][:60]}")
        now.update(taken)
        grown.append("".join(rows[at] for at in sorted(now)))
        room, space = most, lines
    return grown or [block]


def _opened(line: str, most: int) -> list[str]:
    """Return a list of more patterns than an edit may bring with an item on each line; any other line as it is."""
    if _patterns(line) <= most:
        return [line]
    field = line.split(" =", maxsplit=1)[0]
    return [f"{field} = [\n", *(f"  {item},\n" for item in _LITERAL.findall(line)), "]\n"]


def _patterns(row: str) -> int:
    """Return how many patterns a line holds that may come later; 0 for one that belongs to the first piece."""
    if _ITEM.match(row):
        return len(tomllib.loads(f"items = [{row.strip()}]")["items"])
    return len(tomllib.loads(row)[row.split(" =", maxsplit=1)[0]]) if _FIELD.match(row) else 0


def _skills(shipped: Path, empty: Path) -> Iterator[CatalogueEdit]:
    for path in sorted((shipped / "skills").glob("*/*/SKILL.md")):
        where, text = path.relative_to(shipped).as_posix(), path.read_text("utf-8")
        if (empty / where).is_file():
            continue
        name = re.search(r'^name = "(.+)"$', text, re.MULTILINE)
        told = f"the skill {name[1] if name else path.parent.name}"
        yield CatalogueEdit(
            surface="skills", path=where, after=text, rationale=f"{told}: what it is for, and how", reason=_OF_SKILLS
        )


def _prompts(shipped: Path, empty: Path) -> Iterator[CatalogueEdit]:
    for role in EDITABLE_ROLES:
        where = f"prompts/{role}.md"
        before, after = ((root / where).read_text("utf-8") for root in (empty, shipped))
        if before != after:
            yield CatalogueEdit(
                surface="agents", path=where, before=before, after=after,
                rationale=f"the prompt of the role {role}: how to work, at length", reason=Reason.RULE_NOT_APPLIED,
            )  # fmt: skip


def _gates(shipped: Path, empty: Path) -> Iterator[CatalogueEdit]:
    texts = [(root / GATES_FILE).read_text("utf-8") for root in (empty, shipped)]
    before, after = ({found[1]: found[0] for found in _SECTION.finditer(text)} for text in texts)
    for gate in after:
        if before[gate] != after[gate]:
            yield CatalogueEdit(
                surface="agents", path=GATES_FILE, before=before[gate], after=after[gate],
                rationale=f"the gate {gate}: what it finds is shown to a lawyer",
            )  # fmt: skip


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
