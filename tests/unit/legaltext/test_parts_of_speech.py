"""Parts of speech: offsets are exact, and the forms that the brief's grammar rests on are told apart."""

from __future__ import annotations

import itertools

import pytest

from tasks.legaltext.parts_of_speech import tagged


@pytest.mark.parametrize(
    ("text", "word", "tags"),
    [
        ("Tenant shall not assign this Lease.", "assign", {"VVI"}),
        ("Tenant shall not assign this Lease.", "shall", {"VM0"}),
        ("Tenant shall not assign this Lease.", "not", {"XX0"}),
        ("Compare the two on price and delivery.", "Compare", {"VVB", "VVI"}),
        ("federal and state law apply", "state", {"NN1", "AJ0"}),
        ("who bears the risk", "who", {"PNQ"}),
        ("It isn’t clear who signs.", "n’t", {"XX0"}),
        ("We're for the tenant.", "'re", {"VBB"}),
    ],
)
def test_forms_are_told_apart(text: str, word: str, tags: set[str]) -> None:
    assert next(w.tag for w in tagged(text) if w.text == word) in tags


def test_offsets_are_exact_in_any_text() -> None:
    for text in ("", "  ", "a\n\n§ 9.2(b) – $1,200.50 “x” don’t", "1) " * 500, "أ ب ج", "U.S.C. 12%"):
        words = tagged(text)
        assert [text[w.start : w.end] for w in words] == [w.text for w in words]
        assert all(a.end <= b.start for a, b in itertools.pairwise(words))
        assert "".join(w.text for w in words) == "".join(text.split())


def test_a_word_without_end_is_read_at_once() -> None:
    assert [(w.start, w.end) for w in tagged("a" * 10000)] == [(0, 10000)]
