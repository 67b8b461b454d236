"""Whose law a sentence names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from knowledge_db import KnowledgeBase
from knowledge_db.jurisdictions import codes_in
from tasks.legaltext.fold import straight

_LAWS = re.compile(
    r"\b(?:laws?|statutes|code)\b(?:,? (?:and|or) (?:\w+ ){0,3}(?:laws?|statutes|regulations"
    r"|decisions|jurisdiction))?"
    r",?\s*(?:\([^)]{0,80}\)\s*|(?:other than|excluding|except"
    r"|without)[^,]{0,60},\s*)?(?:and decisions of the courts )?(?:in (?:force|effect) in|of|in|prevailing in"
    r"|applicable (?:in|to)|from|(?=state of|commonwealth of))\s?",
    re.I,
)
_STOP = re.compile(
    r"(?:,? (?:without|excluding|exclusive of|excepting|regardless|irrespective|notwithstanding|except|other than"
    r"|but)\b"
    r"|\bconflicts?\b|\bchoice of\b|\bas (?:such|those|applied|to|they)\b|\b(?:applicable|applying) to\b|\bshall\b"
    r"|\bwill\b"
    r"|\bcourts?\b|\bjurisdiction\b|\bvenue\b|\bthe parties\b|\beach party\b|\bany (?:dispute|action|claim|legal)\b|;"
    r"|(?<!\.\w)\.(?:\s|$))",
    re.I,
)
_UNCITRAL = re.compile(r"\bunited nations\b|\binternational sale of goods\b", re.I)


def named_laws(sentence: str, known: Mapping[str, str]) -> list[str]:
    """Return the jurisdictions whose law a sentence names, in order; ``known`` as in :func:`jurisdictions_named`."""
    found: list[str] = []
    for match in _LAWS.finditer(sentence):
        rest = sentence[match.end() : match.end() + 220]
        stop = _STOP.search(rest)
        stretch = rest[: stop.start()] if stop else rest
        if not _UNCITRAL.search(stretch):
            found.extend(n for n in jurisdictions_named(stretch, known) if n not in found)
    if not found and re.search(r"\blaws thereof\b", sentence, re.I):
        found = jurisdictions_named(sentence[: sentence.lower().index("laws thereof")], known)[-1:]
    if not found:
        before = re.search(r"\b(?:governed|construed|interpreted|subject)\b(.{0,120}?)\blaws?\b", sentence, re.I)
        found = jurisdictions_named(before[1] + " law", known) if before else []
    if not found and (named := re.search(r"\b(?:the )?([A-Z][\w.]*(?: [A-Z][\w.]*){0,3}) law\b", sentence)):
        found = jurisdictions_named(named[1] + " law", known)
    return found


def names_a_place(text: str, knowledge: KnowledgeBase) -> bool:
    """Tell whether a text names a place whose law may govern, or says what is said of the law of one alone."""
    return bool(codes_in(text, knowledge.folder) or jurisdictions_named(straight(text), knowledge.jurisdictions))


def jurisdictions_named(stretch: str, known: Mapping[str, str]) -> list[str]:
    """Return the usual names of the jurisdictions in a stretch of text, in its order, each once.

    Args:
        stretch: The text.
        known: The usual name of a jurisdiction by each of its names.
    """
    names = sorted(known, key=lambda n: (-len(n), n))
    flexible = "|".join(re.escape(n).replace(r"\ ", r"\s+").replace("'", "['’]?") for n in names)
    hits: list[str] = []
    for match in re.finditer(rf"(?<![\w])(?:{flexible})(?![\w])", stretch, re.I):
        plain = re.sub(r"\s+", " ", match[0]).replace("’", "'").lower()
        usual = next((known[n] for n in names if n.lower() == plain), "")
        if usual and usual not in hits:
            hits.append(usual)
    if "United States" in hits and len(hits) > 1:
        hits.remove("United States")
    if "China" in hits and "People's Republic of China" in hits:
        hits.remove("China")
    return hits
