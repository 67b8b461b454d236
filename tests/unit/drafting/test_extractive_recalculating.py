"""Ratios and floors recomputed from sheets, checked by hand."""

from __future__ import annotations

from tasks.drafting.extractive.reading import read
from tasks.drafting.extractive.recalculating import recomputed
from tasks.harness import packaged
from tasks.sources.records import CanonicalText

LOAN = """TERM LOAN AGREEMENT

This Term Loan Agreement is made on May 1, 2022 between Orchard Foods, Inc. and Cobalt River Bank.

1. Leverage Ratio

Borrower shall not permit the Leverage Ratio to exceed 3.50 to 1.00. "Leverage Ratio" means Total Debt divided by EBITDA
for that fiscal year.

2. Interest Coverage Ratio

Borrower shall not permit the ratio of EBITDA to cash interest for any year to be less than 2.75 to 1.00.

3. Minimum Liquidity

Borrower shall at all times hold unrestricted cash of at least $4,000,000.
"""
SHEET = """Sheet: S
A1: Selected figures ($ in thousands)
A2: Item | B2: FY2024 | C2: FY2023
A3: EBITDA | B3: 12,310 | C3: 13,020
A4: Total Debt | B4: 44,870 | C4: 41,200
A5: Cash interest | B5: 3,950 | C5: 0
A6: Unrestricted cash | B6: 3,725 | C6: 5,140
"""


def reading(text, name, media):
    return read(
        CanonicalText(document=name, sha256="0", extractor="t/1", media=media, text=text),
        None,
        None,
        packaged().knowledge,
    )


def lines(loan=LOAN, sheet=SHEET):
    return recomputed([reading(loan, "loan.txt", "txt"), reading(sheet, "s.xlsx", "xlsx")])


def test_each_ratio_is_computed_and_held_against_its_limit():
    told = {line.split(":")[0]: line for line in lines()}
    assert "44,870,000 / 12,310,000 = 3.65x" in told["Leverage Ratio, FY2024"]
    assert "a maximum of 3.50x [loan.txt, § 1]: the limit is not met" in told["Leverage Ratio, FY2024"]
    assert "= 3.16x" in told["Leverage Ratio, FY2023"]
    assert "the limit is met" in told["Leverage Ratio, FY2023"]
    assert "12,310,000 / 3,950,000 = 3.12x" in told["Interest Coverage Ratio, FY2024"]
    assert "a minimum of 2.75x" in told["Interest Coverage Ratio, FY2024"]


def test_a_floor_is_compared_in_the_scale_of_the_sheet():
    told = [line for line in lines() if line.startswith("Unrestricted cash")]
    assert "3,725,000" in told[0] and "the floor is not met" in told[0]  # noqa: PT018
    assert "5,140,000" in told[1] and "the floor is met" in told[1]  # noqa: PT018


def test_nothing_is_divided_by_nought_or_guessed():
    assert not any("Coverage Ratio, FY2023" in line for line in lines())
    assert lines(sheet="Sheet: S\nA1: Turnover | B1: 12\n") == []
    assert lines(loan="A note that defines nothing.\n") == []
    assert lines(sheet="") == []
