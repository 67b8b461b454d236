"""Collects what a parser finds and bounds it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tasks.matter.usage import Usage
from tasks.tracing import values
from tasks.tracing.buckets import bucket_of
from tasks.tracing.records import Action, ParseProblem, Trajectory

MAX_ACTIONS = 50_000
MAX_PROBLEMS = 200
MAX_ERRORS = 20
# What a whole trace may claim: far above any attempt, far below what the warehouse can hold.
_MOST = MappingProxyType(
    {"input_uncached": 10**12, "cache_read": 10**12, "cache_write": 10**12, "output": 10**12, "cost_usd": 1e6}
)


@dataclass
class _Call:
    turn: int
    tool: str
    arguments: dict[str, Any]
    result: Any = None
    failed: bool = False


@dataclass
class TrajectoryBuilder:
    """The trajectory so far. A parser calls these methods; none of them raises.

    Attributes:
        turn: The turn that new calls belong to.
        final_message: Last message of the solver.
    """

    trace_format: str
    turn: int = 0
    final_message: str = ""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    _calls: dict[Hashable, _Call] = field(default_factory=dict)
    _problems: list[ParseProblem] = field(default_factory=list)
    _errors: list[str] = field(default_factory=list)

    def call(self, key: Any, tool: Any, arguments: Any) -> None:
        """Note a tool call. The key identifies it within the trace: a call told twice counts once."""
        key = key if isinstance(key, (str, int)) and key != "" else f"#{len(self._calls)}"
        known = self._calls.get(key)
        if known is None and len(self._calls) >= MAX_ACTIONS:
            self.problem(0, f"more than {MAX_ACTIONS} actions; the rest is left out")
            return
        told = values.arguments(arguments)
        name = values.bounded_text(tool, 200) or "unknown"
        if known is None:
            self._calls[key] = _Call(self.turn, name, told)
        else:
            known.tool, known.arguments = name, told or known.arguments

    def result(self, key: Any, result: Any, failed: bool = False) -> None:
        """Note the observation of a call; one without a call is passed over."""
        call = self._calls.get(key) if isinstance(key, (str, int)) else None
        if call is not None:
            call.result, call.failed = result, failed

    def spend(self, usage: Usage) -> None:
        """Add the usage of one model call."""
        total = self.usage + usage
        bounded = {name: min(getattr(total, name), most) for name, most in _MOST.items()}
        self.usage = total.model_copy(update=bounded)

    def say(self, message: Any) -> None:
        """Note a message of the solver."""
        self.final_message = values.bounded_text(message) or self.final_message

    def error(self, message: Any) -> None:
        """Note a failure that the runtime reported."""
        if len(self._errors) < MAX_ERRORS:
            self._errors.append(values.bounded_text(message, 500) or "unexplained error")

    def problem(self, line: int, message: str) -> None:
        """Note a line that could not be understood."""
        if len(self._problems) < MAX_PROBLEMS and (not self._problems or self._problems[-1].message != message):
            self._problems.append(ParseProblem(line=line, message=message))

    def build(self) -> Trajectory:
        """Return the trajectory."""
        actions = tuple(self._action(i, call) for i, call in enumerate(self._calls.values()))
        return Trajectory(
            trace_format=self.trace_format,
            turns=self.turn,
            actions=actions,
            usage=self.usage,
            problems=tuple(self._problems),
            final_message=self.final_message,
            errors=tuple(self._errors),
            model=self.model,
        )

    @staticmethod
    def _action(index: int, call: _Call) -> Action:
        return Action(
            index=index,
            turn=call.turn,
            tool=call.tool,
            bucket=bucket_of(call.tool, call.arguments),
            arguments=values.bounded_text(values.to_json(call.arguments), values.MAX_ARGUMENTS),
            result_preview=values.bounded_text(call.result, values.MAX_PREVIEW),
            failed=call.failed,
        )
