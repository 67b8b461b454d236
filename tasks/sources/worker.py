"""The limited process that reads documents: one request per line in, one record per line out.

Started as ``python -m tasks.sources.worker``; lives as long as its parent keeps its input open, and ends with it.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from types import TracebackType
from typing import IO

from tasks.matter.failures import FailureCause
from tasks.matter.lifetime import end_with_parent
from tasks.sources.builder import problem
from tasks.sources.extract import extract
from tasks.sources.limits import OUT_OF_MEMORY, ReaderLimits
from tasks.sources.records import CanonicalText


def serve(requests: IO[str], answers: IO[str]) -> None:
    """Answer requests until the input ends."""
    for line in requests:
        request = json.loads(line)
        limits = ReaderLimits(**request["limits"])
        _limit(limits)
        path, name = Path(request["path"]), request["name"]
        try:
            said = answer(path, name, limits, request.get("redlines", False), request.get("tables", False))
            shown = said.model_dump_json()
        except MemoryError:
            said = None
            message = "Reading was ended for want of memory."
            shown = _unread(name, FailureCause.CAPACITY, message, "Split the document.").model_dump_json()
        answers.write(shown)
        answers.write("\n")
        answers.flush()


def answer(path: Path, name: str, limits: ReaderLimits, redlines: bool = False, tables: bool = False) -> CanonicalText:
    """Read one file."""
    try:
        if path.exists() and not path.is_file():  # a pipe would keep this process waiting
            return _unread(name, FailureCause.INPUT, "It is no regular file.", "Check the path.")
        if path.stat().st_size > limits.file_bytes:
            return _unread(name, FailureCause.CAPACITY, f"The file has {path.stat().st_size} bytes.", "Split it.")
        data = path.read_bytes()
    except OSError as error:
        return _unread(name, FailureCause.INPUT, f"The file cannot be opened ({error.strerror}).", "Check the path.")
    return extract(data, name, limits, redlines, tables)


def _unread(name: str, cause: FailureCause, message: str, remedy: str) -> CanonicalText:
    failure = problem(cause, message, remedy)
    return CanonicalText(document=name, sha256="", extractor="none/0", media="", text="", problems=(failure,))


def _limit(limits: ReaderLimits) -> None:
    """Limit memory permanently, and processor time from now on for this document."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (spent + limits.cpu_seconds, hard))
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _last_words(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Report by the exit code that memory ran out, even for the answer."""
    if issubclass(kind, MemoryError):
        os._exit(OUT_OF_MEMORY)
    sys.__excepthook__(kind, error, trace)


def main() -> None:
    """Reserve the protocol's channel: whatever a library prints goes to standard error."""
    end_with_parent()
    sys.excepthook = _last_words
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin, channel)


if __name__ == "__main__":
    main()
