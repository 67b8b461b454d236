"""Cases to measure on: matter folders with a reference checklist, or cases made in memory."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from flows.bench.extraction.cases.making import BINS, Case, make_case
from flows.bench.request import misuse
from tasks.legaltext.checklists.definition import Checklist, open_checklist
from tasks.legaltext.checklists.entering import Intake, Texts
from tasks.legaltext.checklists.records import Filled
from tasks.legaltext.fold import fold
from tasks.matter.failures import Failure, FailureCause, SolonError

_NEAR = 0.2  # of a size, within which a case counts as one of that size


@dataclass(frozen=True)
class Measured:
    """A case to measure on.

    Attributes:
        bin: Its length bin; "other" where it is within 20 % of none.
        style: Of its drafters, where it is made up.
        reference: What is true of it.
        places: Where its values stand: item, value, document, and the words; empty for cases that are read from files.
    """

    key: str
    bin: str
    style: str
    texts: dict[str, str]
    checklist: Checklist
    reference: Filled
    places: tuple[tuple[str, str, str, str], ...] = ()

    @property
    def characters(self) -> int:
        """Return how long it is."""
        return sum(map(len, self.texts.values()))


def made(seed: int, bins: Sequence[str], styles: Sequence[str], each: int) -> Iterator[Measured]:
    """Yield cases made in memory, the short ones first."""
    checklist = open_checklist("case")
    for size in sorted(bins, key=BINS.__getitem__):
        for style in styles:
            for number in range(1, each + 1):
                yield _of(make_case(seed, style, size, number), checklist)


def _of(case: Case, checklist: Checklist) -> Measured:
    intake = Intake(Texts({}), evidenced=False)
    values: dict[str, list[str]] = {}
    for item, value in case.values:
        values.setdefault(item, []).append(value)
    entries = {item: intake.entry((one, ()) for one in several) for item, several in values.items()}
    texts = dict(case.documents)
    places = tuple((p.item, p.value, p.document, texts[p.document][p.start : p.end]) for p in case.places)
    return Measured(case.key, case.bin, case.style, texts, checklist, Filled(entries=entries), places)


def of_items(cases: Iterable[Measured], items: Collection[str]) -> Iterator[Measured]:
    """Yield cases of which some items of the checklist are to be filled, all where none is named.

    Raises:
        SolonError: The checklist has no such item.
    """
    for case in cases:
        try:
            checklist = case.checklist.only(items) if items else case.checklist
        except KeyError as error:
            names = ", ".join(item.id for item in case.checklist.items())
            raise misuse(str(error.args[0]), "is no item of the checklist", f"use some of {names}") from error
        there = {item.id for item in checklist.items()}
        reference = Filled(entries={i: e for i, e in case.reference.entries.items() if i in there})
        yield replace(case, checklist=checklist, reference=reference)


def read_cases(folder: Path, bins: Sequence[str]) -> Iterator[Measured]:
    """Yield the cases below a folder, one at a time; of some bins alone, where any are asked for.

    Raises:
        SolonError: There is none, or one of them cannot be measured on.
    """
    found = sorted(path.parent for path in folder.rglob("checklist.json") if path.with_name("task.json").is_file())
    if not found:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="bench",
                subject=str(folder),
                message="holds no case: a folder with task.json, checklist.json and documents/",
                remedy="make some with solon bench extraction --make DIR",
            )
        )
    for path in found:
        case = _read(path)
        if not bins or case.bin in bins:
            yield case


def _read(folder: Path) -> Measured:
    try:
        given: dict[str, Any] = json.loads((folder / "checklist.json").read_text(encoding="utf-8"))
        task: dict[str, Any] = json.loads((folder / "task.json").read_text(encoding="utf-8"))
        texts = {p.name: _text(p) for p in sorted((folder / "documents").iterdir())}
        checklist = open_checklist(given["reference_checklist"])
        intake = Intake(Texts({}), evidenced=False)
        said = {checklist.by_name[fold(name)]: _values(values) for name, values in given["values"].items()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="bench",
                subject=folder.name,
                message=f"cannot be measured on ({type(error).__name__})",
                remedy="see checklist.json in docs/gavel.md; documents are texts (.txt)",
            )
        ) from error
    entries = {item: intake.entry((one, ()) for one in values) for item, values in said.items()}
    length = sum(map(len, texts.values()))
    tags = [str(tag) for tag in task.get("tags", ())]
    style = next((tag.removeprefix("style-") for tag in tags if tag.startswith("style-")), "")
    return Measured(folder.name, bin_of(length), style, texts, checklist, Filled(entries=entries))


def _text(path: Path) -> str:
    """Return a document; one that is no text would be missing in silence.

    Raises:
        ValueError: It is no text.
    """
    if path.suffix != ".txt":
        raise ValueError(f"{path.name} is no text")
    return path.read_text(encoding="utf-8")


def _values(raw: Any) -> list[str]:
    rows = raw if isinstance(raw, list) else [] if raw is None else [raw]
    return [row["value"] if isinstance(row, dict) else str(row) for row in rows]


def bin_of(characters: int) -> str:
    """Return the length bin that a case is within 20 % of; "other" where there is none."""
    from flows.bench.extraction.cases.making import CHARACTERS_PER_TOKEN

    tokens = characters / CHARACTERS_PER_TOKEN
    return next((name for name, size in BINS.items() if abs(tokens - size) <= _NEAR * size), "other")
