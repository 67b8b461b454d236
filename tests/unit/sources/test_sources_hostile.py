"""Hostile and broken input: a problem of that document, never an exception, never an explosion."""

from __future__ import annotations

import importlib.util
import tracemalloc
from pathlib import Path

import pytest

from tasks.matter.failures import FailureCause
from tasks.sources.extract import extract
from tasks.sources.limits import GuardedZip, OverBudgetError, ReaderLimits
from tasks.sources.sniff import OLE, media_of

_spec = importlib.util.spec_from_file_location("source_files", Path(__file__).with_name("source_files.py"))
assert _spec is not None
assert _spec.loader is not None
files = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(files)

GOOD = files.docx(files.para("The rent is $900."))
LOCKED = OLE + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 600
BILLION = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("data", "name", "media"),
    [
        (GOOD, "a.pdf", "docx"),
        (GOOD, "noname", "docx"),
        (files.pdf([[]]), "a.docx", "pdf"),
        (b"From: a@b.c\nTo: d@e.f\nSubject: hi\n\nbody", "a.txt", "eml"),
        (b"<!DOCTYPE html><html><body>x</body></html>", "a.txt", "html"),
        (b'{"a": 1}', "a", "json"),
        (b"# Title", "a.md", "md"),
        (b"a,b\n1,2", "a.csv", "csv"),
        (b"plain words", "a.docx", "txt"),
        (b"Subject: matters of law are hard", "a.txt", "txt"),
        (LOCKED, "a.docx", "encrypted"),
        (OLE + b"\0" * 600, "a.doc", "ole"),
        (b"\x89PNG\r\n\x1a\n", "a.pdf", "png"),
        (b"\x00\x01\x02\x03" * 50, "a", "binary"),
        (files.archive({"x.txt": "y"}), "a.zip", "zip"),
    ],
)
def test_media_by_content_first(data: bytes, name: str, media: str) -> None:
    assert media_of(data, name) == media


@pytest.mark.parametrize(
    ("data", "name", "cause", "word"),
    [
        (b"", "a.docx", FailureCause.INPUT, "empty"),
        (LOCKED, "a.docx", FailureCause.INPUT, "encrypted"),
        (OLE + b"\0" * 600, "a.doc", FailureCause.INPUT, "legacy"),
        (GOOD[:-60], "a.docx", FailureCause.INPUT, "damaged"),
        (GOOD[:200], "a.docx", FailureCause.INPUT, "damaged"),
        (files.archive({"word/other.xml": "<a/>"}), "a.docx", FailureCause.INPUT, "main part"),
        (files.archive({"xl/workbook.xml": "<a/>"}), "a.xlsx", FailureCause.INPUT, "damaged"),
        (files.archive({"ppt/x.xml": "<a/>"}), "a.pptx", FailureCause.INPUT, "damaged"),
        (files.archive({"x": "y"}), "a.zip", FailureCause.INPUT, "archive"),
        (b"\x00\x01\x02" * 99, "a.bin", FailureCause.INPUT, "no known"),
        (b"   \n ", "a.txt", FailureCause.INPUT, "no text"),
        (b"\xff\xd8\xff\xe0", "a.jpg", FailureCause.INPUT, "image"),
    ],
)
def test_unreadable_documents_say_why_and_what_to_do(data: bytes, name: str, cause: FailureCause, word: str) -> None:
    read = extract(data, name)
    assert read.text == ""
    assert [p.cause for p in read.problems] == [cause]
    assert word in read.problems[0].message
    assert read.problems[0].remedy


