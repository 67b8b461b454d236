"""The automaton that judges a pattern has every way that the engine has, and moments hold all that is open together."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from tasks.learning.patterns.moments import AnyMoments, Moments
from tasks.learning.patterns.parts import EDGE, MAX_STATES, Automaton, TooIntricateError, automaton
from tasks.learning.proposers.proposer import Means
from tasks.learning.proposers.registry import PROPOSERS, proposer_of
from tasks.matter.failures import SolonError

ALPHABET = "ab 1\n"
TEXTS = ["".join(letters) for size in range(5) for letters in product(ALPHABET, repeat=size)]
PATTERNS = [
    "a", "ab", "a|b", "a*", "a+b?", "(?:ab)*", "(?:a|ab)(?:b|)", "[ab]{2,3}", "[^a]b", ".{0,9}b", "a{3}", r"\ba\b",
    r"\Ba", "^a", "b$", r"\Aa\Z", r"\w+ \d", "(?=a).", "(?!b)a", "(?<=a)b", "(?>a|ab)b", "a*+b", "(?i:A)b", "(?s:.)a",
    r"(a)(b)?", "(?:a?){3}", "a{0,2}b{1,}", r"\s?1", "(?:|a)b", "(?:a|b)+1", "a{0,0}b", "(?:^|a)b", r"a(?:\b| )1?",
]  # fmt: skip


def accepts(built: Automaton, text: str) -> bool:
    """Walk every way through the automaton that reads the whole of a text."""
    if not text:
        return any(condition & 1 << (4 * EDGE + EDGE) for condition in built.whole.empty)
    bits = [1 << built.sample.index(char) for char in text]
    first = {s for s, ways in built.whole.first.items() if any(condition >> EDGE & 1 for condition in ways)}
    open_states = {s for s in first if built.chars[s] & bits[0]}
    for bit in bits[1:]:
        reached = {t for s in open_states for t in (*built.ways[s], *built.inner[s])}
        open_states = {t for t in reached if built.chars[t] & bit}
    last = built.whole.last
    return any(condition >> EDGE & 1 for s in open_states if s in last for condition in last[s])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_the_engine_matches_the_automaton_matches(pattern: str) -> None:
    """It may have more ways (a look-ahead is taken to hold), never fewer: a bound on its ways holds."""
    built, compiled = automaton(pattern), re.compile(pattern, re.IGNORECASE)
    missed = [text for text in TEXTS if compiled.fullmatch(text) and not accepts(built, text)]
    assert missed == []


@pytest.mark.parametrize("pattern", [p for p in PATTERNS if not re.search(r"\(\?[=!<>]|\+\+|\*\+|\{0,9\}", p)])
def test_what_the_automaton_matches_the_engine_matches(pattern: str) -> None:
    """Without look-arounds, atomic groups and gaps, which the automaton takes more widely, the two are the same."""
    built, compiled = automaton(pattern), re.compile(pattern, re.IGNORECASE)
    assert [text for text in TEXTS if accepts(built, text) and not compiled.fullmatch(text)] == []


def test_ways_are_counted_and_not_only_told() -> None:
    two, one = automaton("(?:a|a)b"), automaton("(?:a|c)b")
    assert [ways for out in two.ways for ways in out.values()] == [2]
    assert [ways for out in one.ways for ways in out.values()] == [1]
    (state,) = automaton("(?:|)a").whole.first.values()
    assert list(state.values()) == [2]  # two ways to match nothing before it


def test_a_gap_is_one_state_with_its_bounds() -> None:
    built = automaton("[ab]{2,90}")
    assert set(built.gaps.values()) == {(2, 90)}
    assert len(built.chars) == 1
    assert automaton("[ab]{2,3}").gaps == {}  # short ones are written out


def test_an_automaton_of_too_many_states_is_refused() -> None:
    with pytest.raises(TooIntricateError, match="too many characters"):
        automaton("(?:abcdefgh){400}")
    assert len(automaton("abcdefgh" * 20).chars) == 160 < MAX_STATES


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (r"(a)\1", "refers to what a group"),
        ("(a)?(?(1)b|c)", "refers to what a group"),
        ("(?a)b", "sets a flag"),
        ("[\u0100-\uffff]", "too wide"),
        ("(?:a|a|a|a|a|a|a|a|a|a){9}", ""),
    ],
)
def test_what_cannot_be_judged_says_why(pattern: str, said: str) -> None:
    if not said:
        automaton(pattern)
        return
    with pytest.raises(TooIntricateError, match=said):
        automaton(pattern)


A, B, C = 1, 2, 4


def test_any_moment_holds_all_states_that_read_one_character() -> None:
    rough = AnyMoments([0, A, A | B, C])
    assert rough.states[0] == {0}
    assert set(rough.states[1:]) == {frozenset({1, 2}), frozenset({2}), frozenset({3})}
    assert rough.apart(set(), {}) == 1


def test_moments_hold_only_what_is_reached_together() -> None:
    """A chain: the state that reads the second character is never open beside the one that reads the first."""
    chars, after = [0, A, A, B], [[1], [2], [3], []]
    exact = Moments(chars, after, 0, ())
    assert [set(moment) for moment in exact.states] == [{0}, {1}, set(), {2}, {3}]
    rough = AnyMoments(chars)
    assert all(any(moment <= other for other in rough.states) for moment in exact.states)


def test_what_is_always_open_is_in_every_moment_that_reads_its_character() -> None:
    exact = Moments([0, A, B], [[1], [2], []], 0, {2})
    of_b = [exact.states[row[exact.atoms.index(B)]] for row in exact.after]
    assert all(2 in moment for moment in of_b)
    assert all(2 not in exact.states[row[exact.atoms.index(A)]] for row in exact.after)


@pytest.mark.parametrize(("loop", "steps"), [(1, 1), (2, 2), (3, 3)])
def test_how_far_two_arrivals_at_a_gap_lie_apart(loop: int, steps: int) -> None:
    """A ring of so many states leads into a gap of "a" once in each round."""
    ring = list(range(1, loop + 1))
    gap = loop + 1
    after = [[ring[0]], *([ring[(n + 1) % loop], *([gap] if n == 0 else [])] for n in range(loop)), [gap]]
    exact = Moments([0, *[A] * loop, A], after, 0, {gap})
    assert exact.apart({gap}, {ring[0]: {gap}}) == steps


def test_arrivals_that_never_come_twice_have_no_distance() -> None:
    exact = Moments([0, B, A], [[1], [2], [2]], 0, {2})
    assert exact.apart({2}, {1: {2}}) == 0


def test_a_proposer_goes_by_its_name_and_surfaces() -> None:
    assert sorted(PROPOSERS) == ["agent", "catalogue", "model", "rules"]
    assert proposer_of("rules", Means(("knowledge",), Path("home"))).name == "rules"
    with pytest.raises(SolonError) as caught:
        proposer_of("oracle", Means((), Path("home")))
    assert (caught.value.failure.subject, caught.value.failure.remedy) == (
        "oracle",
        f"use one of {', '.join(PROPOSERS)}",
    )
