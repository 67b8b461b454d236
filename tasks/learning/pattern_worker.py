"""Tries regular expressions on tempting text, in a process of its own that may be killed. Standard library alone.

Reads one JSON list of patterns on standard input; writes one JSON line a pattern: what is wrong with it, or "".
"""

import json
import re
import resource
import signal
import sys
from itertools import pairwise

CPU_SECONDS = 0.25  # a usual pattern needs a thousandth of it
MEMORY = 1 << 30
LONGEST = 1_000
RUN = 600
WORDS = 60  # of a pattern that are tried: a trap may stand in its last branch


def main() -> None:
    """Answer for each pattern in turn."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, _stop)
    for pattern in json.loads(sys.stdin.read()):
        print(json.dumps(problem(pattern)), flush=True)


def problem(pattern: str) -> str:
    """Say what is wrong with a pattern."""
    if len(pattern) > LONGEST:
        return f"is longer than {LONGEST} characters"
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        return _tried(pattern)
    except TimeoutError:
        return f"needs more than {CPU_SECONDS:g} s"
    except (MemoryError, OverflowError, RecursionError):
        return "needs more memory than a pattern may"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _tried(pattern: str) -> str:
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        return f"is no regular expression: {error}"
    if compiled.search(""):
        return "asks for nothing, so it would match everywhere"
    for text in tempting(pattern):
        compiled.search(text)
    return ""


def tempting(pattern: str) -> list[str]:
    """Return texts that make a careless pattern try every way: long runs of what it asks for, without its end."""
    words = list(dict.fromkeys(re.findall(r"[a-z]{2,}", re.sub(r"\\.", " ", pattern.lower()))))[:WORDS]
    runs = [letter * RUN + "!" for letter in ("a", " ", "1", "a ", *sorted(set(pattern) & set("xyz.-_/")))]
    near = [" ".join(pair * 30) + " (" for pair in pairwise(words)]  # "does hereby does hereby"
    return [*runs, " ".join(words[:6] * 30) + " (", *near, *(f"{word} " * 60 + "!" for word in words)]


def _stop(_signal: int, _frame: object) -> None:
    raise TimeoutError


if __name__ == "__main__":
    main()
