"""The tokenizer of legal text."""

import pytest

from tasks.legaltext.tokens import stem, terms, tokens, tokens_with_spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("17 C.F.R. § 240.10b-5", ["17", "cfr", "240.10b-5"]),
        ("Rule 12(b)(6)", ["rule", "12(b)(6)"]),
        ("§ 9.2(b)", ["9.2(b)"]),
        ("Section 9.2(b)(iii)", [stem("section"), "9.2(b)(iii)"]),
        ("42 U.S.C. § 2000e-2", ["42", "usc", "2000e-2"]),
        ("$1,200,000.50", ["1200000.50"]),
        ("the Buyer's rights", ["the", stem("buyer"), stem("rights")]),
        ("", []),
        ("—§;()", []),
    ],
)
def test_tokens(text, expected):
    assert tokens(text) == expected


@pytest.mark.parametrize(
    "family",
    [
        ["assign", "assignment", "assigned", "assignable", "assigns"],
        ["terminate", "termination", "terminated", "terminating"],
        ["indemnify", "indemnification", "indemnified", "indemnity"],
        ["license", "licensed", "licensing", "licensee", "licenses"],
        ["confidential", "confidentiality"],
        ["exclusive", "exclusivity"],
        ["party", "parties"],
        ["warranty", "warranties"],
    ],
)
def test_words_of_a_family_share_a_stem(family):
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize(("one", "other"), [("landlord", "landing"), ("notice", "notary"), ("lease", "least")])
def test_unrelated_words_keep_apart(one, other):
    assert stem(one) != stem(other)


def test_token_spans_are_exact():
    text = "Under § 9.2(b), Buyer’s consent (Rule 10b-5) is void."
    found = list(tokens_with_spans(text))
    assert [text[start:end] for _, start, end in found][-2:] == ["is", "void"]
    for token, start, end in found:
        assert text[start:end]
        assert token[0] == text[start].lower()


def test_terms_leave_out_function_words():
    assert terms("What is the term of this Agreement?") == [stem("term"), stem("agreement")]
