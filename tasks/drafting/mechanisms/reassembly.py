"""Reassembles a deliverable whose chunks were written one over the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar, Final

from skills_repo.mechanism_settings import DeliverableSetting, ReassemblySetting
from tasks.drafting.mechanisms.history import Rewrite, writes_of
from tasks.drafting.mechanisms.landing import Build, stem_of, write_whole
from tasks.drafting.mechanisms.outputs import LeftFile, found_in, target_of
from tasks.drafting.mechanisms.records import Firing, Moment, View

_TITLE: Final = re.compile(r"#\s+\S")
_SETEXT: Final = re.compile(r"[^\n]*\w[^\n]*\n=+\s*(?:\n|\Z)")
_PART: Final = re.compile(
    r"(?:article|section|schedule|exhibit|annex|appendix|part|chapter|clause)\b|[§\d(]|[ivxlc]+[.)]\s", re.IGNORECASE
)
_WORD: Final = re.compile(r"\w+")
_FURNITURE: Final = 6  # words that a format adds of its own: the number of a page
_CHANGED: Final = 0.05  # of the words, which reading a file again may lose or add; more is an edit; chosen by eye


@dataclass(frozen=True)
class Reassembly:
    """Takes the last chunk with a title as the head and adds the chunks that follow it.

    It acts only where the file is the last of several chunks, has no head itself, and the whole is a good deal longer.
    """

    name: ClassVar[str] = "reassembly"
    moment: ClassVar[Moment] = Moment.END
    setting: ReassemblySetting
    deliverable: DeliverableSetting
    build: Build | None = None

    def landed(self, view: View) -> Sequence[Firing]:
        """Put the clobbered deliverables together; return what was done."""
        firings = []
        writes = writes_of(view.steps)
        for found in found_in(view.output, self.deliverable):
            if view.wanted and found.name not in view.wanted:
                continue
            chunks = chunks_of(writes, found.name)
            whole = self._whole(chunks, found)
            data = self._bytes(whole, found.name) if whole else None
            target = target_of(view.output, found.name)
            if data is not None and target:
                write_whole(target, data)
                firings.append(self._firing(found, len(chunks), len(whole), view.turn))
        return firings

    def _whole(self, chunks: Sequence[Rewrite], found: LeftFile) -> str:
        """Return the text put together; empty where the file is no headless fragment or little would be gained."""
        if len(chunks) < 2 or is_headed(chunks[-1].content) or not _is_same(chunks[-1].content, found.text):
            return ""
        whole = reassembled(chunks)
        return whole if len(whole) >= self.setting.longer * len(found.text.strip()) else ""

    def _bytes(self, whole: str, name: str) -> bytes | None:
        if PurePosixPath(name).suffix.lower() in {".md", ".txt", ".markdown"}:
            return whole.encode()
        return self.build(whole, name) if self.build else None

    def _firing(self, found: LeftFile, chunks: int, characters: int, turn: int) -> Firing:
        note = (
            f"{found.name} held the last of {chunks} chunks ({len(found.text)} characters, no title); "
            f"put together from the head on: {characters} characters"
        )
        return Firing(mechanism=self.name, moment=self.moment, turn=turn, note=note, files=(found.name,))


def chunks_of(writes: Sequence[Rewrite], name: str) -> list[Rewrite]:
    """Return what was written over a deliverable, under its name or that of its draft, in order."""
    return [w for w in writes if stem_of(w.path) == stem_of(name)]


def is_headed(text: str) -> bool:
    """Tell whether a text begins as a document does: with a title, not with a part of it or in a sentence."""
    body = text.lstrip()
    if _TITLE.match(body) or _SETEXT.match(body):
        return True
    first = body.split("\n", 1)[0].strip(" *_")
    return first.isupper() and len(first.split()) > 1 and not _PART.match(first)


def reassembled(chunks: Sequence[Rewrite]) -> str:
    """Return the last headed chunk with those behind it; empty where no chunk is headed.

    Of two chunks that begin with the same line the later one counts: the part was written again.
    """
    heads = [at for at, chunk in enumerate(chunks) if is_headed(chunk.content)]
    if not heads:
        return ""
    parts: dict[str, str] = {}
    for chunk in chunks[heads[-1] :]:
        first = " ".join(chunk.content.split("\n", 1)[0].lower().split()) or chunk.content[:80]
        parts[first] = chunk.content.strip()
    return "\n\n".join(parts.values()) + "\n"


def _is_same(written: str, text: str) -> bool:
    """Tell whether a file still says what was written last: an edit since then means that somebody looked at it."""
    one, other = set(_WORD.findall(written.lower())), set(_WORD.findall(text.lower()))
    lost, added = len(one - other), len(other - one)
    return bool(one) and lost <= _CHANGED * len(one) and added <= max(_FURNITURE, _CHANGED * len(other))
