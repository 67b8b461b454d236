"""Other converters on the same files in the same run: their speed, and whose text contains more of the other's words.

Each is called in its fastest way from Python: pandoc and pdftotext as commands, one per file (they start in ms;
pandoc also all files of a format in one call), markitdown as a library in one warm process, and as a command on a
few files beside it. None of them is part of Solon: what is not installed says so.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import util
from pathlib import Path
from typing import Any, Protocol

_WORD = re.compile(r"\w+")
_SECONDS = 300.0  # after which another program is given up
_COMMANDS = 6  # files that a slow command is started for
_LOOP = """
import json, sys, time
from markitdown import MarkItDown
converter = MarkItDown()
for line in sys.stdin:
    start = time.perf_counter()
    try:
        text = str(converter.convert(json.loads(line)).text_content)
    except Exception as error:
        text = None
    print(json.dumps([text, time.perf_counter() - start]), flush=True)
"""


Read = Callable[[Path], tuple[str, float]]


class RefusedError(Exception):
    """A converter does not read this file."""


class Converter(Protocol):
    """Another program that turns a document into text."""

    def convert(self, path: Path) -> tuple[str, float]:
        """Return the text and the seconds it took; raises RefusedError."""

    def beside(self, files: Sequence[Path], read: Read) -> dict[str, Any]:
        """Return further measurements, by name, made after all files were converted."""


def measure_converters(files: Sequence[Path], read: Read) -> dict[str, Any]:
    """Measure other converters beside our readers, file by file in turn.

    Args:
        files: The documents.
        read: Returns our canonical text of a file (with the names of its pages) and its seconds.

    Returns:
        For each converter the files that both read, documents per second of both, how many times faster we are in total
        and by format, and the text recall of both: the share of the other's words that a text holds, with their
        count, and by distinct word (page numbers and the running lines of pages, which our readers keep once, count
        there once too). Words that a converter glues together count as its own there; so there is the recall of the
        agreed words too: the distinct words that two programs or more print, where three read the file.
    """
    made = {name: make() for name, make in _CONVERTERS.items()}
    scores = {name: _Score() for name, converter in made.items() if converter}
    for path in files:
        text, seconds = read(path)
        printed = {"": set(_words(text))}
        for name, score in scores.items():
            theirs = score.add(path, text, seconds, made[name])
            if theirs is not None:
                printed[name] = theirs
        if len(printed) > 2:
            agreed = {w for w, n in Counter(w for words in printed.values() for w in words).items() if n > 1}
            for name in printed.keys() & scores.keys():
                scores[name].agree(agreed, printed[""], printed[name])
    results: dict[str, Any] = {}
    for name, converter in made.items():
        if converter is None:
            results[name] = {"installed": False, "note": "not installed"}
        else:
            results[name] = {**scores[name].result(), **converter.beside(scores[name].files, read)}
    return results


@dataclass
class _Score:
    """What one converter did beside ours."""

    files: list[Path] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    own_seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    count: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)

    def add(self, path: Path, own: str, own_seconds: float, converter: Converter | None) -> set[str] | None:
        """Convert one file and compare; return its distinct words, None where it refuses the file."""
        assert converter is not None
        suffix = path.suffix.lower()
        try:
            text, seconds = converter.convert(path)
        except RefusedError:
            self.refused[suffix] += 1
            return None
        self.files.append(path)
        self.count[suffix] += 1
        self.seconds[suffix] += seconds
        self.own_seconds[suffix] += own_seconds
        mine, theirs = Counter(_words(own)), Counter(_words(text))
        self.words["common"] += sum((mine & theirs).values())
        self.words["distinct common"] += len(mine.keys() & theirs.keys())
        for whose, words in (("ours", mine), ("theirs", theirs)):
            self.words[whose] += words.total()
            self.words[f"distinct {whose}"] += len(words)
        return set(theirs)

    def agree(self, agreed: set[str], ours: set[str], theirs: set[str]) -> None:
        """Count who prints the words that two programs or more print."""
        self.words["agreed"] += len(agreed)
        self.words["agreed ours"] += len(agreed & ours)
        self.words["agreed theirs"] += len(agreed & theirs)

    def result(self) -> dict[str, Any]:
        """Return the figures."""
        both, theirs, ours = self.count.total(), sum(self.seconds.values()), sum(self.own_seconds.values())
        return {
            "installed": True,
            "files": both,
            "refused": dict(self.refused),
            "documents_a_second": rate(both, theirs),
            "ours_documents_a_second": rate(both, ours),
            "times_faster": rate(theirs, ours),
            "times_faster_by_format": {s: rate(t, self.own_seconds[s]) for s, t in sorted(self.seconds.items())},
            "our_recall_of_its_words": _share(self.words["common"], self.words["theirs"]),
            "its_recall_of_our_words": _share(self.words["common"], self.words["ours"]),
            "our_recall_of_its_distinct_words": _share(self.words["distinct common"], self.words["distinct theirs"]),
            "its_recall_of_our_distinct_words": _share(self.words["distinct common"], self.words["distinct ours"]),
            "agreed_words": self.words["agreed"],
            "our_recall_of_agreed_words": _share(self.words["agreed ours"], self.words["agreed"]),
            "its_recall_of_agreed_words": _share(self.words["agreed theirs"], self.words["agreed"]),
        }


class _Command:
    """A program that is started for each file."""

    def __init__(self, arguments: Callable[[Path], list[str]]) -> None:
        self.arguments = arguments

    def convert(self, path: Path) -> tuple[str, float]:
        """Return what the program prints."""
        arguments = self.arguments(path)
        start = time.perf_counter()
        try:
            done = subprocess.run(arguments, capture_output=True, timeout=_SECONDS, check=True)
        except (subprocess.SubprocessError, OSError) as error:
            raise RefusedError from error
        return done.stdout.decode("utf-8", "replace"), time.perf_counter() - start

    def beside(self, files: Sequence[Path], read: Read) -> dict[str, Any]:
        """Measure nothing more."""
        del files, read
        return {}


class _Pandoc(_Command):
    def __init__(self, command: str) -> None:
        super().__init__(lambda path: self._arguments([path]))
        self.command = command
        known = subprocess.run([command, "--list-input-formats"], capture_output=True, timeout=60, check=True)
        self.formats = set(known.stdout.decode().split())

    def _arguments(self, paths: Sequence[Path]) -> list[str]:
        suffix = paths[0].suffix.lower().lstrip(".")
        source = {"md": "markdown", "txt": "markdown"}.get(suffix, suffix)
        if source not in self.formats:
            raise RefusedError
        return [self.command, "-f", source, "-t", "plain", "--wrap=none", *(str(p.absolute()) for p in paths)]

    def beside(self, files: Sequence[Path], read: Read) -> dict[str, Any]:
        """Measure one call for all the files of a format: its start counts once. We read them again right after it."""
        seconds = own = 0.0
        for suffix in sorted({p.suffix.lower() for p in files}):
            same = [p for p in files if p.suffix.lower() == suffix]
            start = time.perf_counter()
            subprocess.run(self._arguments(same), capture_output=True, timeout=_SECONDS, check=False)
            seconds += time.perf_counter() - start
            own += sum(read(p)[1] for p in same)
        return {
            "in_one_call": {"documents_a_second": rate(len(files), seconds), "times_faster": rate(seconds, own)},
        }


class _Markitdown:
    """The library in one process of its own, warm before the first file is timed."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.process = subprocess.Popen(
            [_interpreter(command), "-W", "ignore", "-c", _LOOP],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._ask(Path(__file__))
        self._warm: set[str] = set()

    def _ask(self, path: Path) -> tuple[str, float]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(str(path.absolute())) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RefusedError
        text, seconds = json.loads(answer)
        if text is None:
            raise RefusedError
        return str(text), float(seconds)

    def convert(self, path: Path) -> tuple[str, float]:
        """Return the library's text; the first file of a format loads its parser and is converted twice."""
        if path.suffix.lower() not in self._warm:
            self._warm.add(path.suffix.lower())
            self._ask(path)
        return self._ask(path)

    def beside(self, files: Sequence[Path], read: Read) -> dict[str, Any]:
        """Measure the command on a few files, beside our own command."""
        del read
        if self.process.stdin:
            self.process.stdin.close()
        self.process.wait(30)
        some = list(files)[:: max(1, len(files) // _COMMANDS)][:_COMMANDS]
        theirs = _timed(_Command(lambda path: [self.command, str(path)]), some)
        solon = Path(sys.executable).with_name("solon")
        ours = _timed(_Command(lambda path: [str(solon), "tool", "read", str(path)]), some) if solon.exists() else 0.0
        return {
            "as_a_command": {
                "files": len(some),
                "documents_a_second": rate(len(some), theirs),
                "ours_documents_a_second": rate(len(some), ours),
                "times_faster": rate(theirs, ours),
            },
        }


def _timed(command: _Command, files: Sequence[Path]) -> float:
    seconds = 0.0
    for path in files:
        try:
            seconds += command.convert(path)[1]
        except RefusedError:
            return 0.0
    return seconds


def _interpreter(command: str) -> str:
    """Return the Python that a console script runs on."""
    first = Path(command).read_bytes().split(b"\n", 1)[0].decode("utf-8", "replace")
    if not first.startswith("#!") or "python" not in first:
        raise OSError(f"{command} is no script of Python")
    return first[2:].strip()


def _pandoc() -> Converter | None:
    wheel = util.find_spec("pypandoc")  # a developer's virtual environment has it; a run of Solon does not need it
    inside = Path(wheel.origin).parent / "files" if wheel and wheel.origin else None
    command = (inside and shutil.which("pandoc", path=str(inside))) or shutil.which("pandoc")
    try:
        return _Pandoc(command) if command else None
    except (OSError, subprocess.SubprocessError):
        return None


def _markitdown() -> Converter | None:
    command = shutil.which(os.environ.get("SOLON_MARKITDOWN", "markitdown"))
    try:
        return _Markitdown(command) if command else None
    except (OSError, RefusedError):
        return None


def _pdftotext() -> Converter | None:
    command = shutil.which("pdftotext")

    def arguments(path: Path) -> list[str]:
        if path.suffix.lower() != ".pdf":
            raise RefusedError
        return [str(command), "-enc", "UTF-8", str(path.absolute()), "-"]

    return _Command(arguments) if command else None


_CONVERTERS: Mapping[str, Callable[[], Converter | None]] = {
    "pandoc": _pandoc,
    "markitdown": _markitdown,
    "pdftotext": _pdftotext,
}


def _words(text: str) -> list[str]:
    return [w.lower() for w in _WORD.findall(text.replace("_", " "))]


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def rate(count: float, seconds: float) -> float | None:
    """Return a quotient for a table; None where nothing was measured."""
    return round(count / seconds, 2) if seconds else None
