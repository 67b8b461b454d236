"""The trace of a run without an agent loop, in LAB's layout: transcript.jsonl and metrics.json."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasks.matter.usage import Usage
from tasks.models.records import Reply
from tasks.sources.records import Span

_PREVIEW = 500  # characters of a tool's result that the trace keeps


@dataclass
class Trace:
    """Collects rows and writes them as they come, so that a killed run keeps its evidence.

    A revision pass continues the same files: its turns are appended, its counts are added.
    """

    folder: Path
    turn: int = 0
    files_written: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0

    @classmethod
    def resume(cls, folder: Path) -> Trace:
        """Start a trace, or continue the one of the previous pass."""
        try:
            kept = json.loads((folder / "draft" / "so-far.json").read_text(encoding="utf-8"))
            usage = Usage.model_validate(kept["usage"])
            return cls(folder, int(kept["turn"]), int(kept["files_written"]), usage, float(kept["seconds"]))
        except (OSError, ValueError, KeyError, TypeError):
            (folder / "transcript.jsonl").unlink(missing_ok=True)
            return cls(folder)

    def assistant(self, reply: Reply, served: Sequence[Span] = ()) -> None:
        """Record a reply of the model, with the stretches of documents that stood in its prompt."""
        self.turn += 1
        self.usage = self.usage + reply.usage
        u = reply.usage
        self._row(
            {
                "turn": self.turn,
                "role": "assistant",
                "text": reply.text,
                "tool_calls": [],
                "input_tokens": u.input_uncached + u.cache_read + u.cache_write,
                "output_tokens": u.output,
                "served": [[span.document, span.start, span.end] for span in served],
            }
        )

    def tool(self, name: str, arguments: Mapping[str, Any], result: str) -> None:
        """Record a tool call that the runtime made for the model, and its result."""
        told = json.dumps(arguments, ensure_ascii=False)
        call = {"name": name, "arguments": told}
        self._row(
            {
                "turn": self.turn,
                "role": "assistant",
                "text": "",
                "tool_calls": [call],
                "input_tokens": 0,
                "output_tokens": 0,
            }
        )
        self._row(
            {
                "turn": self.turn,
                "role": "tool",
                "tool_name": name,
                "arguments": told,
                "result_preview": result[:_PREVIEW],
            }
        )

    def close(self, finished: bool, seconds: float, read: Sequence[str], skipped: Sequence[str], total: int) -> None:
        """Write metrics.json and what a revision pass needs to continue."""
        self.seconds += seconds
        tokens_in = self.usage.input_uncached + self.usage.cache_read + self.usage.cache_write
        metrics = {
            "turn_count": self.turn,
            "input_tokens": tokens_in,
            "output_tokens": self.usage.output,
            "total_tokens": tokens_in + self.usage.output,
            "wall_clock_seconds": round(self.seconds, 3),
            "finished_cleanly": finished,
            "documents_read": len(read),
            "documents_read_list": list(read),
            "documents_skipped": len(skipped),
            "documents_skipped_list": list(skipped),
            "total_documents": total,
            "bash_commands": 0,
            "files_written": self.files_written,
            "files_edited": 0,
            "glob_searches": 0,
            "grep_searches": 0,
        }
        _write_json(self.folder / "metrics.json", metrics)
        so_far = {
            "usage": self.usage.model_dump(mode="json"),
            "turn": self.turn,
            "files_written": self.files_written,
            "seconds": self.seconds,
        }
        _write_json(self.folder / "draft" / "so-far.json", so_far)

    def _row(self, row: Mapping[str, Any]) -> None:
        with (self.folder / "transcript.jsonl").open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    part.replace(path)
