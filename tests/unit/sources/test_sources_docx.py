"""Word: structure, numbering, tracked changes, and damage."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path

import docx as python_docx
import pytest

from tasks.matter.failures import FailureCause
from tasks.sources.extract import extract
from tasks.sources.readers.docx.numbering import formatted
from tasks.sources.records import SegmentKind

_spec = importlib.util.spec_from_file_location("source_files", Path(__file__).with_name("source_files.py"))
assert _spec is not None
assert _spec.loader is not None
files = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(files)


def text_of(body: str, **parts: str) -> str:
    return extract(files.docx(body, **parts), "a.docx").text


@pytest.mark.parametrize(
    ("number", "style", "shown"),
    [
        (4, "upperRoman", "IV"),
        (9, "lowerRoman", "ix"),
        (1994, "upperRoman", "MCMXCIV"),
        (27, "lowerLetter", "aa"),
        (28, "upperLetter", "BB"),
        (3, "decimalZero", "03"),
        (11, "ordinal", "11th"),
        (22, "ordinal", "22nd"),
        (21, "cardinalText", "Twenty-one"),
        (12, "ordinalText", "Twelfth"),
        (30, "ordinalText", "Thirtieth"),
        (5, "none", ""),
        (7, "decimal", "7"),
    ],
)
def test_number_formats(number: int, style: str, shown: str) -> None:
    assert formatted(number, style) == shown


def test_numbering_labels_are_computed_and_restart() -> None:
    levels = [("upperRoman", "ARTICLE %1"), ("decimal", "Section %1.%2"), ("lowerLetter", "(%3)")]
    numbering = files.numbering(levels).replace('<w:lvl w:ilvl="1">', '<w:lvl w:ilvl="1"><w:isLgl/>')
    body = "".join(
        files.numbered(words, level)
        for words, level in [
            ("Definitions", 0), ("Terms", 1), ("Alpha", 2), ("Beta", 2), ("Usage", 1), ("Gamma", 2),
            ("Term", 0), ("Length", 1),
        ]
    )  # fmt: skip
    assert [line for line in text_of(body, numbering=numbering).split("\n") if line] == [
        "ARTICLE I Definitions",
        "Section 1.1 Terms",
        "(a) Alpha",
        "(b) Beta",
        "Section 1.2 Usage",
        "(a) Gamma",
        "ARTICLE II Term",
        "Section 2.1 Length",
    ]


def test_a_second_list_restarts_only_where_it_says_so() -> None:
    extra = (
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>'
        "</w:lvlOverride></w:num>"
    )
    numbering = files.numbering([("decimal", "%1.")], extra)
    body = files.numbered("one", 0) + files.numbered("two", 0, 2) + files.numbered("again", 0, 3)
    assert text_of(body, numbering=numbering).split("\n\n") == ["1. one", "2. two", "1. again\n"]


def test_labels_come_from_styles_and_num_id_zero_removes_them() -> None:
    numbering = files.numbering([("decimal", "%1.")]).replace("<w:lvlText", '<w:pStyle w:val="Clause"/><w:lvlText')
    styles = (
        f'<w:styles {files.W}><w:style w:styleId="Clause"><w:name w:val="Clause"/><w:pPr><w:numPr><w:numId w:val="1"/>'
        '</w:numPr></w:pPr></w:style><w:style w:styleId="Sub"><w:name w:val="Sub"/>'
        '<w:basedOn w:val="Clause"/></w:style>'
        "</w:styles>"
    )
    body = (
        files.para("own", '<w:pStyle w:val="Clause"/>')
        + files.para("based", '<w:pStyle w:val="Sub"/>')
        + files.para("bare", '<w:pStyle w:val="Clause"/><w:numPr><w:numId w:val="0"/></w:numPr>')
    )
    assert text_of(body, numbering=numbering, styles=styles).split("\n\n") == ["1. own", "2. based", "bare\n"]


def test_insertions_are_in_and_deletions_out() -> None:
    body = (
        "<w:p><w:r><w:t>The fee is </w:t></w:r><w:ins><w:r><w:t>$900</w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>$800</w:delText></w:r></w:del><w:r><w:t>.</w:t></w:r></w:p>"
    )
    assert text_of(body) == "The fee is $900.\n"


def test_a_deleted_paragraph_mark_joins_the_next_paragraph() -> None:
    body = files.para("First half ", "<w:rPr><w:del/></w:rPr>") + files.para("second half.")
    assert text_of(body) == "First half second half.\n"


def test_fields_links_content_controls_text_boxes_and_tabs_are_read() -> None:
    box = (
        '<w:r><w:pict><v:textbox xmlns:v="v"><w:txbxContent>'
        + files.para("In a box")
        + "</w:txbxContent></v:textbox></w:pict></w:r>"
    )
    body = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText> REF x </w:instrText><w:fldChar w:fldCharType="end"/>'
        "<w:t>Clause 4</w:t></w:r><w:hyperlink><w:r><w:tab/><w:t>link</w:t></w:r></w:hyperlink></w:p>"
        "<w:sdt><w:sdtContent>" + files.para("In a control") + "</w:sdtContent></w:sdt>"
        "<w:p><w:r><w:t>Anchor</w:t></w:r>" + box + "</w:p>"
    )
    assert text_of(body).split("\n\n") == ["Clause 4 link", "In a control", "Anchor", "In a box\n"]


def test_footnotes_and_comments_follow_their_paragraph_and_headers_the_text() -> None:
    notes = f'<w:footnotes {files.W}><w:footnote w:id="2">{files.para("See Annex.")}</w:footnote></w:footnotes>'
    comments = (
        f'<w:comments {files.W}><w:comment w:id="0" w:author="JD">{files.para("Check this")}</w:comment></w:comments>'
    )
    header = f"<w:hdr {files.W}>{files.para('PRIVILEGED')}</w:hdr>"
    body = (
        '<w:p><w:r><w:t>Rent is due</w:t><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/>'
        "<w:t> monthly.</w:t>"
        "</w:r></w:p>" + files.para("Next.")
    )
    read = extract(files.docx(body, footnotes=notes, comments=comments, header1=header), "a.docx")
    assert read.text.split("\n\n") == [
        "Rent is due monthly.",
        "[Footnote 1: See Annex.]",
        "[Comment 1 by JD: Check this]",
        "Next.",
        "[Header: PRIVILEGED]\n",
    ]
    kinds = {s.kind: read.text[s.start : s.end] for s in read.segments}
    assert kinds[SegmentKind.FOOTNOTE] == "[Footnote 1: See Annex.]"
    assert kinds[SegmentKind.HEADER] == "[Header: PRIVILEGED]"


def test_tables_read_by_row_and_layout_tables_as_paragraphs() -> None:
    def row(*cells: str) -> str:
        return "<w:tr>" + "".join(f"<w:tc>{files.para(c)}</w:tc>" for c in cells) + "</w:tr>"

    read = extract(
        files.docx("<w:tbl>" + row("Item", "Price") + row("Desk", "$90") + row("Only cell", "") + "</w:tbl>"), "a.docx"
    )
    assert read.text.split("\n")[:2] == ["Item | Price", "Desk | $90"]
    assert "Only cell\n" in read.text
    rows = [read.text[s.start : s.end] for s in read.segments if s.kind is SegmentKind.ROW]
    assert rows == ["Item | Price", "Desk | $90"]


def test_pages_where_word_stored_them() -> None:
    body = files.para("Page one.") + "<w:p><w:r><w:lastRenderedPageBreak/><w:t>Page two.</w:t></w:r></w:p>"
    read = extract(files.docx(body), "a.docx")
    at = read.locate(read.text.index("two"), SegmentKind.PAGE)
    assert at is not None
    assert at.label == "p. 2"


def test_python_docx_document_with_headings() -> None:
    document = python_docx.Document()
    document.add_heading("Lease Agreement", level=1)
    document.add_paragraph("Rent is $900 per month.")
    buffer = io.BytesIO()
    document.save(buffer)
    read = extract(buffer.getvalue(), "lease.docx")
    heading = read.segments[0]
    assert (heading.kind, heading.label, heading.level) == (SegmentKind.HEADING, "Lease Agreement", 1)
    assert read.problems == ()


def test_hidden_text_is_read_and_said() -> None:
    hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Side letter exists.</w:t></w:r></w:p>"
    read = extract(files.docx(files.para("Seen.") + hidden), "a.docx")
    assert read.text == "Seen.\n\nSide letter exists.\n"
    assert [p.cause for p in read.problems] == [FailureCause.POLICY]


def test_unescaped_ampersands_are_repaired_and_said() -> None:
    read = extract(files.docx(files.para("Johnson & Johnson pays AT&T $5.")), "a.docx")
    assert read.text == "Johnson & Johnson pays AT&T $5.\n"
    assert [p.cause for p in read.problems] == [FailureCause.INPUT]


def test_broken_tags_are_recovered_as_far_as_they_go() -> None:
    read = extract(files.docx(files.para("Kept.") + "<w:p><w:r><w:t>Also kept.</w:r></w:p>"), "a.docx")
    assert "Kept." in read.text
    assert "Also kept." in read.text
    assert read.problems
