"""Does a part of a deliverable say, in the drafter's own words, that there is no such provision?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.judging.names import content, tokens

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|‘[^’]{12,}’")
_OPERATIVE = re.compile(r"\b(shall|hereby|hereunder|hereof|herein|thereof|thereunder|hereto)\b", re.IGNORECASE)
_NOUN = (
    r"(?:provisions?|clauses?|language|terms?|sections?|covenants?|articles?|restrictions?|obligations?|rights?"
    r"|requirements?|limitations?|grants?|commitments?)"
)
_PLAIN = re.compile(
    rf"^\W*(?:none|nil|absent|silent|no|n/a|not\s+(?:found|addressed|present|provided(?:\s+for)?|included|stated|specified|identified|applicable|located))\b\W*$"
    rf"|\b(?:none|neither)\s+of\s+the\b|\bneither\s+(?:agreement|contract)\b|\bno\s+(?:agreement|contract)\s+\w+s\b"
    rf"|\bnone\s+(?:was\s+|were\s+|is\s+)?(?:found|identified|located|present|stated)\b"
    rf"|\bno\s+(?:\S+\s+){{0,7}}?{_NOUN}\b"
    rf"|\bno\s+(?:\S+\s+){{0,6}}?(?:was|were|is|has\s+been|could\s+be)\s+(?:found|identified|located|present|included)\b"
    rf"|\b(?:not|nothing)\s+(?:\w+\s+)?(?:found|addressed|located|identified|provided\s+for|included)\b"
    rf"|\b(?:does|do)\s+not\s+(?:\w+\s+)?(?:contain|include|provide|address|have|impose|grant|set|specify|mention|appear|state)\b"
    rf"|\bcontains?\s+no\b|\bhas\s+no\b|\bis\s+silent\b|\bare\s+silent\b|\bsilent\s+(?:on|as\s+to)\b|\blacks?\b|\bwithout\s+any\b|\babsent\b",
    re.IGNORECASE,
)
_ASSERTS = re.compile(
    r"\b(?:provides|states|requires|prohibits|restricts|grants|limits|entitles|permits|obliges|contains|includes)\b",
    re.IGNORECASE,
)
_TURN = re.compile(r"\b(?:however|but|nevertheless|nonetheless|except that|although)\b", re.IGNORECASE)


def sentences(text: str) -> list[str]:
    """Split into sentences and cells."""
    return [s for s in re.split(r"(?<=[.;!?])\s+|\s\|\s|\n", text) if s.strip()]


def denies(sentence: str) -> bool:
    """Tell whether a sentence says in the drafter's own plain words that there is none."""
    own = _QUOTED.sub(" ", sentence)
    if len(tokens(own)) > 45 or _OPERATIVE.search(own):
        return False
    hit = _PLAIN.search(own)
    # "is subject to no other provision than" and "not only provides" are no denials.
    return bool(hit) and not re.search(r"\bnot only\b|\bno other\b|\bno doubt\b|\bno less\b", own, re.IGNORECASE)


def asserts(sentence: str) -> bool:
    """Tell whether a sentence reports that there is such a provision."""
    if re.match(r"^\W*(?:yes|found|present)\b", sentence, re.IGNORECASE):
        return True
    quoted = any(len(tokens(q)) >= 6 for q in _QUOTED.findall(sentence))
    own = _QUOTED.sub(" ", sentence)
    return quoted or bool(_OPERATIVE.search(own)) or (bool(_ASSERTS.search(own)) and len(tokens(own)) >= 5)


_LEAD_WORDS = 60


def says_none(text: str, topic_words: Sequence[str], heading: str, strong: bool) -> bool:
    """Tell whether a part says plainly, and first, that there is none.

    Args:
        text: The part: sentences and cells that speak of the contract and the topic.
        topic_words: Names of the topic.
        heading: Headings above the part, one a line; "Not found" above a list of topics is a statement too.
        strong: The part is about the topic. Otherwise the denying sentence must name the topic itself.
    """
    if not asserts_one(text) and any(denies(h) and len(tokens(h)) <= 8 for h in heading.split("\n")):
        return True
    if not strong:
        return any(denies(s) and _names(s, topic_words) for s in sentences(text))
    passed = 0
    pieces = sentences(text)
    for i, sentence in enumerate(pieces):
        if denies(sentence):
            return not _turns(pieces[i:])
        if passed and asserts(sentence):
            return False
        passed += len(tokens(sentence))
        if passed > _LEAD_WORDS:
            return False
    return False


def asserts_one(text: str) -> bool:
    """Tell whether a part reports such a provision."""
    return any(asserts(s) and not denies(s) for s in sentences(text))


def _turns(pieces: Sequence[str]) -> bool:
    """Tell whether a denial is taken back: "No express cap. However, Section 8 limits ..."."""
    return any(_TURN.match(s.strip()) and asserts(s) and not denies(s) for s in pieces[1:3])


def _names(sentence: str, topic_words: Sequence[str]) -> bool:
    words = set(content(sentence))
    return any(set(content(name)) <= words for name in topic_words)
