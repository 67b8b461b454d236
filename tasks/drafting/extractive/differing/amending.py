"""What an amendment does to the sentences of the contract: replaces, rewords, strikes or otherwise affects them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from knowledge_db import KnowledgeBase
from tasks.drafting.extractive.differing.amending_words import AmendingCues, amending_cues
from tasks.drafting.extractive.differing.kin import DealPaper, Role
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight

_FEWEST = 5  # words of a sentence that is no heading
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})*")


@dataclass(frozen=True)
class Amended:
    """What an amendment does to a sentence.

    Attributes:
        by: The sentence of the amendment.
        old: Words that it takes out of the sentence; the whole of it where it is replaced or struck.
        new: What stands in their place; empty where they are struck, None where the amendment does not quote it.
    """

    by: Unit
    old: str
    new: str | None

    @property
    def struck(self) -> bool:
        """Tell whether the words are struck and not replaced."""
        return self.new == ""


def amended_in(deals: Sequence[Sequence[DealPaper]], knowledge: KnowledgeBase) -> Mapping[tuple[str, int], Amended]:
    """Return the effect of amendments on the sentences of contracts, by document and start; the last amendment wins.

    An amendment speaks of a clause by its number, and not by what the clause is about: no likeness of words finds it.
    """
    found: dict[tuple[str, int], Amended] = {}
    cues = amending_cues(knowledge)
    for deal in deals:
        changes = sorted((p for p in deal if p.role is Role.CHANGE), key=lambda p: p.day or date.min)
        contract = next((p for p in deal if p.role is Role.CONTRACT), None)
        if contract is not None:
            units = (unit for change in changes for unit in change.reading.units)
            found.update(done for unit in units for done in _done_by(unit, contract, cues))
    return found


def _done_by(unit: Unit, contract: DealPaper, cues: AmendingCues) -> Iterator[tuple[tuple[str, int], Amended]]:
    change = cues.read(straight(unit.text))
    if change is None:
        return
    clause = [u for u in contract.reading.units if _is_of(u, change.clause)]
    if change.sentence is not None:
        own = [u for u in clause if u.words >= _FEWEST]
        clause = own[change.sentence :][:1]
    for one in clause:
        if change.old.lower() in straight(one.text).lower():
            yield (one.document, one.start), Amended(unit, change.old or one.text, change.new)


def _is_of(unit: Unit, number: str) -> bool:
    """Tell whether a sentence stands in a clause, or in one below it."""
    found = _NUMBER.search(unit.label)
    if found is None:
        return False
    own = unit.label[found.start() :].replace(" ", "")
    return own == number or own.startswith((f"{number}.", f"{number}("))
