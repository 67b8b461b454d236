"""The items of a list within a clause: "the rent, the term and the deposit" are three asks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tasks.asks.clauses import BriefClause, Span, is_due
from tasks.asks.grammar import Grammar
from tasks.asks.marks import OPEN, whole
from tasks.asks.moods import FINITE, WH, Mood, Words, low, mood_of, opening, statement_verb
from tasks.asks.names import NamedProvision
from tasks.asks.supposing import supposed
from tasks.legaltext.parts_of_speech import Word

_LISTING = (Mood.REQUEST, Mood.WISH, Mood.NAME, Mood.HANGING, Mood.INQUIRY)
_BE = ("is", "are", "was", "were", "'s")
_MOST = 400  # words; a longer clause is no list that a person wrote
_ENDLESS = 4_000  # words; a clause so long is not read at all
_CONDITION = 3  # words from which "if …" in a list is a thing of its own; chosen by eye
_DOING = 2  # words: "processing abroad"
_LIST = 2  # marks of a list, at least
_OPENS = ("AT0", "DPS", "DT0", "DTQ", "PNQ", "AVQ")
_LEAD = 8  # words before "for" in a lead like "each of the lease agreements for"
_NAME = 8  # words of a name: "right of first refusal or first offer"
_PEOPLE = ("DPS", "PNP", "PNI")  # "for our client"
_CLAUSE = FINITE | {"VBB", "VHB", "VDB"}  # behind "for" no base form of "be", "have" or "do" is an order


def items_of(text: str, clause: BriefClause, grammar: Grammar, named: Sequence[NamedProvision]) -> list[Span]:
    """Return the items of the list that a clause asks for, the clause itself where it asks for one thing.

    Args:
        text: The brief.
        clause: The clause, with its parts of speech.
        grammar: How briefs ask.
        named: The provisions that the brief names, which nothing parts.
    """
    begin = _begin(clause, grammar)
    due = clause.mood is Mood.STATEMENT and is_due(clause.words, grammar)
    if (_listed_mood(clause) not in _LISTING and not due) or begin is None or len(clause.words) > _ENDLESS:
        return [clause.span]
    words = clause.words[begin:]
    if not words:
        return [clause.span]
    stop = clause.span[1]
    tail = grammar.scope.search(text, words[0].start, stop)
    if tail and "," not in tail.group() and " and " not in tail.group():
        stop = tail.start()
    words = [w for w in words if w.end <= stop]
    names = [(n.start, n.end) for n in named]
    sought = _sought_in_papers(words, text, grammar, names)
    complete = _listed_mood(clause) is Mood.INQUIRY and begin == _opening(clause.words)
    parts = sought or _parts(words, text, grammar, names, complete=complete)
    parts = [p for p in parts if p]
    if len(parts) > 1 and grammar.each.fullmatch(text[parts[0][0].start : parts[0][-1].end + 1]):
        parts = parts[1:]
    if len(parts) < 2:
        return [clause.span]
    spans = [whole(text, p[0].start, p[-1].end) for p in parts]
    first = next((n for n in named if spans[0][0] < n.start and n.end == spans[0][1]), None)
    if first and low(next((w for w in reversed(parts[0]) if w.end <= first.start), parts[0][0])) == "for":
        spans[0] = (first.start, first.end)
    return [s for s in spans if s[0] < s[1] and OPEN.search(text, *s)] or [clause.span]


def _sought_in_papers(words: Words, text: str, grammar: Grammar, names: Sequence[Span]) -> list[Words]:
    """Return the items of a list of what papers are searched for: "each agreement for exclusivity, audit and a cap".

    Behind such a lead all are names, also those that the tagger takes for verbs ("non-compete") or adverbs. Nothing is
    returned where it is no list: without a comma, or with a part that is a clause ("for our client, which sells it").
    """
    at = next((n for n, w in enumerate(words[:_LEAD]) if n and low(w) == "for"), 0)
    if not at or not grammar.words["paper"].fullmatch(words[at - 1].text):
        return []
    sought = words[at + 1 :]
    joints = _joints(sought, text, grammar, names)
    commas = [n for n in joints if sought[n].text == ","]
    if not commas:
        return []
    last = [n for n in joints if n > commas[-1] and sought[n].text != ","][-1:]
    edges = [-1, *commas, *last, len(sought)]
    parts = [_without_conjunction(sought[a + 1 : b]) for a, b in pairwise(edges)]
    parts = [part for part in parts if part]
    named = all(len(p) <= _NAME and p[0].tag not in _PEOPLE and not any(low(w) in WH for w in p) for p in parts)
    finite = any(w.tag in _CLAUSE for p in parts for w in p)
    return parts if named and not finite else []


def _without_conjunction(words: Words) -> Words:
    return words[1:] if words and words[0].tag == "CJC" else words


def _listed_mood(clause: BriefClause) -> Mood:
    """Return the mood of a clause as the items of a list: what a question leads to are names, though its mark follows.

    So are those of a list that runs on over commas, in whatever form: "when we may leave, the rent, the deposit".
    """
    if clause.mood is Mood.QUESTION:
        own = mood_of(clause.words)
        return own if own in (Mood.NAME, Mood.HANGING) else clause.mood
    runs_on = clause.item and not clause.listed and any(w.text == "," for w in clause.words)
    return Mood.NAME if runs_on and clause.mood in (Mood.INQUIRY, Mood.STATEMENT) else clause.mood


def _begin(clause: BriefClause, grammar: Grammar) -> int | None:
    """Return where the list may begin: behind the verb that asks for it."""
    words = clause.words
    at = _opening(words)
    if _listed_mood(clause) in (Mood.NAME, Mood.HANGING):
        return at
    if clause.mood is Mood.INQUIRY:
        plain = low(words[at]) == "what" and at + 2 < len(words) and low(words[at + 1]) in _BE
        return at + 2 if plain and words[at + 2].tag in ("AT0", "DPS") else at
    if clause.mood is Mood.WISH:
        verb = statement_verb(words) or 0
        wished = [
            n
            for n, w in enumerate(words[:20])
            if n >= verb and (grammar.words["wish"].fullmatch(low(w)) or grammar.words["learn"].fullmatch(low(w)))
        ]
        at = wished[-1] if wished else verb
    else:
        at = next((n for n, w in enumerate(words) if n >= at and w.tag in ("VVB", "VVI", "VDB")), at)
    at += 1
    while at < len(words) and (
        words[at].tag in ("AVP", "AV0", "PNP", "PUN") or low(words[at]) in ("me", "us", "for", "of")
    ):
        at += 1
    return at


def _opening(words: Words) -> int:
    """Return where a clause begins, behind what it supposes: "if so, how much"."""
    behind = supposed(words)
    return len(words) - len(behind) + opening(behind) if behind else opening(words)


def _parts(words: Words, text: str, grammar: Grammar, names: Sequence[Span], *, complete: bool) -> list[Words]:
    """Part a list at its commas and its last "and"; what hangs on the item before goes with it.

    A complete question is parted only where a list that is not of its own words follows it.
    """
    joints = _joints(words, text, grammar, names)
    if complete and not _is_followed(words, joints):
        joints = [n for n in joints if words[n].text == "," or words[n - 1].text == ","]
        joints = [n for n in joints if _is_parallel(words[:n], words[n + 1 :])]
    commas = sum(words[n].text == "," for n in joints)
    parts: list[list[Word]] = [[]]
    for n, word in enumerate(words):
        if n not in joints:
            parts[-1].append(word)
            continue
        left, right = parts[-1], list(words[n + 1 : next((m for m in joints if m > n), len(words))])
        if not right:
            continue
        comma = word.text == "," or words[n - 1].text == ","
        cut = _is_cut(left, right, names, listed=commas + (word.text != ",") > 1, comma=word.text == ",")
        cut = cut or (comma and _is_parallel(left, right))
        last_and = word.text != "," and commas and n == joints[-1]
        if cut or (last_and and _is_item(right)):
            parts.append([])
        else:
            left.append(word)
    return list(parts)


def _is_parallel(left: Words, right: Words) -> bool:
    """Tell whether a further place of the same kind follows: "on Lot A, on Lot B"."""
    head = [w for w in right if w.tag not in ("CJC", "PUN")][:1]
    if any(low(w) in WH for w in right[:4]):
        return False
    return bool(head) and head[0].tag == "PRP" and any(w.tag == "PRP" and low(w) == low(head[0]) for w in left)


def _is_followed(words: Words, joints: Sequence[int]) -> bool:
    """Tell whether things follow a question that cannot be of it: "when she learned of it, the two warnings, the …"."""
    commas = [n for n in joints if words[n].text == ","]
    if len(joints) < _LIST or not commas or any(w.tag.startswith("V") for w in words[commas[0] :]):
        return False
    return not words[commas[0] - 1].tag.startswith("N") and words[commas[0] + 1].tag in ("AT0", "DPS")


def _joints(words: Words, text: str, grammar: Grammar, names: Sequence[Span]) -> list[int]:
    """Return where a list may be parted: its commas and conjunctions outside brackets, names and fixed pairs."""
    if not words:
        return []
    kept = [*names, *(m.span() for m in grammar.words["pair"].finditer(text, words[0].start, words[-1].end))]
    inside = {at for a, b in kept for at in range(a, b)}
    found: list[int] = []
    depth = 0
    for n, word in enumerate(words):
        depth += (word.text in "([") - (word.text in ")]")
        year = n + 1 < len(words) and word.text == "," and words[n + 1].text.isdigit() and len(words[n + 1].text) == 4
        if depth <= 0 and word.start not in inside and not year and low(word) in (",", "and", "&", "plus"):
            found.append(n)
    return found


def _is_cut(left: Words, right: Words, names: Sequence[Span], *, listed: bool, comma: bool) -> bool:
    """Tell whether two neighbours are two things."""
    if not left:
        return False
    if comma and any(a == right[0].start for a, _ in names):
        return True  # "change of control, exclusivity"
    if listed and _is_doing(right):
        return True
    if not _is_item(right) or not _is_item_head(left):
        return False
    known = any(b == left[-1].end for _, b in names) and any(a == right[0].start for a, _ in names)
    if comma:
        return True
    if known or mood_of(right) is Mood.INQUIRY:
        return True
    if listed:
        return False
    prepared = any(w.tag in ("PRP", "PRF") for w in left)
    if right[0].tag in _OPENS:
        return not prepared
    return left[0].tag in ("AT0", "DPS") and not prepared and not any(w.tag in ("PRP", "PRF") for w in right)


def _is_item_head(words: Words) -> bool:
    return any(w.text[:1].isalnum() for w in words)


def _is_doing(words: Words) -> bool:
    """Tell whether words name a thing that is done: "poaching of staff", "reporting"."""
    head = words[opening(words) :]
    after = head[1].tag if len(head) > 1 else "PUN"
    return head[0].tag == "VVG" and (after in ("PRF", "PUN") or (after == "AV0" and len(head) == _DOING))


def _is_item(words: Words) -> bool:
    """Tell whether words name a thing or ask a question, and do not only go on with what stands before them."""
    head = words[opening(words) :]
    if len(words) < 2 and words[0].tag.startswith(("PUN", "AV0", "XX0")):
        return False
    if low(head[0]) in ("so", "etc", "not", "or", "including", "others", "incl") or head[0].tag in (
        "CJT",
        "VVN",
        "VVD",
    ):
        return False
    if low(head[0]) in ("both", "all") and len(head) > 1:
        return True  # "and both together"
    return mood_of(words) in (Mood.NAME, Mood.INQUIRY, Mood.QUESTION, Mood.REQUEST, Mood.STATEMENT) or (
        low(head[0]) == "if" and len(head) > _CONDITION
    )
