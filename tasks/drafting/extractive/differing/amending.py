"""What an amendment does to the sentences of the contract: which it replaces, rewords, strikes, or touches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tasks.drafting.extractive.differing.kin import Paper, Role
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight

# "Section 3.1 (Price) of the Agreement is hereby amended …"; "by deleting Section 9 in its entirety".
_CLAUSE = r"(?:Section|Clause|Paragraph|Article|§)\s*(?P<{name}>\d{{1,3}}(?:\.\d{{1,3}})*(?:\([a-z]{{1,3}}\))*)"
_NAMED = re.compile(_CLAUSE.format(name="number"), re.I)
_AMENDS = re.compile(
    r"\b(?:amended|deleted|replaced|restated|struck|superseded|modified|revised)\b"
    r"|\b(?:amends|deletes|replaces|restates|supersedes)\b",
    re.I,
)
_TO_READ = re.compile(
    r"\b(?:to read|restated|replaced (?:in its entirety )?(?:with|by)|so as to read)\b[^\"]{0,60}\"", re.I
)
_QUOTED = re.compile(r"\"(?P<new>[^\"]{3,3000})\"")
_STRUCK = re.compile(r"\b(?:is|are) (?:hereby )?(?:deleted|struck)\b|\bis deleted in its entirety\b", re.I)
_SENTENCE = re.compile(
    r"\b(?:deleting|striking|removing|omitting|delete|strike) (?:its|the|that) "
    r"(?P<which>first|second|third|fourth|last|final) sentence\b",
    re.I,
)
_WHOLE_SENTENCE = re.compile(
    r"\b(?P<which>first|second|third|fourth|last|final) sentence of\b[^.\"]{0,80}"
    r"\b(?:is|are) (?:hereby )?(?:deleted|struck)",
    re.I,
)
_WORDS = re.compile(
    r"(?:replacing|deleting|striking|substituting)[^\"]{0,60}\"(?P<old>[^\"]{1,300})\"[^\"]{0,80}"
    r"\b(?:with|by|inserting|substituting|replacing it with)\b[^\"]{0,40}\"(?P<new>[^\"]{0,600})\""
    r"|\"(?P<old2>[^\"]{1,300})\" (?:is|are|shall be) (?:hereby )?(?:replaced|deleted and replaced) (?:with|by) "
    r"\"(?P<new2>[^\"]{0,600})\"",
    re.I,
)
_ORDER = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "final": -1}
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
        """Tell whether the words are gone, with nothing in their place."""
        return self.new == ""


def amended_in(deals: Sequence[Sequence[Paper]]) -> Mapping[tuple[str, int], Amended]:
    """Return what amendments do to the sentences of contracts, by document and start; the last wins.

    An amendment speaks of a clause by its number, and not by what the clause is about: no likeness of words finds it.
    """
    found: dict[tuple[str, int], Amended] = {}
    for deal in deals:
        changes = sorted((p for p in deal if p.role is Role.CHANGE), key=lambda p: p.day or date.min)
        contract = next((p for p in deal if p.role is Role.CONTRACT), None)
        if contract is not None:
            units = (unit for change in changes for unit in change.reading.units)
            found.update(done for unit in units for done in _done_by(unit, contract))
    return found


def _done_by(unit: Unit, contract: Paper) -> Iterator[tuple[tuple[str, int], Amended]]:
    text = straight(unit.text)
    match = _NAMED.search(text)
    if match is None or not _AMENDS.search(re.sub(r"\"[^\"]*\"", "", text)) or _within_quotes(text, match.start()):
        return
    clause = [u for u in contract.reading.units if _is_of(u, match["number"])]
    if words := _WORDS.search(text):
        old, new = (words["old"], words["new"]) if words["old"] is not None else (words["old2"], words["new2"])
        for one in clause:
            if old.lower() in straight(one.text).lower():
                yield (one.document, one.start), Amended(unit, old, new)
    elif sentence := _SENTENCE.search(text) or _WHOLE_SENTENCE.search(text):
        at = _ORDER[sentence["which"].lower()]
        own = [u for u in clause if u.words >= _FEWEST]
        if own and at < len(own):
            yield (own[at].document, own[at].start), Amended(unit, own[at].text, "")
    else:
        quoted = _QUOTED.search(text, match.end()) if _TO_READ.search(text) else None
        struck = "" if _STRUCK.search(text) and '"' not in text else None
        new = quoted["new"] if quoted else struck
        for one in clause:
            yield (one.document, one.start), Amended(unit, one.text, new)


def _within_quotes(text: str, at: int) -> bool:
    """Tell whether a place of a text stands within quotation marks."""
    return text[:at].count('"') % 2 == 1


def _is_of(unit: Unit, number: str) -> bool:
    """Tell whether a sentence stands in a clause, or in one below it."""
    found = _NUMBER.search(unit.label)
    if found is None:
        return False
    own = unit.label[found.start() :].replace(" ", "")
    return own == number or own.startswith((f"{number}.", f"{number}("))
