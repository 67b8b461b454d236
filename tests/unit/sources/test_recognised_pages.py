"""Pages that were recognised say so wherever they are cited, and what is doubtful on them is not stated as a fact."""

from __future__ import annotations

import pytest

from tasks.asks.records import AskAnswer, AskState, Entry
from tasks.drafting.extractive.ways.unread import heeding_scans
from tasks.reconcile.support.places import CitedText
from tasks.sources.builder import TextBuilder
from tasks.sources.readers import ocr
from tasks.sources.readers.ocr import DOUBTFUL, Recogniser, page_label, sureness, sureness_of
from tasks.sources.records import CanonicalText, Segment, SegmentKind, Span

HEAD = "level\tpage\tblock\tpar\tline\tword\tleft\ttop\twidth\theight\tconf\ttext\n"


def table(*words: tuple[str, int]) -> str:
    rows = (f"5\t1\t1\t1\t1\t{n}\t{n * 50}\t10\t40\t12\t{sure}\t{text}" for n, (text, sure) in enumerate(words))
    return HEAD + "4\t1\t1\t1\t1\t0\t0\t0\t0\t0\t-1\t\n" + "\n".join(rows) + "\n"


def test_certainty_is_that_of_the_words_weighed_by_their_length() -> None:
    assert sureness(table(("rent", 90), ("rent", 70))) == 80
    assert sureness(table(("indemnity", 90), ("a", 0))) == 81
    assert sureness(HEAD) == 0


@pytest.mark.parametrize("sure", [None, 66, 97])
def test_a_label_tells_its_certainty_and_keeps_its_page(sure: int | None) -> None:
    label = page_label(4, sure)
    assert sureness_of(label) == sure
    read = CanonicalText(
        document="a.pdf", sha256="0", extractor="pdf/1", media="pdf", text="Rent is $5.",
        segments=(Segment(kind=SegmentKind.PAGE, label=label, start=0, end=11),),
    )  # fmt: skip
    cited = CitedText(read)
    assert [s.end for s in cited.stretches(f"§ 1, {label}")] == [11]
    assert cited.missing("p. 66") == "page 66"


class Page:
    """A page whose image is of no interest."""

    def get_width(self) -> float:
        return 600.0

    def get_height(self) -> float:
        return 800.0

    def render(self, scale: float, grayscale: bool) -> Page:
        self.height = 800 * scale
        return self


@pytest.mark.parametrize(("sure", "problems"), [(DOUBTFUL - 1, 1), (DOUBTFUL, 0)])
def test_a_page_that_is_read_with_doubt_is_a_problem_of_the_document(
    monkeypatch: pytest.MonkeyPatch, sure: int, problems: int
) -> None:
    monkeypatch.setattr(ocr.shutil, "which", lambda _: "/bin/tesseract")
    monkeypatch.setattr(ocr, "_recognise", lambda *_: table(("rent", sure)))
    recogniser, out = Recogniser(9), TextBuilder()
    assert [line.text for line in recogniser.lines(Page(), 3, out)] == ["rent"]
    assert recogniser.sure == {3: sure}
    out.block("rent")
    assert len(out.build().problems) == problems


@pytest.mark.parametrize(("sure", "certain"), [(None, True), (DOUBTFUL, True), (DOUBTFUL - 1, False)])
def test_an_answer_on_a_doubtful_page_is_to_be_verified(sure: int | None, certain: bool) -> None:
    page = Segment(kind=SegmentKind.PAGE, label=page_label(1, sure), start=0, end=9)
    text = CanonicalText(
        document="a.pdf", sha256="0", extractor="pdf/1", media="pdf", text="Rent: $5.", segments=(page,)
    )
    support = (Span(document="a.pdf", start=0, end=9),)
    entry = Entry(document="a.pdf", state=AskState.ANSWERED, answer="$5", support=support)
    (told,) = heeding_scans([AskAnswer(ask_id="1", state=AskState.ANSWERED, entries=(entry,))], {"a.pdf": text})
    assert told.entries[0].certain is certain
