"""Days that a draft counts: a sum that it shows must come out."""

import pytest

from tasks.reconcile.dates.counted import miscounted_days


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("4 years from December 3, 2009: April 15, 2014", "April 15, 2014"),
        ("It ends 4 years from December 3, 2009: December 3, 2013.", ""),
        ("It ends 4 years from December 3, 2009: December 2, 2013.", ""),
        ("Basis: five business days after January 30, 2026, the last day of work = February 6, 2026", ""),
        ("Basis: five business days after January 30, 2026, the last day of work = March 6, 2026", "March 6, 2026"),
        ("ninety (90) days before March 31, 2026, the end of the term = December 31, 2025", ""),
        ("ninety (90) days before March 31, 2026, the end of the term = June 29, 2026", "June 29, 2026"),
        ("ten days after January 30, 2026, moved to the next open day = March 1, 2026", ""),  # more steps than one
        ("45 days after receipt on January 13, 2026 = February 27, 2026", ""),
        ("within ten days after January 30, 2026. The meeting was held: March 1, 2026", ""),  # another sentence
        ("three years from May 1, 2020 or from June 1, 2021: June 1, 2024", ""),
    ],
)
def test_a_shown_sum_is_counted_again(line, wrong):
    found = list(miscounted_days("memo.docx", f"Heading\n{line}\n"))
    assert [f.text for f in found] == ([wrong] if wrong else [])
    assert all(f"Heading\n{line}\n"[f.start : f.end] == f.text for f in found)
