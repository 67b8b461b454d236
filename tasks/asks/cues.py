"""How a brief asks, compiled: the words are data (``knowledge_db/data/questions``), the grammar is here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from knowledge_db import KnowledgeBase
from knowledge_db.records import BriefCue
from tasks.asks.enumerations import ListGrammar, list_grammar


@dataclass(frozen=True)
class Aside:
    """What a question asks of a clause beside its being there."""

    name: str
    asked: re.Pattern[str]
    said: re.Pattern[str]


@dataclass(frozen=True)
class BriefCues:
    """The cues of a brief; the uses are explained in ``knowledge_db.records.BriefCue``.

    Attributes:
        question: Meets a sentence that is a question.
        halves: Where a question with two halves is parted.
        boundary: What stands between a clause and a further question or request.
        asking: Meets a clause that asks.
        fragment: Meets a clause that is no statement: it has no verb of its own.
        pairs: Words on both sides of an "and" that are one thing ("terms and conditions").
        form: The naming of the work product alone.
        telling: Meets words that only tell: "Attached".
        perusal: Meets a request to read papers that says nothing of what for.
        each: Meets words that want an answer for each of several papers.
        kinds: What asks for each kind of answer, in the order in which they count.
        listing: Meets the beginning of a clause up to the list of things that it asks for.
        among: Meets the papers of which a list is asked, before its first item.
        scope: Meets what ends such a list: the papers of which it is asked.
        verb: Meets a verb, by which a clause is told from a thing.
        papers: Meets the naming of papers in general.
        empty: Meets a word that says nothing of what is asked.
        output: The naming of the files.
        provisions: Names of provisions with what asks for them; the first that fires wins.
        figures: What asks for each kind of figure.
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
    judgement: re.Pattern[str]
    mere: re.Pattern[str]
    loose: re.Pattern[str]
    work: re.Pattern[str]
    drafting: re.Pattern[str]
    reading: re.Pattern[str]
    output: re.Pattern[str]
    leading: re.Pattern[str]
    trailing: re.Pattern[str]
    vague: re.Pattern[str]
    lists: ListGrammar
    provisions: tuple[tuple[str, re.Pattern[str]], ...]
    figures: Mapping[str, re.Pattern[str]]
    asides: tuple[Aside, ...]
    boundary: re.Pattern[str]
    asking: re.Pattern[str]
    fragment: re.Pattern[str]
    pairs: re.Pattern[str]
    form: re.Pattern[str]
    each: re.Pattern[str]
    telling: re.Pattern[str]
    perusal: re.Pattern[str]
    kinds: Mapping[str, re.Pattern[str]]
    listing: re.Pattern[str]
    scope: re.Pattern[str]
    among: re.Pattern[str]
    verb: re.Pattern[str]
    papers: re.Pattern[str]
    empty: re.Pattern[str]
    wants: Mapping[str, re.Pattern[str]]
    filler: re.Pattern[str]
    reported: re.Pattern[str]
    outcome: re.Pattern[str]
    which: re.Pattern[str]
    poses: Mapping[str, re.Pattern[str]]
    stances: Mapping[str, re.Pattern[str]]

    def asks(self, clause: str) -> bool:
        """Tell whether a clause asks: by a question, a request, or one within a statement ("we need to know who")."""
        return bool(self.asking.search(clause))

    def tells(self, clause: str) -> bool:
        """Tell whether a clause only tells something."""
        return bool(self.telling.search(clause))


@lru_cache(maxsize=4)
def cues_of(knowledge: KnowledgeBase) -> BriefCues:
    """Return the cues of a harness, compiled once in a process."""
    rows = knowledge.questions
    words = {use: _any(p for row in rows if row.use == use for p in row.patterns) for use in _PLAIN}
    file = words["file"]
    grammar = _grammar(words)
    return BriefCues(
        question=_compiled(
            rf"\?\W*$|^(?:{words['opener']} )*{words['ask']}?\s*(?:to |on |about )?"
            rf"(?:in |on |under |for |by |from )?{words['question_word']}\b"
        ),
        halves=_compiled(
            rf"(?:,\s*|\s)(?:and|or)\s+(?=(?:(?:on|at|by|for|in|under) )?{words['second_question_word']}\b)"
        ),
        judgement=_compiled(rf"\b{words['judgement']}\b"),
        mere=_compiled(words["mere"]),
        loose=_compiled(words["loose"]),
        work=_compiled(words["work"]),
        drafting=_compiled(rf"\b{words['drafting']}\b"),
        reading=_compiled(rf"\b{words['reading']}\b"),
        output=_compiled(rf"(?:^|\n)#*\s*{file}\b\s*:?.*|\b{file}\s*:\s.*", re.S),
        leading=_compiled(rf"^{words['leading']}\s+"),
        trailing=_compiled(rf"\s+{words['trailing']}$"),
        vague=_compiled(rf"(?:{words['vague']} ?)*"),
        lists=list_grammar(words["list_verb"], words["other_verb"], words["paper"]),
        provisions=tuple((row.name, _compiled(_any(row.patterns))) for row in rows if row.use == "provision"),
        figures=_named(rows, "figure"),
        asides=tuple(
            Aside(row.name, _compiled(_any(row.patterns)), _compiled(row.says)) for row in rows if row.use == "aside"
        ),
        boundary=_compiled(grammar.boundary),
        asking=_compiled(grammar.asking),
        fragment=_compiled(grammar.fragment),
        pairs=_compiled(words["pair"]),
        form=_compiled(grammar.form),
        each=_compiled(grammar.each),
        telling=_compiled(rf"^\W*{words['told']}\b"),
        perusal=_compiled(grammar.perusal),
        listing=_compiled(grammar.listing),
        scope=_compiled(grammar.scope),
        among=_compiled(rf"\s*(?:{grammar.each})\s*[,:]?\s*"),
        verb=_compiled(grammar.verb),
        papers=_compiled(rf"\b(?:(?:each|every|all|both|the|these|those|any) )*(?:[\w-]+ )?{words['paper']}\b"),
        empty=_compiled(
            f"{words['leading']}|{words['vague']}|{words['product']}|covering|about|concerning|attached|provided"
        ),
        kinds=_named(rows, "kind"),
        wants=_named(rows, "want"),
        filler=_compiled(words["filler"]),
        reported=_compiled(rf"\b{words['reported']}\b"),
        outcome=_compiled(rf"\b{words['outcome']}\b"),
        which=_compiled(rf"\b{words['which']}"),
        poses=_named(rows, "pose"),
        stances=_named(rows, "stance"),
    )


