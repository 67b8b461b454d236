"""Matching lines, in this process or as a program of its own: texts as JSON come in, places go out."""

from __future__ import annotations

import json
import re
import resource
import sys
from collections.abc import Mapping


def hits(pattern: re.Pattern[str], texts: Mapping[str, str], most: int) -> list[tuple[str, int, int, int, int]]:
    """Return the lines that match: name, line number, start and end of the line, and where in it the match begins."""
    found: list[tuple[str, int, int, int, int]] = []
    for name, text in texts.items():
        start = 0
        for number, line in enumerate(text.split("\n"), 1):
            hit = pattern.search(line)
            if hit:
                found.append((name, number, start, start + len(line), hit.start()))
                if len(found) >= most:
                    return found
            start += len(line) + 1
    return found


def main() -> None:
    """Answer one question from standard input, within its CPU seconds."""
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
    pattern = re.compile(asked["pattern"], re.IGNORECASE)
    json.dump(hits(pattern, asked["texts"], asked["most"]), sys.stdout)


if __name__ == "__main__":
    main()
