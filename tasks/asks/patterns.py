"""The patterns of briefs, compiled from the words of a harness (``knowledge_db/data/questions/asks.toml``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from knowledge_db import KnowledgeBase
from tasks.asks.english import AUXILIARY, CLOSED, DET, JOIN, MODAL, NUMBER_WORD, OBJECT, PREPOSITION, PRONOUN
from tasks.asks.grammar import Grammar

_USES = (
    "onset", "listing", "request", "auxiliary", "asking_word", "wish", "agenda", "product", "bland", "pair", "told",
    "perusal", "preamble", "narrative", "role", "tag", "redline", "change", "several", "paper", "file",
)  # fmt: skip
_NEVER = "(?!)"


@lru_cache(maxsize=4)
def grammar_of(knowledge: KnowledgeBase) -> Grammar:
    """Return the grammar of a harness, compiled once in a process."""
    rows = knowledge.questions
    words = {use: _any(p for row in rows if row.use == use for p in row.patterns) for use in _USES}
    kinds = {row.name: _any(row.patterns) for row in rows if row.use == "kind"}
    return Grammar(
        **_asking(words),
        **_clauses(words),
        **_papers(words),
        constraint=_pattern(rf"\W*{_onset(words)}{kinds.get('constraint', _NEVER)}\W*"),
        commanded=_pattern(
            rf"^\W*{_onset(words)}(?:[^,;:]{{0,60}}[,:] ?)??{_onset(words)}{kinds.get('drafting', _NEVER)}"
        ),
        kinds={name: _pattern(rf"\b{one}\b") for name, one in kinds.items() if name != "constraint"},
        words=_plain(words),
    )


def _onset(w: Mapping[str, str]) -> str:
    return rf"(?:(?:{w['onset']})\b[,:]? *)*"


def _request(w: Mapping[str, str]) -> str:
    return rf"(?:{w['listing']}|{w['request']})\b"


def _how(w: Mapping[str, str]) -> str:
    return rf"(?:{PREPOSITION} )?{w['asking_word']}\b"


def _does(w: Mapping[str, str]) -> str:
    """Return the pattern of a verb that stands before its subject."""
    subject = rf"(?:{DET}|{PRONOUN}|(?-i:[A-Z])|(?!{PREPOSITION})(?:[\w-]+ )?[\w-]{{2,}}s\b)"
    return rf"{w['auxiliary']}(?:n't| not)? {subject}"


_SOON = r"(?: also| just| really| only| further| still| then| do){0,2}"
_WANTS = rf"(?:i|we)(?:'d| would|'ll| do)?{_SOON} (?:need|want|like)\b"
# A request by a verb that no list knows: what a determiner follows at the beginning of a clause is one.
_ORDER = rf"(?!(?:{CLOSED})\b)[a-z][a-z-]+(?<!ing)(?<!ly)(?<!ed)(?<!s) (?:and [a-z-]+ )?(?:{DET}|{OBJECT})"
_TOLD_IF = r"\b(?:know|see|say|check|confirm|sure|tell|find out|ask)(?: me| us)? (?:if|that)\b"
_LEARN = r"\b(?:know|tell|see|say|check|confirm|sure|find out|ask|advise|wonder\w*|explain|state)\b"


def _due(w: Mapping[str, str]) -> str:
    """Return the pattern of what a work product must do."""
    return rf"(?:(?:the|this|your) )?(?:{w['product']}|it|this|they) {MODAL}"


def _asking(w: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    """Return the patterns of clauses that ask."""
    onset, how, does, request = _onset(w), _how(w), _does(w), _request(w)
    known = rf"{request}(?! (?:is|are|was|were|of|and|&)\b)"
    return {
        "begins": _pattern(
            rf"\W*{onset}(?:{how}|{w['auxiliary']}(?:n't| not)? (?!\d)\w|{known}|if so\b|{_WANTS}|{_due(w)}|{_ORDER})"
        ),
        "wishes": _pattern(rf"\b{w['wish']}\b|\b(?:whether|how (?:much|many|long|soon|often))\b|\bplease\b"),
        "inquiring": _pattern(rf"^\W*{onset}(?:{how}|{w['auxiliary']}\b)|{_TOLD_IF}|{_LEARN}(?: {OBJECT})?[:,]? {how}"),
        "clausal": _pattern(rf"\W*{how} (?:{DET}|{PRONOUN}) ?\w"),
        "polar": _pattern(
            rf"^\W*{w['auxiliary']}\b|(?P<open>\b(?!whether){w['asking_word']}\b)|\bwhether\b|{_TOLD_IF}|[,-] {does}"
        ),
        "form": _pattern(rf"^\W*{onset}(?:{_WANTS}|{request})\b(?P<kind>[^,;:]*?)\b{w['product']}\b(?P<about>.*)$"),
        "tag": _pattern(rf"\W*{onset}{w['tag']}\W*"),
    }


def _clauses(w: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    """Return the patterns of where clauses begin and end, and of statements."""
    onset, how, request = _onset(w), _how(w), _request(w)
    goes_on = rf"{DET}|{PRONOUN}|{OBJECT}|{how}|{PREPOSITION}|out\b|sections?\b|clauses?\b|[\d(]|(?-i:[A-Z])"
    to_do = rf"{request}(?=:|,? (?:{goes_on})|\W*$)"
    relative = rf"(?:{PREPOSITION} )?(?:who|whom|whose|which|where|when)\b"
    contracted = r"\w'(?:re|ve|m|ll|d)\b|(?:that|it|he|she|there|here|who|what)'s\b|n't\b"
    past = rf"\b\w{{3,}}ed (?:{DET}|{OBJECT}|(?:down|up|off|yesterday|last)\b|(?:on|in) \d)"
    reading = rf"(?![^,;]*\b(?:for (?!{DET})|whether|if|{w['asking_word']})\b)"
    return {
        "boundary": _pattern(
            rf"(?:\s*,\s*(?P<joined>(?:{JOIN})\b,?\s+)?|\s+(?P<bare>{JOIN})\b,?\s+)(?:(?:{w['onset']})\b[,:]? *){{0,4}}"
            rf"(?=(?P<relative>{relative})?(?P<asked>{how})|{_does(w)}|{to_do}|{_WANTS}|if so\b"
            rf"|(?P<unsaid>if (?:{DET}|{PRONOUN}))|(?P<loose>{request} [a-z]))"
        ),
        "onset": _pattern(rf"^\W*{onset}"),
        "told": _pattern(rf"^\W*(?:{onset})(?:{w['told']})(?![\w-])"),
        "preamble": _pattern(rf"{w['preamble']}\b(?:[^,;:()]|\([^()]*\)){{2,300}},\s+"),
        "perusal": _pattern(rf"^\W*{onset}{w['perusal']}\b{reading}"),
        "verb": _pattern(
            rf"^\W*(?:no|i|you|he|she|it|we|they|there)\b|\b{AUXILIARY}|{contracted}|\b{w['narrative']}\b|{past}"
        ),
    }


def _papers(w: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    """Return the patterns of lists of things and of the papers of which they are asked."""
    several = r"(?:the|these|those|our|its|them)"
    shows = r"(?:with|showing|covering|listing|setting out|containing|giving)"
    reads = r"(?:review|check|examine|analy[sz]e|search|read|go through|look through)"
    return {
        "listing": _pattern(
            rf"\W*(?:[^,:]{{0,120}}?[,:] )??{_onset(w)}"
            rf"(?:(?:for|in|under|of|from|per) (?:each|every|all|both|any)\b[^,;:]{{0,60}}? )?"
            rf"(?:{w['listing']}\b(?: (?:{OBJECT}|the following))*:?"
            rf"|{reads}\b[^,;:]{{0,80}}?\bfor\b"
            rf"|what (?:is|are|was|were)\b"
            rf"|{_WANTS}(?: to (?:know|have|see|get))?"
            rf"|{_due(w)} [a-z]+"
            rf"|[^,;:]{{0,80}}\b{w['product']}\b[^,;:]{{0,60}}\b{shows}\b"
            rf"|[^,;:]{{0,60}}\b(?:has|have|needs?|must|should)(?: to)? (?:show|cover|include|list|give)\b"
            r")(?: above all| at least)? "
        ),
        "scope": _pattern(
            rf"\s+(?:of|in|under|from|for|by) (?:each|every|all|both|the|these|those|this|that|our)\b"
            rf"(?: [\w'-]+){{0,4}}? ?\b{w['paper']}\b.*"
            rf"|\s+(?:of|in|under|from|for) (?:each|all|both)(?: (?:of them|{NUMBER_WORD}))?$|\s+provisions?$"
        ),
        "each": _pattern(
            rf"\b{w['several']}(?: of)?(?: {several})?(?: {NUMBER_WORD})?(?: [\w'&-]+){{0,2}}? {w['paper']}\b"
            rf"|\b(?:for|of|in|under|from) (?:each|both|all)(?: of {several})?(?: {NUMBER_WORD})?\s*(?:[,:(?]|$)"
            rf"|\bper {w['paper']}\b"
        ),
    }


def _plain(w: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    found = {use: _pattern(rf"\b{w[use]}\b") for use in ("agenda", "product", "bland", "paper", "role", "redline")}
    return found | {
        "pair": _pattern(w["pair"]),
        "change": _pattern(rf"\b{w['change']}"),
        "file": _pattern(rf"(?:^|\n|(?<=[.?!:] ))[#*> ]{{0,6}}{w['file']}\b[\s:*]{{0,9}}"),
    }


def _any(patterns: Iterable[str]) -> str:
    """Return one pattern that meets what any of them does; none meets nothing."""
    return f"(?:{'|'.join(patterns) or _NEVER})"


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)
