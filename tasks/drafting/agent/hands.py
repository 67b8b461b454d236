"""The tool calls of one attempt: parse, carry out, answer. Nothing that a model says raises an error here."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.drafting.agent.tools.records import AgentTool, Shown, definition, refused
from tasks.drafting.mechanisms.records import Firing, Moment, Repair, Step
from tasks.matter.failures import SolonError
from tasks.models.records import ToolCall

_MOST_CALLS = 32  # of one reply that are carried out
_QUOTED = 200  # characters of a name that is no tool: it may be of any length
_DEEPEST = 60  # lists and objects within each other


@dataclass
class Hands:
    """Carries out tool calls.

    Attributes:
        tools: By name.
        repairs: Mechanisms that put a call right which cannot be understood.
        steps: What was done so far.
    """

    tools: Mapping[str, AgentTool]
    repairs: Sequence[Repair] = ()
    steps: list[Step] = field(default_factory=list)
    _firings: list[Firing] = field(default_factory=list)
    _schemas: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, tools: Iterable[AgentTool], repairs: Sequence[Repair] = ()) -> Hands:
        """Return an instance with these tools; of two with the same name the first is taken."""
        named: dict[str, AgentTool] = {}
        for tool in tools:
            named.setdefault(tool.name, tool)
        return cls(named, repairs)

    def definitions(self, names: Iterable[str], brief: bool) -> list[dict[str, Any]]:
        """Return the tools of these names as a model is offered them."""
        return [definition(name, self._schema(name), brief) for name in names if name in self.tools]

    def understood(self, calls: Sequence[ToolCall], text: str, turn: int) -> list[ToolCall]:
        """Return the calls of a reply, repaired where possible, each with an id of its own.

        If a reply has no call but its text is one, that text is read as the call.
        """
        if not calls:
            spoken = self._repaired("", text, turn) if text.strip() else None
            calls = [ToolCall(id="", name=spoken[0], arguments=spoken[1])] if spoken else []
        fixed = [self._right(call, turn) for call in calls]
        ids = {call.id for call in fixed if call.id}
        single = len(ids) == len(fixed)
        return [c if single else c.model_copy(update={"id": f"call_{turn}_{n}"}) for n, c in enumerate(fixed)]

    def fired(self) -> list[Firing]:
        """Return what the repairs did since the last call of this method."""
        found, self._firings = self._firings, []
        return found

    def use(self, call: ToolCall, turn: int, number: int = 0, full: bool = False) -> Shown:
        """Carry out a call; an error is shown as its result.

        A call that has to wait is no step: nothing was done, and nothing repeats itself.

        Args:
            call: As it was understood.
            turn: The turn at hand.
            number: Of the calls of this reply before it.
            full: Whether what those showed leaves no room for more.
        """
        if full or number >= _MOST_CALLS:
            why = "the calls before it fill the window" if full else f"only {_MOST_CALLS} calls of one reply are"
            waits = refused(call.name[:_QUOTED], f"was not carried out: {why}", "call it again")
            return Shown(waits.failure.line(), failed=True)
        arguments = _arguments(call.arguments)
        try:
            shown = self._carried_out(call, arguments)
        except SolonError as error:
            shown = Shown(error.failure.line(), failed=True)
        told = arguments if arguments is not None else {"_raw": call.arguments}
        self.steps.append(Step(turn, call.name, told, shown.text, shown.failed))
        return shown

    def _carried_out(self, call: ToolCall, arguments: Mapping[str, Any] | None) -> Shown:
        tool = self.tools.get(call.name)
        if tool is None:
            raise refused(call.name[:_QUOTED], "is no tool", f"the tools are {', '.join(self.tools)}")
        if arguments is None:
            head = f"{call.arguments[:_QUOTED]!r}{' …' if len(call.arguments) > _QUOTED else ''}"
            raise refused(call.name, f"its arguments are no JSON object: {head}", "send one; write long texts in parts")
        return tool.call(arguments)

    def _right(self, call: ToolCall, turn: int) -> ToolCall:
        if call.name in self.tools and _fits(call, self._schema(call.name)):
            return call
        found = self._repaired(call.name or "?", call.arguments, turn)
        return call.model_copy(update={"name": found[0], "arguments": found[1]}) if found else call

    def _repaired(self, name: str, arguments: str, turn: int) -> tuple[str, str] | None:
        known = {n: self._schema(n) for n in self.tools} if self.repairs else {}
        for repair in self.repairs:
            found = repair.repaired(name, arguments, known)
            if found is not None:
                note = f"{name or 'the text'} {arguments[:_QUOTED]!r} was read as {found[0]} {found[1][:_QUOTED]}"
                self._firings.append(Firing(mechanism=repair.name, moment=Moment.CALL, turn=turn, note=note[:500]))
                return found
        return None

    def _schema(self, name: str) -> Mapping[str, Any]:
        if name not in self._schemas:
            self._schemas[name] = self.tools[name].schema()
        return self._schemas[name]


def spoken(call: ToolCall) -> dict[str, Any]:
    """Return a call as the conversation keeps it; providers refuse a call that is not JSON."""
    given = _arguments(call.arguments)
    whole = json.dumps({"_raw": call.arguments[:_QUOTED]} if given is None else given)  # in ASCII, whatever it holds
    name = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in call.name)[:64] or "unknown"
    return {"id": call.id, "type": "function", "function": {"name": name, "arguments": whole}}


def _fits(call: ToolCall, schema: Mapping[str, Any]) -> bool:
    """Tell whether a call can be understood: an object with all required and no unknown arguments."""
    arguments = _arguments(call.arguments)
    if arguments is None:
        return False
    known, required = schema.get("properties", {}), schema.get("required", ())
    return set(required) <= set(arguments) <= set(known)


def _arguments(text: str) -> dict[str, Any] | None:
    """Return the JSON object in a text; None if it is none, or holds values that no provider or tool accepts."""
    try:
        value = json.loads(text or "{}", strict=False, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and _shallow(value, _DEEPEST) else None


def _finite(text: str) -> float:
    """Return a finite number; JSON has no NaN or infinity, though Python reads and writes them."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _shallow(value: Any, most: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not inner or (most > 0 and all(_shallow(one, most - 1) for one in inner))
