"""Where a clause ends within a sentence: at a comma or "and" behind which a further verb or question begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tasks.asks.grammar import Grammar
from tasks.asks.moods import ASKING, FIRST, WH, Mood, Words, low, mood_of, opening, statement_verb
from tasks.asks.supposing import asks, supposed, supposition
from tasks.legaltext.parts_of_speech import Word

_PREDICATES = ("VM0", "VVZ", "VBZ", "VHZ", "VBD", "VHD", "VVD")
_CHANGE = frozenset(("to", "from", "instead"))  # of what is changed in a redline
_SHORT = 2  # words: "where", "by whom"
_TAIL = 6  # words; a longer part is no tail: "and until when"
_QUESTION = 3  # words up to which a question hangs on the one before it ("and by whom?"); chosen by eye
_HANGS_ON = frozenset(("who", "which", "whose", "whom", "where", "when"))
_OPEN = (Mood.QUESTION, Mood.INQUIRY)
_THINGS = (Mood.NAME, Mood.HANGING, Mood.CONDITION, Mood.NOTHING)


@dataclass
class _Piece:
    """A stretch between two weak marks, and what joins it to the one before."""

    words: list[Word] = field(default_factory=list)
    gap: list[Word] = field(default_factory=list)
    comma: bool = False
    joined: str = ""
    mood: Mood = Mood.NOTHING
    form: bool = False


def parted(
    words: Words, text: str, grammar: Grammar, kept: Sequence[tuple[int, int]], *, redline: bool
) -> Iterator[tuple[Words, Mood, bool]]:
    """Yield the clauses of the words between two strong marks, each with its mood and whether it tells the form."""
    pairs = (m.span() for m in grammar.words["pair"].finditer(text, words[0].start, words[-1].end)) if words else ()
    pieces = _supposed(_pieces(words, [*kept, *pairs]))
    said = _Piece()
    for before, piece in pairwise([_Piece(), *pieces]):
        piece.mood = _supposing_mood(piece) if _asks_if_so(piece) else _mood(said, piece, grammar)
        plain = piece.joined != "and" or piece.comma or before.mood not in (Mood.NAME, *_OPEN)
        piece.form = grammar.is_form(text, piece.words, piece.mood, redline=redline, plain=plain) or _is_with(
            said, piece
        )
        said = piece if piece.mood is Mood.STATEMENT or said.mood is not Mood.STATEMENT else _after(said, piece)
    for piece, after in pairwise(pieces):
        if after.mood is Mood.NAME and _is_subject(after) and _last(after).tag == "VVD":
            after.mood = Mood.STATEMENT  # "when we moved in, the roof leaked"
        led = after.comma and not after.joined and after.mood in (Mood.STATEMENT, Mood.QUESTION, Mood.REQUEST)
        if led and piece.mood is Mood.INQUIRY and mood_of(piece.words[:1]) is Mood.INQUIRY and _is_time(piece.words):
            piece.mood = Mood.CONDITION
    current: _Piece | None = None
    for piece in pieces:
        if current is None:
            current = piece
        elif (
            _parts_from_courtesy(current, piece)
            if grammar.tells(_said(current, text))
            else _begins(current, piece) or (redline and _is_next_change(current, piece))
        ):
            yield current.words, current.mood, current.form
            current = piece
        else:
            current.mood = _together(current, piece)
            current.words += piece.gap + piece.words
            current.form = piece.form or (current.form and piece.mood in _THINGS)
    if current is not None:
        yield current.words, current.mood, current.form


def _supposed(pieces: Sequence[_Piece]) -> list[_Piece]:
    """Join a supposition that stands alone to what it supposes: ", and if not, what happens on a sale"."""
    found: list[_Piece] = []
    for piece in pieces:
        before = found[-1] if found else None
        if before is not None and _hangs(before) and supposition(before.words) == len(before.words):
            before.words += piece.gap + piece.words
        else:
            found.append(piece)
    return found


def _hangs(piece: _Piece) -> bool:
    return bool(piece.joined) or piece.comma


def _asks_if_so(piece: _Piece) -> bool:
    """Tell whether a piece asks on from an answer: "and if so what interest would be due", "if they do, by when"."""
    rest = supposed(piece.words)
    return _hangs(piece) and 0 < len(rest) < len(piece.words) and asks(rest)


def _supposing_mood(piece: _Piece) -> Mood:
    own = mood_of(supposed(piece.words))
    return own if own in _OPEN else Mood.INQUIRY


def _after(said: _Piece, piece: _Piece) -> _Piece:
    """Return what a verb behind a conjunction may go on from: a statement, over the names that hang on it."""
    return said if piece.mood is Mood.NAME else piece


def _is_with(before: _Piece, piece: _Piece) -> bool:
    """Tell whether a piece says with what every answer is to come: "…, with the rule beside every date"."""
    if not piece.comma or low(piece.words[0]) != "with" or before.mood in (Mood.QUESTION, Mood.INQUIRY):
        return False
    for_each = any(low(w) in ("each", "every") for w in piece.words)
    return for_each or (piece.words[-1].tag in ("VVN", "VVD") and not any(w.tag == "NP0" for w in piece.words))


def _mood(before: _Piece, piece: _Piece, grammar: Grammar) -> Mood:
    """Return the mood of a piece; a verb behind a conjunction has the subject of the statement before it."""
    mood = grammar.mood(piece.words)
    verb = statement_verb(before.words) if before.mood is Mood.STATEMENT and piece.joined else None
    first = piece.words[opening(piece.words)]
    if verb is None:
        return mood
    many = any(w.tag in ("PNP", "NN2") for w in before.words[max(0, verb - 2) : verb])
    if any(low(w) == "please" for w in piece.words):
        return mood
    if first.tag in _PREDICATES or (first.tag in ("VVB", "VVI", "VHB") and mood is Mood.REQUEST and many):
        return grammar.mood([*before.words[:verb], *piece.words[opening(piece.words) :]])
    return mood


def _is_subject(piece: _Piece) -> bool:
    return piece.words[opening(piece.words)].tag in ("AT0", "DPS", "NP0", "PNP", "CRD", "DT0")


def _last(piece: _Piece) -> Word:
    """Return the last word of a piece, before its marks."""
    return next((w for w in reversed(piece.words) if w.tag != "PUN"), piece.words[-1])


def _is_person(piece: _Piece) -> bool:
    """Tell whether a piece is nothing but somebody's name, or a pronoun for one."""
    return all(w.tag in ("PNP", "NP0", "PUN") for w in piece.words)


