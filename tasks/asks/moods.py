"""The mood of a clause by its parts of speech: a question, a request, a wish, a statement or a name."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from tasks.legaltext.parts_of_speech import Word

Words = Sequence[Word]

WH = frozenset(["who", "whom", "whose", "what", "which", "when", "where", "why", "how", "whether"])
AUXILIARY = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "am",
        "do",
        "does",
        "did",
        "can",
        "could",
        "may",
        "might",
        "must",
        "shall",
        "should",
        "will",
        "would",
        "has",
        "have",
        "had",
        "ca",
    ]
)
FIRST = frozenset(("i", "we"))
MEASURES = frozenset(
    ("long", "much", "many", "often", "soon", "fast", "quickly", "late", "early", "far", "old", "bright")
)
"""What "how" may ask the measure of: "how long", "how soon"."""
FINITE = frozenset(("VM0", "VBZ", "VBD", "VHZ", "VHD", "VDZ", "VDD", "VVZ", "VVD"))
_CONDITION = frozenset(
    [
        "if",
        "unless",
        "because",
        "although",
        "though",
        "while",
        "since",
        "after",
        "before",
        "once",
        "until",
        "as",
        "assuming",
        "given",
        "in",
    ]
)
_RELATIVE = frozenset(("who", "whom", "whose", "which", "where", "when", "that"))
_NOUN = ("NN", "NP", "PNI", "PNP", "CRD", "DT0", "ZZ0", "ORD", "UNC")
_SUBJECT = ("AT0", "DPS", "DT0", "PNP", "PNI", "EX0", "NN", "NP", "CRD", "ORD", "UNC", "PUQ")
_ACTOR = ("PNP", "NP", "AT0", "DPS")
ORDERS = frozenset(("say", "state", "note", "list", "report", "flag", "check"))  # which the tagger takes for nouns
_ORDER = frozenset(("also", "last", "lastly", "finally", "first", "second", "further", "then", "next", "note"))
_POLITE = frozenset(("please", "pls", "kindly"))
_ASKED = frozenset(("can", "could", "will", "would"))
_OPENS = ("AT0", "DPS", "PNP", "EX0")  # what begins a noun phrase beyond doubt
_LIGHT = ("AV0", "CJC", "ITJ", "PUN", "PUQ", "PUL", "PUR", "UNC", "XX0")


class Mood(Enum):
    """What a clause does."""

    QUESTION = "its verb stands before its subject"
    INQUIRY = "it begins with a question word"
    REQUEST = "it begins with a verb in its base form"
    WISH = "it says that something is wanted, or not known"
    STATEMENT = "a subject, then its verb"
    NAME = "a noun without a verb of its own"
    CONDITION = "it hangs on the clause beside it"
    HANGING = "a preposition or participle: it goes on with what stands before it"
    NOTHING = "no word of weight"


ASKING = (Mood.QUESTION, Mood.INQUIRY, Mood.REQUEST, Mood.WISH)


def as_ordered(words: Words) -> list[Word]:
    """Return words in which what orders a question is a verb: "for each lease say who pays"."""
    around = zip([None, *words], words, [*words[1:], None], strict=False)
    return [
        w._replace(tag="VVB") if w.tag.startswith("NN") and _orders(before, w, then) else w
        for before, w, then in around
    ]


def _orders(before: Word | None, word: Word, then: Word | None) -> bool:
    """Tell whether a word that the tagger takes for a noun orders: "say who", "for each state the term"."""
    if low(word) not in ORDERS or then is None:
        return False
    return low(then) in WH or (before is not None and low(before) == "each" and then.tag in ("AT0", "DPS"))


def opening(words: Words) -> int:
    """Return where a clause begins, behind "and", "please", "finally" and the like."""
    at = 0
    while at < len(words) and _is_light(words[at]):
        at += 1
    if at + 2 < len(words) and low(words[at]) in _ASKED and low(words[at + 1]) == "you":
        at += 2
        while at < len(words) and words[at].tag in _LIGHT:
            at += 1
    return at if at < len(words) else 0


def _is_light(word: Word) -> bool:
    return low(word) == "ps" or (word.tag in _LIGHT and low(word) not in WH | {"not", "no", "only"})


def low(word: Word) -> str:
    """Return a word in lower case."""
    return word.text.lower()


def mood_of(words: Words) -> Mood:
    """Return the mood of a clause by its form alone."""
    at = opening(words)
    head = words[at:]
    if not any(w.text[:1].isalnum() for w in head) or (len(words) == 1 and low(words[0]) in _ORDER):
        return Mood.NOTHING
    asked = head[1:] if len(head) > 1 and head[0].tag in ("PRP", "PRF", "AVP", "CJS") and low(head[1]) in WH else head
    if low(asked[0]) in WH:
        return Mood.INQUIRY
    last = next(w for w in reversed(head) if w.text[:1].isalnum())
    if is_inverted(head):
        return Mood.QUESTION
    if low(last) in WH:
        return Mood.INQUIRY  # "due when"
    if is_request(head) or (at and low(words[at - 1]) in _POLITE and head[0].tag[0] in "NV"):
        return Mood.REQUEST
    if low(head[0]) in _CONDITION and head[0].tag in ("CJS", "VVG", "PRP") and _finite(head[1:]) is not None:
        return Mood.CONDITION
    verb = _finite(head)
    if head[0].tag in ("VVD", "VVN") and len(head) > 1 and head[1].tag in ("PRP", "AV0", "PUN", "AVP"):
        return Mood.STATEMENT  # "signed in 2019": a tale without its subject
    if head[0].tag in ("PRP", "PRF"):
        ordered = next((n for n, w in enumerate(head) if n and w.tag in ("VVB", "VVI")), None)
        if ordered is not None and (verb is None or verb == ordered) and _is_ordered(head, ordered):
            return Mood.REQUEST
        inner = next((n for n, w in enumerate(head[1:], 1) if low(w) in WH or is_inverted(head[n:])), None)
        if inner is not None and (verb is None or verb > inner) and head[inner - 1].tag not in ("PRP", "PRF"):
            return Mood.INQUIRY if not _is_relative(head, inner) else Mood.HANGING
        return Mood.STATEMENT if verb is not None else Mood.HANGING
    if verb is not None:
        return Mood.INQUIRY if _is_asked_in_place(head, verb) else Mood.STATEMENT
    return Mood.HANGING if head[0].tag in ("VVG", "CJS", "XX0") or low(head[0]) == "if" else Mood.NAME


def _is_asked_in_place(words: Words, verb: int) -> bool:
    """Tell whether a question word stands where its answer would: "she has until when to leave", "he pays how much"."""
    for at in range(verb + 1, len(words)):
        word, before = low(words[at]), words[at - 1]
        led = before.tag in ("PRP", "PRF") or low(before) == "until"
        placed = led and word in ("when", "whom")
        measured = word == "how" and before.tag.startswith("V") and low(words[min(at + 1, len(words) - 1)]) in MEASURES
        if (placed or measured) and not any(w.tag in FINITE for w in words[at + 1 :]):
            return True
    return False


def is_inverted(words: Words) -> bool:
    """Tell whether words begin with an auxiliary before its subject: "may the tenant"."""
    subject = 2 if len(words) > 2 and words[1].tag == "XX0" else 1
    while (
        len(words) > subject + 1
        and words[subject].tag.startswith(("AJ", "AV0"))
        and words[subject + 1].tag.startswith(("AJ", "NN", "AT0", "PNP", "DPS", "DT0"))
    ):
        subject += 1
    if len(words) <= subject or low(words[0]) not in AUXILIARY:
        return False
    named = words[subject].text[:1].isupper() and words[subject].tag[0] in "VA"  # a name that no dictionary holds
    clause = low(words[subject]) == "what" and len(words) > subject + 1 and words[subject + 1].tag.startswith(_ACTOR)
    if not named and not clause and not words[subject].tag.startswith(_SUBJECT):
        return False  # "is what they owe us capped" has a clause for its subject
    if words[0].tag.startswith(("NN", "NP")) and words[0].text[0].isupper() and words[1].tag == "CRD":
        return False  # "May 3"
    orders = low(words[0]) in ("do", "have") and (words[1].tag == "XX0" or low(words[1]) in ("not", "a"))
    return not orders


def is_request(words: Words) -> bool:
    """Tell whether words begin with a verb in its base form: "state the term", "do not quote"."""
    first = words[0]
    if len(words) > 1 and low(first) in ("do", "have", "be") and first.tag in ("VDB", "VHB", "VBB", "VBI", "VHI"):
        return True
    if first.tag == "NN1" and len(words) > 1 and words[1].tag in ("AT0", "DPS", "PNP", "PUQ"):
        return True  # "draft a letter": no noun stands before a determiner
    if first.tag not in ("VVB", "VVI") and low(first) != "let":
        return False
    if first.text[:1].isupper() and len(words) > 2 and words[1].tag == "CJC" and words[2].tag.startswith("NP"):
        return False  # "Keep and Fiverr": two names
    return len(words) == 1 or words[1].tag not in ("VVZ", "VBZ", "VBB", "VHZ", "VHB", "VM0", "POS", "VBD")


def _is_ordered(head: Words, at: int) -> bool:
    """Tell whether a base form behind an opening phrase is a request: "for each lease give the rent"."""
    before = head[at - 1]
    return before.tag not in ("TO0", "VM0", "PNP", "XX0", "CJC") and (
        before.tag == "PUN"
        or low(before) == "please"
        or at + 1 == len(head)
        or head[at + 1].tag.startswith(
            ("AT0", "DPS", "DT0", "PNP", "DTQ", "PNQ", "AVQ", "NN", "AJ", "PUN", "PUQ", "CJS", "AVP")
        )
    )


def _is_relative(words: Words, at: int) -> bool:
    """Tell whether a question word hangs on the noun before it."""
    before = words[at - 1] if at else None
    return (
        before is not None and low(words[at]) in _RELATIVE and before.tag.startswith(("NN", "NP", "PR", "PNI", "CRD"))
    )


def statement_verb(words: Words) -> int | None:
    """Return where the verb of a statement stands in a clause, none where it has none of its own."""
    return _finite(words)


def _finite(words: Words) -> int | None:
    """Return where the first finite verb stands that has its subject before it and hangs on no noun."""
    pending = 0
    noun = determined = False
    depth = 0
    before: Word | None = None
    for at, word in enumerate(words):
        tag = word.tag
        depth += (word.text in "([") - (word.text in ")]")
        if depth > 0 or word.text in ")]":
            continue
        if (
            (noun and low(word) in _RELATIVE and tag in ("PNQ", "DTQ", "AVQ", "CJT", "CJS"))
            or low(word) in WH
            or (tag == "CJS" and at)
        ):
            pending += 1
        elif before is not None and tag in _OPENS and before.tag.startswith(("NN", "PNI", "CRD", "AJ")) and noun:
            pending += not (tag == "PNP" and words[0].tag == "PRP" and not pending)
        elif _is_finite(words, at, noun=noun, determined=determined):
            if not pending:
                return at
            if at + 1 >= len(words) or not words[at + 1].tag.startswith("V"):
                pending -= 1
        noun = noun or tag.startswith(_NOUN) or tag == "EX0"
        determined = determined or tag in ("AT0", "DPS", "PNP", "NP0", "PNI", "EX0", "NN2", "CRD", "DT0")
        before = word
    return None


def _is_finite(words: Words, at: int, *, noun: bool, determined: bool) -> bool:
    tag = words[at].tag
    if tag in ("VM0", "VBZ", "VBD", "VBB", "VHZ", "VHD", "VHB", "VDZ", "VDD", "VDB"):
        return noun and not (at and words[at - 1].tag in ("TO0", "VM0"))
    before = words[at - 1].tag if at else ""
    after = words[at + 1].tag if at + 1 < len(words) else "END"
    if tag == "VVZ":
        return noun and (determined or after in ("AT0", "DPS", "PNP", "CJT", "TO0", "CRD"))
    if tag == "VVD":
        return noun and (after not in ("END", "PUN", "CJC") or before in ("PNP", "PNI"))
    joined = before == "NP0" and any(w.tag == "CJC" for w in words[max(0, at - 3) : at])  # "Harrow & Finch want"
    return (
        tag in ("VVB", "VVI")
        and (before in ("PNP", "NN2", "NN0", "AV0") or joined)
        and determined
        and noun
        and (after != "END" and before != "TO0")
    )
