"""Twice the document takes twice the time: no kind of input holds a worker for hours."""

from __future__ import annotations

import time

import pytest

from flows.bench.tools.doubling import ALLOWED, doubling
from flows.bench.tools.doubling_kinds import Kind, kinds

# Every reader, and each shape of text that once took the square of its length or may come to.
_WATCHED = (
    *("xlsx wide", "xlsx block", "csv rows", "csv long line", "docx short paragraphs", "docx tables", "docx runs"),
    *("docx deep numbering", "odt paragraphs and rows", "pdf pages", "html unclosed rows", "html nested words"),
    *("eml replies", "eml recipients", "pptx shapes", "rtf groups", "json keys", "md table"),
    *("txt one line", "txt one-word lines", "txt page numbers", "txt amounts", "txt dates", "txt broken windows"),
    *("txt rows in thousands", "txt one row", "txt short citations", "txt supra", "txt ids", "txt defined terms"),
    *("run of spaces", "run of tabs", "run of dots", "run of digits and commas", "run of underscores"),
    *("run of quotation marks", "run of closed brackets", "run of inner numbers"),
    *("brief: marks", "brief: labels", "brief: words without a stop", "brief: items", "brief: items in a line"),
)


# One of each reader, and of each scanner of lines, amounts, dates, windows, citations and runs of one character.
_FEW = frozenset(
    ("xlsx block", "csv long line", "docx runs", "docx deep numbering", "odt paragraphs and rows", "pdf pages",
     "html unclosed rows", "eml replies", "pptx shapes", "rtf groups", "json keys", "md table", "txt one-word lines",
     "txt amounts", "txt dates", "txt broken windows", "txt supra", "txt defined terms", "run of spaces",
     "brief: marks", "brief: labels")
)  # fmt: skip


_STEPS = ("read", "describe", "places", "index", "references")


@pytest.mark.thorough
@pytest.mark.parametrize("name", _WATCHED)
def test_twice_the_document_takes_twice_the_time(name: str) -> None:
    (kind,) = (kind for kind in kinds() if kind.name == name)
    (found,) = doubling([kind], stages=_STEPS)
    assert found.ratio <= ALLOWED, f"{found} {found.ratio:.2f}"


@pytest.mark.examples(1)
@pytest.mark.parametrize("name", sorted(_FEW))
def test_twice_a_small_document_takes_twice_the_time(name: str) -> None:
    """What seems to grow too fast at this size is measured at twice and at four times of it."""
    (kind,) = (kind for kind in kinds() if kind.name == name)
    (found,) = doubling([kind], stages=_STEPS, least=0.025)
    assert found.ratio <= ALLOWED, f"{found} {found.ratio:.2f}"


def test_the_few_are_among_the_watched() -> None:
    assert {*_WATCHED} > _FEW


@pytest.mark.slow
def test_a_kind_that_takes_the_square_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from tasks.sources import inventory

    describe = inventory.describe

    def slow(text: object) -> object:
        until = time.process_time() + (len(text.text) / 20_000) ** 2  # type: ignore[attr-defined]
        while time.process_time() < until:
            pass
        return describe(text)  # type: ignore[arg-type]

    monkeypatch.setattr(inventory, "describe", slow)
    kind = Kind("square", "a.txt", 1000, lambda n: b"word " * n)
    (found,) = doubling([kind], stages=("read", "describe"), retries=0, least=0.025)
    assert found.ratio > ALLOWED
    assert found.stage == "describe"


def test_every_kind_is_read_and_says_more_when_it_grows() -> None:
    from tasks.sources.extract import extract

    assert len({kind.name for kind in kinds()}) == len(kinds()) > 80
    for kind in kinds():
        text = extract(kind.make(20), kind.file)
        assert text.text.strip(), kind.name
        assert [p for p in text.problems if p.cause not in {"policy", "input"}] == [], kind.name
