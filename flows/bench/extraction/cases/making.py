"""A made-up case as documents and as a matter folder: same seed, same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Final

from flows.bench.extraction.cases import style_a, style_b, style_c, style_d, style_e, style_f, style_g
from flows.bench.extraction.cases.filling import fill, foreign
from flows.bench.extraction.cases.sheet import Pair, Place, Sheet, scanned
from flows.bench.extraction.cases.telling import instructions, told
from flows.bench.extraction.cases.truth import truth_of
from flows.bench.extraction.cases.world import World, make_world

Drafter = Callable[[World, Random], list[Sheet]]
STYLES: Final[Mapping[str, Drafter]] = MappingProxyType(
    {
        "a": style_a.draft,
        "b": style_b.draft,
        "c": style_c.draft,
        "d": style_d.draft,
        "e": style_e.draft,
        "f": style_f.draft,
        "g": style_g.draft,
    }
)
BINS: Final[Mapping[str, int]] = MappingProxyType(
    {"32K": 32_000, "64K": 64_000, "128K": 128_000, "256K": 256_000, "512K": 512_000}
)
"""Length bins in tokens; a case is within 20 % of its bin."""

CHARACTERS_PER_TOKEN: Final = 3.6  # of what is made here, by the o200k tokenizer: 3.4 to 4.0 (docs/extraction.md)
_READ_BADLY: Final = 0.004  # share of the letters of a bad scan that are misread


@dataclass(frozen=True)
class Case:
    """A case.

    Attributes:
        documents: Texts by file name, in order of their dates.
        values: What is true of it, by item.
        places: Where each value stands in the documents; every value has one at least.
    """

    key: str
    style: str
    bin: str
    title: str
    documents: Mapping[str, str]
    values: Sequence[Pair]
    places: Sequence[Place]

    @property
    def characters(self) -> int:
        """Return how long it is."""
        return sum(map(len, self.documents.values()))


def make_case(seed: int, style: str, size: str, number: int) -> Case:
    """Return a case of a seed.

    Args:
        seed: Of the corpus.
        style: Of the drafters: a key of ``STYLES``.
        size: A key of ``BINS``.
        number: Of the case within its bin.
    """
    key = f"{style}-{size.lower()}-{number:02}"
    chance = Random(f"{seed}:{key}")
    thousands = BINS[size] // 1_000
    world = make_world(seed, key, thousands)
    sheets = STYLES[style](world, chance)
    for at in range(1 + thousands // 128):
        other = make_world(seed, f"{key}:other-{at}", 8)
        sheets += foreign(other, STYLES[style](other, chance), world.events[-1].day)
    wanted = int(BINS[size] * CHARACTERS_PER_TOKEN) - sum(s.length for s in sheets)
    sheets += fill(world, chance, wanted)
    return _gathered(key, style, size, world, sheets, chance)


def _gathered(key: str, style: str, size: str, world: World, sheets: list[Sheet], chance: Random) -> Case:
    documents, places = {}, []
    for at, sheet in enumerate(sorted(sheets, key=lambda s: (s.day, s.name)), 1):
        name = f"{at:03}-{sheet.name}"
        text = sheet.text()
        documents[name] = scanned(text, _READ_BADLY, chance) if chance.random() < 0.15 else text
        places += [Place(item, value, name, start, end) for (item, value), start, end in sheet.places]
    stands = {(place.item, place.value) for place in places}
    values = [pair for pair in truth_of(world) if pair in stands]  # what no paper says is not asked
    return Case(key, style, size, world.title, documents, values, tuple(sorted(set(places))))


def make_corpus(folder: Path, seed: int, bins: Sequence[str], each: int, styles: Sequence[str]) -> Iterator[Case]:
    """Write cases as matter folders below ``folder/<bin>/<case>``, and yield each.

    ``places.jsonl`` of the folder tells where the values of all cases stand; no matter holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "places.jsonl").open("w", encoding="utf-8") as stream:
        for size in bins:
            for style in styles:
                for number in range(1, each + 1):
                    case = make_case(seed, style, size, number)
                    _write(folder / size / case.key, case)
                    stream.writelines(
                        json.dumps({"case": case.key, **place._asdict()}, ensure_ascii=False) + "\n"
                        for place in case.places
                    )
                    yield case


def _write(folder: Path, case: Case) -> None:
    room = folder / "documents"
    room.mkdir(parents=True, exist_ok=True)
    for stale in room.iterdir():
        stale.unlink()
    for name, text in case.documents.items():
        (room / name).write_text(text, encoding="utf-8")
    _json(folder / "task.json", _task(case))
    _json(folder / "checklist.json", _checklist(case))


def _task(case: Case) -> dict[str, object]:
    criterion = {
        "id": "C-001",
        "title": "Summary of the case",
        "match_criteria": "The summary says what the reference checklist says.",
    }
    return {
        "title": f"Summary of {case.title}",
        "instructions": instructions(),
        "work_type": "analyze",
        "tags": ["litigation", "long-case", case.bin, f"style-{case.style}"],
        "deliverables": {"summary": "summary.docx"},
        "criteria": [criterion],
    }


def _checklist(case: Case) -> dict[str, object]:
    """Return the reference: each value with the sentence of the reference summary, and the documents it stands in."""
    sources: dict[Pair, list[str]] = {}
    for place in case.places:
        sources.setdefault((place.item, place.value), []).append(place.document)
    values: dict[str, list[dict[str, object]]] = {}
    text = ""
    for (item, value), (last, _) in zip(case.values, [("", ""), *case.values[:-1]], strict=True):
        sentence = told(item, value)
        text += ("\n\n" if item != last and text else " " if text else "") + sentence
        found = list(dict.fromkeys(sources.get((item, value), [])))
        values.setdefault(item, []).append({"value": value, "evidence": [sentence], "sources": found})
    return {"reference_checklist": "case", "values": values, "text": text}


def _json(path: Path, content: dict[str, object]) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
