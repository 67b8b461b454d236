"""JSON out of a model's reply, however it is wrapped."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = re.compile(r"```(?:json)?\s*\n?(.*?)```", re.DOTALL)
_LONGEST = 2_000_000


def find_object(text: str) -> dict[str, Any] | None:
    """Return the first JSON object of a reply: bare, fenced, or after words; None where there is none."""
    text = text[:_LONGEST]
    for candidate in (text, *_FENCE.findall(text)):
        value = _loads(candidate.strip())
        if isinstance(value, dict):
            return value
    decoder = json.JSONDecoder()
    for tried, hit in enumerate(re.finditer(r"\{", text)):
        if tried > 50:
            break
        try:
            value, _ = decoder.raw_decode(text, hit.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
