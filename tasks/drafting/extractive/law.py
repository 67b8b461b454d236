"""Governing law: which law the clause names, not where courts sit or companies are organised."""

from __future__ import annotations

import re

from knowledge_db.jurisdictions import load_jurisdictions
from tasks.drafting.extractive.catalogue import normal
from tasks.drafting.extractive.find import Candidate, Found
from tasks.drafting.extractive.reading import Reading
from tasks.drafting.extractive.typed import Typed

_LAWS = re.compile(
    r"\b(?:laws?|statutes|regulations|rules|code)\b(?:,? (?:and|or) (?:\w+ ){0,3}(?:laws?|statutes|regulations"
    r"|decisions|jurisdiction))?"
    r",?\s*(?:\([^)]{0,60}\)\s*)?(?:in (?:force|effect) in|of|in|prevailing in|applicable (?:in|to)|from)\s",
    re.I,
)
_STOP = re.compile(
    r"(?:,? (?:without|excluding|exclusive of|excepting|regardless|irrespective|notwithstanding|except|other than"
    r"|but)\b"
    r"|\bconflicts?\b|\bchoice of\b|\bas (?:such|those|applied|to|they)\b|\b(?:applicable|applying) to\b|\bshall\b"
    r"|\bwill\b"
    r"|\bcourts?\b|\bjurisdiction\b|\bvenue\b|\bthe parties\b|\beach party\b|\bany (?:dispute|action|claim|legal)\b|;"
    r"|\.(?:\s|$))",
    re.I,
)
_UNCITRAL = re.compile(r"\bunited nations\b|\binternational sale of goods\b", re.I)


def governing_law(reading: Reading, found: Found) -> Typed:
    """Return the law that governs the document, by its usual name."""
    names: list[str] = []
    support = []
    ranked = sorted(found.chosen, key=lambda c: (-c.score, c.unit.start))
    for candidate in ranked or _weaker(reading):
        for name in named_laws(normal(candidate.unit.text)):
            if name not in names:
                names.append(name)
                if candidate.unit not in support:
                    support.append(candidate.unit)
        if names:
            break
    return Typed(", ".join(names), support=tuple(support), certain=bool(found.chosen))


def named_laws(sentence: str) -> list[str]:
    """Return the jurisdictions whose law a sentence names, in its order."""
    found: list[str] = []
    for match in _LAWS.finditer(sentence):
        rest = sentence[match.end() : match.end() + 220]
        stop = _STOP.search(rest)
        stretch = rest[: stop.start()] if stop else rest
        if not _UNCITRAL.search(stretch):
            found.extend(n for n in jurisdictions(stretch) if n not in found)
    if not found:
        before = re.search(r"\b(?:governed|construed|interpreted|subject)\b(.{0,120}?)\blaws?\b", sentence, re.I)
        found = jurisdictions(before[1] + " law") if before else []
    if not found and (named := re.search(r"\b(?:the )?([A-Z][\w.]*(?: [A-Z][\w.]*){0,3}) law\b", sentence)):
        found = jurisdictions(named[1] + " law")
    return found


def jurisdictions(stretch: str) -> list[str]:
    """Return the usual names of the jurisdictions in a stretch of text, in its order, each once."""
    known = load_jurisdictions()
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


def _weaker(reading: Reading) -> list[Candidate]:
    """Return sentences below a heading on law that name one, where no clause in the usual words exists."""
    pattern = re.compile(r"\b(?:governing|applicable|choice of) law\b|^law\b|\bgoverned\b", re.I)
    return [
        Candidate(u, 1.0)
        for u, t in zip(reading.units, reading.plain, strict=True)
        if (pattern.search(u.heading) or pattern.search(t[:80])) and re.search(r"\blaws?\b", t, re.I) and named_laws(t)
    ][:2]
