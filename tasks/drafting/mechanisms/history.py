"""What a solver wrote, and where, read out of its tool calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Final

from tasks.drafting.mechanisms.outputs import PROSE
from tasks.drafting.mechanisms.records import Step

_PATHS: Final = ("path", "file_path", "filePath", "filename", "file", "target_file")
_CONTENTS: Final = ("content", "contents", "markdown", "text", "file_text", "new_content", "body")
_WRITERS: Final = re.compile(r"write|create|build_deliverable|save", re.IGNORECASE)
_SHELLS: Final = re.compile(r"bash|shell|exec|terminal|command", re.IGNORECASE)
_HEREDOC: Final = re.compile(
    r"(?:(?<!>)>(?!>)[ \t]*(?P<before>[^\s<>|&;]+)[ \t]*)?<<-?[ \t]*(?P<quote>['\"]?)(?P<mark>\w+)(?P=quote)"
    r"(?:[ \t]*(?<!>)>(?!>)[ \t]*(?P<behind>[^\s<>|&;]+))?[ \t]*\n"
)
_MOST: Final = 100  # here-documents of one command


@dataclass(frozen=True)
class Rewrite:
    """One text that replaced a file.

    Attributes:
        step: Position of its tool call.
        path: As the solver named it.
    """

    step: int
    turn: int
    path: str
    content: str


def writes_of(steps: Sequence[Step]) -> list[Rewrite]:
    """Return the texts that were written over files, in order; what was added to a file is left out.

    A write that failed counts where its file is no text file: the format was refused, and not the text.
    """
    return [
        Rewrite(at, step.turn, path, content)
        for at, step in enumerate(steps)
        for path, content in (_shell(step) if _SHELLS.search(step.tool) else _written(step))
        if not step.failed or PurePosixPath(path).suffix.lower() in PROSE
    ]


def touches(step: Step, name: str) -> bool:
    """Tell whether the arguments of a tool call name a file."""
    return name in said_in(step.arguments)


def said_in(arguments: Mapping[str, Any]) -> str:
    """Return arguments as text."""
    return json.dumps(dict(arguments), ensure_ascii=False, default=str)


def _written(step: Step) -> Iterator[tuple[str, str]]:
    path = next((step.arguments[k] for k in _PATHS if isinstance(step.arguments.get(k), str)), "")
    content = next((step.arguments[k] for k in _CONTENTS if isinstance(step.arguments.get(k), str)), "")
    if path and content.strip() and _WRITERS.search(step.tool) and not step.arguments.get("append"):
        yield path, content


def _shell(step: Step) -> Iterator[tuple[str, str]]:
    for key in ("command", "cmd", "script"):
        value = step.arguments.get(key)
        words = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
        yield from _heredocs(" ".join(map(str, words)))


def _heredocs(command: str) -> Iterator[tuple[str, str]]:
    """Yield file and text of the here-documents that replace a file."""
    at = 0
    for begun in islice(_HEREDOC.finditer(command), _MOST):
        end = re.compile(rf"^[ \t]*{begun['mark']}[ \t]*$", re.MULTILINE).search(command, begun.end())
        if begun.start() < at or end is None:
            continue  # inside the one before, or cut off
        at, path = end.end(), begun["before"] or begun["behind"]
        body = command[begun.end() : end.start()].rstrip("\n")
        if path and body.strip():
            yield path.strip("'\""), body
