"""Words that add nothing to a value, also where the lawyer's answer misspells them."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tasks.judging.matching import span_overlap, states_value
from tasks.matter.rubric import AnchorMatch


@pytest.mark.parametrize(
    ("gold", "text", "stated"),
    [
        ("succesive 1 year", "It renews for successive one-year terms.", True),
        ("successsive 1 year", "It renews for one (1) year.", True),
        ("Comonwealth of Virginia", "Governed by the law of Virginia.", True),
        ("Provvince of Ontario, Canada", "Governed by the laws of Ontario.", True),
        ("successor 1 year", "It renews for one year.", False),
        ("succesive 2 years", "It renews for successive one-year terms.", False),
    ],
)
def test_a_doubled_letter_too_few_or_too_many_is_no_other_value(gold: str, text: str, *, stated: bool) -> None:
    assert states_value(gold, text) is stated


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
