"""Transcripts are read without the numbers of their lines, and each line keeps its place."""

import re

from tasks.drafting.extractive.lines import units_of
from tasks.sources.extract import extract

SPOKEN = """DEPOSITION OF JANE ROE
JANE ROE, having been duly sworn, testified:
BY MR. HALE:
Q.  When did you first see the leak
in the north cellar?
A.  On March 3, 2021.
Q.  Whom did you tell?
A.  I told the landlord the same day, and
he promised to send 2 plumbers.
MR. STONE: Objection, hearsay.
THE COURT: Overruled.
Q.  What did the repair cost?
A.  It cost $4,150.
Q.  Who paid for it?
A.  I paid for it.
BY MS. VANE:
Q.  Had you been warned?
A.  Yes, in January."""


def transcript(per_page=9, first=11):
    spoken = SPOKEN.splitlines()
    pages = [spoken[i : i + per_page] for i in range(0, len(spoken), per_page)]
    numbered = ["\n".join(f"{n:2}   {line}" for n, line in enumerate(page, 1)) for page in pages]
    return "\n\n".join(f"{' ' * 30}{first + n}\n{page}" for n, page in enumerate(numbered)) + "\n"


def test_the_numbers_of_lines_are_no_words():
    read = extract(transcript().encode(), "roe.txt")
    words = " ".join(read.text.split())
    assert "leak in the north cellar? A. On March 3, 2021. Q. Whom" in words
    assert "send 2 plumbers" in words
    places = [s.label for s in read.segments if re.fullmatch(r"\d+:\d+", s.label)]
    assert places[:2] == ["11:1", "11:2"]
    assert places[9] == "12:1"


def test_a_question_stands_with_its_answer_and_its_place():
    units = units_of(extract(transcript().encode(), "roe.txt"))
    told = {u.text: u.label for u in units}
    assert told["Q. When did you first see the leak in the north cellar? A. On March 3, 2021."] == (
        "Jane Roe, asked by Mr. Hale, 11:4-6"
    )
    assert told["THE COURT: Overruled."] == "The Court, 12:2"
    assert told["MR. STONE: Objection, hearsay."] == "Mr. Stone, 12:1"
    assert told["Q. Had you been warned? A. Yes, in January."].startswith("Jane Roe, asked by Ms. Vane, 12:8")


def test_a_numbered_list_is_no_transcript():
    text = "\n".join(f"{n}  The tenant shall pay item {n}." for n in range(1, 20))
    assert extract(text.encode(), "list.txt").text.startswith("1 ")


def test_a_contract_whose_sentences_begin_with_an_article_keeps_its_numbers():
    said = "A Party may assign. A Buyer pays. A Seller delivers. A Lender waits."
    read = extract("\n".join(f"Within {n} days of notice: {said}" for n in range(1, 20)).encode(), "deal.txt")
    assert all(f"Within {n} days" in read.text for n in range(1, 20))
    assert not [s for s in read.segments if re.fullmatch(r"\d+:\d+", s.label)]


PRINTED = """Confidential print

From: Dana Reyes
Sent: Monday, June 3, 2024 9:12 AM
To: Otto Lund
Subject: Rent

The rent is $4,500 from July.

On May 30, 2024, Otto Lund wrote:
> The rent is $4,200.
"""


def test_a_message_that_was_printed_is_cited_by_its_sender():
    told = {u.text: u.label for u in units_of(extract(PRINTED.encode(), "print.txt"))}
    assert told["The rent is $4,500 from July."] == "Dana Reyes, June 3, 2024"
    assert told["The rent is $4,200."] == "Otto Lund, May 30, 2024"
