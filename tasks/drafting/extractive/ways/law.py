"""Questions of law: the rule that speaks of what is asked, word for word, with its place and how it was verified."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from knowledge_db import KnowledgeBase
from knowledge_db.law_texts import parts_of
from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.likeness import Likeness
from tasks.drafting.extractive.ways.stated import open_entry, told

_LAW = re.compile(
    r"\b(?:rules?|statutes?|sections? of|title \d+|u\.?s\.?c\.?|fed\. ?r\.|authorit(?:y|ies)|case law|federal law"
    r"|legal basis|code)\b",
    re.I,
)
_LONGEST = 1200  # characters of a subdivision that is one thought
_SHORTEST = 40  # characters of a sentence of law that is quoted: what has fewer is a heading or a stub
_TITLE = re.compile(r"\btitle (\d{1,2})\b", re.I)
# Questions of what may, must or can be done; whether something was done is told by the papers.
_ASKED = re.compile(
    r"\b(?:can|could|may|must|allowed|have to|has to|entitled|liable|protects?|lose|waive[sd]?"
    r"|how long (?:has|does|do|must)|how would|by what rule|which rule|enforceable|lawful|required)\b",
    re.I,
)
_AROUND = 0.8  # what it counts that the paragraph of a sentence speaks of what is asked
_LEAST = 3  # notions of the question that a rule must share: one or two words in common are chance
_TOLD = 0.6  # part of the question that a sentence of the papers must speak of to be the one that answers it
_PROCEDURE = ("Fed. R.", "28 U.S.C.")  # where a brief asks for rules, law of other kinds is a weak guess
_LIKELY = 0.4  # a rule that may bear on the question
_FLOOR = 0.12  # score of an authority below which it is a weak guess
_NAMED = 3  # authorities named
_ENOUGH = 0.5  # part of what is asked about that a rule must speak of
_CLEAR = 0.9  # a rule of another number that fits so nearly as well leaves the ask open
_BESIDE = 0.2  # what it counts that a rule speaks of what the request tells besides
_WORDS = 45  # words of a rule that are quoted


@dataclass(frozen=True)
class RulePart:
    """A subdivision of a rule, word for word."""

    citation: str
    rule: str
    text: str
    heading: str
    source: str


@lru_cache(maxsize=4)
def parts_held(knowledge: KnowledgeBase) -> tuple[RulePart, ...]:
    """Return the subdivisions of the rules that the knowledge holds word for word."""
    headings: dict[str, str] = {}
    found = []
    for row in knowledge.law_texts:
        headings.setdefault(row.citation, row.heading)
        for part in parts_of(row):
            text = " ".join(row.text[part.start : part.end].split())
            if _SHORTEST <= len(text) <= _LONGEST:
                source = f"text of {row.as_of}" + (f", amended {row.amended}" if row.amended else "")
                found.append(RulePart(f"{row.citation}{part.path}", row.citation, text, headings[row.citation], source))
    return tuple(found)


@lru_cache(maxsize=4)
def _notions_held(knowledge: KnowledgeBase) -> Likeness:
    return Likeness(knowledge.vocabulary, (p.text for p in parts_held(knowledge)))


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Answer a question of law with the rule that governs it, or with related law; None where no law is asked for."""
    if not _LAW.search(room.job.matter.instructions) or not _ASKED.search(ask.words):
        return None
    if _tells(ask, room):
        return None
    ranked = ranked_parts(ask, room) if not _TITLE.search(room.job.matter.instructions) else ()
    room.log.act(f"Look for the law on: {ask.words}", "authority", {"query": ask.words}, f"{len(ranked)} near")
    if ranked and ranked[0][0] >= _ENOUGH:
        best = ranked[0][1]
        if all(s < _CLEAR * ranked[0][0] or p.rule == best.rule for s, p in ranked[1:]):
            return told(ask, [_quoted(best)])
    return _bearing(ask, ranked, room)


def _quoted(part: RulePart) -> Entry:
    words = part.text.split(" ")
    said = " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
    return Entry(
        state=AskState.ANSWERED,
        answer=f"{part.citation}: “{said}”",
        basis=part.citation,
        note=f"verified against the stored {part.source}; whether it is in force and how it applies is to be checked",
        certain=False,
    )


def _bearing(ask: Ask, ranked: Sequence[tuple[float, RulePart]], room: Room) -> AskAnswer | None:
    """Name the law that is relevant to a question which no stored rule answers in its words.

    That there is none is said of a question that speaks of law itself; where only another question of the request
    does ("which country's rules apply?"), this one is left to those who read the papers.
    """
    title = _TITLE.search(room.job.matter.instructions)
    body: tuple[str, ...] = (f"{title[1]} U.S.C.",) if title else _PROCEDURE
    found = room.job.toolbox.call("authority", {"query": ask.words, "k": 10})["authorities"]
    held = [p.citation for s, p in ranked if s >= _LIKELY]
    listed = [
        f"{row['citation']} ({row['title']}; {row['standing']})"
        for row in found
        if row["score"] >= _FLOOR and row["citation"].startswith(body) and row["reason"].count(",")
    ]
    near = list(dict.fromkeys([*held, *listed]))[:_NAMED]
    if near:
        return told(ask, [open_entry(f"a question of law; what may bear on it: {'; '.join(near)}", [])])
    if not _LAW.search(ask.words):
        return None
    answer = "no stored rule or authority was found that answers it"
    # Few rules are held here: that none fits does not say that there is none.
    entry = Entry(state=AskState.NOT_FOUND, answer=answer, searched=(ask.words, *body), certain=False)
    return told(ask, [entry])


def ranked_parts(ask: Ask, room: Room) -> Sequence[tuple[float, RulePart]]:
    """Return the subdivisions that speak of what is asked, the best first; of nested ones the narrowest."""
    known = _notions_held(room.knowledge)
    readings = known.readings(ask.words)
    brief = known.of(room.job.matter.instructions)
    found = []
    for part in parts_held(room.knowledge):
        says = known.of(f"{part.heading} {part.text}")
        fit, asked = max(((known.shared(r, says), r) for r in readings), key=lambda t: t[0], default=(0.0, says))
        if fit > _ENOUGH / 2 and len(asked & says) >= _LEAST:
            beside = sum(known.weight(n) for n in brief & says) / (sum(map(known.weight, says)) or 1.0)
            found.append((fit + _BESIDE * beside - len(part.text) / 20_000, part))
    return sorted(found, key=lambda t: -t[0])[:20]


def _tells(ask: Ask, room: Room) -> bool:
    """Tell whether a sentence of the papers, or its paragraph, speaks of what is asked."""
    for reading in room.of(ask):
        paragraphs: dict[int, list[str]] = {}
        for u in reading.units:
            paragraphs.setdefault(u.block, [u.heading]).append(u.text)
        said = [*(f"{u.heading} {u.text}" for u in reading.units)]
        if any(room.likeness.fit(ask.words, s) >= _TOLD for s in said):
            return True
        if any(_AROUND * room.likeness.fit(ask.words, " ".join(told)) >= _TOLD for told in paragraphs.values()):
            return True
    return False
