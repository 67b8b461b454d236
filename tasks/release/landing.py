"""Deliverables under their exact names: inside the output folder, and reopened as the judge will read them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter
from tasks.sources.records import CanonicalText
from tasks.sources.texts import read_file

_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))]
)
_LONGEST = 255  # bytes of a file name that common file systems take


def target_path(output: Path, filename: str) -> Path:
    """Return where a deliverable lies below ``output``.

    Raises:
        SolonError: The name leaves the folder, is absolute, empty, reserved, or cannot be written as given.
    """
    parts = PurePosixPath(filename).parts
    bad = (
        not parts
        or "\\" in filename
        or any(p in ("..", ".", "/") or p.split(".")[0].lower() in _DEVICES for p in parts)
        or PurePosixPath(filename).is_absolute()
        or PureWindowsPath(filename).drive != ""
        or any(ord(c) < ord(" ") or c == "\x7f" for c in filename)
        or len(filename.encode("utf-8", "surrogatepass")) > _LONGEST
    )
    path = output.joinpath(*parts) if not bad else output
    if bad or not path.resolve().is_relative_to(output.resolve()):
        raise SolonError(
            Failure(
                cause=FailureCause.POLICY,
                stage="release",
                subject=filename[:120],
                message="The name of this deliverable points outside the output folder or cannot be written.",
                remedy="Ask for a plain file name, such as memo.docx.",
            )
        )
    return path


def reopen(output: Path, filename: str) -> CanonicalText | Failure:
    """Read a landed deliverable as the judge will; a failure says why it cannot be judged."""
    try:
        path = target_path(output, filename)
    except SolonError as error:
        return error.failure
    if path.is_symlink() or not path.is_file():
        return Failure(
            cause=FailureCause.INPUT,
            stage="release",
            subject=filename,
            message="The deliverable is not in the output folder.",
            remedy="Write it under exactly this name.",
        )
    text = read_file(path, filename)
    if text.text.strip():
        return text
    if text.problems:
        return text.problems[0]
    return Failure(
        cause=FailureCause.INPUT,
        stage="release",
        subject=filename,
        message="The deliverable has no text.",
        remedy="Write its content.",
    )


def expected(matter: Matter, output: Path) -> Sequence[str]:
    """Return the file names that must be there: those asked for, else every file of the output folder."""
    if matter.deliverables:
        return [d.filename for d in matter.deliverables]
    if not output.is_dir():
        return []
    files = (p for p in sorted(output.rglob("*")) if p.is_file() and not p.is_symlink())
    return [p.relative_to(output).as_posix() for p in files if not p.name.startswith(".")]
