"""Sentences of a contract, with their headings and clause numbers."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import SUPPLY, canonical

from tasks.drafting.extractive.units import reads_as_heading, sentence_units


def units(text=SUPPLY, **kwargs):
    return sentence_units(canonical(text, **kwargs))


def test_sentences_know_clause_and_heading():
    found = {u.label: u for u in units() if "assign this Agreement" in u.text}
    assert list(found) == ["§ 4.1"]
    assert "Assignment" in found["§ 4.1"].heading


def test_every_sentence_is_verbatim_but_for_white_space():
    assert sum(len(unit.text) for unit in units()) > len(SUPPLY) // 2
    for unit in units():
        shown = " ".join(SUPPLY[a:b] for a, b in unit.pieces)
        assert " ".join(shown.split()) == unit.text


def test_a_hard_wrapped_sentence_is_one_unit():
    assert any(
        u.text.endswith("the end of the then current term.") and "automatically renew" in u.text for u in units()
    )


def test_page_furniture_is_left_out_of_a_sentence():
    text = "4.1 Neither party may assign this Agreement to any third\n\nPage 3 of 9\n\nparty without consent."
    (unit,) = units(text)
    assert unit.text == "4.1 Neither party may assign this Agreement to any third party without consent."
    assert len(unit.pieces) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Acme Inc. and Beta Corp. agree.",
        "Notice goes to Mr. Smith at No. 4 High St. in the U.S. by post.",
        "As set out in Sec. 4 of the Act.",
    ],
)
def test_abbreviations_do_not_end_a_sentence(text):
    assert [u.text for u in units(text)] == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Governing Law.", True),
        ("LIMITATION OF LIABILITY", True),
        ("Term and Termination", True),
        ("The Buyer shall pay.", False),
        ("any such assignment", False),
        ("Neither party may assign this Agreement", False),
    ],
)
def test_headings(text, expected):
    assert reads_as_heading(text) is expected


@pytest.mark.parametrize("text", ["", "\n\n\n", "....", "((((((", "§" * 500, "1.1.1.1.1.1 " * 300, "\x00 \ufffe a"])
def test_hostile_text_is_borne(text):
    assert isinstance(units(text), list)


def test_pages_are_known():
    text = "First page sentence here.\n\nSecond page sentence here."
    found = units(text, pages=((0, 26), (26, 60)))
    assert [u.page for u in found] == ["p. 1", "p. 2"]
