"""Checks an agent program before money is spent: is it installed, which version, does it have the flags we use."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from tasks.drafting.cli_agents.records import Adapter, ProgramFound, misfit

_VERSION = re.compile(r"\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.-]+)?")
_SECONDS = 90.0  # for a program that only says its version; its first start may unpack it, on a busy machine
_STEP = 2**20  # bytes read at once
_SEEN_INSIDE = ("/usr", "/bin", "/lib", "/lib64", "/sbin")


def find_program(adapter: Adapter) -> ProgramFound:
    """Return the program of an adapter as it stands on this machine.

    Raises:
        SolonError: It is not on PATH, does not start, or lacks a flag (``input``): one clear line before the run.
    """
    path = shutil.which(adapter.program)
    if path is None:
        message = f"The program {adapter.program} is not on PATH."
        raise misfit(adapter.name, message, f"Install it, or add its folder to PATH; cells of {adapter.name} need it.")
    real = Path(path).resolve()
    facts = real.stat()
    return _examined(adapter.name, path, str(real), facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=32)
def _examined(name: str, path: str, real: str, _changed: int, _size: int) -> ProgramFound:
    """Ask a program once per process, as long as its file stays the same."""
    from tasks.drafting.cli_agents.records import adapter as adapter_of

    return examine(adapter_of(name), Path(path), Path(real))


def examine(adapter: Adapter, path: Path, real: Path) -> ProgramFound:
    """Ask a program for its version and its flags; raises as :func:`find_program`."""
    version = _VERSION.search(_said(adapter, path, adapter.preflight.version))
    if version is None:
        words = " ".join((adapter.program, *adapter.preflight.version))
        raise misfit(adapter.name, f"{words} tells no version.", "Install the program anew.")
    known = set(re.findall(r"--?[A-Za-z][\w-]*|[\w-]+", _said(adapter, path, adapter.preflight.help)))
    if lacking := [flag for flag in adapter.preflight.flags if flag not in known]:
        message = f"{adapter.program} {version[0]} does not know {', '.join(lacking)}."
        raise misfit(adapter.name, message, "Install a version of the program that does.")
    helpers = {name: shutil.which(name) for name in adapter.preflight.helpers}
    there = [Path(found).resolve() for found in helpers.values() if found]
    shown = dict.fromkeys([*needed_inside(path, real), *(p for p in there if not _seen_inside(p))])
    return ProgramFound(
        path=str(path),
        version=version[0],
        sha256=_hash(_working_files(adapter, real)),
        shown=tuple(str(p) for p in shown),
        folders=tuple(dict.fromkeys(str(p.parent) for p in there)),
        lacking=tuple(name for name, found in helpers.items() if not found),
    )


def needed_inside(path: Path, real: Path) -> tuple[Path, ...]:
    """Return what a sandbox must show: the program with its package, and a script's interpreter.

    Each is shown under its own path, for packages hold paths of their own parts.
    """
    found = [_package(real), *([] if path == real else [path] if not path.is_relative_to(_package(real)) else [])]
    interpreter = _interpreter(real)
    if interpreter is not None:
        found += [interpreter, *([_package(interpreter.resolve())] if interpreter.is_symlink() else [])]
    wanted = [p for p in dict.fromkeys(found) if not _seen_inside(p)]
    return tuple(p for p in wanted if not any(p != q and p.is_relative_to(q) for q in wanted))


def _seen_inside(path: Path) -> bool:
    """Whether every sandbox shows a path anyway."""
    return any(path.is_relative_to(folder) for folder in _SEEN_INSIDE)


def _package(real: Path) -> Path:
    """Return the folder that a program was installed into; the file alone where it belongs to no package."""
    above = [p for p in real.parents if p.name == "node_modules"]
    if above:
        return above[-1]
    return next((p for p in real.parents if (p / "pyvenv.cfg").is_file()), real)


def _interpreter(script: Path) -> Path | None:
    with script.open("rb") as stream:
        first = stream.readline(200)
    if not first.startswith(b"#!"):
        return None
    words = first[2:].decode("utf-8", "replace").split()
    if not words:
        return None
    named = shutil.which(words[-1]) if Path(words[0]).name == "env" else words[0]
    return Path(named) if named and Path(named).exists() else None


def _said(adapter: Adapter, path: Path, words: Sequence[str]) -> str:
    """Return what the program prints, in an empty home and without any variable of ours."""
    with tempfile.TemporaryDirectory(prefix="solon-agent-") as home:
        folders = dict.fromkeys((str(path.parent), *os.environ.get("PATH", os.defpath).split(os.pathsep)))
        environment = {"HOME": home, "PATH": os.pathsep.join(folders), "NO_COLOR": "1", "COLUMNS": "200"}
        try:
            ran = subprocess.run(
                [str(path), *words],
                env=environment,
                cwd=home,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            message = f"{' '.join((adapter.program, *words))} did not run ({type(error).__name__})."
            raise misfit(adapter.name, message, "Install the program anew.") from error
    said = ran.stdout + ran.stderr
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", said.decode("utf-8", "replace"))


def _working_files(adapter: Adapter, real: Path) -> list[Path]:
    package = _package(real)
    found = [p for glob in adapter.preflight.hashed for p in sorted(package.glob(glob)) if p.is_file()]
    return found or [real]


def _hash(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        for piece in _pieces(file):
            digest.update(piece)
    return digest.hexdigest()


def _pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        while piece := stream.read(_STEP):
            yield piece
