"""How a brief asks: what a clause is, told by patterns around the words of a harness."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tasks.asks.english import AUXILIARY, CONDITION, DET, MODAL, NUMBER_WORD, PREPOSITION, RELATIVE

HEAD = 400  # characters; what a clause is, its first words tell, and no brief can make that slow


@dataclass(frozen=True)
class Grammar:
    """The grammar of briefs around the words of a harness; the uses are explained in ``knowledge_db.records.BriefCue``.

    Attributes:
        begins: Meets the beginning of a clause that asks.
        wishes: Meets what is said instead of a question, anywhere in a clause.
        inquiring: Meets a clause that is a question, or has one in it: "let me know when".
        clausal: Meets a question with a subject of its own: "when each offer dies".
        polar: Meets a clause from where it begins to ask; ``open`` is set where yes or no does not answer it.
        form: Meets a request for a paper; ``kind`` and ``about`` say what it is to be about.
        tag: Meets words that only ask about the clause before them.
        boundary: What stands between a clause and one that asks. ``relative`` is set where it may instead go on with a
            noun (", which is …"), ``unsaid`` before "if" for "whether", ``loose`` before what may be a noun.
        onset: What may stand before a question or a request.
        told: Meets a courtesy, or words that only tell.
        preamble: Meets what a request says it rests on: "Using the attached file, …".
        perusal: Meets a request to read papers that says nothing of what for.
        verb: Meets the verb of a statement.
        listing: Meets the beginning of a clause up to the list of things that it asks for.
        scope: Meets what ends such a list: the papers of which it is asked.
        each: Meets words that want an answer for each of several papers.
        constraint: Meets words that only say how the answer is to be given.
        commanded: Meets a request to draft or change.
        kinds: What asks for each other kind of answer.
        words: The other uses, each met anywhere in a clause.
    """

    begins: re.Pattern[str]
    wishes: re.Pattern[str]
    inquiring: re.Pattern[str]
    clausal: re.Pattern[str]
    polar: re.Pattern[str]
    form: re.Pattern[str]
    tag: re.Pattern[str]
    boundary: re.Pattern[str]
    onset: re.Pattern[str]
    told: re.Pattern[str]
    preamble: re.Pattern[str]
    perusal: re.Pattern[str]
    verb: re.Pattern[str]
    listing: re.Pattern[str]
    scope: re.Pattern[str]
    each: re.Pattern[str]
    constraint: re.Pattern[str]
    commanded: re.Pattern[str]
    kinds: Mapping[str, re.Pattern[str]]
    words: Mapping[str, re.Pattern[str]]

    def asks(self, clause: str) -> bool:
        """Tell whether a clause asks: by a question, a request, or one within a statement ("we need to know who")."""
        head = clause[:HEAD]
        return clause.rstrip(" )\"'").endswith("?") or bool(
            self.begins.match(self.main(head)) or self.wishes.search(head)
        )

    def main(self, clause: str) -> str:
        """Return a clause without what comes before its main verb: "If she sells, who pays" asks who pays."""
        begun = self.onset.sub("", clause[:HEAD])
        for led in (_LED.match(begun), self.preamble.match(begun), _SET.match(begun)):
            if led:
                return self.onset.sub("", begun[led.end() :])
        return begun

    def states(self, clause: str) -> bool:
        """Tell whether a clause is a statement: whether it has a verb of its own, outside what hangs on a noun."""
        head = self.onset.sub("", clause[:HEAD])
        led = _LED.match(head)
        if led:  # "When the tenant moved in, the roof leaked": what follows the comma is the clause
            rest = head[led.end() :]
            return self.states(rest) or bool(_PAST.fullmatch(rest))
        hung = _HUNG.search(head)
        own = head[: hung.start()] if hung and hung.start() else head
        return bool(self.verb.search(own))

    def tells(self, clause: str) -> bool:
        """Tell whether a clause only tells something, or is a courtesy."""
        return bool(self.told.search(clause[:HEAD]))

    def announces(self, clause: str) -> bool:
        """Tell whether a clause announces questions, or what the work product must show."""
        head = clause[-HEAD:]
        due = self.words["product"].search(head) or _IT.match(head)
        must = _MUST.search(head)
        wanting = self.words["agenda"].search(head.strip(" ,;:"))
        return bool(wanting) or bool(due and must)

    def names(self, clause: str) -> bool:
        """Tell whether a clause without a verb only names papers, people or the matter."""
        head = _BRACKETS.sub(" ", clause[:HEAD])
        if _VERSUS.search(head):
            return True
        if _WANTED.match(self.onset.sub("", head)):
            return False
        noun = _PREPOSED.split(head.strip(" .,;:"), maxsplit=1)[0]
        if any(m.end() == len(noun) for m in self.words["paper"].finditer(noun)):
            return True
        rest = [w for w in _WORD.findall(head) if not _EMPTY.fullmatch(w) and not self.words["role"].fullmatch(w)]
        if not all(self.words["paper"].fullmatch(w) or not w[0].islower() for w in rest):
            return False
        return len(rest) != 1 or rest[0].islower() or bool(_POSSESSIVE.search(head))


_PAST = re.compile(r"[^,]{1,60}\w{3}ed\W*$", re.I)
_HUNG = re.compile(RELATIVE, re.I)
_MUST = re.compile(rf"\b{MODAL}", re.I)
_IT = re.compile(r"\W*(?:it|this|they)\b", re.I)
_VERSUS = re.compile(r"\b[vV]s?\.? [A-Z]|\bv\.? \w+\W*$")
_PREPOSED = re.compile(rf"\s{PREPOSITION}", re.I)
_WORD = re.compile(r"[\w'&/]+")
_LED = re.compile(
    rf"(?:(?:when|where)(?! {AUXILIARY})|{CONDITION})\b[^,?;:]{{3,200}},\s+(?!(?:if|unless|and|or)\b)", re.I
)
_SET = re.compile(rf"{PREPOSITION}[^,;:?]{{2,80}}(?:,\s+|\s(?=(?:what|who|how|whom|whose)\b))", re.I)
_BRACKETS = re.compile(r"\([^()]*\)")
_POSSESSIVE = re.compile(r"\b\w+'s?\b")
_WANTED = re.compile(r"\W*(?:an?|any|all|every|each|whose|which|what)\b", re.I)
_EMPTY = re.compile(
    rf"(?:{DET}|{PREPOSITION}|{NUMBER_WORD}|and|or|v|vs|the|s|no|new|old|all|re|matter|now|we|us|me|only|just)", re.I
)
