"""Repairs a tool call that cannot be understood as it came, if it has exactly one reading."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from skills_repo.mechanism_settings import CallRepairSetting
from tasks.drafting.mechanisms.loose_json import loose_value
from tasks.drafting.mechanisms.records import Moment

Schemas = Mapping[str, Mapping[str, Any]]

_SPACES: Final = re.compile(r"\.|__|::|/|:")  # what parts the name of a tool from the name of its server
_TAGS: Final = ("tool_call", "function_call", "tool", "tools")
_FENCES: Final = frozenset({"", "json", "tool_call", "tool_code"})
_NAMES: Final = ("name", "tool", "tool_name", "function", "action")
_GIVEN: Final = ("arguments", "parameters", "args", "input", "tool_input", "action_input")
_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "object": dict, "array": list, "integer": int, "number": (int, float), "boolean": bool,
}  # fmt: skip
_FIELDS: Final = 3  # of a call: its name, its arguments and an identifier or a type; more is some other object
_DEEPEST: Final = 3  # arguments within arguments; models nest them once or twice


@dataclass(frozen=True)
class CallRepair:
    """Reads loose JSON, arguments encoded twice, names of tools and arguments in another spelling, a call in the text.

    It invents no value: a text that was cut off, an argument that is missing and a name that fits two tools stay as
    they are, and the model is told.
    """

    name: ClassVar[str] = "call_repair"
    moment: ClassVar[Moment] = Moment.CALL
    setting: CallRepairSetting

    def repaired(self, tool: str, arguments: str, known: Schemas) -> tuple[str, str] | None:
        """Return the tool and its JSON arguments; None where the call is right already, or cannot be put right.

        Args:
            tool: Name as the model gave it; empty where ``arguments`` is a message that may hold a call.
            arguments: The text as it came.
            known: JSON schemas of the arguments, by name of the tools that there are.
        """
        try:
            asked, given = (tool, loose_value(arguments)) if tool else _spoken(arguments)
            named = self._tool(asked, known)
            fitted = _fitted(given, known[named], 0) if named else None
        except (ValueError, RecursionError):
            return None
        if not named or fitted is None:
            return None
        made = json.dumps(fitted, ensure_ascii=False)
        return None if (named, fitted) == (tool, _strict(arguments)) else (named, made)

    def _tool(self, asked: str, known: Schemas) -> str:
        """Return the one tool that a name can mean; empty where there is none."""
        if asked in known:
            return asked
        for spoken in dict.fromkeys((asked, _SPACES.split(asked)[-1])):
            alike = [name for name in known if _folded(name) == _folded(spoken)]
            short = len(_folded(spoken)) >= self.setting.prefix_least
            begun = [name for name in known if _folded(name).startswith(_folded(spoken))] if short else []
            for found in (alike, begun):
                if len(found) == 1:
                    return found[0]
        return ""


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _strict(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _spoken(message: str) -> tuple[str, Any]:
    """Return the call that a message is or ends with; a call that is only mentioned does not count.

    Raises:
        ValueError: There is none, or more than one.
    """
    found = [call for text in _places(message) for call in [_call(text)] if call]
    if len(found) != 1:
        raise ValueError("no call, or several")
    return found[0]


def _places(message: str) -> Iterator[str]:
    """Yield where calls stand: between tags, else in the block at the end, else the message itself."""
    tagged = [text for tag in _TAGS for text in _between(message, f"<{tag}>", f"</{tag}>")]
    if tagged:
        yield from tagged
        return
    body = message.rstrip()
    head, fence, inside = body.removesuffix("```").rpartition("```")
    language, _, block = inside.partition("\n")
    ends_in_block = body.endswith("```") and bool(fence) and (not head or head.endswith("\n"))
    yield block if ends_in_block and language.strip() in _FENCES else message


def _between(text: str, begin: str, end: str) -> Iterator[str]:
    at = text.find(begin)
    while at >= 0 and (close := text.find(end, at)) >= 0:
        yield text[at + len(begin) : close].strip()
        at = text.find(begin, close)


def _call(text: str) -> tuple[str, Any] | None:
    value = loose_value(text)
    if isinstance(value, dict) and isinstance(value.get("function"), dict):
        value = value["function"]
    if not isinstance(value, dict) or len(value) > _FIELDS:
        return None
    name = next((value[k] for k in _NAMES if isinstance(value.get(k), str)), "")
    given = next((value[k] for k in _GIVEN if k in value), None)
    return (name, given) if name and given is not None else None


def _fitted(given: Any, schema: Mapping[str, Any], deep: int) -> dict[str, Any] | None:
    """Return arguments as the schema spells them; None where one is missing or one name fits two."""
    if isinstance(given, str) and deep < _DEEPEST:
        return _fitted(loose_value(given), schema, deep + 1)
    if not isinstance(given, dict):
        return None
    properties: Mapping[str, Any] = schema.get("properties", {})
    inner = [k for k in _GIVEN if k in given and k not in properties]
    if inner and deep < _DEEPEST and set(given) <= {inner[0], *_NAMES, "id", "type"}:
        return _fitted(given[inner[0]], schema, deep + 1)
    made: dict[str, Any] = {}
    for key, value in given.items():
        alike = [p for p in properties if _folded(p) == _folded(key)] if key not in properties else [key]
        spelled = alike[0] if len(alike) == 1 else key
        if spelled in made:
            return None
        made[spelled] = _decoded(value, properties.get(spelled, {}))
    return made if set(schema.get("required", ())) <= set(made) else None


def _decoded(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value that was written as a string where the schema wants a list, an object, a number or a truth."""
    wanted = _TYPES.get(str(schema.get("type", "")))
    if wanted is None or not isinstance(value, str):
        return value
    try:
        said = loose_value(value)
    except ValueError:
        return value
    fits = isinstance(said, wanted) and (isinstance(said, bool) == (wanted is bool))
    return said if fits else value
