"""A command under way in a sandbox: its streams, its end, and the killing of all that it started."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any

from tasks.drafting.workspace.records import Bounds, Ended, Ran
from tasks.drafting.workspace.sinks import Kept, Sink
from tasks.matter.failures import Failure, FailureCause, SolonError

_STEP = 65536  # bytes: what a pipe holds
_SIGNALS = {
    signal.SIGXCPU: "It used more CPU time than its {cpu_seconds:g} s.",
    signal.SIGXFSZ: "It wrote a file larger than {file_mb} MiB.",
}


@dataclass(frozen=True)
class Launch:
    """How a kind of sandbox starts: its words, for the descriptors of specification, status and information.

    Attributes:
        words: Program and arguments. It reports the process id of the first process inside as ``child-pid`` in a JSON
            object on the third descriptor.
        specification: What the first process inside reads from the first descriptor.
        name: Of the sandbox.
    """

    words: Callable[[int, int, int], Sequence[str]]
    specification: bytes
    name: str


class RunningCommand:
    """Implements ``Process``. A thread of its own starts it, carries its streams, reaps it and tidies up.

    The kernel ends a sandbox when the thread that started it ends: this one lives as long as the command.
    """

    def __init__(
        self, launch: Launch, bounds: Bounds, stdin: bytes, out: Sink, err: Sink, tidy: Callable[[], str]
    ) -> None:
        self._launch, self._bounds, self._stdin, self._tidy = launch, bounds, stdin, tidy
        self._sinks = (out, err)
        self._status, self._info = Kept(_STEP), Kept(_STEP)
        self._began = time.monotonic()
        self._killed = self._note = ""
        self._seconds = 0.0
        self._known, self._over = threading.Event(), threading.Event()
        self._failed: Exception | None = None
        self._outer: subprocess.Popen[bytes] | None = None
        self._first = -1  # descriptor of the first process inside: its number may be given to another
        self.pid = 0
        self._thread = threading.Thread(target=self._keep, name="sandbox", daemon=True)
        self._thread.start()
        self._known.wait()
        if self._failed:
            raise sandbox_failure(launch.name, f"cannot be started ({self._failed})")

    def wait(self, seconds: float | None) -> int | None:
        """Return the exit code, or minus the signal that ended it; None where it still runs after so many seconds.

        Raises:
            SolonError: The sandbox never came to run the command (``sandbox``).
        """
        if not self._over.wait(seconds):
            return None
        ran = self.ran()
        return ran.exit_code if ran.exit_code is not None else -int(self._said().get("signal", signal.SIGKILL))

    def kill(self) -> None:
        """End it with all that it started; returns when nothing of it is left."""
        self._end("It was ended from outside.")
        self._over.wait()

    def ran(self) -> Ran:
        """Return the account of a command that has ended; raises as ``wait``."""
        self._over.wait()
        if self._failed:
            raise sandbox_failure(self._launch.name, f"could not keep what the command said ({self._failed})")
        said, killed = self._said(), self._killed
        ended, code, note = Ended.EXITED, said.get("exit"), ""
        if "error" in said:
            code, note = self._unstarted(said["error"])
        elif "breach" in said:
            ended, note = Ended.KILLED, said["breach"]
        elif "signal" in said:
            number = said["signal"]
            ended, note = Ended.KILLED, _SIGNALS.get(number, f"Signal {number} ended it.").format(**dict(self._bounds))
        elif code is None:
            if not killed and "ready" not in said:
                raise sandbox_failure(self._launch.name, f"did not start the command ({self._complaint()})")
            ended = Ended.TIME if killed == _TIME else Ended.KILLED
            note = (killed or "It was ended from outside.").format(**dict(self._bounds))
        out, err = (sink.text() if isinstance(sink, Kept) else "" for sink in self._sinks)
        return Ran(
            ended=Ended.REFUSED if "error" in said else ended,
            exit_code=code,
            stdout=out,
            stderr=err,
            seconds=round(self._seconds, 3),
            cut=any(sink.cut for sink in self._sinks),
            note=" ".join(filter(None, (note, self._note))),
        )

    def _unstarted(self, error: dict[str, Any]) -> tuple[int | None, str]:
        """Tell what the command cannot be (its own fault) from what the sandbox could not do."""
        if error["step"] not in {"command", "folder"}:
            raise sandbox_failure(self._launch.name, f"could not confine the command ({error['text']})")
        return (126 if error["errno"] == 13 else 127), f"It could not be started: {error['text']}."

    def _said(self) -> dict[str, Any]:
        rows = [json.loads(line) for line in bytes(self._status.data).splitlines()]
        return {key: value for row in rows for key, value in row.items()}

    def _complaint(self) -> str:
        err = self._sinks[1]
        lines = err.text().strip().splitlines() if isinstance(err, Kept) else []
        return lines[-1][:300] if lines else "it said nothing"

    def _keep(self) -> None:
        """Start, carry, reap: the life of the command. What goes wrong is for the thread that waits for it."""
        try:
            self._begin()
        except Exception as error:  # noqa: BLE001 - the end of this thread; raised in the other one
            self._failed = error
            self._over.set()
            return
        finally:
            self._known.set()
        try:
            self._carry()
        except Exception as error:  # noqa: BLE001 - a full disk, for one: the command must not wait for it for ever
            self._failed = error
            self._end("Its streams could not be carried.")
        try:
            self._reap()
        except Exception as error:  # noqa: BLE001
            self._failed = self._failed or error
        finally:
            self._over.set()

    def _reap(self) -> None:
        assert self._outer
        self._outer.wait()
        self._seconds = time.monotonic() - self._began
        if self._first >= 0:
            os.close(self._first)
        for stream in (self._outer.stdin, self._outer.stdout, self._outer.stderr):
            if stream:
                stream.close()
        for sink in self._sinks:
            sink.close()
        self._note = self._tidy()

    def _begin(self) -> None:
        told = os.memfd_create("specification", 0)
        os.write(told, self._launch.specification)
        os.lseek(told, 0, os.SEEK_SET)
        self._reader, status = os.pipe()
        self._informed, info = os.pipe()
        try:
            self._outer = subprocess.Popen(
                self._launch.words(told, status, info),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(told, status, info),
                env={},
                start_new_session=True,
            )
        except Exception:
            os.close(self._reader)
            os.close(self._informed)
            raise
        finally:
            for handle in (told, status, info):
                os.close(handle)
        self.pid = self._outer.pid

    def _carry(self) -> None:
        """Carry the streams until all are closed, which they are when nothing of the command is left."""
        assert self._outer
        assert self._outer.stdin
        assert self._outer.stdout
        assert self._outer.stderr
        sinks: list[tuple[int | IO[bytes], Sink]] = [
            (self._outer.stdout, self._sinks[0]),
            (self._outer.stderr, self._sinks[1]),
            (os.fdopen(self._reader, "rb", 0), self._status),
            (os.fdopen(self._informed, "rb", 0), self._info),
        ]
        with selectors.DefaultSelector() as ready:
            for stream, sink in sinks:
                ready.register(stream, selectors.EVENT_READ, sink)
            left = memoryview(self._stdin)
            os.set_blocking(self._outer.stdin.fileno(), False)
            ready.register(self._outer.stdin, selectors.EVENT_WRITE)
            while any(key.events == selectors.EVENT_READ for key in ready.get_map().values()):
                if time.monotonic() - self._began > self._bounds.seconds and not self._killed:
                    self._end(_TIME)
                elif self._killed:  # before it had told its first process
                    self._strike()
                for key, _ in ready.select(0.2):
                    if key.events == selectors.EVENT_READ:
                        data = os.read(key.fd, _STEP)
                        key.data.take(data)
                        done = not data
                        self._meet()
                    else:
                        left, done = _write(key.fd, left)
                    if done:
                        ready.unregister(key.fileobj)
                        key.fileobj.close()  # type: ignore[union-attr]

    def _end(self, why: str) -> None:
        """Say why it is killed, and kill it."""
        if not self._over.is_set() and not self._killed:
            self._killed = why
            self._strike()

    def _meet(self) -> None:
        """Take hold of the first process inside as soon as it is told."""
        if self._first < 0 and self._info.data:
            with contextlib.suppress(ValueError, ProcessLookupError):  # half of it was told, or it is over already
                self._first = os.pidfd_open(json.loads(bytes(self._info.data))["child-pid"])

    def _strike(self) -> None:
        """Kill the first process inside, and with it, by the kernel, all others; where it is not known, what starts it.

        What started it ends by itself when the first process has ended, and so not before all others.
        """
        assert self._outer
        if self._first < 0:
            self._outer.kill()
            return
        with contextlib.suppress(ProcessLookupError, OSError):
            signal.pidfd_send_signal(self._first, signal.SIGKILL)


_TIME = "It was killed at its time limit of {seconds:g} s."


def _write(handle: int, left: memoryview) -> tuple[memoryview, bool]:
    """Write what the command takes; whether there is no more to write."""
    if not left:
        return left, True
    try:
        left = left[os.write(handle, left[:_STEP]) :]
    except BrokenPipeError:
        return left, True
    except BlockingIOError:
        pass
    return left, not left


def sandbox_failure(name: str, why: str, remedy: str = "`solon doctor` says which sandboxes work here.") -> SolonError:
    """Return the failure of a sandbox, never of the work in it."""
    return SolonError(
        Failure(
            cause=FailureCause.SANDBOX, stage="workspace", subject=name, message=f"The sandbox {why}.", remedy=remedy
        )
    )