def test_an_archive_that_lies_about_sizes_is_stopped_by_the_byte_budget() -> None:
    data = files.lying_zip()
    tracemalloc.start()
    read = extract(data, "a.docx", ReaderLimits(archive_bytes=5_000_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read.text == ""
    assert read.problems[0].cause in {FailureCause.CAPACITY, FailureCause.INPUT}
    assert peak < 40_000_000


def test_archive_budgets() -> None:
    many = files.archive({f"word/{i}.xml": "" for i in range(50)})
    with pytest.raises(OverBudgetError):
        GuardedZip(many, ReaderLimits(archive_members=10))
    bomb = files.archive({"word/document.xml": b" " * 30_000_000})
    with pytest.raises(OverBudgetError):
        GuardedZip(bomb, ReaderLimits(archive_ratio=10)).read("word/document.xml")
    assert extract(bomb, "a.docx", ReaderLimits(archive_bytes=1_000_000)).problems[0].cause is FailureCause.CAPACITY


def test_entities_are_never_expanded_and_files_never_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("TOP SECRET")
    document = (
        f'<?xml version="1.0"?><!DOCTYPE w:document [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        f"<w:document {files.W}><w:body>{files.para('Rent &x; due')}</w:body></w:document>"
    )
    data = files.archive({"word/document.xml": document})
    read = extract(data, "a.docx")
    assert "SECRET" not in read.text
    assert "Rent" in read.text
    laughs = document.replace(document[document.index("<!DOCTYPE") : document.index("]>") + 2], BILLION).replace(
        "&x;", "&b;"
    )
    assert "haha" not in extract(files.archive({"word/document.xml": laughs}), "a.docx").text


def test_invisible_and_reversing_characters_are_taken_out_and_said() -> None:
    read = extract("pay \u202e005$\u202c to A\u200bcme\ufeff\n".encode(), "a.txt")
    assert read.text == "pay 005$ to Acme\n"
    assert [p.cause for p in read.problems] == [FailureCause.POLICY]


def test_a_soft_hyphen_between_figures_is_a_hyphen_and_between_letters_nothing() -> None:
    assert extract("NY 10003\u00ad1502 is on\u00adgoing.\n".encode(), "a.txt").text == "NY 10003-1502 is ongoing.\n"


def test_size_limit() -> None:
    assert extract(b"x" * 100, "a.txt", ReaderLimits(file_bytes=10)).problems[0].cause is FailureCause.CAPACITY


def test_deep_nesting_is_survived() -> None:
    def nested(levels: int) -> bytes:
        deep = "<w:sdt><w:sdtContent>" * levels + files.para("deep") + "</w:sdtContent></w:sdt>" * levels
        return files.docx(deep + files.para("Shallow."))

    read = extract(nested(100), "a.docx")
    assert read.text == "Shallow.\n"
    assert [p.cause for p in read.problems] == [FailureCause.CAPACITY]
    assert extract(nested(400), "a.docx").problems
    assert extract(b"<html><body>" + b"<div>" * 3000 + b"words", "a.html").problems is not None
    assert extract(b"[" * 100_000, "a.json").problems


MAIL = b"From: a\nTo: b\nSubject: c\n"


@pytest.mark.parametrize(
    ("bound", "value", "data", "name", "word"),
    [
        ("builder.MAX_CHARACTERS", 500, b"The rent is $900.\n\n" * 100, "a.txt", "500 characters"),
        ("builder.MAX_CHARACTERS", 500, b"a" * 2000, "a.txt", "500 characters"),
        ("builder.MAX_CHARACTERS", 500, MAIL + b"\n" + b"The rent is due\n" * 100, "a.eml", "500 characters"),
        ("readers.data._MAX_PARSED", 50, b"[" + b"1," * 100 + b"1]", "a.json", "not parsed"),
        ("readers.delimited._MAX_ROWS", 5, b"a,b,c\n" * 100, "a.csv", "5 rows"),
        ("readers.web._MAX_TAGS", 20, b"<b>x</b>" * 100, "a.html", "bytes of the page"),
        ("readers.web._MAX_SIZE", 80, b"<b>x</b>" * 100, "a.html", "bytes of the page"),
        (
            "readers.mail._MAX_PARTS",
            5,
            MAIL + b"Content-Type: multipart/mixed; boundary=B\n\n" + b"--B\nContent-Type: text/plain\n\nx\n" * 20,
            "a.eml",
            "5 parts",
        ),
    ],
    ids=["text", "one line", "mail", "json", "csv", "tags", "page", "parts"],
)
def test_what_is_too_long_is_read_up_to_a_bound_and_said(
    monkeypatch: pytest.MonkeyPatch, bound: str, value: int, data: bytes, name: str, word: str
) -> None:
    monkeypatch.setattr(f"tasks.sources.{bound}", value)
    read = extract(data, name)
    assert 0 < len(read.text) <= 502
    (capacity,) = (p for p in read.problems if p.cause is FailureCause.CAPACITY)
    assert word in capacity.message
    assert capacity.remedy


def test_cells_beyond_those_that_are_cited_are_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.sources.readers.delimited._CITED_CELLS", 4)
    read = extract(b"a,b\n" * 10, "a.csv")
    assert read.text.count("a") == 10
    assert sum(s.kind == "cell" for s in read.segments) == 4
    assert sum(s.kind == "row" for s in read.segments) == 10


def test_an_entity_declared_in_another_encoding_or_far_down_is_said() -> None:
    declared = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY b "boom">]>'
    body = f"<w:document {files.W}><w:body>{files.para('Rent &x; &b; due')}</w:body></w:document>"
    wide = f'<?xml version="1.0" encoding="UTF-16"?>{declared}{body}'.encode("utf-16")
    late = f"<?xml version='1.0'?><!-- {'x' * 150_000} -->{declared}{body}".encode()
    for document in (wide, late):
        read = extract(files.archive({"word/document.xml": document}), "a.docx")
        assert "root" not in read.text
        assert "boom" not in read.text
        assert [p.cause for p in read.problems] == [FailureCause.INPUT]


def test_an_archive_that_is_encrypted_inside_says_so() -> None:
    data = bytearray(GOOD)
    for sign, flag in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = data.find(sign)
        while at >= 0:
            data[at + flag] |= 1
            at = data.find(sign, at + 4)
    (problem,) = extract(bytes(data), "a.docx").problems
    assert "encrypted" in problem.message


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_in_two_bytes_that_does_not_say_so(encoding: str) -> None:
    words = "The rent is $900 a month.\n"
    assert extract(words.encode(encoding), "a.txt").text == words
    assert extract(bytes(range(256)) * 30, "a.txt").problems[0].cause is FailureCause.INPUT


def test_a_refusal_is_left_as_it_is() -> None:
    words = "I'm sorry, but I can't help with creating that document."
    assert extract(words.encode(), "contract.docx").text == words + "\n"
