"""One pass of the agent program in its sandbox, with a proxy to its model and one to its tool; its end, typed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from tasks.drafting.cli_agents.layout import (
    HOME,
    MODEL_PORT,
    TOOL_PORT,
    ProgramSession,
    asked_of,
    bounds_of,
    clean_home,
    command_of,
    with_proxies,
)
from tasks.drafting.cli_agents.mirror import mirror
from tasks.drafting.cli_agents.preflight import find_program
from tasks.drafting.cli_agents.probing import probe_tools
from tasks.drafting.cli_agents.proxies.aims import aims_of
from tasks.drafting.cli_agents.proxies.carrying import Carriers
from tasks.drafting.cli_agents.proxies.flow import log_request
from tasks.drafting.cli_agents.proxies.model import ModelProxy
from tasks.drafting.cli_agents.proxies.serving import served
from tasks.drafting.cli_agents.proxies.tools import ToolProxy
from tasks.drafting.cli_agents.records import Adapter, ProgramFound, house
from tasks.drafting.cli_agents.stream_reader import StreamReader
from tasks.drafting.cli_agents.verdict import Seen, failure_of
from tasks.drafting.cli_agents.watching import watch
from tasks.drafting.records import Toolbox
from tasks.drafting.workspace.records import ROOM, Room, Sandbox
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.matter.failures import Failure
from tasks.models.client import ModelClient

TURNS: Final = 200  # of one session; a bound against a program that never ends
SECONDS: Final = 3600.0  # of one session; the other bound


@dataclass(frozen=True)
class Program:
    """What runs the agent.

    Attributes:
        find, sandboxes: Replaced by tests.
        seconds: Wall time of a pass.
    """

    adapter: Adapter
    find: Callable[[Adapter], ProgramFound] = find_program
    sandboxes: Callable[[], Sandbox] = find_sandbox
    seconds: float = SECONDS


@dataclass(frozen=True)
class Pass:
    """What a pass came to.

    Attributes:
        failure: Why it did not end well; None where it did.
        session: As the program named it; empty where it named none.
        final: Whether no further pass could go better (its login, its budget).
        stream: Its transcript.
    """

    failure: Failure | None
    session: str
    final: bool
    stream: Path


def run_pass(
    program: Program,
    client: ModelClient,
    room: Room,
    told: Mapping[str, str],
    toolbox: Callable[[Path], Toolbox],
    session: ProgramSession,
    kept: Path,
) -> Pass:
    """Let the program work on its room; what it leaves in ``output`` is copied to ``kept/output`` as plain files.

    Args:
        program: What runs it.
        client: Of the model that it is given; its account is charged.
        room: Its room.
        told: Text of the task and of its instructions (``task``, ``instructions``).
        toolbox: Makes its tools over the folder that holds its output while they are called.
        session: New, or one that goes on.
        kept: Folder of the iteration.

    Raises:
        SolonError: It cannot be started: no program, no sandbox, a model that it cannot speak to.
    """
    adapter, found, sandbox = program.adapter, program.find(program.adapter), program.sandboxes()
    (kept / "output").mkdir(parents=True, exist_ok=True)
    model = ModelProxy(
        aims=aims_of(client, adapter.speaks),
        speech=adapter.speaks,
        ledger=client.ledger,
        turns=TURNS,
        flow=partial(log_request, client),
        carriers=Carriers(client.transport),
    )
    tools = ToolProxy(toolbox(kept), kept, room.output)
    clean_home(room.scratch / HOME, adapter.call.kept)
    command = command_of(adapter, found, room, asked_of(model.aims, TURNS), session, told["task"], _shown(room, told))
    stdout, stderr = kept / "transcript.jsonl", kept / "stderr.txt"
    for stream in (stdout, stderr):
        stream.unlink(missing_ok=True)
    reading = StreamReader(adapter.stream, stdout)
    with ExitStack() as opened:
        proxies = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="solon-")))
        command = with_proxies(command, proxies)
        opened.enter_context(served(model, command.forwards[MODEL_PORT]))
        opened.enter_context(served(tools, command.forwards[TOOL_PORT]))
        probe_tools(command.forwards[TOOL_PORT], tools.toolbox.names())
        tools.listed = 0
        process = sandbox.start(command, room, bounds_of(adapter, program.seconds), stdout, stderr)
        watched = watch(process, reading, stderr, model, tools, adapter.watch, program.seconds)
    mirror(room.output, kept / "output", anew=True)
    said = stderr.read_bytes()[-4000:].decode("utf-8", "replace") if stderr.exists() else ""
    failure = failure_of(Seen(adapter, house(), watched, reading, model, tools, said))
    return Pass(failure, reading.session, model.stop is not None, stdout)


def _shown(room: Room, told: Mapping[str, str]) -> dict[str, Path]:
    """Return what is shown read-only: the agent cannot rewrite what it was told."""
    folder = room.scratch.parent / "told"
    folder.mkdir(exist_ok=True)
    files = {f"{ROOM}/TASK.md": "task", **{f"{ROOM}/{name}": "instructions" for name in house().instructions}}
    for what, text in told.items():
        (folder / f"{what}.md").write_text(text, encoding="utf-8")
    return {place: folder / f"{what}.md" for place, what in files.items()}