def _is_time(words: Words) -> bool:
    """Tell whether "when" or "where" begins a clause that hangs on another: "when we bought it, …"."""
    head = words[opening(words) :]
    return low(head[0]) in ("when", "where") and len(head) > 2 and not head[1].tag.startswith(("V", "PUN"))


def _said(piece: _Piece, text: str) -> str:
    return text[piece.words[0].start : piece.words[-1].end]


def _pieces(words: Words, kept: Sequence[tuple[int, int]]) -> list[_Piece]:
    """Part words at each comma and conjunction outside brackets and names."""
    found = [_Piece()]
    depth = 0
    inside = {at for a, b in kept for at in range(a, b)}
    for n, word in enumerate(words):
        depth += (word.text in "([") - (word.text in ")]")
        if (
            depth <= 0
            and word.start not in inside
            and (word.text == "," or low(word) in ("and", "but", "or", "plus", "nor"))
        ):
            if not n and word.text != ",":
                found[-1].words.append(word)  # "And the side letter?"
                continue
            year = word.text == "," and n + 1 < len(words) and words[n + 1].text[:2] in ("19", "20")
            if not year:
                if found[-1].words:
                    found.append(_Piece())
                found[-1].gap.append(word)
                found[-1].comma |= word.text == ","
                found[-1].joined = low(word) if word.text != "," else found[-1].joined
                continue
        if low(word) == "also" and found[-1].joined and not found[-1].words:
            found[-1].gap.append(word)
            continue
        found[-1].words.append(word)
    return [p for p in found if p.words]


def _parts_from_courtesy(current: _Piece, piece: _Piece) -> bool:
    """Tell whether a piece goes on from a courtesy to something else: "thanks and have a nice day" does not."""
    asks = any(low(w) in WH for w in piece.words)  # "be so kind and tell me what it is"
    return piece.mood not in _THINGS and (
        asks or not (piece.mood is Mood.REQUEST and piece.joined and current.mood is Mood.REQUEST)
    )


def _begins(current: _Piece, piece: _Piece) -> bool:
    """Tell whether a piece begins a clause of its own."""
    if _asks_if_so(piece):
        return True
    if current.mood is Mood.CONDITION or (piece.joined == "or" and piece.mood is not Mood.QUESTION):
        return False
    if current.mood is Mood.HANGING and piece.mood is Mood.REQUEST:
        return False  # "pursuant to our engagement, furnish"
    if piece.form or current.form:
        return piece.form or piece.mood not in _THINGS or bool(piece.joined)
    if current.mood is Mood.NOTHING or (current.mood is Mood.HANGING and piece.mood is not Mood.NAME):
        return False
    if _goes_on(current, piece):
        return False
    if piece.mood is Mood.QUESTION:
        return len(piece.words) > _QUESTION or current.mood in (Mood.QUESTION, Mood.INQUIRY)
    if piece.mood is Mood.INQUIRY:
        return _asks_anew(current, piece)
    if piece.mood is Mood.REQUEST:
        return current.mood is not Mood.STATEMENT or len(piece.words) > _SHORT  # "I assume so but please check"
    if piece.mood is Mood.WISH:
        return True
    if piece.mood is Mood.STATEMENT:
        if current.mood is Mood.STATEMENT:
            return False
        own = low(piece.words[opening(piece.words)]) in FIRST or current.mood in (Mood.REQUEST, Mood.NAME)
        return piece.comma and own
    if piece.mood is Mood.CONDITION and piece.joined == "and":
        return current.mood in ASKING
    return False


