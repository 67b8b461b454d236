"""The requests of the bench: briefs over real documents, and what a lawyer says is asked and right."""

from __future__ import annotations

import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import Field

from tasks.matter.base import Record

HERE = Path(__file__).parent
Half = Literal[
    "development",
    "opened",
    "held_out_second",
    "held_out_third",
    "held_out_fourth",
    "held_out_fifth",
    "redlines",
    "held_out_redlines",
]
OPEN: frozenset[Half] = frozenset({"development", "opened", "redlines"})
"""The sets that those who repair may read."""
HALVES: Mapping[str, Half] = MappingProxyType(
    {
        "": "development",
        "first": "opened",
        "second": "held_out_second",
        "third": "held_out_third",
        "fourth": "held_out_fourth",
        "fifth": "held_out_fifth",
        "redlines-open": "redlines",
        "redlines": "held_out_redlines",
    }
)
"""The sets of requests by the name that the command takes."""
Expect = Literal["answered", "not_found", "not_attempted"]


class GoldAnswer(Record):
    """What one document, or the data room, says to an ask.

    Attributes:
        must: Groups of alternatives; the answer carries one of each group. An alternative is ``kind: words``.
        never: Alternatives that would mislead if they were said as the answer.
        spans: Passages that show it, verbatim.
    """

    document: str = ""
    must: tuple[tuple[str, ...], ...]
    never: tuple[str, ...] = ()
    spans: tuple[str, ...] = ()
    note: str = ""


class GoldAsk(Record):
    """One thing that the lawyer wants; ``words`` stand in the brief."""

    words: str
    kind: str
    expect: Expect
    answers: tuple[GoldAnswer, ...] = ()
    note: str = ""


class Request(Record):
    """A brief with its documents and its asks.

    Attributes:
        documents: ``shared/…`` below the data folder, ``own/…`` beside the request.
        folder: Where the request lies.
    """

    request_id: str = Field(alias="id")
    kind: str
    brief: str
    deliverable: str
    documents: tuple[str, ...]
    asks: tuple[GoldAsk, ...]
    folder: Path
    note: str = ""

    def paths(self, data: Path) -> list[Path]:
        """Return where its documents lie."""
        return [
            data / d.removeprefix("shared/") if d.startswith("shared/") else self.folder / d for d in self.documents
        ]


def requests_of(half: Half, scratch: Path) -> Iterator[Request]:
    """Yield the requests of a half, in the order of their names.

    Args:
        half: The half that those who repair may read, or one that they may not.
        scratch: An empty folder for a held-out set, which lies packed so that no search of the tree shows it.
    """
    folder = HERE / half
    if half not in OPEN:
        with zipfile.ZipFile(HERE / f"{half}.zip") as packed:
            packed.extractall(scratch)
        folder = scratch
    for file in sorted(folder.glob("*.toml")):
        yield Request.model_validate({**tomllib.loads(file.read_text("utf-8")), "folder": folder})
