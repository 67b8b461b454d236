"""The thing that a question asks for: parking spaces in "how many parking spaces come with the suite"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.legaltext.parts_of_speech import Word, tagged

_CONDITION = re.compile(r"(?:^|(?<=[\s,]))(?:if|unless|once|when|while|after|before|where)\s.*", re.I)
_ASKS = frozenset({"what", "which", "whose"})
_BE = frozenset({"is", "are", "was", "were", "'s"})
_LEADS = frozenset({"about", "on", "for"})  # what a word of saying leads to its thing by
_SAYS = frozenset(
    {"say", "says", "anything", "provide", "provides", "mention", "mentions", "contain", "contains", "something"}
)
_PEOPLE = frozenset({"who", "whom"})
_HEAD = 8  # words within which a question word stands
_NOUN, _BESIDE = ("NN",), ("NN", "AJ", "ORD")
_DETERMINES = ("AT0", "DPS", "DT0", "ORD", "CRD", "AV0")


@dataclass(frozen=True)
class Focus:
    """The thing that a question is after.

    Attributes:
        words: Its words, none where the question names no thing that papers may lack.
        called: The same as the question calls it, with what it is of: "balance of the loan".
    """

    words: tuple[str, ...] = ()
    called: str = ""


def focus_of(question: str) -> Focus:
    """Return the thing that a question is after."""
    text = _CONDITION.sub("", question).strip() or question
    words = tagged(text)
    low = [w.text.lower() for w in words]
    for at in _led(words, low):
        found = _phrase(words, at)
        if found:
            end = words.index(found[-1]) + 1
            of = _phrase(words, end + 1) if low[end : end + 1] == ["of"] else []
            return Focus(tuple(w.text for w in found), text[found[0].start : (of or found)[-1].end])
    return Focus()


def _led(words: Sequence[Word], low: Sequence[str]) -> Iterator[int]:
    """Yield the places where the thing may begin, the likeliest first."""
    for at, word in enumerate(low):
        before = low[at - 1] if at else ""
        if word in _ASKS and at < _HEAD:
            yield at + 1
            if low[at + 1 : at + 2] and low[at + 1] in _BE:
                yield at + 2
        elif _names(word, before):
            yield at + 1
    if low and low[0] in _PEOPLE:
        yield from (n + 1 for n, w in enumerate(words[:_HEAD]) if w.tag.startswith("VV"))
    if not any(w.tag.startswith(("VV", "VB", "VM", "VD", "VH")) and w.tag not in ("VVG", "VVN") for w in words):
        yield 0  # a thing that is merely named


def _names(word: str, before: str) -> bool:
    """Tell whether the thing is named behind two words: "who is the judge", "is there a cap", "anything about pets"."""
    many = word in ("many", "much") and before == "how"
    existing = (word in _BE and before in (*_PEOPLE, "there")) or (word == "there" and before in _BE)
    return many or existing or (word in _LEADS and before in _SAYS)


def _phrase(words: Sequence[Word], at: int) -> list[Word]:
    """Return the nouns that begin at a place, behind their article, with what stands before them."""
    while at < len(words) and words[at].tag.startswith(_DETERMINES):
        at += 1
    end = at
    while end < len(words) and _is_part(words, end):
        end += 1
    found = list(words[at:end])
    while found and not found[-1].tag.startswith((*_NOUN, "UNC")):
        found.pop()
    return found


def _is_part(words: Sequence[Word], at: int) -> bool:
    tag = words[at].tag
    joined = at + 1 < len(words) and words[at + 1].tag.startswith(_NOUN)
    return tag.startswith(_BESIDE) or (tag in ("VVG", "VVN") and joined) or "-" in words[at].text.strip("-")
