"""Tokens of messages, counted offline by the tokenizers that litellm carries."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from tasks.models.profile import SCRIPTED, ModelProfile
from tasks.models.records import Message

CHARS_PER_TOKEN = 3.5
"""Of English legal text 4.3; tables and codes have less. Counts what no tokenizer counts, on the safe side."""
_FRAME = 4  # tokens of role and marks around a message


def count_message(profile: ModelProfile, message: Message) -> int:
    """Return the tokens of a message with the marks around it."""
    return _counted(profile, [dict(message)], None, json.dumps(message, ensure_ascii=False, default=str))


def count_tools(profile: ModelProfile, tools: Sequence[Mapping[str, Any]]) -> int:
    """Return the tokens of the definitions of tools."""
    given = [dict(tool) for tool in tools]
    return _counted(profile, [], given, json.dumps(given, ensure_ascii=False, default=str)) if given else 0


def _counted(
    profile: ModelProfile, messages: list[dict[str, Any]], tools: list[dict[str, Any]] | None, written: str
) -> int:
    """Ask litellm's tokenizer; a scripted model has none, and what has not the usual form is counted by its length."""
    by_length = math.ceil(len(written) / CHARS_PER_TOKEN) + _FRAME
    if profile.model == SCRIPTED:
        return by_length
    from tasks.models.transports.hosted import load_litellm

    try:
        return int(
            load_litellm().token_counter(
                model=profile.model, messages=messages, tools=tools, use_default_image_token_count=True
            )
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return by_length
