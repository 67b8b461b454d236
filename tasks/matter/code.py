"""The version of a piece of our own code: a hash of its source and of everything of ours that it imports.

What is kept on disk is kept under the code that made it. A version number raised by hand would be forgotten, and
yesterday's result served for today's code.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_OURS = ("flows", "tasks", "knowledge_db", "skills_repo", "warehouse")
_IMPORT = re.compile(
    rf"^[ \t]*(?:from ((?:{'|'.join(_OURS)})[\w.]*) import (\([^)]*\)|[^\n]*)|import ((?:{'|'.join(_OURS)})[\w.]*))",
    re.MULTILINE,
)
_DATA = (".csv", ".toml", ".json", ".tsv")


@lru_cache(maxsize=32)
def code_version(*names: str) -> str:
    """Return a hash (12 hex digits) of modules and packages, and of all of ours that they import, however deep.

    Args:
        names: Dotted names. A package stands for every module below it, and for the tables that lie beside them; of a
            package that is only imported, the modules that are imported count. What is imported by a name in a string
            is not found: name its package.

    Raises:
        ModuleNotFoundError: There is no such module of ours.
    """
    seen: dict[str, bytes] = {}
    waiting = [file for name in names for file in _files(name)]
    while waiting:
        file = waiting.pop()
        key = file.relative_to(_ROOT).as_posix()
        if key not in seen:
            seen[key] = file.read_bytes()
            waiting.extend(_imported(file, seen[key]))
    digest = hashlib.sha256()
    for key in sorted(seen):
        digest.update(f"{key}\0{hashlib.sha256(seen[key]).hexdigest()}\n".encode())
    return digest.hexdigest()[:12]


def _files(name: str) -> Iterator[Path]:
    """Yield the source of a module, or of all modules of a package with their tables."""
    place = _ROOT.joinpath(*name.split("."))
    if place.with_suffix(".py").is_file():
        yield place.with_suffix(".py")
    elif (place / "__init__.py").is_file():
        yield from (f for f in place.rglob("*") if f.suffix in (".py", *_DATA) and "__pycache__" not in f.parts)
    else:
        raise ModuleNotFoundError(name)


def _imported(file: Path, source: bytes) -> Iterator[Path]:
    """Yield the files of ours that a module imports, at any depth of its code, and the tables beside the module."""
    if file.suffix != ".py":
        return
    for match in _IMPORT.finditer(source.decode("utf-8")):
        module = match[1] or match[3]
        parts = re.findall(r"\w+", match[2] or "")
        for name in (module, *(f"{module}.{part}" for part in parts)):
            place = _ROOT.joinpath(*name.split("."))
            found = (place.with_suffix(".py"), place / "__init__.py")
            yield from (f for f in found if f.is_file())
    yield from (f for f in file.parent.iterdir() if f.suffix in _DATA and f.is_file())
