"""Tells the drafter's answer from what is quoted beside it.

A part of a deliverable is read in pieces: cells, paragraphs, sentences. A piece is an answer where its column or label
says so, quoted where its column, label, quotation marks or block quote say so, and otherwise the drafter's own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tasks.judging.anchors.absence import reads_as_contract
from tasks.legaltext.names import name_words

Role = Literal["answer", "own", "quoted"]

_QUOTES = re.compile(
    r"\b(?:quot(?:e|es|ed|ation|ations)|excerpts?|extracts?|verbatim"
    r"|(?:source|contract|clause|exact|original|operative|relevant|supporting|provision|agreement)\s+"
    r"(?:text|language|wording|passage)|(?:text|language|wording)\s+of\s+the\s+\w+)\b",
    re.IGNORECASE,
)
# Alone, such a word heads what the document says, or where.
_SAID = re.compile(r"\W*(?:clause|provision|text|language|wording|section|source|support|basis)s?\W*", re.IGNORECASE)
_ANSWERS = re.compile(r"\b(?:answers?|answered|findings?|results?|responses?|conclusions?|values?)\b", re.IGNORECASE)
# Openings inside a quotation end the attempt: else a page of them takes time squared.
_MARKS = re.compile(
    r"“(?P<a>[^“”]{0,4000})”|\"(?P<b>[^\"]{0,4000})\"|«(?P<c>[^«»]{0,4000})»|(?<!\w)‘(?P<d>[^‘’]{12,4000})’"
)
_RUNS_ON = re.compile(r"\b(?:is|are|was|were|be|as|by|of|under|from|on|for|at)\s*$", re.IGNORECASE)
BRIEF_WORDS = 6  # words up to which a line is no sentence; chosen by eye on development drafts
_NAME_WORDS = 4  # words up to which what stands in marks may be an answer itself: “June 16, 2004”


@dataclass(frozen=True)
class PartPiece:
    """A cell, paragraph or sentence of a part."""

    text: str
    role: Role = "own"


def role_of_label(label: str) -> Role:
    """Return the role that a column's header, a label or a heading gives to what stands under it."""
    if _QUOTES.search(label) or _SAID.fullmatch(label):
        return "quoted"
    return "answer" if _ANSWERS.search(label) else "own"


def role_of_text(text: str, label: Role = "own") -> Role:
    """Return the role of a piece: a block quote or all in marks is quoted, unless its label makes it the answer."""
    if label != "own":
        return label
    if text.lstrip().startswith(">"):
        return "quoted"
    marked = _MARKS.search(text) is not None
    return "quoted" if marked and not name_words(_MARKS.sub(" ", text)) else "own"


def answer_of(pieces: Sequence[PartPiece], answers: Callable[[str], bool], *, brief: bool = False) -> str:
    """Return the words that answer: the labelled answer's, else the drafter's own; empty where neither answers.

    Words outside quotation marks come first, and those that do not read as a contract before those that do. Where
    nothing but the quotation answers, the drafter gave no answer of its own.

    Args:
        pieces: Pieces of one part.
        answers: Whether words answer what was asked, rightly or wrongly.
        brief: What follows a quotation is a remark about it unless it is as brief as an answer.
    """
    labelled = [p.text for p in pieces if p.role == "answer"]
    bare = list(_own_words(pieces, answers, brief=brief))
    tiers = (
        ["".join(_unmarked(text, answers)[:2]) for text in labelled],
        labelled,
        [text for text in bare if not reads_as_contract(text)],
        bare,
    )
    return next((text for text in ("\n".join(tier) for tier in tiers) if answers(text)), "")


def _own_words(pieces: Iterable[PartPiece], answers: Callable[[str], bool], *, brief: bool) -> Iterator[str]:
    after = False
    for piece in pieces:
        before, rest, quoted = ("", "", True) if piece.role == "quoted" else _unmarked(piece.text, answers)
        for text, remark in ((before, after), (rest, after or quoted)):
            if text.strip() and piece.role == "own" and not (brief and remark and len(name_words(text)) > BRIEF_WORDS):
                yield text
        after = after or quoted


def _unmarked(text: str, answers: Callable[[str], bool]) -> tuple[str, str, bool]:
    """Take out what stands in quotation marks, but for a first answer; return what precedes, what follows, and whether.

    A first answer is a name or a date alone, or what the sentence runs on into: governed by “the laws of Ohio”.
    """
    before: list[str] = []
    after: list[str] = []
    at, answered, quoted = 0, False, False
    for match in _MARKS.finditer(text):
        kept = after if quoted else before
        kept.append(text[at : match.start()])
        answered = answered or answers(kept[-1])
        inner = next(group for group in match.groups() if group is not None)
        at = match.end()
        if not answered and (len(name_words(inner)) <= _NAME_WORDS or _RUNS_ON.search(kept[-1][-20:])):
            kept.append(inner)
            answered = answers(inner)
        else:
            quoted = True
    rest, cut, _ = text[at:].partition("“")  # one that is not closed was cut off: it goes on to the end
    (after if quoted else before).append(rest)
    return "".join(before), "".join(after), quoted or bool(cut)
