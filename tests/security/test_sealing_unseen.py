"""A rubric where bytes do not show it (compressed PDF, old Office files, RTF) is withheld before anything is solved."""

from __future__ import annotations

import base64
import gzip
import importlib.util
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tasks.harness import packaged
from tasks.matter.failures import FailureCause
from tasks.matter.leakscan import RubricScan
from tasks.matter.loading import load_corpus
from tasks.sources.stage import inventory

pytestmark = pytest.mark.usefixtures("sealed_here")

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


def letter(encoding: str, body: bytes, charset: str = "utf-8", subject: str = "x") -> bytes:
    head = (
        f"From: a@b.c\nTo: d@e.f\nSubject: {subject}\nMIME-Version: 1.0\nContent-Type: text/plain; charset={charset}\n"
    )
    return f"{head}Content-Transfer-Encoding: {encoding}\n\n".encode() + body


def subject() -> str:
    pieces = (GOLD[i : i + 30] for i in range(0, len(GOLD), 30))
    return "\n ".join(f"=?utf-8?B?{base64.b64encode(p.encode()).decode()}?=" for p in pieces)


def between(junk: str) -> str:
    """The criterion with what a reader leaves out after every third word."""
    return f" {junk} ".join(" ".join(WORDS[i : i + 3]) for i in range(0, len(WORDS), 3))


def struck_out() -> bytes:
    from flows.bench.faults.hostile import _docx

    runs = between("</w:t></w:r><w:del><w:r><w:delText>old words</w:delText></w:r></w:del><w:r><w:t>")
    return _docx(f"<w:p><w:r><w:t>{runs}</w:t></w:r></w:p>")


RUSSIAN = "ЗАЧЁТ, если в меморандуме указано, что арендодатель продлил договор на девять лет."
CHINESE = "如果备忘录说明责任上限为十二个月的费用，并指出赔偿的例外情形。"
SPARSE = "\n".join(" ".join(f"={ord(w[0]):02X}{w[1:]}" for w in WORDS[i : i + 7]) for i in range(0, len(WORDS), 7))
UNSEEN: dict[str, tuple[str, Callable[[], bytes]]] = {
    "in a compressed PDF": ("lease.pdf", lambda: pdf(lines(WORDS))),
    "with a hyphen at the end of a line": ("lease.pdf", hyphenated),
    "with the end of a page within it": ("lease.pdf", lambda: over_two_pages(15)),
    "with the end of a page after its first words": ("lease.pdf", lambda: over_two_pages(3)),
    "with the end of a page before its last words": ("lease.pdf", lambda: over_two_pages(len(WORDS) - 2)),
    "in a PDF attached to a mail": ("a.eml", lambda: mail(pdf(lines(WORDS)))),
    "in escapes of rich text": ("a.rtf", rtf),
    "in an old Word file": ("a.doc", word97),
    "in a mail in UTF-7": ("a.eml", lambda: letter("7bit", GOLD.replace("e", "+AGU-").encode(), "utf-7")),
    "in a mail of another code page": (
        "a.eml",
        lambda: letter("base64", base64.b64encode(GOLD.encode("cp037")), "cp037"),
    ),
    "in a mail of short lines": (
        "a.eml",
        lambda: letter("base64", re.sub(rb"(.{32})", rb"\1\n", base64.b64encode(GOLD.encode()))),
    ),
    "in a mail of few escapes": ("a.eml", lambda: letter("quoted-printable", SPARSE.encode())),
    "in the subject of a mail": ("a.eml", lambda: letter("7bit", b"Hello", subject=subject())),
    "between scripts of a page": ("a.html", f"<p>{between('<script>run()</script>')}</p>".encode),
    "between comments of a page": ("a.html", f"<p>{between('<!-- a > not shown -->')}</p>".encode),
    "between words struck out": ("a.docx", struck_out),
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


@pytest.mark.parametrize("gold", [RUSSIAN, CHINESE])
@pytest.mark.usefixtures("own_sealer")
def test_a_rubric_in_any_script_is_withheld(make_task: Callable[..., Path], tmp_path: Path, gold: str) -> None:
    criterion = {**CRITERION, "match_criteria": gold}
    make_task(documents={"lease.txt": "The rent.", "a.txt": f"Notes. {gold}"}, criteria=[criterion])
    (matter,) = load_corpus(tmp_path / "corpus", tmp_path / "sealed").matters
    assert [d.name for d in matter.documents] == ["lease.txt"]


def test_a_line_break_written_as_json_hides_nothing(make_task: Callable[..., Path], tmp_path: Path) -> None:
    notes = json.dumps({"note": "\n".join(WORDS)})
    make_task(documents={"lease.txt": "The rent.", "a.json": notes}, criteria=[CRITERION])
    (matter,) = load_corpus(tmp_path / "corpus", tmp_path / "sealed").matters
    assert [d.name for d in matter.documents] == ["lease.txt"]


@pytest.mark.parametrize("times", [1, 9])
def test_what_cannot_be_looked_at_is_withheld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """A reader that is killed while the sealer looks must not open the way to the solver."""
    from tasks.judging.sealing import SolverEyes
    from tasks.matter.seal import seal_corpus
    from tasks.sources.pool import ReaderPool, _Worker

    folder = tmp_path / "corpus" / "a" / "t" / "documents"
    folder.mkdir(parents=True)
    (folder / "lease.pdf").write_bytes(pdf(lines(WORDS)))
    (folder / "lease.txt").write_text("The rent.")
    task = {"title": "t", "instructions": "i", "criteria": [CRITERION]}
    (folder.parent / "task.json").write_text(json.dumps(task))
    asked, left = _Worker.ask, [times]

    def killed(self: _Worker, request: bytes, seconds: float) -> bytes:
        if left[0] > 0:
            left[0] -= 1
            self.process.kill()
        return asked(self, request, seconds)

    monkeypatch.setattr(_Worker, "ask", killed)
    pool = ReaderPool(1)
    try:
        (matter,) = seal_corpus(tmp_path / "corpus", tmp_path / "sealed", SolverEyes(pool, None)).matters
    finally:
        pool.close()
    assert [d.name for d in matter.documents] == ["lease.txt"]
    (problem,) = matter.problems
    assert problem.subject == "lease.pdf"
    assert (problem.cause is FailureCause.POLICY) == (times == 1)  # found on the second try
    assert "rubric" in problem.message


def test_what_was_read_to_look_for_a_rubric_is_not_read_again(
    make_task: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_task(documents={"lease.pdf": pdf(lines(["The", "rent", "is", "$900."]))}, criteria=[CRITERION])
    cache = tmp_path / "cache"
    (matter,) = load_corpus(tmp_path / "corpus", tmp_path / "sealed", cache=cache).matters

    def refused(*_: Any, **__: Any) -> None:
        raise AssertionError("read twice")

    monkeypatch.setattr("tasks.sources.pool.ReaderPool.read", refused)
    assert inventory(matter, cache, packaged().knowledge).documents[0].document == "lease.pdf"


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
