"""How questions ask and sentences answer, compiled from the words of a harness (``knowledge_db/data/questions``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from knowledge_db import KnowledgeBase
from knowledge_db.records import BriefCue


@dataclass(frozen=True)
class BriefCues:
    """The cues of a brief; the uses are explained in ``knowledge_db.records.BriefCue``.

    Attributes:
        question: Meets a sentence that is a question.
        halves: Where a question with two halves is parted.
        output: The naming of the files.
        forms: What asks for each check of the form of the work product.
        wants: What a question wants to know: a duration, a date, an amount, a person.
        filler: Meets a word that says nothing of what a question is about.
        reported: Meets a sentence that tells what somebody says, wants or asks.
        outcome: Meets a clause that tells a consequence.
        which: Meets a question which of several papers it is.
        poses: What a question that is answered by yes or no poses, the first that fires.
        stances: What an operative clause does to what it speaks of.
    """

    question: re.Pattern[str]
    halves: re.Pattern[str]
    mere: re.Pattern[str]
    output: re.Pattern[str]
    leading: re.Pattern[str]
    trailing: re.Pattern[str]
    vague: re.Pattern[str]
    forms: Mapping[str, re.Pattern[str]]
    wants: Mapping[str, re.Pattern[str]]
    filler: re.Pattern[str]
    reported: re.Pattern[str]
    outcome: re.Pattern[str]
    which: re.Pattern[str]
    poses: Mapping[str, re.Pattern[str]]
    stances: Mapping[str, re.Pattern[str]]


@lru_cache(maxsize=4)
def cues_of(knowledge: KnowledgeBase) -> BriefCues:
    """Return the cues of a harness, compiled once in a process."""
    rows = knowledge.questions
    words = {use: _any(p for row in rows if row.use == use for p in row.patterns) for use in _PLAIN}
    file = words["file"]
    return BriefCues(
        question=_compiled(
            rf"\?\W*$|^(?:{words['opener']} )*{words['ask']}?\s*(?:to |on |about )?"
            rf"(?:in |on |under |for |by |from )?{words['question_word']}\b"
        ),
        halves=_compiled(
            rf"(?:,\s*|\s)(?:and|or)\s+(?=(?:(?:on|at|by|for|in|under) )?{words['second_question_word']}\b)"
        ),
        mere=_compiled(words["mere"]),
        output=_compiled(rf"(?:^|\n)#*\s*{file}\b\s*:?.*|\b{file}\s*:\s.*", re.S),
        leading=_compiled(rf"^{words['leading']}\s+"),
        trailing=_compiled(rf"\s+{words['trailing']}$"),
        vague=_compiled(rf"(?:{words['vague']} ?)*"),
        forms=_named(rows, "form"),
        wants=_named(rows, "want"),
        filler=_compiled(words["filler"]),
        reported=_compiled(rf"\b{words['reported']}\b"),
        outcome=_compiled(rf"\b{words['outcome']}\b"),
        which=_compiled(rf"\b{words['which']}"),
        poses=_named(rows, "pose"),
        stances=_named(rows, "stance"),
    )


_PLAIN = (
    "opener", "ask", "question_word", "second_question_word", "mere", "file", "leading", "trailing", "vague", "filler",
    "reported", "outcome", "which",
)  # fmt: skip


def _named(rows: Iterable[BriefCue], use: str) -> dict[str, re.Pattern[str]]:
    """Return the patterns of a use by their names."""
    return {row.name: _compiled(_any(row.patterns)) for row in rows if row.use == use}


def _any(patterns: Iterable[str]) -> str:
    """Return one pattern that meets what any of them does; none meets nothing."""
    return f"(?:{'|'.join(patterns) or '(?!)'})"


def _compiled(pattern: str, flags: re.RegexFlag = re.I) -> re.Pattern[str]:
    return re.compile(pattern, flags | re.I)
