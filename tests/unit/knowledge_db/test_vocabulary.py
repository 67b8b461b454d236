"""Which families a word is of: looked up by its beginnings, as it would be by asking each family."""

from __future__ import annotations

import pytest

from knowledge_db.vocabulary import belongs, families_of, in_one_form, load_vocabulary
from tasks.drafting.extractive.ways.notions import Notions

FAMILIES = (("notice", "notif", "note$"), ("not", "no$"), ("notifier$", "notifi"), ("pay", "paid$"))


def test_a_word_is_of_every_family_that_has_a_beginning_of_it_or_the_whole() -> None:
    having = families_of(FAMILIES)
    assert having("notification") == (FAMILIES[0], FAMILIES[1], FAMILIES[2])
    assert having("note") == (FAMILIES[0], FAMILIES[1])
    assert having("paid") == (FAMILIES[3],)
    assert having("paids") == having("") == ()
    assert in_one_form("Notes, paid", FAMILIES) == "not, pay"


def test_every_word_of_the_shipped_families_is_found_as_by_asking_each() -> None:
    families = load_vocabulary().families
    having = families_of(families)
    stems = {stem.rstrip("$") for family in families for stem in family}
    words = {stem + end for stem in stems for end in ("", "s", "ing", "x$")} | {stem[:-1] for stem in stems}
    assert len(words) > 1000
    wrong = [w for w in words if having(w) != tuple(family for family in families if belongs(w, family))]
    assert wrong == []


@pytest.mark.slow
def test_phrases_of_plain_words_are_found_in_the_order_of_the_rows() -> None:
    """Those that cannot begin in a question are passed over; the others are found where each would be tried."""
    known = load_vocabulary()
    notions = Notions(known)
    questions = [f"May we {said} or {other}?" for row, rival in zip(known.plain, known.plain[1:], strict=False)
                 for said, other in [(row.said[0], rival.said[-1])]]  # fmt: skip
    assert len(questions) > 50
    for question in questions:
        words = notions.words(question)
        found = list(notions.written_for(words))
        notions._beginning = {"": []}  # type: ignore[misc]
        assert list(notions.written_for(words)) == []  # it is asked
        every = range(len(notions._plain))
        notions._beginning = {key: list(every) for word in words for key in word.called}  # type: ignore[misc]
        assert list(notions.written_for(words)) == found
        del notions._beginning
    assert any(list(notions.written_for(notions.words(question))) for question in questions)
