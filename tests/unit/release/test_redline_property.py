"""Accept all gives the new wording and reject all the source, whatever is edited and however a source is wrapped."""

from __future__ import annotations

import io
import random
import re
import textwrap
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx as python_docx
import pytest
from lxml import etree

from tasks.release.build.deliverable import build_deliverable
from tasks.release.redline.base import base_of, can_be_base
from tasks.release.redline.redline import RedlineEdit, Remark, redline_bytes
from tasks.sources.extract import extract

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT / ".." / "shared" / "data" / "cuad_matters"
EXAMPLES = (
    "commercial-contracts/key-terms-workplace-suppliers/documents/cleaning-services-agreement.docx",
    "data-privacy/breach-notice-harbor-clinic/documents/hosting-addendum.docx",
)
CONTRACTS = ("*lucid-inc*.docx", "*utek-corporation*.docx", "*sp-k-holdings*.docx")  # page-long, plain, mixed
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def resolved(data: bytes, *, accept: bool) -> bytes:
    """The document as Word leaves it when every change is accepted or refused, by the rules of WordprocessingML."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {n: archive.read(n) for n in archive.namelist()}
    root = etree.fromstring(parts["word/document.xml"])
    gone, kept = [("del", "moveFrom"), ("ins", "moveTo")][:: 1 if accept else -1]
    for row in list(root.iter(f"{W}tr")):
        if row.find(f"{W}trPr/{W}{gone[0]}") is not None:
            row.getparent().remove(row)
    for element in [e for n in gone for e in root.iter(f"{W}{n}")]:
        if element.getparent().tag not in (f"{W}rPr", f"{W}trPr"):
            element.getparent().remove(element)
    for element in [e for n in kept for e in root.iter(f"{W}{n}")]:
        parent = element.getparent()
        for child in [] if parent.tag in (f"{W}rPr", f"{W}trPr") else list(element):
            element.addprevious(child)
        parent.remove(element)
    for text in root.iter(f"{W}delText"):
        text.tag = f"{W}t"
    for paragraph in list(root.iter(f"{W}p")):
        if any(paragraph.find(f"{W}pPr/{W}rPr/{W}{n}") is not None for n in gone):
            _into_next(paragraph)
    parts["word/document.xml"] = etree.tostring(root)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _into_next(paragraph: etree._Element) -> None:
    """A paragraph whose mark goes runs on into the next."""
    after = paragraph.getnext()
    content = [c for c in paragraph if c.tag != f"{W}pPr"]
    if after is not None and after.tag == f"{W}p":
        at = 1 if len(after) and after[0].tag == f"{W}pPr" else 0
        for number, child in enumerate(content):
            after.insert(at + number, child)
        paragraph.getparent().remove(paragraph)
    elif not "".join(paragraph.itertext()).strip():
        paragraph.getparent().remove(paragraph)


def text(data: bytes) -> str:
    return extract(data, "a.docx").text


def bare(wording: str) -> str:
    return re.sub(r"\s+", "", wording)


def _words(lines: list[str], pick: Callable[[], int], rnd: random.Random) -> None:
    for _ in range(5):
        at = pick()
        words = lines[at].split(" ")
        words[rnd.randrange(2, len(words) - 1)] = rnd.choice(["sixty", "promptly", "Delaware", "(90)", "USD 5,000"])
        lines[at] = " ".join(words)


def _sentences(lines: list[str], pick: Callable[[], int], rnd: random.Random) -> None:
    at = pick()
    lines[at] += " The Supplier shall keep records for seven (7) years."
    at = pick()
    said = re.split(r"(?<=[.;]) ", lines[at])
    del said[rnd.randrange(len(said)) :]
    lines[at] = " ".join(said) or "Reserved."


def _paragraphs(lines: list[str], pick: Callable[[], int], _: random.Random) -> None:
    lines.insert(pick() + 1, "No waiver binds a party unless it is given in writing and signed.")
    lines.pop(pick())
    lines.insert(pick(), "The Buyer may inspect the premises at its own cost.")


def _move(lines: list[str], pick: Callable[[], int], rnd: random.Random) -> None:
    moved = lines.pop(pick())
    lines.insert(rnd.randrange(1, len(lines) - 1), moved)


def _reworded(lines: list[str], pick: Callable[[], int], rnd: random.Random) -> None:
    for _ in range(4):
        at = pick()
        words = [w for w in lines[at].split(" ") if rnd.random() > 0.12]
        for _ in range(len(words) // 8 + 1):
            words.insert(rnd.randrange(1, len(words)), rnd.choice(["hereby", "solely", "expressly", "may"]))
        lines[at] = " ".join(words)


EDITORS = {"words": _words, "sentences": _sentences, "paragraphs": _paragraphs, "move": _move, "reworded": _reworded}


def sources() -> list[Path]:
    found = [ROOT / "examples" / e for e in EXAMPLES]
    return found + [p for c in CONTRACTS for p in sorted(SHARED.glob(f"*/*/documents/{c}"))[:1]]


@pytest.mark.parametrize("wrapped", [False, True], ids=["as read", "rewrapped"])
@pytest.mark.parametrize("kind", EDITORS)
def test_accept_all_is_the_new_wording_and_reject_all_the_source(kind: str, wrapped: bool) -> None:
    for path in sources():
        data = path.read_bytes()
        source = text(data)
        lines = [n for n in source.split("\n") if n.strip()]
        rnd = random.Random(f"{path.name} {kind}")
        EDITORS[kind](
            lines,
            lambda n=lines, r=rnd: r.choice([k for k, t in enumerate(n) if len(t.split()) > 8 and t[0] != "["]),
            rnd,
        )
        wording = "\n".join("\n".join(textwrap.wrap(n, 72)) if wrapped and n[0] != "[" else n for n in lines)
        made = redline_bytes(data, wording)
        assert made.unapplied == (), path.name
        assert text(resolved(made.data, accept=False)) == source, path.name
        assert bare(text(resolved(made.data, accept=True))) == bare(wording), path.name
        assert bare(text(made.data)) == bare(wording), path.name
        if not wrapped and kind in {"words", "move"}:
            assert [n for n in text(made.data).split("\n") if n.strip()] == lines, path.name
        python_docx.Document(io.BytesIO(made.data))
        shown = extract(made.data, "a.docx", redlines=True).text
        marked = sum(len(m) for m in re.findall(r"\[(?:ins|del)\](.*?)\[/", shown, re.S))
        assert marked < 0.5 * len(source) + 700, path.name  # never a wholesale rewrite


HARD_WRAPPED = [
    "SUPPLY AGREEMENT",
    "1. Delivery. The Supplier shall deliver the Goods to the Buyer within",
    "thirty (30) days after receipt of a written order that names the Goods,",
    "the quantity and the place of delivery.",
    "2. Price. The Buyer shall pay the price of each delivery within sixty (60)",
    "days after receipt of a correct invoice.",
]


def hard_wrapped() -> bytes:
    """A converted filing: every line of the printed page is a paragraph of its own."""
    document = python_docx.Document()
    for line in HARD_WRAPPED:
        document.add_paragraph(line)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def test_edits_reach_over_the_lines_of_a_wrapped_source() -> None:
    source = hard_wrapped()
    edits = [
        RedlineEdit(
            find="within thirty (30) days after receipt of a written order", replace="within ten (10) days after order"
        ),
        RedlineEdit(find="place of delivery.\n", replace=""),
        RedlineEdit(
            find="days after receipt of a correct invoice.", replace="days after receipt.\n3. Set-off is excluded."
        ),
    ]
    made = redline_bytes(source, edits=edits)
    assert made.unapplied == ()
    assert bare(text(resolved(made.data, accept=False))) == bare(text(source))
    accepted = text(resolved(made.data, accept=True))
    assert "within ten (10) days after order that names the Goods" in " ".join(accepted.split())
    assert "3. Set-off is excluded." in accepted.split("\n")
    assert "thirty" not in accepted


def test_a_full_rewording_of_a_wrapped_source_is_marked_word_by_word() -> None:
    source = hard_wrapped()
    wording = (
        "SUPPLY AGREEMENT\n\n1. Delivery. The Supplier shall deliver the Goods to the Buyer within forty (40) days "
        "after receipt of a written order that names the Goods, the quantity and the place of delivery.\n\n"
        "2. Price. The Buyer shall pay the price of each delivery within sixty (60) days after receipt of an invoice."
    )
    made = redline_bytes(source, wording)
    shown = extract(made.data, "a.docx", redlines=True).text
    assert re.findall(r"\[del\](.*?)\[/del\]", shown) == ["thirty", "30", "a correct"]
    assert bare(text(made.data)) == bare(wording)


def test_a_new_paragraph_stands_alone_inside_a_page_that_is_one_paragraph() -> None:
    document = python_docx.Document()
    said = " ".join(
        f"The Seller shall keep the record of batch {n} for five years after its delivery." for n in range(9)
    )
    document.add_paragraph(f"1. Records. {said} 2. Audit. {said} 3. Law. {said}")
    buffer = io.BytesIO()
    document.save(buffer)
    source = text(buffer.getvalue())
    lines = [n for n in source.split("\n") if n.strip()]
    assert len(lines) == 3
    lines.insert(1, "1A. Storage. The Seller shall store the records in a dry place.")
    made = redline_bytes(buffer.getvalue(), "\n".join(lines))
    assert [n for n in text(resolved(made.data, accept=True)).split("\n") if n.strip()] == lines
    assert text(resolved(made.data, accept=False)) == source
    edit = RedlineEdit(find="record of batch 3", replace="record of batch 3\nand no other", comment="")
    assert redline_bytes(buffer.getvalue(), edits=[edit]).unapplied == (
        "stands 3 times; quote more words to say which one: 'record of batch 3'",
    )


def test_moved_paragraphs_are_moves() -> None:
    source = (ROOT / "examples" / EXAMPLES[0]).read_bytes()
    lines = [n for n in text(source).split("\n") if n.strip()]
    at = next(k for k, n in enumerate(lines) if n.startswith("Neither party may assign"))
    lines.insert(4, lines.pop(at))
    made = redline_bytes(source, "\n".join(lines))
    xml = zipfile.ZipFile(io.BytesIO(made.data)).read("word/document.xml").decode()
    assert (made.moves, made.insertions, made.deletions) == (1, 0, 0)
    assert xml.count("<w:moveFromRangeStart ") == xml.count("<w:moveToRangeEnd ") == 1
    assert text(resolved(made.data, accept=False)) == text(source)


@pytest.fixture
def priced(tmp_path: Path) -> bytes:
    path = tmp_path / "p.docx"
    table = "| Item | Price |\n|---|---|\n| Widgets | $10 |\n| Gears | $12 |"
    build_deliverable(f"# Prices\n\nThese are the prices.\n\n{table}\n\nThey are firm.", None, path)
    return path.read_bytes()


def test_rows_of_a_table_come_and_go(priced: bytes) -> None:
    wording = text(priced).replace("Gears | $12", "Gears | $14\nBolts | $1").replace("Widgets | $10\n", "")
    made = redline_bytes(priced, wording)
    assert text(made.data) == wording
    assert text(resolved(made.data, accept=True)) == wording
    assert text(resolved(made.data, accept=False)) == text(priced)
    assert "[ins]Bolts | $1[/ins]" in extract(made.data, "a.docx", redlines=True).text


def test_comments_stand_beside_the_change(priced: bytes) -> None:
    edits = [RedlineEdit(find="are the prices", replace="are the agreed prices", comment="As agreed on the call.")]
    remarks = [Remark(words="They are firm", comment="For how long?"), Remark(words="no such words", comment="x")]
    made = redline_bytes(priced, edits=edits, author="A. Counsel", remarks=remarks)
    assert made.comments == 2
    assert made.unapplied == ("not found for a comment: 'no such words'",)
    read = text(made.data)
    assert "These are the agreed prices.\n\n[Comment 1 by A. Counsel: As agreed on the call.]" in read
    assert "They are firm.\n\n[Comment 2 by A. Counsel: For how long?]" in read
    comments = python_docx.Document(io.BytesIO(made.data)).part.package
    assert any(str(p.partname) == "/word/comments.xml" for p in comments.iter_parts())
    again = redline_bytes(made.data, remarks=[Remark(words="agreed", comment="<&> a second round")])
    assert "[Comment 3 by Solon: <&> a second round]" in text(again.data)
    xml = zipfile.ZipFile(io.BytesIO(again.data)).read("word/comments.xml").decode()
    assert re.findall(r'w:id="(\d+)"', xml) == ["0", "1", "2"]


def test_footnotes_stay_unless_their_words_go() -> None:
    notes = [
        "1. The fee is fixed [1] and due.",
        "[Footnote 1: As of 2024.]",
    ]
    source = _with_footnote()
    read = text(source)
    assert notes[1] in read
    made = redline_bytes(source, read.replace("due at once", "due monthly"))
    assert notes[1] in text(made.data)
    gone = redline_bytes(source, edits=[RedlineEdit(find="The fee is fixed and due at once.", replace="")])
    assert "footnoteReference" in zipfile.ZipFile(io.BytesIO(gone.data)).read("word/document.xml").decode()
    assert text(resolved(gone.data, accept=False)) == read
    changed = redline_bytes(source, read.replace("As of 2024", "As of 2025"))
    assert changed.unapplied == ("notes, headers and footers are not marked up: '[Footnote 1: As of 2025.]'",)


def _with_footnote() -> bytes:
    document = python_docx.Document()
    paragraph = document.add_paragraph("The fee is fixed")
    reference = etree.SubElement(paragraph.add_run()._r, f"{W}footnoteReference")
    reference.set(f"{W}id", "2")
    paragraph.add_run(" and due at once.")
    buffer = io.BytesIO()
    document.save(buffer)
    with zipfile.ZipFile(buffer) as archive:
        parts = {n: archive.read(n) for n in archive.namelist()}
    parts["word/footnotes.xml"] = (
        f'<w:footnotes xmlns:w="{W[1:-1]}"><w:footnote w:id="2"><w:p><w:r><w:t>As of 2024.</w:t></w:r></w:p>'
        "</w:footnote></w:footnotes>"
    ).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_a_text_becomes_a_base_word_for_word() -> None:
    wording = "# not a heading\n\n1. Fees *are* 5 | 6\n\n<b>x</b> & more\n"
    read = extract(wording.encode(), "a.txt")
    base = base_of(read)
    assert text(base).split() == read.text.split()
    made = redline_bytes(base, read.text.replace("more", "less"))
    assert text(resolved(made.data, accept=False)) == text(base)
    assert "less" in text(made.data)
    assert not can_be_base(extract(b"a,b\n1,2\n", "a.csv"))
