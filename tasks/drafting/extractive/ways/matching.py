"""Whether a sentence says what is asked: the right person acts, it happened, and no condition applies."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.notions import is_denied
from tasks.drafting.extractive.ways.question import ITS_OWN, Part
from tasks.drafting.extractive.ways.weighing import Weighed
from tasks.legaltext.fold import straight
from tasks.legaltext.parts_of_speech import tagged

_CONDITION = re.compile(r"(?:^|(?<=[\s,;(]))(?:if|unless|whether or not|whether|in the event)\b[^,;]*", re.I)
_FORCE = re.compile(r"\b(?:shall|will|must|may|agrees?|undertakes?|represents?)\b", re.I)
_PAST = ("VBD", "VVD", "VHD", "VDD")
_PRESENT = ("VM0", "VBZ", "VBB", "VVZ", "VHZ", "VDZ")
_PERFECT, _DONE = ("VHZ", "VHB"), ("VBN", "VVN")
_SUBJECT = 4  # words of a question within which its subject stands
_MOST = 60  # words of a sentence that are read for its tense


def asserted(clause: str) -> str:
    """Return what a clause says on no condition: "if the owner dies, the lease ends" says that the lease ends."""
    return _CONDITION.sub(" ", straight(clause))


def only_supposed(part: Part, found: Weighed, room: Room) -> bool:
    """Tell whether a sentence mentions what is asked only in a condition."""
    plain = found.line.plain
    said, whole = room.notions.spoken(asserted(plain)), room.notions.spoken(plain)
    return any(n.met(whole) and not n.met(said) for n in part.notions if n.share >= ITS_OWN)


def tells_a_rule(part: Part, found: Weighed) -> bool:
    """Tell whether the question asks what happened, while the sentence only says what is or shall be.

    "What bonus was paid" is not answered by "the bonus is 40 percent".
    """
    if not _is_past([w.tag for w in tagged(part.words) if w.tag.startswith("V")][:2]):
        return False
    verbs = [w.tag for w in tagged(found.line.plain)[:_MOST] if w.tag.startswith("V")]
    return any(t in _PRESENT for t in verbs) and not any(map(_is_past, zip(verbs, [*verbs[1:], ""], strict=True)))


def _is_past(verbs: Sequence[str]) -> bool:
    """Tell whether the first of two verbs is past, or has what is past behind it: "was", "has been"."""
    first, second = (*verbs, "", "")[:2]
    return first in _PAST or (first in _PERFECT and second in _DONE)


def another_acts(part: Part, found: Weighed, room: Room) -> bool:
    """Tell whether the person asked about is named in a sentence only after another person's duty."""
    force = _FORCE.search(found.line.plain)
    if force is None:
        return False
    subject = part.words.split()[1:_SUBJECT]
    actor = next((n for n in part.notions if n.named and n.words in subject), None)
    before, whole = room.notions.spoken(found.line.plain[: force.start()]), found.line.said
    return actor is not None and bool(actor.met(whole)) and not actor.met(before)


def is_turned(part: Part, clause: str, room: Room) -> bool:
    """Tell whether a clause denies with one word what is asked: "non-exclusive", where exclusive is asked for."""
    words = room.notions.words(clause)
    return any(
        (met := [w for w in words if n.keys & w.keys]) and all(is_denied(w.raw) for w in met) for n in part.notions
    )
