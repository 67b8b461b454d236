"""Who must, may or must not do what."""

from __future__ import annotations

import pytest

from tasks.legaltext.duties import duties

CASES = [
    ("The Receiving Party shall not disclose the Information.", [("recipient", "must_not", "disclos")]),
    ("Recipient may make copies.", [("recipient", "may", "make")]),
    ("The Disclosing Party shall mark the documents.", [("discloser", "must", "mark")]),
    ("Each party agrees not to solicit employees.", [("both", "must_not", "solicit")]),
    ("The Recipient shall not be required to return backup copies.", [("recipient", "free", "return")]),
    ("Confidential Information means technical data.", [("none", "define", "technic")]),
    ("These obligations survive for two years.", [("none", "survive", "two")]),
    ("Any data, except public data.", [("none", "except", "public")]),
    ("The weather was fine.", []),
]


@pytest.mark.parametrize(("sentence", "expected"), CASES)
def test_what_a_sentence_lays_down(sentence: str, expected: list[tuple[str, str, str]]) -> None:
    found = [(duty.party, duty.force, duty.governed[0]) for duty in duties(sentence)]
    assert found == expected


def test_one_sentence_may_lay_down_several_things() -> None:
    found = duties("The Recipient shall keep it secret unless the parties agree otherwise, and may not copy it.")
    assert [duty.force for duty in found] == ["must", "except", "must", "must_not"]


def test_a_long_sentence_is_read_in_no_time() -> None:
    assert duties("nothing " + "herein contained " * 20_000) == ()
    assert len(duties("it shall " * 10_000 + "recipient " * 10_000)) == 10_000
