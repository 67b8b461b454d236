"""Calls of the Linux kernel that Python has no function for."""

from __future__ import annotations

import ctypes
import os
from functools import lru_cache
from typing import Any


def call(name: str, *arguments: Any) -> int:
    """Call a function of the C library; raises OSError with its name where it fails."""
    result = int(getattr(_library(), name)(*arguments))
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def system_call(name: str, number: int, *arguments: Any) -> int:
    """Make a system call by its number; raises OSError with its name where it fails."""
    try:
        return call("syscall", ctypes.c_long(number), *arguments)
    except OSError as error:
        raise OSError(error.errno, f"{name}: {os.strerror(error.errno or 0)}") from None


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def prctl(option: int, *arguments: int) -> int:
    """Change a trait of this process."""
    return call("prctl", option, *(ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:4]))


def give_up_privileges() -> None:
    """No program started from here on gains rights, by its owner's bit or otherwise."""
    prctl(38, 1)  # PR_SET_NO_NEW_PRIVS


def end_with_parent() -> None:
    """Let the kernel kill this process when the thread that started it ends."""
    prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL


def hide() -> None:
    """Keep processes of the same user from reading or changing this one."""
    prctl(4, 0)  # PR_SET_DUMPABLE
