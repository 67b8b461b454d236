"""How much work a regular expression may be to Python's engine on the worst text, read from its structure alone.

The engine tries one way through the expression after another, from every place of the text. Its work is bounded by the
number of ways that are open at one place, added up over all places: linear in the text exactly where that number is
bounded. It is not bounded where two ways part and meet again inside a loop (exponential work), or where a way may
enter a loop while another is still inside (quadratic work or worst; a search itself is a loop that may start anew at
every place). Both are looked for in the automaton. What is left is counted, gaps such as ``.{0,60}`` included.

Sources: A. Weber and H. Seidl, On the degree of ambiguity of finite automata (1991), for the two conditions; N.
Weideman et al., Analyzing matching time behavior of backtracking regular expression matchers (2016), for the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tasks.learning.patterns.moments import AnyMoments, Moments
from tasks.learning.patterns.parts import (
    BREAK,
    EDGE,
    OTHER,
    WORD,
    Automaton,
    TooIntricateError,
    automaton,
)

LONGEST: Final = 1_000  # characters of a pattern, which a person must be able to read
MAX_OPEN: Final = 16_000  # ways open at one place of a text
_MAX_PAIRS: Final = 60_000  # pairs of places looked at; the search is quadratic, and beyond this the pattern is refused
_ENOUGH: Final = 10**12  # steps: no text that we read takes so many, so more need not be counted


@lru_cache(maxsize=16_384)
def work_problem(pattern: str) -> str:
    """Say why an expression may not be run over any text, matched without regard to case; empty where it may."""
    if len(pattern) > LONGEST:
        return f"is longer than {LONGEST} characters"
    try:
        return _problem(_Search(automaton(pattern)))
    except re.error as error:
        return f"is no regular expression: {error}"
    except TooIntricateError as error:
        return str(error)
    except (RecursionError, OverflowError):
        return "is nested too deeply to be judged"


def open_ways(pattern: str) -> int:
    """Return a bound on the ways open at one place of any text.

    Raises:
        TooIntricateError: It cannot be judged.
    """
    return _Search(automaton(pattern)).open_ways()


def _problem(search: _Search) -> str:
    loop = search.parted_loop()
    if loop:
        return f"may match a run of {loop} in more ways than can be tried: its loops overlap, make them one"
    loop = search.entered_twice()
    if loop:
        return (
            f"may try a run of {loop} again from each of its characters: "
            "bound the repeat ({0,40}) or begin it at the edge of a word"
        )
    ways = search.open_ways()
    if ways > MAX_OPEN:
        return f"leaves more than {MAX_OPEN} ways open at one place: make its gaps shorter or fewer"
    return ""


@dataclass
class _Group:
    """States that reach one another: a loop, a gap, or a single state."""

    states: list[int]
    loops: bool


class _Search:
    """The automaton of a search: the expression behind a loop over any text, without what cannot fail any more."""

    def __init__(self, built: Automaton) -> None:
        self.kinds, self.chars, self.gaps = list(built.kinds), list(built.chars), built.gaps
        self.sample = built.sample
        settled = _settled(built)
        self.ways = [
            {} if s in settled else {t: n for t, n in out.items() if t not in settled}
            for s, out in enumerate(built.ways)
        ]
        self.inner = [set() if s in settled else inner - settled for s, inner in enumerate(built.inner)]
        self.start = self._search_loop(built, settled)
        self.ends = {s: sum(ways.values()) for s, ways in built.whole.last.items() if s not in settled}
        self.next = [sorted({*ways, *inner}) for ways, inner in zip(self.ways, self.inner, strict=True)]
        self.groups = self._groups()

    def _search_loop(self, built: Automaton, settled: set[int]) -> list[int]:
        """Add the states of text before the match, by the kind of its last character."""
        everything = (1 << len(self.sample)) - 1
        breaks = sum(1 << n for n, c in enumerate(self.sample) if c == "\n")
        words = sum(1 << n for n, c in enumerate(self.sample) if re.match(r"\w", c))
        kinds = ((EDGE, 0), (BREAK, breaks), (WORD, words), (OTHER, everything & ~breaks & ~words))
        base = len(self.kinds)
        start = [base + n for n in range(len(kinds))]
        for kind, chars in kinds:
            self.kinds.append(kind)
            self.chars.append(chars)
            self.inner.append(set())
            out = {
                state: number
                for state, ways in built.whole.first.items()
                if state not in settled and (number := sum(n for at, n in ways.items() if at >> kind & 1))
            }
            self.ways.append({**dict.fromkeys(start[1:], 1), **out})
        return start

    # -- loops ---------------------------------------------------------------------------------------------------

    def parted_loop(self) -> str:
        """Return the characters of a loop in which two ways part and meet again; empty where there is no such loop."""
        for group in self.groups:
            if group.loops and group.states[0] not in self.start and self._parts_and_meets(set(group.states)):
                return self._shown(group)
        return ""

    def _parts_and_meets(self, inside: set[int]) -> bool:
        # How often an edge is there: within a gap once for the turn of the gap and once for that of the loop.
        edges = {
            s: {t: self.ways[s].get(t, 0) + (t in self.inner[s]) for t in self.next[s] if t in inside} for s in inside
        }
        if any(number > 1 for out in edges.values() for number in out.values()):
            return True
        seen: set[tuple[int, int]] = set()
        waiting = [
            (a, b) for out in edges.values() for a in out for b in out if a < b and self.chars[a] & self.chars[b]
        ]
        while waiting:
            pair = waiting.pop()
            if pair in seen:
                continue
            seen.add(pair)
            self._within_reason(seen)
            for a in edges[pair[0]]:
                for b in edges[pair[1]]:
                    if a == b:
                        return True
                    if self.chars[a] & self.chars[b]:
                        waiting.append((min(a, b), max(a, b)))
        return False

    def entered_twice(self) -> str:
        """Return the characters of a loop that a way may enter while another is inside; empty where there is none."""
        loops = {s: n for n, group in enumerate(self.groups) if group.loops for s in group.states}
        for state in self.start:
            loops.pop(state, None)
        if not loops:
            return ""
        for a, b in self._together():
            home = loops.get(b)
            if home is None or loops.get(a) == home:
                continue
            stays = [t for t in self.next[b] if loops.get(t) == home]
            for t in self.next[a]:
                if loops.get(t) == home and any(self.chars[t] & self.chars[s] for s in stays):
                    return self._shown(self.groups[home])
        return ""

    def _together(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of states, in both orders, that two ways may be in at one place of one text."""
        lead = self._ancestors({s for group in self.groups if group.loops for s in group.states} - set(self.start))
        first = (self.start[0], self.start[0])
        seen, waiting = {first}, [first]
        follow = [[t for t in out if t in lead] for out in self.next]
        while waiting:
            a, b = waiting.pop()
            yield a, b
            if a != b:
                yield b, a
            for s in follow[a]:
                chars = self.chars[s]
                for t in follow[b]:
                    if chars & self.chars[t]:
                        pair = (s, t) if s <= t else (t, s)
                        if pair not in seen:
                            seen.add(pair)
                            waiting.append(pair)
            self._within_reason(seen)

    def _ancestors(self, of: set[int]) -> set[int]:
        back: list[list[int]] = [[] for _ in self.next]
        for s, out in enumerate(self.next):
            for t in out:
                back[t].append(s)
        found, waiting = set(of), list(of)
        while waiting:
            for s in back[waiting.pop()]:
                if s not in found:
                    found.add(s)
                    waiting.append(s)
        return found

    def _within_reason(self, seen: set[tuple[int, int]]) -> None:
        if len(seen) > _MAX_PAIRS:
            raise TooIntricateError("has too many places that must be told apart to be judged")

    # -- ways ----------------------------------------------------------------------------------------------------

    def open_ways(self) -> int:
        """Return a bound on the ways open at one place.

        It holds only where no loop was found by ``parted_loop`` and ``entered_twice``. Where the rough bound is low
        enough, the exact one is not looked for.
        """
        rough = self._open_ways(AnyMoments(self.chars))
        if rough <= MAX_OPEN:
            return rough
        return self._open_ways(Moments(self.chars, self.next, self.start[0], {*self.gaps, *self.start}))

    def _open_ways(self, moments: AnyMoments | Moments) -> int:
        before: list[list[int]] = [[] for _ in self.next]
        for s, out in enumerate(self.ways):
            for t in out:
                before[t].append(s)
        leaving, inside = [0] * len(self.next), [0] * len(self.next)
        for group in self.groups:  # each after those from which it is reached
            held = set(group.states)
            if group.states[0] in self.start:
                within = left = 1
            else:
                arrived = [
                    self._arrived(s, [p for p in before[s] if p not in held], leaving, moments) for s in group.states
                ]
                within = left = sum(arrived)
                if group.states[0] in self.gaps and not group.loops:
                    within, left = self._through_gap(held, max(arrived), before, moments)
            for s in group.states:
                leaving[s], inside[s] = left, within
            if left > _ENOUGH:
                return left
        ends = sum(leaving[s] * ways for s, ways in self.ends.items())
        return ends + max(sum(inside[s] for s in moment) for moment in moments.states)

    def _arrived(self, state: int, sources: list[int], leaving: list[int], moments: AnyMoments | Moments) -> int:
        """Return the most ways that may arrive at a state at the same place of a text."""
        if len(sources) < 2:
            return sum(self.ways[s][state] * leaving[s] for s in sources)
        return max(sum(self.ways[s][state] * leaving[s] for s in sources if s in moment) for moment in moments.states)

    def _through_gap(
        self, gap: set[int], arrive: int, before: list[list[int]], moments: AnyMoments | Moments
    ) -> tuple[int, int]:
        """Return the ways inside a gap at one place, and those that may leave it there.

        As many as arrive at one place, times the places of the last ``most`` characters where ways can have arrived.
        """
        least, most = self.gaps[min(gap)]
        sources = {p for s in gap for p in before[s]} - gap
        apart = moments.apart(gap, {p: gap.intersection(self.ways[p]) for p in sources})
        inside, left = (arrive * (-(-width // apart) if apart else 1) for width in (most, most - least + 1))
        return inside, left

    # -- groups --------------------------------------------------------------------------------------------------

    def _groups(self) -> list[_Group]:
        """Return the strongly connected groups, each after those from which it is reached."""
        groups = []
        for states in reversed(list(_components(self.next))):
            held = set(states)
            loops = any(t in held for s in states for t in self.ways[s])
            groups.append(_Group(states, loops))
        return groups

    def _shown(self, group: _Group) -> str:
        chars = 0
        for s in group.states:
            chars |= self.chars[s]
        told = [c for n, c in enumerate(self.sample) if chars >> n & 1 and c.isprintable()]
        return repr(next((c for c in told if c.isalnum()), told[0] if told else "\n"))


def _settled(built: Automaton) -> set[int]:
    """Return the states from which nothing can fail: whatever follows, the match is made."""
    settled = {s for s, ways in built.whole.last.items() if _always(ways)}
    while True:
        left = {s for s in settled if settled.issuperset(built.ways[s]) and settled.issuperset(built.inner[s])}
        if left == settled:
            return settled
        settled = left


def _always(ways: dict[int, int]) -> bool:
    """Whether the conditions of an end cover whatever may follow."""
    covered = 0
    for condition in ways:
        covered |= condition
    return covered == 0b1111


def _components(edges: list[list[int]]) -> Iterable[list[int]]:
    """Yield strongly connected components, those that are reached first (Tarjan, without recursion)."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for root in range(len(edges)):
        if root in number:
            continue
        work = [(root, iter(edges[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            at, rest = work[-1]
            for target in rest:
                if target not in number:
                    number[target] = low[target] = len(number)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(edges[target])))
                    break
                if target in on_stack:
                    low[at] = min(low[at], number[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == number[at]:
                    cut = stack.index(at)
                    component = stack[cut:]
                    del stack[cut:]
                    on_stack.difference_update(component)
                    yield component
