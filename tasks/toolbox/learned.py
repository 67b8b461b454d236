"""The learned tools of the harness in force, as agents are offered them; each call runs in a sandbox."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Final

from skills_repo.learned import Learned
from tasks.drafting.learned.calling import BOUNDS, MOST_RESULT, FindSandbox, call
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.harness import Harness
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool

_TYPES: Final[Mapping[str, type]] = MappingProxyType(
    {"string": str, "integer": int, "number": float, "boolean": bool, "document": str}
)


@dataclass(frozen=True)
class LearnedTool(Tool):
    """A learned tool: its name, arguments and words are those that its file declares."""

    learned: Learned | None = None

    @property
    def _own(self) -> Learned:
        assert self.learned is not None
        return self.learned

    @property
    def name(self) -> str:
        """Name under which it is called."""
        return self._own.called

    @property
    def summary(self) -> str:
        """First line of its docstring."""
        return self._own.description.partition("\n")[0]

    @cached_property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """Its arguments by name."""
        kind = inspect.Parameter.KEYWORD_ONLY
        return {n: inspect.Parameter(n, kind, annotation=_TYPES[of]) for n, of in self._own.arguments.items()}

    @cached_property
    def schema(self) -> Mapping[str, Any]:
        """JSON schema of the arguments, with its docstring."""
        return {**self.arguments.model_json_schema(), "description": self._own.description}


def learned_tools(harness: Harness | None, find: FindSandbox = find_sandbox) -> dict[str, Tool]:
    """Return the learned tools of a harness, by the name under which agents call them."""
    found = [one for one in harness.learned if one.kind == "tool"] if harness else []
    return {
        one.called: LearnedTool(
            partial(_called, one, find),
            stage="drafting",
            seconds=BOUNDS.seconds + 10,
            max_output=MOST_RESULT,
            learned=one,
        )
        for one in found
    }


def _called(learned: Learned, find: FindSandbox, desk: Desk, **given: Any) -> dict[str, Any]:
    """Hand a tool its arguments; of a document, the text."""
    documents = {name for name, kind in learned.arguments.items() if kind == "document"}
    handed = {name: desk.text(value).text if name in documents else value for name, value in given.items()}
    return dict(call(learned, handed, find))
