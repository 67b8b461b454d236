"""Words that add nothing to a value, also where the lawyer's answer misspells them."""

from __future__ import annotations

import pytest

from tasks.judging.matching import states_value


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
