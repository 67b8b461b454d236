"""Lays out what an agent program finds in its sandbox beside the room: instructions, skill, configuration, tools."""

from __future__ import annotations

import re
import shutil
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from string import Template

from tasks.drafting.cli_agents.instructions import instructions, skill, task
from tasks.drafting.cli_agents.proxies.aims import Aim
from tasks.drafting.cli_agents.proxies.tools import COMMAND
from tasks.drafting.cli_agents.records import Adapter, House, ProgramFound, misfit, trouble
from tasks.drafting.records import DraftJob
from tasks.drafting.workspace.records import ROOM, Bounds, Command, Room
from tasks.matter.failures import FailureCause

MODEL_PORT, TOOL_PORT = 18401, 18402  # of the sandbox's own loopback; nothing else listens there
PROCESSES = 512  # of a program, with all that it starts
HOME = ".agent"  # in scratch: state and configuration of the program
_TOOLS = "/solon/bin"
_EFFORT = "@effort"  # where the arguments of an effort go
_SESSION = re.compile(r"\w[\w-]{0,199}")  # as the program's stream says it, so it is no word of ours
_LARGEST_ARGUMENT = 120_000  # bytes; Linux takes 128 KiB in one


@dataclass(frozen=True)
class ProgramSession:
    """A conversation with the program.

    Attributes:
        again: Whether it goes on with one that a former pass began.
    """

    name: str
    again: bool = False


@dataclass(frozen=True)
class AskedOfProgram:
    """What the cell asks of the program: the model with its sizes, the effort, the turns."""

    model: str
    effort: str
    turns: int
    window: int
    reply: int
    model_seconds: float


def asked_of(aims: Sequence[Aim], turns: int) -> AskedOfProgram:
    """Return the sizes of the model that a program is given: they hold for every model that may answer."""
    profiles = [aim.profile for aim in aims]
    return AskedOfProgram(
        model=aims[0].model,
        effort=profiles[0].effort,  # that of the cell goes before it: see ``client_of``
        turns=turns,
        window=min(profile.context_window for profile in profiles),
        reply=min(profile.max_output_tokens for profile in profiles),
        model_seconds=sum(profile.timeout_seconds for profile in profiles),  # all of them may be asked in turn
    )


def lay_out(
    job: DraftJob,
    adapter: Adapter,
    house: House,
    program: ProgramFound,
    room: Room,
    asked: AskedOfProgram,
    session: ProgramSession,
) -> Command:
    """Write the files of a pass and return the command that starts it; its proxies are added by the caller.

    Raises:
        SolonError: The program does not know the effort, or takes no task of this length (``input``, ``capacity``).
    """
    told = task(job)
    folder = room.scratch.parent / "told"  # beside the room's folders: the agent is shown it read-only
    shutil.rmtree(folder, ignore_errors=True)
    return command_of(adapter, program, room, asked, session, told, _shown(job, house, folder, told))


def command_of(
    adapter: Adapter,
    program: ProgramFound,
    room: Room,
    asked: AskedOfProgram,
    session: ProgramSession,
    told: str,
    shown: Mapping[str, Path],
) -> Command:
    """Write the configuration of a program into its home and return the command that starts it, without its proxies.

    Args:
        adapter: The program as data.
        program: Where it lies.
        room: Its folders.
        asked: Model, effort and turns.
        session: New, or one that is continued.
        told: What it is to do.
        shown: What it finds beside the folders of the room, read-only, by the path inside.

    Raises:
        SolonError: As :func:`lay_out`.
    """
    home = room.scratch / HOME
    home.mkdir(mode=0o755, exist_ok=True)
    values = _values(asked, session, told)
    for place, text in adapter.call.files.items():
        _write(home / _filled(place, values).removeprefix(f"{values['home']}/"), _filled(text, values))
    if adapter.call.prompt == "argument" and len(told.encode()) > _LARGEST_ARGUMENT:
        message = f"{adapter.program} takes its task as one argument, and this one is too long for that."
        raise trouble(FailureCause.CAPACITY, adapter.name, message, "Use another agent.")
    return Command(
        words=[program.path, *(_filled(word, values) for word in _words(adapter, asked, session))],
        environment={
            "SOLON_TOOLS": values["tools"],
            "PATH": ":".join(
                (_TOOLS, str(Path(program.path).parent), *_interpreters(program), "/usr/local/bin:/usr/bin:/bin")
            ),
            **{name: _filled(value, values) for name, value in adapter.call.environment.items()},
        },
        stdin=told.encode("utf-8", "replace") if adapter.call.prompt == "stdin" else b"",
        shown={**shown, **{p: Path(p) for p in program.shown}},
    )


def check_effort(adapter: Adapter, effort: str) -> None:
    """Refuse an effort that a program does not know.

    Raises:
        SolonError: With cause ``input``.
    """
    if effort and effort not in adapter.call.efforts:
        known = ", ".join(adapter.call.efforts)
        message = f"{adapter.program} knows no effort {effort!r}."
        raise misfit(adapter.name, message, f"Use one of {known}." if known else "Leave the effort of the cell out.")


