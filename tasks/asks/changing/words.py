"""The words in which changes are instructed, and those that name what is to be changed."""

from __future__ import annotations

import re

from tasks.legaltext.names import STOPPED_FORM
from tasks.legaltext.numbers.spelling import CARDINALS
from tasks.legaltext.parts_of_speech import tagged

QUOTED = r"\x01+"
STOP = "\x02"  # stands for a comma or a full stop that parts nothing
HEAD = 160  # characters by which the mood of a piece is known
CHANGES = r"change|amend|update|move|set|increase|reduce|decrease|extend|shorten|raise|lower|cut|revise|replace"
VERBS = (
    rf"{CHANGES}|substitute|rename|delete|strike|remove|insert|add|make|soften|strengthen|clarify|ensure|conform"
    r"|narrow|broaden|limit|cap|provide|include|tighten|renegotiate|reject|accept|propose|align|fix|correct|rewrite"
    r"|redraft|reword|protect|restrict|allow|permit|require|introduce|carve|harmoni[sz]e|exclude|improve|delete|drop|have"
    r"|let|conform|mirror|knock|bring|push|double|halve|put|take|rework"
)
OPENS = re.compile(rf"(?:{VERBS})\b", re.I)
SUM = rf"(?:[$€£]?\d|(?:{'|'.join(CARDINALS)})\b)"
WANTED = re.compile(r"\b(?:should|must|ought to|needs? to|has been|have been|has to|have to|agreed)\b", re.I)
OFTEN = re.compile(
    r"\b(?:daily|weekly|fortnightly|bi-?weekly|monthly|bi-?monthly|quarterly|half-yearly|semi-?annual(?:ly)?"
    r"|annual(?:ly)?|yearly)\b",
    re.I,
)
CAPITALISED = r"[A-Z][\w'’]*(?:,? [A-Z][\w'’]*){0,5}"
# A law or a court says by itself what is to be changed: "Delaware law", "courts of Wilmington, Delaware".
LAW_OR_COURT = re.compile(
    rf"\b(?:[Cc]ourts?|[Ll]aws?)\s+(?:of|in)\s+(?:the\s+)?{CAPITALISED}|\b[Vv]enue\s+(?:in|to)\s+{CAPITALISED}|\b{CAPITALISED}\s+(?:law|courts?)\b"
)
VALUE = re.compile(
    rf"\x01|[$€£%\d]|\b(?:{'|'.join(CARDINALS)})\b|\b[A-Z][a-z]|{OFTEN.pattern}",
)
COMPANY = re.compile(rf"\b{STOPPED_FORM}\.?$")
_NAMING = ("N", "AJ", "VV", "VN", "UNC")  # tags of words that may name a thing


def targets(text: str) -> list[str]:
    """Return the words of a piece that may name what is to be changed."""
    words = (w for w in tagged(text[:HEAD]) if w.tag.startswith(_NAMING))
    return [w.text for w in words if len(w.text) > 2 and w.text[0].isalpha() and not OPENS.fullmatch(w.text)]
