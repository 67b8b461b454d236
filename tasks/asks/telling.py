"""Which clauses of a brief ask: whatever is no lead, no courtesy, no statement and no name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tasks.asks.clauses import BriefClause, Pull, is_due
from tasks.asks.grammar import Grammar
from tasks.asks.marks import OPEN
from tasks.asks.moods import ASKING, ORDERS, WH, Mood, low, opening, statement_verb

_ITEM = 12  # words; a longer item speaks for itself
_LIST = 3  # items; fewer say nothing of one another
_MOST_ASK = 0.75  # of the items of a list that asks
_ANNOUNCED = 10  # words; what is longer announces nothing, but asks
_LEARNT = 3  # words up to which the question stands: "find out whether"
_NAMES = 2  # words by which somebody is called
_FOR = re.compile(r" for (?!(?:me|us)\b)", re.I)
_PERSONS = frozenset(("i", "we", "he", "she", "they", "you", "it", "this"))
_GIVES = frozenset(("give", "tell", "explain", "send", "let", "advise", "keep", "use", "leave", "do", "don't"))
_PAST = ("VVD", "VBD", "VHD", "VHZ", "VHB", "VDD")


_PLACE = re.compile(r"\d|\bto (?!the |this |it)|\bnot\b|\bfrom\b")  # of a change, not of the request for a redline


@dataclass(frozen=True)
class Telling:
    """Tells the clauses of one brief that ask from those that tell."""

    text: str
    grammar: Grammar
    redline: bool
    found: Sequence[BriefClause]

    @cached_property
    def by_span(self) -> Mapping[tuple[int, int], BriefClause]:
        """The clauses by where they stand."""
        return {c.span: c for c in self.found}

    @cached_property
    def places(self) -> Mapping[tuple[int, int], int]:
        """Which clause stands there, by number."""
        return {c.span: n for n, c in reversed(list(enumerate(self.found)))}

    @cached_property
    def forms(self) -> Mapping[tuple[int, int], str]:
        """What each sentence says of the form of the work product."""
        said: dict[tuple[int, int], list[str]] = {}
        for clause in self.found:
            if clause.form:
                said.setdefault(clause.sentence, []).append(self.words(clause))
        return {sentence: " ".join(words) for sentence, words in said.items()}

    def asking(self) -> list[bool]:
        """Tell of each clause whether it asks; a lead whose items ask does not, and a brief always asks something."""
        signed = self._signed()
        items = [not c.leads and c.span[0] < signed and self._asks(c) for c in self.found]
        leading = self._leading(items)
        asking = [
            (item or (c.leads and (c.form or not leading[c.span[0]]) and self._asks(c))) and not self._heads_changes(c)
            for c, item in zip(self.found, items, strict=True)
        ]
        asking = [asks or self._as_others(c, asking) for asks, c in zip(asking, self.found, strict=True)]
        if any(asks and c.mood in (Mood.QUESTION, Mood.INQUIRY) for asks, c in zip(asking, self.found, strict=True)):
            orders = [not c.item and self.grammar.orders_on_a_paper(self.words(c)) for c in self.found]
            asking = [asks and not order for asks, order in zip(asking, orders, strict=True)]
        if any(asks and not c.form for asks, c in zip(asking, self.found, strict=True)):
            return asking
        return [bool(OPEN.search(self.words(c))) and not self.grammar.tells(self.words(c)) for c in self.found]

    def _as_others(self, clause: BriefClause, asking: Sequence[bool]) -> bool:
        """Tell whether a short item of a list asks because nearly all items of the list do."""
        if not clause.listed or clause.leads or clause.form or len(clause.words) > _ITEM or clause.mood is Mood.NOTHING:
            return False
        beside = [asks for asks, c in zip(asking, self.found, strict=True) if c.listed and c.lead == clause.lead]
        later = any(c.line == clause.line and c is not clause for c in self.found)
        return not later and len(beside) > _LIST and sum(beside) >= _MOST_ASK * len(beside)

    def words(self, clause: BriefClause) -> str:
        """Return the words of a clause."""
        return self.text[slice(*clause.span)]

    def is_change(self, clause: BriefClause) -> bool:
        """Return whether a clause of a redline request instructs a change, and reports nothing."""
        if not self.redline or clause.mood in (Mood.QUESTION, Mood.INQUIRY):
            return False
        if clause.mood is Mood.REQUEST:
            return bool(self.grammar.words["draft"].search(self.words(clause))) or self._bids(clause)
        verb = statement_verb(clause.words)
        meant = self.grammar.words["change"].search(self.words(clause)) is not None
        if verb is None:
            return meant or clause.item
        person = low(clause.words[opening(clause.words)]) in _PERSONS and not meant
        return not person and clause.words[verb].tag not in _PAST and (meant or clause.item)

    def _bids(self, clause: BriefClause) -> bool:
        """Tell whether a request does something to the paper, and asks nothing: "turn Section 10 round"."""
        words = clause.words[opening(clause.words) :]
        verb = low(words[0])
        told = self.grammar.words["learn"].fullmatch(verb) or self.grammar.words["perusal"].match(self.words(clause))
        return not told and verb not in ORDERS | _GIVES and not any(low(w) in WH for w in words[1:4])

    def _heads_changes(self, clause: BriefClause) -> bool:
        """Tell whether a clause only asks for the redline whose changes the brief goes on to instruct."""
        if not self.redline or clause.form or len(clause.words) > 2 * _ANNOUNCED:
            return False
        text = self.words(clause)
        if not self.grammar.words["redline"].search(text) or _PLACE.search(text):
            return False
        after = (c for c in self.found if c.span != clause.span and not c.form)
        return any(map(self.is_change, after))

    def _leading(self, asking: Sequence[bool]) -> bytearray:
        """Tell of each character of the brief whether it stands in a lead of which an item asks."""
        leading = bytearray(len(self.text) + 1)
        pairs = zip(asking, self.found, strict=True)
        for start, end in {c.lead.span for asks, c in pairs if asks and not c.form and c.lead}:
            leading[start:end] = b"\1" * (end - start)
        return leading

    def _asks(self, clause: BriefClause) -> bool:
        words = self.words(clause)
        if not clause.leads and self.grammar.orders_product(words):
            return False
        if clause.mood is Mood.NOTHING or (clause.form and not self.grammar.tells(words)):
            beside = clause.lead is not None and clause.lead.span[0] >= clause.sentence[0]
            headed = beside and clause.mood is Mood.NAME and clause.lead is not None and clause.lead.pull is Pull.TELLS
            return clause.form and not headed  # "Re: Caldwell v. Trent, our ref 22/118"
        if clause.mood in (Mood.QUESTION, Mood.INQUIRY):
            return True
        if not clause.item and self.grammar.tells(words):
            return False
        if clause.item:
            return not self._is_told_item(clause)
        if self.grammar.encloses(words):
            return False
        if self.is_change(clause):
            return True
        if clause.mood is Mood.REQUEST and all(w.tag == "PNP" for w in clause.words[opening(clause.words) + 1 :]):
            return not self.grammar.words["learn"].fullmatch(low(clause.words[opening(clause.words)]))  # "tell him"
        looks_up = self._learns(clause)
        if clause.mood in (Mood.REQUEST, Mood.HANGING) and self.grammar.words["perusal"].match(words) and not looks_up:
            return _FOR.search(words) is not None and clause.mood is Mood.REQUEST
        if self._is_beside(clause):
            return False
        told = clause.lead is not None and clause.lead.pull is Pull.TELLS and clause.governor is None
        if clause.mood in ASKING:
            return clause.mood is Mood.REQUEST or not told
        if told or clause.mood is Mood.STATEMENT:
            return is_due(clause.words, self.grammar)
        announced = len(clause.words) <= _ANNOUNCED and bool(self.grammar.words["agenda"].search(words))
        return not (announced or self.grammar.names(clause.words))

    def _learns(self, clause: BriefClause) -> bool:
        """Tell whether a request is to learn something: "find out whether the deposit is safe", "see who signed"."""
        head = clause.words[opening(clause.words) :]
        asked = any(low(w) in WH or low(w) == "if" for w in head[1:_LEARNT])
        return asked and self.grammar.words["learn"].fullmatch(low(head[0])) is not None

    def _is_beside(self, clause: BriefClause) -> bool:
        """Tell whether a clause only says for whom it is asked, whom it tells, or what is supposed."""
        first = low(clause.words[0])
        if clause.mood is Mood.HANGING:
            after = next((c for c in self.found if c.span > clause.span), None)
            if (
                after is not None
                and after.sentence == clause.sentence
                and after.mood is Mood.REQUEST
                and not clause.lead
            ):
                return True  # "pursuant to our engagement, furnish"
            return first == "for" and clause.words[-1].end >= clause.sentence[1] - 1 and len(clause.words) <= _ITEM
        if clause.mood is Mood.NAME and clause.span[0] == clause.line and len(clause.words) <= _NAMES:
            names = all(w.tag.startswith("NP") for w in clause.words)
            return (names and (clause.leads or self._is_spoken_to(clause))) or (
                self._is_called(clause) and not clause.leads
            )
        led = clause.lead is not None and clause.lead.pull is Pull.TELLS and self._ends_open(clause.lead.span)
        return clause.mood is Mood.REQUEST and (first == "suppose" or led)

    def _is_spoken_to(self, clause: BriefClause) -> bool:
        """Tell whether a name is whom a sentence is spoken to ("Bo, what is …"), or signs the brief."""
        after = next((c for c in self.found if c.span > clause.span), None)
        before = self.text[: clause.span[0]]
        return after.sentence == clause.sentence if after else bool(before.strip()) and before.endswith("\n\n")

    def _is_called(self, clause: BriefClause) -> bool:
        """Tell whether a statement goes on behind a name or a role that is spoken to: "Team, our client …"."""
        after = next((c for c in self.found if c.span > clause.span), None)
        role = self.grammar.words["role"].fullmatch(self.words(clause)) is not None
        return role and after is not None and after.sentence == clause.sentence and after.mood is Mood.STATEMENT

    def _ends_open(self, span: tuple[int, int]) -> bool:
        """Tell whether a lead ends in a verb that its items complete: "a fund that may (i) buy …"."""
        lead = next((c for c in self.found if c.span == span), None)
        return lead is not None and lead.words[-1].tag in ("VM0", "TO0")

    def _is_told_item(self, clause: BriefClause) -> bool:
        """Tell whether an item only tells what a later sentence of it asks about."""
        later = (c for c in self.found if c.line == clause.line and c.sentence > clause.sentence)
        return clause.listed and clause.mood is Mood.STATEMENT and any(c.mood in ASKING for c in later)

    def _signed(self) -> int:
        """Return where the signature begins: behind the last courtesy, if nothing but names follows it."""
        for n in range(len(self.found) - 1, 0, -1):
            clause = self.found[n]
            line = self.text.rfind("\n", 0, clause.span[0])
            if self.grammar.tells(self.words(clause)) and line >= 0:
                before = (c for c in self.found[:n] if not self.grammar.tells(self.words(c)) and len(c.words) > 2)
                return clause.span[0] if any(before) else len(self.text)
            if clause.mood not in (Mood.NAME, Mood.HANGING, Mood.NOTHING) or len(clause.words) > _ANNOUNCED:
                break
            if not clause.words[0].text[0].isupper():
                break
        return len(self.text)
