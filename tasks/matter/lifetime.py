"""A child process that ends with its parent, even when the parent is killed and cannot notify it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

PARENT = "SOLON_PARENT"
"""Variable that tells a child the process id of its parent."""

_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>


def lifetime_environment() -> dict[str, str]:
    """Return the environment variables that a child needs to call ``end_with_parent``."""
    return {PARENT: str(os.getpid())}


def end_with_parent() -> None:
    """Let the kernel kill this process when its parent ends, even in the middle of a long call of a library.

    The kernel means the parent's *thread* that started this process. Start it from a thread that lives as long as the
    process may be needed (the main thread, or that of an executor), never from one that only serves a request.

    Does nothing in a process whose parent did not pass on ``lifetime_environment()``.
    """
    parent = int(os.environ.pop(PARENT, "0"))
    if not parent:
        return
    if sys.platform != "linux" or ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL) != 0:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # it ended before the kernel was asked
        os._exit(1)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
