"""Puts the deliverable where it is expected: the exact name, at the top of the output, in the right format."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import ClassVar, Final

from skills_repo.mechanism_settings import DeliverableSetting, LandingSetting
from tasks.drafting.mechanisms.outputs import PROSE, LeftFile, found_in, target_of
from tasks.drafting.mechanisms.records import Firing, Moment, View

Build = Callable[[str, str], bytes]
"""Markdown and a file name in, the bytes of that file out."""

_SUFFIX: Final = re.compile(r"(?:\.(?:docx?|xlsx?|pptx?|pdf|md|markdown|txt|csv|json|html?|eml))+$", re.IGNORECASE)


@dataclass(frozen=True)
class DeliverableLanding:
    """Finds the work under another name, folder or suffix, or in the scratch folder, and lands it.

    A deliverable that is there, in its format and no stub, is never touched.
    """

    name: ClassVar[str] = "landing"
    moment: ClassVar[Moment] = Moment.END
    setting: LandingSetting
    deliverable: DeliverableSetting
    build: Build | None = None

    def landed(self, view: View) -> Sequence[Firing]:
        """Put the deliverables in their places; return what was done."""
        if not view.wanted:
            return list(self._raised(view))
        made = found_in(view.output, self.deliverable)
        scratch = found_in(view.scratch, self.deliverable)
        missing = [n for n in view.wanted if not self._is_good(next((f for f in made if f.name == n), None), n)]
        firings = []
        for name in missing:
            best = self._best(name, view, made, scratch, alone=len(missing) == 1)
            if best and (target := target_of(view.output, name)):
                firings.append(self._land(best, target, name, view))
                made = [f for f in made if f.path != best.path]
        return firings

    def _is_good(self, found: LeftFile | None, name: str) -> bool:
        return found is not None and found.fits(name) and found.words >= self.deliverable.stub_words

    def _best(
        self, name: str, view: View, made: Sequence[LeftFile], scratch: Sequence[LeftFile], alone: bool
    ) -> LeftFile | None:
        """Return the file that is the deliverable beyond doubt: the nearest name first, the fullest of these."""
        at_hand = next((f for f in made if f.name == name), None)
        least = max(self.deliverable.stub_words, at_hand.words + 1 if at_hand and at_hand.fits(name) else 0)
        others = set(view.wanted) - {name}
        ranked = []
        for found in (*made, *scratch):
            rank = _rank(found, name, in_output=found.path.is_relative_to(view.output))
            if rank is not None and found.name not in others and found.words >= least and self._can_be(found, name):
                ranked.append((rank, -found.words, found.name, found))
        if ranked:
            return min(ranked, key=lambda r: r[:3])[3]
        if not (alone and self.setting.strays):
            return None
        strays = [f for f in made if f.fits(name) and _suffix(f.name) == _suffix(name) and not _is_known(f, view)]
        return strays[0] if len(strays) == 1 and strays[0].words >= least else None

    def _can_be(self, found: LeftFile, name: str) -> bool:
        buildable = self.build is not None and _suffix(name) in PROSE and found.media in {"txt", "md", "html"}
        return found.fits(name) or buildable

    def _land(self, found: LeftFile, target: Path, name: str, view: View) -> Firing:
        """Write the file under its name, whole; a file of the output is moved, one of the scratch folder copied."""
        rebuilt = not found.fits(name)
        data = self.build(found.words_as_written, name) if rebuilt and self.build else found.data
        write_whole(target, data)
        inside = found.path.is_relative_to(view.output)
        if inside and found.path != target:
            found.path.unlink()
        came = "from the text under its name" if found.path == target else f"from {found.name}"
        where = "" if inside else " of the scratch folder"
        how = ", built anew in its format" if rebuilt else ""
        note = f"{name} was missing, a stub or in another format; landed {came}{where} ({found.words} words){how}"
        return Firing(mechanism=self.name, moment=self.moment, turn=view.turn, note=note[:500], files=(name,))

    def _raised(self, view: View) -> Iterator[Firing]:
        """If any file counts and none lies at the top of the output, move up those below it."""
        made = found_in(view.output, self.deliverable)
        if any("/" not in f.name for f in made):
            return
        for found in made:
            target = view.output / PurePosixPath(found.name).name
            if found.words >= self.deliverable.stub_words and not target.exists():
                found.path.replace(target)
                note = f"{found.name} lay below the top of the output; raised"
                yield Firing(mechanism=self.name, moment=self.moment, turn=view.turn, note=note, files=(target.name,))


def write_whole(target: Path, data: bytes) -> None:
    """Write a file whole or not at all; a link in its place is replaced, not followed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        part.write_bytes(data)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _is_known(found: LeftFile, view: View) -> bool:
    """Tell whether a file is another deliverable, or a document of the data room that was copied."""
    flat = " ".join(found.text.split())
    documents = {PurePosixPath(name).name for name in view.documents}
    copied = PurePosixPath(found.name).name in documents
    return found.name in view.wanted or copied or any(" ".join(t.split()) == flat for t in view.documents.values())


def stem_of(name: str) -> str:
    """Return what is left of a file name without case, folder, marks and suffixes: ``Drafts/My Memo.docx.md``."""
    return re.sub(r"[^a-z0-9]", "", _SUFFIX.sub("", PurePosixPath(name).name).lower())


def _rank(found: LeftFile, name: str, in_output: bool) -> int | None:
    """Return how near a file is to a deliverable by its name; None where it is another file."""
    own, wanted = PurePosixPath(found.name).name, PurePosixPath(name).name
    if own.lower() == wanted.lower():
        return 0 if in_output else 1
    if stem_of(own) == stem_of(wanted) and stem_of(own):
        same = _suffix(own) == _suffix(wanted)
        return (2 if in_output else 3) + (0 if same else 2)
    return None


def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()
