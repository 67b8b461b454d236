"""What a short answer claims of a clause, and whether the cited place says the opposite, or nothing of it.

A short answer ("either party; without cause", "No", "consent is not required") shares too few words with its clause to
be aligned with a sentence. It is read as claims: what a kind of clause may say (the effects of the catalogue), affirmed
or denied; the answer to a question of its row; or a rule of its own. Each is held to the clause that speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from tasks.asks.cues import BriefCues
from tasks.asks.moods import Mood, mood_of
from tasks.drafting.extractive.ways.matching import asserted
from tasks.drafting.extractive.ways.polarity import Stance, answer_to, pose_of, stance_of, turns
from tasks.drafting.extractive.ways.short_answer import RULES
from tasks.legaltext.fold import straight
from tasks.legaltext.parts_of_speech import tagged
from tasks.reconcile.support.wording import Wording
from tasks.retrieval.provisions import Provision

_PARTS = re.compile(r"[;:•|]|\.\s")
_SLOT = re.compile(r"\[[^\]]*\]")
_ASIDE = re.compile(r"\([^()]*\)")
_ANSWER = re.compile(r"\W*(yes|no)\b(?=\W*(?:[;:,.–—-]|\Z))", re.I)
_PREFIX = "non"  # "non-exclusive" denies what "exclusive" affirms
_SPOKEN, _FEWEST = (
    0.6,
    2,
)  # share and number of the words of a question in a clause that answers it, as the runtime has it
_SPELLED, _REPEATED = re.compile(r"[a-z\d]+(?:['-][a-z]+)*"), 4  # words by which a part of a sentence is known again
_RULE = (1, 8)  # telling words of a rule that is too short to be aligned with a sentence
_FORCE = frozenset(("requir", "permit", "allow", "prohib", "forbid", "entitl", "free", "oblig"))  # stems of its force
_LEAVE = re.compile(r"\b(?:consent|approval|permission|without|unless|except|only|subject)\b", re.I)
# What a clause lays down that an answer turns into its opposite.
_OPPOSED: Mapping[Stance, frozenset[Stance]] = MappingProxyType(
    {
        Stance.FREES: frozenset((Stance.GUARDS, Stance.BINDS)),
        Stance.ALLOWS: frozenset((Stance.FORBIDS, Stance.GUARDS)),
        Stance.FORBIDS: frozenset((Stance.ALLOWS, Stance.FREES, Stance.EXCLUDES)),
    }
)
_AFFIRMS = (Stance.GUARDS, Stance.ALLOWS, Stance.BINDS, Stance.STATES)


class Claim(NamedTuple):
    """A short claim: its telling words as stems, and whether it denies them."""

    words: frozenset[str]
    denied: bool
    text: str


class Effect(NamedTuple):
    """What a kind of clause may say, as a claim; the pattern of a clause that says it; whether it tells a value."""

    claim: Claim
    pattern: re.Pattern[str]
    valued: bool

    def is_said(self, claim: Claim) -> bool:
        """Tell whether a claim says it; a value in the claim adds words."""
        same = claim.words == self.claim.words or (self.valued and self.claim.words <= claim.words)
        return same and claim.denied == self.claim.denied


@dataclass(frozen=True)
class ShortAnswers:
    """Reads short answers; ``wording`` knows what turns a statement round, ``cues`` how clauses allow or bind."""

    wording: Wording
    cues: BriefCues

    def claims(self, words: str) -> list[Claim]:
        """Return the claims that stand side by side in an answer."""
        parts = (p.strip() for p in _PARTS.split(_ASIDE.sub(" ", words)))
        return [claim for p in parts if p and (claim := self.claim(p)).words]

    def claim(self, words: str) -> Claim:
        """Return words as one claim; figures, parties and laws are none of it."""
        read = [t for t in self.wording.read(words) if t.kind in ("word", "no")]
        denied = sum(t.kind == "no" or t.value == _PREFIX for t in read) % 2 == 1
        plain = (t.value for t in read if t.kind == "word" and t.value != _PREFIX and not t.value[0].isdigit())
        return Claim(frozenset(plain), denied, words)

    def effects(self, provision: Provision) -> list[Effect]:
        """Return what a kind of clause may say."""
        return [Effect(self.claim(_SLOT.sub("", says)), pattern, "[" in says) for says, pattern in provision.effects]

    def turned(self, words: str, provision: Provision, place: str) -> tuple[Claim, Claim] | None:
        """Return the first claim of an answer of which the place says the opposite, and what the place says.

        Where the catalogue has no pattern for the denial, no clause that meets the affirmed one may free or forbid.
        """
        effects, pieces, claims = self.effects(provision), turns(place), self.claims(words)
        for claim in claims:
            if any(e.is_said(claim) and e.pattern.search(place) for e in effects) or _both(claim, claims):
                continue
            for effect in effects:
                if effect.claim.words != claim.words or effect.claim.denied == claim.denied:
                    continue
                met = [t for t in pieces if effect.pattern.search(t)]
                if met and (effect.claim.denied or all(stance_of(t, self.cues) in _AFFIRMS for t in met)):
                    return claim, effect.claim
        return None

    def absent(self, words: str, provision: Provision, place: str) -> list[Effect]:
        """Return the effects that an answer claims, where the place says none of them."""
        said = [e for claim in self.claims(words) for e in self.effects(provision) if e.is_said(claim)]
        return [] if any(e.pattern.search(place) for e in said) else said

    def repeated(self, words: str, place: str) -> str:
        """Return the words of a place that an answer repeats but for a negation; empty where it keeps those."""
        for part in _PARTS.split(words):
            said, denied = self._spelled(part)
            there, denials = self._spelled(place)
            if len(said) < _REPEATED or len(denied) > len(said):
                continue
            spots = [n for n in range(len(there) - len(said) + 1) if there[n : n + len(said)] == said]
            inner = [[k - n for k in denials if n < k < n + len(said)] for n in spots]
            own = [k for k in denied if 0 < k < len(said)]
            if spots and own not in inner:
                return " ".join(there[spots[0] : spots[0] + len(said)])
        return ""

    def _spelled(self, words: str) -> tuple[list[str], list[int]]:
        """Return all words but the negations, and before which of them the negations stand."""
        plain: list[str] = []
        denials: list[int] = []
        for word in _SPELLED.findall(straight(words).lower()):
            if word in self.wording.words.negations:
                denials.append(len(plain))
            else:
                plain.append(word)
        return plain, denials

    def answered(self, words: str, questions: Sequence[str], place: str) -> str:
        """Return "Yes" or "No" where the clauses that speak of the question say so, and the answer says the other."""
        led, asked = _ANSWER.match(words), next(filter(is_question, questions), "")
        pose = pose_of(asked, self.cues)
        if led is None or pose not in RULES or stance_of(asked, self.cues) in (Stance.DENIES, Stance.FORBIDS):
            return ""
        clauses = self._speaking(asked, place, _SPOKEN, _FEWEST)
        said = answer_to(pose, [stance_of(asserted(c), self.cues) for c in clauses])
        return "" if said.lower() == led[1].lower() else said

    def ruled(self, words: str, place: str) -> str:
        """Return a clause of the place that rules the opposite of a short rule, where all that speak of it do."""
        own = stance_of(words, self.cues)
        opposed = _OPPOSED.get(own, frozenset())
        if not opposed or (own is Stance.ALLOWS and _LEAVE.search(words)):
            return ""
        if not _RULE[0] <= len(self.claim(words).words - _FORCE) <= _RULE[1]:
            return ""
        clauses = self._speaking(words, place, 1.0, _RULE[0])
        return clauses[0] if clauses and all(stance_of(c, self.cues) in opposed for c in clauses) else ""

    def _speaking(self, words: str, place: str, share: float, fewest: int) -> list[str]:
        """Return the clauses of a place that have most of the words, if they have so many of them."""
        sought = self.claim(words).words - _FORCE
        spoken = [(len(sought & self.claim(t).words), t) for t in turns(place)]
        most = max((n for n, _ in spoken), default=0)
        return [t for n, t in spoken if n == most] if sought and most >= max(fewest, share * len(sought)) else []


def _both(claim: Claim, claims: Sequence[Claim]) -> bool:
    """Tell whether an answer says a thing and its opposite: "exclusive; non-exclusive", of two rights."""
    return any(c.words == claim.words and c.denied != claim.denied for c in claims)


def is_question(words: str) -> bool:
    """Tell whether the words of a cell or a heading ask for yes or no."""
    plain = words.strip()
    return bool(plain) and (mood_of(tagged(plain)) is Mood.QUESTION or plain.lower().startswith("whether "))
