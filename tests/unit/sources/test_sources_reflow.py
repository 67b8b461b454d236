"""Mending paragraphs: only white space changes, except page furniture."""

from __future__ import annotations

import re
import textwrap

import pytest

from tasks.sources.builder import Reading
from tasks.sources.extract import extract
from tasks.sources.records import SegmentKind

FILLER = "The parties have agreed on the following terms and conditions for the supply of goods. " * 6


def blocks(words: str) -> list[str]:
    return extract(words.encode(), "a.txt").text.strip().split("\n\n")


@pytest.mark.parametrize(
    ("run_on", "clauses"),
    [
        ("{f}1. Term. It lasts a year. 2. Fees. None are due.", 
         ["1. Term. It lasts a year.", "2. Fees. None are due."]),
        ("{f}2.1 Grant. Acme grants. 2.2 Limits. None.", ["2.1 Grant. Acme grants.", "2.2 Limits. None."]),
        ("{f}ARTICLE II PAYMENT. Fees are due. Section 2.1 Late Fees. None.",
         ["ARTICLE II PAYMENT. Fees are due.", "Section 2.1 Late Fees. None."]),
        ("{f}(a) Late fees. None. (b) Taxes. All.", ["(a) Late fees. None.", "(b) Taxes. All."]),
        ("{f}WHEREAS, Acme sells; and WHEREAS, Beta buys; NOW, THEREFORE, they agree.",
         ["WHEREAS, Acme sells; and", "WHEREAS, Beta buys;", "NOW, THEREFORE, they agree."]),
    ],
)  # fmt: skip
def test_clauses_that_run_into_each_other_are_parted(run_on: str, clauses: list[str]) -> None:
    assert blocks(run_on.format(f=FILLER))[1:] == clauses


@pytest.mark.parametrize(
    "whole",
    [
        "{f}as set out in Section 4.1 of this Agreement and in clause 2. below, subject to (a) price, (b) delay.",
        "{f}as licensed under Registration No. 5,283,875 and sold by Acme Inc. 2 Main Street is its address.",
        "{f}the answer is due under Fed. R. Civ. P. 12(a)(1)(A)(i) and not under Fed. R. App. P. 4. Nothing else.",
        "{f}it pays $1.5 million, i.e. 3.5 Percent of the total.",
    ],
)
def test_references_and_run_in_lists_stay_whole(whole: str) -> None:
    words = whole.format(f=FILLER)
    assert blocks(words) == [words]


def test_sentences_cut_by_pages_are_mended_and_page_numbers_dropped() -> None:
    pages = [
        FILLER + "Acme shall deliver the",
        "goods in good order. " + FILLER + "Beta shall pay the",
        "price. " + FILLER,
    ]
    words = "\n\n".join(
        f"{page.strip()}\n\n{n}\n\nSource: ACME INC, 10-K, 1/{n}/2020" for n, page in enumerate(pages, 1)
    )
    read = extract(words.encode(), "a.txt")
    assert "deliver the goods in good order" in read.text
    assert "pay the price." in read.text
    assert read.text.count("Source: ACME") == 1
    assert [s.kind for s in read.segments if read.text[s.start :].startswith("Source")] == [SegmentKind.FOOTER]


def test_answers_and_headings_that_schedules_repeat_stay_where_they_are() -> None:
    parts = [FILLER * (n + 1) + f"It ends here {'so' * n}." for n in range(4)]
    words = "\n\n".join(f"Payment Terms\n\nNot applicable.\n\n{part.strip()}" for part in parts)
    assert extract(words.encode(), "a.txt").text.strip() == words


def test_text_wrapped_at_a_fixed_width_is_joined_and_addresses_are_not() -> None:
    clause = "The Supplier shall deliver all of the goods that are listed in this agreement on a non-exclusive basis."
    wrapped = "\n".join(textwrap.wrap(clause * 3, 66))
    address = "Acme LLC\n12 Long Harbour Street and Old Fishmarket Lane\nAustin, Texas\nAttention: J. Doe"
    table = "\n".join(f"Item number {n} of the long list of items      ${n},000      due in March" for n in range(5))
    joined = extract(f"{wrapped}\n\n{address}\n\n{table}".encode(), "a.txt").text.strip().split("\n\n")
    assert joined == [clause * 3, address, table]


def test_printed_page_numbers_give_pages_to_cite() -> None:
    pages = [f"{FILLER}The {word} page says so." for word in ("first", "second", "third", "fourth")]
    words = "\n\n".join(f"{page}\n\n- {n} -" for n, page in enumerate(pages[:3], 7)) + "\n\n" + pages[3]
    read = extract(words.encode(), "a.txt")
    found = []
    for word in ("first", "second", "third", "fourth"):
        at = read.locate(read.text.index(f"The {word} page"), SegmentKind.PAGE)
        found.append(at.label if at else "")
    assert found == ["pp. 1–7", "p. 8", "p. 9", "p. 10"]


def test_numbers_pasted_to_the_ends_of_pages_are_dropped_only_in_sequence() -> None:
    pages = [f"{FILLER}So ends the page of the {n} {i}" for i, n in enumerate(("first", "second", "third"), 4)]
    assert not re.search(r" [456]$", "\n\n".join(blocks("\n\n".join(pages))), re.MULTILINE)
    lone = f"{FILLER}The number of the beast is 4"
    assert blocks(lone) == [lone]


@pytest.mark.parametrize("words", ["", "One line.", "A.\n\nB.", "1. Term\n\n2. Fees\n\n3. Tax", "x\n\n1\n\n2\n\n3"])
def test_short_texts_are_left_alone_but_for_page_numbers(words: str) -> None:
    read = extract(words.encode(), "a.txt")
    assert isinstance(read.text, str)
    if words and not words.startswith("x"):
        assert read.text.strip() == words


def test_segments_follow_the_text() -> None:
    cut = "Acme shall deliver the goods and all of the many parts of the\n\nwhole on time."
    words = f"{FILLER}1. Term. It lasts. 2. Fees. None.\n\n{cut}"
    read = extract(words.encode(), "a.txt")
    paragraphs = [read.text[s.start : s.end] for s in read.segments if s.kind is SegmentKind.PARAGRAPH]
    assert paragraphs == read.text.strip().split("\n\n")
    assert re.sub(r"\s+", " ", read.text).strip() == re.sub(r"\s+", " ", words).strip()


def test_reading_is_a_value() -> None:
    assert Reading("a") == Reading("a")
