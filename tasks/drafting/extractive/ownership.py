"""Which documents of a data room a request concerns, and why the others are set aside."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.drafting.extractive.reading import SentencedDocument
from tasks.legaltext import months
from tasks.legaltext.names import without_form

# A brief that speaks of papers of any kind, not only of agreements.
_ANY_PAPER = re.compile(
    r"\b(?:each|every|all|any)(?: of the)?(?: [\w-]+)? (?:documents?|papers?|files?|records?|e-?mails?|sources?"
    r"|materials)\b",
    re.I,
)
_NAME = re.compile(r"\b[A-Z][\w&'-]+(?: (?:[A-Z][\w&'-]+|&|of|and(?= [A-Z])))+")
# Chosen by eye, not measured.
_SHORT_NAME, _SHORT_WORD = 3, 4  # letters up to which a name, or a word of one, may stand in any paper
_PROSE = 8  # words from which a line is prose: shorter ones (headings, labels) write common words with capitals
_COMMON = re.compile(
    rf"^(?:Review|Prepare|Check|For|Abstract|Output|Our|We|The|This|State|Draft|Please|Agreement|{months.TITLED})\b"
)
NOT_OURS = "it names none of the parties and matters that the request and the other documents are about"
UNUSED = "it was searched, and no answer rests on it"
NO_TERMS = "it is no agreement or other instrument with operative terms, and it answers none of the points"


def speaks_of_any_paper(request: str) -> bool:
    """Tell whether a request is about documents of any kind."""
    return bool(_ANY_PAPER.search(request))


def names_of(readings: Sequence[SentencedDocument], request: str) -> frozenset[str]:
    """Return the names a matter is about: of parties, without their legal form, and of the request itself."""
    parties = {without_form(name) for r in readings if r.identity.agreement for name in r.identity.parties}
    asked = {without_form(m[0]) for m in _NAME.finditer(request) if not _COMMON.match(m[0])}
    return frozenset(n for n in parties | asked if len(n) > _SHORT_NAME)


def is_stranger(reading: SentencedDocument, readings: Sequence[SentencedDocument], request: str) -> bool:
    """Tell whether a document belongs to another matter: it names people or organisations, but none of ours."""
    if reading.identity.agreement:
        return False
    ours = names_of([r for r in readings if r is not reading], request)
    text = reading.text.text
    if not ours or any(re.search(rf"\b{re.escape(n)}\b", text, re.I) for n in ours):
        return False
    words = {w for n in ours for w in n.split() if len(w) > _SHORT_WORD}
    if any(re.search(rf"\b{re.escape(w)}\b", text + " " + reading.document, re.I) for w in words):
        return False
    prose = [line for line in text.split("\n") if len(line.split()) > _PROSE]
    return bool(reading.identity.parties) or len({m[0] for line in prose for m in _NAME.finditer(line)}) >= 2


def is_supplement(reading: SentencedDocument, readings: Sequence[SentencedDocument]) -> bool:
    """Tell whether a document amends or supplements an agreement of the same parties in the data room."""
    if not re.search(r"\b(?:amendment|addendum|supplement|side letter)\b", reading.identity.title, re.I):
        return False
    own = {without_form(p) for p in reading.identity.parties}
    others = [r for r in readings if r is not reading and r.identity.agreement]
    return any(own & {without_form(p) for p in r.identity.parties} for r in others)
