"""What may be open at one place of a text: the sets of states that the ways of a search can be in together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tasks.learning.patterns.parts import TooIntricateError

_MAX_HELD: Final = 60_000  # states in all moments together


class AnyMoments:
    """A quick first guess: all states that can read the same character may be open together, at every place."""

    def __init__(self, chars: Sequence[int]) -> None:
        began = frozenset(s for s, of in enumerate(chars) if not of)  # before a text nothing was read
        self.states = [began, *(frozenset(s for s, of in enumerate(chars) if of & atom) for atom in _atoms(chars))]

    def apart(self, _gap: set[int], _arrivals: Mapping[int, set[int]]) -> int:
        """Return 1: ways may arrive at every place."""
        return 1


class Moments:
    """Which states ways can be in at one place of a text: sets of states, and which follows which.

    States of gaps, and those of a search that has not begun yet, are taken to be open at every place. That is more than
    are open in truth, so a bound that is found this way still holds.
    """

    def __init__(self, chars: Sequence[int], after: Sequence[Sequence[int]], start: int, always: Iterable[int]) -> None:
        """Find the moments.

        Args:
            chars: Of each state the characters that it reads, as bits.
            after: Of each state those that may follow.
            start: The state in which a text begins.
            always: States that are taken to be open wherever they can read the character.
        """
        self.chars = chars
        self.atoms = _atoms(chars)
        forced_at = [frozenset(s for s in always if chars[s] & atom) for atom in self.atoms]
        first = frozenset((start,))
        self.states: list[frozenset[int]] = [first]
        self.after: list[list[int]] = []
        numbers, held = {first: 0}, 0
        for moment in self.states:
            reached = {t for s in moment for t in after[s]}
            row = []
            for atom, forced in zip(self.atoms, forced_at, strict=True):
                then = forced.union(t for t in reached if chars[t] & atom)
                if then not in numbers:
                    numbers[then] = len(self.states)
                    self.states.append(then)
                    held += len(then)
                row.append(numbers[then])
            self.after.append(row)
            if held > _MAX_HELD:
                raise TooIntricateError("has too many places that must be told apart to be judged")

    def apart(self, gap: set[int], arrivals: Mapping[int, set[int]]) -> int:
        """Return how many characters lie at least between two arrivals at a gap; 0 where none comes during another.

        Args:
            gap: The states of the gap.
            arrivals: Of each state that leads into the gap, those of the gap that it leads to.
        """
        held = _union(self.chars, gap)
        within = [n for n, atom in enumerate(self.atoms) if atom & held]
        into = [
            {source for source, entered in arrivals.items() if self.atoms[n] & _union(self.chars, entered)}
            for n in within
        ]
        level = {
            self.after[number][n]
            for number, moment in enumerate(self.states)
            for n, sources in zip(within, into, strict=True)
            if not sources.isdisjoint(moment)
        }
        seen, steps = set(level), 1
        while level:
            if any(not sources.isdisjoint(self.states[number]) for number in level for sources in into):
                return steps
            level = {self.after[number][n] for number in level for n in within} - seen
            seen |= level
            steps += 1
        return 0


def _union(chars: Sequence[int], states: Iterable[int]) -> int:
    together = 0
    for s in states:
        together |= chars[s]
    return together


def _atoms(chars: Sequence[int]) -> list[int]:
    """Return sample characters as bits, one of each class that the states tell apart."""
    width = max((of.bit_length() for of in chars), default=0)
    classes = [(1 << width) - 1] if width else []
    for of in set(chars):
        classes = [part for held in classes for part in (held & of, held & ~of) if part]
    return sorted(held & -held for held in classes)
