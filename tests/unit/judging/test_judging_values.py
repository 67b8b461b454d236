"""When a part of a deliverable states a value, a date or a provision: durations, lists, misspelt words, windows."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tasks.judging.anchors.matching import span_overlap, states_date, states_value
from tasks.matter.rubric import AnchorMatch


@pytest.mark.parametrize(
    ("gold", "text", "stated"),
    [
        ("succesive 1 year", "It renews for successive one-year terms.", True),
        ("successsive 1 year", "It renews for one (1) year.", True),
        ("Comonwealth of Virginia", "Governed by the law of Virginia.", True),
        ("Provvince of Ontario, Canada", "Governed by the laws of Ontario.", True),
        ("of lawws 1 year", "It renews for one year.", False),  # in a short word a letter more makes another word
        ("Prrovince Ontario", "Ontario.", True),
        ("perriod 1 year", "It renews for one year.", True),  # six letters and one too many
        ("perriods 1 year", "It renews for one year.", False),
        ("successor 1 year", "It renews for one year.", False),
        ("succesive 2 years", "It renews for successive one-year terms.", False),
    ],
)
def test_a_doubled_letter_too_few_or_too_many_is_no_other_value(gold: str, text: str, *, stated: bool) -> None:
    assert states_value(gold, text) is stated


@pytest.mark.parametrize(
    ("gold", "text", "stated"),
    [
        ("2 years", "It runs for 24 months.", True),
        ("2 years", "It runs for 2 year terms.", True),
        ("1 quarter", "It runs for three months.", True),
        ("4 quarters", "It runs for one year.", True),
        ("two weeks", "Notice of fourteen days.", True),
        ("14 days", "Notice of two (2) weeks.", True),
        ("1 month", "Notice of 30 days.", False),  # a month is no number of days
        ("90 days", "Notice of three months.", False),
        ("90 days", "Notice of ninety (90) calendar days.", True),
        ("30 days", "Notice of thirty additional days.", True),
        ("45 days", "Notice of forty-five consecutive days.", True),
        ("21 days", "Notice of twenty one full days.", True),
        ("20 days", "Notice of twenty-one days.", False),
        ("1 day", "Notice of twenty-one days.", False),
        ("19 months", "Nineteen further months.", True),
        ("5 business days", "Five days.", False),
        ("$1,500,000", "The price is $1,500,000.", True),
        ("$1,500,000", "The price is $1500000.", True),
        ("$1,500,000 and 2,000 hours; Texas", "In Texas, $1,500,000 and 2000 hours.", True),
        ("$1,500,000", "The price is $500,000.", False),
        ("1,5", "One and five.", True),  # a comma that parts a list, not thousands
        ("days", "Some days.", True),
        ("New York", "York is New.", False),
        ("New York; Texas", "Texas, then New York.", True),
        ("New York; Texas", "Texas.", False),
        ("Canada", "Ontario.", False),  # alone, the country is the answer
        ("Canada, USA", "Canada.", False),
        ("Ontario, Canada", "Canada.", False),
        ("each 1 option", "There is each one (1) option.", True),
    ],
)
def test_a_value_is_stated_however_its_length_is_written(gold: str, text: str, *, stated: bool) -> None:
    assert states_value(gold, text) is stated


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Dated May 1, 2004, May 2, 2004, May 3, 2004, May 4, 2004, May 5, 2004 and June 16, 2004.", True),
        ("Dated May 1, 2004, May 2, 2004, May 3, 2004, May 4, 2004, May 5, 2004, May 6, 2004, June 16, 2004.", False),
        ("Dated May 1, 2004; amended May 1, 2004, May 1, 2004, May 1, 2004, May 1, 2004, June 16, 2004.", True),
        ("From May 2001, May 2002, May 2003, May 2005, May 2006 and May 2007 until June 16, 2004.", True),
        ("In June 2004.", False),
    ],
)
def test_a_date_is_stated_unless_it_is_one_of_a_long_list(text: str, *, stated: bool) -> None:
    assert states_date("2004-06-16", text) is stated


GOLD = "Neither party may assign this license without consent"


@pytest.mark.parametrize(
    ("text", "share"),
    [
        (GOLD, 1.0),
        (GOLD.replace("consent", "notice"), 7 / 8),
        (f"{'Otherwise put, ' * 9}{GOLD} {'and so forth ' * 9}", 1.0),
        ("assign assign assign assign", 1 / 8),  # a word said often is found once
        (f"Neither party may assign {'x ' * 12} this license without consent", 4 / 8),  # in two places half each
        (f"Neither party may assign {'x ' * 8} this license without consent", 1.0),
        (f"Neither party may assign {'x ' * 9} this license without consent", 7 / 8),
        ("", 0.0),
    ],
)
def test_a_provision_is_looked_for_in_one_place(text: str, share: float) -> None:
    assert span_overlap(GOLD, text) == pytest.approx(share)


def test_a_long_provision_is_given_half_as_much_room_again() -> None:
    words = [f"word{n}" for n in range(24)]
    for between, share in ((12, 1.0), (13, 23 / 24)):
        text = " ".join([*words[:12], *["else"] * between, *words[12:]])
        assert span_overlap(" ".join(words), text) == pytest.approx(share)


def test_a_provision_without_words_is_found_nowhere() -> None:
    assert span_overlap("of the", "of the") == 0.0


@pytest.mark.parametrize(
    ("gold", "text", "stated"),
    [
        ("Россия", "Применимое право: Россия.", True),
        ("Россия", "Governed by the laws of Ohio.", False),
        ("中国法律", "本合同适用中国法律。", True),
        ("中国法律", "Governed by the laws of Ohio.", False),
        ("Ελλάδα; Κύπρος", "Ελλάδα", False),
        ("the State", "Laws of the State apply.", True),
        ("the State", "Laws of the Republic apply.", False),
    ],
)
def test_gold_in_any_script_is_looked_for(gold, text, stated):
    assert states_value(gold, text) == stated
    assert (span_overlap(gold, text) == 1.0) == stated or gold.startswith("the ")


@pytest.mark.parametrize(
    "match",
    [
        {"kind": "value", "any": [""]},
        {"kind": "value", "any": ["Ohio", " — "]},
        {"kind": "span", "any": ["…"]},
        {"kind": "span", "any": ["a b"], "threshold": 0},
        {"kind": "span", "any": ["a b"], "threshold": 1.5},
        {"kind": "span", "any": ["a b"], "threshold": float("nan")},
        {"kind": "date", "any": ["2021-3-3"]},
        {"kind": "date", "any": ["March 3, 2021"]},
        {"kind": "date", "any": ["2021-02-30"]},
        {"kind": "value", "any": ["x" * 30_000]},
        {"kind": "value", "any": ["x"] * 2_000},
    ],
)
def test_gold_that_anything_or_nothing_matches_is_refused(match):
    with pytest.raises(ValidationError):
        AnchorMatch.model_validate(match)
