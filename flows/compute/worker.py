"""A worker process: reads pickled calls from a pipe, answers with pickled results.

Run as ``python -m flows.compute.worker`` in a session of its own, so that its whole process group can be killed.
"""

from __future__ import annotations

import os
import pickle
import resource
import struct
from typing import IO, Any

from flows.compute.guard import guarded
from tasks.matter.collecting import collect_seldom
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.lifetime import end_with_parent

_HEADER = struct.Struct(">Q")


def send(pipe: IO[bytes], payload: bytes) -> None:
    """Write one length-prefixed message."""
    pipe.write(_HEADER.pack(len(payload)))
    pipe.write(payload)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes:
    """Read one message.

    Raises:
        EOFError: The other side is gone.
    """
    head = pipe.read(_HEADER.size)
    if len(head) < _HEADER.size:
        raise EOFError
    size = _HEADER.unpack(head)[0]
    body = pipe.read(size)
    if len(body) < size:
        raise EOFError
    return body


def _answer(message: bytes) -> bytes:
    import cloudpickle  # type: ignore[import-untyped]

    stage = "worker"
    try:
        fn, args, stage, seconds = pickle.loads(message)  # noqa: S301 - from our own driver, over a private pipe
        reply: tuple[bool, Any] = (True, guarded(fn, args, stage, seconds))
    except SolonError as exc:
        reply = (False, exc.failure)
    try:
        return bytes(cloudpickle.dumps(reply))
    except (pickle.PicklingError, TypeError, AttributeError) as exc:
        message_ = f"result cannot be pickled: {exc}"[:300]
        failure = Failure(cause=FailureCause.UNKNOWN, stage=stage, subject=stage, message=message_)
        return bytes(cloudpickle.dumps((False, failure)))


def _bound_memory() -> None:
    """Limit memory: a body that exceeds its share fails with a typed error instead of using up the machine."""
    wanted = int(os.environ.get("SOLON_WORKER_BYTES") or 0)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if wanted and (hard == resource.RLIM_INFINITY or wanted < hard):
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def main() -> None:
    """Serve calls until the pipe closes or the driver dies."""
    collect_seldom()
    end_with_parent()
    _bound_memory()
    source = os.fdopen(os.dup(0), "rb")
    target = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a file descriptor, not a path
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # what a stage prints goes to the log, never between two messages
    while True:
        try:
            message = receive(source)
        except EOFError:
            return
        send(target, _answer(message))


if __name__ == "__main__":
    main()
