"""Capitalised phrases used like defined terms: which are alarms, and which every contract explains in another way."""

from __future__ import annotations

import pytest

from tasks.sources.extract import extract
from tasks.sources.records import CanonicalText
from tasks.toolbox.undefined_terms import defined_elsewhere, undefined_terms


def contract(words: str) -> CanonicalText:
    return extract(words.encode(), "contract.txt")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("by the Closing Date and after such Closing Date", ["Closing Date"]),
        ("in the Territory. Within the Territory", ["Territory"]),
        ("by the Letter of Credit; each Letter of Credit", ["Letter of Credit"]),
        ("the Buyers shall pay. Each Buyer and the Buyers", ["Buyers"]),
        ("only once the Closing Date", []),
        # introduced in other ways
        ('the "Closing Date". By the Closing Date', []),
        ("(Applicable Laws). The Applicable Laws and such Applicable Laws", []),
        ("Launch shall mean the first sale. Before the Launch and after the Launch", []),
        ('"TERRITORY" means Peru. In the Territory and outside the Territory', []),
        ('"Tax" or "Taxes" means levies. Any Tax and all Taxes and the Tax', []),
        ("the Agreement (the \"Agreement''), the Service under any Service", ["Service"]),
        # parts of longer terms, and terms joined
        ('"Full Verification Service" means tests. The Full Verification, a Full Verification', []),
        ('"Work Product" means it; "Assets" means all. The Work Product and Assets; any Work Product or Assets', []),
        ('"Janssen" means us. The Trademarks of Janssen and all Trademarks of Janssen', ["Trademarks"]),
        ('"Asset" means it. Any Asset and Lien, each Asset or Lien', ["Lien"]),
        # names and offices
        ("the California law; any California court", []),
        ("the International Chamber of Commerce; the International Chamber of Commerce", []),
        ("the Managing Director or a Managing Director", []),
        ("a Court or the Courts, the State of New York and the State of New York", []),
        ("the Parties and each Party, the Agreement, this Agreement and any Agreement", []),
        # hyphens and tables of contents
        ("the Know-how and all Know-how", ["Know-how"]),
        ("No Conflict ........ 3\nNo Conflict 33 11.4 Enforceability", []),
    ],
)
def test_alarms(words: str, expected: list[str]) -> None:
    text = contract(words)
    defined = ["Work Product", "Assets", "Full Verification Service", "Janssen", "Asset"] if "means" in words else []
    assert [u["term"] for u in undefined_terms(text, [d for d in defined if d in words])] == expected


def test_an_alarm_says_where_and_how_often() -> None:
    text = contract("First line.\n\nOn the Closing Date they pay. Before the Closing\nDate they do not.")
    (alarm,) = undefined_terms(text, [])
    assert (alarm["term"], alarm["uses"], alarm["line"]) == ("Closing Date", 2, 3)
    assert text.text[alarm["start"] :].startswith("Closing Date")


def test_terms_taken_from_another_document_are_said() -> None:
    said = "Capitalized terms used but not defined herein shall have the meanings set forth in the Credit Agreement"
    assert defined_elsewhere(contract(f"1. Recitals. {said}. 2. Fees.")) == said
    assert defined_elsewhere(contract("The terms of payment are net thirty days.")) == ""
