"""What a tool may read: the current matter, and files inside the roots it was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from pathlib import Path, PurePosixPath

from tasks.harness import Harness, packaged
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.leakscan import RubricScan
from tasks.matter.private import is_judging_file, why_private
from tasks.matter.records import Matter
from tasks.retrieval.records import KnowledgePack, Searcher
from tasks.sources.records import CanonicalText, MatterState

MAX_FILE_BYTES = 200_000_000  # bounds the memory of one call; the readers have limits of their own
_SEEN = 50  # files of a folder looked through for names like a wrong one: each is asked whether it may be shown
_NAMED = 5  # of them, as many as a reader takes in


@dataclass(frozen=True)
class Desk:
    """The workspace and permissions of a caller of tools.

    Attributes:
        roots: Folders that path arguments must lie in; empty at the command line, where the user's rights decide.
        workspace: Folder whose ``output/`` takes deliverables; None lets ``build_deliverable`` write anywhere the
            roots allow, but over nothing that is there already except in a folder ``output``.
        cache: Cache of canonical texts; None reads without one.
        private: Folders and files of Solon's own that the settings name. What Solon wrote is known by its marks too;
            none of it is read or written through a path, whatever the roots.
        written: Places that tools were given to write to; what stands there is a draft, not a document of the room.
    """

    matter: Matter | None = None
    state: MatterState | None = None
    texts: Mapping[str, CanonicalText] = field(default_factory=dict)
    index: Searcher | None = None
    pack: KnowledgePack | None = None
    harness: Harness | None = None
    roots: tuple[Path, ...] = ()
    workspace: Path | None = None
    cache: Path | None = None
    private: tuple[Path, ...] = ()
    written: set[Path] = field(default_factory=set, compare=False)

    @property
    def knows(self) -> Harness:
        """Return the harness under test; the packaged one for a caller outside a run."""
        return self.harness or packaged()

    def text(self, path: str) -> CanonicalText:
        """Return the canonical text of a document of the matter by name, or of a file by path.

        Raises:
            SolonError: No such document, a path outside the roots, or a file that could not be read at all.
        """
        if path in self.texts:
            return self.texts[path]
        file = self.file(path)
        for root in self.roots:
            if file.is_relative_to(root.resolve()):
                name = file.relative_to(root.resolve()).as_posix()
                if name in self.texts:
                    return self.texts[name]
        from tasks.sources.texts import read_file

        text = read_file(file, file.name)
        if not text.text and text.problems:
            raise SolonError(text.problems[0].model_copy(update={"subject": file.name}))
        return text

    def file(self, path: str) -> Path:
        """Return an existing regular file inside the roots."""
        file = self._inside(path)
        if not file.is_file():
            known = ", ".join(self._like(path))
            raise refused(path, "is no file here", f"documents: {known}" if known else "check the path")
        if file.stat().st_size > MAX_FILE_BYTES:
            raise SolonError(
                Failure(
                    cause=FailureCause.CAPACITY,
                    stage="toolbox",
                    subject=path,
                    message=f"is larger than {MAX_FILE_BYTES // 1_000_000} MB",
                    remedy="split it",
                )
            )
        return file

    def _like(self, path: str) -> list[str]:
        """Return the names of a few documents, those like a name first; of the roots where no matter is open."""
        files = ((root, file) for root in self.roots for file in root.rglob("*") if file.is_file())
        seen = (f.relative_to(r).as_posix() for r, f in islice(files, _SEEN) if not self.why_private(f))
        names = list(self.texts) or sorted(seen)
        return list(dict.fromkeys([*get_close_matches(path, names, n=_NAMED), *names]))[:_NAMED]

    def folder(self, path: str) -> Path:
        """Return an existing folder inside the roots."""
        folder = self._inside(path)
        if not folder.is_dir():
            raise refused(path, "is no folder here", "check the path")
        return folder

    def target(self, path: str) -> Path:
        """Return a place to write a deliverable: ``output/`` of the workspace where there is one."""
        if not path.isprintable():  # a reader could not see what it is called, and it would be taken away at the end
            raise refused(repr(path), "holds characters that cannot be seen", "use letters, digits, spaces and . _ -")
        file = self._target(path)
        self.written.add(file)
        return file

    def _target(self, path: str) -> Path:
        if self.workspace is None:
            file = self._inside(path)
            if self.roots and file.exists() and file.parent.name != "output":
                raise refused(path, "already exists and lies outside an output folder", f"write output/{file.name}")
            return file
        output = (self.workspace / "output").resolve()
        pure = PurePosixPath(path if path.startswith("/") else path.replace("\\", "/"))
        relative = pure.relative_to("output") if pure.parts[:1] == ("output",) else pure
        file = (output / relative).resolve() if not pure.is_absolute() else Path(pure).resolve()
        if not file.is_relative_to(output) or file == output:
            raise refused(path, "lies outside the output folder", "give a bare file name")
        return file

    def why_private(self, path: Path) -> str:
        """Return why a path is kept from tools; empty when it is not."""
        own = (*self.roots, self.workspace) if self.workspace else self.roots
        return why_private(path, own, self.private) or _why_rubric(path)

    def _inside(self, path: str) -> Path:
        """Return where a path leads: inside the roots, and to nothing that Solon keeps to itself."""
        found = self._allowed(path)
        spelled = Path(path) if is_judging_file(path) and found.name != PurePosixPath(path).name else found
        why = self.why_private(spelled)
        if why:
            raise SolonError(
                Failure(
                    cause=FailureCause.POLICY,
                    stage="toolbox",
                    subject=path[:300],
                    message=f"is not served to tools: it {why}",
                    remedy="copy a work product out of it, or rename a document that merely has such a name",
                )
            )
        return found

    def _allowed(self, path: str) -> Path:
        if not path or "\x00" in path:
            raise refused(repr(path), "is no path", "name a document")
        bases = self.roots or (Path.cwd(),)
        candidates = [(base / Path(path).expanduser() if not self.roots else base / path).resolve() for base in bases]
        if not self.roots:
            return candidates[0]
        allowed = [c for c in candidates if any(c.is_relative_to(r.resolve()) for r in self.roots)]
        if not allowed:
            raise refused(path, "lies outside the folders this tool may see", "name a document of the matter")
        return next((c for c in allowed if c.exists()), allowed[0])


def _why_rubric(path: Path) -> str:
    """Say where a file holds a task's criteria, whatever it is called: a copy or another link of a task file."""
    try:
        return "holds the criteria of a task" if path.is_file() and RubricScan(()).leaks(path) else ""
    except OSError:
        return ""  # said by whoever opens it


def refused(path: str, message: str, remedy: str) -> SolonError:
    """Return the error of a path that is not served."""
    cause = FailureCause.POLICY if "outside" in message else FailureCause.INPUT
    return SolonError(Failure(cause=cause, stage="toolbox", subject=path[:300], message=message, remedy=remedy))
