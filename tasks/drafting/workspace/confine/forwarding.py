"""Forwards: ports of loopback inside a sandbox that lead to Unix sockets of the machine, and nowhere else."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Mapping

from . import kernel

_MOST = 64  # connections at a time
_STEP = 65536  # bytes: what a pipe holds


def forward_ports(forwards: Mapping[str, str]) -> int:
    """Listen on every port, then serve them in a process of its own; return its process id."""
    listeners = [(_listen(int(port)), place) for port, place in forwards.items()]
    child = os.fork()
    if child:
        for listener, _ in listeners:
            listener.close()
        return child
    try:
        kernel.end_with_parent()
        kernel.hide()
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):  # the streams are the command's
            os.dup2(nothing, number)
        _close_all_but({0, 1, 2, *(listener.fileno() for listener, _ in listeners)})
        places = threading.BoundedSemaphore(_MOST)
        for listener, place in listeners:
            threading.Thread(target=_serve, args=(listener, place, places)).start()
        signal.pause()
    finally:
        os._exit(1)


def _close_all_but(kept: set[int]) -> None:
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - pathlib is slow to import
        if int(name) not in kept:
            with contextlib.suppress(OSError):  # that by which the folder was listed
                os.close(int(name))


def _listen(port: int) -> socket.socket:
    listener = socket.create_server(("127.0.0.1", port), backlog=_MOST)
    listener.settimeout(None)
    return listener


def _serve(listener: socket.socket, place: str, places: threading.BoundedSemaphore) -> None:
    while True:
        places.acquire()
        inner, _ = listener.accept()
        outer = socket.socket(socket.AF_UNIX)
        try:
            outer.connect(place)
        except OSError:  # nobody listens there now: the command sees its connection closed, as by a server that is down
            inner.close()
            outer.close()
            places.release()
            continue
        threading.Thread(target=_carry_both, args=(inner, outer, places), daemon=True).start()


def _carry_both(inner: socket.socket, outer: socket.socket, places: threading.BoundedSemaphore) -> None:
    with inner, outer:
        back = threading.Thread(target=_carry, args=(outer, inner), daemon=True)
        back.start()
        _carry(inner, outer)
        back.join()
    places.release()


def _carry(source: socket.socket, target: socket.socket) -> None:
    """Carry bytes until one side ends, and hand the end on."""
    with contextlib.suppress(OSError):
        while data := source.recv(_STEP):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
