"""A rubric where bytes do not show it (compressed PDF, old Office files, RTF) is withheld before anything is solved."""

from __future__ import annotations

import base64
import gzip
import importlib.util
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tasks.matter.failures import FailureCause
from tasks.matter.leakscan import RubricScan
from tasks.matter.loading import load_corpus
from tasks.sources.stage import inventory

CANARY = "CANARYheliotrope7"
GOLD = (
    "PASS if the memorandum says that the lessor of the vineyard renewed for nine years, that notice was never "
    f"served on the guarantor, and that the rent is therefore still owed {CANARY}."
)
CRITERION = {"id": "C-1", "title": "t", "match_criteria": GOLD}
WORDS = GOLD.split()


def helper(name: str) -> ModuleType:
    path = Path(__file__).parents[1] / "unit" / "sources" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines(words: list[str], top: float = 700.0) -> list[tuple[float, float, str]]:
    return [(72.0, top - 14 * i, " ".join(words[4 * i : 4 * i + 4])) for i in range((len(words) + 3) // 4)]


def pdf(*pages: list[tuple[float, float, str]]) -> bytes:
    """A PDF with its streams compressed, as every program writes it."""

    def packed(hit: re.Match[bytes]) -> bytes:
        data = zlib.compress(hit[1])
        return b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(data), data)

    made: bytes = helper("source_files").pdf(list(pages))
    return re.sub(rb"<< /Length \d+ >>\nstream\n(.*?)\nendstream", packed, made, flags=re.DOTALL)


def hyphenated() -> bytes:
    rows = lines(WORDS)
    at = next(i for i, (_, _, text) in enumerate(rows) if "guarantor" in text)
    before, _, after = rows[at][2].partition("guarantor")
    rows[at] = (72.0, rows[at][1], f"{before}guaran-")
    rows.insert(at + 1, (72.0, rows[at][1] - 7, f"tor{after}"))
    return pdf(rows)


def over_two_pages(at: int) -> bytes:
    head = (72.0, 770.0, "Paragon Vineyards - Privileged and Confidential")
    return pdf(
        [head, *lines(WORDS[:at], 120.0), (300.0, 30.0, "Page 11 of 12")],
        [head, *lines(WORDS[at:]), (300.0, 30.0, "Page 12 of 12")],
    )


def mail(payload: bytes) -> bytes:
    head = (
        b'Subject: x\nFrom: a@b.c\nTo: d@e.f\nMIME-Version: 1.0\nContent-Type: application/pdf; name="a.pdf"\n'
        b'Content-Disposition: attachment; filename="a.pdf"\nContent-Transfer-Encoding: base64\n\n'
    )
    return head + base64.encodebytes(payload)


def rtf() -> bytes:
    return b"{\\rtf1\\ansi " + "".join(f"\\'{ord(c):02x}" for c in GOLD).encode() + b"}"


def word97() -> bytes:
    """A Word 97 file whose text is in two pieces of different encodings."""
    made: bytes = helper("test_sources_legacy").word97(GOLD[:80], wide=GOLD[80:])
    return made


UNSEEN: dict[str, tuple[str, Callable[[], bytes]]] = {
    "in a compressed PDF": ("lease.pdf", lambda: pdf(lines(WORDS))),
    "with a hyphen at the end of a line": ("lease.pdf", hyphenated),
    "with the end of a page within it": ("lease.pdf", lambda: over_two_pages(15)),
    "with the end of a page after its first words": ("lease.pdf", lambda: over_two_pages(3)),
    "with the end of a page before its last words": ("lease.pdf", lambda: over_two_pages(len(WORDS) - 2)),
    "in a PDF attached to a mail": ("a.eml", lambda: mail(pdf(lines(WORDS)))),
    "in escapes of rich text": ("a.rtf", rtf),
    "in an old Word file": ("a.doc", word97),
}


def texts(cache: Path) -> list[str]:
    return [gzip.decompress(p.read_bytes()).decode() for p in cache.rglob("*.gz")]


@pytest.mark.parametrize(("name", "made"), UNSEEN.values(), ids=UNSEEN)
def test_a_rubric_that_bytes_do_not_show_is_withheld(
    make_task: Callable[..., Path], tmp_path: Path, name: str, made: Callable[[], bytes]
) -> None:
    honest = pdf(lines(["The", "rent", "is", "$900", "a", "month."]))
    make_task(documents={"lease.txt": "The rent.", "honest.pdf": honest, name: made()}, criteria=[CRITERION])
    cache = tmp_path / "cache"
    for _ in range(2):  # the second time from what the first one found
        (matter,) = load_corpus(tmp_path / "corpus", tmp_path / "sealed", cache=cache).matters
        assert [d.name for d in matter.documents] == ["honest.pdf", "lease.txt"]
        assert [(p.subject, p.cause) for p in matter.problems] == [(name, FailureCause.POLICY)]
    assert [t for t in texts(cache) if CANARY in t or "lessor of the vineyard" in t] == []
    assert [t for t in texts(cache) if "$900" in t]  # the solver finds what was read


def test_what_was_read_to_look_for_a_rubric_is_not_read_again(
    make_task: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_task(documents={"lease.pdf": pdf(lines(["The", "rent", "is", "$900."]))}, criteria=[CRITERION])
    cache = tmp_path / "cache"
    (matter,) = load_corpus(tmp_path / "corpus", tmp_path / "sealed", cache=cache).matters

    def refused(*_: Any, **__: Any) -> None:
        raise AssertionError("read twice")

    monkeypatch.setattr("tasks.sources.pool.ReaderPool.read", refused)
    assert inventory(matter, cache).documents[0].document == "lease.pdf"


def test_another_rubric_is_looked_for_anew(make_task: Callable[..., Path], tmp_path: Path) -> None:
    folder = make_task(documents={"a.txt": "x", "lease.pdf": pdf(lines(WORDS))})
    cache, sealed = tmp_path / "cache", tmp_path / "sealed"
    (matter,) = load_corpus(tmp_path / "corpus", sealed, cache=cache).matters
    assert len(matter.documents) == 2
    file = folder / "task.json"
    file.write_text(file.read_text().replace("PASS if the rent is stated.", GOLD))
    (matter,) = load_corpus(tmp_path / "corpus", sealed, cache=cache).matters
    assert [d.name for d in matter.documents] == ["a.txt"]


def test_words_of_a_criterion_that_a_document_says_otherwise_are_no_rubric() -> None:
    scan = RubricScan([GOLD])
    assert scan.found_in(f"x {GOLD} y")
    assert not scan.found_in(GOLD.replace("nine", "ten"))
    assert not scan.found_in(GOLD[:60] + "x" * 2_000 + GOLD[60:])
    assert not scan.found_in("The lessor of the vineyard renewed for nine years. " * 50)


def test_ligatures_hide_nothing() -> None:
    assert RubricScan(["PASS if the official affirmed the file of the offer in full."]).found_in(
        "PASS if the o\ufb03cial a\ufb03rmed the \ufb01le of the o\ufb00er in full."
    )
