"""The patterns of briefs, compiled from the words of a harness (``knowledge_db/data/questions/asks.toml``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from knowledge_db import KnowledgeBase
from tasks.asks.english import CLOSED, DET, JOIN, NUMBER_WORD, PREPOSITION, PRONOUN
from tasks.asks.grammar import Grammar


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
    someone = rf"(?:{DET}|{PRONOUN}|(?-i:[A-Z])|(?!{PREPOSITION})(?:[\w-]+ )?[\w-]{{2,}}s\b)"
    how = rf"(?:{PREPOSITION} )?{w['asking_word']}\b"
    does = rf"{w['auxiliary']}(?:n't| not)? {someone}"
    to_do = rf"{request}(?=:|,? (?:{DET}|{PRONOUN}|me\b|us\b|him\b|them\b|{how}|{PREPOSITION}|out\b|sections?\b|clauses?\b|[\d(]|(?-i:[A-Z]))|\W*$)"
    led = rf"(?:(?:{w['onset']})\b[,:]? *){{0,4}}"
    wants = r"(?:i|we)(?:'d| would|'ll| do)?(?: also| just| really| only| further| still| then| do){0,2} (?:need|want|like)\b"
    due = rf"(?:(?:the|this|your) )?(?:{w['product']}|it|this|they) (?:must|should|has to|have to|needs to|ought to|is to|shall)\b"
    order = (
        rf"(?!(?:{CLOSED})\b)[a-z][a-z-]+(?<!ing)(?<!ly)(?<!ed)(?<!s) (?:and [a-z-]+ )?(?:{DET}|me\b|us\b|them\b|it\b)"
    )
    verb = (
        rf"^\W*no\b|\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|shall|does|do|did|am|been|cannot)\b"
        rf"|\w'(?:re|ve|m|ll|d)\b|(?:that|it|he|she|there|here|who|what)'s\b|n't\b|\b{w['narrative']}\b|^\W*(?:i|you|he|she|it|we|they|there)\b"
        rf"|\b\w{{3,}}ed (?:{DET}|us\b|me\b|him\b|them\b|down\b|up\b|off\b|yesterday\b|last\b|on \d|in \d)"
    )
    words = {use: _pattern(rf"\b{w[use]}\b") for use in ("agenda", "product", "bland", "paper", "role", "redline")}
    words |= {
        "pair": _pattern(w["pair"]),
        "change": _pattern(rf"\b{w['change']}"),
        "file": _pattern(rf"(?:^|\n|(?<=[.?!:] ))[#*> ]{{0,6}}{w['file']}\b[\s:*]{{0,9}}"),
    }
    told_if = r"\b(?:know|see|say|check|confirm|sure|tell|find out|ask)(?: me| us)? (?:if|that)\b"
    return Grammar(
        begins=_pattern(
            rf"\W*{onset}(?:{how}|{w['auxiliary']}(?:n't| not)? (?!\d)\w|{request}(?! (?:is|are|was|were|of|and|&)\b)|if so\b|{wants}|{due}|{order})"
        ),
        wishes=_pattern(rf"\b{w['wish']}\b|\b(?:whether|how (?:much|many|long|soon|often))\b|\bplease\b"),
        boundary=_pattern(
            rf"(?:\s*,\s*(?P<joined>(?:{JOIN})\b,?\s+)?|\s+(?P<bare>{JOIN})\b,?\s+){led}"
            rf"(?=(?P<relative>(?:{PREPOSITION} )?(?:who|whom|whose|which|where|when)\b)?(?P<asked>{how})|{does}|{to_do}|{wants}|if so\b"
            rf"|(?P<unsaid>if (?:{DET}|{PRONOUN}))|(?P<loose>{request} [a-z]))"
        ),
        listing=_pattern(
            rf"\W*(?:[^,:]{{0,120}}?[,:] )??{onset}(?:{w['listing']}\b(?: (?:me|us|him|her|them|the following))*:?"
            rf"|(?:review|check|examine|analy[sz]e|search|read|go through|look through)\b[^,;:]{{0,80}}?\bfor\b"
            rf"|what (?:is|are|was|were)\b|{wants}(?: to (?:know|have|see|get))?|{due} [a-z]+|[^,;:]{{0,80}}\b{w['product']}\b[^,;:]{{0,60}}\b(?:with|showing|covering|listing|setting out|containing|giving)\b|[^,;:]{{0,60}}\b(?:has|have|needs?|must|should)(?: to)? (?:show|cover|include|list|give)\b)(?: above all| at least)? "
        ),
        clausal=_pattern(rf"\W*{how} (?:{DET}|{PRONOUN}) ?\w"),
        inquiring=_pattern(
            rf"^\W*{onset}(?:{how}|{w['auxiliary']}\b)|{told_if}|\b(?:know|tell|see|say|check|confirm|sure|find out|ask|advise|wonder\w*|explain|state)\b"
            rf"(?: me| us| him| her| them)?[:,]? {how}"
        ),
        polar=_pattern(
            rf"^\W*(?P<aux>{w['auxiliary']})\b|(?P<open>\b(?!whether){w['asking_word']}\b)|\bwhether\b|{told_if}|[,-] {does}"
        ),
        scope=_pattern(
            rf"\s+(?:of|in|under|from|for|by) (?:each|every|all|both|the|these|those|this|that|our)\b"
            rf"(?: [\w'-]+){{0,4}}? ?\b{w['paper']}\b.*|\s+(?:of|in|under|from|for) (?:each|all|both)(?: (?:of them|two|three|four|five))?$|\s+provisions?$"
        ),
        each=_pattern(
            rf"\b{w['several']}(?: of)?(?: (?:the|these|those|our|its|them))?(?: {NUMBER_WORD})?(?: [\w'&-]+){{0,2}}? {w['paper']}\b"
            rf"|\b(?:for|of|in|under|from) (?:each|both|all)(?: of (?:them|these|those|the))?(?: {NUMBER_WORD})?\s*(?:[,:(?]|$)|\bper {w['paper']}\b"
        ),
        onset=_pattern(rf"^\W*{onset}"),
        told=_pattern(rf"^\W*(?:{onset})(?:{w['told']})(?![\w-])"),
        preamble=_pattern(rf"{w['preamble']}\b(?:[^,;:()]|\([^()]*\)){{2,300}},\s+"),
        perusal=_pattern(rf"^\W*{onset}{w['perusal']}\b(?![^,;]*\b(?:for (?!{DET})|whether|if|{w['asking_word']})\b)"),
        product=words["product"],
        form=_pattern(rf"^\W*{onset}(?:{wants}|{request})\b(?P<kind>[^,;:]*?)\b{w['product']}\b(?P<about>.*)$"),
        verb=_pattern(verb),
        tag=_pattern(rf"\W*{onset}{w['tag']}\W*"),
        constraint=_pattern(rf"\W*{onset}{kinds.get('constraint', '(?!)')}\W*"),
        commanded=_pattern(rf"^\W*{onset}(?:[^,;:]{{0,60}}[,:] ?)??{onset}{kinds.get('drafting', '(?!)')}"),
        kinds={name: _pattern(rf"\b{one}\b" if name != "constraint" else one) for name, one in kinds.items()},
        words=words,
    )


def _any(patterns: Iterable[str]) -> str:
    """Return one pattern that meets what any of them does; none meets nothing."""
    return f"(?:{'|'.join(patterns) or '(?!)'})"


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)
