"""Remedies in the knowledge for general failures: names and cues that one family has and another lacks.

The rules see no matter. What they add are words that the knowledge already holds in another family: a provision gets
the names that the synonyms give it, a concept those of the provision catalogue, a heading cue the provision's own name.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from tasks.learning.records import Edit
from tasks.matter.reasons import Reason

TAUGHT: Final = ("synonyms", "provisions")
_MOST: Final = 3  # words a change adds at most
Tables = Mapping[str, str]


class EditedRow(NamedTuple):
    """One row of one file with what it gains."""

    path: str
    row: str
    gains: tuple[str, ...]


class KnowledgeRule(NamedTuple):
    """A remedy in the knowledge for one general reason.

    Attributes:
        reason: The reason it answers.
        field: The field of a row that grows.
        changes: What it would add, best first.
        why: The rationale for the ledger.
    """

    reason: Reason
    field: str
    changes: Callable[[Tables], Iterator[EditedRow]]
    why: str


def edits_for(rule: KnowledgeRule, tables: Tables) -> Iterator[Edit]:
    """Yield the edits that a rule would make of these tables, best first."""
    for change in rule.changes(tables):
        before = tables[change.path]
        grow = _grow_toml if change.path.endswith(".toml") else _grow_csv
        after = grow(before, change.row, rule.field, change.gains)
        if after != before:
            gains = ", ".join(change.gains)
            rationale = f"{change.path}: {change.row}: {rule.field} + {gains}: {rule.why}"
            yield Edit(
                surface="knowledge",
                path=change.path,
                before=before,
                after=after,
                rationale=rationale,
                reason=rule.reason,
            )


def provisions_lack_names(tables: Tables) -> Iterator[EditedRow]:
    """Yield provisions that the synonyms know by further names; those that lack most come first."""
    groups = [{_plain(n): n for n in (row["concept"], *row["aliases"])} for row in _concepts(tables)]
    taken = {_plain(n) for _, row in _provisions(tables) for n in (row["name"], *row.get("aliases", ()))}
    found = []
    for path, row in _provisions(tables):
        own = {_plain(n) for n in (row["name"], *row.get("aliases", ()))}
        # The row's own name or two of its aliases must be in the group: one alias alone may mean something else.
        near = [g for g in groups if _plain(row["name"]) in g or len(own & set(g)) >= 2]
        gains = dict.fromkeys(name for group in near for plain, name in group.items() if plain not in taken)
        if gains:
            found.append((-len(gains), path, str(row["name"]), tuple(gains)))
    yield from (EditedRow(path, name, gains[:_MOST]) for _, path, name, gains in sorted(found))


def concepts_lack_names(tables: Tables) -> Iterator[EditedRow]:
    """Yield concepts that the provision catalogue knows by further names; those that lack most come first."""
    named = {_plain(row["name"]): row for _, row in _provisions(tables)}
    found = []
    for row in _concepts(tables):
        own = {_plain(n) for n in (row["concept"], *row["aliases"])}
        provision = named.get(_plain(row["concept"]))
        gains = tuple(n for n in (provision or {}).get("aliases", ()) if _plain(n) not in own and ";" not in n)
        if gains:
            found.append((-len(gains), str(row["path"]), str(row["concept"]), gains))
    yield from (EditedRow(path, concept, gains[:_MOST]) for _, path, concept, gains in sorted(found))


def provisions_lack_heading(tables: Tables) -> Iterator[EditedRow]:
    """Yield provisions whose heading cues miss a heading that is their own name."""
    for path, row in sorted(_provisions(tables), key=lambda item: (item[0], str(item[1]["name"]))):
        name, cues = str(row["name"]).lower(), row.get("headings", ())
        plain = re.fullmatch(r"[a-z]+(?:[ -][a-z]+)+", name)
        if plain and row.get("strong") and cues and not any(re.search(cue, name, re.IGNORECASE) for cue in cues):
            yield EditedRow(path, str(row["name"]), (r"\b" + r"[ -]".join(re.split(r"[ -]", name)) + r"\b",))


KNOWLEDGE_RULES: Final = (
    KnowledgeRule(
        Reason.WORDS_NOT_CONVEYED,
        "aliases",
        provisions_lack_names,
        "a provision asked for by another name was not found",
    ),
    KnowledgeRule(
        Reason.WORDS_NOT_CONVEYED, "headings", provisions_lack_heading, "a section under its own name was passed over"
    ),
    KnowledgeRule(
        Reason.WORDS_NOT_CONVEYED, "aliases", concepts_lack_names, "a query by one name misses texts that use another"
    ),
    KnowledgeRule(
        Reason.PROVISION_DENIED,
        "aliases",
        provisions_lack_names,
        "a provision asked for by another name was taken to be absent",
    ),
    KnowledgeRule(
        Reason.PROVISION_DENIED, "headings", provisions_lack_heading, "what stands under its own heading is not absent"
    ),
    KnowledgeRule(
        Reason.ANSWER_WRONG, "aliases", concepts_lack_names, "a query by one name misses texts that use another"
    ),
    KnowledgeRule(
        Reason.POINT_UNTREATED, "aliases", concepts_lack_names, "a point asked for by another name was left out"
    ),
    KnowledgeRule(
        Reason.RULE_NOT_APPLIED, "aliases", provisions_lack_names, "a clause asked for by another name was not found"
    ),
    KnowledgeRule(
        Reason.ABSENCE_NOT_STATED,
        "headings",
        provisions_lack_heading,
        "what stands under its own heading is not absent",
    ),
)


def _provisions(tables: Tables) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, text in sorted(tables.items()):
        if path.startswith("provisions/") and path.endswith(".toml"):
            yield from ((path, row) for row in tomllib.loads(text).get("provision", ()))


def _concepts(tables: Tables) -> Iterator[dict[str, Any]]:
    for path, text in sorted(tables.items()):
        if path.startswith("synonyms/") and path.endswith(".csv"):
            for row in csv.DictReader(io.StringIO(text)):
                yield {"path": path, "concept": row["concept"], "aliases": _names(row["aliases"])}


def _names(value: str) -> list[str]:
    return [part.strip() for part in value.split(";") if part.strip()]


def _plain(name: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", name.lower()))


def _grow_csv(text: str, key: str, field: str, gains: tuple[str, ...]) -> str:
    """Return the text with values added to one field of one row; no other line moves."""
    lines = text.splitlines(keepends=True)
    heading = next(csv.reader(lines[:1]))
    for number, line in enumerate(lines[1:], start=1):
        row = next(csv.reader([line]))
        if len(row) == len(heading) and row[0] == key:
            at = heading.index(field)
            row[at] = ";".join((row[at], *gains))
            written = io.StringIO()
            csv.writer(written, lineterminator="\n").writerow(row)
            return "".join((*lines[:number], written.getvalue(), *lines[number + 1 :]))
    return text


def _grow_toml(text: str, key: str, field: str, gains: tuple[str, ...]) -> str:
    """Return the text with values added to a list that stands on one line of one table; no other line moves."""
    blocks = re.split(r"(?m)^(?=\[\[)", text)
    for number, block in enumerate(blocks):
        named = re.search(r"(?m)^name = (.+)$", block)
        if not named or tomllib.loads(named.group())["name"] != key:
            continue
        found = re.search(rf"(?m)^{field} = \[(.*)\]$", block)
        if found:
            added = ", ".join(_quoted(value) for value in gains)
            inner = f"{found[1].rstrip().rstrip(',')}, {added}" if found[1].strip() else added
            blocks[number] = block[: found.start()] + f"{field} = [{inner}]" + block[found.end() :]
            return "".join(blocks)
    return text


def _quoted(value: str) -> str:
    """Write a TOML string: literal where it holds a backslash, so that a pattern stays readable."""
    if "\\" in value and "'" not in value:
        return f"'{value}'"
    return '"' + value.replace("\\", r"\\").replace('"', r"\"") + '"'
