"""What the words of the knowledge say in a stretch of a paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from knowledge_db.records import LitigationCue


@dataclass(frozen=True)
class Hit:
    """Words that a cue matches.

    Attributes:
        name: Of the cue.
        says: How a checklist says it.
        taken: What the group ``name`` of the pattern took; empty where it has none.
        at: Where that stands.
    """

    name: str
    says: str
    start: int
    end: int
    taken: str = ""
    at: int = 0


class Cues:
    """The cues of the knowledge by their use."""

    def __init__(self, rows: Sequence[LitigationCue]) -> None:
        """Take the rows; of two that match alike the earlier one counts."""
        self._rows: dict[str, list[LitigationCue]] = {}
        for row in rows:
            self._rows.setdefault(row.use, []).append(row)

    def all(self, use: str, text: str) -> list[Hit]:
        """Return the hits of the cues of one use, in order; of two that overlap, the earlier or the longer."""
        found = sorted(
            ((hit.start, -hit.end, order, hit) for order, hit in self._hits(use, text)), key=lambda one: one[:3]
        )
        kept: list[Hit] = []
        for *_, hit in found:
            if not kept or hit.start >= kept[-1].end:
                kept.append(hit)
        return kept

    def first(self, use: str, text: str) -> Hit | None:
        """Return the first of them; None where there is none."""
        return next(iter(self.all(use, text)), None)

    def says(self, use: str, text: str) -> list[str]:
        """Return the hits in the words of the checklist, each once."""
        return list(dict.fromkeys(hit.says for hit in self.all(use, text)))

    def _hits(self, use: str, text: str) -> Iterator[tuple[int, Hit]]:
        for order, row in enumerate(self._rows.get(use, ())):
            for match in _pattern(row.patterns).finditer(text):
                if match.end() > match.start():
                    yield order, _hit(row, match)


def _hit(row: LitigationCue, match: re.Match[str]) -> Hit:
    said = next((key for key, value in match.groupdict().items() if value), "")
    taken = (match[said], match.start(said)) if said else ("", 0)
    return Hit(row.name, row.says, match.start(), match.end(), *taken)


@lru_cache(maxsize=1_024)
def _pattern(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Compile the patterns of a row as one; each may take a name."""
    numbered = (p.replace("(?P<name>", f"(?P<name{at}>") for at, p in enumerate(patterns))
    starts = (r"(?<!\w)" if p[:1].isalnum() else "" for p in patterns)
    joined = "|".join(f"{start}(?:{p})" for start, p in zip(starts, numbered, strict=True))
    return re.compile(joined, re.IGNORECASE | re.MULTILINE)
