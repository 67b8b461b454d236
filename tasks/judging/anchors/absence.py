"""Tells whether a part of a deliverable says, in the drafter's own words, that there is no such provision."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.judging.anchors.names import content_words, word_list
from tasks.legaltext.names import name_words
from tasks.legaltext.sentences import BRIEF, sentences

# Openings inside a quotation end the attempt: else a page of them takes time squared.
_QUOTED = re.compile(r"“[^“”]{0,4000}”|\"[^\"]{0,4000}\"|‘[^‘’]{12,4000}’")
_OPERATIVE = re.compile(r"\b(shall|hereby|hereunder|hereof|herein|thereof|thereunder|hereto)\b", re.IGNORECASE)
_NOUN = (
    r"(?:provisions?|clauses?|language|terms?|sections?|covenants?|articles?|restrictions?|obligations?|rights?"
    r"|requirements?|limitations?|grants?|commitments?)"
)
_FOUND = r"(?:found|identified|located|addressed|present|stated|reported)"
_SOME = r"(?:such|express|explicit|specific|relevant|corresponding|equivalent|applicable)"
# Enough by themselves.
_PLAIN = re.compile(
    r"^\W*(?:none|nil|absent|silent|no|n/a|not\s+(?:provided\s+for|included|specified|applicable|"
    + _FOUND
    + r"))\b\W*$"
    rf"|\b(?:none|neither)\s+of\s+(?:the|these)\s+(?:\w+\s+)?(?:agreements|contracts|documents)\b"
    rf"|\bneither\s+(?:agreement|contract|document)\b|\bno\s+(?:agreement|contract)\s+(?:contains|includes|has)\b"
    rf"|\bnone\s+(?:was\s+|were\s+|is\s+)?{_FOUND}\b"
    rf"|\bno\s+{_SOME}\s+(?:\S+\s+){{0,4}}?{_NOUN}\b"
    rf"|\bno\s+(?:\S+\s+){{0,9}}?(?:was|were|is|are|has\s+been|could\s+be)\s+{_FOUND}\b"
    rf"|\b(?:not|nothing)\s+(?:\w+\s+)?{_FOUND}\b"
    rf"|\b(?:is|are)\s+silent\b|\bsilent\s+(?:on|as\s+to)\b",
    re.IGNORECASE,
)
# Enough where the sentence names the topic, or speaks of provisions.
_ABOUT = re.compile(
    r"\bno\s+(?:\S+\s+){0,7}?(?:provisions?|clauses?|language|sections?|articles?)\b"
    r"|\b(?:does|do)\s+not\s+(?:\w+\s+)?(?:contain|include|provide|address|have|impose|grant|set|specify|mention|state)\b"
    r"|\bnot\s+(?:provided\s+for|included)\b|\black(?:s|ing)?\b|\bwithout\s+any\b|\babsent\b",
    re.IGNORECASE,
)
_BARE_NO = re.compile(r"\bno\s+", re.IGNORECASE)
_PROVISION = re.compile(r"\b(?:provisions?|clauses?|language)\b", re.IGNORECASE)
# Words of contracts, not of memoranda about them: a pasted clause is no statement of the drafter's.
_PASTED = re.compile(
    r"\bof this agreement\b|\bno\s+(?:\S+\s+){0,8}?(?:shall|will|may|can|must)\b"
    r"|\bnot only\b|\bno other\b|\bno doubt\b|\bno less\b|\bno later\b|\bno more than\b",
    re.IGNORECASE,
)
_ASSERTS = re.compile(
    r"\b(?:provides|states|requires|prohibits|restricts|grants|limits|entitles|permits|obliges|contains|includes)\b",
    re.IGNORECASE,
)
_PREPOSITIONS = frozenset(word_list("in to with by as than from under for"))
_LEAD_WORDS = 60  # words within which a part must come to its denial; chosen by eye on development drafts
_LONGEST = 45  # words; a longer sentence is taken for quoted contract text; chosen by eye on development drafts
# Words of a quotation that reports a provision, of a sentence that does, and of a heading that denies one; by eye.
_QUOTED_WORDS, _ASSERTING, _HEADING = 6, 5, 8
_TURN = re.compile(r"\b(?:however|but|nevertheless|nonetheless|except that|although)\b", re.IGNORECASE)


def statements(text: str) -> list[str]:
    """Split into sentences and cells."""
    cells = (cell for line in text.split("\n") for cell in re.split(r"\s\|\s", line))
    return [cell[start:end] for cell in cells for start, end in sentences(cell, BRIEF)]


def reads_as_contract(sentence: str) -> bool:
    """Tell whether a sentence reads as pasted contract text rather than as the drafter's own words about it."""
    return bool(len(name_words(sentence)) > _LONGEST or _OPERATIVE.search(sentence) or _PASTED.search(sentence))


