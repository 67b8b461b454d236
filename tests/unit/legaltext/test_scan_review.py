"""What a hostile reading of the scanners' contracts found, by class."""

from __future__ import annotations

import pytest

from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.windows.scan import scan_windows


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two-thirds of the outstanding shares must vote.", [("Two-thirds", 2 / 3, "fraction")]),
        ("holders of 1/2 of the shares", [("1/2", 0.5, "fraction")]),
        ("He sold 10½ shares.", [("10½ shares", 10.5, "shares")]),
        ("The net loss was $(4,318) (in thousands).", [("$(4,318)", -4318000, "USD")]),
        ("Revenue was $45.2 (in millions).", [("$45.2", 45200000, "USD")]),
        (
            "$4.85 per pound for 250,000 pounds",
            [("$4.85", 4.85, "USD"), ("250,000 pounds", 250000, "count")],
        ),
        ("250,000 pounds of copper cathode", [("250,000 pounds", 250000, "count")]),
        ("a fine of 500 pounds", [("500 pounds", 500, "GBP")]),
        ("1,000 pounds of the price", [("1,000 pounds", 1000, "GBP")]),
        (
            "1,400,000 of 2,000,000 authorized shares",
            [("1,400,000", 1400000, "shares"), ("2,000,000 authorized shares", 2000000, "shares")],
        ),
        (
            "Sheet: Model\nA1: ($ in thousands)\nA2: Revenue | B2: 12345\n\nSheet: Staff\nA1: People | B1: 7\n",
            [("12345", 12345000, "USD"), ("7", 7, "")],
        ),
    ],
)
def test_figures(text: str, expected: list[tuple[str, float, str]]) -> None:
    found = [(f.text, float(f.value), f.unit) for f in scan_numbers(text)]
    assert [(t, u) for t, _, u in found] == [(t, u) for t, _, u in expected]
    assert [v for _, v, _ in found] == pytest.approx([v for _, v, _ in expected])


def test_a_window_ends_before_the_stop_of_its_sentence() -> None:
    windows = scan_windows("It replies within 48 hours. Its initial term is three years.")
    assert [w.text for w in windows] == ["48 hours", "three years"]
    assert [w.text for w in scan_windows("within 48 hrs. of notice")] == ["48 hrs."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("under BGB § 433 the seller", ["§ 433 BGB"]),
        ("HGB § 377 and § 823 Abs. 1 BGB", ["§ 377 HGB", "§ 823 Abs. 1 BGB"]),
        ("§ 280 BGB § 281 BGB", ["§ 280 BGB", "§ 281 BGB"]),
    ],
)
def test_german_codes_before_their_section(text: str, expected: list[str]) -> None:
    assert [c.canonical for c in scan_citations(text)] == expected
