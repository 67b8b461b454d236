"""The sandbox ``bubblewrap``: the program of that name, which sets the kernel's namespaces up."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from tasks.drafting.workspace.layout import MEMORY, MEMORY_BYTES, USER, Layout, first_words, lay_out, specification
from tasks.drafting.workspace.records import Bounds, Command, Room
from tasks.drafting.workspace.running import Launch

_ALONE = (
    *("--unshare-user", "--disable-userns", "--assert-userns-disabled", "--cap-drop", "ALL"),
    *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try"),
    *("--hostname", "solon", "--clearenv", "--new-session", "--die-with-parent", "--as-pid-1"),
)


def bubblewrap_launch(program: str, command: Command, room: Room, bounds: Bounds) -> Launch:
    """Return how a command is started; raises as ``lay_out``."""
    layout = lay_out(command, room)

    def words(told: int, status: int, info: int) -> Sequence[str]:
        return [program, *_flags(layout), "--info-fd", str(info), "--", *first_words(told, status)]

    return Launch(words, specification(command, bounds), "bubblewrap")


def find_bubblewrap() -> str:
    """Return the program: of the system, or of the Python package that brings it; empty where there is none."""
    beside = Path(sys.executable).parent / "bwrap"
    return shutil.which("bwrap") or (str(beside) if beside.is_file() else "")


def _flags(layout: Layout) -> Sequence[str]:
    flags = [*_ALONE, "--uid", str(USER), "--gid", str(USER), "--proc", "/proc", "--dev", "/dev"]
    for folder in MEMORY:
        flags += ["--perms", "1777", "--size", str(MEMORY_BYTES), "--tmpfs", folder]
    for inside, target in layout.links:
        flags += ["--symlink", target, inside]
    for inside, source, writable in layout.places:
        flags += ["--bind" if writable else "--ro-bind", str(source), inside]
    # /proc too: to the kernel the user of a sandbox that root starts is root, and owns what lies below /proc/sys
    return [*flags, *(word for place in ("/proc", "/dev", "/") for word in ("--remount-ro", place)), "--chdir", "/"]
