"""Bodies that worker processes of the tests run. A module of its own, so that a worker can import it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time

from tasks.matter.failures import Failure, FailureCause, SolonError


def double(x: int) -> int:
    return 2 * x


def add(x: int, y: int) -> int:
    return x + y


def pid() -> int:
    return os.getpid()


def environment(name: str) -> str | None:
    return os.environ.get(name)


def noisy(x: int) -> int:
    print("a library speaks on standard output")
    os.write(1, b"and below Python too\n")
    return x


def refuse() -> None:
    raise SolonError(Failure(cause=FailureCause.PROVIDER, stage="draft", subject="m", message="endpoint is down"))


def crash() -> None:
    raise KeyError("a defect")


def die() -> None:
    os.kill(os.getpid(), 9)


def hoard() -> None:
    raise MemoryError


def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


def stubborn(seconds: float) -> None:
    """Swallow every Exception, as badly written libraries do."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(Exception):
            time.sleep(0.05)


def deaf(seconds: float) -> None:
    """Block the alarm, so that only the driver's kill ends it; leaves a child behind."""
    import signal

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    subprocess.run([sys.executable, "-c", f"import time; time.sleep({seconds})"], check=False)


def unpicklable() -> object:
    return (n for n in range(3))


def embedder_in_force(profile: str) -> tuple[str, bool]:
    """Return what embeds for a body, and whether it gives what the model itself gives."""
    from dataclasses import replace

    import numpy as np

    from tasks.models.access import ModelAccess
    from tasks.models.transports import transport_for
    from tasks.models.transports.embedded import WordLlama

    client = ModelAccess().client(profile, "embeddings")
    texts = ["the term ends", "governed by the laws of Ohio"]
    own = replace(client, transport=WordLlama(client.profile))
    return type(transport_for(client.profile)).__name__, bool(np.array_equal(client.embed(texts), own.embed(texts)))


def die_of(sign: int) -> None:
    signal.signal(sign, signal.SIG_DFL)
    os.kill(os.getpid(), sign)