class _Grammar(NamedTuple):
    boundary: str
    asking: str
    fragment: str
    form: str
    each: str
    perusal: str
    listing: str
    scope: str
    verb: str


def _grammar(words: Mapping[str, str]) -> _Grammar:
    """Return the grammar of clauses around the words of a brief."""
    request = f"(?:{words['list_verb']}|{words['other_verb']}|{words['ask']}|{words['reading']}|{words['drafting']})"
    opener = f"(?:(?:{words['opener']}),? )*"
    noun = r"(?:the|an?|any|all|each|every|both|either|our|its|their|his|her|your|this|that|these|those|no|some)\b"
    someone = rf"(?:{noun}|(?:i|you|he|she|it|we|they|there|one|anyone|someone|nobody|everyone)\b|(?-i:[A-Z])|\w+s\b)"
    does = f"(?:{words['auxiliary']})(?:n't| not)? {someone}"
    how = (
        rf"(?:(?:to|on|at|by|for|in|from|under|within|of|with|after|until|since|upon|about) )?{words['asking_word']}\b"
    )
    asks_for = rf"{request}\b(?=:|,? (?:{noun}|me|us|{words['asking_word']}\b|whether|if|that|to|on|out|in|for|it|them|so|plainly|clearly|expressly)|$)"
    starts = rf"{opener}(?:{how}|{does}|{asks_for}|whether\b|if so\b|let (?:me|us) have\b)"
    place = r"(?:(?:for|in|under|of|from|on|as to|per) [^,;:?]{1,80}?[,:]?\s+)?"
    inner = rf"\b{words['wish']}\b|\b(?:whether|how (?:much|many|long|soon|often))\b"
    verb = r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|must|should|does|do|did|am|been)\b|'(?:s|re|ve|m)\b"
    return _Grammar(
        boundary=rf"(?:\s*,)?\s+(?:and|or|but|then|plus|as well as)\b,?\s+(?={starts})|\s*,\s+(?={starts})|\.\s+(?=(?-i:(?=[A-Z])){starts})",
        asking=rf"^\W*{place}{starts}|\?\s*$|{inner}",
        fragment=rf"^\W*{opener}(?:{noun})(?!(?:(?!\b(?:which|that|who|whom|whose|where|when|by|if)\b).)*?(?:{verb}))",
        form=rf"^\W*{opener}{request}\b[^,;:]*?\b{words['product']}\b(?P<about>.*)$",
        each=rf"\b(?:each|every|all|both)(?: of)?(?: (?:the|these|those|our|its))?(?: [\w'-]+){{0,2}}? {words['paper']}\b"
        rf"|\b(?:per|by) {words['paper']}\b"
        r"|\b(?:for|of|in|under) (?:each|both)(?: of)?(?: (?:these|those|the))?(?: (?:two|three|four|five|six|\d+))?\s*(?:[,:(]|$)",
        perusal=rf"^\W*{opener}{words['perusal']}\b(?!.*\b(?:for|whether|if|{words['asking_word']})\b)",
        listing=rf"\W*(?:.{{0,120}}?[,:] )??{opener}{place}(?:{words['list_verb']}\b(?: (?:me|us|the following))?:?"
        rf"|(?:review|check|examine|analy[sz]e|search|read)\b[^,;:]{{0,80}}?\bfor\b"
        r"|what (?:is|are|was|were)\b|let (?:me|us) have)\s+",
        scope=rf"\s+(?:of|in|under|from|for|by) (?:each|every|all|both|the|these|those|this|that|our)\b"
        rf"(?: [\w'-]+){{0,4}}? ?{words['paper']}\b.*|\s+provisions?$",
        verb=verb,
    )


_PLAIN = (
    "opener", "ask", "question_word", "second_question_word", "judgement", "mere", "loose", "work", "drafting",
    "reading", "file", "leading", "trailing", "vague", "list_verb", "other_verb", "paper", "auxiliary", "asking_word",
    "wish", "product", "pair", "told", "perusal", "filler",
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
