"""What a model's answer says it used, in each of the three protocols, streamed or whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tasks.drafting.cli_agents.records import Speech
from tasks.matter.usage import Usage

_MOST = 1_000_000_000  # tokens: a program that reports more errs
_BYTES_PER_TOKEN = 4  # of English; what is counted by it is marked as estimated


@dataclass
class UsageMeter:
    """Reads the usage of one answer as it passes.

    Attributes:
        asked: Bytes of the request; with those of the answer they tell a usage where none was told, so that whoever
            breaks off a stream before its end does not get it for nothing.
    """

    speech: Speech
    asked: int
    passed: int = 0
    told: dict[str, Any] = field(default_factory=dict)

    def line(self, line: bytes) -> None:
        """Read one line of a stream."""
        self.passed += len(line)
        if line.startswith(b"data:") and b"usage" in line:
            self._note(_json(line[5:]))

    def whole(self, body: bytes) -> None:
        """Read an answer that came in one piece."""
        self.passed += len(body)
        self._note(_json(body))

    def usage(self) -> Usage:
        """Return the tokens in disjoint columns."""
        if not self.told:
            counted = Usage(input_uncached=self.asked // _BYTES_PER_TOKEN, output=self.passed // _BYTES_PER_TOKEN)
            return counted.model_copy(update={"calls": 1})
        if self.speech == "messages":
            return self._anthropic()
        return self._openai()

    def _note(self, event: Mapping[str, Any]) -> None:
        """Keep the last value told of each count: those of a stream are sums so far."""
        for holder in (event, _table(event.get("message")), _table(event.get("response"))):
            self.told.update({k: v for k, v in _table(holder.get("usage")).items() if v is not None})

    def _anthropic(self) -> Usage:
        return Usage(
            input_uncached=count_of(self.told.get("input_tokens")),
            cache_read=count_of(self.told.get("cache_read_input_tokens")),
            cache_write=count_of(self.told.get("cache_creation_input_tokens")),
            output=count_of(self.told.get("output_tokens")),
            calls=1,
        )

    def _openai(self) -> Usage:
        names = ("input", "output") if self.speech == "responses" else ("prompt", "completion")
        asked, given = (count_of(self.told.get(f"{name}_tokens")) for name in names)
        details = _table(self.told.get(f"{names[0]}_tokens_details"))
        read = min(asked, count_of(details.get("cached_tokens")))
        return Usage(input_uncached=asked - read, cache_read=read, output=given, calls=1)


def _json(data: bytes) -> Mapping[str, Any]:
    try:
        return _table(json.loads(data))
    except (ValueError, RecursionError):
        return {}


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def count_of(value: Any) -> int:
    """Return a number of tokens that somebody else states; 0 for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(max(0, min(value, _MOST))) if value == value else 0  # noqa: PLR0124 (NaN)
