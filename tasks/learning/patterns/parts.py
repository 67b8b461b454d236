"""A regular expression as the automaton that Python's engine walks: one state a character asked for, one edge a way.

The tree comes from the parser of ``re`` itself, so what is judged is what will run. Where the automaton differs from
the engine it only has more ways (a look-around never fails, a group is never atomic), so a bound on its ways holds.
"""

from __future__ import annotations

import re
import re._compiler as sre_compiler  # type: ignore[import-not-found]  # no stubs: the parser is no public interface
import re._constants as op  # type: ignore[import-not-found]
import re._parser as sre_parser  # type: ignore[import-not-found]
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

MAX_STATES: Final = 1_500  # of one automaton; a pattern that needs more is refused as too intricate to judge
MAX_WAYS: Final = 10_000  # on one edge
_COPIES: Final = 4  # a bounded repeat of one character up to this is written out, a longer one is a gap
_EXACT: Final = 16  # a repeat of an exact number up to this is written out too
_WIDE: Final = 0x3000  # characters of one range, all of which are looked at for their kinds
_ASCII: Final = 128  # characters, all of which every sample holds
_FLAGS: Final = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.UNICODE
# Kinds of neighbours of a place in a text: its start or end, a line break, a word character, another.
EDGE, BREAK, WORD, OTHER = range(4)
_ALL: Final = 0b1111  # one bit for each kind of neighbour
_ANYWHERE: Final = 0xFFFF  # bit 4 * kind before + kind after
_SAMPLE: Final = [*map(chr, range(_ASCII)), *"\x85éÉſKµ٣²\u2003’—€字ªǅ\u0301"]
_ONE: Final = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
_REPEATS: Final = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


class TooIntricateError(ValueError):
    """The expression uses what cannot be judged, or too much of it; the message says which."""


Ways = dict[int, int]  # condition on the neighbours (bits) -> number of ways


@dataclass
class PatternPart:
    """A piece of the expression.

    Attributes:
        empty: Ways to match nothing, by the 16-bit condition on the place.
        first: States that may come first; ways by the 4-bit condition on the kind of the character before.
        last: States that may come last; ways by the 4-bit condition on the kind of the character after.
    """

    empty: Ways = field(default_factory=dict)
    first: dict[int, Ways] = field(default_factory=dict)
    last: dict[int, Ways] = field(default_factory=dict)


@dataclass
class Automaton:
    """States are numbers; each has a kind, a set of sample characters (bits), and perhaps the bounds of a gap.

    Attributes:
        ways: Number of ways from a state to its successors.
        inner: Edges within a gap: there the automaton loops, and the engine counts.
        gaps: Bounds of the bounded repeat that a state stands for.
        whole: The expression.
    """

    sample: list[str]
    kinds: list[int] = field(default_factory=list)
    chars: list[int] = field(default_factory=list)
    ways: list[dict[int, int]] = field(default_factory=list)
    inner: list[set[int]] = field(default_factory=list)
    gaps: dict[int, tuple[int, int]] = field(default_factory=dict)
    whole: PatternPart = field(default_factory=PatternPart)

    def add(self, kind: int, chars: int, gap: tuple[int, int] | None = None) -> int:
        """Add a state and return its number.

        Raises:
            TooIntricateError: There are too many states already.
        """
        if len(self.kinds) >= MAX_STATES:
            raise TooIntricateError("asks for too many characters, its repeats written out")
        self.kinds.append(kind)
        self.chars.append(chars)
        self.ways.append({})
        self.inner.append(set())
        if gap:
            self.gaps[len(self.kinds) - 1] = gap
        return len(self.kinds) - 1


def automaton(pattern: str, flags: int = re.IGNORECASE) -> Automaton:
    """Return the automaton of an expression.

    Raises:
        TooIntricateError: It has references to groups, flags of its own that change what a word is, or too many states.
        re.error: It is no regular expression.
    """
    tree = sre_parser.parse(pattern, flags)
    if tree.state.flags & ~_FLAGS:
        raise TooIntricateError("sets a flag of its own that cannot be judged")
    built = _Builder(Automaton(sample=[*_SAMPLE, *sorted(set(_special(tree)) - set(_SAMPLE))]))
    built.to.whole = built.sequence(tree, tree.state.flags)
    return built.to


class _Builder:
    """Builds parts from the tree, and the edges between their states."""

    def __init__(self, to: Automaton) -> None:
        self.to = to
        self.sample = "".join(to.sample)
        breaks = 1 << to.sample.index("\n")
        words = _members((op.IN, [(op.CATEGORY, op.CATEGORY_WORD)]), self.sample, 0)
        everything = (1 << len(to.sample)) - 1
        self.of_kind = {BREAK: breaks, WORD: words, OTHER: everything & ~breaks & ~words}

    def sequence(self, items: Iterable[Any], flags: int) -> PatternPart:
        whole = _nothing()
        for code, value in items:
            whole = self.joined(whole, self.item(code, value, flags))
        return whole

    def item(self, code: Any, value: Any, flags: int) -> PatternPart:
        if code in _ONE:
            return self.character((code, value), flags)
        if code is op.BRANCH:
            return _either([self.sequence(branch, flags) for branch in value[1]])
        if code is op.SUBPATTERN:
            _, added, removed, body = value
            return self.sequence(body, (flags | added) & ~removed)
        if code in _REPEATS:
            least, most, inner = value
            return self.repeat(least, most, inner, flags)
        if code is op.AT:
            return PatternPart(empty={_place(value, flags): 1})
        if code in (op.ASSERT, op.ASSERT_NOT):
            return self.aside(value[1], flags)
        if code is op.ATOMIC_GROUP:
            return self.sequence(value, flags)
        if code is op.FAILURE:
            return _nothing()
        raise TooIntricateError("refers to what a group of it has matched")

    def character(self, item: tuple[Any, Any], flags: int, gap: tuple[int, int] | None = None) -> PatternPart:
        members = _members(item, self.sample, flags & (re.IGNORECASE | re.DOTALL))
        states = [self.to.add(kind, members & of, gap) for kind, of in self.of_kind.items() if members & of]
        return PatternPart(first={s: {_ALL: 1} for s in states}, last={s: {_ALL: 1} for s in states})

    def aside(self, inner: Iterable[Any], flags: int) -> PatternPart:
        """A look-around: its ways are walked and lead nowhere, and it is taken to hold."""
        part = self.sequence(inner, flags)
        return PatternPart(empty={_ANYWHERE: 1}, first=part.first)

    def repeat(self, least: int, most: int, inner: Any, flags: int) -> PatternPart:
        single = len(inner) == 1 and inner[0][0] in _ONE
        if most is not op.MAXREPEAT and single and most > (_EXACT if least == most else _COPIES):
            part = self.character(inner[0], flags, (least, most))
            for state in part.first:
                self.to.inner[state].update(part.first)
            return PatternPart({_ANYWHERE: 1} if least == 0 else {}, part.first, part.last)
        before = len(self.to.kinds)
        whole = self.copies(least, inner, flags)
        if most is op.MAXREPEAT:
            return self.joined(whole, self.loop(inner, flags))
        rest = _nothing()
        for _ in range(most - least):
            rest = _either([self.joined(self.sequence(inner, flags), rest), _nothing()])
            if len(self.to.kinds) == before:
                break  # nothing is repeated: once is as good
        return self.joined(whole, rest)

    def copies(self, number: int, inner: Any, flags: int) -> PatternPart:
        whole = _nothing()
        for _ in range(number):
            before = len(self.to.kinds)
            whole = self.joined(whole, self.sequence(inner, flags))
            if len(self.to.kinds) == before:
                raise TooIntricateError("repeats what asks for no character")
        return whole

    def loop(self, inner: Any, flags: int) -> PatternPart:
        """Any number of times; a turn that matches nothing ends it, as in the engine."""
        body = self.sequence(inner, flags)
        self.connect(body.last, body.first)
        return PatternPart(
            empty=_sum({_ANYWHERE: 1}, body.empty),
            first=body.first,
            last={s: _sum(ways, _behind(ways, body.empty, self.to.kinds[s])) for s, ways in body.last.items()},
        )

    def joined(self, left: PatternPart, right: PatternPart) -> PatternPart:
        """One after the other."""
        self.connect(left.last, right.first)
        kinds = self.to.kinds
        first, last = dict(left.first), dict(right.last)
        for state, ways in right.first.items() if left.empty else ():
            if through := _before(ways, left.empty, kinds[state]):
                first[state] = _sum(first.get(state, {}), through)
        for state, ways in left.last.items() if right.empty else ():
            if through := _behind(ways, right.empty, kinds[state]):
                last[state] = _sum(last.get(state, {}), through)
        empty: Ways = {}
        for one, number in left.empty.items():
            for other, more in right.empty.items():
                if one & other:
                    empty[one & other] = _bounded(empty.get(one & other, 0) + number * more)
        return PatternPart(empty, first, last)

    def connect(self, last: dict[int, Ways], first: dict[int, Ways]) -> None:
        kinds = self.to.kinds
        for source, after in last.items():
            for target, before in first.items():
                ways = _through(after, kinds[target]) * _through(before, kinds[source])
                if ways:
                    edges = self.to.ways[source]
                    edges[target] = _bounded(edges.get(target, 0) + ways)


def _nothing() -> PatternPart:
    return PatternPart(empty={_ANYWHERE: 1})