def denies(sentence: str, topic_words: Sequence[str] = ()) -> bool:
    """Tell whether a sentence says in the drafter's own plain words that there is none.

    Args:
        sentence: A sentence, a cell or a heading.
        topic_words: Names of the topic, used to tell a "no" about the topic from a "no" about something else.
    """
    own = _QUOTED.sub(" ", sentence)
    if reads_as_contract(own):
        return False
    hit = _PLAIN.search(own)
    if hit is None and (_PROVISION.search(own) or _names(own, topic_words)):
        hit = _ABOUT.search(own)
    if hit is None:
        hit = next((h for h in _BARE_NO.finditer(own) if _opens_with(own[h.end() :], topic_words)), None)
    # "Section 9 restricts assignment and contains no carve-out" asserts.
    return hit is not None and not _ASSERTS.search(re.sub(r"\b\w+\s*$", "", own[: hit.start()]))


def _opens_with(text: str, topic_words: Sequence[str]) -> bool:
    """Tell whether text begins with the topic, after three words at most: "(no) contractual cap on liability"."""
    for form in (content_words(name) for name in topic_words):
        words = name_words(text)[: 2 * len(form) + 8]
        first = next((i for i, w in enumerate(words) if set(content_words(w)) & set(form)), None)
        # "(no) changes in insurance" is a "no" of changes.
        if first is None or first > 3 or any(w in _PREPOSITIONS for w in words[:first]):
            continue
        if set(form) <= set(content_words(" ".join(words))[: len(form) + 3]):
            return True
    return False


def asserts(sentence: str) -> bool:
    """Tell whether a sentence reports that there is such a provision."""
    if re.match(r"^\W*(?:yes|found|present)\b", sentence, re.IGNORECASE):
        return True
    quoted = any(len(name_words(q)) >= _QUOTED_WORDS for q in _QUOTED.findall(sentence))
    own = _QUOTED.sub(" ", sentence)
    return quoted or bool(_OPERATIVE.search(own)) or (bool(_ASSERTS.search(own)) and len(name_words(own)) >= _ASSERTING)


def says_none(text: str, topic_words: Sequence[str], heading: str, strong: bool) -> bool:
    """Tell whether a part says plainly, and first, that there is none.

    Args:
        text: The part: sentences and cells that speak of the contract and the topic.
        topic_words: Names of the topic.
        heading: Headings above the part, one per line; "Not found" above a list of topics is a statement too.
        strong: The part is about the topic. Otherwise the denying sentence must name the topic itself.
    """
    headings = (h for h in heading.split("\n") if len(name_words(h)) <= _HEADING)
    if not asserts_one(text) and any(denies(h, topic_words) for h in headings):
        return True
    if not strong:
        return any(denies(s, topic_words) and _names(s, topic_words) for s in statements(text))
    passed = 0
    pieces = statements(text)
    for i, sentence in enumerate(pieces):
        if denies(sentence, topic_words):
            return not _is_retracted(pieces[i:])
        if asserts(sentence):
            return False
        passed += len(name_words(sentence))
        if passed > _LEAD_WORDS:
            return False
    return False


def asserts_one(text: str) -> bool:
    """Tell whether a part reports such a provision."""
    return any(asserts(s) and not denies(s) for s in statements(text))


def _is_retracted(pieces: Sequence[str]) -> bool:
    """Tell whether a denial is retracted: "No express cap. However, Section 8 limits ..."."""
    return any(_TURN.match(s.strip()) and asserts(s) and not denies(s) for s in pieces[1:3])


def _names(sentence: str, topic_words: Sequence[str]) -> bool:
    words = set(content_words(sentence))
    return any(set(content_words(name)) <= words for name in topic_words)
