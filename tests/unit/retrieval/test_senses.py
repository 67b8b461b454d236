"""Words and sentences by what they mean."""

import numpy as np

from tasks.retrieval.senses import Meanings, Senses, senses_brought, words_of

PLACES = {"lapses": (1.0, 0.1), "dies": (0.9, 0.2), "harbour": (0.0, 1.0), "offer": (0.5, 0.5)}


def embed(words):
    embed.asked.append(list(words))
    return np.array([PLACES.get(w, (0.0, 0.0)) for w in words], dtype=np.float32)


def test_each_word_is_learned_once_and_has_length_one():
    embed.asked = []
    senses = Senses(embed)
    rows = senses.of(["dies", "lapses", "dies"])
    senses.of(["dies"])

    assert embed.asked == [["dies", "lapses"]]
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0)


def test_the_nearest_word_is_one_that_means_the_like():
    embed.asked = []
    senses = Senses(embed)

    assert senses.nearest("dies", {"dies", "harbour"}) == 1.0
    assert senses.nearest("dies", {"lapses"}) > 0.95 > senses.nearest("dies", {"harbour"})
    assert senses.nearest("dies", set()) == 0.0


def test_a_sentence_that_means_the_like_comes_first_though_it_shares_no_word():
    embed.asked = []
    near = Meanings(Senses(embed), [("The harbour.", ""), ("It lapses.", "")]).near("dies")

    assert near[1] > near[0]


def test_a_heading_tells_of_the_sentence_below_it_and_no_words_are_near_nothing():
    embed.asked = []
    meanings = Meanings(Senses(embed), [("Harbour.", ""), ("Harbour.", "lapses")])

    assert meanings.near("dies")[1] > meanings.near("dies")[0]
    assert not meanings.near("?!").any()
    assert Meanings(Senses(embed), []).near("dies").shape == (0,)
    assert not Meanings(Senses(embed), [("7.", ""), ("!", "")]).near("dies").any()


def test_the_vectors_that_solon_brings_know_what_papers_write():
    papers = set(words_of("This paper lapses on October 25 if it is not signed. Each side bears its attorney's fees."))

    assert senses_brought().nearest("lawyer", papers) > 2 * senses_brought().nearest("parking", papers)
