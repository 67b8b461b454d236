"""Foreign text between fence lines, whose code is computed from what it fences."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from tasks.models.fencing import inert_text


def fence_code(parts: Sequence[str]) -> str:
    """Return a code computed from every byte it fences, so that no document can close the fence."""
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def fenced(kind: str, body: str, code: str, name: str = "") -> str:
    """Return foreign text between fence lines; a line of the text that holds the code is removed."""
    head = f"<<<{kind} {code} {one_line(name)}".rstrip()
    kept = "\n".join(line for line in inert_text(body).split("\n") if code not in line)
    return f"{head}\n{kept}\nEND {code}>>>"


def one_line(name: str) -> str:
    """Return a name on one line, without marks of fences."""
    return re.sub(r"[\s<>]+", " ", name).strip()[:200]
