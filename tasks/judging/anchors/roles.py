"""Tells the drafter's answer from what is quoted beside it.

A part of a deliverable is read in pieces: cells, paragraphs, sentences. A piece is an answer where its column or label
says so, quoted where its column, label, quotation marks or block quote say so, and otherwise the drafter's own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
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
_ANSWERS = re.compile(r"\b(?:answers?|answered|findings?|results?|responses?|conclusions?|values?)\b", re.IGNORECASE)
# Openings inside a quotation end the attempt: else a page of them takes time squared.
_MARKS = re.compile(
    r"“(?P<a>[^“”]{0,4000})”|\"(?P<b>[^\"]{0,4000})\"|«(?P<c>[^«»]{0,4000})»|(?<!\w)‘(?P<d>[^‘’]{12,4000})’"
)
_RUNS_ON = re.compile(r"\b(?:is|are|was|were|be|as|by|of|under|from|on|for|at)\s*$", re.IGNORECASE)
_NAME_WORDS = 4  # words up to which what stands in marks may be an answer itself: “June 16, 2004”


@dataclass(frozen=True)
class Piece:
    """A cell, paragraph or sentence of a part."""

    text: str
    role: Role = "own"


def role_of_label(label: str) -> Role:
    """Return the role that a column's header, a label or a heading gives to what stands under it."""
    if _QUOTES.search(label):
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


def answer_of(pieces: Iterable[Piece], answers: Callable[[str], bool]) -> str:
    """Return the words that answer: the labelled answer's, else the drafter's own; empty where neither answers.

    Words outside quotation marks come first, and those that do not read as a contract before those that do. Where
    nothing but the quotation answers, the drafter gave no answer of its own.

    Args:
        pieces: Pieces of one part.
        answers: Whether words answer what was asked, rightly or wrongly.
    """
    labelled = [p.text for p in pieces if p.role == "answer"]
    own = [p.text for p in pieces if p.role == "own"]
    bare = [_unmarked(text, answers) for text in own]
    tiers = (
        [_unmarked(text, answers) for text in labelled],
        labelled,
        [text for text in bare if not reads_as_contract(text)],
        bare,
    )
    return next((text for text in ("\n".join(tier) for tier in tiers) if answers(text)), "")


def _unmarked(text: str, answers: Callable[[str], bool]) -> str:
    """Take out what stands in quotation marks, but for a first answer.

    That is a name or a date alone, or what the drafter's own sentence runs on into: governed by “the laws of Ohio”.
    """
    kept, at, answered = [], 0, False
    for match in _MARKS.finditer(text):
        kept.append(text[at : match.start()])
        answered = answered or answers(kept[-1])
        inner = next(group for group in match.groups() if group is not None)
        if not answered and (len(name_words(inner)) <= _NAME_WORDS or _RUNS_ON.search(kept[-1][-20:])):
            kept.append(inner)
            answered = answers(inner)
        at = match.end()
    return "".join([*kept, text[at:]])