def _is_next_change(current: _Piece, piece: _Piece) -> bool:
    """Tell whether a piece of a redline is a change of its own: "…, the late fee to $55"."""
    if piece.mood not in (Mood.NAME, Mood.STATEMENT) or current.mood is Mood.CONDITION:
        return False
    return _is_change(piece) and (current.mood is Mood.REQUEST or _is_change(current))


def _is_change(piece: _Piece) -> bool:
    """Tell whether words say from what or to what something is changed."""
    said = {low(w) for w in piece.words[1:]}
    figured = any(w.tag in ("CRD", "NN0", "NP0") or w.text.isdigit() for w in piece.words)
    return "instead" in said or statement_verb(piece.words) is not None or (bool(_CHANGE & said) and figured)


def _goes_on(current: _Piece, piece: _Piece) -> bool:
    """Tell whether a piece shares what stands before it with the piece before: "can they come and inspect it".

    So does the second half of a condition ("if they ask and we do not answer"), and the question of which only the
    question word stands before ("where and by whom is it decided").
    """
    hangs = next((n for n, w in enumerate(current.words) if n and w.tag == "CJS"), len(current.words))
    if not any(w.tag.startswith("V") for w in current.words[:hangs]) and current.mood is Mood.INQUIRY:
        return (len(current.words) <= _SHORT and bool(piece.joined)) or (
            not piece.joined and piece.mood is Mood.QUESTION
        )
    if piece.comma or piece.joined not in ("and", "or"):
        return False
    depends = [w for w in current.words[1:] if w.tag == "CJS" or low(w) in ("if", "when", "once", "unless")]
    if piece.mood is Mood.STATEMENT and low(current.words[0]) not in _HANGS_ON:
        return bool(depends)
    asked = current.mood in (Mood.QUESTION, Mood.INQUIRY, Mood.CONDITION)
    return (
        asked and piece.mood is Mood.REQUEST and piece.words[0].tag in ("VVB", "VVI", "VBI", "VDB", "VHB", "VDI", "VHI")
    )


def _asks_anew(current: _Piece, piece: _Piece) -> bool:
    """Tell whether a question word begins a clause of its own, and is neither a tail nor hangs on a noun."""
    at = opening(piece.words)
    head = piece.words[at:]
    tail = not any(w.tag.startswith("V") for w in head) and len(head) <= _TAIL and current.mood in ASKING
    if tail and (piece.joined or not any(w.tag.startswith("NN") for w in head)):
        return False
    first = low(head[0])
    if piece.joined in ("and", "but", "plus", "nor"):
        return True
    if current.mood is Mood.STATEMENT:
        return piece.comma and any(low(w) == first for w in current.words)  # "when she was hired, when she complained"
    relative = first in _HANGS_ON or (head[0].tag in ("PRP", "PRF") and low(head[1]) in _HANGS_ON)
    if not relative:
        return True
    return current.mood in (Mood.INQUIRY, Mood.QUESTION) or any(low(w) in WH for w in current.words[:6])


def _together(current: _Piece, piece: _Piece) -> Mood:
    """Return the mood of two pieces that are one clause."""
    if current.mood in (Mood.CONDITION, Mood.NOTHING):
        return piece.mood if piece.mood is not Mood.NOTHING else current.mood
    if current.mood is Mood.HANGING:
        return piece.mood if piece.mood not in (Mood.HANGING, Mood.NOTHING) else current.mood
    if piece.mood is Mood.QUESTION and current.mood is Mood.STATEMENT:
        return Mood.QUESTION
    if piece.mood is Mood.STATEMENT and piece.joined == "and" and not piece.comma and _is_person(current):
        return Mood.STATEMENT  # "he and Mr. Moskona signed it"
    if piece.mood is Mood.REQUEST and current.mood is Mood.STATEMENT:
        return Mood.WISH
    if current.mood is Mood.NAME and piece.words[opening(piece.words)].tag in _PREDICATES and _is_subject(current):
        return Mood.STATEMENT  # "the tenant, a bakery, moved out"
    return current.mood
