"""JSON schemas of tools for a model, without the parts that only a validator needs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_KEPT = ("type", "enum", "const", "description")
_DEEPEST = 6  # levels of one argument: no tool of ours has so many
_SENTENCE = re.compile(r"(?<=[.:;])\s|\n\s*\n")  # of our docstrings: up to the first stop of any kind


def first_sentence(text: str) -> str:
    """Return what a text says first, without the stop."""
    return _SENTENCE.split(text.strip(), maxsplit=1)[0].rstrip(".:;")


def compact(schema: Mapping[str, Any], described: bool) -> dict[str, Any]:
    """Return a schema with resolved references, and without titles, defaults and the null of optional values.

    Args:
        schema: JSON schema of an object, as pydantic makes it.
        described: Whether descriptions are kept; where they are not, optional switches are not told either: a model
            that is told nothing of them turns them all on.
    """
    if not schema.get("properties"):
        return dict(_NOTHING)
    inner = {k: v for k, v in schema.items() if k != "description"}  # that of the tool itself is told beside it
    return _small(inner, schema.get("$defs", {}), described, 0)


_NOTHING: Mapping[str, Any] = {"type": "object", "properties": {}}


def _small(schema: Mapping[str, Any], named: Mapping[str, Any], described: bool, deep: int) -> dict[str, Any]:
    if deep > _DEEPEST:
        return {}
    if "$ref" in schema:
        return _small(named.get(str(schema["$ref"]).rpartition("/")[2], {}), named, described, deep + 1)
    ways = [way for way in schema.get("anyOf", ()) if way.get("type") != "null"]
    if ways:
        own = {"description": schema["description"]} if described and "description" in schema else {}
        return {**_small(ways[0], named, described, deep + 1), **own}
    made = {k: schema[k] for k in _KEPT if k in schema and (described or k != "description")}
    if "properties" in schema:
        required = schema.get("required", ())
        told = {k: v for k, v in schema["properties"].items() if described or k in required or not _is_switch(v)}
        made["properties"] = {name: _small(value, named, described, deep + 1) for name, value in told.items()}
        made |= {"required": list(required)} if required else {}
    if schema.get("items"):
        made["items"] = _small(schema["items"], named, described, deep + 1)
    return made


def _is_switch(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "boolean"
