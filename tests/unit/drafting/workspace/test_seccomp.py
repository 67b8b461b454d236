"""The filter of system calls, run step by step as the kernel would, for each architecture."""

from __future__ import annotations

import struct

import pytest

from tasks.drafting.workspace.confine.seccomp import program

_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_EPERM, _ENOSYS, _EAFNOSUPPORT = 0x00050001, 0x00050026, 0x00050061
_NUMBERS = {  # read, openat, execve, wait4, pipe2, futex
    "x86_64": {
        "plain": (0, 257, 59, 61, 293, 202),
        "mount": 165,
        "ptrace": 101,
        "clone": 56,
        "socket": 41,
        "ioctl": 16,
    },
    "aarch64": {
        "plain": (63, 56, 221, 260, 59, 98),
        **{"mount": 40, "ptrace": 117, "clone": 220, "socket": 198, "ioctl": 29},
    },
}


def _verdict(machine: str, number: int, *arguments: int, architecture: int = 0) -> int:
    data = struct.pack("IIQ6Q", number, architecture or _ARCHITECTURES[machine], 0, *(*arguments, *[0] * 6)[:6])
    steps = list(struct.iter_unpack("HBBI", program(machine)))
    at = value = 0
    while True:
        code, yes, no, operand = steps[at]
        at += 1
        if code == 0x20:
            value = struct.unpack_from("I", data, operand)[0]
        elif code == 0x06:
            return operand
        else:
            met = {0x15: value == operand, 0x25: value > operand, 0x45: bool(value & operand)}[code]
            at += yes if met else no


@pytest.fixture(params=_ARCHITECTURES)
def machine(request: pytest.FixtureRequest) -> str:
    return request.param


def test_what_programs_need_is_allowed(machine: str):
    assert {_verdict(machine, n) for n in _NUMBERS[machine]["plain"]} == {_ALLOW}


@pytest.mark.parametrize("name", ["mount", "ptrace"])
def test_what_has_been_a_way_out_is_denied(machine: str, name: str):
    assert _verdict(machine, _NUMBERS[machine][name]) == _EPERM


@pytest.mark.parametrize("number", [425, 426, 427, 435, 463, 500, 0x40000000, 0x40000027, 0xFFFFFFFF])
def test_rings_clone3_and_what_is_newer_are_said_not_to_exist(machine: str, number: int):
    assert _verdict(machine, number) == _ENOSYS


def test_another_architecture_is_the_end(machine: str):
    assert _verdict(machine, 0, architecture=0x40000003) == _KILL


@pytest.mark.parametrize(
    ("flags", "verdict"),
    [(17, _ALLOW), (0x003D0F00, _ALLOW), (0x01200011, _ALLOW), (0x10000011, _EPERM), (0x00020011, _EPERM)]
    + [(flag | 17, _EPERM) for flag in (0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000)],
)
def test_clone_makes_processes_and_threads_and_no_namespaces(machine: str, flags: int, verdict: int):
    assert _verdict(machine, _NUMBERS[machine]["clone"], flags) == verdict


@pytest.mark.parametrize(
    ("family", "protocol", "verdict"),
    [(2, 6, _ALLOW), (10, 17, _ALLOW), (16, 0, _ALLOW), (16, 9, _EAFNOSUPPORT)]
    + [(family, 0, _EAFNOSUPPORT) for family in (0, 1, 17, 29, 31, 38, 40, 44)],
)
def test_sockets_are_of_the_internet_alone(machine: str, family: int, protocol: int, verdict: int):
    assert _verdict(machine, _NUMBERS[machine]["socket"], family, 1, protocol) == verdict


@pytest.mark.parametrize(("request_", "verdict"), [(0x5401, _ALLOW), (0x5412, _EPERM), (0x541C, _EPERM)])
def test_nobody_types_on_another_terminal(machine: str, request_: int, verdict: int):
    assert _verdict(machine, _NUMBERS[machine]["ioctl"], 0, request_) == verdict


@pytest.mark.parametrize(("protocol", "verdict"), [(0, _ALLOW), (6, _ALLOW), (17, _ALLOW), (132, 1), (262, 1), (1, 1)])
def test_of_the_internet_tcp_and_udp_alone(machine: str, protocol: int, verdict: int):
    for family in (2, 10):
        got = _verdict(machine, _NUMBERS[machine]["socket"], family, 1, protocol)
        assert got == (_ALLOW if verdict == _ALLOW else _EAFNOSUPPORT)


_ITSELF = {  # name, numbers, which argument says the process
    "sched_setscheduler": ((144, 119), 0),
    "sched_setattr": ((314, 274), 0),
    "prlimit64": ((302, 261), 0),
    "setpriority": ((141, 140), 1),
    "ioprio_set": ((251, 30), 1),
}


@pytest.mark.parametrize("name", _ITSELF)
def test_what_changes_a_process_changes_the_caller_alone(machine: str, name: str):
    numbers, which = _ITSELF[name]
    number = numbers[list(_ARCHITECTURES).index(machine)]
    arguments = [7, 7, 7]
    assert _verdict(machine, number, *arguments) == _EPERM
    arguments[which] = 0
    assert _verdict(machine, number, *arguments) == _ALLOW


@pytest.mark.parametrize(("family", "verdict"), [(1, _ALLOW), (30, _EAFNOSUPPORT)])
def test_pairs_of_sockets_are_the_caller_s_own(machine: str, family: int, verdict: int):
    assert _verdict(machine, {"x86_64": 53, "aarch64": 199}[machine], family) == verdict


def test_hiding_from_the_watch_is_said_to_have_worked(machine: str):
    prctl = {"x86_64": 157, "aarch64": 167}[machine]
    assert _verdict(machine, prctl, 4) == 0x00050000
    assert _verdict(machine, prctl, 15) == _ALLOW
