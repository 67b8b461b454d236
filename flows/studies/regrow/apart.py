"""The difference between the shipped and the empty harness, as candidate edits within the bounds of the gates.

Each edit is of one surface. A provision and a handful of inference rows are files of their own, so that an edit is
independent of the others and taken back alone. A provision comes whole, with all its lists: half of its cues find
half of its clauses, and may gain nothing. What an edit may not bring (patterns with numbers, patterns beyond the
bound) follows in pieces, each of which is made from the one before.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from skills_repo.release_gates import FILE as GATES_FILE
from tasks.harness import HarnessRef
from tasks.learning.gates import MAX_CHANGED_LINES, MAX_NEW_LINES
from tasks.learning.harness_gates import EDITABLE_ROLES
from tasks.learning.knowledge.gates import MAX_NEW_PATTERNS, MAX_PATTERNS, MAX_ROWS, number_in
from tasks.learning.proposers.catalogue import CatalogueEdit
from tasks.matter.reasons import Reason

LISTS: Final = ("headings", "strong", "support", "against", "veto", "asked", "unasked")
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
_ITEM: Final = re.compile(r"^\s+'.*',?\s*$")  # a pattern; example questions stand in double quotation marks
_FIELD: Final = re.compile(rf"^({'|'.join(LISTS)}) = \[.*\]\s*$")
_COMMENTS_AFTER: Final = re.compile(r"\s*(?:^#.*\s*)*\Z", re.MULTILINE)
_SECTION: Final = re.compile(r"^\[(\w+)\]\n(?:.*\n)*?(?=^\[|\Z)", re.MULTILINE)


class Bound(NamedTuple):
    """What one edit of the catalogue of provisions may bring: new patterns, and lines."""

    patterns: int
    lines: int


NEW_FILE: Final = Bound(MAX_NEW_PATTERNS, MAX_NEW_LINES)
CHANGE: Final = Bound(MAX_PATTERNS, MAX_CHANGED_LINES)


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
                what = "its words and cues" if part == 1 else f"further cues ({part})"
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


def pieces(block: str, first: Bound = NEW_FILE, later: Bound = CHANGE) -> list[str]:
    """Return a provision as it grows: each text holds the one before and more patterns, as many as an edit may bring.

    It comes whole where that is within the bounds, but for patterns with a number in them, which no edit may bring:
    they come last, so that they take no other with them. A list whose items stand line by line is filled up.
    """
    rows = [row for line in block.splitlines(keepends=True) for row in _opened(line, later.patterns)]
    weights = [_patterns(row) for row in rows]
    now = {at for at, weight in enumerate(weights) if not weight}
    room, space = first.patterns - sum(len(_SINGLE.findall(rows[at])) for at in now), first.lines - len(now)
    waiting = sorted((at for at, weight in enumerate(weights) if weight), key=lambda at: _numbered(rows[at]))
    grown: list[str] = []
    while waiting:
        taken: list[int] = []
        while waiting and weights[waiting[0]] <= room and space > 0:
            if taken and _numbered(rows[waiting[0]]) != _numbered(rows[taken[-1]]):
                break
            room, space = room - weights[waiting[0]], space - 1
            taken.append(waiting.pop(0))
        if not taken and room == later.patterns:
            raise ValueError(f"a line holds more than {room} patterns: {rows[waiting[0]][:60]}")
        now.update(taken)
        grown.append("".join(rows[at] for at in sorted(now)))
        room, space = later
    return grown or [block]


def _opened(line: str, most: int) -> list[str]:
    """Return a list of more patterns than an edit may bring with an item on each line; any other line as it is."""
    if _patterns(line) <= most:
        return [line]
    field = line.split(" =", maxsplit=1)[0]
    return [f"{field} = [\n", *(f"  {item},\n" for item in _LITERAL.findall(line)), "]\n"]


def _patterns(row: str) -> int:
    """Return how many patterns a line holds that may come later; 0 for one that belongs to the first piece."""
    return len(_cues(row))


def _numbered(row: str) -> bool:
    return any(map(number_in, _cues(row)))


def _cues(row: str) -> list[str]:
    """Return the patterns of a line that may come later: an item of a list, or a list that stands in one line."""
    listed = f"items = [{row.strip()}]" if _ITEM.match(row) else row if _FIELD.match(row) else "items = []"
    return [str(cue) for cue in next(iter(tomllib.loads(listed).values()))]


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
