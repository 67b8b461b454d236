"""What a worker that is kept does before the next run: it takes on another environment and another log."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path


def furnish_this_process(gone: Sequence[str], environment: Mapping[str, str], log: str) -> None:
    """Forget some variables, set others, and print into another file from now on."""
    for name in gone:
        os.environ.pop(name, None)
    os.environ.update(environment)
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    with Path(log).open("ab") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
