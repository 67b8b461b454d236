"""Of several drafts of one matter the one to deliver: judged by the gates of the house, and by what the others say.

No draft that has words gives way to an empty one, none about this matter to one that is astray, none that is whole to
one that is not. Of those that are left the one is taken that gives most of the asks a state, says most of what the
others say (its figures, dates and terms, and the states of its asks), and has the fewest signs of another matter
against it. No model is asked; nothing of a rubric is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from skills_repo.mechanism_settings import VoteSetting
from tasks.asks.table import read_table
from tasks.drafting.mechanisms.completion import CompletionGate
from tasks.drafting.mechanisms.fidelity import MatterFidelity, phrases
from tasks.drafting.mechanisms.outputs import LeftFile, found_in
from tasks.drafting.mechanisms.records import Moment, Pick, View
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers

Point = tuple[str, str]
"""Something that a draft says, and its kind."""


@dataclass(frozen=True)
class DraftVote:
    """Takes one of several drafts."""

    name: ClassVar[str] = "vote"
    moment: ClassVar[Moment] = Moment.PICK
    setting: VoteSetting
    completion: CompletionGate
    fidelity: MatterFidelity

    def picked(self, views: Sequence[View]) -> Pick:
        """Return the draft to deliver; the earliest of those that stand alike."""
        drafts = [_Draft(view, self.completion, self.fidelity) for view in views]
        sound = [d for d in drafts if d.rank == max(d.rank for d in drafts)]
        best = max(sound, key=lambda d: d.standing(sound))
        told = "; ".join(f"{n}: {d.told(sound)}" for n, d in enumerate(drafts, start=1))
        return Pick(drafts.index(best), f"draft {drafts.index(best) + 1} of {len(drafts)} was taken ({told})")


@dataclass(frozen=True, eq=False)
class _Draft:
    """One draft as it stands among others."""

    view: View
    completion: CompletionGate
    fidelity: MatterFidelity

    @cached_property
    def files(self) -> list[LeftFile]:
        return found_in(self.view.output, self.completion.deliverable)

    @cached_property
    def astray(self) -> bool:
        return bool(self.fidelity.astray(self.view, self.files))

    @cached_property
    def doubt(self) -> float:
        """Share of the signs that say it is about another matter, among those that can tell."""
        told = [sign.off for sign in self.fidelity.read(self.view, self.files) if sign.off is not None]
        return sum(told) / len(told) if told else 0.0

    @cached_property
    def problems(self) -> int:
        return len(list(self.completion.unfit(self.view, self.files)))

    @cached_property
    def rank(self) -> tuple[bool, bool, int]:
        """What counts before agreement: words, the right matter, whole files."""
        return any(f.words for f in self.files), not self.astray, -self.problems

    @cached_property
    def stated(self) -> float:
        """Share of the asks that have a state."""
        asked = len(self.view.asks.asks) if self.view.asks else 0
        return 1 - len(self.completion.unstated(self.view, self.files)) / asked if asked else 1.0

    @cached_property
    def points(self) -> frozenset[Point]:
        return frozenset(point for file in self.files for point in self._points(file))

    def _points(self, file: LeftFile) -> Iterator[Point]:
        yield from (("figure", f"{f.value.normalize()} {f.unit}") for f in scan_numbers(file.text))
        yield from (("date", d.iso) for d in scan_dates(file.text))
        yield from (("term", term) for term in phrases(file.text))
        if self.view.asks is not None:
            yield from (("ask", f"{a.ask_id} {a.state.value}") for a in read_table(file.text, self.view.asks))

    def agreement(self, drafts: Sequence[_Draft]) -> float:
        """Return how much of what this draft and each other say is the same (Dice), on average."""
        others = [d for d in drafts if d is not self]
        shares = [2 * len(self.points & d.points) / (len(self.points) + len(d.points) or 1) for d in others]
        return sum(shares) / len(shares) if shares else 0.0

    def standing(self, drafts: Sequence[_Draft]) -> float:
        """Return how a draft stands among those of its rank."""
        return round(self.stated + self.agreement(drafts) - self.doubt, 6)

    def told(self, sound: Sequence[_Draft]) -> str:
        if not any(f.words for f in self.files):
            return "empty"
        if self.astray:
            return "about another matter"
        if self not in sound:
            return f"not whole, {self.problems} deliverables"
        return f"states {self.stated:.0%}, agrees {self.agreement(sound):.0%}, doubt {self.doubt:.0%}"
