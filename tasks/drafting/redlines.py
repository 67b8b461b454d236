"""Which deliverables must be redlines, and of which document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from tasks.matter.records import Deliverable, Matter
from tasks.sources.records import CanonicalText

_NAMED = re.compile(r"red-?line|mark-?up|marked|blackline|tracked|counter-?draft|counter-?turn", re.I)
_OTHER = re.compile(r"memo|report|summary|analysis|log|list|letter|note|review|matrix|table|chart|deviation", re.I)
# A redline is asked for, not one that somebody made to be reviewed.
_ASKED = re.compile(
    r"(?:^|[.;:!?,]\s+|\b(?:and|please|then|to|you|must|should|also)\s+)(?:redline|mark[ -]?up|black-?line)\s+"
    r"(?!(?:from|of|by|received)\b)(?:\w|[“\"'])|\b(?:in|with|as|using|show\w*)\s+(?:real |visible )?tracked changes\b"
    r"|\b(?:prepare|produce|draft|create|make|provide|return|generate)\s+(?:an? |the |our |your )?(?:\w+ ){0,2}?"
    r"(?:redline|mark-?up|marked[- ]up|blackline)\b",
    re.I | re.M,
)
# A redline of somebody else's is read, and the file is what was found in it.
_REVIEWED = re.compile(
    r"\b(?:review|check|compare|analy[sz]e|assess|summari[sz]e)\s+(?:\S{1,30} ){0,4}(?:redline|mark-?up|blackline)\b",
    re.I,
)
_BASE = frozenset({"docx", "pdf", "txt", "md", "html"})
_BY_FILE_NAME = 10.0  # points, more than the words of a name and a title give
_ELSEWHERE = 0.1  # of a word of its name that the request has elsewhere: it parts papers that fit alike


def redlines_of(matter: Matter) -> tuple[str, ...]:
    """Return the names of the Word files that must mark up a document of the matter."""
    words = [d for d in matter.deliverables if d.suffix == ".docx"]
    named = [d for d in words if _is_redline(_stem(d))]
    if named and not _REVIEWED.search(matter.instructions):
        return tuple(d.filename for d in named)
    if named or not _ASKED.search(matter.instructions):
        return tuple(d.filename for d in named if _ASKED.search(matter.instructions) or len(matter.documents) == 1)
    plain = [d for d in words if not _OTHER.search(_stem(d))]
    return tuple(d.filename for d in plain[:1])


def _is_redline(stem: str) -> bool:
    """Tell by its name whether a file is a redline, and not a note on one: the last word that tells it counts."""
    marked, other = (max((m.start() for m in p.finditer(stem)), default=-1) for p in (_NAMED, _OTHER))
    return marked > other


def bases_of(matter: Matter, texts: Mapping[str, CanonicalText]) -> list[str]:
    """Return the documents that may have to be marked up, the most likely first."""
    asked = f"{matter.title}. {matter.instructions}"
    able = [n for n in sorted(texts) if texts[n].media in _BASE and texts[n].text.strip()]
    return sorted(able, key=lambda n: (-_named_by(asked, texts[n]), texts[n].media != "docx", n))


def _named_by(asked: str, text: CanonicalText) -> float:
    """Score how clearly a request names a document: by its file name, else by the words of its name and title."""
    name = PurePosixPath(text.document)
    if re.search(rf"(?<!\w){re.escape(name.name)}(?!\w)", asked, re.I):
        return _BY_FILE_NAME
    words = set(_words(f"{name.stem} {text.text[:200]}"))
    first = re.search(r"(?:redline|mark[ -]?up|black-?line)\s+(?:up\s+)?([^.;:]{3,120})", asked, re.I)
    return float(len(words & set(_words(first[1])))) + _ELSEWHERE * len(words & set(_words(asked))) if first else 0.0


def _words(text: str) -> Sequence[str]:
    return [w for w in re.findall(r"[a-z]{4,}", text.lower()) if w not in {"this", "that", "from", "with", "docx"}]


def _stem(deliverable: Deliverable) -> str:
    return PurePosixPath(deliverable.filename).stem
