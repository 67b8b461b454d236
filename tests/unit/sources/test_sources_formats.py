"""Workbooks, decks, mail, PDF, HTML, JSON, CSV and plain text: what can be cited, and how."""

from __future__ import annotations

import datetime
import importlib.util
import io
import shutil
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import openpyxl
import pptx
import pytest
from openpyxl.comments import Comment
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI

from tasks.matter.failures import FailureCause
from tasks.sources.extract import extract
from tasks.sources.readers.pdf.layout import Flow, PrintedLine, running_lines, split_running
from tasks.sources.readers.xlsx import column_letters, shown_value
from tasks.sources.records import CanonicalText, SegmentKind

_spec = importlib.util.spec_from_file_location("source_files", Path(__file__).with_name("source_files.py"))
assert _spec is not None
assert _spec.loader is not None
files = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(files)


def labels(read: CanonicalText, kind: SegmentKind) -> dict[str, str]:
    return {s.label: read.text[s.start : s.end] for s in read.segments if s.kind is kind}


@pytest.mark.parametrize(
    ("value", "pattern", "expected"),
    [
        (1200.0, "#,##0", "1,200"),
        (1200.5, "#,##0", "1,200.5"),
        (0.125, "0.0%", "12.5%"),
        (-1200, "#,##0_);(#,##0)", "(1,200)"),
        (5, '"$"#,##0.00', "$5.00"),
        (5, "[$€-407]#,##0", "€5"),
        (3.5, '0.00"x"', "3.50x"),
        (2.0, "General", "2"),
        (0.1 + 0.2, "General", "0.3"),
        (1e20, "General", "1e+20"),
        (True, "General", "TRUE"),
        (datetime.datetime(2024, 3, 5), "General", "2024-03-05"),
        (datetime.datetime(2024, 3, 5, 9, 30), "General", "2024-03-05 09:30"),
        ("two\nlines", "General", "two lines"),
    ],
)
def test_cells_are_shown_as_the_sheet_shows_them(value: object, pattern: str, expected: str) -> None:
    assert shown_value(value, pattern) == expected


def test_column_letters() -> None:
    assert [column_letters(n) for n in (1, 26, 27, 703)] == ["A", "Z", "AA", "AAA"]


def test_workbook_cells_can_be_cited() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "P&L"
    sheet["A1"] = "($ in thousands)"
    sheet["B5"], sheet["B5"].number_format, sheet["B5"].comment = 1200, "#,##0", Comment("restated", "JD")
    sheet["C5"] = "=SUM(B5:B5)"
    hidden = book.create_sheet("Side deals")
    hidden.sheet_state, hidden["D7"] = "hidden", "10% rebate"
    buffer = io.BytesIO()
    book.save(buffer)
    read = extract(buffer.getvalue(), "model.xlsx")
    cells = labels(read, SegmentKind.CELL)
    assert cells["P&L!A1"] == "A1: ($ in thousands)"
    assert cells["P&L!B5"] == "B5: 1,200"
    assert cells["P&L!C5"].startswith("C5: =SUM(B5:B5)")
    assert cells["Side deals!D7"] == "D7: 10% rebate"
    assert "Sheet: Side deals (hidden)" in read.text
    assert "[Comment on B5: restated]" in read.text
    assert [p.cause for p in read.problems] == [FailureCause.INPUT]  # the formula was never calculated


def test_deck_with_notes_tables_and_groups() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Deal terms"
    slide.placeholders[1].text = "Price $5m"
    slide.notes_slide.notes_text_frame.text = "Walk away above $6m"
    table = slide.shapes.add_table(1, 2, 0, 0, 100, 100).table
    table.cell(0, 0).text, table.cell(0, 1).text = "Closing", "Q3"
    slide.shapes.add_group_shape().shapes.add_textbox(0, 0, 9, 9).text_frame.text = "In a group"
    buffer = io.BytesIO()
    deck.save(buffer)
    read = extract(buffer.getvalue(), "deck.pptx")
    assert labels(read, SegmentKind.SLIDE)["slide 1"].startswith("Slide 1: Deal terms")
    assert labels(read, SegmentKind.NOTES)["slide 1, notes"] == "[Notes: Walk away above $6m]"
    assert "Closing | Q3" in read.text
    assert "In a group" in read.text


OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PRESENTATION = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
DRAWING = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def part_of(owner: Any, name: str, kind: str, xml: str) -> None:
    """Give a slide or deck a part of its own, as PowerPoint stores comments and diagrams."""
    part = Part(PackURI(name), "application/xml", owner.package, xml.encode())
    owner.relate_to(part, f"{OFFICE}/{kind}")


def test_comments_replies_diagrams_and_hidden_slides_of_a_deck() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide._element.set("show", "0")
    part_of(deck.part, "/ppt/commentAuthors.xml", "commentAuthors",
            f'<p:cmAuthorLst {PRESENTATION}><p:cmAuthor id="0" name="Ann Lee"/></p:cmAuthorLst>')  # fmt: skip
    part_of(deck.part, "/ppt/authors.xml", "authors", '<a><author id="{B}" name="Bob"/></a>')
    part_of(slide.part, "/ppt/comments/comment1.xml", "comments",
            f'<p:cmLst {PRESENTATION}><p:cm authorId="0"><p:text>Is $5m right?</p:text></p:cm></p:cmLst>')  # fmt: skip
    body = f"<txBody {DRAWING}><a:p><a:r><a:t>%s</a:t></a:r></a:p></txBody>"
    reply = f'<replyLst><reply authorId="{{B}}">{body % "Fixed."}</reply></replyLst>'
    part_of(slide.part, "/ppt/comments/modernComment1.xml", "comments",
            f'<cmLst><cm authorId="{{B}}">{reply}{body % "Closing is in Q3."}</cm></cmLst>')  # fmt: skip
    part_of(slide.part, "/ppt/diagrams/data1.xml", "diagramData",
            f"<d {DRAWING}><a:p><a:t>Hold</a:t><a:t>Co</a:t></a:p><a:p><a:t>OpCo</a:t></a:p></d>")  # fmt: skip
    part_of(slide.part, "/ppt/comments/comment2.xml", "comments", "<broken")
    buffer = io.BytesIO()
    deck.save(buffer)
    read = extract(buffer.getvalue(), "deck.pptx")
    assert read.text == (
        "Slide 1 (hidden)\n\n[Comment by Ann Lee: Is $5m right?]\n\n[Comment by Bob: Closing is in Q3.]\n\n"
        "[Comment by Bob: Fixed.]\n\n[Diagram: HoldCo | OpCo]\n"
    )
    assert set(labels(read, SegmentKind.COMMENT)) == {"slide 1, comment by Ann Lee", "slide 1, comment by Bob"}
    assert [(p.cause, "malformed" in p.message) for p in read.problems] == [(FailureCause.INPUT, True)]


def mail(depth: int = 1) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "Ann Lee <ann@acme.test>", "bob@beta.test"
    message["Subject"], message["Date"] = "Re: Térms", "Mon, 05 Feb 2024 10:00:00 +0000"
    message.set_content("We accept.\n\nOn Fri, Feb 2, 2024 Bob wrote:\n> Will you accept?\n")
    message.add_attachment(b"Rent is $900.", maintype="text", subtype="plain", filename="lease.txt")
    if depth:
        message.add_attachment(mail(depth - 1))
    return message


def test_mail_with_quoted_reply_attachment_and_forwarded_message() -> None:
    read = extract(mail().as_bytes(), "note.eml")
    assert labels(read, SegmentKind.MAIL_HEADER)["Subject"] == "Subject: Re: Térms"
    assert labels(read, SegmentKind.QUOTED)["quoted reply"].startswith("On Fri, Feb 2, 2024 Bob wrote:")
    assert "Rent is $900." in labels(read, SegmentKind.ATTACHMENT)["lease.txt"]
    assert read.text.count("We accept.") == 2
    at = read.locate(read.text.index("Rent"), SegmentKind.ATTACHMENT)
    assert at is not None
    assert at.label == "lease.txt"


