"""What an adapter says of an agent program: all that differs from one program to the next, as data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError

_R = TypeVar("_R", bound=Record)
Speech = Literal["messages", "chat", "responses"]
_FOLDER = Path(__file__).parent / "adapters"


class Preflight(Record):
    """What is asked of the program before money is spent.

    Attributes:
        version: Arguments that make it print its version; the first number of three parts counts.
        help: Arguments that make it print the flags that it has.
        flags: Words that must stand there.
        helpers: Programs that it starts and would otherwise fetch; shown where they are on PATH.
        hashed: Files whose hash tells the program, as globs from the folder that is shown to the sandbox; the
            executable itself where there are none (a launcher that never changes would tell nothing).
    """

    version: tuple[str, ...]
    help: tuple[str, ...]
    flags: tuple[str, ...]
    helpers: tuple[str, ...] = ()
    hashed: tuple[str, ...] = ()


class ProgramCall(Record):
    """How it is started. ``$model`` and the like are filled in (``layout``).

    Attributes:
        words: Arguments of a first pass; ``@effort`` is where those of an effort go.
        again: Arguments that continue a session; empty where a revision begins a new one.
        prompt: How it takes what it is to do.
        effort: Further arguments where the cell sets an effort.
        efforts: Values of the effort that the program knows.
        environment: Its variables.
        files: Configuration by path, written anew before each pass; ``$home`` is a folder of the agent's own.
        kept: Globs below ``$home`` of what a session needs to be continued; the rest of it is not kept.
    """

    words: tuple[str, ...]
    again: tuple[str, ...] = ()
    prompt: Literal["stdin", "argument"] = "stdin"
    effort: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    environment: Mapping[str, str] = Field(default_factory=dict)
    files: Mapping[str, str] = Field(default_factory=dict)
    kept: tuple[str, ...] = ()


class Stream(Record):
    """How its standard output is read: enough to know whether it ended, and how.

    A condition is a path and its value, ``*`` for any that is there; all of one table must hold.

    Attributes:
        form: One JSON object a line, or one object after a log.
        final: Conditions of the event that ends the work.
        failed: Conditions of an event that says that the work failed, whatever else it says.
        words: Where such an event tells why.
        said: Where an event holds words of the agent.
        session: Where an event names the session.
        second: Glob below ``$home`` of the session file, kept where the stream has no final event.
    """

    form: Literal["lines", "object"] = "lines"
    final: tuple[Mapping[str, Any], ...]
    failed: tuple[Mapping[str, Any], ...]
    words: tuple[str, ...]
    said: tuple[str, ...] = ()
    session: str = ""
    second: str = ""


class WatchLimits(Record):
    """How long is waited, and how much is taken.

    Attributes:
        idle_seconds: Silence of stream, model and tools together after which it counts as hung.
        linger_seconds: After its last event; some never exit.
        grace_seconds: To end by itself, once its model answers no more.
        stream_mb: Of standard output; more is a flood.
        memory_mb: Memory in use by all its processes together.
        address_mb: Address space of one of them. Engines of JavaScript reserve far more than they use.
    """

    idle_seconds: float = 300.0
    linger_seconds: float = 10.0
    grace_seconds: float = 8.0
    stream_mb: int = 64
    memory_mb: int = 4096
    address_mb: int = 0


class Adapter(Record):
    """One agent program.

    Attributes:
        name: The runtime, and its trace format.
        program: Name on PATH.
        speaks: Protocol in which it asks its model.
        exits: What exit codes without a last event mean; others mean nothing by themselves.
    """

    name: str
    program: str
    speaks: Speech
    preflight: Preflight
    call: ProgramCall
    stream: Stream
    watch: WatchLimits = WatchLimits()
    exits: Mapping[str, FailureCause] = Field(default_factory=dict)


class Cause(Record):
    """Words of an error that tell its cause."""

    pattern: str
    cause: FailureCause
    remedy: str


class House(Record):
    """What holds for every agent program.

    Attributes:
        instructions: File names under which the instructions lie in the working folder.
        skills: Folders there in which programs look for skills.
        baits: Names, in lower case, that some program would obey or load if a document of the data room bore them.
        causes: Tried in order on the words of an error.
    """

    instructions: tuple[str, ...]
    skills: tuple[str, ...]
    baits: tuple[str, ...]
    causes: tuple[Cause, ...]


class ProgramFound(Record):
    """The program as it stands on this machine.

    Attributes:
        path: Where it lies.
        sha256: Of what does the work (64 hex digits).
        shown: Folders and files that it needs inside a sandbox.
        folders: Of its helpers, for PATH.
        lacking: Helpers that are not on this machine: it works, and some of its own tools do not.
    """

    path: str
    version: str
    sha256: str
    shown: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def adapter(name: str) -> Adapter:
    """Return an adapter by the name of its runtime.

    Raises:
        SolonError: Its file is wrong (``input``).
    """
    return _read(name.replace("-", "_"), Adapter)


@lru_cache(maxsize=1)
def house() -> House:
    """Return what holds for every agent program."""
    return _read("house", House)


def adapter_names() -> tuple[str, ...]:
    """Return the names of all adapters, sorted."""
    found = (path.stem.replace("_", "-") for path in _FOLDER.glob("*.toml"))
    return tuple(sorted(name for name in found if name != "house"))


def _read(name: str, kind: type[_R]) -> _R:
    path = _FOLDER / f"{name}.toml"
    try:
        return kind.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise misfit(path.name, f"The adapter cannot be understood: {error}", "Correct the file.") from error


def misfit(subject: str, message: str, remedy: str) -> SolonError:
    """Return the failure of a program or a configuration with which nothing can be started."""
    return trouble(FailureCause.INPUT, subject, message, remedy)


def trouble(cause: FailureCause, subject: str, message: str, remedy: str = "") -> SolonError:
    """Return an error of this part of drafting."""
    return SolonError(Failure(cause=cause, stage="drafting", subject=subject, message=message, remedy=remedy))
