"""Documents of many kinds and any size, made on the spot: each stresses one shape of input.

A kind is named by what grows in it. The words are those of contracts, so that the scanners, the clause tree and the
chunks have something to find; the runs of one character are what a converted file may hold.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_RENT = "The Tenant of {w} shall pay $1,250.00 to Acme {w} Holdings, Inc. within ten (10) days after March 3, 2021."
_LEAST = 200  # times that a run is repeated
_CHARACTERS = 12_000  # of a run, if its piece is not too long


@dataclass(frozen=True)
class Kind:
    """One shape of input.

    Attributes:
        name: What grows.
        file: Name of the document, whose suffix says how it is read.
        size: Units from which the work takes some tenth of a second.
        make: The bytes of a document of so many units.
        brief: True for a brief, which is read into its asks and is no document.
    """

    name: str
    file: str
    size: int
    make: Callable[[int], bytes]
    brief: bool = False


def _filled(piece: str, number: int) -> str:
    """Fill in the number of a turn, ``{i}``, and a word of its own, ``{w}``: lines that recur are page furniture."""
    word, rest = "", number
    while rest:
        rest, letter = divmod(rest, 26)
        word += chr(97 + letter)
    return piece.replace("{i}", str(number)).replace("{w}", f"Q{word}")


def _repeated(piece: str, n: int, between: str = "") -> str:
    """Repeat a piece, with a new number and word each time."""
    if "{" not in piece:
        return between.join([piece] * n)
    return between.join(_filled(piece, i) for i in range(1, n + 1))


def _archive(files: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for name, content in files.items():
            out.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def docx(body: str, **parts: str) -> bytes:
    """Return a Word file from the XML of its body and of further parts."""
    files = {f"word/{name}.xml": xml for name, xml in parts.items()}
    files["word/document.xml"] = f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>'
    return _archive(files)


def paragraph(text: str, properties: str = "") -> str:
    """Return the XML of a Word paragraph."""
    return f'<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def xlsx(rows: int, columns: int) -> bytes:
    """Return a workbook of one sheet, amounts in words of their own."""
    from tasks.sources.readers.xlsx import column_letters

    letters = [column_letters(c) for c in range(1, columns + 1)]
    cells = "".join(
        f'<row r="{r}">' + "".join(f'<c r="{c}{r}"><v>{r * 37 % 9001}</v></c>' for c in letters) + "</row>"
        for r in range(1, rows + 1)
    )
    relation = "http://schemas.openxmlformats.org/package/2006/relationships"
    kinds = "http://schemas.openxmlformats.org/package/2006/content-types"
    sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return _archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{kinds}"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
            f'ContentType="{sheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" '
            f'ContentType="{sheet}.worksheet+xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{relation}"><Relationship Id="r1" Type="{_R}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{_S}" xmlns:r="{_R}"><sheets><sheet name="Rent" sheetId="1" '
            'r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{relation}"><Relationship Id="r1" '
            f'Type="{_R}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_S}"><sheetData>{cells}</sheetData></worksheet>',
        }
    )


def _numbered(n: int) -> bytes:
    levels = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        f'<w:lvlText w:val="{".".join(f"%{j}" for j in range(1, i + 2))}"/></w:lvl>'
        for i in range(9)
    )
    numbering = (
        f'<w:numbering xmlns:w="{_W}"><w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    body = "".join(
        paragraph(
            _filled("Clause {w} binds the parties.", i),
            f'<w:numPr><w:ilvl w:val="{(0, 1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5)[i % 12]}"/><w:numId w:val="1"/></w:numPr>',
        )
        for i in range(n)
    )
    return docx(body, numbering=numbering)


def _docx_table(rows: int) -> str:
    row = "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in ("Base rent", "$1,000", "due March 3, 2021"))
    return f"<w:tbl>{f'<w:tr>{row}</w:tr>' * rows}</w:tbl>"


def _docx_notes(n: int) -> bytes:
    body = "".join(
        f'<w:p><w:r><w:t>Word {i}.</w:t></w:r><w:r><w:footnoteReference w:id="{i + 1}"/></w:r></w:p>' for i in range(n)
    )
    notes = "".join(f'<w:footnote w:id="{i + 1}">{paragraph(f"Note {i}.")}</w:footnote>' for i in range(n))
    return docx(body, footnotes=f'<w:footnotes xmlns:w="{_W}">{notes}</w:footnotes>')


def _docx_changes(n: int) -> bytes:
    run = "<w:r><w:t>word </w:t></w:r>"
    change = f'<w:ins w:id="1" w:author="A">{run}</w:ins><w:del w:id="2"><w:r><w:delText>x</w:delText></w:r></w:del>'
    return docx(f"<w:p>{change * n}</w:p>")


def _pptx(slides: int, shapes: int) -> bytes:
    """Return a presentation whose every slide has so many text boxes."""
    import pptx

    deck = pptx.Presentation()
    for _ in range(slides):
        deck.slides.add_slide(deck.slide_layouts[6])
    buffer = io.BytesIO()
    deck.save(buffer)
    with zipfile.ZipFile(buffer) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="{i}" name="t"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr/>'
        f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{_RENT}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    boxes = f"{_repeated(shape, shapes)}</p:spTree>".encode()
    return _archive(
        {
            name: content.replace(b"</p:spTree>", boxes) if name.startswith("ppt/slides/slide") else content
            for name, content in files.items()
        }
    )


def _odt(n: int) -> bytes:
    words = _repeated(f"<text:p>{_RENT}</text:p>", n)
    row = "<table:table-row><table:table-cell><text:p>Rent</text:p></table:table-cell></table:table-row>"
    content = (
        f'<office:document-content xmlns:office="{_OFFICE}" xmlns:text="{_TEXT}" xmlns:table="{_TABLE}"><office:body>'
        f"<office:text>{words}<table:table>{row * n}</table:table></office:text></office:body>"
        "</office:document-content>"
    )
    return _archive({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


def _pdf(pages: int) -> bytes:
    lines = [f"{i}.{j} {_RENT}"[:90] for i in range(1, 5) for j in range(1, 11)]
    stream = "\n".join(f"BT /F1 10 Tf 60 {760 - 16 * i} Td ({t.replace('(', '').replace(')', '')}) Tj ET" for i, t in
                       enumerate(lines)).encode()  # fmt: skip
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources %s >>"
    page = page % b"<< /Font << /F1 3 0 R >> >>"
    objects += [page] * pages
    kids = b" ".join(b"%d 0 R" % (i + 5) for i in range(pages))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, pages)
    parts, offsets, at = [b"%PDF-1.4\n"], [], 9
    for number, body in enumerate(objects, start=1):
        offsets.append(at)
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, body))
        at += len(parts[-1])
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    parts += [b"%010d 00000 n \n" % offset for offset in offsets]
    parts.append(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, at))
    return b"".join(parts)


def _mail(body: str, headers: str = "") -> bytes:
    head = "From: a@example.com\r\nTo: b@example.com\r\nSubject: Lease\r\nDate: Tue, 2 Mar 2021 10:00:00 +0000\r\n"
    return f"{head}{headers}Content-Type: text/plain\r\n\r\n{body}".encode()


def _mail_parts(n: int) -> bytes:
    part = f"--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n{_RENT}\r\n"
    head = "From: a@example.com\r\nTo: b@example.com\r\nSubject: Lease\r\n"
    return f"{head}Content-Type: multipart/mixed; boundary=b\r\n\r\n{_repeated(part, n)}--b--".encode()


def _text(piece: str, between: str = "") -> Callable[[int], bytes]:
    """Return a maker of a text that says a piece over and over."""
    return lambda n: _repeated(piece, n, between).encode()


def _run(character: str) -> Callable[[int], bytes]:
    """Return a maker of a long run of one character between words."""
    return lambda n: f"The Tenant shall pay {character * n} within ten days.\n\n(a) Rent.".encode()


_RUNS = {
    "spaces": " ", "letters": "a", "capitals": "A", "digits": "7", "dashes": "-", "dots": ".", "underscores": "_",
    "brackets": "(", "closed brackets": "()", "square brackets": "[", "quotation marks": '"', "commas": ",",
    "dollar signs": "$", "section signs": "§", "tabs": "\t", "line ends with spaces": "\n ", "empty lines": "\n",
    "digits and dots": "1.", "digits and commas": "1,", "capital words": "Aa ", "single letters": "a ",
    "single capitals": "A ", "single digits": "1 ", "bars": "|", "stars": "*", "number signs": "#", "slashes": "/",
    "angle brackets": "<", "apostrophes": "’", "ampersands": "&", "backslashes": "\\", "semicolons": "; ",
    "dotted capitals": "A.", "words in brackets": "(the Co) ", "quoted capitals": '“A” ', "percent signs": "%",
    "hyphened words": "a-", "of the": "of the ", "and": "and ", "number words": "one hundred ", "zeros": "0",
    "dates in a row": "May 1, 2020 ", "citations in a row": "17 U.S.C. § 101; ", "amounts in a row": "$5 million ",
    "capital names": "Acme Holdings ", "names with commas": "Acme, ", "names in capitals": "ACME HOLDINGS ",
    "sections in a row": "Section 1.1, ", "inner numbers": "(a) Rent; ", "days in a row": "ten (10) days ",
    "no breaks": "\u00a0", "soft hyphens": "\u00ad", "surrogate letters": "𝐀", "combining marks": "e\u0301",
}  # fmt: skip


# What a brief says over and over, with its units and what stands between: by the name of the kind.
_BRIEFS = {
    "marks": (1500, "?!.,;:-", ""),
    "labels": (1000, "a:", " "),
    "dashes": (400, "the rent", " - "),
    "words without a stop": (100, "the tenant and the landlord agree that rent is due", " "),
    "asks without a stop": (100, "and what is the rent, and who pays the tax and whether we may assign", " "),
    "things in a list": (500, "the rent,", " "),
    "items": (150, "{i}. what is the rent of lease {i}", "\n"),
    "items in a line": (150, "({i}) the rent of lease {i}", "; "),
    "conditions": (700, "if we", " "),
    "changes": (200, "the rent from 3 to 5,", " "),
}


def _nested(tag: str) -> Callable[[int], bytes]:
    return lambda n: (f"<html><body>{f'<{tag}>' * n}Rent{f'</{tag}>' * n}</body></html>").encode()


_HEADING = '<w:outlineLvl w:val="1"/>'
# File, units, what is said over and over, and what stands between: by the name of the kind.
_TEXTS = {
    "csv rows": ("a.csv", 800, "Rent,$1,000,2021-03-03,Acme Holdings Inc.,{i}", "\n"),
    "csv one-cell rows": ("a.csv", 4000, "{i}", "\n"),
    "txt paragraphs": ("a.txt", 300, "{i}. " + _RENT, "\n\n"),
    "txt lines": ("a.txt", 300, _RENT, "\n"),
    "txt wrapped lines": ("a.txt", 600, "the Tenant shall pay on the {i} day of the month as the", "\n"),
    "txt one line": ("a.txt", 300, _RENT + " ", ""),
    "txt one-word lines": ("a.txt", 8000, "Rent", "\n"),
    "txt one-word paragraphs": ("a.txt", 4000, "Rent", "\n\n"),
    "txt amounts": ("a.txt", 700, "the fee is ${i},000.50 or 5% of it", "; "),
    "txt shares": ("a.txt", 700, "1,000 shares and 2,{i} more are issued", "; "),
    "txt fractions": ("a.txt", 700, "eight and 1/4 percent, half of one percent, {i} to 1", "; "),
    "txt dates": ("a.txt", 700, "on March 3, 2021 and 3/4/2022", "; "),
    "txt windows": ("a.txt", 400, "within ten (10) Business Days after receipt of notice", "; "),
    "txt broken windows": ("a.txt", 400, "within 3.5 years after notice and 18 1/2 months", "; "),
    "txt trade dates": ("a.txt", 400, "on T+{i} within ten days", "; "),
    "txt citations": ("a.txt", 300, "Roe v. Wade, 410 U.S. 113, {i} (1973); 17 U.S.C. § 10{i}", ". "),
    "txt short citations": ("a.txt", 300, "Roe{w} v. Wade, 410 U.S. 113 (1973). Roe{w}, 410 U.S., at {i}", ". "),
    "txt supra": ("a.txt", 300, "Roe{w} v. Wade, 41{i} U.S. 11 (1973). Doe{w}, supra, at 5", ". "),
    "txt ids": ("a.txt", 700, "Id. at {i}", ", "),
    "txt rules": ("a.txt", 300, "Rule 701 under the Securities Act and Rule 12(b)({i})", "; "),
    "txt defined terms": ("a.txt", 500, "“Term {i}” means the rent (the “Rent {i}”).", "\n"),
    "txt parties": ("a.txt", 300, "between Acme {i} Holdings, Inc. (“Lessor {i}”) and Beta LLC", ", "),
    "txt clauses": ("a.txt", 400, "Section {i}.1 Rent of {w}. See Section 1.{i}(a) and Exhibit A.", "\n\n"),
    "txt capital headings": ("a.txt", 800, "BASE RENT {w}", "\n\n"),
    "txt page numbers": ("a.txt", 800, "Rent of {w} is due\n\n{i}\n\nand payable", "\n\n"),
    "txt running lines": ("a.txt", 400, _RENT + "\n\nAcme Lease Agreement Page {i}", "\n\n"),
    "txt table of contents": ("a.txt", 800, "{i}. Rent ........... {i}", "\n"),
    "txt titles of contents": ("a.txt", 2000, "Contents\nRent {i}", "\n"),
    "txt deep lists": ("a.txt", 600, "(a) one\n(i) two\n(A) three\n(1) four", "\n"),
    "txt tables in thousands": ("a.txt", 300, "{w} (in thousands)\n| Rent | $ {i},000 |\nIt is so.", "\n\n"),
    "txt rows in thousands": ("a.txt", 300, "| (in thousands) | 1,{i} | 5 |", "\n"),
    "txt hints in one row": ("a.txt", 300, "| (in thousands) 1,{i} ", ""),
    "txt one row": ("a.txt", 600, "| 1,{i} ", ""),
    "txt signatures": ("a.txt", 300, "ACME {w} LLC\n\nBy: ______\nName: {w}\nTitle: CEO", "\n\n"),
    "txt roles": ("a.txt", 400, "Licensor: Acme {w} Inc.", "\n"),
    "txt used terms": ("a.txt", 300, "“Rent {w}” means rent. Rent {w} is due to the Rent {w}.", "\n\n"),
    "txt one clause number": ("a.txt", 500, "Section 1.1 Rent {w}. See Section 1.1 and Section 9.", "\n\n"),
    "md table": ("a.md", 800, "| Rent | $1,000 | {i} |", "\n"),
    "md headings": ("a.md", 800, "# Rent {w} ##", "\n\n"),
    "md page marks": ("a.md", 2000, "Rent {w}\n<PAGE>", "\n"),
}
_MADE = (
    Kind("xlsx wide", "a.xlsx", 40, lambda n: xlsx(40, n)),
    Kind("xlsx long", "a.xlsx", 400, lambda n: xlsx(n, 5)),
    Kind("xlsx block", "a.xlsx", 100, lambda n: xlsx(n, 30)),
    Kind("csv long line", "a.csv", 3000, lambda n: b"a,b,c\n" + b"Rent 5," * n + b"x\n1,2,3\n"),
    Kind("csv wide cell", "a.csv", 600, lambda n: f"a,b\n1,{_repeated(_RENT.replace(',', ''), n)}\n".encode()),
    Kind("docx paragraphs", "a.docx", 300, lambda n: docx(_repeated(paragraph(_RENT), n))),
    Kind("docx short paragraphs", "a.docx", 2000, lambda n: docx(paragraph("Rent") * n)),
    Kind("docx empty paragraphs", "a.docx", 5000, lambda n: docx("<w:p/>" * n + paragraph("Rent"))),
    Kind("docx headings", "a.docx", 800, lambda n: docx(_repeated(paragraph("Base Rent {w}", _HEADING), n))),
    Kind("docx tables", "a.docx", 200, lambda n: docx(_docx_table(2) * n)),
    Kind("docx table rows", "a.docx", 400, lambda n: docx(_docx_table(n))),
    Kind("docx deep numbering", "a.docx", 500, _numbered),
    Kind("docx runs", "a.docx", 4000, lambda n: docx(f"<w:p>{'<w:r><w:t>word </w:t></w:r>' * n}</w:p>")),
    Kind("docx tracked changes", "a.docx", 2000, _docx_changes),
    Kind("docx footnotes", "a.docx", 800, _docx_notes),
    Kind("docx one paragraph", "a.docx", 300, lambda n: docx(paragraph(_repeated(_RENT + " ", n)))),
    Kind("odt paragraphs and rows", "a.odt", 300, _odt),
    Kind("pdf pages", "a.pdf", 8, _pdf),
    Kind("html paragraphs", "a.html", 400, lambda n: f"<html><body>{_repeated(f'<p>{_RENT}</p>', n)}".encode()),
    Kind("html tables", "a.html", 800, lambda n: f"<table>{'<tr><td>Rent</td><td>$5</tr>' * n}</table>".encode()),
    Kind("html unclosed rows", "a.html", 400, lambda n: f"<table>{'<tr><td>Rent<td>$5' * n}</table>".encode()),
    Kind("html nested", "a.html", 4000, _nested("div")),
    Kind("html nested words", "a.html", 4000, _nested("b")),
    Kind("html many tags", "a.html", 6000, lambda n: f"<html><p>{'<b>x</b> ' * n}</p></html>".encode()),
    Kind("html unclosed", "a.html", 4000, lambda n: f"<html><body>{'<p><b>x' * n}".encode()),
    Kind("eml quoted lines", "a.eml", 400, lambda n: _mail(_repeated(f"> {_RENT}\r\n", n))),
    Kind(
        "eml replies",
        "a.eml",
        400,
        lambda n: _mail(_repeated("On May 1, 2020, A {w} wrote:\r\n> Rent\r\n\r\nYes\r\n", n)),
    ),
    Kind("eml nested quotes", "a.eml", 300, lambda n: _mail("".join(f"{'>' * (i % 40)} x\r\n" for i in range(n)))),
    Kind("eml long header", "a.eml", 4000, lambda n: _mail("Hello.", f"X-Long: {'word ' * n}\r\n")),
    Kind("eml many headers", "a.eml", 3000, lambda n: _mail("Hello.", "X-A: word\r\n" * n)),
    Kind(
        "eml recipients",
        "a.eml",
        400,
        lambda n: _mail("Hi.", f"Cc: {_repeated('Al {w} <a{i}@x.com>, ', n)}c@x.com\r\n"),
    ),
    Kind("eml many parts", "a.eml", 100, _mail_parts),
    Kind("pptx shapes", "a.pptx", 300, lambda n: _pptx(1, n)),
    Kind("pptx slides", "a.pptx", 100, lambda n: _pptx(n, 2)),
    Kind("rtf groups", "a.rtf", 3000, lambda n: rb"{\rtf1 " + rb"{\b word }" * n + b"}"),
    Kind("rtf paragraphs", "a.rtf", 300, lambda n: rb"{\rtf1 " + _repeated(f"{_RENT}\\par ", n).encode() + b"}"),
    Kind("json array", "a.json", 6000, lambda n: json.dumps(["rent", 5] * n).encode()),
    Kind("json keys", "a.json", 2000, lambda n: json.dumps({f"k{i}": _RENT[:30] for i in range(n)}).encode()),
    Kind("json nested", "a.json", 200, lambda n: b'{"a":' * n + b"1" + b"}" * n),
)


def kinds() -> list[Kind]:
    """Return every kind of input that must be read in linear time."""
    texts = [Kind(name, file, size, _text(said, apart)) for name, (file, size, said, apart) in _TEXTS.items()]
    runs = [
        Kind(f"run of {name}", "a.txt", max(_LEAST, _CHARACTERS // len(one)), _run(one)) for name, one in _RUNS.items()
    ]
    briefs = [Kind(f"brief: {name}", "brief.txt", n, _text(*said), brief=True) for name, (n, *said) in _BRIEFS.items()]
    return [*_MADE, *texts, *runs, *briefs]
