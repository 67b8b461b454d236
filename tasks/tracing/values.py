"""Values of a trace, believed only as far as they make sense: a trace is the output of an agent."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

MAX_TOKENS = 10**10  # of one event; far above any context window
MAX_USD = 10_000.0  # of one figure in a trace; a larger one is an error of the program
MAX_ARGUMENTS = 2_000  # characters of a call that land
MAX_PREVIEW = 500  # characters of a result that land; the trace itself keeps it whole
MAX_MESSAGE = 4_000  # characters of a message that land
MAX_DEPTH = 12  # of nested values that are searched; bounds the recursion on a hostile trace
MAX_RESULT = 1_000_000  # of one call, where it is looked into

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def count(value: Any, most: int = MAX_TOKENS) -> int:
    """Return a whole number in ``[0, most]``; 0 for anything that is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return 0
    return min(max(int(value), 0), most)


def dollars(value: Any) -> float:
    """Return an amount of US dollars in ``[0, 10,000]``; 0 for anything that is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return 0.0
    return float(min(max(value, 0.0), MAX_USD))


def bounded_text(value: Any, most: int = MAX_MESSAGE) -> str:
    """Return text of at most ``most`` characters; content blocks are joined, other values become JSON."""
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(part, dict) for part in value):
        value = "\n".join(str(part["text"]) for part in value if part.get("text"))
    whole = value if isinstance(value, str) else to_json(value)
    whole = _UNSTORABLE.sub("\ufffd", whole[: most + 1])
    return whole if len(whole) <= most else whole[: most - 1] + "…"


def count_words(value: Any) -> int:
    """Return how many words a text has, or the texts within lists and mappings of no great depth."""
    return sum(len(text.split()) for text in texts_in(value))


def texts_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts within lists and mappings, to a depth beyond which nobody tells anything."""
    if isinstance(value, str):
        yield value
    elif depth < MAX_DEPTH and isinstance(value, (list, tuple, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_in(inner, depth + 1)


def mapping(value: Any) -> dict[str, Any]:
    """Return a mapping; empty for anything that is none."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """Return a list; empty for anything that is none."""
    return value if isinstance(value, list) else []


def arguments(value: Any) -> dict[str, Any]:
    """Return the arguments of a tool call, which some formats carry as a JSON string."""
    if isinstance(value, str):
        value = from_json(value)
    return mapping(value)


def from_json(line: str) -> Any:
    """Parse JSON; ``None`` for what is not JSON, nests too deep, or holds numbers too long to read."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def to_json(value: Any) -> str:
    """Render as JSON whatever the value is."""
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    except (ValueError, RecursionError, TypeError):
        return ""