def test_mail_nested_too_deeply_is_a_problem_not_a_crash() -> None:
    read = extract(mail(8).as_bytes(), "note.eml")
    assert {p.cause for p in read.problems} == {FailureCause.CAPACITY}
    assert "forwarded message.eml" in read.problems[0].subject


def test_html_mail_is_read_as_text() -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "a@b.test", "x"
    message.set_content("<p>Pay <b>now</b></p><script>alert(1)</script>", subtype="html")
    assert "Pay now" in extract(message.as_bytes(), "m.eml").text
    assert "alert" not in extract(message.as_bytes(), "m.eml").text


def test_html_tables_headings_and_scripts() -> None:
    page = (
        b"<html><head><title>T</title><style>x{}</style></head><body><h2>Fees</h2><p>A&nbsp;b<br>c</p>"
        b"<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table></body></html>"
    )
    read = extract(page, "p.html")
    assert read.text.startswith("Fees\n\nA b\nc\n\n1 | 2\n3\n")
    assert [(s.label, s.level) for s in read.segments if s.kind is SegmentKind.HEADING] == [("Fees", 2)]


def test_json_csv_and_markdown() -> None:
    assert (
        labels(extract(b'{"rent": {"usd": 900}, "term": "1 y\\u00e9ar"}', "a.json"), SegmentKind.PARAGRAPH)["term"]
        == '  "term": "1 yéar"'
    )
    assert labels(extract(b'name;rent\nAcme;"1,200"\n', "a.csv"), SegmentKind.CELL)["B2"] == "B2: 1,200"
    read = extract(b"# Lease\n\nRent is due.\n", "a.md")
    assert (read.segments[0].kind, read.segments[0].label) == (SegmentKind.HEADING, "Lease")
    broken = extract(b'{"rent": ', "a.json")
    assert broken.text.strip() == '{"rent":'
    assert [p.cause for p in broken.problems] == [FailureCause.INPUT]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("caf\u00e9".encode(), "café"),
        ("caf\u00e9".encode("cp1252"), "café"),
        ("\ufeffcaf\u00e9".encode("utf-16"), "café"),
        (b"a\r\nb\rc", "a\nb\nc"),
        ("pay\u00a0$5".encode(), "pay $5"),
    ],
)
def test_plain_text_encodings(data: bytes, expected: str) -> None:
    assert extract(data, "a.txt").text.strip() == expected


def page(*lines: str, top: int = 700) -> list[tuple[float, float, str]]:
    return [(72, top - 14 * i, line) for i, line in enumerate(lines)]


LONG = "This Agreement may be terminated by either party upon thirty days prior written"


def test_pdf_paragraphs_are_rejoined_and_pages_kept() -> None:
    read = extract(files.pdf([page("LICENSE AGREEMENT"), page(LONG, "notice to the other party.")]), "a.pdf")
    assert f"{LONG} notice to the other party." in read.text
    assert [s.label for s in read.segments if s.kind is SegmentKind.PAGE] == ["p. 1", "p. 2"]
    at = read.locate(read.text.index("notice"), SegmentKind.PAGE)
    assert at is not None
    assert at.label == "p. 2"


def test_pdf_sentence_across_pages_is_whole_and_footers_stand_apart() -> None:
    def sheet(number: int, *lines: str) -> list[tuple[float, float, str]]:
        return [*page(*lines), (72, 40, f"Acme Master Agreement, page {number}")]

    pages = [
        sheet(1, LONG, "notice given to the"),
        sheet(2, "other party at its address, and not otherwise at all."),
        sheet(3, "The end."),
    ]
    read = extract(files.pdf(pages), "a.pdf")
    assert "notice given to the other party at its address" in read.text
    assert read.text.count("Acme Master Agreement") == 1
    assert [s.kind for s in read.segments if "Acme" in read.text[s.start : s.end]] == [SegmentKind.FOOTER]


def test_pdf_clauses_start_their_own_paragraphs() -> None:
    lines = [
        "1. Term. This Agreement starts on the date above and runs for one full year then.",
        "2. Fees. None.",
        "(a) Late fees are due.",
    ]
    read = extract(files.pdf([page(*lines)]), "a.pdf")
    assert read.text.strip().split("\n\n") == lines


