"""Legacy and open text formats (.doc, .rtf, .odt), made by hand: the same words as in Word, or one typed problem."""

from __future__ import annotations

import importlib.util
import io
import struct
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tasks.matter.failures import FailureCause
from tasks.sources.extract import extract
from tasks.sources.records import CanonicalText, SegmentKind


def helper(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


compound = helper("compound_files")
files = helper("source_files")


def word97(main: str, notes: str = "", *, flags: int = 0, wide: str = "") -> bytes:
    """A Word 97 file of three pieces: ``main``, ``wide`` in two bytes a character, and the footnotes."""
    body = b"\xec\xa5\xc1\x00".ljust(0x0A, b"\0") + struct.pack("<H", 0x0200 | flags)
    body = body.ljust(0x20, b"\0") + struct.pack("<H", 14) + b"\0" * 28
    lengths = [0] * 22
    lengths[3], lengths[4] = len(main) + len(wide), len(notes)
    body += struct.pack("<H22I", 22, *lengths)
    pairs = [0] * 186
    start = 0x800
    first, second, third = main.encode("cp1252"), wide.encode("utf-16-le"), notes.encode("cp1252")
    ends = [0, len(main), len(main) + len(wide), len(main) + len(wide) + len(notes)]
    places = [start * 2 | 0x40000000, start + len(first), (start + len(first) + len(second)) * 2 | 0x40000000]
    pieces = struct.pack("<4I", *ends) + b"".join(struct.pack("<HIH", 0, p, 0) for p in places)
    table = b"\x01" + struct.pack("<H", 2) + b"xx" + b"\x02" + struct.pack("<I", len(pieces)) + pieces
    pairs[66], pairs[67] = 0, len(table)
    body += struct.pack("<H186I", 93, *pairs)
    body = body.ljust(start, b"\0") + first + second + third
    return bytes(compound.compound({"WordDocument": body.ljust(5000, b"\0"), "1Table": table.ljust(5000, b"\0")}))


def rtf(body: str) -> CanonicalText:
    return extract(rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}" + body.encode("latin-1") + b"}", "a.rtf")


ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
)


def odt(body: str, margins: str = "", kind: str = "text") -> CanonicalText:
    inner = f"<office:body><office:text>{body}</office:text></office:body>"
    parts = {"content.xml": f"<office:document {ODF}>{inner}</office:document>"}
    if margins:
        parts["styles.xml"] = f"<office:document {ODF}>{margins}</office:document>"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as out:
        out.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        for name, xml in parts.items():
            out.writestr(name, xml)
    return extract(buffer.getvalue(), "a.odt")


def rows(read: CanonicalText) -> list[str]:
    return [read.text[s.start : s.end] for s in read.segments if s.kind is SegmentKind.ROW]


def test_a_legacy_word_file() -> None:
    main = (
        "The rent is \x13 HYPERLINK x \x14$900\x15 a month.\rItem\x07Fee\x07Due\x07\x07Audit\x07\x07May\x07\x07After.\r"
    )
    read = extract(word97(main, "Net of tax.\r", wide="Zoë pays “€5”.\r"), "lease.doc")
    assert (read.media, read.extractor.partition("/")[0]) == ("doc", "doc")
    assert read.text == (
        "The rent is $900 a month.\n\nItem | Fee | Due\nAudit |  | May\n\nAfter.\n\nZoë pays “€5”.\n\n"
        "[Footnotes: Net of tax.]\n"
    )
    assert rows(read) == ["Item | Fee | Due", "Audit |  | May"]
    assert [p.cause for p in read.problems] == [FailureCause.POLICY]


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (word97("x" * 50, flags=0x0100), "encrypted"),
        (word97("x" * 50)[:3000], "cut off"),
        (compound.compound({"WordDocument": b"\xec\xa5" + b"\0" * 5000}), "damaged"),
        (compound.compound({"WordDocument": b"\0" * 5000, "0Table": b"\0" * 5000}), "damaged"),
        (compound.compound({"PowerPoint Document": b"\0" * 5000}), "legacy"),
    ],
    ids=["encrypted", "cut", "no table", "empty table", "powerpoint"],
)
def test_legacy_files_that_cannot_be_read(data: bytes, word: str) -> None:
    read = extract(data, "lease.doc")
    assert read.text == ""
    (problem,) = read.problems
    assert problem.cause is FailureCause.INPUT
    assert word in problem.message
    assert problem.remedy


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (r"The \b rent\b0  is $900.\par Due \u8220\'93now\'94.\par", "The rent is $900.\n\nDue “now”.\n"),
        (r"{\*\unknown hidden}{\info{\author Ann}}Fee \'80 5\par", "Fee € 5\n"),
        (r"Due {\deleted in May}in June\par", "Due in June\n"),
        (r"{\field{\*\fldinst HYPERLINK x}{\fldrslt the lease}} ends\par", "the lease ends\n"),
        (r"{\listtext 1.\tab}First\par{\listtext 2.\tab}Second\par", "1. First\n\n2. Second\n"),
        (r"Rent{\footnote Net of tax.} is due.\par Next\par", "Rent is due.\n\n[Footnote: Net of tax.]\n\nNext\n"),
        (r"{\header Draft\par}Words\par{\footer Page}", "Words\n\n[Header: Draft]\n\n[Footer: Page]\n"),
        (r"\intbl A\cell B\cell\row C\cell\cell\row\pard After\par", "A | B\nC |\n\nAfter\n"),
        (r"non\_exclusive\~rights \{x\} a\emdash b\line c\par", "non-exclusive rights {x} a—b\nc\n"),
        (r"\uc2\u8364\'80\'80 5\par", "€ 5\n"),
        ("Two\r\nlines\\\nand a break\\par", "Twolines\n\nand a break\n"),
        (r"{\pict\bin5 }}}}} x}Seen\par", "Seen\n"),
    ],
)
def test_rich_text(body: str, expected: str) -> None:
    read = rtf(body)
    assert read.media == "rtf"
    assert "\n".join(line.rstrip() for line in read.text.split("\n")) == expected


