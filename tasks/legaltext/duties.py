"""What a sentence of a contract lays down: who must, may or must not do what, what is excepted, defined, survives.

A reading by the words that give legal force, whatever the matter is about. It is shallow: the party is the last one
named before the words of force, and what is governed is the words behind them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, Literal, get_args

from tasks.legaltext.fold import straight
from tasks.legaltext.tokens import terms
from tasks.matter.base import Record

Force = Literal["free", "must_not", "must", "may", "except", "define", "survive"]
Party = Literal["recipient", "discloser", "both", "staff", "none"]

_MODAL: Final = r"(?:shall|will|must|may|can|should|would|could|does|do|is|are|has|have)"
# In this order: "shall not be required to" frees, though it holds "shall not".
_FORCES: Final[dict[Force, str]] = {
    "free": r"(?:shall|will|does|do|is|are)\s+not\s+(?:be\s+)?(?:required|obligated|obliged|prevent(?:ed)?"
    r"|prohibit(?:ed)?|restrict(?:ed)?|limit(?:ed)?|precluded?|construed|deemed|interpreted|apply)"
    r"|nothing\b[^.;]{0,80}?\b(?:shall|will|is|may)|no\s+obligations?"
    r"|without\s+(?:obligation|restriction|breach|liability)",
    "must_not": rf"{_MODAL}\s+(?:at\s+all\s+times\s+|in\s+no\s+event\s+)?(?:not|never|neither)|cannot"
    r"|(?:agrees?|undertakes?|covenants?)\s+(?:[a-z]+\s+)?(?:not|never)\s+to|refrain|prohibited|neither\s+party"
    r"|no\s+(?:party|license|right)|nor",
    "may": r"may|(?:is|are|be)\s+(?:permitted|entitled|free|allowed|authori[sz]ed)|right\s+to|can",
    "must": r"shall|must|will|agrees?|undertakes?|covenants?|required|obligated|obliged",
    "except": r"except|unless|other\s+than|provided,?\s+(?:however,?\s+)?that|save"
    r"|without\s+the\s+(?:prior|express|written)|excluding|exclude[sd]?|notwithstanding|subject\s+to|only|solely"
    r"|not\s+include",
    "define": r"means?|includ(?:es?|ing)|defined|considered|deemed|constitutes?|refers?",
    "survive": r"surviv\w+|continue\w*|remain\w*|terminat\w+|expir\w+",
}
_FORCE: Final = re.compile("|".join(rf"(?P<{name}>\b(?:{words})\b)" for name, words in _FORCES.items()), re.I)
_PARTIES: Final[dict[Party, str]] = {
    "recipient": r"receiv(?:ing|er)(?:\s+part(?:y|ies))?|recipients?",
    "discloser": r"disclos(?:ing|er)(?:\s+part(?:y|ies))?|discloser|owner",
    "both": r"(?:each|either|both|the|neither)\s+part(?:y|ies)|parties",
    "staff": r"employees?|representatives?|agents?|affiliates?|advis[oe]rs?",
}
_PARTY: Final = re.compile("|".join(rf"(?P<{name}>\b(?:{words})\b)" for name, words in _PARTIES.items()), re.I)
_REACH: Final = 110  # characters behind the words of force that are read
_MOST: Final = 8  # words of them that count


class Duty(Record):
    """One place where a sentence has legal force.

    Attributes:
        party: Who is named last before the words of force.
        force: ``free``: need not, or is not kept from; ``except``: what does not fall under the rest.
        governed: The first words behind, as stems and without function words.
    """

    party: Party
    force: Force
    governed: tuple[str, ...]


def duties(sentence: str) -> tuple[Duty, ...]:
    """Return what a sentence lays down, in reading order."""
    text = straight(sentence)
    named = list(_PARTY.finditer(text))
    starts = [match.start() for match in named]
    found = []
    for match in _FORCE.finditer(text):
        before = bisect_left(starts, match.start())
        party = next(p for p in get_args(Party) if p == (named[before - 1].lastgroup if before else "none"))
        force = next(f for f in _FORCES if f == match.lastgroup)
        governed = tuple(terms(text[match.end() : match.end() + _REACH])[:_MOST])
        found.append(Duty(party=party, force=force, governed=governed))
    return tuple(found)
