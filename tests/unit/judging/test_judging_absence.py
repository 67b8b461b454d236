"""What counts as the drafter's own word that there is no such provision, and what does not."""

from __future__ import annotations

import pytest

from tasks.judging.anchors.absence import asserts, denies, says_none, statements

CAP = ("cap on liability", "liability cap")
INSURANCE = ("insurance",)


@pytest.mark.parametrize(
    ("sentence", "topic"),
    [
        ("None.", ()),
        ("N/A", ()),
        ("Not provided for.", ()),
        ("None of the three agreements has one.", ()),
        ("Neither contract has one.", ()),
        ("No agreement contains one.", ()),
        ("None was identified.", ()),
        ("No express provision.", ()),
        ("No relevant and sufficiently clear limitation.", ()),
        ("No cap of any kind could be located.", ()),
        ("Not addressed.", ()),
        ("Nothing was found.", ()),
        ("The lease is silent.", ()),
        ("It is silent as to the cap.", ()),
        ("There is no clause on this.", ()),
        ("It does not contain such language.", ()),
        ("The agreement does not provide a cap on liability.", CAP),
        ("The agreement lacks a liability cap.", CAP),
        ("A liability cap is absent.", CAP),
        ("There is no cap on liability.", CAP),
        ("There is no general or overall cap on liability.", CAP),
        ("The lease speaks of “a covenant that shall survive” and has no clause on this.", ()),
    ],
)
def test_plain_words_deny(sentence: str, topic: tuple[str, ...]) -> None:
    assert denies(sentence, topic)


@pytest.mark.parametrize(
    ("sentence", "topic"),
    [
        ("The agreement does not provide a cap on liability.", ()),  # of what, without a topic?
        ("The agreement does not provide a price.", CAP),
        ("There is no cap on liability.", INSURANCE),
        ("There is no material change in insurance.", INSURANCE),
        ("There is no very large and quite general insurance.", INSURANCE),  # "no" of something else
        ("There is no very large and big insurance.", INSURANCE),
        ("No party shall assign this clause.", ()),
        ("There is no clause of this Agreement.", ()),
        ("No clause may be waived.", ()),
        ("There is no clause hereunder.", ()),
        ("“There is no clause on this.”", ()),
        ("Section 9 restricts assignment and contains no clause on carve-outs.", ()),
        ("It prohibits assignment; nothing was found on consent.", ()),
        ("There is no clause on this, " + "and so it goes on and on " * 7, ()),  # a page, not a statement
        ("Yes.", CAP),
        ("No later than May 1 a clause is due.", ()),
        ("", ()),
    ],
)
def test_other_words_do_not(sentence: str, topic: tuple[str, ...]) -> None:
    assert not denies(sentence, topic)


@pytest.mark.parametrize(
    "sentence",
    [
        "Yes.",
        "Found: section 9.",
        "“Liability is limited to the fees of one year.”",
        "Liability shall not exceed the fees.",
        "Section 9 limits liability to fees.",
        "It limits liability to fees.",  # five words; fewer may be a heading
        "“liability is no more than fees”",  # six words; fewer may be a term
    ],
)
def test_what_reports_a_provision(sentence: str) -> None:
    assert asserts(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "See “section 9 below”.",
        "It limits liability.",
        "“liability is limited to fees”",
        "Liability.",
        "No.",
        "Not yes.",
    ],
)
def test_what_reports_none(sentence: str) -> None:
    assert not asserts(sentence)


def test_sentences_cells_and_lines_are_parted() -> None:
    assert statements("One. Two; three\nfour | “five.” Six e.g.seven ") == [
        "One.", "Two;", "three", "four", "“five.”", "Six e.g.seven",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "heading", "strong", "said"),
    [
        ("No such provision was found.", "", True, True),
        ("No such provision was found.", "", False, False),  # of what? the part is about something else as well
        ("There is no cap on liability.", "", False, True),
        ("cap on liability", "Acme\nNot found", True, True),
        ("cap on liability", "Acme\nNot found", False, True),
        ("Section 9 limits liability to fees.", "Not found", True, False),
        ("cap on liability", "Topics of the file that were not found", True, True),
        ("cap on liability", "Topics of the whole file that were not found", True, False),  # too long for a heading
        ("cap on liability", "", True, False),
        ("Section 9 limits liability to fees. None.", "", True, False),
        ("None. Section 9 limits liability to fees.", "", True, True),  # about something else, as nothing turns on it
        ("None. However, section 9 limits liability to fees.", "", True, False),
        ("None. See below. But section 9 limits liability to fees.", "", True, False),
        ("None. See below. And there. But section 9 limits liability to fees.", "", True, True),
        ("None. However, none was found in section 9.", "", True, True),
        ("We read it. " * 20 + "None.", "", True, True),  # sixty words before the answer
        ("We read it. " * 19 + "We read it all. None.", "", True, False),
        ("There is a cap on liability in section 9.", "", False, False),
        ("None. However, the file was hard to read.", "", True, True),  # turns on something else
        ("None. However, none of the agreements limits liability at all.", "", True, True),
        ("", "", True, False),
    ],
)
def test_a_part_says_first_and_plainly_that_there_is_none(text: str, heading: str, strong: bool, said: bool) -> None:
    assert says_none(text, CAP, heading, strong) is said
