# ruff: noqa: PTH102, PTH103, PTH211 - pathlib is slow to import, and this starts every command
"""A sandbox made by the kernel's own means: namespaces of its own, and a root that holds nothing but what is shown.

Runs outside, in a process of its own, and becomes the first process inside. It needs no rights beyond a user's.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import struct
from collections.abc import Mapping
from typing import Any, NoReturn

from . import first, kernel

# CLONE_NEW*: users, mounts, processes, network, messages, host name, control groups.
_NAMESPACES = 0x10000000 | 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000 | 0x02000000
_NOSUID, _NODEV, _NOEXEC, _BIND, _ALL_BELOW, _PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
_DETACH = 2  # MNT_DETACH
_READ_ONLY, _NO_SETUID, _NO_DEVICES = 1, 2, 4  # MOUNT_ATTR_*
_SET_ATTRIBUTES, _RECURSIVE, _HERE = 442, 0x8000, -100  # mount_setattr, AT_RECURSIVE, AT_FDCWD
_PIVOT = {"x86_64": 155, "aarch64": 41}
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_LINKS = {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2", "ptmx": "pts/ptmx"}
_NEW, _OLD = "/new", "/old"


def main(specification: int, status: int, info: int) -> NoReturn:
    """Build the sandbox and run the command in it; the arguments are descriptors, as of ``first.main``."""
    with os.fdopen(specification, "rb") as stream:
        spec = json.loads(stream.read())
    try:
        kernel.end_with_parent()
        _part(spec["user"])
        alive, parent = os.pipe()
        child = os.fork()
    except OSError as error:
        _fail(status, error)
    if child:
        os.write(info, json.dumps({"child-pid": child}).encode())
        os.closerange(3, parent)
        os.closerange(parent + 1, 65536)
        os.write(parent, b"1")
        os.waitpid(child, 0)
        os._exit(0)
    try:
        kernel.end_with_parent()
        os.close(parent)
        if not os.read(alive, 1):  # the parent ended before the kernel was asked
            os._exit(1)
        os.close(info)
        _build(spec["layout"], spec["memory"], spec["limits"])
        _drop_capabilities()
    except OSError as error:
        _fail(status, error)
    first.run(spec, status)


def _part(user: int) -> None:
    """Leave the namespaces of the machine; inside, this user alone exists."""
    if os.geteuid() == 0:
        os.setgroups([])
    owner, group = os.geteuid(), os.getegid()
    kernel.call("unshare", _NAMESPACES)
    for name, said in (("setgroups", "deny"), ("uid_map", f"{user} {owner} 1"), ("gid_map", f"{user} {group} 1")):
        _write(f"/proc/self/{name}", said)


def _build(layout: Mapping[str, Any], memory: list[str], limits: Mapping[str, int]) -> None:
    """Make the root that the command sees, and leave that of the machine."""
    socket.sethostname("solon")
    _loopback_up()
    _mount("none", "/", "", _ALL_BELOW | _PRIVATE)
    _mount("tmpfs", "/tmp", "tmpfs", _NOSUID | _NODEV, "mode=0755")  # noqa: S108 - any folder would do
    os.mkdir("/tmp" + _NEW)  # noqa: S108
    os.mkdir("/tmp" + _OLD)  # noqa: S108
    _pivot("/tmp", "/tmp" + _OLD)  # noqa: S108
    os.chdir("/")
    _mount("tmpfs", _NEW, "tmpfs", _NOSUID | _NODEV, "mode=0755,size=4m")
    _devices()
    size = f"mode=1777,size={layout['memory_bytes']},nr_inodes={limits['files']}"
    for folder in memory:
        os.makedirs(_NEW + folder, exist_ok=True)
        _mount("tmpfs", _NEW + folder, "tmpfs", _NOSUID | _NODEV, size)
    for inside, target in layout["links"]:
        os.symlink(target, _NEW + inside)
    _processes()
    for inside, source, writable in layout["places"]:
        _show(_OLD + source, _NEW + inside, 0 if writable else _READ_ONLY)
    _restrict(_NEW + "/proc", _READ_ONLY)  # root's sandboxes could write below /proc/sys
    os.chdir(_NEW)
    _pivot(".", ".")
    kernel.call("umount2", b".", _DETACH)
    os.chdir("/")
    _restrict("/dev", _READ_ONLY, recursive=False)
    _restrict("/", _READ_ONLY, recursive=False)


def _devices() -> None:
    os.mkdir(_NEW + "/dev")
    _mount("tmpfs", _NEW + "/dev", "tmpfs", _NOSUID, "mode=0755,size=64k")
    for name in _DEVICES:
        os.close(os.open(f"{_NEW}/dev/{name}", os.O_CREAT | os.O_WRONLY, 0o644))
        _mount(f"{_OLD}/dev/{name}", f"{_NEW}/dev/{name}", "", _BIND)
    for name, target in _LINKS.items():
        os.symlink(target, f"{_NEW}/dev/{name}")
    os.mkdir(_NEW + "/dev/pts")
    _mount("devpts", _NEW + "/dev/pts", "devpts", _NOSUID | _NOEXEC, "newinstance,ptmxmode=0666,mode=620")


def _processes() -> None:
    """Show the processes inside, and forbid user namespaces within this one."""
    os.mkdir(_NEW + "/proc")
    _mount("proc", _NEW + "/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
    _write(_NEW + "/proc/sys/user/max_user_namespaces", "0")


def _show(source: str, target: str, attributes: int) -> None:
    if os.path.isdir(source):  # noqa: PTH112
        os.makedirs(target, exist_ok=True)
    elif not os.path.lexists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH120
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    _mount(source, target, "", _BIND | _ALL_BELOW)
    _restrict(target, attributes | _NO_SETUID | _NO_DEVICES)


def _restrict(target: str, attributes: int, recursive: bool = True) -> None:
    """Set attributes of a mount and of those below it; none is lost that it had."""
    given = struct.pack("QQQQ", attributes, 0, 0, 0)
    flags = _RECURSIVE if recursive else 0
    kernel.system_call("mount_setattr", _SET_ATTRIBUTES, _HERE, target.encode(), flags, given, len(given))


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    try:
        kernel.call("mount", os.fsencode(source), os.fsencode(target), kind.encode() or None, flags, options.encode())
    except OSError as error:
        raise OSError(error.errno, f"mount {target}: {os.strerror(error.errno or 0)}") from None


def _pivot(root: str, old: str) -> None:
    number = _PIVOT.get(os.uname().machine)
    if number is None:
        raise OSError(errno.ENOSYS, f"pivot_root is not known for {os.uname().machine}")
    kernel.system_call("pivot_root", number, root.encode(), old.encode())


def _loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        fcntl.ioctl(handle, 0x8914, struct.pack("16sH22x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP


def _drop_capabilities() -> None:
    """Give up what the user namespace gave, for this process and for all that it starts."""
    last = int(open("/proc/sys/kernel/cap_last_cap", "rb").read())  # noqa: PTH123, SIM115
    for number in range(last + 1):
        kernel.prctl(24, number)  # PR_CAPBSET_DROP
    kernel.prctl(47, 4)  # PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL
    kernel.call("capset", struct.pack("Ii", 0x20080522, 0), bytes(24))


def _write(path: str, said: str) -> None:
    handle = os.open(path, os.O_WRONLY)
    try:
        os.write(handle, said.encode())
    except OSError as error:
        raise OSError(error.errno, f"{path}: {os.strerror(error.errno or 0)}") from None
    finally:
        os.close(handle)


def _fail(status: int, error: OSError) -> NoReturn:
    said = {"error": {"step": "confinement", "errno": error.errno or 0, "text": error.strerror or str(error)}}
    os.write(status, json.dumps(said).encode() + b"\n")
    os._exit(1)
