"""Landlock, the second layer: what a command may read and write even if the mounts did not hold."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Sequence

from .kernel import system_call

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the sixth version numbers on every architecture
_READ = 0b1101  # execute, read a file, list a folder
_WRITE = 0b1011110110010  # write, remove, make files, folders, links, pipes and sockets; no devices
_DEVICES = 1 << 6 | 1 << 11  # rights of the kernel: to make character and block devices
_MOVE, _TRUNCATE = 1 << 13, 1 << 14  # from the second and third version on
_SCOPES = 0b11  # abstract sockets and signals stay among the command's own processes, from the sixth version on


def version() -> int:
    """Return the version of Landlock that the kernel has; 0 for none."""
    try:
        return system_call("landlock", _CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    except OSError:  # not built in, or switched off
        return 0


def restrict(writable: Sequence[str]) -> None:
    """Let this process, and all that it starts, write below these folders alone; everything shown can be read."""
    known = version()
    if not known:
        return
    # Numbers below are versions of the kernel's interface.
    write = _WRITE | (_MOVE if known >= 2 else 0) | (_TRUNCATE if known >= 3 else 0)
    given = struct.pack("QQQ", _READ | write | _DEVICES, 0, _SCOPES if known >= 6 else 0)  # the sixth version
    size = 24 if known >= 6 else 16 if known >= 4 else 8  # bytes of the structure that each version knows
    rules = system_call("landlock", _CREATE, given, ctypes.c_size_t(size), ctypes.c_uint(0))
    for place in ("/", *writable):
        _allow(rules, place, _READ | (write if place != "/" else 0))
    system_call("landlock", _RESTRICT, ctypes.c_int(rules), ctypes.c_uint(0))
    os.close(rules)


def _allow(rules: int, place: str, rights: int) -> None:
    handle = os.open(place, os.O_PATH)
    given = struct.pack("=Qi", rights, handle)
    system_call("landlock", _ADD, ctypes.c_int(rules), ctypes.c_int(1), given, ctypes.c_uint(0))
    os.close(handle)
