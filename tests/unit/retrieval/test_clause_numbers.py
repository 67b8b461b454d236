"""The number that a line begins with: every way in which agreements number their clauses, and lines that do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.retrieval.numbering import Marker, read_marker, roman_value


def marker(line: str) -> Marker:
    found = read_marker(line)
    assert found is not None, line
    return found


@pytest.mark.parametrize(
    ("line", "scheme", "number", "values", "rest"),
    [
        # divisions
        ("ARTICLE IV", "division", "ARTICLE IV", (4,), ""),
        ("ARTICLE IV. COVENANTS", "division", "ARTICLE IV", (4,), ". COVENANTS"),
        ("ARTICLE IV COVENANTS", "division", "ARTICLE IV", (4,), " COVENANTS"),
        ("Article 12: Notices", "division", "Article 12", (12,), ": Notices"),
        ("Article Three - Term", "division", "Article Three", (3,), " - Term"),
        ("ARTICLE NINE", "division", "ARTICLE NINE", (9,), ""),
        ("PART B", "division", "PART B", (2,), ""),
        ("Chapter 7", "division", "Chapter 7", (7,), ""),
        ("TITLE II", "division", "TITLE II", (2,), ""),
        ("EXHIBIT A", "division", "EXHIBIT A", (1,), ""),
        ("Exhibit 10.4", "division", "Exhibit 10.4", (10,), ""),
        ("Exhibit C-2", "division", "Exhibit C-2", (3,), ""),
        ("EXHIBIT I-1", "division", "EXHIBIT I-1", (9,), ""),
        ("SCHEDULE 1-A", "division", "SCHEDULE 1-A", (1,), ""),
        ("Schedule 2 — Prices", "division", "Schedule 2", (2,), " — Prices"),
        ("ANNEX C", "division", "ANNEX C", (100,), ""),  # a Roman hundred: the tree knows what came before
        ("Appendix D (Forms)", "division", "Appendix D", (500,), " (Forms)"),
        ("ATTACHMENT 3", "division", "ATTACHMENT 3", (3,), ""),
        ("ADDENDUM B", "division", "ADDENDUM B", (2,), ""),
        # sections with their word
        ("Section 4.2 Payment", "section", "4.2", (4, 2), " Payment"),
        ("SECTION 4. Payment", "section", "4", (4,), " Payment"),
        ("Sec. 12.1.3 Payment", "section", "12.1.3", (12, 1, 3), " Payment"),
        ("Clause 9(b) applies", "section", "9(b)", (9,), " applies"),
        ("Clause 9(b)(ii): more", "section", "9(b)(ii)", (9,), " more"),
        ("§ 7 Miete", "section", "7", (7,), " Miete"),
        ("§§ 7 and 8", "section", "7", (7,), " and 8"),
        ("Section 5A Rent", "section", "5A", (5,), " Rent"),
        ("Section IV. Rent", "section", "IV", (4,), " Rent"),
        ("Section B. Rent", "section", "B", (2,), " Rent"),
        ("Paragraph 3 Rent", "section", "3", (3,), " Rent"),
        ("Section 3—Rent", "section", "3", (3,), "—Rent"),
        # decimals and integers
        ("4.2 Payment", "decimal", "4.2", (4, 2), " Payment"),
        ("4.2. Payment", "decimal", "4.2", (4, 2), " Payment"),
        ("4.2: Payment", "decimal", "4.2", (4, 2), " Payment"),
        ("4.2.1.3 Payment", "decimal", "4.2.1.3", (4, 2, 1, 3), " Payment"),
        ("4.2a Payment", "decimal", "4.2a", (4, 2), " Payment"),
        ("4.2Payment", "decimal", "4.2", (4, 2), "Payment"),
        ("4.2(a) Payment", "decimal", "4.2", (4, 2), "(a) Payment"),
        ("4.0 PAYMENT", "integer", "4.0", (4,), " PAYMENT"),
        ("4.0.1 Payment", "decimal", "4.0.1", (4, 0, 1), " Payment"),
        ("4.10 Payment", "decimal", "4.10", (4, 10), " Payment"),
        ("4. Payment", "integer", "4", (4,), " Payment"),
        ("4) Payment", "integer", "4", (4,), " Payment"),
        ("4 - Payment", "integer", "4", (4,), " Payment"),
        ("4\tPayment", "integer", "4", (4,), "Payment"),
        ("4  Payment", "integer", "4", (4,), "Payment"),
        ("4.", "integer", "4", (4,), ""),
        ("120. Payment", "integer", "120", (120,), " Payment"),
        # letters
        ("(a) Payment", "paren_lower", "(a)", (1,), " Payment"),
        ("(z) Payment", "paren_lower", "(z)", (26,), " Payment"),
        ("(aa) Payment", "paren_lower", "(aa)", (27,), " Payment"),
        ("(bb) Payment", "paren_lower", "(bb)", (28,), " Payment"),
        ("(B) Payment", "paren_upper", "(B)", (2,), " Payment"),
        ("(12) Payment", "paren_int", "(12)", (12,), " Payment"),
        ("(a)Payment", "paren_lower", "(a)", (1,), "Payment"),
        ("(a)(i) Payment", "paren_lower", "(a)", (1,), "(i) Payment"),
        ("A. Payment", "letter_upper", "A", (1,), " Payment"),
        ("b) payment", "letter_lower", "b", (2,), " payment"),
    ],
)
def test_the_number_of_a_line(line, scheme, number, values, rest):
    found = marker(line)
    assert (found.scheme, found.number, found.values) == (scheme, number, values)
    assert line[found.length :] == rest


@pytest.mark.parametrize(
    ("line", "letters", "roman"),
    [
        ("(i) one", 9, 1),
        ("(v) one", 22, 5),
        ("(x) one", 24, 10),
        ("(ii) one", 35, 2),  # the 35th letter or the second numeral: the tree decides
        ("(iv) one", 0, 4),
        ("(xii) one", 0, 12),
        ("(h) one", 8, 0),
        ("(c) one", 3, 100),
        ("(C) one", 3, 100),
        ("(IV) one", 0, 4),
        ("II. one", 35, 2),
        ("iv. one", 0, 4),
        ("ix) one", 0, 9),
    ],
)
def test_letters_that_may_be_roman_are_read_both_ways(line, letters, roman):
    found = marker(line)
    assert (found.values, found.roman) == ((letters,), roman)


@pytest.mark.parametrize(
    "line",
    [
        "Payment is due.",
        "2019 was a good year",
        "12 months after closing",  # a number and one space is prose
        "1234. Too long",
        "4.2.1.3.5.6.7 Too deep",
        "4.2payments",
        "(ab) no letter",
        "(iiii) no numeral",
        "(a and b) prose",
        "(see below)",
        "ab. prose",
        "A prose line",
        "i think so",
        "Article of faith",
        "Part of the rent",
        "Schedule of prices",
        "Exhibit Aside",
        "Sections 4 and 5",
        "Section 4,5",
        "Section",
        "$4.2 million",
        "-- 4 --",
        "",
    ],
)
def test_lines_without_a_number(line):
    assert read_marker(line) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("i", 1), ("IV", 4), ("ix", 9), ("XIV", 14), ("xl", 40), ("XC", 90), ("CD", 400), ("CM", 900), ("MMXXVI", 2026)],
)
def test_roman_numerals(text, value):
    assert roman_value(text) == value


@pytest.mark.parametrize("text", ["", "iiii", "vx", "ic", "abc", "iviv", "mmmm", "lc", "1"])
def test_what_is_no_roman_numeral(text):
    assert roman_value(text) == 0


def _roman(n: int) -> str:
    steps = (
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
    )
    out = ""
    for value, letters in (*steps, (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
        out += letters * (n // value)
        n %= value
    return out


@given(n=st.integers(1, 3999))
def test_every_numeral_is_read_back(n):
    assert roman_value(_roman(n)) == roman_value(_roman(n).upper()) == n


@given(numbers=st.lists(st.integers(1, 199), min_size=2, max_size=4))
def test_every_decimal_number_is_read_back(numbers):
    printed = ".".join(map(str, numbers))
    for line in (f"{printed} Payment", f"{printed}. Payment", f"Section {printed} Payment"):
        found = marker(line)
        assert found.values == tuple(numbers)
        assert found.number == printed
