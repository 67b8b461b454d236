"""Limits that the kernel keeps for each process of a command."""

from __future__ import annotations

import math
import resource
from collections.abc import Mapping

_MIB = 1024**2  # bytes
_FILES = 4096  # descriptors of one process


def set_limits(limits: Mapping[str, float]) -> None:
    """Set the limits of this process and of all that it starts; none of them can be raised again."""
    cpu = math.ceil(limits["cpu_seconds"])
    wanted = {
        resource.RLIMIT_AS: int(limits["address_mb"] or limits["memory_mb"]) * _MIB,
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_NPROC: int(limits["processes"]),  # the kernel does not keep this one for root
        resource.RLIMIT_FSIZE: int(limits["file_mb"]) * _MIB,
        resource.RLIMIT_NOFILE: _FILES,
        resource.RLIMIT_CORE: 1,  # where dumps go to a program of the machine, 0 does not keep them from it
        resource.RLIMIT_MEMLOCK: _MIB,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for kind, most in wanted.items():
        hard = resource.getrlimit(kind)[1]
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # past its CPU time a process is told so by a signal that can be named, and killed a second later
        late = 1 if kind == resource.RLIMIT_CPU and (hard == resource.RLIM_INFINITY or hard > bound) else 0
        resource.setrlimit(kind, (bound, bound + late))
