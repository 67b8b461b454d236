"""The headings of a paper: short lines of their own, whatever numbers them, and what they are about."""

from __future__ import annotations

import re

from tasks.drafting.extraction.scanning.cues import Cues

_LONGEST = 90  # characters of a heading
_MARK = re.compile(
    r"[\s#*_>]*(?:(?:section|article|part)\s+)?(?:(?:[ivxlc]{1,6}|\d{1,3}(?:\.\d{1,2})*|[a-z])\s*[.):–-]+\s*)?[*_]*",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.;,]\W*$")


def headings(text: str, cues: Cues) -> list[tuple[int, str]]:
    """Return where the headings of a text stand that a cue knows, and what each is about."""
    found, at = [], 0
    for line in text.split("\n"):
        words = line.strip()
        if words and len(words) < _LONGEST and not _SENTENCE.search(words):
            mark = _MARK.match(line)
            said = line[mark.end() if mark else 0 :]
            hit = cues.first("heading", said) if said[:1].isupper() else None
            if hit and hit.start == 0:
                found.append((at, hit.name))
        at += len(line) + 1
    return found
