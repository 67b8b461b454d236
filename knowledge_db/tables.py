"""The families as plain rows for a database: one dictionary per row, lists where a field has several values.

Each row of a family carries ``provenance`` and ``as_of``; deliverables give one row per section,
synonyms one per alias.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from knowledge_db.base import PACKAGED, KnowledgeBase
from knowledge_db.citation_forms import load_citation_forms
from knowledge_db.jurisdictions import held_districts
from knowledge_db.load import rows_of
from knowledge_db.provisions import LISTS, load_provisions
from knowledge_db.records import KnowledgeRow, ProvenanceSource
from knowledge_db.vocabulary import load_vocabulary

OUR_USAGE: Final = "drafting usage"
# Families whose rows are entries of the knowledge. Citation forms, and words that only serve matching, are not.
SUBSTANTIVE: Final = (
    "authorities",
    "windows",
    "deliverables",
    "calendars",
    "counting",
    "synonyms",
    "inference",
    "provisions",
)


def knowledge_tables(folder: Path = PACKAGED) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every family below a knowledge data folder by the name of its table.

    Raises:
        ValueError: A row breaks its schema; the message names the file and the row.
    """
    base = KnowledgeBase(folder)
    return {
        "authorities": _plain(base.authorities),
        "windows": _plain(base.windows),
        "deliverables": list(_sections(base)),
        "calendars": list(_calendars(base)),
        "counting": list(_counting(base)),
        "synonyms": list(_aliases(base)),
        "inference": _plain(base.inference),
        "questions": _plain(base.questions),
        "provisions": list(_provisions(folder)),
        "jurisdictions": list(_jurisdictions(folder)),
        "vocabulary": list(_vocabulary(folder)),
        "sources": _plain(rows_of(folder, "provenance", ProvenanceSource)),
        "citation_forms": _plain(load_citation_forms()),
    }


def entries(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, int]:
    """Return how many entries each substantive family holds: deliverables by type, synonyms by concept."""
    key = {"deliverables": "type_id", "synonyms": "concept"}
    return {
        name: len({row[key[name]] for row in tables[name]}) if name in key else len(tables[name])
        for name in SUBSTANTIVE
    }


_TOLD: Final = ("doubts", "fixed", "perhaps", "place_spellings", "place_family")


def _plain(rows: tuple[KnowledgeRow, ...]) -> list[dict[str, Any]]:
    return [row.model_dump(mode="python") for row in rows]


def _sections(base: KnowledgeBase) -> Iterator[dict[str, Any]]:
    for kind in base.deliverables:
        whole = kind.model_dump(exclude={"sections", "filename", "title", "instructions"})
        cues = {"filename_cues": kind.filename, "title_cues": kind.title, "instruction_cues": kind.instructions}
        for position, section in enumerate(kind.sections, start=1):
            own = {"section": section.title, "section_aliases": section.aliases, "required": section.required}
            yield {**whole, **cues, "position": position, **own}


def _calendars(base: KnowledgeBase) -> Iterator[dict[str, Any]]:
    for row in base.calendars:
        plain = row.model_dump(mode="python")
        sources = [
            ":".join(
                filter(None, (s.code, s.subdivision, "+".join(s.categories), "" if s.observed else "as they fall"))
            )
            for s in row.sources
        ]
        told = {name: [f"{k}: {v}" for k, v in plain[name].items()] for name in _TOLD}
        places = [f"{place} {day}: {v}" for place, days in row.place_perhaps.items() for day, v in days.items()]
        yield {**plain, **told, "sources": sources, "place_perhaps": places}


def _counting(base: KnowledgeBase) -> Iterator[dict[str, Any]]:
    for row in base.counting.values():
        plain = row.model_dump(mode="python")
        yield {**plain, "parts": [f"{part}: {said}" for part, said in row.parts.items()]}


def _aliases(base: KnowledgeBase) -> Iterator[dict[str, Any]]:
    for row in base.synonyms:
        said = {"provenance": row.provenance, "as_of": row.as_of}
        for position, alias in enumerate(row.aliases, start=1):
            yield {"concept": row.concept, "alias": alias, "position": position, **said}


def _provisions(folder: Path) -> Iterator[dict[str, Any]]:
    for entry in load_provisions(folder):
        yield {
            "provision": entry.name,
            "answer": entry.answer,
            **{name: list(getattr(entry, name)) for name in LISTS},
            "within": entry.within,
            "effects": [f"{effect.says}: {effect.when}" for effect in entry.effects],
            "provenance": entry.provenance,
            "as_of": entry.as_of,
        }


def _jurisdictions(folder: Path) -> Iterator[dict[str, Any]]:
    known = held_districts(folder)
    for kind in ("states", "provinces", "countries"):
        for name in getattr(known, kind):
            yield {"name": name, "usual_name": name, "kind": kind, "provenance": OUR_USAGE, "as_of": ""}
    for name, usual in known.aliases.items():
        yield {"name": name, "usual_name": usual, "kind": "aliases", "provenance": OUR_USAGE, "as_of": ""}


def _vocabulary(folder: Path) -> Iterator[dict[str, Any]]:
    known = load_vocabulary(folder)
    said = {"provenance": OUR_USAGE, "as_of": ""}
    for family in known.families:
        yield {"kind": "family", "term": family[0], "words": list(family), **said}
    for term, words in known.synonyms.items():
        yield {"kind": "synonym", "term": term, "words": list(words), **said}
    for row in known.plain:
        yield {
            "kind": "thing" if row.thing else "plain",
            "term": row.said[0],
            "words": [*row.said, *row.written],
            **said,
        }
    for term, answers in sorted(known.answered_by.items()):
        yield {"kind": "answered_by", "term": term, "words": sorted(answers), **said}
    if known.stand_ins:
        yield {"kind": "stand_in", "term": "stand-ins", "words": sorted(known.stand_ins), **said}