def test_rich_text_in_other_alphabets_headings_and_damage() -> None:
    assert extract(rb"{\rtf1\ansi\ansicpg1251 \'d6\'e5\'ed\'e0\par}", "a.rtf").text == "Цена\n"
    assert extract(rb"{\rtf1\ansi\ansicpg932 \'93\'fa\'96\'7b\par}", "a.rtf").text == "日本\n"
    headed = extract(rb"{\rtf1\pard\outlinelevel0 Term\par\pard Words\par}", "a.rtf")
    assert [(s.label, s.level) for s in headed.segments if s.kind is SegmentKind.HEADING] == [("Term", 1)]
    assert extract(rb"{\rtf1 cut off \'9", "a.rtf").text.startswith("cut off")
    deep = extract(rb"{\rtf1" + b"{" * 600 + b"x", "a.rtf")
    assert (deep.text, deep.problems[0].cause) == ("", FailureCause.INPUT)
    assert extract(rb"{\rtf1\bin99999999999 x}", "a.rtf").problems


def test_open_document_text() -> None:
    body = (
        "<text:tracked-changes><text:p>struck out</text:p></text:tracked-changes>"
        '<text:h text:outline-level="2">Term</text:h>'
        '<text:p>The rent<text:s text:c="2"/>is <text:span>$900</text:span>.<text:note text:note-class="endnote">'
        "<text:note-citation>1</text:note-citation><text:note-body><text:p>Net.</text:p></text:note-body></text:note>"
        "<office:annotation><dc:creator>Ann</dc:creator><text:p>Check.</text:p></office:annotation></text:p>"
        "<text:list><text:list-item><text:p>First</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell>"
        "<table:covered-table-cell/><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table>"
        "<text:p><draw:frame><draw:text-box><text:p>Boxed</text:p></draw:text-box></draw:frame></text:p>"
    )
    read = odt(body, "<style:header><text:p>Draft</text:p></style:header>")
    assert read.media == "odt"
    assert read.text == (
        "Term\n\nThe rent  is $900.\n\n[Endnote: Net.]\n\n[Comment by Ann: Check.]\n\nFirst\n\nA |  | B\n\nBoxed\n\n"
        "[Header: Draft]\n"
    )
    assert [(s.label, s.level) for s in read.segments if s.kind is SegmentKind.HEADING] == [("Term", 2)]
    assert read.problems == ()


def test_other_open_documents_and_damage() -> None:
    for kind in ("spreadsheet", "presentation"):
        (problem,) = odt("<text:p>x</text:p>", kind=kind).problems
        assert "OpenDocument" in problem.message
        assert problem.remedy
    assert [p.cause for p in odt("<text:p>Rent & more").problems] == [FailureCause.INPUT]
    bomb = odt("<text:p>" + "<text:span>" * 300 + "deep" + "</text:span>" * 300 + "</text:p>")
    assert "deep" not in bomb.text
