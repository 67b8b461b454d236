"""Sentences of a contract, with their headings and clause numbers."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import SUPPLY, canonical

from tasks.drafting.extractive.quoting import own_words
from tasks.drafting.extractive.units import reads_as_heading, sentence_units
from tasks.retrieval.clauses import clause_tree
from tasks.sources.readers import Source, plain


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


MARKED = """# Services Agreement

## 2. Fees and payment
2.1 Fees. Customer shall pay the fee in advance.
2.2 Invoices are due in 45 days.

## 3. What happens to the data
Each party keeps its own.
"""


def read_markdown(text=MARKED, name="a.md"):
    reading = plain.read(Source(text.encode(), name))
    return canonical(reading.text, name).model_copy(update={"segments": reading.segments, "media": "md"})


def test_headings_of_markdown_need_no_blank_line_and_are_no_sentences():
    document = read_markdown()
    found = [(u.label, u.title, u.text) for u in sentence_units(document, clause_tree(document))]

    assert found == [
        ("§ 2.1", "Fees", "Customer shall pay the fee in advance."),
        ("§ 2.2", "Fees and payment", "2.2 Invoices are due in 45 days."),
        ("§ 3", "What happens to the data", "Each party keeps its own."),
    ]


def test_a_sentence_that_is_set_as_a_heading_stays_a_sentence():
    document = read_markdown("# The tenant shall pay the rent on the first of the month\n\nIt is $900.\n")

    assert [u.text for u in sentence_units(document)] == [
        "The tenant shall pay the rent on the first of the month",
        "It is $900.",
    ]


def test_a_quotation_leaves_out_the_number_that_its_citation_tells():
    document = read_markdown()
    sentence = next(u for u in sentence_units(document, clause_tree(document)) if u.label == "§ 2.2")

    assert own_words(sentence, document) == ["Invoices are due in 45 days."]
