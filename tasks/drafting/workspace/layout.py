"""What a sandbox shows of this machine, the same for every kind of sandbox."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tasks.drafting.workspace.records import ROOM, Bounds, Command, Room
from tasks.matter.failures import Failure, FailureCause, SolonError

USER = 1000  # inside, whoever runs Solon
MEMORY_BYTES = 64 * 1024**2  # of each folder in memory
MEMORY = ("/tmp", "/dev/shm")  # noqa: S108 - of the sandbox, made for it alone
_TOOLS = "/run/solon"
_FORWARDS = "/run/forwards"
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = ("/etc/ld.so.cache", "/etc/alternatives")  # where programs of the system find each other
_NOT_SHOWN = (f"{ROOM}/output", f"{ROOM}/scratch", "/proc", "/dev")  # a command may have planted a link there
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Layout:
    """The folders and files inside: by their path there, from where they come.

    Attributes:
        places: Path inside, path on this machine, and whether it can be written; a folder stands before what is in it.
        links: Symbolic links, by their path and target.
    """

    places: tuple[tuple[str, Path, bool], ...]
    links: tuple[tuple[str, str], ...]


def lay_out(command: Command, room: Room) -> Layout:
    """Return what a command sees.

    Raises:
        SolonError: Something shown holds the room itself, and with it what lies beside the room, or is to stand where
            a command could have planted a link (``policy``).
    """
    shown: dict[str, Path] = {"/usr": Path("/usr")}
    shown |= {name: Path(name) for name in _SYSTEM if Path(name).is_dir() and not Path(name).is_symlink()}
    shown |= {name: Path(name) for name in _ETC if Path(name).exists()}
    shown |= {f"/etc/{file.name}": file for file in sorted((_HERE / "etc").iterdir())}
    shown |= {str(path): path for path in _interpreter()}
    shown[f"{_TOOLS}/confine"] = _HERE / "confine"
    shown |= {str(file): Path(os.devnull) for file in Path("/proc").iterdir() if _roots_own(file)}
    shown |= {f"{_FORWARDS}/{port}": socket for port, socket in command.forwards.items()}
    shown |= {name: Path(source) for name, source in command.shown.items()}
    _refuse(command.shown, shown.values(), room)
    shown |= {f"{ROOM}/documents": room.documents, f"{ROOM}/text": room.text}
    written = {f"{ROOM}/output": room.output, f"{ROOM}/scratch": room.scratch}
    links = {name: str(Path(name).readlink()) for name in _SYSTEM if Path(name).is_symlink()}
    places = [(inside, source.resolve(), inside in written) for inside, source in (shown | written).items()]
    return Layout(tuple(sorted(places)), tuple(links.items()))


def first_words(told: int, status: int) -> Sequence[str]:
    """Return the words that start the first process inside, with the descriptors it is handed."""
    code = f"import sys; sys.path.insert(0, {_TOOLS!r}); from confine.first import main; main({told}, {status})"
    return (str(_python()), "-I", "-S", "-B", "-c", code)


def specification(command: Command, bounds: Bounds) -> bytes:
    """Return the specification for the first process inside the sandbox."""
    return json.dumps(
        {
            "words": list(command.words),
            "environment": {
                "PATH": "/usr/local/bin:/usr/bin:/bin",
                "HOME": f"{ROOM}/scratch",
                "LANG": "C.UTF-8",
                "TMPDIR": "/tmp",  # noqa: S108
                **command.environment,
            },
            "folder": command.folder,
            "forwards": {port: f"{_FORWARDS}/{port}" for port in command.forwards},
            "limits": bounds.model_dump(),
            "writable": [f"{ROOM}/output", f"{ROOM}/scratch"],
            "memory": list(MEMORY),
        }
    ).encode()


def _python() -> Path:
    return Path(sys.executable).resolve()


def _interpreter() -> Sequence[Path]:
    """Return what of the interpreter lies outside the system's folders."""
    places = (_python(), Path(sys.base_prefix).resolve() / "lib")
    return [place for place in places if not place.is_relative_to("/usr")]


def _roots_own(file: Path) -> bool:
    """Whether a file of /proc is for root alone: to the kernel, a sandbox that root starts is root."""
    return not file.name.isdigit() and stat.S_ISREG(mode := file.lstat().st_mode) and not mode & stat.S_IROTH


def _refuse(asked: Mapping[str, Path], sources: Iterable[Path], room: Room) -> None:
    home = room.output.resolve().parent
    for source in sources:
        if home.is_relative_to(Path(source).resolve()):
            why = "holds the workspace, and would be shown to the commands of its solver"
            raise _refusal(str(source), why, "Set SOLON_HOME to a folder outside of it.")
    for inside in asked:
        place = PurePosixPath(inside)
        if not place.is_absolute() or ".." in place.parts or any(place.is_relative_to(own) for own in _NOT_SHOWN):
            raise _refusal(
                inside, "is no place to show anything at", f"Show it below {ROOM} or in a folder of its own."
            )


def _refusal(subject: str, why: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.POLICY, stage="workspace", subject=subject, message=why, remedy=remedy)
    )
