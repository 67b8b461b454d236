"""The information-flow log: which role was sent which messages, by hash and size alone.

One line for each request, also for one whose reply was recorded before: the role was shown it all the same. The log
holds no word of a message, so that it may lie where a solver's process can write; who holds a text can ask whether a
role was sent it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tasks.matter.base import Record, content_hash
from tasks.models.lines import add_line, read_lines
from tasks.models.records import Message, Request

FLOW_NAME = "flow.jsonl"
_PLAIN = frozenset({"role", "content", "cache", "tool_call_id", "name"})


class SentMessage(Record):
    """One message that was sent.

    Attributes:
        role: ``system``, ``user``, ``assistant`` or ``tool``; ``query`` or ``text`` for embedders and rerankers.
        sha256: Hash of its words in UTF-8; of the whole message as canonical JSON where it holds more than words.
        characters: Their length.
    """

    role: str
    sha256: str
    characters: int


class FlowEntry(Record):
    """One request.

    Attributes:
        role: On whose behalf: solver, judge, chooser, …
        profile: The profile that was asked first.
        key: Content key of the request; the ledger has its cost under the same key.
    """

    role: str
    profile: str
    key: str
    messages: tuple[SentMessage, ...]


def log_flow(file: Path, role: str, profile: str, key: str, request: Request) -> None:
    """Add a request to the log."""
    add_line(file, FlowEntry(role=role, profile=profile, key=key, messages=_sent(request)))


def read_flow(file: Path) -> tuple[FlowEntry, ...]:
    """Return the requests of a log in order; none where there is no log."""
    return tuple(read_lines(file.read_bytes(), FlowEntry)) if file.is_file() else ()


def message_hash(message: Message) -> str:
    """Return the hash under which the log knows a message."""
    words = _words(message)
    return content_hash(_bare(message)) if words is None else _sha256(words)


def _sent(request: Request) -> tuple[SentMessage, ...]:
    said = [_message(m) for m in request.messages]
    asked: Sequence[tuple[str, str]] = [("query", request.query)] if request.query else []
    given = [(role, text) for role, text in (*asked, *(("text", t) for t in request.texts))]
    return (*said, *(SentMessage(role=r, sha256=_sha256(t), characters=len(t)) for r, t in given))


def _message(message: Message) -> SentMessage:
    words = _words(message)
    size = len(str(_bare(message))) if words is None else len(words)
    return SentMessage(role=str(message.get("role", "")), sha256=message_hash(message), characters=size)


def _words(message: Message) -> str | None:
    """Return the words of a message that holds nothing else, as most do."""
    content = message.get("content")
    return content if isinstance(content, str) and message.keys() <= _PLAIN else None


def _bare(message: Message) -> dict[str, object]:
    return {name: value for name, value in message.items() if name != "cache"}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
