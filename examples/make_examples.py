"""Writes the example corpus from ``examples/sources``: every document format, and anchored rubrics.

Run ``python examples/make_examples.py`` after a change of the sources; the written matters are
committed. Same sources give the same bytes. All names and facts are invented.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import textwrap
import tomllib
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
STAMP = (2025, 1, 1, 0, 0, 0)  # of every file that is made, so that the same code gives the same bytes


def main(root: Path = HERE) -> None:
    """Write every example matter below ``root``."""
    for folder in sorted(p for p in SOURCES.iterdir() if p.is_dir()):
        spec = tomllib.loads((folder / "matter.toml").read_text(encoding="utf-8"))
        target = root / folder.name / spec["slug"]
        shutil.rmtree(root / folder.name, ignore_errors=True)
        (target / "documents").mkdir(parents=True)
        for document in spec["documents"]:
            write_document(folder / document["source"], target / "documents" / document["file"], document.get("form"))
        task = task_of(spec)
        (target / "task.json").write_text(json.dumps(task, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def task_of(spec: dict[str, Any]) -> dict[str, Any]:
    """Expand the short form of ``matter.toml`` to a task in LAB format with anchors."""
    return {
        "title": spec["title"],
        "work_type": spec["work_type"],
        "tags": spec["tags"],
        "instructions": spec["instructions"],
        "deliverables": {name: name for name in spec["deliverables"]},
        "criteria": [criterion_of(spec, raw, number) for number, raw in enumerate(spec["criteria"], 1)],
    }


def criterion_of(spec: dict[str, Any], raw: dict[str, Any], number: int) -> dict[str, Any]:
    """Expand one criterion: prose for a model judge, an anchor for the anchor judge."""
    base = {"id": f"C-{number:03d}", "deliverables": [raw.get("deliverable", spec["deliverables"][0])]}
    if "match" in raw:
        return base | {"title": raw["title"], "match_criteria": raw["match"]}
    kind = next(k for k in ("date", "value", "span", "absence") if k in raw)
    name, topic, gold = raw["scope"][0], raw["topic"], raw[kind]
    titles = {
        "date": f"States the {topic} of the {name}",
        "value": f"States the {topic} of the {name}",
        "span": f"Reports the {topic} provision of the {name}",
        "absence": f"States that the {name} has no {topic} provision",
    }
    rules = {
        "date": f"PASS if the work product gives {gold} as the {topic} of the {name}. FAIL otherwise.",
        "value": f"PASS if the work product gives {gold} as the {topic} of the {name}. FAIL otherwise.",
        "span": f'PASS if the work product conveys, for the {name}: "{gold}". FAIL if it is missing or distorted.',
        "absence": f"PASS if the work product says that the {name} has no {topic} provision. FAIL if it is silent.",
    }
    anchor = {
        "document": raw["document"],
        "scope": [raw["document"], *raw["scope"]],
        "facet": [topic],
        "match": {"kind": kind, "any": [gold]},
    }
    return base | {"title": titles[kind], "match_criteria": rules[kind], "anchors": anchor}


def write_document(source: Path, target: Path, form: str | None) -> None:
    """Write one document in the format of its suffix; ``form`` asks for a scan or a malformed file."""
    text = source.read_text(encoding="utf-8")
    if form == "scan":
        target.write_bytes(scanned_pdf(text))
    elif form == "malformed":
        target.write_bytes(malformed_docx(word_file(text)))
    else:
        writers: dict[str, Callable[[str], bytes]] = {
            ".docx": word_file,
            ".pdf": text_pdf,
            ".xlsx": spreadsheet,
            ".pptx": slides,
            ".eml": mail,
        }
        target.write_bytes(writers.get(target.suffix, str.encode)(text))


def word_file(text: str) -> bytes:
    """Write a Word file whose clauses are numbered by Word (no number stands in the text)."""
    import docx
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    document = docx.Document()
    numbering = _outline_numbering(document)
    for line in text.strip().splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "#":
            document.add_paragraph(rest, style="Title").alignment = WD_ALIGN_PARAGRAPH.CENTER
        elif mark in {"##", "###"}:
            level = len(mark) - 2
            _number(document.add_paragraph(rest, style=f"Heading {level + 1}"), numbering, level)
        elif line.strip():
            document.add_paragraph(line)
    document.sections[0].footer.paragraphs[0].text = "Execution copy"
    document.core_properties.created = document.core_properties.modified = datetime(*STAMP, tzinfo=UTC)
    buffer = io.BytesIO()
    document.save(buffer)
    return same_bytes(buffer.getvalue())


def _outline_numbering(document: Any) -> int:
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    part = document.part.numbering_part.element
    levels = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{label}"/></w:lvl>'
        for i, label in enumerate(("%1.", "%1.%2"))
    )
    abstract = parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{levels}</w:abstractNum>')
    part.insert(0, abstract)
    part.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    return 90


def _number(paragraph: Any, numbering: int, level: int) -> None:
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
    properties.get_or_add_ilvl().val = level
    properties.get_or_add_numId().val = numbering


def same_bytes(data: bytes) -> bytes:
    """Repack a zip with one fixed time stamp, so that equal content gives equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            new.writestr(zipfile.ZipInfo(info.filename, (2025, 1, 1, 0, 0, 0)), old.read(info), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def malformed_docx(data: bytes) -> bytes:
    """Break the XML of a Word file: a bare ampersand, and the end of the body cut off."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            content = old.read(info)
            if info.filename == "word/document.xml":
                content = content.replace(b" and ", b" & ")[: len(content) * 4 // 5]
            new.writestr(zipfile.ZipInfo(info.filename, (2025, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def numbered_lines(text: str, width: int = 88) -> list[str]:
    """Lay a source text out as lines, with the clause numbers printed."""
    lines: list[str] = []
    first = second = 0
    for line in text.strip().splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "#":
            lines += [rest, ""]
        elif mark == "##":
            first, second = first + 1, 0
            lines += [f"{first}. {rest}"]
        elif mark == "###":
            second += 1
            lines += [f"{first}.{second} {rest}"]
        elif line.strip():
            lines += [*textwrap.wrap(line, width), ""]
    return lines


def text_pdf(text: str, per_page: int = 22) -> bytes:
    """Write a PDF with a text layer, Helvetica 11, by hand (no library needed)."""
    lines = numbered_lines(text)
    pages = [lines[i : i + per_page] for i in range(0, len(lines), per_page)]
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    kids = []
    for number, page in enumerate(pages, 1):
        stream = b"BT /F1 11 Tf 15 TL 60 770 Td\n"
        for line in page:
            escaped = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            stream += b"(" + escaped.encode("cp1252") + b") Tj T*\n"
        stream += b"ET\nBT /F1 9 Tf 280 30 Td (" + f"Page {number} of {len(pages)}".encode() + b") Tj ET"
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents {len(objects) + 2} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    return pdf_bytes(objects)


def pdf_bytes(objects: list[bytes]) -> bytes:
    """Join numbered objects to a PDF file with its cross-reference table."""
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def scanned_pdf(text: str) -> bytes:
    """Write a PDF that is a picture of a page: no text layer."""
    import zlib

    from PIL import Image, ImageDraw, ImageFont

    page = Image.new("L", (1240, 1000), 255)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(26)
    for row, line in enumerate(numbered_lines(text, 76)):
        draw.text((110, 90 + row * 40), line, fill=20, font=font)
    pixels = zlib.compress(page.tobytes(), 9)
    image = (
        f"<< /Type /XObject /Subtype /Image /Width {page.width} /Height {page.height} /ColorSpace /DeviceGray "
        f"/BitsPerComponent 8 /Filter /FlateDecode /Length {len(pixels)} >>\nstream\n"
    ).encode()
    drawing = b"595 0 0 480 0 340 cm /Im0 Do"
    return pdf_bytes(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /XObject << /Im0 5 0 R >> >> >>",
            f"<< /Length {len(drawing)} >>\nstream\n".encode() + drawing + b"\nendstream",
            image + pixels + b"\nendstream",
        ]
    )


def spreadsheet(text: str) -> bytes:
    """Write a workbook from CSV lines; digits become numbers."""
    import xlsxwriter

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False})
    book.set_properties({"created": datetime(*STAMP, tzinfo=UTC).replace(tzinfo=None)})
    sheet = book.add_worksheet("FY2024")
    number = book.add_format({"num_format": "#,##0"})
    for row, cells in enumerate(csv.reader(io.StringIO(text))):
        for column, cell in enumerate(cells):
            if cell.isdigit():
                sheet.write_number(row, column, int(cell), number)
            elif cell:
                sheet.write_string(row, column, cell)
    hidden = book.add_worksheet("workings")
    hidden.write_string(0, 0, "Adjusted EBITDA adds back one-off rent of 240 ($ in thousands)")
    hidden.hide()
    book.close()
    return buffer.getvalue()


def slides(text: str) -> bytes:
    """Write a slide deck with bullet lines and speaker notes."""
    import pptx

    deck = pptx.Presentation()
    for slide in tomllib.loads(text)["slides"]:
        page = deck.slides.add_slide(deck.slide_layouts[1])
        page.shapes.title.text = slide["title"]
        page.placeholders[1].text = "\n".join(slide["lines"])
        if slide["notes"]:
            page.notes_slide.notes_text_frame.text = slide["notes"]
    deck.core_properties.created = deck.core_properties.modified = datetime(*STAMP, tzinfo=UTC)
    buffer = io.BytesIO()
    deck.save(buffer)
    return same_bytes(buffer.getvalue())


def mail(text: str) -> bytes:
    """Write an email: the last message, the earlier ones quoted below it, and an attachment."""
    spec = tomllib.loads(text)
    *earlier, last = spec["messages"]
    body = last["body"].strip()
    for message in reversed(earlier):
        sent = parsedate_to_datetime(message["date"]).strftime("%a, %d %b %Y at %H:%M")
        quoted = textwrap.indent(message["body"].strip(), "> ", lambda _: True)
        body += f"\n\nOn {sent}, {message['from']} wrote:\n{quoted}"
    letter = EmailMessage()
    for header in ("from", "to", "date", "subject"):
        letter[header.capitalize()] = last[header]
    letter["Message-ID"] = "<example@northlight-foods.example>"
    letter.set_content(body + "\n")
    letter.add_attachment(spec["attachment"]["text"].strip() + "\n", filename=spec["attachment"]["name"])
    letter.set_boundary("=-example-boundary-=")
    return letter.as_bytes()


if __name__ == "__main__":
    main()
