"""Find the operative sentences of a provision, or say that there are none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tasks.asks.catalogue import Provision
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight
from tasks.retrieval.provisions import weigh

PROVISO = re.compile(
    r"\W*(?:notwithstanding|provided|however|except|unless|the foregoing|such|any (?:such|attempt)|this (?:section"
    r"|restriction"
    r"|limitation|prohibition)|nothing|for (?:clarity|the avoidance|purposes))\b",
    re.I,
)
NEAR = 0.5  # share of the best score that a further sentence must reach
NEAR_HIT = 0.8  # share of its threshold from which a sentence may be a provision all the same: it is not denied
LEAST_WORDS = 6  # a shorter "sentence" is a heading or a scrap


@dataclass(frozen=True)
class Candidate:
    """A sentence and its weight as such a provision."""

    unit: Unit
    score: float


@dataclass(frozen=True)
class Found:
    """What was found of a provision in a document.

    Attributes:
        chosen: The operative sentences in reading order; empty when none was found.
        denials: Sentences that expressly exclude the provision, those that would else be taken for one first.
        best: The highest score of any sentence, found or not.
        near: The best sentence, where none was chosen and it falls short by little.
    """

    chosen: tuple[Candidate, ...] = ()
    denials: tuple[Candidate, ...] = ()
    best: float = 0.0
    near: tuple[Candidate, ...] = ()

    @property
    def present(self) -> bool:
        """Tell whether the provision was found."""
        return bool(self.chosen)


def cue_score(unit: Unit, sought: Provision, text: str | None = None) -> float:
    """Weigh the cues of a provision in a sentence; 0 where it has no strong cue.

    ``text`` is the sentence with straightened marks, when the caller has it.
    """
    return weigh(sought, straight(unit.text) if text is None else text, unit.heading)


def find_provision(
    sought: Provision, units: Sequence[Unit], texts: Sequence[str], least: float = 0.0, most: int = 0
) -> Found:
    """Choose the operative sentences of ``sought`` among the sentences of one document.

    Args:
        sought: The provision.
        units: The sentences of the document.
        texts: The sentences with straightened marks, in step with ``units``.
        least: A threshold to use instead of the provision's own (0: its own).
        most: How many sentences at most, instead of the provision's own bound (0: its own).
    """
    threshold = least or sought.threshold
    most = most or sought.max_quotes
    scored = _distinct(Candidate(u, s) for u, t in zip(units, texts, strict=True) if (s := cue_score(u, sought, t)) > 0)
    denials = tuple(
        Candidate(u, 0.0)
        for u, t in zip(units, texts, strict=True)
        if sought.denial is not None and sought.denial.search(t)
    )[:1]
    best = max((c.score for c in scored), default=0.0)
    ranked = sorted((c for c in scored if c.score >= threshold), key=lambda c: (-c.score, c.unit.start))
    ruled_out = {c.unit.start for c in ranked if _rules_out(sought, straight(c.unit.text), threshold)}
    if ruled_out:
        denials = tuple(c for c in ranked if c.unit.start in ruled_out)[:most]
        ranked = [c for c in ranked if c.unit.start not in ruled_out]
        best = max((c.score for c in ranked), default=0.0)
    kept = [c for c in ranked if c.score >= max(threshold, NEAR * best)][:most]
    near = sorted((c for c in scored if NEAR_HIT * threshold <= c.score < threshold), key=lambda c: -c.score)
    return Found(tuple(sorted(kept, key=lambda c: c.unit.start)), denials, best, () if kept else tuple(near[:1]))


def _rules_out(sought: Provision, text: str, threshold: float) -> bool:
    """Tell whether a sentence excludes a provision and, apart from the excluding words, does not grant one."""
    match = sought.denial.search(text) if sought.denial is not None else None
    return match is not None and weigh(sought, f"{text[: match.start()]} {text[match.end() :]}", "") < threshold


def continued(chosen: Sequence[Candidate], units: Sequence[Unit], exceptions: bool, words: int) -> list[Candidate]:
    """Return the sentences that continue the chosen ones within the same clause.

    Provisos and exceptions come first in consequence: a sentence that begins with "Notwithstanding" or the like is
    taken even where the next is not. Each weighs less than the sentence it follows.

    Args:
        chosen: The operative sentences.
        units: All sentences of the document.
        exceptions: Whether to report provisos and exceptions.
        words: Longest sentence that is taken.
    """
    taken = {c.unit.start for c in chosen}
    position = {u.start: i for i, u in enumerate(units)}
    more: list[Candidate] = []
    for candidate in sorted(chosen, key=lambda c: (-c.score, c.unit.start)):
        index = position[candidate.unit.start] + 1
        if index >= len(units):
            continue
        after = units[index]
        proviso = bool(PROVISO.match(after.text))
        same = after.block == candidate.unit.block and after.label == candidate.unit.label
        if after.start in taken or not same or after.words > words or after.words < LEAST_WORDS:
            continue
        if proviso and not exceptions:
            continue
        taken.add(after.start)
        more.append(Candidate(after, candidate.score * (0.6 if proviso else 0.4)))
    return more


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Leave out scraps and sentences that the document repeats word for word."""
    kept: list[Candidate] = []
    seen: set[str] = set()
    for candidate in candidates:
        key = re.sub(r"\W+", " ", candidate.unit.text.lower()).strip()
        if key not in seen and candidate.unit.words >= LEAST_WORDS:
            seen.add(key)
            kept.append(candidate)
    return kept
