"""Words broken at the ends of printed lines: which hyphen is the printer's, and which the word's."""

from __future__ import annotations

import pytest

from tasks.sources.readers.pdf.hyphens import BROKEN, Hyphens

PAGE = [
    "The third party shall provide all communications to the parties together with know-how",
    "and its Microsites, on a non-exclusive basis; the licence is nontransferable.",
    "The program has a length of one year. Regulatory approval by a third party is required.",
]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (f"all commu{BROKEN}", "nications to", "all communications to"),
        (f"a third{BROKEN}", "party claim", "a third-party claim"),
        (f"is non{BROKEN}", "transferable and", "is nontransferable and"),  # as the document writes it elsewhere
        (f"is non{BROKEN}", "assignable", "is non-assignable"),
        (f"our Micro{BROKEN}", "Sites and", "our MicroSites and"),
        (f"the Know{BROKEN}", "How", "the Know-How"),
        (f"shall pro{BROKEN}", "vide", "shall provide"),
        (f"shall pro{BROKEN}", "cure", "shall procure"),  # a syllable, though "pro" and "cure" are words
        (f"the Twenty{BROKEN}", "Second Supplement", "the Twenty-Second Supplement"),
        (f"ring STM{BROKEN}", "1 circuits", "ring STM-1 circuits"),
        (f"out-of{BROKEN}", "pocket cost", "out-of-pocket cost"),
        (f"a self-regula{BROKEN}", "tory body", "a self-regulatory body"),
        (f"e{BROKEN}", "commerce", "e-commerce"),
        (f"a program{BROKEN}", "length plan", "a program-length plan"),
        (f"THE AGREE{BROKEN}", "MENT", "THE AGREEMENT"),
        (f"price of {BROKEN}", "$5", "price of -$5"),
        ("the par-", "ties together", "the parties together"),
        ("non-", "exclusive basis", "non-exclusive basis"),
        ("and/", "or by", "and/or by"),
        ("Monday-", "Friday", "Monday-Friday"),
        ("at the end", "of a line", "at the end of a line"),
    ],
)
def test_lines_are_joined_with_the_hyphen_of_the_word(left: str, right: str, expected: str) -> None:
    assert Hyphens([*PAGE, left, right]).joined(left, right) == expected


def test_words_broken_inside_a_line_are_mended_and_a_break_at_its_end_waits() -> None:
    line = f"a third{BROKEN}party or commu{BROKEN}nications of non{BROKEN}"
    assert Hyphens([*PAGE, line]).mended(line) == f"a third-party or communications of non{BROKEN}"
