"""Redlines: real tracked changes that Word and our own reader show, reject and accept."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import docx as python_docx
import pypandoc
import pytest

from tasks.matter.failures import SolonError
from tasks.release.build.deliverable import build_deliverable
from tasks.release.redline.align import ReplacedParagraphs, aligned
from tasks.release.redline.redline import RedlineEdit, redline_bytes
from tasks.release.redline.words import word_changes
from tasks.sources.extract import extract

AGREEMENT = """# Supply Agreement

1. The Supplier shall deliver the Goods within thirty (30) days after receipt of an order.

2. The Buyer shall pay **USD 5,000,000** within 60 days.

3. Either party may terminate this Agreement on 90 days' notice.

| Item | Price |
|---|---|
| Widgets | $10 |
| Gears | $12 |

This Agreement is governed by the laws of New York.
"""


@pytest.fixture
def source(tmp_path: Path) -> bytes:
    path = tmp_path / "agreement.docx"
    build_deliverable(AGREEMENT, None, path)
    return path.read_bytes()


def accepted(data: bytes) -> str:
    return extract(data, "a.docx").text


def marked(data: bytes) -> str:
    return extract(data, "a.docx", redlines=True).text


def rejected(data: bytes) -> str:
    """The document as Word shows it when every change is refused."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {n: archive.read(n) for n in archive.namelist()}
    xml = parts["word/document.xml"].decode()
    xml = re.sub(r"<w:p>(?:(?!</w:p>).)*<w:pPr>(?:(?!</w:pPr>).)*<w:rPr><w:ins [^>]*/>.*?</w:p>", "", xml)
    xml = re.sub(r"<w:ins [^>]*[^/]>.*?</w:ins>", "", xml)
    xml = re.sub(r"<w:del [^>]*/>", "", xml)
    xml = re.sub(r"</?w:del(?: [^>]*)?>", "", xml).replace("w:delText", "w:t")
    parts["word/document.xml"] = xml.encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return accepted(buffer.getvalue())


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("within thirty (30) days", "within sixty (60) days", [("thirty", "sixty"), ("30", "60")]),
        ("the Buyer shall pay", "the Buyer shall promptly pay", [("", "promptly ")]),
        ("the Buyer shall promptly pay", "the Buyer shall pay", [("promptly ", "")]),
        ("pay USD 5,000,000 now", "pay USD 4,000,000 now", [("5,000,000", "4,000,000")]),
        ("“Term” means", '"Term"  means', []),
        ("a b c", "a b c", []),
        ("", "New words.", [("", "New words.")]),
    ],
)
def test_words_change_whole(old: str, new: str, shown: list[tuple[str, str]]) -> None:
    assert [(old[c.start : c.end], c.new) for c in word_changes(old, new)] == shown


def test_paragraphs_are_paired_by_likeness_in_order() -> None:
    old = ["The fee is ten dollars a month.", "Notices go to the Seller by post.", "Governed by New York law."]
    new = ["The fee is twelve dollars a month.", "A wholly new clause about audits.", "Governed by New York law."]
    assert list(aligned(old, new)) == [
        ReplacedParagraphs((0,), (0,)),
        ReplacedParagraphs((1,), ()),
        ReplacedParagraphs((), (1,)),
        ReplacedParagraphs((2,), (2,)),
    ]


@pytest.mark.parametrize(
    ("before", "after", "mark"),
    [
        ("thirty (30)", "forty-five (45)", "[del]thirty[/del][ins]forty-five[/ins] ([del]30[/del][ins]45[/ins])"),
        ("on 90 days' notice", "on 90 days' written notice", "[ins]written [/ins]"),
        ("5,000,000", "4,500,000", "[del]5,000,000[/del][ins]4,500,000[/ins]"),
        ("$12", "$14", "[del]12[/del][ins]14[/ins]"),
        ("New York", "Delaware", "[del]New York[/del][ins]Delaware[/ins]"),
        ("Either party may", "The Buyer may", "[del]Either party[/del][ins]The Buyer[/ins]"),
    ],
)
def test_edited_wording_becomes_tracked_changes(source: bytes, before: str, after: str, mark: str) -> None:
    wording = accepted(source).replace(before, after)
    made = redline_bytes(source, wording)
    assert made.unapplied == ()
    assert accepted(made.data) == wording
    assert rejected(made.data) == accepted(source)
    assert mark in marked(made.data)
    assert made.paragraphs_changed == 1


def test_pandoc_reads_the_same_changes(source: bytes, tmp_path: Path) -> None:
    wording = accepted(source).replace("thirty (30)", "sixty (60)").replace("New York", "Delaware") + "\n\nA new end."
    (tmp_path / "source.docx").write_bytes(source)
    (tmp_path / "red.docx").write_bytes(redline_bytes(source, wording).data)

    def plain(name: str, view: str) -> str:
        return str(
            pypandoc.convert_file(str(tmp_path / name), "plain", extra_args=[f"--track-changes={view}", "--wrap=none"])
        )

    assert plain("red.docx", "reject").split() == plain("source.docx", "accept").split()
    accepted_words = plain("red.docx", "accept")
    assert "sixty (60) days" in accepted_words
    assert "laws of Delaware" in accepted_words
    assert "A new end." in accepted_words
    assert "thirty" not in accepted_words


