"""What an ask is about, complete in itself: the lead of its list, and what its pronouns stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tasks.asks.antecedents import Referents, SpokenClause, is_bare, said_with
from tasks.asks.clauses import BriefClause, Pull, Span
from tasks.asks.grammar import HEAD, Grammar
from tasks.asks.moods import ASKING, Mood, Words, mood_of
from tasks.asks.records import Ask, AskKind
from tasks.asks.supposing import denies, is_tail, supposed
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
_CONTEXT = re.compile(r" \((.{12,})\)$")  # that an ask before has already
_POINTS = re.compile(
    r"^\W*(?:and |or |but )*(?:that|this|those|these|if so|if not|otherwise)\b"
    r"|\b(?:the same|same (?:for|with|of)|such|the other(?: one)?|the former|the latter)\W*(?!\s+(?:side|party)|\w)"
    r"|\b(?:that|this|those|these|then|there|so)\W*$|\bsame (?:for|with)\b",
    re.I,
)
_WHETHER = re.compile(r"^(?:\S+ ){0,8}?whether (?=\S)", re.I)  # "by how much" of "whether the fee can rise"
_LONGEST = 300  # characters of what a pronoun stands for


def refers(words: str) -> bool:
    """Tell whether a pronoun of a clause stands for something outside it: nothing in it could be meant."""
    found = _REFERS.search(words[:HEAD])
    return found is not None and not _NOUN.search(words, 0, found.start())


def _shared(clause: BriefClause, words: Words, text: str) -> str:
    """Return what a place of a list shares with the first of its kind: the penalty of "the penalty on A, on B"."""
    earlier = [w for w in clause.words if words and w.end <= words[0].start]
    if not earlier or words[0].tag != "PRP":
        return ""
    same = next((w for w in earlier if w.tag == "PRP" and w.text.lower() == words[0].text.lower()), None)
    return text[clause.span[0] : same.start] if same and same.start > clause.span[0] else ""


@dataclass(frozen=True)
class Subjects:
    """Completes the words of asks by those around them."""

    telling: Telling
    grammar: Grammar

    def lead_of(self, clause: BriefClause) -> str:
        """Return the words that lead to the list of which a clause is an item."""
        if clause.lead:
            return self.telling.text[slice(*clause.lead.span)]
        return ""

    def subject(self, clause: BriefClause, span: Span, before: Sequence[Ask]) -> str:
        """Return an ask as it is understood alone: its list's lead before it, what its pronouns stand for in it.

        What it goes on about stands behind it in brackets where its own words do not tell.
        """
        text = self.telling.text
        words = [w for w in clause.words if span[0] <= w.start and w.end <= span[1]]
        rest = supposed(words)
        start = rest[0].start if rest and not denies(words) else span[0]
        found = [(p, n) for p, n in self.referents.found.get(clause.span[0], ()) if start <= p.start < span[1]]
        scope = self.grammar.scope.search(text[span[1] : clause.span[1]]) if span[1] < clause.span[1] else None
        shared = _shared(clause, words, text)
        said = (self._led(clause, span), shared, said_with(text, start, span[1], found), scope.group() if scope else "")
        whole = " ".join(" ".join(s.split()) for s in said if s.strip())
        bare = is_bare(words) and not said[0] and not shared and not any(phrase.person == "" for _, phrase in found)
        adds = bool(words) and words[0].tag == "CJC" and not any(w.tag.startswith("V") for w in words)
        tail = (is_tail(words) or len(rest) < len(words)) and not said[0] and not any(n.known for _, n in found)
        points = adds or _POINTS.search(whole[:HEAD]) is not None  # "And the side letter?"
        if clause.form or not (bare or points or tail):
            return whole
        context = self._goes_on_from(clause, before, far=points)
        if not context or context in whole:
            return whole
        led = _WHETHER.search(context) if is_tail(words) and not denies(words) else None
        return f"{whole} {context[led.end() :]}" if led else f"{whole} ({context})"

    def _led(self, clause: BriefClause, span: Span) -> str:
        """Return the lead of a list where its item needs it: its topic, or the question or thing that it completes."""
        lead = self.telling.by_span.get(clause.lead.span) if clause.lead else None
        if lead is None or lead.form or (clause.lead and clause.lead.pull is Pull.TELLS):
            return ""
        if not any(w.tag.startswith(("NN", "NP", "UNC")) for w in lead.words):
            return ""
        asked = lead.mood in (Mood.REQUEST, Mood.WISH)
        item = mood_of([w for w in clause.words if span[0] <= w.start and w.end <= span[1]])
        if asked and item not in (Mood.NAME, Mood.HANGING):
            return ""
        mark = "" if lead.mood in ASKING and not asked else ":"
        return f"{self.telling.words(lead)}{mark}"

    def _goes_on_from(self, clause: BriefClause, before: Sequence[Ask], *, far: bool) -> str:
        """Return what an ask goes on about: what is told just before it in its line, else the ask before it."""
        found = self.telling.found
        at = self.telling.places.get(clause.span, 0)
        said = found[at - 1] if at and found[at - 1].line == clause.line else None
        led = clause.lead and said and said.span == clause.lead.span
        tells = said and said.mood in (Mood.STATEMENT, Mood.CONDITION) and not said.form and not led
        if said and tells and (not before or said.span[0] > before[-1].end):
            return self.telling.words(said)
        begin = clause.span[0] - _BACK if far else clause.line
        last = next((a for a in reversed(before) if a.kind is not AskKind.CONSTRAINT), None)
        if last is None or last.end <= begin:
            return ""
        root = _CONTEXT.search(last.subject)
        return (root[1] if root else last.subject)[-_LONGEST:]

    @cached_property
    def referents(self) -> Referents:
        """What the pronouns of the brief stand for."""
        found = self.telling.found
        lists = {c.line for c in found if c.listed}
        said = (SpokenClause(c.words, c.span[0], c.line if c.line in lists else -1, c.form, c.leads) for c in found)
        return Referents(said, self.telling.text)
