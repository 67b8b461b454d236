"""Extracts JSON from a model's reply, whatever surrounds it."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = re.compile(r"```(?:json)?\s*\n?(.*?)```", re.DOTALL)
_LONGEST = 2_000_000  # characters of a reply that are looked through: no model gives more, and the search stays short
_TRIED = 50  # braces from which an object is tried; bounds the time of a hostile reply


def find_object(text: str) -> dict[str, Any] | None:
    """Return the first JSON object of a reply: bare, fenced, or after words; None where there is none."""
    text = text[:_LONGEST]
    for candidate in (text, *_FENCE.findall(text)):
        value = _loads(candidate.strip())
        if isinstance(value, dict):
            return value
    decoder = json.JSONDecoder()
    for tried, hit in enumerate(re.finditer(r"\{", text)):
        if tried > _TRIED:
            break
        try:
            value, _ = decoder.raw_decode(text, hit.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def find_objects(text: str) -> list[dict[str, Any]]:
    """Return every outermost JSON object of a reply, in order (the first fifty)."""
    text, found, at = text[:_LONGEST], list[dict[str, Any]](), 0
    decoder = json.JSONDecoder()
    for _ in range(50):
        at = text.find("{", at)
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        at = end
        if isinstance(value, dict):
            found.append(value)
    return found


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
