"""What our own tools say of the knowledge: whether they read its citations, compute its windows, match its patterns.

The evidence is rows for the suites of ``warehouse/expectations/knowledge``; nothing is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from knowledge_db import KnowledgeBase
from knowledge_db.provisions import load_provisions
from knowledge_db.records import wider_citations
from tasks.learning.patterns.gate import pattern_problems
from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.fold import straight
from tasks.legaltext.records import CitationMention
from tasks.legaltext.tokens import terms
from tasks.reconcile.deadlines.book import book_of
from tasks.reconcile.deadlines.computability import uncomputable

FAMILIES: Final = (
    "authorities",
    "windows",
    "inference",
    "questions",
    "provisions",
)  # the families that our tools can say something about
# What may follow the reporter of a case: the court and the year, or for a case number the parties and the year.
_AFTER_CASE: Final = re.compile(r"[\s,]*(?:\d[\d-]*)?\s*\((?:[^()]*\s)?\d{4}\)|,\s[^;]{3,120}\s\(\d{4}\)")
_PINPOINT: Final = re.compile(
    r"[\s,.]*(?:arts?|annex|sch|ch|para|paras|recital|r|s|ss|§+)?\.?\s*[\dIVXA-Z][\w.()-]*(?:\([\w-]+\))*"
)
# What may stand before a citation: abbreviations of a place, or the name of the act that a compilation holds.
_BEFORE: Final = re.compile(r"(?:[A-Z][\w.]*\.?\s?){1,3}|[A-Z][^§;]{1,100},")
# An instrument cited by its name and a place in it ("CISG art. 35", "Art. 41 OR"), which no table of the scanner holds.
_BY_NAME: Final = re.compile(
    r"(?:Art\.|§) \d+\w* [A-Z][A-Za-z. ]{1,12}"
    r"|[A-Z][^§;]{1,110}\s(?:arts?|Rules?|r|reg|ss?|sec|ch|para|pt|§§?|No)\.?\s?(?:[\dIVX]|[LR]\.? ?\d)[\w.:()/-]{0,20}"
)
_BLOCK: Final = 50  # citations looked up at once
_PROSE: Final = 100  # sentences about the law that a cue is tried on, at least; they are notes of authorities
_SENTENCE: Final = 8  # words
_APART: Final = "\n\n"
_NICKNAMES: Final = {"GDPR": "2016/679"}  # numbers that a canonical form adds by right
_NUMBERED: Final = re.compile(r"\d[\w-]*(?:[./]\d[\w-]*)*(?:\([\w-]+\))*")


def evidence(folder: Path, families: Collection[str] = FAMILIES) -> dict[str, list[dict[str, Any]]]:
    """Return the evidence by table: ``citations``, ``windows``, ``patterns``, ``triggers``, ``provisions``.

    Args:
        folder: A knowledge data folder whose rows keep their schema.
        families: The families to look at; the others have no evidence.
    """
    base = KnowledgeBase(folder, terms)
    asked = {name: name in families for name in FAMILIES}
    patterns = [
        *(_inference_patterns(base) if asked["inference"] else ()),
        *(_brief_patterns(base) if asked["questions"] else ()),
        *(_provision_patterns(folder) if asked["provisions"] else ()),
    ]
    tried = list(_tried(patterns))
    unsafe = {row["entry"] for row in tried if row["problem"]}
    return {
        "citations": [
            *(_authorities(base) if asked["authorities"] else ()),
            *(_window_authorities(base) if asked["windows"] else ()),
        ],
        "windows": list(_windows(base)) if asked["windows"] else [],
        "patterns": tried,
        "triggers": list(_triggers(base)) if asked["inference"] else [],
        "provisions": list(_provisions(folder, base, unsafe)) if asked["provisions"] else [],
    }


def read_citation(citation: str, kind: str = "") -> dict[str, Any]:
    """Say how the citation scanner reads one citation that stands alone.

    Returns:
        ``form``: ``read`` (the whole of it), ``partly`` (the instrument, but not the place in it), ``by_name`` (not
        read, but an instrument's name and a place in it), ``several`` or ``unread``; ``canonical``; ``agrees``:
        whether the canonical form has the same numbers and is itself read as that form.
    """
    return _reading(citation, kind, scan_citations(citation))


def _reading(citation: str, kind: str, mentions: Sequence[CitationMention]) -> dict[str, Any]:
    if len(mentions) > 1:
        return {"form": "several", "canonical": mentions[0].canonical, "agrees": False}
    form = _form(citation, mentions[0], kind) if mentions else "unread"
    if form == "unread" and _BY_NAME.fullmatch(citation):
        form = "by_name"
    known = form in ("read", "partly")
    canonical = mentions[0].canonical if known else ""
    return {"form": form, "canonical": canonical, "agrees": known and _agrees(mentions[0])}


def read_citations(cited: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Read many citations, each with its kind, as ``read_citation`` does: in blocks, since a scan has a fixed cost."""
    found = []
    for start in range(0, len(cited), _BLOCK):
        block = cited[start : start + _BLOCK]
        mentions = scan_citations(_APART.join(citation for citation, _ in block))
        at = 0
        for citation, kind in block:
            own = [m for m in mentions if m.start < at + len(citation) and m.end > at]
            within = all(at <= m.start and m.end <= at + len(citation) for m in own)
            moved = [m.model_copy(update={"start": m.start - at, "end": m.end - at}) for m in own]
            found.append(_reading(citation, kind, moved) if within else read_citation(citation, kind))
            at += len(citation) + len(_APART)
    return found


def _form(citation: str, mention: CitationMention, kind: str) -> str:
    before, after = citation[: mention.start].strip(), citation[mention.end :].strip()
    if kind == "case":
        return "read" if not after or _AFTER_CASE.fullmatch(after) else "unread"
    if before and not _BEFORE.fullmatch(before):
        return "unread"
    if not after:
        return "read"
    return "partly" if _PINPOINT.fullmatch(after) else "unread"


def _agrees(mention: CitationMention) -> bool:
    """Whether the canonical form has the same numbers, no others, and is read as the same instrument."""
    said, canonical = set(_NUMBERED.findall(mention.text)), set(_NUMBERED.findall(mention.canonical))
    added = {number for name, number in _NICKNAMES.items() if name in mention.text}
    if said - canonical or canonical - said - added:
        return False
    if mention.canonical == mention.text:
        return True
    again = scan_citations(mention.canonical)
    # A volume and page alone may be any text, so a case is not asked to be read without its name.
    return mention.kind == "case" or (len(again) == 1 and mention.canonical.startswith(again[0].canonical))


def _authorities(base: KnowledgeBase) -> Iterator[dict[str, Any]]:
    readings = read_citations([(row.citation, row.kind) for row in base.authorities])
    for row, reading in zip(base.authorities, readings, strict=True):
        said = {"family": "authorities", "entry": row.citation, "citation": row.citation, "kind": row.kind}
        yield {**said, "jurisdiction": row.jurisdiction, "in_catalogue": True, **reading}


def _window_authorities(base: KnowledgeBase) -> Iterator[dict[str, Any]]:
    catalogue = {row.citation for row in base.authorities}
    readings = read_citations([(row.authority, "") for row in base.windows])
    for row, reading in zip(base.windows, readings, strict=True):
        said = {"family": "windows", "entry": row.window_id, "citation": row.authority, "kind": ""}
        held = any(whole in catalogue for whole in wider_citations(row.authority))
        yield {**said, "jurisdiction": row.jurisdiction, "in_catalogue": held, **reading}


def _windows(base: KnowledgeBase) -> Iterator[dict[str, Any]]:
    problems = dict(line.split(": ", 1) for line in uncomputable(book_of(base)))
    for row in base.windows:
        yield {"entry": row.window_id, "problem": problems.get(row.window_id, "")}


def _inference_patterns(base: KnowledgeBase) -> Iterator[tuple[str, str, str]]:
    for rule in base.inference:
        yield "inference", f"{rule.document_type}: {rule.pattern}", rule.pattern


def _brief_patterns(base: KnowledgeBase) -> Iterator[tuple[str, str, str]]:
    for cue in base.questions:
        for pattern in filter(None, (*cue.patterns, cue.says)):
            yield "questions", f"{cue.use}: {cue.name}: {pattern}", pattern


def _provision_patterns(folder: Path) -> Iterator[tuple[str, str, str]]:
    for entry in load_provisions(folder):
        for pattern in entry.patterns:
            yield "provisions", f"{entry.name}: {pattern}", pattern


def _provisions(folder: Path, base: KnowledgeBase, unsafe: Collection[str]) -> Iterator[dict[str, Any]]:
    """Say of each kind of clause whether its cues know it by its own words, and how common what they meet is."""
    notes = [straight(row.note) for row in base.authorities if len(row.note.split()) >= _SENTENCE]
    prose = notes[:: max(1, len(notes) // _PROSE)]
    for entry in load_provisions(folder):
        found = (cue for cue in (*entry.headings, *entry.strong) if f"{entry.name}: {cue}" not in unsafe)
        cues = [re.compile(cue, re.IGNORECASE) for cue in found]
        own = [straight(words) for words in (entry.name, *entry.aliases, entry.means)]
        known = not cues or any(cue.search(words) for cue in cues for words in own)
        met = max((sum(bool(cue.search(text)) for text in prose) for cue in cues), default=0)
        share = met / len(prose) if len(prose) >= _PROSE else 0.0
        yield {"entry": entry.name, "knows_itself": known, "common": share}


def _tried(patterns: list[tuple[str, str, str]]) -> Iterator[dict[str, Any]]:
    problems = pattern_problems([pattern for *_, pattern in patterns])
    for (family, entry, _), problem in zip(patterns, problems, strict=True):
        yield {"family": family, "entry": entry, "problem": problem}


def _triggers(base: KnowledgeBase) -> Iterator[dict[str, Any]]:
    known: dict[str, bool] = {}
    everywhere = frozenset(row.jurisdiction for row in base.authorities)
    everywhere |= frozenset(row.jurisdiction for row in base.windows)
    for rule in base.inference:
        for trigger in rule.retrieve:
            if trigger not in known:
                known[trigger] = _leads_somewhere(base, trigger, everywhere)
            yield {"entry": f"{rule.document_type}: {trigger}", "found": known[trigger]}


def _leads_somewhere(base: KnowledgeBase, trigger: str, everywhere: frozenset[str]) -> bool:
    """Whether a trigger brings anything in the matter for which it is most apt: one of everywhere."""
    return bool(base.law_on(trigger, trigger, 1, everywhere) or base.windows_on(trigger, trigger, 1, everywhere))
