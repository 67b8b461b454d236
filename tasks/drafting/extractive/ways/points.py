"""The numbered points of a message that a brief accepts or refuses: "accept her point (2)"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tasks.asks.changes import read_changes
from tasks.asks.changing.record import Change
from tasks.asks.cues import BriefCues
from tasks.sources.records import CanonicalText

_POINT = re.compile(
    r"^[ \t]*\(?(?P<number>\d{1,2})[.)][ \t]+(?P<words>.+(?:\n(?![ \t]*(?:\n|\(?\d{1,2}[.)])).*){0,20})", re.M
)
_MESSAGES = frozenset({"eml", "msg"})


def resolved(
    asked: Sequence[Change], texts: Mapping[str, CanonicalText], bases: Sequence[str], cues: BriefCues
) -> list[Change]:
    """Return the changes with each point that is spoken of read as what it says; it keeps its words of the brief.

    Args:
        asked: What the brief instructs.
        texts: The papers.
        bases: Those that may be marked up; the points stand in another paper, or in a message.
        cues: How briefs speak.
    """
    if not any(c.points for c in asked):
        return list(asked)
    others = [t for n, t in texts.items() if t.media in _MESSAGES or n not in bases[:1]]
    others.sort(key=lambda t: t.media not in _MESSAGES)
    return [c for change in asked for c in (_read(change, others, cues) if change.points else [change])]


def _read(change: Change, others: Sequence[CanonicalText], cues: BriefCues) -> Iterator[Change]:
    for number in change.points:
        words = next((w for t in others if (w := _point(t.text, number))), "")
        found = (
            [c for c in read_changes(words, cues, wanted=True) if c.kind not in {"none", "take", "refuse"}]
            if words
            else []
        )
        if not found:
            yield replace(change, kind="other", what=f"point {number}")
        for one in found:
            own = replace(one, item=change.item, start=change.start, end=change.end)
            if change.kind == "take":
                yield replace(own, new=change.new) if change.new and own.kind == "replace" else own
            elif one.kind in {"replace", "delete"}:
                yield replace(own, kind="keep")


def _point(text: str, number: int) -> str:
    """Return the words of a numbered point; empty where the text numbers none so, or does so twice."""
    having = [m["words"] for m in _POINT.finditer(text) if int(m["number"]) == number]
    return having[0] if len(having) == 1 else ""
