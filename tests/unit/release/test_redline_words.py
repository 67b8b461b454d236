"""What changed between two wordings: whole words, the white space with them, and paragraphs that belong together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.release.redline.align import ReplacedParagraphs, aligned, unwrapped
from tasks.release.redline.words import folded, word_changes


def shown(old: str, new: str) -> list[tuple[str, str]]:
    """Each change as (what goes, what comes)."""
    return [(old[c.start : c.end], c.new) for c in word_changes(old, new)]


def applied(old: str, new: str) -> str:
    """The old wording with its changes made."""
    made, at = "", 0
    for change in word_changes(old, new):
        assert at <= change.start <= change.end <= len(old)
        made += old[at : change.start] + change.new
        at = change.end
    return made + old[at:]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # one word for another: the word alone
        ("within 30 days after notice", "within 60 days after notice", [("30", "60")]),
        ("the Buyer shall pay", "the Seller shall pay", [("Buyer", "Seller")]),
        ("a fee of $1,250.00 is due", "a fee of $1,350.00 is due", [("1,250.00", "1,350.00")]),
        ("a fee of $5 is due", "a fee of €5 is due", [("$", "€")]),
        ("the Seller’s goods", "the Buyer’s goods", [("Seller’s", "Buyer’s")]),
        ("shall not assign", "may not assign", [("shall", "may")]),
        ("ten (10) days", "twenty (20) days", [("ten", "twenty"), ("10", "20")]),
        # insertions take the space that comes with them
        ("shall pay the price", "shall promptly pay the price", [("", "promptly ")]),
        ("shall pay", "shall pay promptly", [("", " promptly")]),
        ("shall pay.", "shall pay promptly.", [("", " promptly")]),
        ("shall pay", "The Buyer shall pay", [("", "The Buyer ")]),
        ("the price is due", "the price, if any, is due", [("", ", if any,")]),
        ("the price", "“the price”", [("", "“"), ("", "”")]),
        # deletions leave one space
        ("shall promptly pay the price", "shall pay the price", [("promptly ", "")]),
        ("shall pay promptly", "shall pay", [(" promptly", "")]),
        ("shall pay promptly.", "shall pay.", [(" promptly", "")]),
        ("The Buyer shall pay", "shall pay", [("The Buyer ", "")]),
        ("the price, if any, is due", "the price is due", [(", if any,", "")]),
        ("rent (as defined) is due", "rent is due", [("(as defined) ", "")]),
        ("pay, deliver (and ship) goods", "pay (and ship) goods", [(", deliver", "")]),
        # nothing
        ("the same words", "the same words", []),
        ("the  same\nwords", "the same words", []),
        ("the “same” words", 'the "same" words', []),
        ("the Seller’s", "the Seller's", []),
        ("", "", []),
        # all of it
        ("", "new words", [("", "new words")]),
        ("old words", "", [("old words", "")]),
        ("old words", "new text", [("old words", "new text")]),
    ],
)
def test_changes_are_of_whole_words(old, new, expected):
    assert shown(old, new) == expected
    assert folded(applied(old, new)) == folded(new)


def test_a_rewording_is_one_change_though_a_word_in_it_is_common():
    old = "The fee covers every visit made by staff to the site during normal hours."
    new = "The fee covers all travel booked ahead of time to any place that counsel may choose."
    assert len(shown(old, new)) == 1
    short = shown("pay A to B at once", "pay C to D at once")
    assert short == [("A", "C"), ("B", "D")]


def test_long_changes_far_apart_stay_two():
    middle = "the parties agree that nothing in this clause limits liability"
    old = f"one two three four five {middle} six seven eight nine ten"
    new = f"un deux trois quatre cinq {middle} siks sept huit neuf dix"
    assert shown(old, new) == [
        ("one two three four five", "un deux trois quatre cinq"),
        ("six seven eight nine ten", "siks sept huit neuf dix"),
    ]


WORDS = st.lists(
    st.sampled_from(["the", "Buyer", "Seller", "shall", "pay", "$5", "30", "days,", "(a)", "and"]), max_size=14
)


@settings(max_examples=150, deadline=None)
@given(old=WORDS, new=WORDS)
def test_changes_turn_the_old_wording_into_the_new(old, new):
    before, after = " ".join(old), " ".join(new)
    assert folded(applied(before, after)) == folded(after)
    assert applied(before, before) == before


@pytest.mark.parametrize(
    ("text", "expected"),
    [(" a \n\t b ", "a b"), ("“a” ‘b’", "\"a\" 'b'"), ("a\u00a0b", "a b"), ("", ""), ("A b", "A b")],
)
def test_text_as_it_is_compared(text, expected):
    assert folded(text) == expected


# --- paragraphs ---

TERM = "1. Term. This Agreement begins on the Effective Date and continues for three years unless it is ended sooner."
PRICE = "2. Price. The Buyer shall pay the Seller a price of ten dollars for each unit that is delivered and accepted."
LAW = "3. Law. The laws of the State of New York govern this Agreement without regard to its conflict of laws rules."
NEW = "4. Audit. Once a year the Buyer may inspect books and records at its own cost upon ten days' written notice."


def groups(old: list[str], new: list[str]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [(g.old, g.new) for g in aligned(old, new)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([TERM, PRICE, LAW], [TERM, PRICE, LAW], [((0,), (0,)), ((1,), (1,)), ((2,), (2,))]),
        ([TERM, PRICE, LAW], [TERM, PRICE.replace("ten", "nine"), LAW], [((0,), (0,)), ((1,), (1,)), ((2,), (2,))]),
        ([TERM, PRICE, LAW], [TERM, LAW], [((0,), (0,)), ((1,), ()), ((2,), (1,))]),
        ([TERM, LAW], [TERM, PRICE, LAW], [((0,), (0,)), ((), (1,)), ((1,), (2,))]),
        (
            [TERM, PRICE, LAW],
            [TERM.replace("three", "five"), NEW, PRICE.replace("ten", "nine"), LAW],
            [((0,), (0,)), ((), (1,)), ((1,), (2,)), ((2,), (3,))],
        ),
        ([f"{TERM} {PRICE}"], [TERM, PRICE], [((0,), (0, 1))]),
        ([TERM, PRICE], [f"{TERM} {PRICE}"], [((0, 1), (0,))]),
        (["Price", "Term"], ["Fees", "Term"], [((0,), ()), ((), (0,)), ((1,), (1,))]),
        ([], [TERM], [((), (0,))]),
        ([TERM], [], [((0,), ())]),
        ([], [], []),
    ],
)
def test_paragraphs_that_belong_together(old, new, expected):
    assert groups(old, new) == expected


def test_a_sentence_added_to_a_paragraph_leaves_it_paired():
    assert groups([TERM, PRICE], [TERM, f"{PRICE} {NEW}"]) == [((0,), (0,)), ((1,), (1,))]
    assert groups([TERM, f"{PRICE} {NEW}"], [TERM, PRICE]) == [((0,), (0,)), ((1,), (1,))]


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


@pytest.mark.parametrize("width", [30, 45, 60, 80])
def test_paragraphs_wrapped_at_another_width_stay_paired(width):
    lines = [_wrapped(text, width) for text in (TERM, PRICE, LAW)]
    new = [line for part in lines for line in part]
    assert unwrapped([TERM, PRICE, LAW], new) == [TERM, PRICE, LAW]
    assert groups([TERM, PRICE, LAW], new) == [((0, 1, 2), tuple(range(len(new))))]
    altered = [line.replace("ten dollars", "nine dollars").replace("York", "Jersey") for line in new]
    found = groups([TERM, PRICE, LAW], altered)
    at = 0
    for n, part in enumerate(lines):
        assert found[n] == ((n,), tuple(range(at, at + len(part))))
        at += len(part)


def test_lines_that_are_no_paragraph_stay_lines():
    assert unwrapped([TERM], ["1. Term. This Agreement", "is another one"]) == [
        "1. Term. This Agreement",
        "is another one",
    ]
    assert unwrapped([TERM], [TERM]) == [TERM]
    assert unwrapped([], ["a", "b"]) == ["a", "b"]
    assert unwrapped([TERM], []) == []
    first = TERM.split(" begins")[0]
    assert unwrapped([TERM, first], [first, "begins anew"]) == [first, "begins anew"]  # a paragraph of its own


PARAGRAPHS = st.lists(st.sampled_from([TERM, PRICE, LAW, NEW, "Fees", "Term", "| a | b |"]), max_size=6)


@settings(max_examples=80, deadline=None)
@given(old=PARAGRAPHS, new=PARAGRAPHS)
def test_every_paragraph_is_in_one_group_and_in_order(old, new):
    found = list(aligned(old, new))
    assert [i for g in found for i in g.old] == list(range(len(old)))
    assert [j for g in found for j in g.new] == list(range(len(new)))
    assert ReplacedParagraphs((), ()) not in found
