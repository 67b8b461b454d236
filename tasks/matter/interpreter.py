"""How this Python is started for a process of ours: no file of the working folder is taken for a module.

With ``-m`` and ``-c`` Python looks for modules in the working folder first, so that an ``attr.py`` among somebody's
documents would be run by a process of ours. ``-P`` leaves that folder out. It holds for one process: where a library
starts others in its turn, ``SAFE_PATH`` in the environment holds for all of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

SAFE_PATH: Final[Mapping[str, str]] = {"PYTHONSAFEPATH": "1"}
"""What ``-P`` does, for a process and all that it starts."""


def module_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of ours in a process of its own."""
    return [sys.executable, "-P", "-m", module, *words]


def code_command(code: str, *words: str) -> list[str]:
    """Return the command that runs a piece of code of ours in a process of its own."""
    return [sys.executable, "-P", "-c", code, *words]


@contextmanager
def safe_children() -> Iterator[None]:
    """Keep the working folder off the path of every Python that a library starts within the block."""
    given = {**SAFE_PATH, "PYTHONPATH": import_path()}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def import_path() -> str:
    """Return the PYTHONPATH of a process of ours: this code, then what the user set.

    An empty entry, as ``PYTHONPATH=$PYTHONPATH:DIR`` leaves one, would be the working folder again.
    """
    root = str(Path(__file__).resolve().parents[2])
    return os.pathsep.join(p for p in (root, *os.environ.get("PYTHONPATH", "").split(os.pathsep)) if p)
