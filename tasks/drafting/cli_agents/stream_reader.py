"""Reads just enough of an agent's stream to know whether and how it ended, and its last words. Never raises."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasks.drafting.cli_agents.records import Stream

_LONGEST_LINE = 16 * 2**20  # bytes: a document quoted in one event
_PIECE = 2**20  # bytes read at once
_LAST = 4000  # characters of a message that are kept
_TAIL = 4 * 2**20  # of a stream that is one object after a log
_OBJECT_STARTS = 200  # places where an object may begin that are tried: the search is quadratic


@dataclass
class StreamReader:
    """What was read so far; :meth:`more` reads what was added since.

    Attributes:
        ended: Whether the event that ends the work came.
        error: Words of the event that says that it failed; None where none says so.
        said: Last words of the agent.
        session: As the program names it.
        events: How many were understood.
        torn: Lines that were none, or not whole.
        size: Bytes of the stream.
    """

    stream: Stream
    path: Path
    ended: bool = False
    error: str | None = None
    said: str = ""
    session: str = ""
    events: int = 0
    torn: int = 0
    size: int = 0
    _rest: bytearray = field(default_factory=bytearray)
    _skipping: bool = False
    _looked_at: int = 0

    def more(self) -> bool:
        """Read on; returns whether there was anything."""
        before = self.size
        try:
            with self.path.open("rb") as stream:
                stream.seek(self.size)
                while piece := stream.read(_PIECE):
                    self.size += len(piece)
                    if self.stream.form == "lines":
                        self._take(piece)
        except FileNotFoundError:
            return False
        if self.stream.form == "object":
            self._look(paused=self.size == before)
        return self.size > before

    def _look(self, paused: bool) -> None:
        """See at each pause whether the stream is whole: a program may end its work by its object and never exit."""
        if not paused:
            self.ended = False
        elif self.size != self._looked_at:
            self._looked_at = self.size
            self.ended = (found := self._object()) is not None and _meets(found, self.stream.final)

    def close(self) -> None:
        """Read what stands after the last line end, or the one object of a stream that is one."""
        self.more()
        if self.stream.form == "lines":
            if self._rest:
                self._line(bytes(self._rest))
                self._rest.clear()
        else:
            self.ended = False  # whatever a pause looked like, the whole stream says how it ended
            if (found := self._object()) is not None:
                self._event(found)

    def _take(self, piece: bytes) -> None:
        *lines, rest = piece.split(b"\n")
        for line in lines:
            whole, self._rest = bytes(self._rest) + line, bytearray()
            if self._skipping:
                self._skipping, self.torn = False, self.torn + 1
            elif whole.strip():
                self._line(whole)
        if not self._skipping:
            self._rest += rest
        if len(self._rest) > _LONGEST_LINE:
            self._rest, self._skipping = bytearray(), True

    def _line(self, line: bytes) -> None:
        event = _json(line)
        if isinstance(event, Mapping):
            self._event(event)
        else:
            self.torn += 1

    def _event(self, event: Mapping[str, Any]) -> None:
        self.events += 1
        self.ended = self.ended or _meets(event, self.stream.final)
        if _meets(event, self.stream.failed):
            self.error = first_words(event, self.stream.words) or "it gave no reason"
        self.said = first_words(event, self.stream.said)[-_LAST:] or self.said
        self.session = self.session or (first_words(event, (self.stream.session,)) if self.stream.session else "")[:200]

    def _object(self) -> Mapping[str, Any] | None:
        """Return the last object that begins a line and reaches to the end of the stream."""
        try:
            with self.path.open("rb") as stream:
                stream.seek(max(0, self.size - _TAIL))
                text = stream.read(_TAIL).decode("utf-8", "replace")
        except FileNotFoundError:
            return None
        starts = [0] * text.startswith("{") + [i + 1 for i in range(len(text) - 1) if text[i : i + 2] == "\n{"]
        for start in reversed(starts[-_OBJECT_STARTS:]):
            found = _json(text[start:].encode())
            if isinstance(found, Mapping):
                return found
        return None


def value_at(event: Any, path: str) -> Any:
    """Return the value at a path of keys and indices such as ``payloads.0.text``; None if there is none."""
    at = event
    for step in path.split("."):
        if isinstance(at, Mapping):
            at = at.get(step)
        elif isinstance(at, list) and step.isdigit() and int(step) < len(at):
            at = at[int(step)]
        else:
            return None
    return at


def first_words(event: Mapping[str, Any], paths: Sequence[str]) -> str:
    """Return the words at the first path that has some."""
    for path in paths:
        found = value_at(event, path)
        if found not in (None, "", [], {}):
            return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False, default=str)
    return ""


def _meets(event: Mapping[str, Any], tables: Sequence[Mapping[str, Any]]) -> bool:
    return any(all(_holds(value_at(event, path), wanted) for path, wanted in t.items()) for t in tables)


def _holds(found: Any, wanted: Any) -> bool:
    return bool(found) if wanted == "*" else found == wanted and type(found) is type(wanted)


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
