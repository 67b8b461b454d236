"""Every word of the error classes decides the class of some failure."""

import pytest

from tasks.judging.taxonomy import taxonomy
from tests.unit.judging.error_words import Word, failures, is_alive, parted, without, words


@pytest.mark.slow
def test_each_word_decides_the_class_of_a_failure():
    """One of four of them: each is tried within ``make thorough``."""
    assert [word for word in words()[::4] if not is_alive(word)] == []


@pytest.mark.thorough
def test_every_word_decides_the_class_of_a_failure():
    assert [word for word in words() if not is_alive(word)] == []


def test_words_are_the_alternatives_of_a_pattern_at_any_depth():
    assert {text for text, _, _ in parted(r"\b(?:a|b(?:c|d))e|f[|)]")} == {
        "a", "b(?:c|d)", "c", "d", r"\b(?:a|b(?:c|d))e", "f[|)]",
    }  # fmt: skip
    assert parted("a(?! (?:b|c))")[0] == ("b", "a(?= (?:b))", "a(?! (?:c))")
    assert parted("abc") == [("abc", "abc", "")]


def test_a_word_that_another_says_already_is_dead():
    (known,) = (w for w in words() if (w.place, w.field, w.number, w.text) == (3, "patterns", 0, "severity"))
    assert is_alive(known)
    twice = Word(3, known.field, known.number, "severity", r"\bseverity\b", r"\bsever(?:ity|e)\b")
    assert not is_alive(twice)


def test_taking_a_word_out_leaves_all_others():
    first, *_ = words()
    assert [without(first).by_words(*said) for said in failures(words()[-1])]
    assert taxonomy() != without(first)
