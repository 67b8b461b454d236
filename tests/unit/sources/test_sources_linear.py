"""What was made quicker gives the same answers as the plain way of saying it."""

from __future__ import annotations

import random

import bs4
import pytest

from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.windows.scan import scan_windows
from tasks.sources.extract import extract
from tasks.sources.parties import parties_of
from tasks.sources.readers.pdf.hyphens import BROKEN, Hyphens
from tasks.sources.readers.pdf.layout import Paragraph
from tasks.sources.readers.web import _rows
from tasks.sources.records import CanonicalText, Segment, SegmentKind
from tasks.sources.reflow import _chain


def text_of(text: str, segments: tuple[Segment, ...] = ()) -> CanonicalText:
    return CanonicalText(document="a", sha256="", extractor="txt/1", media="txt", text=text, segments=segments)


def narrowest(text: CanonicalText, offset: int, *kinds: SegmentKind) -> Segment | None:
    """Say which segment is meant, one by one: the narrowest, of equal ones the last."""
    holding = [s for s in text.segments if s.start <= offset < s.end and (not kinds or s.kind in kinds)]
    return min(reversed(holding), key=lambda s: s.end - s.start, default=None)


@pytest.mark.parametrize("seed", range(20))
def test_the_narrowest_segment_is_found_among_any(seed: int) -> None:
    draw = random.Random(seed)
    segments = [
        Segment(
            kind=draw.choice([SegmentKind.PAGE, SegmentKind.ROW, SegmentKind.CELL]),
            label=str(number),
            start=(start := draw.randint(0, 40)),
            end=start + draw.randint(0, 15),
        )
        for number in range(draw.randint(0, 25))
    ]
    segments.sort(key=lambda s: (s.start, -s.end, s.kind))
    text = text_of("x", tuple(segments))
    for offset in range(-1, 60):
        for kinds in ((), (SegmentKind.PAGE,), (SegmentKind.ROW, SegmentKind.CELL)):
            assert text.locate(offset, *kinds) == narrowest(text, offset, *kinds)


def test_the_longest_run_of_page_numbers_is_found() -> None:
    values = [(0, 1), (10, 2), (20, 7), (30, 3), (40, 3), (50, 5), (60, 8)]
    assert _chain(values, 3, step=3) == {0, 10, 40, 50, 60}
    assert _chain(values, 3) == {0, 10, 30}
    assert _chain(values, 6, step=3) == set()


@pytest.mark.parametrize("seed", range(20))
def test_a_paragraph_joined_in_pieces_is_the_paragraph_joined_whole(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(100):
        lines = [
            "".join(draw.choice(["a", "self", "-", "/", " ", BROKEN, "A", ".", "pay" * 40]) for _ in range(4)).strip()
            or "x"
            for _ in range(10)
        ]
        hyphens = Hyphens(lines)
        whole, starts, paragraph = lines[0], [], Paragraph(lines[0], [])
        for page, line in enumerate(lines[1:]):
            whole = hyphens.joined(whole, line)
            starts.append((len(whole) - len(line), page))
            paragraph.extend(line, page, hyphens)
        assert (paragraph.text, paragraph.starts) == (whole, starts)


def test_rows_and_cells_that_nobody_closed_stand_side_by_side() -> None:
    table = "<table><tr><td>Rent<td>$5 <b>a month</b><tr><td>Term<td>5 years</table>"
    assert _rows(bs4.BeautifulSoup(table, "html.parser").table) == [["Rent", "$5  a month"], ["Term", "5 years"]]
    read = extract(f"<html><body>{table}</body></html>".encode(), "a.html")
    assert read.text == "Rent | $5 a month\nTerm | 5 years\n"


def test_scales_hold_for_their_own_table_and_row() -> None:
    low = (
        "Revenue (in thousands)\n| 2020 | $ 1,500 |\n| shares outstanding | 2,500 |\n\n"
        "It was a good year for all who hold shares of the company, and nobody complained of anything at all.\n"
        "| 2021 | $ 1,700 |\nCosts (in millions)\n| 2022 | $ 1,900 | 2,100 |\n"
    )
    assert [(f.text, str(f.value)) for f in scan_numbers(low) if f.kind != "duration"] == [
        ("$ 1,500", "1500000"),
        ("2,500", "2500"),
        ("$ 1,700", "1700"),
        ("$ 1,900", "1900000000"),
        ("2,100", "2100000000"),
    ]


def test_columns_are_counted_along_a_row() -> None:
    found = scan_numbers(
        "| Item | Shares | Own. % | Amount (US$) |\n| a | 1,000 | 12 | 3,000 |\n| b | 5,000 | 7 | 9 |\n"
    )
    assert [(f.text, f.kind) for f in found] == [
        *(("1,000", "shares"), ("12", "percent"), ("3,000", "money")),
        *(("5,000", "shares"), ("7", "percent"), ("9", "money")),
    ]


def test_windows_of_parts_own_the_figures_inside_them() -> None:
    found = scan_windows("within 3.5 years after notice, ten (10) days after closing and 18 1/2 months before expiry")
    assert [(w.text, w.n, w.unit) for w in found] == [("3.5 years", 42, "month"), ("ten (10) days", 10, "day")]


def test_short_forms_and_supra_mean_the_last_case_of_the_name() -> None:
    text = (
        "Roe v. Wade, 410 U.S. 113 (1973). Doe v. Bolton, 410 U.S. 179 (1973). Doe, 410 U.S., at 190. "
        "Roe, 410 U.S., at 190. Nobody, 410 U.S., at 120. Roe, supra, at 5. Doe, supra. Smith, supra."
    )
    said = [(m.text, m.canonical) for m in scan_citations(text)]
    assert [c for t, c in said if "at 190" in t] == ["410 U.S. 179", "410 U.S. 113"]
    assert [c for t, c in said if "at 120" in t] == ["410 U.S. 113"]
    assert [c for t, c in said if "supra" in t] == ["410 U.S. 113", "410 U.S. 179", ""]


def test_initials_before_a_preamble_are_read_in_one_way(no_hang: None) -> None:
    """Each "A.," could be read in two ways, and forty of them in a million million."""
    text = f"This Agreement is made {'A.,' * 40}. between Acme, Inc. (“Acme”) and Bolt LLC (“Bolt”)."
    parties_of(text_of(text))
