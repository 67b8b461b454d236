"""What an ask is about, complete in itself: the lead of its list, and what its pronouns stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.asks.clauses import Clause, Pull, Span
from tasks.asks.grammar import HEAD, Grammar
from tasks.asks.records import Ask
from tasks.asks.telling import Telling

_REFERS = re.compile(
    r"^\W*(?:and |or |but |also |then )*(?:that|this|those|these|if so|otherwise|then)\b"
    r"|^\W*(?:and|or|but|what about|how about)\b(?!.*\b(?:is|are|do|does|did|can|may|must|will|would|has|have|was|were"
    r"|should|what|who|how|when|which|where)\b)"
    r"|\b(?:it|they|them|such|the same)\b|\b(?:that|this|those|these|then|there)\W*$",
    re.I,
)
_NOUN = re.compile(
    r"\b(?:the|an?|our|your|each|every|both|any|all)\s+\w|(?-i:\s[A-Z]\w)|'s\s",
    re.I,
)
_BACK = 400  # characters; a pronoun stands for nothing farther away
_LONGEST = 300  # characters of what a pronoun stands for


def refers(words: str) -> bool:
    """Tell whether a pronoun of a clause stands for something outside it: nothing in it could be meant."""
    found = _REFERS.search(words[:HEAD])
    return found is not None and not _NOUN.search(words, 0, found.start())


@dataclass(frozen=True)
class Subjects:
    """Completes the words of asks by those around them."""

    telling: Telling
    grammar: Grammar

    def lead_of(self, clause: Clause) -> str:
        """Return the words that lead to the list of which a clause is an item."""
        if clause.lead:
            return self.telling.text[slice(*clause.lead.span)]
        return ""

    def subject(self, clause: Clause, span: Span, before: Sequence[Ask]) -> str:
        """Return what is asked about: an item with its lead and the papers of which it is asked, a pronoun resolved.

        Args:
            clause: The clause of the ask.
            span: Its words, an item of the clause or the whole.
            before: The asks before it.
        """
        text = self.telling.text
        words, tail = text[slice(*span)], text[span[1] : clause.span[1]]
        scope = self.grammar.scope.search(tail) if span[1] < clause.span[1] else None
        told = clause.lead is not None and clause.lead.pull is Pull.TELLS
        said = [
            "" if told else self.lead_of(clause),
            self._meant(clause, before)
            if refers(words) and not clause.form and not (clause.item and clause.lead)
            else "",
            words,
            scope.group() if scope else "",
        ]
        return " ".join(" ".join(s.split()) for s in said if s.strip())

    def _meant(self, clause: Clause, before: Sequence[Ask]) -> str:
        """Return what a pronoun stands for: the clause before it in its line, else the ask before it."""
        earlier = [c for c in self.telling.found if c.line == clause.line and c.span < clause.span]
        earlier = [c for c in earlier if not c.form and not (clause.lead and c.span == clause.lead.span)]
        if earlier:
            return self.telling.words(earlier[-1])
        near = bool(before) and before[-1].end > clause.span[0] - _BACK
        return f"{before[-1].subject[-_LONGEST:]};" if near else ""
