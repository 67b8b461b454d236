"""Before the model is let go: is every deliverable there, whole, in its format, and has every ask a state?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from skills_repo.mechanism_settings import CompletionSetting, DeliverableSetting
from skills_repo.template import PromptTemplate
from tasks.asks.records import Ask
from tasks.asks.table import read_table
from tasks.drafting.mechanisms.landing import stem_of
from tasks.drafting.mechanisms.outputs import TEXT_MEDIA, LeftFile, found_in
from tasks.drafting.mechanisms.records import Moment, View, times_fired


@dataclass(frozen=True)
class CompletionGate:
    """Names what is missing, once."""

    name: ClassVar[str] = "completion"
    moment: ClassVar[Moment] = Moment.FINISH
    setting: CompletionSetting
    deliverable: DeliverableSetting

    def objection(self, view: View) -> str:
        """Return the objection to the model; empty where nothing is missing, or it was made before."""
        if times_fired(view, self.name):
            return ""
        made = found_in(view.output, self.deliverable)
        problems = [*self.unfit(view, made), *(self._told(ask) for ask in self.unstated(view, made))]
        listed = "\n".join(f"- {p}" for p in problems)
        return PromptTemplate(self.setting.say).filled(problems=listed) if problems else ""

    def unfit(self, view: View, made: Sequence[LeftFile]) -> Iterator[str]:
        """Yield what is wrong with the deliverables as files."""
        for name in view.wanted:
            found = next((f for f in made if f.name == name), None)
            problem = self._missing(name, view, made) if found is None else self._unfit(found)
            if problem:
                yield f"{name}: {problem}"
        if not view.wanted and not any(f.words >= self.deliverable.stub_words for f in made):
            yield "the output folder holds no finished file"

    def _missing(self, name: str, view: View, made: Sequence[LeftFile]) -> str:
        near = [f.name for f in made if stem_of(f.name) == stem_of(name) and f.name not in view.wanted]
        return f"it is not there under this name; there is {near[0]}" if near else "it is not there"

    def _unfit(self, found: LeftFile) -> str:
        if not found.data.strip():
            return "it is empty"
        if not found.fits(found.name):
            kind = "plain text" if found.media in TEXT_MEDIA else f"of the format {found.media}"
            return f"its content is {kind}, not what its suffix says; it cannot be opened"
        if found.words < self.deliverable.stub_words:
            return f"it is a stub: {found.words} words beside headings and placeholders"
        return ""

    def unstated(self, view: View, made: Sequence[LeftFile]) -> list[Ask]:
        """Return the asks of the brief that no table of asks gives a state."""
        if view.asks is None or not self.setting.asks or not any(f.words for f in made):
            return []
        told = {a.ask_id for f in made for a in read_table(f.text, view.asks)}
        return [ask for ask in view.asks.asks if ask.ask_id not in told]

    def _told(self, ask: Ask) -> str:
        return f"ask {ask.ask_id} has no state in the table of asks: {' '.join(ask.words.split())[:160]}"