def _either(parts: list[PatternPart]) -> PatternPart:
    whole = PatternPart()
    for part in parts:
        whole.empty = _sum(whole.empty, part.empty)
        for mine, its in ((whole.first, part.first), (whole.last, part.last)):
            for state, ways in its.items():
                mine[state] = _sum(mine.get(state, {}), ways)
    return whole


def _sum(one: Ways, other: Ways) -> Ways:
    total = dict(one)
    for condition, ways in other.items():
        total[condition] = _bounded(total.get(condition, 0) + ways)
    return total


def _bounded(ways: int) -> int:
    if ways > MAX_WAYS:
        raise TooIntricateError("has too many ways to match the same text")
    return ways


def _through(ways: Ways, kind: int) -> int:
    return sum(number for condition, number in ways.items() if condition >> kind & 1)


def _before(ways: Ways, empty: Ways, kind: int) -> Ways:
    """Ways to come first after an empty piece: its condition, seen from the state's kind, narrows what was before."""
    found: Ways = {}
    for place, number in empty.items():
        allowed = sum(1 << k for k in range(4) if place >> (4 * k + kind) & 1)
        for condition, more in ways.items():
            if condition & allowed:
                found[condition & allowed] = _bounded(found.get(condition & allowed, 0) + number * more)
    return found


def _behind(ways: Ways, empty: Ways, kind: int) -> Ways:
    """Ways to come last before an empty piece."""
    found: Ways = {}
    for place, number in empty.items():
        allowed = place >> (4 * kind) & _ALL
        for condition, more in ways.items():
            if condition & allowed:
                found[condition & allowed] = _bounded(found.get(condition & allowed, 0) + number * more)
    return found


def _place(code: Any, flags: int) -> int:
    """Return the condition that an anchor sets on the kinds before and after it."""
    lines = bool(flags & re.MULTILINE)

    def holds(before: int, after: int) -> bool:
        if code is op.AT_BEGINNING:
            return before == EDGE or (lines and before == BREAK)
        if code is op.AT_BEGINNING_STRING:
            return before == EDGE
        if code is op.AT_END:
            return after in (EDGE, BREAK)
        if code is op.AT_END_STRING:
            return after == EDGE
        return ((before == WORD) != (after == WORD)) is (code is op.AT_BOUNDARY)

    return sum(1 << (4 * before + after) for before in range(4) for after in range(4) if holds(before, after))


def _special(tree: Any) -> Iterator[str]:
    """Yield characters beyond the usual sample that the expression tells apart."""
    for code, value in _leaves(tree):
        if code in (op.LITERAL, op.NOT_LITERAL):
            yield from _around(value, value)
        elif code is op.RANGE:
            yield from _around(*value)


def _leaves(tree: Any) -> Iterator[tuple[Any, Any]]:
    for code, value in tree:
        if code is op.IN:
            yield from value
        elif code is op.BRANCH:
            for branch in value[1]:
                yield from _leaves(branch)
        elif code in _REPEATS:
            yield from _leaves(value[2])
        elif code is op.SUBPATTERN:
            yield from _leaves(value[3])
        elif code in (op.ASSERT, op.ASSERT_NOT):
            yield from _leaves(value[1])
        elif code is op.ATOMIC_GROUP:
            yield from _leaves(value)
        else:
            yield code, value


def _around(low: int, high: int) -> Iterator[str]:
    if high < _ASCII:
        return
    if high - max(low, _ASCII) > _WIDE:
        raise TooIntricateError("names a range of characters too wide to be judged")
    near = {c for c in (low - 1, low, low + 1, high - 1, high, high + 1) if 0 <= c <= sys.maxunicode}
    seen: dict[tuple[bool, ...], int] = {}
    for c in range(max(low, _ASCII), high + 1):
        one = chr(c)
        seen.setdefault((one.isalnum(), one.isdigit(), one.isspace(), one.lower() != one, one.upper() != one), c)
    for c in sorted({*near, *seen.values()}):
        yield from {chr(c), *chr(c).lower()[:1], *chr(c).upper()[:1]}


@lru_cache(maxsize=8192)
def _member_bits(key: tuple[str, str, int], item: _Item) -> int:
    state = sre_parser.State()
    state.flags = key[2]
    one = sre_compiler.compile(sre_parser.SubPattern(state, [item.item]), key[2])
    return sum(1 << n for n, c in enumerate(key[1]) if one.match(c))


class _Item:
    """A leaf of the tree that takes no part in the key of the memory: its written form stands for it."""

    def __init__(self, item: Any) -> None:
        self.item = item

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Item)


def _members(item: tuple[Any, Any], sample: str, flags: int) -> int:
    """Return which sample characters a leaf matches, as the engine itself says."""
    return _member_bits((repr(item), sample, int(flags) | re.UNICODE), _Item(item))
