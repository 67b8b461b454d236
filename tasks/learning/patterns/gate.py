r"""Whether regular expressions of the knowledge are safe to use: they compile, ask for something, and end soon.

They are judged by their structure (``ways.py``), never by a trial: a trial can be dodged, and depends on the
machine. What is refused although it would end is written with a bound, ``\w{0,20}`` for ``\w*``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.learning.patterns.ways import work_problem


def pattern_problems(patterns: Sequence[str]) -> list[str]:
    """Return what is wrong with each pattern, matched without regard to case; an empty text where nothing is.

    The patterns are hostile input: what judges them takes bounded time and memory, and none is run before it passed.
    """
    return [pattern_problem(pattern) for pattern in patterns]


def pattern_problem(pattern: str) -> str:
    """Return what is wrong with one pattern; empty where nothing is."""
    problem = work_problem(pattern)
    if problem:
        return problem
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is no regular expression: {error}"
    return "asks for nothing, so it would match everywhere" if compiled.search("") else ""
