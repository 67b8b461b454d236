"""How a brief asks, compiled: the words are data (``knowledge_db/data/questions/asks.toml``), the grammar is here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from knowledge_db import KnowledgeBase

HEAD = 400  # characters; what a clause is, its first words tell, and no brief can make that slow

_DET = r"(?:the|an?|any|all|each|every|both|either|neither|our|its|their|his|her|your|my|this|that|these|those|no|some)\b"
_PRONOUN = r"(?:i|you|he|she|it|we|they|there|one|anyone|someone|somebody|anybody|nobody|everyone|nothing|anything)\b"
_PREPOSITION = (
    r"(?:to|on|at|by|for|in|from|under|within|of|with|after|until|till|since|upon|about|before|during|against|into|over"
    r"|between|through|without|per|as|than|except|beyond|via|like)\b"
)
_DEPENDENT = (
    rf"(?:{_PREPOSITION}|if\b|unless\b|because\b|so that\b|including\b|incl\b|such as\b|e\.?g|i\.?e|not\b|instead\b|rather\b"
    r"|although\b|even\b|namely\b|while\b|but\b|provided\b|especially\b|particularly\b|plus any\b|or (?:not|otherwise)\b|etc\b)"
)
_RELATIVE = r"\b(?:which|that|who|whom|whose|where|when|if|whether|what|how|why|because|since|as)\b"
_NUMBER_WORD = r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|several)"
_CLOSED = (
    r"to|on|at|by|for|in|from|under|within|of|with|after|until|till|since|upon|about|before|during|against|into|over|between|through|without|per|as"
    r"|than|except|via|like|if|unless|because|although|while|once|and|or|but|nor|so|not|the|an?|any|all|each|every|both|either|neither|our|its|their"
    r"|his|her|your|my|th\w+|no|some|i|you|he|she|it|we|they|one|who\w*|what|which|when|where|why|how|yesterday|today|tomorrow|now|here|last|next"
    r"|\w+day|only|even|also|just|re|plus|\w+ed|sent|said|got|attached|background|given|note"
)
_JOIN = r"and|or|but|then|plus|also|so|as well as"


@dataclass(frozen=True)
class Grammar:
    """The grammar of briefs around the words of a harness; the uses are explained in ``knowledge_db.records.BriefCue``.

    Attributes:
        begins: Meets the beginning of a clause that asks.
        wishes: Meets what is said instead of a question, anywhere in a clause.
        boundary: What stands between a clause and one that asks; the group ``relative`` is set where it may instead go on
            with a noun (", which is …").
        listing: Meets the beginning of a clause up to the list of things that it asks for.
        inquiring: Meets a clause that is a question, or has one in it: "let me know when".
        clausal: Meets a question with a subject of its own: "when each offer dies".
        polar: Meets a clause whose answer is yes or no, from where it begins to ask.
        words: The other uses, each met anywhere in a clause.
    """

    begins: re.Pattern[str]
    wishes: re.Pattern[str]
    boundary: re.Pattern[str]
    listing: re.Pattern[str]
    polar: re.Pattern[str]
    inquiring: re.Pattern[str]
    clausal: re.Pattern[str]
    scope: re.Pattern[str]
    each: re.Pattern[str]
    onset: re.Pattern[str]
    told: re.Pattern[str]
    perusal: re.Pattern[str]
    preamble: re.Pattern[str]
    product: re.Pattern[str]
    form: re.Pattern[str]
    verb: re.Pattern[str]
    tag: re.Pattern[str]
    constraint: re.Pattern[str]
    commanded: re.Pattern[str]
    kinds: Mapping[str, re.Pattern[str]]
    words: Mapping[str, re.Pattern[str]]

    def asks(self, clause: str) -> bool:
        """Tell whether a clause asks: by a question, a request, or one within a statement ("we need to know who")."""
        head = clause[:HEAD]
        return clause.rstrip(" )\"'").endswith("?") or bool(self.begins.match(self.main(head)) or self.wishes.search(head))

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
            return self.states(head[led.end() :])
        hung = re.compile(_RELATIVE, re.I).search(head)
        own = head[: hung.start()] if hung and hung.start() else head
        return bool(self.verb.search(own))

    def tells(self, clause: str) -> bool:
        """Tell whether a clause only tells something, or is a courtesy."""
        return bool(self.told.search(clause[:HEAD]))

    def announces(self, clause: str) -> bool:
        """Tell whether a clause announces questions, or what the work product must show."""
        head = clause[-HEAD:]
        due = self.words["product"].search(head) or re.match(r"\W*(?:it|this|they)\b", head, re.I)
        must = re.search(r"\b(?:must|has to|have to|should|shall|needs to|is to|ought to)\b", head, re.I)
        wanting = self.words["agenda"].search(head.strip(" ,;:"))
        return bool(wanting) or bool(due and must)

    def names(self, clause: str) -> bool:
        """Tell whether a clause without a verb only names papers, people or the matter."""
        head = _BRACKETS.sub(" ", clause[:HEAD])
        if re.search(r"\bv\.? [A-Z]|\bv\.? \w+\W*$", head):
            return True
        if _WANTED.match(self.onset.sub("", head)):
            return False
        before = re.split(rf"\s{_PREPOSITION}", head.strip(" .,;:"), maxsplit=1, flags=re.I)[0]
        if self.words["paper"].search(before[-24:]) and self.words["paper"].search(before).end() and _ends(before, self.words["paper"]):  # type: ignore[union-attr]
            return True
        rest = [w for w in re.findall(r"[\w'&/]+", head) if not _EMPTY.fullmatch(w) and not self.words["role"].fullmatch(w)]
        named = [w for w in rest if self.words["paper"].fullmatch(w) or not w[0].islower()]
        proper = [w for w in rest[1:] if w[0].isupper()]
        return len(named) == len(rest) and (len(rest) != 1 or head.strip()[:1].islower() or bool(_POSSESSIVE.search(head)) or bool(proper))


DEPENDS = re.compile(rf"{_DEPENDENT}|\w{{3,}}ing\b", re.I)


def _ends(words: str, pattern: re.Pattern[str]) -> bool:
    found = list(pattern.finditer(words))
    return bool(found) and found[-1].end() == len(words.rstrip())


_LED = re.compile(
    r"(?:(?:when|where)(?! (?:is|are|was|were|do|does|did|can|may|must|will|should|has|have|would|could)\b)|while|if|as|after|before|since|once|although|because|unless|until|given that|in case|whether or not)\b[^,?;:]{3,200},\s+(?!(?:if|unless|and|or)\b)", re.I
)
_SET = re.compile(rf"{_PREPOSITION}[^,;:?]{{2,80}}(?:,\s+|\s(?=(?:what|who|how|whom|whose)\b))", re.I)
_BRACKETS = re.compile(r"\([^()]*\)")
_POSSESSIVE = re.compile(r"\b\w+'s?\b")
_WANTED = re.compile(r"\W*(?:an?|any|all|every|each|whose|which|what)\b", re.I)
_EMPTY = re.compile(
    rf"(?:{_DET}|{_PREPOSITION}|{_NUMBER_WORD}|and|or|v|vs|the|s|no|new|old|all|re|matter|now|we|us|me|only|just)", re.I
)


@lru_cache(maxsize=4)
def grammar_of(knowledge: KnowledgeBase) -> Grammar:
    """Return the grammar of a harness, compiled once in a process."""
    rows = knowledge.questions
    uses = {row.use for row in rows} | set(_USES)
    w = {use: _any(p for row in rows if row.use == use for p in row.patterns) for use in uses}
    w["paper"] = _any(p for row in rows if row.use == "paper" for p in row.patterns)
    return _compiled_grammar(w, {r.name: _any(r.patterns) for r in rows if r.use == "kind"})


_USES = (
    "onset", "listing", "request", "auxiliary", "asking_word", "wish", "agenda", "product", "bland", "pair", "told",
    "perusal", "preamble", "narrative", "role", "tag", "redline", "change", "several", "paper", "file",
)  # fmt: skip


def _compiled_grammar(w: Mapping[str, str], kinds: Mapping[str, str]) -> Grammar:
    onset = rf"(?:(?:{w['onset']})\b[,:]? *)*"
    request = rf"(?:{w['listing']}|{w['request']})\b"
    someone = rf"(?:{_DET}|{_PRONOUN}|(?-i:[A-Z])|(?!{_PREPOSITION})(?:[\w-]+ )?[\w-]{{2,}}s\b)"
    how = rf"(?:{_PREPOSITION} )?{w['asking_word']}\b"
    does = rf"{w['auxiliary']}(?:n't| not)? {someone}"
    to_do = rf"{request}(?=:|,? (?:{_DET}|{_PRONOUN}|me\b|us\b|him\b|them\b|{how}|{_PREPOSITION}|out\b|sections?\b|clauses?\b|[\d(]|(?-i:[A-Z]))|\W*$)"
    led = rf"(?:(?:{w['onset']})\b[,:]? *){{0,4}}"
    wants = rf"(?:i|we)(?:'d| would|'ll| do)?(?: also| just| really| only| further| still| then| do){{0,2}} (?:need|want|like)\b"
    due = rf"(?:(?:the|this|your) )?(?:{w['product']}|it|this|they) (?:must|should|has to|have to|needs to|ought to|is to|shall)\b"
    order = rf"(?!(?:{_CLOSED})\b)[a-z][a-z-]+(?<!ing)(?<!ly)(?<!ed)(?<!s) (?:and [a-z-]+ )?(?:{_DET}|me\b|us\b|them\b|it\b)"
    verb = (
        rf"^\W*no\b|\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|shall|does|do|did|am|been|cannot)\b"
        rf"|\w'(?:re|ve|m|ll|d)\b|(?:that|it|he|she|there|here|who|what)'s\b|n't\b|\b{w['narrative']}\b|^\W*(?:i|you|he|she|it|we|they|there)\b"
        rf"|\b\w{{3,}}ed (?:{_DET}|us\b|me\b|him\b|them\b)"
    )
    words = {use: _pattern(rf"\b{w[use]}\b") for use in ("agenda", "product", "bland", "paper", "role", "redline")}
    words |= {"pair": _pattern(w["pair"]), "change": _pattern(rf"\b{w['change']}"), "file": _pattern(rf"(?:^|\n|(?<=[.?!:] ))[#*> ]{0,6}{w['file']}\b[\s:*]{0,9}")}
    told_if = r"\b(?:know|see|say|check|confirm|sure|tell|find out|ask)(?: me| us)? (?:if|that)\b"
    return Grammar(
        begins=_pattern(
            rf"\W*{onset}(?:{how}|{w['auxiliary']}(?:n't| not)? (?!\d)\w|{request}(?! (?:is|are|was|were|of|and|&)\b)|if so\b|{wants}|{due}|{order})"
        ),
        wishes=_pattern(rf"\b{w['wish']}\b|\b(?:whether|how (?:much|many|long|soon|often))\b|\bplease\b"),
        boundary=_pattern(
            rf"(?:\s*,\s*(?P<joined>(?:{_JOIN})\b,?\s+)?|\s+(?P<bare>{_JOIN})\b,?\s+){led}"
            rf"(?=(?P<relative>(?:{_PREPOSITION} )?(?:who|whom|whose|which|where|when)\b)?(?P<asked>{how})|{does}|{to_do}|{wants}|if so\b"
            rf"|(?P<unsaid>if (?:{_DET}|{_PRONOUN}))|(?P<loose>{request} [a-z]))"
        ),
        listing=_pattern(
            rf"\W*(?:[^,:]{{0,120}}?[,:] )??{onset}(?:{w['listing']}\b(?: (?:me|us|him|her|them|the following))*:?"
            rf"|(?:review|check|examine|analy[sz]e|search|read|go through|look through)\b[^,;:]{{0,80}}?\bfor\b"
            rf"|what (?:is|are|was|were)\b|{wants}(?: to (?:know|have|see|get))?|{due} [a-z]+|[^,;:]{{0,80}}\b{w['product']}\b[^,;:]{{0,60}}\b(?:with|showing|covering|listing|setting out|containing|giving)\b|[^,;:]{{0,60}}\b(?:has|have|needs?|must|should)(?: to)? (?:show|cover|include|list|give)\b)(?: above all| at least)? "
        ),
        clausal=_pattern(rf"\W*{how} (?:{_DET}|{_PRONOUN}) ?\w"),
        inquiring=_pattern(
            rf"^\W*{onset}(?:{how}|{w['auxiliary']}\b)|{told_if}|\b(?:know|tell|see|say|check|confirm|sure|find out|ask|advise|wonder\w*|explain|state)\b"
            rf"(?: me| us| him| her| them)?[:,]? {how}"
        ),
        polar=_pattern(rf"^\W*(?P<aux>{w['auxiliary']})\b|(?P<open>\b(?!whether){w['asking_word']}\b)|\bwhether\b|{told_if}|[,-] {does}"),
        scope=_pattern(
            rf"\s+(?:of|in|under|from|for|by) (?:each|every|all|both|the|these|those|this|that|our)\b"
            rf"(?: [\w'-]+){{0,4}}? ?\b{w['paper']}\b.*|\s+(?:of|in|under|from|for) (?:each|all|both)(?: (?:of them|two|three|four|five))?$|\s+provisions?$"
        ),
        each=_pattern(
            rf"\b{w['several']}(?: of)?(?: (?:the|these|those|our|its|them))?(?: {_NUMBER_WORD})?(?: [\w'&-]+){{0,2}}? {w['paper']}\b"
            rf"|\b(?:for|of|in|under|from) (?:each|both|all)(?: of (?:them|these|those|the))?(?: {_NUMBER_WORD})?\s*(?:[,:(?]|$)|\b(?:per|by) {w['paper']}\b"
        ),
        onset=_pattern(rf"^\W*{onset}"),
        told=_pattern(rf"^\W*(?:{w['told']})(?![\w-])"),
        preamble=_pattern(rf"{w['preamble']}\b(?:[^,;:()]|\([^()]*\)){{2,300}},\s+"),
        perusal=_pattern(rf"^\W*{onset}{w['perusal']}\b(?![^,;]*\b(?:for (?!{_DET})|whether|if|{w['asking_word']})\b)"),
        product=words["product"],
        form=_pattern(rf"^\W*{onset}(?:{wants}|{request})\b(?P<kind>[^,;:]*?)\b{w['product']}\b(?P<about>.*)$"),
        verb=_pattern(verb),
        tag=_pattern(rf"\W*{onset}{w['tag']}\W*"),
        constraint=_pattern(rf"\W*{onset}{kinds.get('constraint', '(?!)')}\W*"),
        commanded=_pattern(rf"^\W*{onset}(?:[^,;:]{{0,60}}[,:] ?)??{onset}{kinds.get('drafting', '(?!)')}"),
        kinds={name: _pattern(rf"\b{one}\b" if name != "constraint" else one) for name, one in kinds.items()},
        words=words,
    )


def _any(patterns: object) -> str:
    """Return one pattern that meets what any of them does; none meets nothing."""
    return f"(?:{'|'.join(patterns) or '(?!)'})"  # type: ignore[call-overload]


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)