def test_pdf_reference_at_a_line_start_is_not_a_clause() -> None:
    lines = [
        "Licensee shall pay the royalties that are set out more fully in the table under Section",
        "4.1 of this Agreement.",
    ]
    assert "Section 4.1 of this Agreement." in extract(files.pdf([page(*lines)]), "a.pdf").text


def test_pdf_comments_and_form_fields_are_read() -> None:
    annotation = (
        "<< /Type /Annot /Subtype /Text /Rect [9 9 20 20] /Contents (Check the cap) >> "
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (tenant) /V (Acme LLC) /Rect [9 30 99 50] >>"
    )
    read = extract(files.pdf([page("Name of the tenant:")], annotation=annotation), "a.pdf")
    assert "[Comment, p. 1: Check the cap]" in read.text
    assert "[Form field tenant, p. 1: Acme LLC]" in read.text
    assert {s.label for s in read.segments if s.kind is SegmentKind.COMMENT} == {
        "p. 1, comment",
        "p. 1, form field tenant",
    }


def test_encrypted_and_damaged_pdf() -> None:
    locked = files.pdf(
        [page("x")],
        trailer="/Encrypt << /Filter /Standard /V 1 /R 2 /O <"
        + "00" * 32
        + "> /U <"
        + "11" * 32
        + "> /P -4 >> /ID [<00><00>]",
    )
    read = extract(locked, "a.pdf")
    assert read.text == ""
    assert "encrypted" in read.problems[0].message
    assert "password" in read.problems[0].remedy
    assert extract(b"%PDF-1.4 nothing more", "a.pdf").problems[0].cause is FailureCause.INPUT


def test_scan_without_recognition_names_page_and_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    read = extract(files.pdf([page("A page with enough text."), []], image=b"\xff" * 40_000), "scan.pdf")
    assert "A page with enough text." in read.text
    assert [p.cause for p in read.problems] == [FailureCause.READER]
    assert read.problems[0].message.startswith("p. 2 is a scan")
    assert "tesseract" in read.problems[0].remedy


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="the tesseract command is not installed")
def test_scan_is_recognised() -> None:
    pdfium = pytest.importorskip("pypdfium2")
    source = pdfium.PdfDocument(files.pdf([[(10, 760, "THE RENT IS NINE HUNDRED DOLLARS")]]))
    bitmap = source[0].render(scale=400 / 250, crop=(0, 792 - 62.5, 612 - 250, 0), grayscale=True)
    rows = [
        bytes(bitmap.buffer)[y * bitmap.stride : y * bitmap.stride + 400].ljust(400, b"\xff")
        for y in range(min(100, bitmap.height))
    ]
    read = extract(files.pdf([[]], image=b"".join(rows).ljust(40_000, b"\xff")), "scan.pdf")
    assert "RENT IS NINE HUNDRED" in read.text
    assert read.problems == ()


def line(text: str, y: float, left: float = 72.0, right: float = 540.0) -> PrintedLine:
    return PrintedLine(text, left, right, y, 11.0)


def test_hyphens_added_by_the_printer_go_and_compounds_stay() -> None:
    flow = Flow([])
    flow.add_page(
        1,
        [
            line("the parties shall cooperate in good faith on the develop-", 700),
            line("ment of a non-", 686),
            line("exclusive offer", 672),
        ],
    )
    assert (
        flow.paragraphs[0].text
        == "the parties shall cooperate in good faith on the development of a non-exclusive offer"
    )


def test_the_title_on_the_first_page_stays_although_later_pages_repeat_it() -> None:
    pages = [
        [line("MASTER AGREEMENT", 760), *(line(f"{word * (n + 3)} body", 600 - i) for i, word in enumerate("abcdefgh"))]
        for n in range(4)
    ]
    running = running_lines(pages)
    assert split_running(pages[0], running, top=False)[0][0].text == "MASTER AGREEMENT"
    assert split_running(pages[1], running)[1][0].text == "MASTER AGREEMENT"
