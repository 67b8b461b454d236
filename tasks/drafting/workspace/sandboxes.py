"""Which sandboxes there are on this machine, each tried before it is trusted."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from tasks.drafting.workspace.bubblewrap import bubblewrap_launch, find_bubblewrap
from tasks.drafting.workspace.namespaces import namespaces_launch
from tasks.drafting.workspace.records import Bounds, Command, Process, Ran, Room, Sandbox
from tasks.drafting.workspace.running import Launch, RunningCommand, sandbox_failure
from tasks.drafting.workspace.sinks import Filed, Kept, Sink
from tasks.drafting.workspace.trees import DEEPEST, LONGEST, trim
from tasks.matter.failures import SolonError

ANY = "any"
REMEDY = "Install bubblewrap (Debian: apt-get install bubblewrap), or allow user namespaces; see deploy/README.md."


@dataclass
class Launched:
    """A sandbox that starts commands in one way. Implements ``Sandbox``."""

    name: str
    launch: Callable[[Command, Room, Bounds], Launch]

    def run(self, command: Command, room: Room, bounds: Bounds) -> Ran:
        """Run a command to its end; raises SolonError where the sandbox itself fails."""
        out, err = Kept(bounds.output_bytes), Kept(bounds.output_bytes)
        return self._running(command, room, bounds, out, err).ran()

    def start(self, command: Command, room: Room, bounds: Bounds, stdout: Path, stderr: Path) -> Process:
        """Start a command whose streams go to files; raises as ``run``."""
        most = bounds.file_mb * 1024**2
        return self._running(command, room, bounds, Filed(stdout, most), Filed(stderr, most))

    def _running(self, command: Command, room: Room, bounds: Bounds, out: Sink, err: Sink) -> RunningCommand:
        def tidy() -> str:
            deep = [trim(folder) for folder in (room.output, room.scratch)]
            return f"Folders more than {DEEPEST} deep or {LONGEST} bytes long were removed." if any(deep) else ""

        return RunningCommand(self.launch(command, room, bounds), bounds, command.stdin, out, err, tidy)


@dataclass(frozen=True)
class SandboxStanding:
    """What a try of a sandbox gave: why it is not to be had, or nothing."""

    name: str
    fault: str


def find_sandbox(wanted: str = "") -> Sandbox:
    """Return the sandbox that is wanted, or the first that works here where any will do (empty or ``any``).

    Every sandbox named here also filters system calls (seccomp), and has Landlock as a second layer where the kernel
    has it.

    Raises:
        SolonError: There is none, or the one that is wanted does not work here (``sandbox``).
    """
    kinds = _kinds()
    if wanted and wanted != ANY and wanted not in kinds:
        raise sandbox_failure(wanted, "is none of this version", f"Use one of {', '.join([*kinds, ANY])}.")
    names = list(kinds) if wanted in {"", ANY} else [wanted]
    faults = []
    for name in names:
        if not (fault := _tried(name)):
            return kinds[name]
        faults.append(f"{name}: {fault}")
    raise sandbox_failure(wanted or ANY, f"is not to be had here ({'; '.join(faults)})", REMEDY)


def standings() -> tuple[SandboxStanding, ...]:
    """Return how each kind of sandbox stands on this machine, the one that is used first when any will do first."""
    return tuple(SandboxStanding(name, _tried(name)) for name in _kinds())


def _kinds() -> Mapping[str, Launched]:
    return {
        "bubblewrap": Launched("bubblewrap", partial(bubblewrap_launch, find_bubblewrap())),
        "namespaces": Launched("namespaces", namespaces_launch),
    }


@lru_cache(maxsize=8)
def _tried(name: str) -> str:
    """Run a command that looks whether it is confined; return why it is not, or could not be run."""
    if name == "bubblewrap" and not find_bubblewrap():
        return "the program bwrap is not installed"
    with tempfile.TemporaryDirectory() as folder:
        room = Room(*(Path(folder) / name for name in ("documents", "text", "output", "scratch")))
        for place in (room.documents, room.text, room.output, room.scratch):
            place.mkdir()
        try:
            ran = _kinds()[name].run(Command(("/bin/sh", "-c", _LOOK)), room, Bounds(seconds=20))
        except SolonError as error:
            return error.failure.message
    return "" if ran.exit_code == 0 else f"it does not confine ({(ran.stderr or ran.note).strip()[:200]})"


_LOOK = """
cd /matter/scratch && : > written || { echo "scratch cannot be written" >&2; exit 1; }
if (: > /matter/documents/written) 2>/dev/null; then echo "documents can be written" >&2; exit 1; fi
[ "$(wc -l < /proc/net/route)" -le 1 ] || { echo "it has a network" >&2; exit 1; }
[ "$HOME" = /matter/scratch ] || { echo "its home is not the room" >&2; exit 1; }
"""
