"""Governing law: which law the clause names, not where courts sit or companies are organised."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.drafting.extractive.find_provision import Candidate, Found
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.typed_value import Typed
from tasks.legaltext.fold import straight
from tasks.retrieval.named_laws import jurisdictions_named, named_laws

_DESCRIBED = re.compile(
    r"\b(?:governed|construed|interpreted|enforced)\b[^.;]{0,60}?\b(?:by|under|with|to)\s+"
    r"((?:the )?(?:\w+ ){0,2}laws?\b[^,;.()]{0,80})",
    re.I,
)
MOST = 3  # laws reported of one document, each with its clause


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
        return _unnamed(ranked) or _forum(reading)
    note = "The document names more than one law; see each clause." if len(support) > 1 else ""
    return Typed("; ".join(names), note=note, support=tuple(support), certain=bool(found.chosen) and not note)


def _unnamed(ranked: Sequence[Candidate]) -> Typed | None:
    """Return the law as a clause describes it that names no place: left blank, or "the law governing the Lease"."""
    for candidate in ranked[:1]:
        said = _DESCRIBED.search(straight(candidate.unit.text))
        if said:
            return Typed(f"As the clause describes it: {said[1].strip()}", support=(candidate.unit,), certain=False)
    return None


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
