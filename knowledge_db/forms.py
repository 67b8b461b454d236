"""Which form a deliverable has: the type that its file name, title and brief speak for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from knowledge_db.records import DeliverableType

FALLBACK_TYPES = ("memorandum", "matrix")  # the general form of prose and of tables
# What a brief asks to be drafted.
_DRAFTED = re.compile(r"\b(?:draft|prepare|write|draw up|produce)\b[^.;\n]{0,60}")
# What a brief asks about papers that are there: an answer in "nda.docx" is no agreement.
_ASKED_OF = re.compile(
    r"\?|\b(?:for (?:each|every|all)|summari[sz]e|compare|identify|list|review|analy[sz]e|explain)\b"
)
_QUESTION = re.compile(r"[^.?!\n]*\?")  # it names what it asks about: "must a notice go out by mail?" orders no notice
# Words of a file name that ask for a paper about an instrument, not for the instrument.
_ABOUT = re.compile(
    r"(?<![a-z])(?:abstract|summary|memo|memorandum|matrix|review|chronology|timeline|checklist|tracker|report|analysis"
    r"|chart|list|log|table|comparison|outline|digest)s?(?![a-z])"
)
_WORD = 0.25  # what each further word of a cue adds to its weight; chosen by eye


def form_of(
    kinds: Sequence[DeliverableType], filename: str, title: str, instructions: str
) -> tuple[float, str, DeliverableType]:
    """Return the type of a deliverable with its score and the reason; the general one where nothing speaks for any."""
    scored = [_fit(kind, filename, title, instructions) for kind in kinds]
    scored = _about(filename, instructions, [item for item in scored if item[0] > 0 and _may_end(item[2], filename)])
    if scored:
        return min(scored, key=lambda item: (-item[0], item[2].type_id))
    general = sorted((k for k in kinds if k.type_id in FALLBACK_TYPES), key=_rank)
    kind = next((k for k in general if _may_end(k, filename)), general[0])
    return 0.0, "no cue in the file name, title or instructions: the general form", kind


def _fit(kind: DeliverableType, filename: str, title: str, instructions: str) -> tuple[float, str, DeliverableType]:
    stem = filename.lower()
    places = (("file name", kind.filename, stem, 3.0), ("title", kind.title, title.lower(), 2.0))
    score = 0.0
    reasons: list[str] = []
    ordered = _QUESTION.sub(lambda m: m[0] if _DRAFTED.search(m[0]) else " ", instructions.lower())
    for place, cues, text, weight in (*places, ("instructions", kind.instructions, ordered, 1.0)):
        hits = [cue for cue in cues if _cue(cue).search(text)]
        # The longest cue says most: "key terms memo" beats "memo".
        score += sum(weight * (1 + _WORD * cue.count(" ")) for cue in hits[:3])
        reasons.extend(f"{place}: {cue}" for cue in hits)
    return round(score, 3), "; ".join(reasons), kind


def _rank(kind: DeliverableType) -> int:
    return FALLBACK_TYPES.index(kind.type_id)


def _may_end(kind: DeliverableType, filename: str) -> bool:
    """Say whether a type may be written as a file of that kind: no memorandum is a spreadsheet."""
    suffix = PurePosixPath(filename.lower()).suffix
    return not suffix or not kind.suffixes or suffix in kind.suffixes


def _about(
    filename: str, instructions: str, scored: list[tuple[float, str, DeliverableType]]
) -> list[tuple[float, str, DeliverableType]]:
    """Leave out instruments where a document about one is asked for: a lease abstract is not a lease."""
    if _ABOUT.search(filename.lower()) is None:
        return [item for item in scored if not _is_instrument(item[2]) or _is_drafted(item[2], filename, instructions)]
    named = [
        item
        for item in scored
        if any(_ABOUT.search(cue) and _cue(cue).search(filename.lower()) for cue in item[2].filename)
    ]
    return named or [item for item in scored if not _is_instrument(item[2])]


def _is_instrument(kind: DeliverableType) -> bool:
    return any(section.title == "Signatures" for section in kind.sections)


def _is_drafted(kind: DeliverableType, filename: str, instructions: str) -> bool:
    """Say whether words that ask for a draft name an instrument, or its file name does and nothing else is asked."""
    brief = instructions.lower()
    asked = " ".join(_DRAFTED.findall(brief))
    named = any(_cue(c).search(filename.lower()) for c in kind.filename)
    return (named and not _ASKED_OF.search(brief)) or any(
        _cue(c).search(asked) for c in (*kind.filename, *kind.instructions)
    )


@lru_cache(maxsize=8192)
def _cue(cue: str) -> re.Pattern[str]:
    words = [re.escape(word) for word in cue.lower().rstrip("*").split()]
    return re.compile(r"(?<![a-z0-9])" + r"[\s\-_]+".join(words) + ("" if cue.endswith("*") else r"s?(?![a-z0-9])"))
