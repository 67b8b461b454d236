"""Reading, writing and editing the files of the room."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field

from tasks.drafting.agent.tools.records import AgentTool, Arguments, OwnTool, Shown, refused
from tasks.drafting.agent.tools.room import AgentDesk
from tasks.matter.failures import SolonError
from tasks.sources.readers import FORMATS
from tasks.sources.records import Span

BUILT = frozenset({".ppt", *(s for form in FORMATS.values() if not form.text for s in form.suffixes)})
"""Formats that are built from Markdown, never written as text."""
_LONGEST = 20_000_000  # characters that an edit may make of a file: replacing all multiplies
_HINT = 60  # characters of the words that were not found, in the answer
_LINE = 8  # characters that the number of a line takes beside it


class Read(Arguments):
    """Arguments of ``read``."""

    path: str
    offset: Annotated[int, AfterValidator(lambda line: max(1, line))] = Field(default=1, description="first line")
    limit: int = Field(default=2000, ge=1, description="most lines")
    skip: int = Field(default=0, ge=0, description="characters of the first line to leave out")


class WriteArguments(Arguments):
    """Arguments of ``write``."""

    path: str
    content: str


class EditArguments(Arguments):
    """Arguments of ``edit``."""

    path: str
    find: str = Field(description="exact words; empty adds to the end")
    replace: str
    all: bool = False


def file_tools(desk: AgentDesk) -> list[AgentTool]:
    """Return the tools that read and write files."""
    files = _Files(desk)
    return [
        OwnTool("read", Read, files.read),
        OwnTool("write", WriteArguments, files.write),
        OwnTool("edit", EditArguments, files.edit),
    ]


class _Files:
    def __init__(self, desk: AgentDesk) -> None:
        self._desk = desk

    def read(self, given: Read) -> Shown:
        """Read a document, or a file of output/ or scratch/, as text with line numbers."""
        document = self._desk.document(given.path)
        text = document.text if document is not None else self._text(given.path)
        lines = text.split("\n")
        if given.offset > len(lines):
            raise refused(given.path, f"has {len(lines)} lines", "give a smaller offset")
        shown, last, cut = self._window(lines, given)
        start = sum(len(line) + 1 for line in lines[: given.offset - 1]) + given.skip
        end = min(len(text), start + sum(len(line) + 1 for line in shown) - 1)
        served: tuple[Span, ...] = ()
        if document is not None:
            served = (Span(document=document.document, start=start, end=max(start, end)),)
            self._desk.served.add(served)
        told = f"{given.path}: lines {given.offset}-{last} of {len(lines)}"
        told += f"; {self._desk.served.share(document.document):.0%} of it shown so far" if document else ""
        rest = _rest(last, cut, len(lines))
        body = "\n".join(f"{number}\t{line}" for number, line in enumerate(shown, given.offset))
        return Shown(f"{told}\n{body}{rest}", served=served)

    def _window(self, lines: list[str], given: Read) -> tuple[list[str], int, int]:
        """Return the lines that fit, the number of the last one, and how many of its characters fit if it was cut."""
        left, shown = self._desk.shown, list[str]()
        for line in lines[given.offset - 1 : given.offset - 1 + given.limit]:
            rest = line if shown else line[given.skip :]
            if shown and len(rest) + _LINE > left:
                break
            shown.append(rest[:left])
            left -= len(shown[-1]) + 8  # its number
            if len(shown[-1]) < len(rest):
                return shown, given.offset + len(shown) - 1, given.skip * (len(shown) == 1) + len(shown[-1])
        return shown, given.offset + len(shown) - 1, 0

    def _text(self, path: str) -> str:
        """Return the text of the solver's own file; a built deliverable is read as the gates will read it."""
        from tasks.sources.texts import read_file

        file = self._desk.paths.resolve(path, write=False)
        if file.suffix.lower() in BUILT and file.is_file():
            found = read_file(file, file.name)
            if not found.text and found.problems:
                raise SolonError(found.problems[0])
            return found.text
        return self._desk.paths.read(path).decode("utf-8", "replace")

    def write(self, given: WriteArguments) -> Shown:
        """Write a text file whole, in output/ or scratch/."""
        name = PurePosixPath(given.path)
        if name.suffix.lower() in BUILT:
            kept = f"scratch/{name.name}.md"
            self._desk.paths.write(kept, given.content.encode("utf-8", "replace"))
            # in words: a small model that was shown a JSON object copied the remedy into its arguments up to the quote
            way = f"call build_deliverable with path {name.name} and markdown_file {kept}, without markdown"
            raise refused(given.path, f"is no text file; your text is kept as {kept}", way)
        file = self._desk.paths.write(given.path, given.content.encode("utf-8", "replace"))
        return Shown(f"Wrote {self._said(file)}, {len(given.content)} characters.", counted="files_written")

    def edit(self, given: EditArguments) -> Shown:
        """Replace exact words in a text file of output/ or scratch/, once, or all of them with all."""
        if PurePosixPath(given.path).suffix.lower() in BUILT:
            raise refused(given.path, "is no text file", "edit its Markdown in scratch/ and build it again")
        text = self._desk.paths.read(given.path).decode("utf-8", "replace")
        times = text.count(given.find) if given.find else 1
        if times == 0:
            raise refused(given.path, f"does not hold {given.find[:_HINT]!r}", "read it and give its exact words")
        if times > 1 and not given.all:
            raise refused(given.path, f"holds these words {times} times", "give more words around them, or all: true")
        if len(text) + times * (len(given.replace) - len(given.find)) > _LONGEST:
            raise refused(given.path, f"would have more than {_LONGEST} characters", "replace fewer words, or shorter")
        made = text.replace(given.find, given.replace) if given.find else text + given.replace
        file = self._desk.paths.write(given.path, made.encode("utf-8", "replace"))
        return Shown(f"{self._said(file)}: {times} replaced, {len(made)} characters.", counted="files_edited")

    def _said(self, file: Path) -> str:
        return file.relative_to(self._desk.room.output.parent).as_posix()


def _rest(last: int, cut: int, lines: int) -> str:
    """Say how to read on: the rest of a line that was cut off, or the following lines."""
    if cut:
        return f"\n[… line {last} goes on: offset {last}, skip {cut}]"
    return f"\n[… {lines - last} lines more: offset {last + 1}]" if last < lines else ""