def test_paragraphs_come_and_go(source: bytes) -> None:
    wording = accepted(source).replace("3. Either party may terminate this Agreement on 90 days' notice.", "")
    wording += "\n\nNo party may assign this Agreement without consent."
    made = redline_bytes(source, wording)
    shown = marked(made.data)
    assert "[del]Either party may terminate this Agreement on 90 days' notice.[/del]" in shown
    assert "[ins]No party may assign this Agreement without consent.[/ins]" in shown
    assert "terminate" not in accepted(made.data)
    assert rejected(made.data) == accepted(source)


def test_computed_numbers_do_not_become_words(source: bytes) -> None:
    wording = accepted(source).replace(
        "2. The Buyer", "2. The Supplier warrants that the Goods are new.\n\n3. The Buyer"
    )
    made = redline_bytes(source, wording.replace("3. Either", "4. Either"))
    assert "[ins]The Supplier warrants that the Goods are new.[/ins]" in marked(made.data)
    assert marked(made.data).count("[ins]") == 1
    assert "4. Either party" in accepted(made.data)


def test_edits_by_words(source: bytes) -> None:
    edits = [
        RedlineEdit(find="thirty (30) days", replace="sixty (60) days"),
        RedlineEdit(find="Buyer", replace="Purchaser"),
        RedlineEdit(find="no such words", replace="x"),
        RedlineEdit(find="Agreement", replace="Contract"),
        RedlineEdit(find=" | ", replace="x"),
    ]
    made = redline_bytes(source, edits=edits)
    assert "within sixty (60) days after" in accepted(made.data)
    assert "The Purchaser shall pay" in accepted(made.data)
    assert [u.partition(":")[0] for u in made.unapplied] == [
        "not found within any single paragraph",
        "stands 3 times; quote more words to say which one",
        "not found within any single paragraph",
    ]
    every = redline_bytes(source, edits=[RedlineEdit(find="Agreement", replace="Contract", every=True)])
    assert "Agreement" not in accepted(every.data)
    assert every.insertions == every.deletions == 3


def test_formatting_and_other_parts_stay(source: bytes) -> None:
    made = redline_bytes(source, edits=[RedlineEdit(find="USD 5,000,000", replace="USD 4,000,000")])
    document = python_docx.Document(io.BytesIO(made.data))
    xml = document.element.xml
    assert re.search(r"<w:ins [^>]*w:author=\"Solon\"[^>]*>\s*<w:r>\s*<w:rPr>\s*<w:b/>", xml)
    with zipfile.ZipFile(io.BytesIO(source)) as a, zipfile.ZipFile(io.BytesIO(made.data)) as b:
        assert sorted(a.namelist()) == sorted(b.namelist())
        assert a.read("word/styles.xml") == b.read("word/styles.xml")
    again = redline_bytes(source, edits=[RedlineEdit(find="USD 5,000,000", replace="USD 4,000,000")])
    assert again.data == made.data


def test_a_second_round_builds_on_the_first(source: bytes) -> None:
    first = redline_bytes(source, edits=[RedlineEdit(find="60 days", replace="45 days")], author="Seller")
    second = redline_bytes(
        first.data, edits=[RedlineEdit(find="within 45 days", replace="within 50 days")], author="Buyer"
    )
    assert "within 50 days" in accepted(second.data)
    assert "[ins][del]45[/del][/ins]" in marked(second.data)
    assert "[del]60[/del]" in marked(second.data)


def test_revisions_say_who_and_where(source: bytes) -> None:
    made = redline_bytes(
        source, edits=[RedlineEdit(find="60 days", replace="45 days")], author="A. Smith", date="2024-03-01T09:00:00Z"
    )
    read = extract(made.data, "a.docx", redlines=True)
    shown = [(s.label, read.text[s.start : s.end]) for s in read.segments if s.kind == "revision"]
    assert shown == [
        ("deletion by A. Smith, 2024-03-01", "[del]60[/del]"),
        ("insertion by A. Smith, 2024-03-01", "[ins]45[/ins]"),
    ]
    assert read.extractor.endswith("+redlines")


def test_marks_cannot_be_forged(tmp_path: Path) -> None:
    path = tmp_path / "forged.docx"
    build_deliverable("The cap is [ins]unlimited[/ins] now.", None, path)
    assert "[ins]" not in marked(path.read_bytes())


@pytest.mark.parametrize("bad", [b"", b"not a zip", b"PK\x03\x04 torn"])
def test_bad_sources_are_refused(bad: bytes) -> None:
    with pytest.raises(SolonError) as caught:
        redline_bytes(bad, "words")
    assert caught.value.failure.remedy


def test_wording_and_edits_exclude_each_other(source: bytes) -> None:
    with pytest.raises(SolonError):
        redline_bytes(source)
    with pytest.raises(SolonError):
        redline_bytes(source, "x", [RedlineEdit(find="a")])
