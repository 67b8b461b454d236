"""The files of an attempt as mechanisms see them: what is there, in which format, and how much of it is work."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from skills_repo.mechanism_settings import DeliverableSetting
from tasks.sources.readers import FORMATS
from tasks.sources.records import CanonicalText, SegmentKind
from tasks.sources.sniff import media_of
from tasks.sources.texts import read_file

TEXT_MEDIA: Final = frozenset(media for media, form in FORMATS.items() if form.text)
_LOOSE: Final = frozenset({"txt", "md", "html"})  # suffixes under which any text may stand
_OWN: Final = {s: media for media, form in FORMATS.items() if media not in _LOOSE for s in form.suffixes}
PROSE: Final = frozenset({".docx", ".pdf", ".pptx"})
"""What is no text and is built from prose: of prose nobody can make the workbook that was asked for."""
_MOST_FILES: Final = 500  # as the mirror of a program's files takes
_MOST_BYTES: Final = 50_000_000  # of one file and of all: no deliverable is larger
_HEADING: Final = re.compile(r"^(?:#{1,6}\s.*|[-=_*|: ]{3,})$")
_WORD: Final = re.compile(r"\w[\w'’.,-]*")


@dataclass(frozen=True)
class LeftFile:
    """A file that the solver left.

    Attributes:
        path: Where it lies.
        name: Its path below the folder that was looked through, with slashes.
        data: Its bytes.
        media: What it is by its content.
        text: What it says; empty where no reader understands it.
        words: Words of its text outside headings and placeholders.
    """

    path: Path
    name: str
    data: bytes
    media: str
    text: str
    words: int

    @property
    def words_as_written(self) -> str:
        """Its text with the marks of Markdown, where it is plain text."""
        return self.data.decode("utf-8", "replace") if self.media in {"txt", "md"} else self.text

    def fits(self, name: str) -> bool:
        """Return whether the format of the file is the one that its name promises."""
        return is_format(self.media, name)


def is_format(media: str, name: str) -> bool:
    """Tell whether content of some media may stand under a file name."""
    wanted = _OWN.get(PurePosixPath(name).suffix.lower())
    return media == wanted if wanted else media in TEXT_MEDIA


def found_in(folder: Path, setting: DeliverableSetting) -> list[LeftFile]:
    """Return the files below a folder, ordered by name; links, devices and hidden files are passed over."""
    return [found for path in sorted(_plain_files(folder)) if (found := found_at(path, folder, setting))]


def found_at(path: Path, folder: Path, setting: DeliverableSetting) -> LeftFile | None:
    """Return a file of a folder; None where there is none, or none that may be looked at."""
    if not _is_plain(path) or not path.resolve().is_relative_to(folder.resolve()):
        return None
    data = path.read_bytes()
    read = read_file(path, path.name) if data.strip() else None
    text = read.text if read else ""
    media = media_of(data, path.name) if data.strip() else ""
    return LeftFile(path, path.relative_to(folder).as_posix(), data, media, text, body_words(read, setting))


def target_of(output: Path, name: str) -> Path | None:
    """Return where a deliverable belongs; None for a name that leads out of the folder."""
    path = output / name
    # The folder alone is looked up: a link in the place of the file is replaced.
    return path if path.name not in {"", ".."} and path.parent.resolve().is_relative_to(output.resolve()) else None


def body_words(text: CanonicalText | None, setting: DeliverableSetting) -> int:
    """Count the words of a text that are neither heading nor placeholder."""
    if text is None:
        return 0
    headed = {text.line_of(s.start) for s in text.segments if s.kind is SegmentKind.HEADING}
    placeholders = setting.pattern()
    counted = 0
    for number, line in enumerate(text.text.split("\n"), start=1):
        if number not in headed and not _HEADING.match(line.strip()):
            counted += len(_WORD.findall(placeholders.sub(" ", line)))
    return counted


def _plain_files(folder: Path) -> Iterator[Path]:
    if folder.is_symlink():
        return
    seen = held = 0
    for place, folders, names in os.walk(folder, followlinks=False):
        folders[:] = [f for f in folders if not f.startswith(".")]
        for name in names:
            path = Path(place, name)
            if not name.startswith(".") and seen < _MOST_FILES and held < _MOST_BYTES and _is_plain(path):
                seen, held = seen + 1, held + path.lstat().st_size
                yield path


def _is_plain(path: Path) -> bool:
    """Tell whether a path is a file of its own: a second name of a file elsewhere may show what nobody may see."""
    try:
        about = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(about.st_mode) and about.st_nlink == 1 and about.st_size <= _MOST_BYTES
