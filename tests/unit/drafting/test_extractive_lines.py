"""Messages, sheets, slides and logs cut into sentences that say where they stand."""

from __future__ import annotations

from tasks.drafting.extractive.lines import units_of
from tasks.sources.records import CanonicalText, Segment, SegmentKind

MAIL = """From: Loan Desk <loans@bank.example>
To: Dana Whitfield <dana@foods.example>
Date: Tue, 15 Apr 2025 16:40:00 -0500
Subject: RE: Compliance

Thank you.

On Mon, 14 Apr 2025 at 09:12, Dana Whitfield <dana@foods.example> wrote:
> We report a Leverage Ratio of 3.31x and
> cash of $4.1 million.
>
> Chief Financial Officer

[Attachment: draft.txt]

The ratio did not exceed 3.50 to 1.00.
"""


def paper(text, media, segments=()):
    return CanonicalText(document=f"d.{media}", sha256="0", extractor="t/1", media=media, text=text, segments=segments)


def test_each_sentence_of_a_chain_says_whose_it_is():
    units = {u.text: u for u in units_of(paper(MAIL, "eml"))}
    assert units["Thank you."].label == "Loan Desk, 15 Apr 2025"
    reported = units["We report a Leverage Ratio of 3.31x and cash of $4.1 million."]
    assert reported.label == "Dana Whitfield, 14 Apr 2025"
    assert units["The ratio did not exceed 3.50 to 1.00."].label == "attachment draft.txt"
    assert all(not u.heading for u in units.values())


def test_the_ranges_are_those_of_the_message_itself():
    units = units_of(paper(MAIL, "eml"))
    assert units
    for unit in units:
        assert unit.text.split()[0] in MAIL[unit.start : unit.pieces[0][1]]


def test_a_row_is_a_sentence_with_its_place():
    text = "Sheet: FY2024\nA1: Total Debt | B1: 44,870\nA2: EBITDA | B2: 12,310\n"
    start = text.index("A2")
    row = Segment(kind=SegmentKind.ROW, label="FY2024!2:2", start=start, end=len(text))
    units = units_of(paper(text, "xlsx", (row,)))
    assert [u.text for u in units][1:] == ["A1: Total Debt | B1: 44,870", "A2: EBITDA | B2: 12,310"]
    assert units[-1].label == "FY2024!2:2"
    assert units[-1].heading == "FY2024"


def test_a_log_is_cut_into_its_entries():
    text = '{\n "events": [\n {"at": "2025-03-03",\n  "what": "seen"},\n {"at": "2025-03-06", "what": "told"}\n ]\n}'
    assert [u.text for u in units_of(paper(text, "json"))] == [
        '"events": [',
        '{"at": "2025-03-03", "what": "seen"}',
        '{"at": "2025-03-06", "what": "told"}',
    ]


def test_an_empty_or_odd_paper_gives_no_sentence_and_no_error():
    for media in ("eml", "xlsx", "csv", "json", "pptx", "txt"):
        assert units_of(paper("", media)) == []
        units_of(paper("{{{ > > \x00 }\n[Attachment:", media))
