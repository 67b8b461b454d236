"""A filter of system calls: what no command of a solver needs, and what has been a way out of sandboxes."""

from __future__ import annotations

import ctypes
import platform
import struct
from collections.abc import Sequence

from .kernel import prctl

# By name, the number on x86_64 and on aarch64; None where the architecture has none.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    **{"ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272)},
    **{"pidfd_getfd": (438, 438), "process_madvise": (440, 440), "personality": (135, 92)},
    **{"unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "chroot": (161, 51)},
    **{"pivot_root": (155, 41), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430)},
    **{"fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442)},
    **{"statmount": (457, 457), "listmount": (458, 458), "name_to_handle_at": (303, 264)},
    **{"open_by_handle_at": (304, 265), "fanotify_init": (300, 262), "quotactl": (179, 60), "quotactl_fd": (443, 443)},
    **{"add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280)},
    **{"perf_event_open": (298, 241), "userfaultfd": (323, 282), "syslog": (103, 116), "acct": (163, 89)},
    **{"init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104)},
    **{"kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225)},
    **{"sethostname": (170, 161), "setdomainname": (171, 162), "settimeofday": (164, 170), "adjtimex": (159, 171)},
    **{"clock_settime": (227, 112), "clock_adjtime": (305, 266), "vhangup": (153, 58), "iopl": (172, None)},
    **{"ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None), "lookup_dcookie": (212, 18)},
    **{"shmget": (29, 194), "msgget": (68, 186), "memfd_secret": (447, 447)},  # memory that no process is seen to hold
}
_ABSENT = {  # said not to exist, so that programs do without: memory out of sight, arguments that no filter can read
    **{"memfd_create": (319, 279), "clone3": (435, 435)},
    **{"io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427)},
}
_ITSELF = {  # only for the process itself, by the argument that says which: the first process has the same user
    **{"sched_setscheduler": ((144, 119), 0), "sched_setparam": ((142, 118), 0), "sched_setattr": ((314, 274), 0)},
    **{"prlimit64": ((302, 261), 0), "setpriority": ((141, 140), 1), "ioprio_set": ((251, 30), 1)},
}
# Numbers of system calls, on x86_64 and on aarch64.
_SOCKET, _PAIR, _CLONE, _IOCTL, _PRCTL = (41, 198), (53, 199), (56, 220), (16, 29), (157, 167)
_HIDE = 4  # PR_SET_DUMPABLE: said to have worked, for what a process holds open is counted by the watch
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_NEWEST = 462  # mseal, of Linux 6.10: what came later nobody has looked at here
_NAMESPACES = 0x7E020000  # every CLONE_NEW* that clone takes
_UNIX, _ROUTE, _INET, _INET6 = 1, 16, 2, 10  # AF_NETLINK lists interfaces; others reach hosts, files, hardware
_TCP, _UDP = 6, 17  # IPPROTO_*
_TYPE_FOR = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX: typing on the terminal of somebody else

_ALLOW, _KILL = 0x7FFF0000, 0x80000000  # SECCOMP_RET_*
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97  # what a call that is denied, unknown or of another family answers
_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06  # BPF_* of the kernel
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND, _THIRD = 0, 4, 16, 24, 32  # where each stands, low word of an argument


def program(machine: str) -> bytes:
    """Return the filter for an architecture, as the kernel takes it."""
    column, architecture = _ARCHITECTURES[machine]
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_ABOVE, 0, 1, _NEWEST),  # and every call of the x32 interface
        _error(_ENOSYS),
    ]
    for calls, error in ((_DENIED, _EPERM), (_ABSENT, _ENOSYS)):
        for numbers in calls.values():
            if (number := numbers[column]) is not None:
                steps += [(_EQUAL, 0, 1, number), _error(error)]
    for both, which in _ITSELF.values():
        own = [(_LOAD, 0, 0, _FIRST + 8 * which), (_EQUAL, 1, 0, 0), _error(_EPERM)]
        steps += _block(both[column], own)
    steps += _block(_SOCKET[column], _of_sockets())
    steps += _block(_PAIR[column], [(_LOAD, 0, 0, _FIRST), (_EQUAL, 1, 0, _UNIX), _error(_EAFNOSUPPORT)])
    steps += _block(_CLONE[column], [(_LOAD, 0, 0, _FIRST), (_ANY_BIT, 0, 1, _NAMESPACES), _error(_EPERM)])
    steps += _block(_IOCTL[column], [(_LOAD, 0, 0, _SECOND), *(s for t in _TYPE_FOR for s in _if_equal(t))])
    steps += _block(_PRCTL[column], [(_LOAD, 0, 0, _FIRST), (_EQUAL, 0, 1, _HIDE), _error(0)])
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def install() -> None:
    """Filter the calls of this process and of all that it starts; needs ``give_up_privileges`` before.

    Raises:
        OSError: The kernel takes no filter, or the architecture is none that this one knows.
    """
    if platform.machine() not in _ARCHITECTURES:
        raise OSError(_ENOSYS, f"no filter of system calls for {platform.machine()}")
    data = program(platform.machine())
    held = ctypes.create_string_buffer(data, len(data))
    described = struct.pack("HxxxxxxP", len(data) // 8, ctypes.addressof(held))
    handed = ctypes.create_string_buffer(described, len(described))
    prctl(22, 2, ctypes.addressof(handed))  # PR_SET_SECCOMP, by a filter


def _of_sockets() -> list[tuple[int, int, int, int]]:
    """Allow TCP and UDP, of which a sandbox reaches none but its own, and lists of interfaces."""
    return [
        (_LOAD, 0, 0, _FIRST),
        (_EQUAL, 2, 0, _INET),
        (_EQUAL, 1, 0, _INET6),
        (_EQUAL, 4, 7, _ROUTE),
        (_LOAD, 0, 0, _THIRD),
        (_EQUAL, 4, 0, _TCP),
        (_EQUAL, 3, 0, _UDP),
        (_EQUAL, 2, 3, 0),
        (_LOAD, 0, 0, _THIRD),
        (_EQUAL, 0, 1, 0),
        (_RETURN, 0, 0, _ALLOW),
        _error(_EAFNOSUPPORT),
    ]


def _block(number: int, steps: Sequence[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Look at the arguments of one call; what no step decides is allowed."""
    return [(_EQUAL, 0, len(steps) + 1, number), *steps, (_RETURN, 0, 0, _ALLOW)]


def _if_equal(value: int) -> list[tuple[int, int, int, int]]:
    return [(_EQUAL, 0, 1, value), _error(_EPERM)]


def _error(number: int) -> tuple[int, int, int, int]:
    return (_RETURN, 0, 0, 0x00050000 | number)
