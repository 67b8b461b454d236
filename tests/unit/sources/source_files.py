"""Small documents made on the spot, hostile ones among them."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)
_RELS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)


def docx(body: str, **parts: str) -> bytes:
    """A Word file from raw XML: ``body`` goes into w:body, parts are named without their suffix."""
    files = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _RELS,
        "word/document.xml": f'<?xml version="1.0"?><w:document {W}><w:body>{body}</w:body></w:document>',
    }
    for name, xml in parts.items():
        files[f"word/{name}.xml"] = xml
    return archive(files)


def archive(files: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)
    return buffer.getvalue()


def para(text: str, properties: str = "") -> str:
    return f'<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def numbered(text: str, level: int, num: int = 1) -> str:
    return para(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>')


def numbering(levels: list[tuple[str, str]], extra: str = "") -> str:
    """List definitions with one list of (format, text) levels."""
    inner = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{style}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for i, (style, text) in enumerate(levels)
    )
    return (
        f'<w:numbering {W}><w:abstractNum w:abstractNumId="0">{inner}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>{extra}</w:numbering>'
    )


def pdf(
    pages: list[list[tuple[float, float, str]]],
    image: bytes = b"",
    trailer: str = "",
    annotation: str = "",
    drawing: bytes = b"",
) -> bytes:
    """A minimal PDF: each page a list of (x, y, line); ``image`` (grey, 400 x 100) makes pages scans.

    ``drawing`` is a content stream that every page gets too, e.g. the rulings of a table.
    """
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    kids = []
    for lines in pages:
        stream = b"\n".join(
            b"BT /F1 11 Tf %d %d Td (%s) Tj ET" % (x, y, text.replace("(", r"\(").replace(")", r"\)").encode("latin-1"))
            for x, y, text in lines
        )
        stream += b"\n" + drawing
        resources = b"<< /Font << /F1 3 0 R >> >>"
        if image:
            data = zlib.compress(image)
            objects.append(
                b"<< /Type /XObject /Subtype /Image /Width 400 /Height 100 /ColorSpace /DeviceGray /BitsPerComponent 8 "
                b"/Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(data), data)
            )
            resources = b"<< /Font << /F1 3 0 R >> /XObject << /I %d 0 R >> >>" % len(objects)
            stream += b"\nq 400 0 0 100 72 600 cm /I Do Q"
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources %s /Contents %d 0 R %s >>"
            % (resources, len(objects), f"/Annots [{annotation}]".encode() if annotation else b"")
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        trailer.encode(),
        start,
    )
    return out


def lying_zip(name: str = "word/document.xml", real: int = 60_000_000) -> bytes:
    """An archive whose directory declares ten bytes for a member that unpacks to ``real``."""
    data = archive({name: b"\0" * real, "word/a.xml": "x"})
    return data.replace(struct.pack("<I", real), struct.pack("<I", 10))