def _words(adapter: Adapter, asked: AskedOfProgram, session: ProgramSession) -> tuple[str, ...]:
    words = adapter.call.again if session.again else adapter.call.words
    check_effort(adapter, asked.effort)
    return _with_effort(words, adapter.call.effort if asked.effort else ())


def _with_effort(words: tuple[str, ...], effort: tuple[str, ...]) -> tuple[str, ...]:
    at = words.index(_EFFORT)
    return (*words[:at], *effort, *words[at + 1 :])


def _values(asked: AskedOfProgram, session: ProgramSession, told: str) -> dict[str, str]:
    return {
        "home": f"{ROOM}/scratch/{HOME}",
        "folder": ROOM,
        "models": f"http://127.0.0.1:{MODEL_PORT}",
        "tools": f"http://127.0.0.1:{TOOL_PORT}",
        "model": asked.model,
        "effort": asked.effort,
        "turns": str(asked.turns),
        "window": str(asked.window),
        "reply": str(asked.reply),
        "model_ms": str(int(asked.model_seconds * 1000)),
        "session": session.name,
        "task": f"{ROOM}/TASK.md",
        "prompt": told,
    }


def _filled(text: str, values: Mapping[str, str]) -> str:
    return Template(text).substitute(values)


def _shown(job: DraftJob, house: House, folder: Path, told: str) -> dict[str, Path]:
    """Return the files shown read-only, so that an agent misled by a document cannot rewrite its instructions."""
    name, text = skill(job)
    shown = {f"{ROOM}/TASK.md": _write(folder / "TASK.md", told)}
    said = _write(folder / "INSTRUCTIONS.md", instructions(job))
    shown |= {f"{ROOM}/{file}": said for file in house.instructions}
    _write(folder / "skills" / name / "SKILL.md", text)
    shown |= {f"{ROOM}/{place}": folder / "skills" for place in house.skills}
    command = folder / "bin" / "solon"
    _, _, script = COMMAND.read_text(encoding="utf-8").partition("\n")
    _write(command, f"#!{Path(sys.executable).resolve()} -IS\n{script}")  # the one interpreter every sandbox shows
    command.chmod(0o755)
    return {**shown, _TOOLS: command.parent, **_covered(job, house, folder)}


def _covered(job: DraftJob, house: House, folder: Path) -> dict[str, Path]:
    """Hide the documents whose names would make a program obey them; their text stays readable under ``text/``."""
    found: dict[str, Path] = {}
    for document in job.matter.documents:
        parts = PurePosixPath(document.name).parts
        for depth, part in enumerate(parts, start=1):
            if part.lower() in house.baits:
                place = f"{ROOM}/documents/{'/'.join(parts[:depth])}"
                whole = depth == len(parts)
                found[place] = _write(folder / "covered.txt", "") if whole else _empty(folder / "covered")
                break
    return found


def bounds_of(adapter: Adapter, seconds: float) -> Bounds:
    """Return the limits of a program for this working time."""
    return Bounds(
        seconds=seconds + 60,  # the watchdog ends it before; this is for a watchdog that died
        cpu_seconds=4 * seconds + 60,
        memory_mb=adapter.watch.memory_mb,
        address_mb=adapter.watch.address_mb,
        processes=PROCESSES,
    )


def with_proxies(command: Command, folder: Path) -> Command:
    """Return a command with its two proxies, whose sockets lie in a folder."""
    return replace(command, forwards={MODEL_PORT: folder / "model", TOOL_PORT: folder / "tools"})


def session_of(adapter: Adapter, job: DraftJob, home: Path, known: str) -> ProgramSession:
    """Return the session of a pass: a revision continues the earlier one, if it exists and the program can."""
    if job.report and _SESSION.fullmatch(known) and adapter.call.again and any(_kept(home, adapter.call.kept)):
        return ProgramSession(known, again=True)
    return ProgramSession(str(uuid.uuid4()))


def clean_home(home: Path, kept: tuple[str, ...]) -> None:
    """Remove the program's state except what its session needs, so that no setting or hook outlives its pass."""
    keep = set(_kept(home, kept))
    if home.is_symlink():
        home.unlink()
    for path in sorted(home.rglob("*"), reverse=True) if home.is_dir() else []:
        if path.is_symlink() or not path.is_dir():
            if path not in keep:
                path.unlink()
        elif not any(path.iterdir()):
            path.rmdir()


def _kept(home: Path, globs: tuple[str, ...]) -> list[Path]:
    return [p for glob in globs for p in home.glob(glob) if p.is_file() and not p.is_symlink()]


def _interpreters(program: ProgramFound) -> list[str]:
    return [*(str(Path(p).parent) for p in program.shown if Path(p).is_file() and p != program.path), *program.folders]


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="replace")
    path.chmod(0o644)
    return path


def _empty(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder
