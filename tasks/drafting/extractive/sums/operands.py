"""What the rules of sums are given to work with."""

from __future__ import annotations

import re
from typing import Protocol

from tasks.drafting.extractive.due.worked import Worked
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.terms import Term

_TELLING = 3  # letters up to which a word ("sum", "fee") names nothing by itself; chosen by eye


class Operands(Protocol):
    """What a rule works with: the ask, and the values of the names that the rule uses."""

    asked: Asked

    def resolve(self, words: str, depth: int, of: Term) -> Worked | None:
        """Return the value of a name that a rule uses, so many rules deep."""


def base_of(plan: Operands, term: Term, depth: int) -> Worked | None:
    """Return the value of which a rule takes a part."""
    words = term.base
    if depth == 0 and (told := plan.asked.told()):
        return told
    if not words:
        return None
    head = words.split()[-1].lower().rstrip("s")
    earlier = re.search(
        rf"\b{re.escape(head)}\w*(?: or \w+)? of (?:the |such |any )*(?P<more>[a-z]+(?: [a-z]+)?)", term.says, re.I
    )
    found = plan.resolve(words, depth, term)
    return found or (plan.resolve(earlier["more"], depth, term) if earlier and len(head) > _TELLING else None)
