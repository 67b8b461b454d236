"""The registry: a tool is a typed function with one declaration; every interface calls it through here."""

from __future__ import annotations

import inspect
import json
import shlex
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo

from skills_repo.learned import Learned
from tasks.drafting.learned.calling import BOUNDS, MOST_RESULT, FindSandbox
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.harness import Harness
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter
from tasks.matter.secrets import redact_keys
from tasks.retrieval.records import KnowledgePack, Searcher
from tasks.sources.records import CanonicalText, MatterState
from tasks.toolbox.desk import Desk
from tasks.toolbox.learned import TYPES, call_learned
from tasks.toolbox.limits import LimitMet, interrupted_after

Served = Literal["intake", "retrieval", "drafting", "reconcile", "release"]
"""The stages of legal work that a tool can serve."""


@dataclass(frozen=True)
class Tool:
    """The declaration of a tool.

    Attributes:
        function: ``f(desk, …)``: typed parameters after the desk are its arguments; keyword-only ones become
            options of the command, the others its positional arguments. Its docstring is what an agent reads.
        stage: Legal-work stage it serves.
        prose: Key of the result that ``solon tool`` prints where no JSON is asked for; empty: always JSON.
        example: Arguments of a call as it is typed after ``solon tool NAME``.
        seconds, max_input, max_output: Limits: wall time, bytes of arguments, bytes of the JSON result.
        slots: What stands for ``{name}`` in the docstring, where it lists what a registry holds; asked when it is read.
    """

    function: Callable[..., dict[str, Any]]
    stage: Served
    prose: str = ""
    example: str = ""
    seconds: float = 120.0
    max_input: int = 4_000_000
    max_output: int = 20_000_000
    slots: Callable[[], Mapping[str, str]] = dict

    @property
    def name(self) -> str:
        """Name under which it is called."""
        return self.function.__name__

    @property
    def documentation(self) -> str:
        """The docstring, with its slots filled."""
        said = inspect.getdoc(self.function) or ""
        for name, value in self.slots().items():
            said = said.replace(f"{{{name}}}", value)
        return said

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        return self.documentation.partition("\n")[0]

    @cached_property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """Parameters after the desk, with their types resolved."""
        hints = typing.get_type_hints(self.function, include_extras=True)
        found = list(inspect.signature(self.function).parameters.values())[1:]
        return {p.name: p.replace(annotation=hints[p.name]) for p in found}

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """Pydantic model of the arguments."""
        fields: dict[str, Any] = {
            p.name: (p.annotation, ... if p.default is inspect.Parameter.empty else p.default)
            for p in self.parameters.values()
        }
        return create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)

    @cached_property
    def schema(self) -> Mapping[str, Any]:
        """JSON schema of the arguments, with the docstring; made once, for every attempt of a process asks for it."""
        return {**self.arguments.model_json_schema(), "description": self.documentation}

    def field(self, name: str) -> FieldInfo:
        """Return the field of an argument."""
        return self.arguments.model_fields[name]

    @property
    def example_call(self) -> dict[str, Any]:
        """The example of the command as the arguments of a call; empty where it has none."""
        given: dict[str, Any] = {}
        free = [p for p in self.parameters.values() if p.kind is not inspect.Parameter.KEYWORD_ONLY]
        words = shlex.split(self.example)
        for at, word in enumerate(words):
            before = words[at - 1].removeprefix("--").replace("-", "_") if at and words[at - 1][:2] == "--" else ""
            name = word.removeprefix("--").replace("-", "_") if word[:2] == "--" else before
            if word[:2] == "--":
                given |= {name: True} if name in self.parameters else {}
            elif before in self.parameters and self.parameters[before].annotation is not bool:
                given[before] = word
            elif free:
                several = typing.get_origin(free[0].annotation) is list
                given[free[0].name] = [*given.get(free[0].name, []), word] if several else word
                free = free if several else free[1:]
        try:
            return self.arguments.model_validate(given).model_dump(mode="json", exclude_unset=True)
        except ValidationError:
            return {}


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
        return {n: inspect.Parameter(n, kind, annotation=TYPES[of]) for n, of in self._own.arguments.items()}

    @cached_property
    def schema(self) -> Mapping[str, Any]:
        """JSON schema of the arguments, with its docstring."""
        return {**self.arguments.model_json_schema(), "description": self._own.description}


def learned_tools(harness: Harness | None, find: FindSandbox = find_sandbox) -> dict[str, Tool]:
    """Return the learned tools of a harness, by the name under which agents call them."""
    found = [one for one in harness.learned if one.kind == "tool"] if harness else []
    return {
        one.called: LearnedTool(
            partial(call_learned, one, find),
            stage="drafting",
            seconds=BOUNDS.seconds + 10,
            max_output=MOST_RESULT,
            learned=one,
        )
        for one in found
    }


