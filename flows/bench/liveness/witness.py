"""A text that a regular expression matches: it shows that a pattern of the harness can match at all.

The text is built from the parsed expression. ``re`` itself confirms that it matches, so a mistake here can only
miss a witness, never invent one.
"""

from __future__ import annotations

import random
import re
import string
from functools import lru_cache
from re import _constants as sre
from re import _parser
from typing import Any

_TRIES = 300  # random texts that are tried for one pattern before it counts as one without a witness
_FILLERS = ("", " ", "x", " and ", ". ")
_CLASSES = {
    sre.CATEGORY_DIGIT: "1",
    sre.CATEGORY_NOT_DIGIT: "x",
    sre.CATEGORY_SPACE: " ",
    sre.CATEGORY_NOT_SPACE: "x",
    sre.CATEGORY_WORD: "x",
    sre.CATEGORY_NOT_WORD: " ",
}
_LETTERS = string.ascii_lowercase + string.digits + string.ascii_uppercase + " " + string.punctuation


@lru_cache(maxsize=16_384)
def witness(pattern: str, flags: int = re.IGNORECASE, also: str = "", seed: int = 0) -> str | None:
    """Return a text in which an expression is found; None where none was found in some hundreds of tries.

    Args:
        pattern: The expression.
        flags: Flags of ``re``.
        also: What stands before the text that is made, for an expression that wants something around it.
        seed: Of the choices: another seed gives another text.
    """
    compiled, tree = _parsed(pattern, flags)
    for attempt in range(_TRIES):
        made = _Maker(random.Random(f"{pattern}:{seed}:{attempt}"), plain=attempt == 0 and seed == 0).text(tree)
        for before, after in (("", ""), (" ", " "), ("The ", " is so."), ("\n", "\n"), (also, "")):
            text = before + made + after
            if compiled.search(text):
                return text
    return None


@lru_cache(maxsize=4_096)
def _parsed(pattern: str, flags: int) -> tuple[re.Pattern[str], Any]:
    """Compile and parse an expression once for all its seeds."""
    return re.compile(pattern, flags), _parser.parse(pattern, flags)


class _Maker:
    """Makes one text of a parsed expression; ``plain`` takes the first way everywhere, the least of every repeat."""

    def __init__(self, chance: random.Random, *, plain: bool) -> None:
        self.chance = chance
        self.plain = plain
        self.groups: dict[int, str] = {}

    def text(self, tree: Any) -> str:
        return "".join(self._node(op, value) for op, value in tree)

    def _node(self, op: Any, value: Any) -> str:
        if op is sre.LITERAL:
            return chr(value)
        if op is sre.NOT_LITERAL:
            return next(c for c in _LETTERS if ord(c) != value)
        if op is sre.ANY:
            return "x" if self.plain else self.chance.choice("x .,")
        if op is sre.IN:
            return self._one_of(value)
        if op is sre.BRANCH:
            return self.text(value[1][0] if self.plain else self.chance.choice(value[1]))
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            least, most, body = value
            times = least if self.plain else self.chance.randint(least, min(int(most), least + 2))
            return "".join(self.text(body) for _ in range(times))
        if op is sre.SUBPATTERN:
            number, _, _, body = value
            self.groups[number or 0] = made = self.text(body)
            return made
        if op is sre.ATOMIC_GROUP:
            return self.text(value)
        if op is sre.GROUPREF:
            return self.groups.get(value, "")
        if op is sre.ASSERT:
            direction, body = value
            return self.text(body) + ("" if self.plain else self.chance.choice(_FILLERS)) if direction > 0 else ""
        if op is sre.GROUPREF_EXISTS:
            return self.text(value[1])
        if op is sre.AT and value is sre.AT_BOUNDARY and not self.plain:
            return self.chance.choice(("", " "))
        return ""  # other positions, and what must not follow

    def _one_of(self, members: Any) -> str:
        negated = members[0][0] is sre.NEGATE
        allowed = [c for c in _LETTERS if _member(c, members[1:] if negated else members) is not negated]
        if not allowed:
            op, value = members[0]
            return chr(value if op is sre.LITERAL else value[0]) if op in (sre.LITERAL, sre.RANGE) else "x"
        return allowed[0] if self.plain else self.chance.choice(allowed)


def _member(char: str, members: Any) -> bool:
    for op, value in members:
        if op is sre.LITERAL and ord(char) == value:
            return True
        if op is sre.RANGE and value[0] <= ord(char) <= value[1]:
            return True
        if op is sre.CATEGORY and value in _CLASSES and re.fullmatch(_category(value), char):
            return True
    return False


def _category(value: Any) -> str:
    return {
        sre.CATEGORY_DIGIT: r"\d",
        sre.CATEGORY_NOT_DIGIT: r"\D",
        sre.CATEGORY_SPACE: r"\s",
        sre.CATEGORY_NOT_SPACE: r"\S",
        sre.CATEGORY_WORD: r"\w",
        sre.CATEGORY_NOT_WORD: r"\W",
    }[value]
