"""The provision catalogue as compiled patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from knowledge_db.provisions import load_provisions

STRAIGHT = str.maketrans({"“": '"', "”": '"', "’": "'", "‘": "'", "\u00a0": " ", "\u00ad": "", "\u200b": "", "‑": "-"})


@dataclass(frozen=True)
class Provision:
    """A kind of clause: its names, what its answer looks like, and the cues by which it is known.

    Attributes:
        answer: clause, or the name of a typed answer (``agreement_date``, ``law``, …).
        denial: Pattern of a sentence that expressly rules the provision out.
        effects: What such a clause may say, in a few words, and the pattern of a clause that says it.
        action: What a lawyer does about such a clause, and ``owner`` who does it by when; may be empty.
        known: False for a topic of the brief that the catalogue does not hold.
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
    known: bool = True
    effects: tuple[tuple[str, re.Pattern[str]], ...] = ()
    action: str = ""
    owner: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Return every name of the topic, the usual one first."""
        return (self.name, *self.aliases)


def _compile(patterns: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(p, re.I) for p in patterns)


def provision(entry: Mapping[str, Any]) -> Provision:
    """Compile an entry of the catalogue."""
    denial = entry.get("denial")
    return Provision(
        name=entry["name"],
        aliases=tuple(entry.get("aliases", ())),
        answer=str(entry.get("answer", "clause")),
        headings=_compile(entry.get("headings", ())),
        strong=_compile(entry.get("strong", ())),
        support=_compile(entry.get("support", ())),
        against=_compile(entry.get("against", ())),
        veto=_compile(entry.get("veto", ())),
        denial=re.compile(denial, re.I) if denial else None,
        threshold=float(entry.get("threshold", 3.0)),
        max_quotes=int(entry.get("max_quotes", 3)),
        effects=tuple((e["says"], re.compile(e["when"], re.I)) for e in entry.get("effects", ())),
        action=str(entry.get("action", "")),
        owner=str(entry.get("owner", "")),
    )


def catalogue(entries: Iterable[Mapping[str, Any]] = ()) -> tuple[Provision, ...]:
    """Compile ``entries``, or the packaged catalogue when there are none."""
    return tuple(provision(e) for e in (tuple(entries) or load_provisions()))


def normal(text: str) -> str:
    """Straighten quotation marks and dashes for matching; the length may change."""
    return text.translate(STRAIGHT)


def generic(topic: str) -> Provision:
    """Return a provision for a topic that the catalogue does not hold: the words of the topic itself."""
    words = [w for w in re.findall(r"[a-z]{3,}", topic.lower()) if w not in _EMPTY]
    stems = [re.escape(_stem(w)) for w in words]
    strong = [r".{0,80}".join(rf"\b{s}" for s in stems)] if stems else []
    if len(stems) == 2:
        strong.append(rf"\b{stems[1]}.{{0,60}}\b{stems[0]}")
    return Provision(
        name=topic,
        aliases=(),
        answer="clause",
        headings=_compile(rf"\b{s}" for s in stems),
        strong=_compile(strong),
        support=_compile([*(rf"\b{s}" for s in stems), r"\b(?:shall|will|must|may not|agrees?)\b"]),
        against=(),
        veto=(),
        denial=None,
        threshold=4.0,
        max_quotes=2,
        known=False,
    )


_EMPTY = frozenset(
    [
        "the",
        "and",
        "any",
        "for",
        "with",
        "from",
        "provision",
        "provisions",
        "clause",
        "clauses",
        "right",
        "rights",
        "terms",
        "term",
        "other",
    ]
)


def _stem(word: str) -> str:
    for suffix in ("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ies", "ity", "es", "s", "y"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            return word[: -len(suffix)]
    return word
