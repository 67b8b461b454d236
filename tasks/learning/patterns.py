"""Whether regular expressions of the knowledge are safe to use: they compile, ask for something, and end soon."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_WORKER: Final = Path(__file__).with_name("pattern_worker.py")
_UNANSWERED: Final = "was not answered for in time"


def pattern_problems(patterns: Sequence[str], seconds: float = 60.0) -> list[str]:
    """Return what is wrong with each pattern; an empty text where nothing is.

    The patterns are hostile input: they are tried in a process without our environment, whose time and memory are
    bounded, on texts made to tempt a careless pattern into trying every way.

    Args:
        patterns: The expressions.
        seconds: Time for all of them; those it does not reach are refused.
    """
    if not patterns:
        return []
    command = [sys.executable, "-I", "-S", str(_WORKER)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={}, text=True
    ) as worker:
        try:
            told, _ = worker.communicate(json.dumps(list(patterns)), timeout=seconds)
        except subprocess.TimeoutExpired:
            worker.kill()
            told, _ = worker.communicate()
    answers = [str(json.loads(line)) for line in told.splitlines() if line.endswith('"')]
    return answers + [_UNANSWERED] * (len(patterns) - len(answers))
