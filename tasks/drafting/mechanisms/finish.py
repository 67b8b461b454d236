"""Notices a model that stops midway: it announces work, leaves its list open, or ignores a failed write."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from skills_repo.mechanism_settings import FinishSetting
from skills_repo.template import PromptTemplate
from tasks.drafting.mechanisms.history import touches
from tasks.drafting.mechanisms.records import Moment, Step, View, times_fired

_LISTS: Final = re.compile(r"todo|update_plan|task_tracker", re.IGNORECASE)
_OPEN: Final = frozenset({"pending", "in_progress", "open", "todo", "in progress", "not_started"})
_THOUGHT: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
# Of a message of a model, no legal text: it announces its work line by line, and a colon ends what is announced.
_SENTENCE: Final = re.compile(r"(?<=[.!?:])\s+|\n+")


@dataclass(frozen=True)
class FinishGuard:
    """Asks a model that stops in the middle to go on, a bounded number of times."""

    name: ClassVar[str] = "finish_guard"
    moment: ClassVar[Moment] = Moment.FINISH
    setting: FinishSetting

    def objection(self, view: View) -> str:
        """Return the objection to the model; empty where it has finished."""
        if times_fired(view, self.name) >= self.setting.times:
            return ""
        problems = [*self._announced(view.said), *self._open_items(view), *_unanswered(view)]
        listed = "\n".join(f"- {p}" for p in problems)
        return PromptTemplate(self.setting.say).filled(problems=listed) if problems else ""

    def _announced(self, said: str) -> Iterator[str]:
        """Yield the last sentence of a message that speaks of work to come, not of work done."""
        sentences = [s for s in _SENTENCE.split(_THOUGHT.sub(" ", said).strip()) if re.search(r"\w", s)]
        last = sentences[-1].strip() if sentences else ""
        if last and any(re.search(p, last, re.IGNORECASE) for p in self.setting.announcements):
            yield f"you said: “{last[:200]}”"

    def _open_items(self, view: View) -> Iterator[str]:
        lists = [step for step in view.steps if _LISTS.search(step.tool) and not step.failed]
        for item in _items(lists[-1].arguments) if lists else ():
            if str(item.get("status", "")).lower() in _OPEN:
                words = next((str(item[k]) for k in ("content", "step", "title", "text") if item.get(k)), "an item")
                yield f"your list is open at: {words[:160]}"


def _items(arguments: Any) -> list[dict[str, Any]]:
    """Return the items of the last list that a solver gave itself."""
    held: Any = next((v for k in ("todos", "plan", "items", "task_list") if (v := arguments.get(k))), [])
    if isinstance(held, str):
        try:
            held = json.loads(held)
        except ValueError:
            held = []
    return [item for item in held if isinstance(item, dict)] if isinstance(held, list) else []


def _unanswered(view: View) -> Iterator[str]:
    """Yield the deliverables whose last tool call failed, where the file is not there for all that."""
    for name in view.wanted:
        calls: list[Step] = [step for step in view.steps if touches(step, name)]
        if calls and calls[-1].failed and not (view.output / name).is_file():
            yield f"the last call on {name} failed: {' '.join(calls[-1].result.split())[:200]}"
