"""Yes or no: what a question asks, what a clause says to it, and when the answer stays open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from tasks.asks.cues import BriefCues
from tasks.legaltext.fold import straight


class Stance(StrEnum):
    """What a clause does to what it speaks of."""

    FREES = "frees"  # from having to do something
    EXCLUDES = "excludes"  # takes it out of a rule
    GUARDS = "guards"  # forbids it without somebody's consent
    FORBIDS = "forbids"
    ALLOWS = "allows"
    BINDS = "binds"
    DENIES = "denies"  # says that it is not so
    STATES = "states"


_TURN = re.compile(
    r"\s+(?=(?:provided,? (?:however,? )?that|provided,|except(?:ing)?(?: that)?\b|but\b|other than\b|however\b"
    r"|unless\b|save that\b|notwithstanding\b))|;\s+|(?<=[.)])\s+(?=[A-Z(\d])",
    re.I,
)
# What a stance answers to what a question poses; where none stands, the clause does not answer it.
_ANSWERS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "existence": {"frees": "Yes", "excludes": "Yes", "allows": "Yes", "binds": "Yes"},
        "permission": {"excludes": "Yes", "allows": "Yes", "guards": "No", "forbids": "No"},
        "requirement": {"frees": "No", "guards": "Yes", "binds": "Yes"},
        "prohibition": {"frees": "No", "excludes": "No", "allows": "No", "guards": "Yes", "forbids": "Yes"},
        "fact": {
            "frees": "No", "excludes": "No", "forbids": "No", "denies": "No", "states": "Yes", "binds": "Yes",
            "allows": "Yes",
        },
    }
)  # fmt: skip


def pose_of(question: str, cues: BriefCues) -> str:
    """Return what a question poses: ``permission``, ``requirement``, ``prohibition``, ``existence``, or a ``fact``."""
    plain = straight(question)
    return next((name for name, pattern in cues.poses.items() if pattern.search(plain)), "fact")


def turns(sentence: str) -> list[str]:
    """Part a sentence where it turns: at its provisos, exceptions and semicolons."""
    return [p for piece in _TURN.split(straight(sentence)) if (p := piece.strip())]


def stance_of(clause: str, cues: BriefCues) -> Stance:
    """Return the stance of a clause; of several, the one listed first above."""
    plain = straight(clause)
    return next((s for s in Stance if s in cues.stances and cues.stances[s].search(plain)), Stance.STATES)


def answer_to(pose: str, stances: Sequence[Stance]) -> str:
    """Return "Yes", "No", or nothing where the clauses disagree or do not answer what is posed."""
    said = {_ANSWERS[pose].get(stance, "") for stance in stances}
    return said.pop() if len(said) == 1 else ""
