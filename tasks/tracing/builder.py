"""Collects what a parser finds and bounds it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from tasks.matter.usage import Usage
from tasks.tracing import values
from tasks.tracing.buckets import bucket_of
from tasks.tracing.records import Action, Bucket, ParseProblem, Trajectory
from tasks.tracing.steps import TracedStep, spans_told

MAX_ACTIONS = 50_000  # of one trace: a hostile one stays within memory
MAX_PROBLEMS = 200  # of a trace that are kept; the first ones tell what is wrong with it
MAX_ERRORS = 20  # messages of errors that are kept; the first ones tell what failed
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
    internal: bool = False
    served: Any = None
    raw: str = ""

    @cached_property
    def bucket(self) -> Bucket:
        """What it does; asked for when nothing more is told of the call."""
        return bucket_of(self.tool, self.arguments)


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
    _words: int = 0
    _given: list[Any] = field(default_factory=list)

    def call(self, key: Any, tool: Any, arguments: Any, internal: bool = False) -> None:
        """Note a tool call. The key identifies it within the trace: a call told twice counts once.

        ``internal`` is what a runtime looked up by itself, without a tool and unasked by a model: it is kept apart.
        """
        key = key if isinstance(key, (str, int)) and key != "" else f"#{len(self._calls)}"
        known = self._calls.get(key)
        if known is None and len(self._calls) >= MAX_ACTIONS:
            self.problem(0, f"more than {MAX_ACTIONS} actions; the rest is left out")
            return
        told = values.arguments(arguments)
        name = values.bounded_text(tool, 200) or "unknown"
        if known is None:
            raw = arguments if isinstance(arguments, str) and not told else ""
            self._calls[key] = _Call(self.turn, name, told, internal=internal, raw=raw)
        else:
            known.tool, known.arguments = name, told or known.arguments

    def result(self, key: Any, result: Any, failed: bool = False, served: Any = None) -> None:
        """Note the observation of a call; one without a call is passed over.

        ``served`` are the stretches of documents that it showed, where the runtime tells them.
        """
        call = self._calls.get(key) if isinstance(key, (str, int)) else None
        if call is not None:
            call.result, call.failed, call.served = result, failed, served

    def give(self, served: Any) -> None:
        """Note stretches of documents that the solver was shown without asking, as in its prompt."""
        if len(self._given) < MAX_ACTIONS:
            self._given.append(served)

    def spend(self, usage: Usage) -> None:
        """Add the usage of one model call."""
        total = self.usage + usage
        bounded = {name: min(getattr(total, name), most) for name, most in _MOST.items()}
        self.usage = total.model_copy(update=bounded)

    def say(self, message: Any) -> None:
        """Note a message of the solver."""
        self.final_message = values.bounded_text(message) or self.final_message
        self._words += values.count_words(message)

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
        made = [(call.internal, self._action(i, call)) for i, call in enumerate(self._calls.values())]
        return Trajectory(
            trace_format=self.trace_format,
            turns=self.turn,
            actions=tuple(action for internal, action in made if not internal),
            internal=tuple(action for internal, action in made if internal),
            usage=self.usage,
            problems=tuple(self._problems),
            final_message=self.final_message,
            errors=tuple(self._errors),
            model=self.model,
        )

    def steps(self) -> Sequence[TracedStep]:
        """Return the calls whole, in order; what was given unasked comes first, as a step of turn 0."""
        given = [TracedStep(turn=0, tool="", arguments={}, served=spans_told(told)) for told in self._given]
        return [*given, *(self._step(call) for call in self._calls.values())]

    def words(self) -> int:
        """Return the words of the solver's messages, of the arguments of its calls and of their results."""
        calls = [c for c in self._calls.values() if not c.internal]
        return self._words + sum(values.count_words(c.arguments) + values.count_words(c.result) for c in calls)

    @staticmethod
    def _step(call: _Call) -> TracedStep:
        return TracedStep(
            turn=call.turn,
            tool=call.tool,
            arguments=call.arguments or ({"_raw": call.raw} if call.raw else {}),
            result=values.bounded_text(call.result, values.MAX_RESULT),
            failed=call.failed,
            bucket=call.bucket,
            internal=call.internal,
            served=spans_told(call.served),
        )

    @staticmethod
    def _action(index: int, call: _Call) -> Action:
        return Action(
            index=index,
            turn=call.turn,
            tool=call.tool,
            bucket=call.bucket,
            arguments=values.bounded_text(values.to_json(call.arguments), values.MAX_ARGUMENTS),
            result_preview=values.bounded_text(call.result, values.MAX_PREVIEW),
            failed=call.failed,
        )
