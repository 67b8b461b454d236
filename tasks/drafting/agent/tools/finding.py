"""Finding files by name, and lines of documents by pattern."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import Field

from tasks.drafting.agent.tools.records import AgentTool, Arguments, OwnTool, Shown, refused
from tasks.drafting.agent.tools.room import AgentDesk
from tasks.sources.records import Span

_SECONDS = 10.0  # for one search; the pattern is the model's and may take for ever
_MOST_HITS = 400  # what a model can read at once
_MOST_NAMES = 1000  # the same for names of files
_LONGEST_PATTERN = 1000  # characters
_LONGEST_LINE = 400  # characters of a hit that are shown, around its first match
_LEAD = 100  # of these, before the match
_WAYS = frozenset("*+?{|")  # repeats and alternatives: without any of these a pattern cannot run away
_CHILD = Path(__file__).with_name("grep_child.py")


class Glob(Arguments):
    """Arguments of ``glob``."""

    pattern: str = Field(
        default="**", max_length=_LONGEST_PATTERN, description="e.g. documents/*.docx; ** crosses folders"
    )


class Grep(Arguments):
    """Arguments of ``grep``."""

    pattern: str = Field(description="regular expression, upper and lower case alike")
    path: str = Field(
        default="", max_length=_LONGEST_PATTERN, description="one document or a glob; all documents where empty"
    )


def finding_tools(desk: AgentDesk) -> list[AgentTool]:
    """Return the tools that find."""
    finding = _Finding(desk)
    return [OwnTool("glob", Glob, finding.glob), OwnTool("grep", Grep, finding.grep)]


class _Finding:
    def __init__(self, desk: AgentDesk) -> None:
        self._desk = desk

    def glob(self, given: Glob) -> Shown:
        """List the files of the room by a pattern."""
        found = [name for name in self._desk.paths.files() if _fits(name, given.pattern)]
        more = f"\n[… {len(found) - _MOST_NAMES} more: use a narrower pattern]" if len(found) > _MOST_NAMES else ""
        text = "\n".join(found[:_MOST_NAMES]) + more
        return Shown(self._desk.bounded(text, "glob.txt") or "No file has such a name.", counted="glob_searches")

    def grep(self, given: Grep) -> Shown:
        """Find the lines of the documents that match, with document and line number."""
        texts = self._searched(given.path)
        hits = matching_lines(given.pattern, texts)
        rows, served, left = list[str](), list[Span](), self._desk.shown
        for name, number, start, end, at in hits:
            line = texts[name][start:end]
            begin = max(0, min(at - _LEAD, len(line) - _LONGEST_LINE))
            row = f"{name}:{number}: {line[begin : begin + _LONGEST_LINE].strip()}"
            if len(row) > left:
                break
            left -= len(row) + 1
            rows.append(row)
            if name in self._desk.served.texts:
                stop = start + min(len(line), begin + _LONGEST_LINE)
                served.append(Span(document=name, start=start + begin, end=stop))
        self._desk.served.add(served)
        most = " or more" if len(hits) >= _MOST_HITS else ""
        more = f"\n[… {len(hits) - len(rows)}{most} lines more: narrow the pattern, or name a path]"
        told = f"No line matches in {len(texts)} documents." if not hits else "\n".join(rows)
        text = told + (more if len(rows) < len(hits) else "")
        return Shown(text, served=tuple(served), counted="grep_searches")

    def _searched(self, path: str) -> Mapping[str, str]:
        """Return the texts that a path names: a document, documents by glob, or the solver's own file."""
        every = {name: text.text for name, text in self._desk.served.texts.items()}
        said = path.strip().rstrip("/")
        if said.removeprefix("/matter/") in ("", ".", "*", "**", "documents", "text", "/matter"):
            return every
        if (one := self._desk.document(said)) is not None:
            return {one.document: one.text}
        bare = self._desk.document_name(said).removeprefix("documents/").removeprefix("text/")
        found = {name: text for name, text in every.items() if _fits(name, bare) or _fits(f"{name}.txt", bare)}
        return found or {said: self._desk.paths.read(said).decode("utf-8", "replace")}


Hit = tuple[str, int, int, int, int]
"""Name, line number, start and end of the line, and where in the line the match begins."""


def matching_lines(pattern: str, texts: Mapping[str, str]) -> list[Hit]:
    """Return the lines that match a pattern, ignoring case, at most 400.

    Raises:
        SolonError: The pattern is not a regular expression, is too long, or took longer than ten seconds (``input``).
    """
    if len(pattern) > _LONGEST_PATTERN:
        raise refused("pattern", f"is longer than {_LONGEST_PATTERN} characters", "use a shorter one")
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as error:
        raise refused("pattern", f"is no regular expression ({error})", "escape its marks with \\") from None
    if not _WAYS & set(pattern):
        from tasks.drafting.agent.tools.grep_child import hits

        return hits(compiled, texts, _MOST_HITS)
    return _in_a_child(pattern, texts)


def _in_a_child(pattern: str, texts: Mapping[str, str]) -> list[Hit]:
    """Match in a separate process that can be killed: a runaway pattern would block every attempt in this process."""
    asked = json.dumps({"pattern": pattern, "texts": dict(texts), "most": _MOST_HITS, "seconds": int(_SECONDS)})
    words = [sys.executable, "-I", "-S", str(_CHILD)]
    try:
        done = subprocess.run(
            words, input=asked.encode("utf-8", "replace"), capture_output=True, timeout=_SECONDS, env={}, check=False
        )
    except subprocess.TimeoutExpired:
        done = None
    if done is None or done.returncode != 0:
        raise refused("pattern", f"took longer than {_SECONDS:g} s", "use a simpler one, without nested repeats")
    found: list[Any] = json.loads(done.stdout)
    return [(str(name), int(n), int(start), int(end), int(at)) for name, n, start, end, at in found]


def _fits(name: str, pattern: str) -> bool:
    """Say whether a name fits a glob as a shell reads it, ``**`` for any depth; a bare pattern fits any folder."""
    said = pattern.removeprefix("/matter/").removeprefix("./").strip()
    wanted = said.replace("**/", "*").replace("**", "*") or "*"
    return fnmatchcase(name.lower(), wanted.lower()) or fnmatchcase(name.rpartition("/")[2].lower(), wanted.lower())
