"""Questions that suppose the answer to the one before: "and if so, by how much", "if there is none, who decides"."""

from __future__ import annotations

from itertools import takewhile

from tasks.asks.moods import WH, Mood, Words, is_inverted, low, mood_of, opening

_ANSWERS = frozenset(("so", "not", "yes", "no"))
_NO = frozenset(("not", "no", "none", "n't", "n’t"))
_SUBJECT = ("PN", "EX0", "NP", "NN", "AT0", "DPS", "DT0", "AJ")
_ACTS = ("VM0", "VB", "VD", "VH")
_LONGEST = 4  # words of the subject of a supposition: "if the new tenant does"
_HEAD = 3  # words up to which the question word stands: "then for how long"


def supposition(words: Words) -> int:
    """Return how many of the first words suppose the answer before: "if so", "and if it does not"; 0 for none."""
    if words and words[0].tag == "CJC":
        count = supposition(words[1:])
        return count + 1 if count else 0
    if len(words) < 2 or low(words[0]) != "if":
        return 0
    if low(words[1]) in _ANSWERS:
        return 2
    subject = len(list(takewhile(lambda w: w.tag.startswith(_SUBJECT) and low(w) not in WH, words[1:])))
    at = 1 + subject
    if not 0 < subject <= _LONGEST or at >= len(words) or not words[at].tag.startswith(_ACTS):
        return 0
    if words[at].text[:1] in "'’" and words[at - 1].tag not in ("PNP", "EX0"):
        return 0  # "if anyone's" is no "if anyone is"
    at += 1
    at += at < len(words) and (words[at].tag == "XX0" or low(words[at]) in _NO)
    return at if at >= len(words) or words[at].tag == "PUN" or _begins_to_ask(words[at:]) else 0


def denies(words: Words) -> bool:
    """Tell whether a supposition is that the answer is no."""
    return any(low(w) in _NO for w in words[: supposition(words)])


def supposed(words: Words) -> Words:
    """Return the words behind the supposition with which they begin, and its comma."""
    rest = words[supposition(words) :]
    return rest[1:] if rest and rest[0].tag == "PUN" else rest


def asks(words: Words) -> bool:
    """Tell whether words ask: a question word stands among the first, or the verb before its subject."""
    return any(low(w) in WH for w in words[:_HEAD]) or is_inverted(words)


def _begins_to_ask(words: Words) -> bool:
    led = words[0].tag in ("PRP", "PRF") and len(words) > 1
    return low(words[led]) in WH or is_inverted(words)


def is_tail(words: Words) -> bool:
    """Tell whether words ask no more than a measure or a relation of what was asked before: "by how much", "to whom".

    "Which law" is complete; behind a supposition ("if so, which one") it is none.
    """
    rest = supposed(words)
    head = rest[opening(rest) :] if rest else rest
    if not head or mood_of(head) is not Mood.INQUIRY or any(w.tag.startswith("V") for w in head):
        return False
    led = low(head[0]) == "how" or head[0].tag in ("PRP", "PRF") or low(head[0]) == "until"
    return led or len(rest) < len(words)
