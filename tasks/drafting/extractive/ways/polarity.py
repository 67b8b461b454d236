"""Yes or no: what a question poses, what a sentence says to it, and where neither can be told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from tasks.asks.cues import BriefCues
from tasks.legaltext.fold import straight


class Stance(StrEnum):
    """What an operative clause does."""

    FREES = "frees"
    EXCLUDES = "excludes"  # takes something out of a rule
    FORBIDS = "forbids"
    GUARDS = "guards"  # forbids but with somebody's consent
    ALLOWS = "allows"
    BINDS = "binds"
    DENIES = "denies"
    STATES = "states"


_ORDER = (Stance.FREES, Stance.EXCLUDES, Stance.GUARDS, Stance.FORBIDS, Stance.ALLOWS, Stance.BINDS, Stance.DENIES)
_TURN = re.compile(
    r"(?:(?<=[;,.])|(?<=\s))\s*(?=(?:provided,? (?:however,? )?that|provided,|except(?:ing)?(?: that)?\b|but\b|however\b|unless\b|save that\b|notwithstanding\b))"
    r"|;\s+|(?<=[.)])\s+(?=[A-Z(\d])",
    re.I,
)
_YES, _NO = "Yes", "No"
# What a stance answers to what a question poses; an empty word where it answers nothing.
_ANSWERS = {
    "existence": {Stance.FREES: _YES, Stance.EXCLUDES: _YES, Stance.ALLOWS: _YES, Stance.BINDS: _YES},
    "permission": {
        Stance.FREES: _YES, Stance.EXCLUDES: _YES, Stance.ALLOWS: _YES, Stance.GUARDS: _NO, Stance.FORBIDS: _NO,
    },
    "requirement": {
        Stance.FREES: _NO, Stance.GUARDS: _YES, Stance.BINDS: _YES,
    },
    "prohibition": {
        Stance.FREES: _NO, Stance.EXCLUDES: _NO, Stance.ALLOWS: _NO, Stance.GUARDS: _YES, Stance.FORBIDS: _YES,
    },
    "fact": {
        Stance.FREES: _NO, Stance.EXCLUDES: _NO, Stance.FORBIDS: _NO, Stance.DENIES: _NO, Stance.STATES: _YES, Stance.BINDS: _YES, Stance.ALLOWS: _YES,
    },
}  # fmt: skip


def pose_of(question: str, cues: BriefCues) -> str:
    """Return what a question poses: ``permission``, ``requirement``, ``prohibition``, or a ``fact``."""
    plain = straight(question)
    return next((name for name, pattern in cues.poses.items() if pattern.search(plain)), "fact")


def turns(sentence: str) -> list[str]:
    """Part a sentence where it turns: at its provisos, exceptions and semicolons."""
    return [p.strip() for p in _TURN.split(straight(sentence)) if p and p.strip()]


def stance_of(clause: str, cues: BriefCues) -> Stance:
    """Return what a clause does to what it speaks of."""
    plain = straight(clause)
    return next((s for s in _ORDER if s in cues.stances and cues.stances[s].search(plain)), Stance.STATES)


def answer_to(pose: str, stances: Sequence[Stance]) -> str:
    """Return "Yes", "No", or nothing where the clauses disagree or do not answer what is posed."""
    said = {_ANSWERS[pose].get(s, "") for s in stances}
    return said.pop() if len(said) == 1 else ""
