"""Kinds of clauses: the provision catalogue as compiled patterns, and the weight of a sentence for each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from knowledge_db import KnowledgeBase
from knowledge_db.records import ProvisionEntry, cue
from tasks.legaltext.fold import straight

# Weights of cues in a sentence, chosen by eye on the development contracts: one strong cue outweighs a heading and a
# supporting word; two cues against it cancel a strong one.
STRONG, SUPPORT, HEADING, AGAINST = 3.0, 1.0, 1.5, 2.0
_MOST_CUES = 3  # of a kind that count, and two strong ones: more repeat what was said
_LONG, _SHARED, _PARTS = 3_000, 800, 8  # characters of a part of a run-on sentence, what two parts share, parts read
_LISTED, _LIMB_WORDS = 300, 14  # characters of a sentence whose limbs are read apart; words of a limb that tells enough
_LIMB = re.compile(r"(?<=\s)\((?:[a-h]|[ivx]{1,4}|\d)\)\s")
RECITAL, DEFINITION = 3.0, 2.0  # neither a recital nor a definition binds anybody by itself
# Numbering before the first word is bounded: a line of leaders ("......") is no clause, and must not be searched twice.
_RECITAL = re.compile(r"\W{0,12}(?:\([a-z]\)\s{0,4}|[A-Z]\.\s{0,4})?whereas\b", re.I)
_PREAMBLE = re.compile(
    r"\bthis\b.{0,120}\bagreement\b.{0,80}\b(?:dated|made (?:and|as of|on|this|effective)"
    r"|entered into (?:and|as of|on|this|effective|by|between)|is between|by and (?:between|among))\b"
    r"|\bagreement\b.{0,60}\bdated (?:as )?of\b.{0,80}\b(?:between|among)\b",
    re.I,
)
_DEFINITION = re.compile(
    r"\W{0,12}(?:[\d.]{1,12}\s{0,4}|\([a-z]{1,3}\)\s{0,4})?(?:the term )?\"[^\"]{2,60}\"\s{0,4}(?:means"
    r"|shall mean|has the meaning|refers to)\b"
    r"|\W{0,12}for (?:the )?purposes? of this\b.{0,80}\b(?:means?|shall have|is deemed)\b",
    re.I,
)


@dataclass(frozen=True)
class Provision:
    """A kind of clause: its names, what its answer looks like, and the cues by which it is known.

    Attributes:
        answer: clause, or the name of a typed answer (``agreement_date``, ``law``, …).
        asked: Patterns of a question that asks for it without naming it.
        unasked: Patterns of a question that uses one of its names for something else ("prepay without penalty").
        posed: Examples of how people ask for it in words of their own.
        means: What such a clause says, as a model is told: the words after "it says that"; may be empty.
        within: Pattern of the head of a document, or of a question, that has such provisions; None for any.
        defined: Whether a definition may be such a provision ("Confidential Information" means …).
        denial: Pattern of a sentence that expressly rules the provision out.
        effects: What such a clause may say, in a few words, and the pattern of a clause that says it; its group
            ``value`` are the words that tell how much.
        action: What a lawyer does about such a clause, and ``owner`` who does it by when; may be empty.
    """

    name: str
    aliases: tuple[str, ...]
    answer: str
    headings: tuple[re.Pattern[str], ...]
    strong: tuple[re.Pattern[str], ...]
    support: tuple[re.Pattern[str], ...]
    against: tuple[re.Pattern[str], ...]
    veto: tuple[re.Pattern[str], ...]
    denial: re.Pattern[str] | None
    threshold: float
    max_quotes: int
    effects: tuple[tuple[str, re.Pattern[str]], ...] = ()
    action: str = ""
    owner: str = ""
    asked: tuple[re.Pattern[str], ...] = ()
    within: re.Pattern[str] | None = None
    defined: bool = False
    unasked: tuple[re.Pattern[str], ...] = ()
    means: str = ""
    posed: tuple[str, ...] = ()

    def is_of(self, setting: str) -> bool:
        """Tell whether documents with such heads or titles have such provisions."""
        return self.within is None or bool(self.within.search(straight(setting)))

    @property
    def names(self) -> tuple[str, ...]:
        """Return every name of the topic, the usual one first."""
        return (self.name, *self.aliases)


def compiled(patterns: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """Compile patterns, blind to case."""
    return tuple(cue(p) for p in patterns)


@lru_cache(maxsize=1024)
def provision(entry: ProvisionEntry) -> Provision:
    """Compile an entry of the catalogue."""
    return Provision(
        name=entry.name,
        aliases=entry.aliases,
        answer=entry.answer,
        headings=compiled(entry.headings),
        strong=compiled(entry.strong),
        support=compiled(entry.support),
        against=compiled(entry.against),
        veto=compiled(entry.veto),
        denial=cue(entry.denial) if entry.denial else None,
        threshold=entry.threshold,
        max_quotes=entry.max_quotes,
        effects=tuple((effect.says, cue(effect.when)) for effect in entry.effects),
        action=entry.action,
        owner=entry.owner,
        asked=compiled(entry.asked),
        unasked=compiled(entry.unasked),
        within=cue(entry.within) if entry.within else None,
        defined=entry.defined,
        means=entry.means,
        posed=entry.posed,
    )


@lru_cache(maxsize=4)
def catalogue_of(knowledge: KnowledgeBase) -> tuple[Provision, ...]:
    """Return the provision catalogue of a harness, compiled once in a process."""
    return tuple(provision(entry) for entry in knowledge.provisions)


def weigh(sought: Provision, text: str, heading: str = "") -> float:
    """Weigh the cues of a provision in one sentence; 0 where no strong cue is met.

    Text without full stops (a scan, a table, a hostile file) is weighed by its parts, the best of which counts;
    what lies beyond the parts read is no sentence of a contract.

    Args:
        sought: The provision.
        text: The sentence with straightened marks and collapsed white space.
        heading: The headings above it.
    """
    if len(text) > _LONG:
        starts = range(0, len(text) - _SHARED, _LONG - _SHARED)[:_PARTS]
        return max(weigh(sought, text[start : start + _LONG], heading) for start in starts)
    lead, limbs = _limbs(text)
    return max(_weigh(sought, text, heading), *(_weigh(sought, limb, heading, lead) for limb in limbs), 0.0)


def _limbs(text: str) -> tuple[str, list[str]]:
    """Return what leads to the alternatives of a sentence, and these: "If it fails, a party may (a) … (b) …".

    What speaks against one is said of it alone; what rules the provision out where it leads does so for each.
    """
    marks = [m.start() for m in _LIMB.finditer(text)] if len(text) > _LISTED else []
    if len(marks) < 2:
        return "", []
    parts = [text[a:b] for a, b in pairwise([*marks, len(text)])]
    return text[: marks[0]], [part for part in parts if part.count(" ") >= _LIMB_WORDS]


def _weigh(sought: Provision, text: str, heading: str, lead: str = "") -> float:
    """Weigh the cues of a provision in a sentence, or in a limb of one behind what leads to it."""
    strong = sum(1 for p in sought.strong if p.search(text))
    if not strong or any(p.search(f"{lead}{text}") for p in sought.veto):
        return 0.0
    support = sum(1 for p in sought.support if p.search(text))
    against = sum(1 for p in sought.against if p.search(text))
    headed = any(p.search(heading) for p in sought.headings) if heading else False
    idle = RECITAL * bool(_RECITAL.match(text) or _PREAMBLE.search(text[:400]))
    if not sought.defined:
        idle += DEFINITION * bool(_DEFINITION.match(text))
    told = STRONG * min(strong, 2) + SUPPORT * min(support, _MOST_CUES) + HEADING * headed
    total = told - AGAINST * min(against, _MOST_CUES) - idle
    return max(total, 0.0)
