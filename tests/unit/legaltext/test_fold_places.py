"""A folded quotation is found where it stands: at or after the offset that is asked for, whatever lies between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.legaltext.fold import FoldedText, fold, quotable, straight, unaccented

TEXT = "One two. “One” three;\none - TWO: one_two  $5 % end"


@pytest.mark.parametrize(
    ("quote", "after", "found"),
    [
        ("one two", 0, "One two"),
        ("one two", 1, "one - TWO"),  # inside the first word: that place lies before
        ("one two", 8, "one - TWO"),
        ("one two", 22, "one - TWO"),
        ("one two", 23, "one_two"),
        ("one two", 40, None),
        ("ONE, TWO!", 0, "One two"),
        ("two one", 0, "two. “One"),
        ("three one", 0, "three;\none"),
        ("$5%", 0, "$5 %"),
        ("€5", 0, None),
        ("five", 0, None),
        ("end", 0, "end"),
        ("end", len(TEXT) - 3, "end"),
        ("end", len(TEXT) - 2, None),
        ("", 0, None),
        ("…", 0, None),
    ],
)
def test_a_quotation_is_found_from_an_offset_on(quote, after, found):
    span = FoldedText("d", TEXT).find(fold(quote), after)
    assert (TEXT[span[0] : span[1]] if span else None) == found
    assert span is None or span[0] >= after


@given(text=st.text(alphabet="ab $.-_\n", max_size=40), quote=st.text(alphabet="ab$", min_size=1, max_size=3))
def test_every_place_is_found_once_and_in_order(text, quote):
    held, places, after = FoldedText("d", text), [], 0
    while (span := held.find(fold(quote), after)) is not None:
        assert span[0] >= after
        assert fold(text[span[0] : span[1]]) == fold(quote)
        places.append(span[0])
        after = span[0] + 1
    folded, wanted = fold(text), fold(quote)
    assert len(places) == sum(folded.startswith(wanted, i) for i in range(len(folded)))


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("The “Buyer’s” co-\noperation", "thebuyerscooperation"),
        ("US$ 1,204,000.00", "us$120400000"),
        ("a_b  c", "abc"),
        ("İstanbul", "İstanbul"),  # a letter whose small form is two keeps its place
        ("", ""),
    ],
)
def test_text_folds_to_its_letters_and_figures(text, bare):
    assert fold(text) == bare


def test_marks_and_accents():
    assert straight("“a” ‘b’\u00a0c\u2011d\u00ade") == "\"a\" 'b' c-de"
    assert quotable("say  “no”\nnow") == 'say "no" now'
    assert unaccented("Café ﬁne Zürich") == "Cafe fine Zurich"
    assert unaccented("plain") == "plain"
