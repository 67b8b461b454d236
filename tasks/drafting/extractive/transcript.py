"""The trace of the actions taken, in the layout of LAB."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasks.matter.usage import Usage
from tasks.models.records import Reply

_PREVIEW = 400  # characters of a tool's result that the trace keeps
_ADDED = ("input_tokens", "output_tokens", "total_tokens", "wall_clock_seconds", "files_written", "grep_searches")


def _told(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, ensure_ascii=False, sort_keys=True)


@dataclass
class Transcript:
    """Actions in order, of the passes over a matter; from ``begin`` on each is written as it happens.

    A pass that is killed leaves what it did and what its model was asked; one that revises adds to the pass before.
    """

    rows: list[dict[str, Any]] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    searches: int = 0
    usage: Usage = field(default_factory=Usage)
    _turn: int = 0
    _file: Path | None = None
    _before: dict[str, int] = field(default_factory=dict)

    def begin(self, workspace: Path, *, again: bool = False) -> None:
        """Write ``transcript.jsonl`` below ``workspace``, and every row from here on as it happens.

        Args:
            workspace: Folder of the attempt.
            again: Whether this pass revises what another has drafted: its rows follow, and its counts are added.
        """
        self._file = workspace / "transcript.jsonl"
        self._before = _counted(workspace / "metrics.json") if again else {}
        if not self._before:
            self._file.unlink(missing_ok=True)
        self._turn += self._before.get("turn_count", 0)
        rows, self.rows = self.rows, []
        for row in rows:
            self._add(row)

    def act(self, text: str, tool: str, arguments: Mapping[str, Any], result: str) -> None:
        """Record one tool call and its result: a turn."""
        self._turn += 1
        self._record(text, {"name": tool, "arguments": _told(arguments)}, result)

    def look_up(self, text: str, what: str, arguments: Mapping[str, Any], result: str) -> None:
        """Record what the runtime looked up by itself: it is in the trace, and is no call of a tool and no turn."""
        self._record(text, {"name": what, "arguments": _told(arguments), "internal": True}, result)

    def _record(self, text: str, call: dict[str, Any], result: str) -> None:
        self._add(self._row(text, [call]))
        self._add(
            {
                "turn": self._turn,
                "role": "tool",
                "tool_name": call["name"],
                "arguments": call["arguments"],
                "result_preview": result[:_PREVIEW],
            }
        )

    def reply(self, asked: str, reply: Reply) -> None:
        """Record what a model was asked, without the passages, and its reply with the tokens of both."""
        self._turn += 1
        self.usage = self.usage + reply.usage
        row = self._row(reply.text, [])
        self._add({**row, **_tokens(reply.usage), "asked": asked})

    def say(self, text: str) -> None:
        """Record a closing message."""
        self._turn += 1
        self._add(self._row(text, []))

    def _add(self, row: dict[str, Any]) -> None:
        self.rows.append(row)
        if self._file is not None:
            with self._file.open("a", encoding="utf-8", errors="replace") as stream:
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")

    def _row(self, text: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "turn": self._turn,
            "role": "assistant",
            "text": text,
            "tool_calls": calls,
            "input_tokens": 0,
            "output_tokens": 0,
        }

    def close(self, workspace: Path, documents: list[str], seconds: float, *, clean: bool) -> None:
        """Write ``metrics.json`` below ``workspace``."""
        skipped = [d for d in documents if d not in self.read]
        metrics: dict[str, Any] = {
            "turn_count": self._turn,
            **_tokens(self.usage),
            "total_tokens": self.usage.tokens,
            "wall_clock_seconds": seconds,
            "finished_cleanly": clean,
            "documents_read": len(self.read),
            "documents_read_list": self.read,
            "documents_skipped": len(skipped),
            "documents_skipped_list": skipped,
            "total_documents": len(documents),
            "bash_commands": 0,
            "files_written": len(self.written),
            "files_edited": 0,
            "glob_searches": 0,
            "grep_searches": self.searches,
        }
        metrics |= {name: metrics[name] + self._before.get(name, 0) for name in _ADDED}
        metrics["wall_clock_seconds"] = round(metrics["wall_clock_seconds"], 3)
        text = json.dumps(metrics, indent=2, ensure_ascii=False) + "\n"
        (workspace / "metrics.json").write_text(text, encoding="utf-8", errors="replace")


def _counted(metrics: Path) -> dict[str, int]:
    """Return the counts of the pass before; none where it left none that can be read."""
    try:
        kept = json.loads(metrics.read_text(encoding="utf-8"))
        return {name: kept[name] for name in ("turn_count", *_ADDED) if kept[name] >= 0}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _tokens(usage: Usage) -> dict[str, int]:
    return {"input_tokens": usage.tokens - usage.output, "output_tokens": usage.output}
