"""The model stops, and tools that its skill calls mandatory were never used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from skills_repo.mechanism_settings import MandatorySetting
from skills_repo.template import PromptTemplate
from tasks.drafting.mechanisms.records import Moment, View, times_fired


@dataclass(frozen=True)
class MandatoryTools:
    """Names the tools that are missing, once; a call that failed does not count."""

    name: ClassVar[str] = "mandatory_tools"
    moment: ClassVar[Moment] = Moment.FINISH
    setting: MandatorySetting

    def objection(self, view: View) -> str:
        """Return the objection to the model; empty where nothing is missing, or it was made before."""
        missing = unused(view)
        if not missing or times_fired(view, self.name):
            return ""
        return PromptTemplate(self.setting.say).filled(tools=", ".join(missing))


def unused(view: View) -> tuple[str, ...]:
    """Return the tools that the skill demands and that no call has used with a result."""
    used = {step.tool for step in view.steps if not step.failed}
    return tuple(name for name in view.demanded if not any(_is(tool, name) for tool in used))


def _is(called: str, name: str) -> bool:
    """Tell whether a call is one of a tool, under the name of its server or not: ``mcp__solon__authority``."""
    return called == name or called.endswith((f"__{name}", f"solon_{name}"))
