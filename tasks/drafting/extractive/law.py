"""Governing law: which law the clause names, not where courts sit or companies are organised."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tasks.drafting.extractive.find_provision import Candidate, Found
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.typed_value import Typed
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
MOST = 3  # laws reported of one document, each with its clause
_UNCITRAL = re.compile(r"\bunited nations\b|\binternational sale of goods\b", re.I)


def governing_law(reading: SentencedDocument, found: Found) -> Typed:
    """Return the law that governs the document, by its usual name."""
    names: list[str] = []
    support = []
    ranked = sorted(found.chosen, key=lambda c: (-c.score, c.unit.start))
    for candidate in ranked or _below_law_heading(reading):
        added = [
            n for n in named_laws(straight(candidate.unit.text), reading.knowledge.jurisdictions) if n not in names
        ]
        if added and len(names) < MOST:
            names.extend(added)
            support.append(candidate.unit)
    if not names:
        return _forum(reading)
    note = "The document names more than one law; see each clause." if len(support) > 1 else ""
    return Typed("; ".join(names), note=note, support=tuple(support), certain=bool(found.chosen) and not note)


def _forum(reading: SentencedDocument) -> Typed:
    """Return where disputes are heard, for a document that chooses no law in so many words."""
    known = reading.knowledge.jurisdictions
    for unit, text in zip(reading.units, reading.plain, strict=True):
        heading = re.search(r"\bgoverning law\b|\bapplicable law\b", unit.heading, re.I)
        heard = re.search(
            r"\b(?:disputes?|claims?|controvers\w+)\b.{0,200}\b(?:arbitrat|courts?|settled"
            r"|resolved)",
            text,
            re.I,
        )
        if heard and (names := jurisdictions_named(text[heard.start() :], known)):
            rest = [
                u
                for u, t in zip(reading.units, reading.plain, strict=True)
                if heading and u is not unit and u.heading == unit.heading and jurisdictions_named(t, known)
            ]
            names = list(
                dict.fromkeys([*names, *(n for u in rest for n in jurisdictions_named(straight(u.text), known))])
            )[:MOST]
            note = "No express choice of law; this is where disputes are heard."
            return Typed("; ".join(names), note=note, support=(unit, *rest[:1]), certain=False)
    return Typed()


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


def _below_law_heading(reading: SentencedDocument) -> list[Candidate]:
    """Return sentences below a heading on law that name one, where no clause in the usual words exists."""
    known = reading.knowledge.jurisdictions
    pattern = re.compile(r"\b(?:governing|applicable|choice of) law\b|^law\b|\bgoverned\b", re.I)
    return [
        Candidate(u, 1.0)
        for u, t in zip(reading.units, reading.plain, strict=True)
        if (pattern.search(u.heading) or pattern.search(t[:80]))
        and re.search(r"\blaws?\b", t, re.I)
        and named_laws(t, known)
    ][:2]