def discover() -> dict[str, Tool]:
    """Return every tool of ``tasks/toolbox/tools``, by name."""
    package = import_module("tasks.toolbox.tools")
    modules = (import_module(f"{package.__name__}.{m.name}") for m in iter_modules(package.__path__))
    tools = [m.TOOL for m in modules if hasattr(m, "TOOL")]
    return {tool.name: tool for tool in sorted(tools, key=lambda t: t.name)}


class ToolRegistry:
    """The tools over one desk. Implements ``Toolbox``."""

    def __init__(self, desk: Desk | None = None, tools: Mapping[str, Tool] | None = None) -> None:
        self.desk = desk or Desk()
        self.tools = dict(tools) if tools is not None else discover()

    @classmethod
    def for_matter(
        cls,
        matter: Matter,
        *,
        state: MatterState,
        texts: Mapping[str, CanonicalText],
        index: Searcher,
        pack: KnowledgePack,
        workspace: Path,
        cache: Path,
        harness: Harness | None = None,
        without: Collection[str] = (),
    ) -> ToolRegistry:
        """Return the tools as a runtime gets them: confined to the workspace and the documents of the matter.

        The tools answer from the knowledge of ``harness``, the one under test; of the packaged one where None. The
        tools that a learner put into it are among them; those of ``without`` are not.
        """
        roots = (workspace.resolve(),)
        desk = Desk(
            matter=matter,
            state=state,
            texts=texts,
            index=index,
            pack=pack,
            harness=harness,
            roots=roots,
            workspace=workspace,
            cache=cache,
        )
        offered = {**discover(), **learned_tools(harness)}
        return cls(desk, {name: tool for name, tool in offered.items() if name not in without})

    def names(self) -> Sequence[str]:
        """Return the names of the tools, sorted."""
        return sorted(self.tools)

    def schema(self, name: str) -> dict[str, Any]:
        """Return the JSON schema of a tool's arguments, with its docstring."""
        return deepcopy(dict(self._tool(name).schema))  # a caller may take it apart

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Run a tool under its limits.

        Raises:
            SolonError: Unknown tool, wrong arguments, a limit met, or the tool's own typed failure.
        """
        tool = self._tool(name)
        if len(json.dumps(dict(arguments), default=str)) > tool.max_input:
            raise _failure(
                FailureCause.CAPACITY, name, f"takes at most {tool.max_input} bytes of arguments", "send less"
            )
        try:
            values = tool.arguments.model_validate(dict(arguments))
        except ValidationError as exc:
            raise _failure(FailureCause.INPUT, name, _refused(exc), _remedy(tool)) from None
        given = {key: getattr(values, key) for key in tool.parameters}
        result = _within(tool, self.desk, given)
        size = len(json.dumps(result, default=str, ensure_ascii=False).encode("utf-8", "replace"))
        if size > tool.max_output:
            raise _failure(FailureCause.CAPACITY, name, f"result of {size} bytes exceeds its limit", "ask for less")
        return result

    def _tool(self, name: str) -> Tool:
        try:
            return self.tools[name]
        except KeyError:
            known = ", ".join(self.names())
            raise _failure(FailureCause.INPUT, name[:100], "is no tool", f"use one of {known}") from None


def _refused(exc: ValidationError) -> str:
    """Say which arguments are missing, all of them at once; else what is wrong with the first."""
    missing = [".".join(map(str, e["loc"])) for e in exc.errors() if e["type"] == "missing"]
    if missing:
        return f"{', '.join(missing)}: the call lacks {'this argument' if len(missing) == 1 else 'these arguments'}"
    error = exc.errors()[0]
    return f"{'.'.join(str(p) for p in error['loc']) or 'arguments'}: {error['msg']}"


def _remedy(tool: Tool) -> str:
    """Return a call that works, for one who has only the message."""
    made = tool.example_call
    return f"call it as {json.dumps(made, ensure_ascii=False)}" if made else "see the tool's schema"


def _within(tool: Tool, desk: Desk, given: Mapping[str, Any]) -> dict[str, Any]:
    """Run in the caller's thread, so that the tool has ended, whatever it did, when the caller hears of it."""
    try:
        with interrupted_after(tool.seconds):
            return tool.function(desk, **given)
    except SolonError:
        raise
    except LimitMet:
        message = f"was stopped at its limit of {tool.seconds:g} s"
        raise _failure(FailureCause.TIMEOUT, tool.name, message, "give it less to read") from None
    except MemoryError:
        raise _failure(FailureCause.CAPACITY, tool.name, "ran out of memory", "give it less to read") from None
    except Exception as exc:  # noqa: BLE001 - boundary: an agent gets a typed failure, whatever a tool met
        message = redact_keys(f"{type(exc).__name__}: {exc}")[:300]
        raise _failure(FailureCause.UNKNOWN, tool.name, message, "") from None


def _failure(cause: FailureCause, tool: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=cause, stage="toolbox", subject=tool, message=message, remedy=remedy))
