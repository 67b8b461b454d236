"""What a sentence of an amendment says of a clause: it reads anew, it is struck, words of it give way to others.

The words are data of the harness (``knowledge_db/data/questions/amends.toml``, use ``amends``); how they stand to the
number of the clause and to quotation marks is grammar, and stands here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from knowledge_db import KnowledgeBase

# "Section 3.1 (Price) of the Agreement is hereby amended …"; "by deleting Section 9 in its entirety".
_CLAUSE = re.compile(
    r"(?:Section|Clause|Paragraph|Article|§)\s*(?P<number>\d{1,3}(?:\.\d{1,3})*(?:\([a-z]{1,3}\))*)", re.I
)
_QUOTED = re.compile(r"\"(?P<new>[^\"]{3,3000})\"")
_ORDER = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "final": -1}
_WHICH = rf"(?P<which>{'|'.join(_ORDER)}) sentence"


@dataclass(frozen=True)
class AmendedClause:
    """What a sentence of an amendment says of a clause.

    Attributes:
        clause: The number of the clause.
        old: Words that are taken out of it; empty where the whole of it, or a sentence, is spoken of.
        new: What stands in their place; empty where they are struck, None where the amendment does not quote it.
        sentence: Which sentence of the clause is struck, counted from 0, from -1 backwards; None where none is named.
    """

    clause: str
    old: str = ""
    new: str | None = None
    sentence: int | None = None


class AmendingCues:
    """Reads the sentences of an amendment by the words of a harness."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        """Compile the words."""
        rows = [row for row in knowledge.questions if row.use == "amends"]
        self._words = {n: f"(?:{'|'.join(w for row in rows if row.name == n for w in row.patterns)})" for n in _NAMES}
        self._words = {n: "(?!)" if w == "(?:)" else w for n, w in self._words.items()}
        self._changes = self._compiled(r"\b{changes}\b")
        self._reads = self._compiled(r"\b{reads}\b[^\"]{0,60}\"")
        self._strikes = self._compiled(r"\b(?:is|are) (?:hereby )?{strikes}\b")
        self._sentence = self._compiled(
            rf"\b{{takes}} (?:its|the|that) {_WHICH}\b",
            rf"\b{_WHICH} of\b[^.\"]{{0,80}}\b(?:is|are) (?:hereby )?{{strikes}}",
        )
        self._words_of = self._compiled(
            r"{takes}[^\"]{0,60}\"(?P<old>[^\"]{1,300})\"[^\"]{0,80}\b{puts}\b[^\"]{0,40}\"(?P<new>[^\"]{0,600})\"",
            r"\"(?P<old>[^\"]{1,300})\" (?:is|are|shall be) (?:hereby )?{exchanges} {puts} \"(?P<new>[^\"]{0,600})\"",
        )

    def _compiled(self, *forms: str) -> tuple[re.Pattern[str], ...]:
        made = forms
        for name, words in self._words.items():
            made = tuple(form.replace(f"{{{name}}}", words) for form in made)
        return tuple(re.compile(form, re.I) for form in made)

    def read(self, text: str) -> AmendedClause | None:
        """Return the change that a sentence (with straight quotes) makes to a clause; None if it makes none."""
        named = _CLAUSE.search(text)
        if named is None or not _met(self._changes, re.sub(r"\"[^\"]*\"", "", text)) or _quoted(text, named.start()):
            return None
        clause = named["number"]
        if words := _met(self._words_of, text):
            return AmendedClause(clause, words["old"], words["new"])
        if sentence := _met(self._sentence, text):
            return AmendedClause(clause, new="", sentence=_ORDER[sentence["which"].lower()])
        quoted = _QUOTED.search(text, named.end()) if _met(self._reads, text) else None
        struck = "" if _met(self._strikes, text) and '"' not in text else None
        return AmendedClause(clause, new=quoted["new"] if quoted else struck)


_NAMES = ("changes", "reads", "strikes", "takes", "puts", "exchanges")


@lru_cache(maxsize=4)
def amending_cues(knowledge: KnowledgeBase) -> AmendingCues:
    """Return the cues of a harness, compiled once in a process."""
    return AmendingCues(knowledge)


def _met(patterns: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    return next((m for pattern in patterns if (m := pattern.search(text))), None)


def _quoted(text: str, at: int) -> bool:
    """Tell whether a place of a text stands within quotation marks."""
    return text[:at].count('"') % 2 == 1
