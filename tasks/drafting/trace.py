"""The trace of our own runtimes, in LAB's layout: transcript.jsonl and metrics.json."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasks.drafting.mechanisms.records import Firing
from tasks.matter.usage import Usage
from tasks.models.records import Reply
from tasks.sources.records import Span

_PREVIEW = 500  # characters of a tool's result that the trace keeps
COUNTS = ("bash_commands", "files_written", "files_edited", "glob_searches", "grep_searches")
"""What LAB counts of a solver's calls."""


@dataclass
class Trace:
    """Collects rows and writes them as they come, so that a killed run keeps its evidence.

    A revision pass continues the same files: its turns are appended, its counts are added.

    Attributes:
        counts: Calls that did what LAB counts, by its name.
    """

    folder: Path
    turn: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def resume(cls, folder: Path) -> Trace:
        """Start a trace, or continue the one of the previous pass."""
        try:
            kept = json.loads((folder / "draft" / "so-far.json").read_text(encoding="utf-8"))
            usage = Usage.model_validate(kept["usage"])
            counts = {name: int(kept["counts"].get(name, 0)) for name in COUNTS}
            return cls(folder, int(kept["turn"]), usage, float(kept["seconds"]), counts)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            (folder / "transcript.jsonl").unlink(missing_ok=True)
            return cls(folder)

    @classmethod
    def anew(cls, folder: Path) -> Trace:
        """Start a trace, whatever an earlier attempt left in the folder."""
        (folder / "draft" / "so-far.json").unlink(missing_ok=True)
        return cls.resume(folder)

    def count(self, name: str) -> None:
        """Count a call that did what LAB counts."""
        if name not in COUNTS:
            raise KeyError(f"{name} is nothing that LAB counts")
        self.counts[name] = self.counts.get(name, 0) + 1

    def assistant(self, reply: Reply, served: Sequence[Span] = ()) -> None:
        """Record a reply of the model, with the calls that it asks for and the stretches of documents in its prompt."""
        self.turn += 1
        self.usage = self.usage + reply.usage
        calls = [{"name": call.name, "arguments": call.arguments} for call in reply.tool_calls]
        self._said(reply.text, calls, reply.usage, served, reply.model)

    def made(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Record a call that the runtime makes in the model's place."""
        self._said("", [{"name": name, "arguments": _json(arguments)}], Usage())

    def result(self, name: str, arguments: str, result: str, failed: bool = False, served: Sequence[Any] = ()) -> None:
        """Record what came back of a call.

        Args:
            name: The tool.
            arguments: Its arguments, as JSON text.
            result: What the model was shown.
            failed: Whether the call came to nothing.
            served: Stretches of documents that the result shows: ``[document, start, end]`` each.
        """
        row: dict[str, Any] = {"turn": self.turn, "role": "tool", "tool_name": name, "arguments": arguments}
        row["result_preview"] = result[:_PREVIEW]
        self._row({**row, **({"failed": True} if failed else {}), **({"served": list(served)} if served else {})})

    def tool(self, name: str, arguments: Mapping[str, Any], result: str) -> None:
        """Record a call that the runtime made in the model's place, and its result."""
        self.made(name, arguments)
        self.result(name, _json(arguments), result)

    def told(self, role: str, text: str) -> None:
        """Record what the harness says to the model: ``system`` or ``user``."""
        self._row({"turn": self.turn, "role": role, "text": text})

    def fired(self, firing: Firing) -> None:
        """Record that a mechanism acted."""
        said = firing.model_dump(mode="json", exclude={"turn"})
        self._row({"turn": self.turn, "role": "system", "text": "", **said})

    def close(
        self, finished: bool, seconds: float, read: Sequence[str], skipped: Sequence[str], total: int, **more: Any
    ) -> None:
        """Write metrics.json, with ``more`` beside what LAB's has, and what a revision pass needs to continue."""
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
            **{name: self.counts.get(name, 0) for name in COUNTS},
            **more,
        }
        write_json(self.folder / "metrics.json", metrics)
        so_far = {
            "usage": self.usage.model_dump(mode="json"),
            "turn": self.turn,
            "counts": self.counts,
            "seconds": self.seconds,
        }
        write_json(self.folder / "draft" / "so-far.json", so_far)

    def _said(
        self,
        text: str,
        calls: Sequence[Mapping[str, str]],
        used: Usage,
        served: Sequence[Span] = (),
        model: str = "",
    ) -> None:
        self._row(
            {
                "turn": self.turn,
                "role": "assistant",
                "text": text,
                "tool_calls": list(calls),
                "input_tokens": used.input_uncached + used.cache_read + used.cache_write,
                "output_tokens": used.output,
                **({"usage": used.model_dump(mode="json")} if used.calls else {}),
                **({"model": model} if model else {}),
                **({"served": [[s.document, s.start, s.end] for s in served]} if served else {}),
            }
        )

    def _row(self, row: Mapping[str, Any]) -> None:
        with (self.folder / "transcript.jsonl").open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(_json(row) + "\n")


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def write_json(path: Path, value: Any) -> None:
    """Write JSON by rename, so that a reader finds all of it or what was there before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", errors="backslashreplace")
    part.replace(path)
