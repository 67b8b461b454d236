"""Which clauses of a brief ask: whatever is no lead, no courtesy, no statement and no name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.asks.clauses import Clause, Mood
from tasks.asks.grammar import HEAD, Grammar
from tasks.asks.marks import OPEN

_ANNOUNCED = 10  # words; what is longer announces nothing, but asks
_PROPER = re.compile(r"\b[A-Z]\w+")
_OURS = re.compile(r"\W*(?:we|i|our client|they)\b", re.I)
_CONTENTS = re.compile(
    r"\b(?:above all|at least|in particular|especially)\b|^\W*(?:it|this) (?:must|should|has to|needs to)\b", re.I
)


@dataclass(frozen=True)
class Telling:
    """Tells the clauses of one brief that ask from those that tell."""

    text: str
    grammar: Grammar
    redline: bool
    found: Sequence[Clause]

    def asking(self) -> list[bool]:
        """Tell of each clause whether it asks; a lead whose items ask does not, and a brief always asks something."""
        items = [not c.leads and self._asks(c) for c in self.found]
        leads = [c.leads and not self._led(c, items) and self._asks(c) for c in self.found]
        asking = [
            (item or lead) and not (self.unfolds(n) or self._signs(c) or self._heads_changes(c))
            for n, (c, item, lead) in enumerate(zip(self.found, items, leads, strict=True))
        ]
        if any(asks and not c.form for asks, c in zip(asking, self.found, strict=True)):
            return asking
        return [bool(OPEN.search(self.words(c))) and not self.grammar.tells(self.words(c)) for c in self.found]

    def words(self, clause: Clause) -> str:
        """Return the words of a clause."""
        return self.text[slice(*clause.span)]

    def unfolds(self, at: int) -> bool:
        """Tell whether a clause asks for a paper whose contents the next sentence lists: "It has to show at least"."""
        clause = self.found[at]
        following = next((c for c in self.found[at + 1 : at + 20] if c.sentence != clause.sentence), None)
        if following is None or not self.grammar.form.match(self.words(clause)[:HEAD]):
            return False
        return bool(_CONTENTS.search(self.words(following)[:80]))

    def _heads_changes(self, clause: Clause) -> bool:
        """Tell whether a clause only asks for the redline whose changes the brief goes on to instruct."""
        words = self.words(clause)
        if not self.redline or clause.form or len(words.split()) > _ANNOUNCED or self._is_change(words):
            return False
        after = (self.words(c) for c in self.found if c.sentence > clause.sentence and not c.form)
        return bool(self.grammar.words["redline"].search(words)) and any(map(self._is_change, after))

    def _led(self, lead: Clause, asking: Sequence[bool]) -> bool:
        """Tell whether an item of a lead asks."""
        begins = lead.span[0]
        pairs = zip(asking, self.found, strict=True)
        return any(asks and c.lead and c.lead.span[0] <= begins < c.lead.span[1] for asks, c in pairs)

    def _asks(self, clause: Clause) -> bool:
        words = self.words(clause)
        if clause.form or not OPEN.search(self.grammar.onset.sub("", words)):
            return clause.form
        if words.endswith("?") or self.text[clause.span[1] : clause.span[1] + 1] == "?":
            return True
        if clause.item:
            return not self._is_told_item(clause, words)
        if self._only_reads(clause, words):
            return False
        if self.redline and self._is_change(words):
            return True
        return not self._tells(clause, words) and (self.grammar.asks(words) or self._is_wanted(clause, words))

    def _only_reads(self, clause: Clause, words: str) -> bool:
        """Tell whether a clause only tells to read papers, and is not what such a reading stands before."""
        before = self.grammar.preamble.match(self.grammar.onset.sub("", words[:HEAD]))
        alone = clause.sentence[1] - clause.span[1] < 3
        return bool(self.grammar.perusal.match(words)) and not (before and alone)

    def _is_told_item(self, clause: Clause, words: str) -> bool:
        """Tell whether an item only names papers, or tells what a later sentence of it asks about."""
        if self.grammar.names(words) and len(_PROPER.findall(words)) > 2:
            return True
        later = (c for c in self.found if c.line == clause.line and c.sentence > clause.sentence)
        return clause.listed and self._states(words) and any(not self._states(self.words(c)) for c in later)

    def _is_change(self, words: str) -> bool:
        """Tell whether a clause of a redline instructs a change; what we, or they, do is told."""
        tells = self.grammar.tells(words) or _OURS.match(words)
        return bool(self.grammar.words["change"].search(words)) and not tells

    def _tells(self, clause: Clause, words: str) -> bool:
        """Tell whether a clause is a courtesy, or an item of a list of facts."""
        if self.grammar.tells(words) and not self.grammar.commanded.match(words):
            return True
        if clause.lead is None or clause.lead.mood is not Mood.TELLS:
            return False
        near = clause.listed or clause.sentence[0] <= clause.lead.span[0]
        return near and not self.grammar.inquiring.search(words[:HEAD])

    def _is_wanted(self, clause: Clause, words: str) -> bool:
        """Tell whether words without a verb name a thing that is asked for."""
        told = clause.lead is not None and clause.lead.mood is Mood.TELLS
        named = self.grammar.names(words) or (clause.leads and len(words.split()) == 1)
        announced = len(words.split()) <= _ANNOUNCED and self.grammar.announces(words)
        return not (told or named or announced or self._states(words))

    def _states(self, words: str) -> bool:
        return self.grammar.states(words) and not self.grammar.asks(words)

    def _signs(self, clause: Clause) -> bool:
        """Tell whether a clause is a line of its own with a name on it: who writes, or to whom."""
        a, b = clause.span
        words = self.text[a:b].split()
        if len(words) > 3 or not all(w[0].isupper() for w in words) or self.text[b : b + 1] == "?":
            return False
        before, after = self.text[:a].rstrip(" \t"), self.text[b:].lstrip(" ,.\t")
        line = before.rstrip()
        courteous = self.grammar.tells(line[line.rfind("\n") + 1 :])
        return (before.endswith("\n\n") or not line or courteous) and (after.startswith("\n\n") or not after.strip())
