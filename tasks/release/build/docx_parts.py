"""The fixed parts of a Word package: styles, numbering, footer with page numbers, properties."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"

_TYPES = (
    f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_WORD}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{_WORD}.styles+xml"/>'
    f'<Override PartName="/word/numbering.xml" ContentType="{_WORD}.numbering+xml"/>'
    f'<Override PartName="/word/footer1.xml" ContentType="{_WORD}.footer+xml"/>'
    '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
    "</Types>"
)
_ROOT_RELS = (
    f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_REL}/officeDocument" Target="word/document.xml"/>'
    f'<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>'
    "</Relationships>"
)
_DOCUMENT_RELS = (
    f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_REL}/styles" Target="styles.xml"/>'
    f'<Relationship Id="rId2" Type="{_REL}/numbering" Target="numbering.xml"/>'
    f'<Relationship Id="rId3" Type="{_REL}/footer" Target="footer1.xml"/>'
    "</Relationships>"
)
_CORE = (
    f'{_XML}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:creator>Solon</dc:creator>'
    '<dcterms:created xsi:type="dcterms:W3CDTF">2000-01-01T00:00:00Z</dcterms:created></cp:coreProperties>'
)
_UPRIGHT = 3  # levels of headings that are not set in italics: the lower ones have the same size; chosen by eye


def _field(name: str) -> str:
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve"> {name} </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


_FOOTER = (
    f'{_XML}<w:ftr {_W}><w:p><w:pPr><w:pStyle w:val="Footer"/><w:jc w:val="center"/></w:pPr>'
    f'{_field("PAGE")}<w:r><w:t xml:space="preserve"> / </w:t></w:r>{_field("NUMPAGES")}</w:p></w:ftr>'
)


def _style(style_id: str, name: str, paragraph: str, run: str = "", based: str = "Normal", follow: str = "") -> str:
    nxt = f'<w:next w:val="{follow}"/>' if follow else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{style_id}"><w:name w:val="{name}"/><w:basedOn w:val="{based}"/>{nxt}'
        f"<w:qFormat/><w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )


def _heading(level: int, size: int) -> str:
    return _style(
        f"Heading{level}",
        f"heading {level}",
        f'<w:keepNext/><w:keepLines/><w:spacing w:before="{360 - 40 * level}" w:after="80"/>'
        f'<w:outlineLvl w:val="{level - 1}"/>',
        f'<w:b/><w:sz w:val="{size}"/>' + ("<w:i/>" if level > _UPRIGHT else ""),
        follow="Normal",
    )


def _styles() -> str:
    fonts = '<w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Times New Roman" w:eastAsia="Times New Roman"/>'
    mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/><w:sz w:val="18"/>'
    headings = "".join(_heading(n, size) for n, size in enumerate((32, 26, 23, 22, 21, 21), start=1))
    borders = "".join(
        f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="808080"/>'
        for side in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
    return (
        f"{_XML}<w:styles {_W}><w:docDefaults><w:rPrDefault><w:rPr>{fonts}"
        '<w:sz w:val="21"/><w:szCs w:val="21"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>'
        '<w:spacing w:after="120" w:line="264" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>'
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>'
        '<w:style w:type="character" w:styleId="CodeText"><w:name w:val="Code Text"/>'
        f"<w:rPr>{mono}</w:rPr></w:style>"
        f"{headings}"
        + _style("Quote", "Quote", '<w:spacing w:after="120"/><w:ind w:left="567" w:right="567"/>', "<w:i/>")
        + _style("Code", "Code", '<w:spacing w:after="0"/>', mono)
        + _style("ListParagraph", "List Paragraph", '<w:spacing w:after="60"/>')
        + _style(
            "TableText", "Table Text", '<w:spacing w:after="20" w:line="240" w:lineRule="auto"/>', '<w:sz w:val="18"/>'
        )
        + _style("TableHeader", "Table Header", "<w:keepNext/>", "<w:b/>", based="TableText")
        + _style("Footer", "footer", '<w:spacing w:after="0"/>', '<w:sz w:val="18"/>')
        + '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr>'
        '<w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:left w:w="85" w:type="dxa"/><w:right w:w="85" w:type="dxa"/>'
        "</w:tblCellMar></w:tblPr></w:style>"
        '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/>'
        f"<w:tblPr><w:tblBorders>{borders}</w:tblBorders></w:tblPr></w:style></w:styles>"
    )


STATIC_PARTS: MappingProxyType[str, str] = MappingProxyType(
    {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _ROOT_RELS,
        "word/_rels/document.xml.rels": _DOCUMENT_RELS,
        "word/styles.xml": _styles(),
        "word/footer1.xml": _FOOTER,
        "docProps/core.xml": _CORE,
    }
)


def numbering_xml(lists: Mapping[int, int]) -> str:
    """Return the numbering part: bullets as list 1, each ordered list as its own restarted list.

    Args:
        lists: First number by list identity (from 1).
    """
    bullets = _levels("bullet", ("•", "–", "▪"))
    numbers = _levels("decimal", ("%{n}.",))
    out = f'{_XML}<w:numbering {_W}><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="hybridMultilevel"/>'
    out += f'{bullets}</w:abstractNum><w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="hybridMultilevel"/>'
    out += f'{numbers}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    for list_id, start in sorted(lists.items()):
        levels = "".join(
            f'<w:lvlOverride w:ilvl="{n}"><w:startOverride w:val="{start}"/></w:lvlOverride>' for n in range(9)
        )
        out += f'<w:num w:numId="{list_id + 1}"><w:abstractNumId w:val="1"/>{levels}</w:num>'
    return out + "</w:numbering>"


def _levels(kind: str, texts: tuple[str, ...]) -> str:
    return "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
        f'<w:lvlText w:val="{texts[n % len(texts)].replace("{n}", str(n + 1))}"/><w:lvlJc w:val="left"/>'
        f'<w:pPr><w:ind w:left="{360 * (n + 1)}" w:hanging="360"/></w:pPr></w:lvl>'
        for n in range(9)
    )
