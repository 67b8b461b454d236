"""The one sentence splitter: its four manners, its abbreviations, and sentence ends that annotators marked."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tasks.legaltext.sentences import BRIEF, CONTRACT, DRAFT, PROSE, WRAPPED, sentence_ends, sentences

DATA = Path("../shared/data/contractnli/dev.json")
_CANDIDATE = re.compile(r"(?<=[.?!])[\"”’')\]]*(?=[ \t]+\S)")


def cut(text, manner=CONTRACT):
    return [text[a:b] for a, b in sentences(text, manner)]


@pytest.mark.parametrize(
    "one",
    [
        "Acme Inc. and Bolt Corp. shall pay Dr. Smith.",
        "It is filed under Fed. R. Civ. P. 12 in the 2d Cir. of the court.",
        "No. 7 of Jan. 5 applies under 45 C.F.R. Part 160.",
        "6.3. Subject to 6.5, the Receiving Party agrees.",
        "Section 4. Term of the agreement.",
        "The parties (a) meet; (b) agree.",
        "Yahoo! has a sign in its name",
    ],
)
def test_what_is_one_sentence(one):
    assert cut(one) == [one]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It ends. It began.", ["It ends.", "It began."]),
        ("He said “yes.” She left.", ["He said “yes.”", "She left."]),
        ("It pays (see Exhibit A). (b) It stays.", ["It pays (see Exhibit A).", "(b) It stays."]),
        ("the rent;\nthe rates", ["the rent;", "the rates"]),
        ("It goes\non. So\n\ndoes this", ["It goes\non.", "So", "does this"]),
    ],
)
def test_where_contracts_part(text, parts):
    assert cut(text) == parts


def test_manners_differ_in_lines_semicolons_and_small_letters():
    text = "Fee is due; The term\nruns on. see it\n| a | b |"
    assert cut(text, DRAFT) == ["Fee is due;", "The term", "runs on. see it", "| a | b |"]
    assert cut(text, WRAPPED) == ["Fee is due;", "The term\nruns on. see it", "| a | b |"]
    assert cut(text, BRIEF) == ["Fee is due;", "The term", "runs on.", "see it", "| a | b |"]
    assert cut(text, PROSE) == [text]
    assert cut("who pays; what rent", DRAFT) == ["who pays; what rent"]
    assert cut("who pays; what rent", BRIEF) == ["who pays;", "what rent"]


@pytest.mark.parametrize("manner", [PROSE, CONTRACT, DRAFT, WRAPPED, BRIEF])
@pytest.mark.parametrize("text", ["", "  \n ", "a", "One.\n\n\n\nTwo.", "x" * 5000, "\x00. \x00.", ". ? ! ;"])
def test_sentences_are_ordered_trimmed_and_lose_nothing(text, manner):
    spans = sentences(text, manner)
    assert all(text[a:b] == text[a:b].strip() and a < b for a, b in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert "".join("".join(text[a:b] for a, b in spans).split()) == "".join(text.split())


@pytest.mark.skipif(not DATA.exists(), reason="no ../shared/data/contractnli beside the project")
def test_the_ends_that_annotators_marked():
    right = wrong = missed = 0
    for document in json.loads(DATA.read_text(encoding="utf-8"))["documents"]:
        text = document["text"]
        marked = {len(text[:end].rstrip()) for _, end in document["spans"]}
        found = {end for _, end in sentences(text)}
        for match in _CANDIDATE.finditer(text):
            right += match.end() in marked and match.end() in found
            wrong += match.end() in found - marked
            missed += match.end() in marked - found
    assert right / (right + wrong) >= 0.98
    assert right / (right + missed) >= 0.975


def test_ends_stand_behind_the_marks_that_close_a_sentence():
    text = "(It ends.) Then it goes on."
    assert [text[:end] for end in sentence_ends(text)] == ["(It ends.)"]
