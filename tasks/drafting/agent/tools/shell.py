"""Commands, in the sandbox of the attempt alone."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import Field

from tasks.drafting.agent.tools.records import Arguments, OwnTool, Shown
from tasks.drafting.agent.tools.room import AgentDesk
from tasks.drafting.workspace.records import Bounds, Command, Ended, Ran, Sandbox

_LONGEST = 120.0  # seconds of one command
_SHELL = 'if command -v bash > /dev/null; then exec bash -c "$1"; else exec sh -c "$1"; fi'


class Bash(Arguments):
    """Arguments of ``bash``."""

    command: str
    seconds: float = Field(default=60.0, gt=0, le=_LONGEST, description="killed after so many")


def shell_tool(desk: AgentDesk, sandbox: Sandbox, left: Callable[[], float]) -> OwnTool:
    """Return the tool that runs commands.

    Args:
        desk: The room.
        sandbox: What confines them.
        left: Seconds that the attempt has left.
    """

    def bash(given: Bash) -> Shown:
        """Run a shell command in the room, without network; only output/ and scratch/ can be written."""
        bounds = Bounds(seconds=max(1.0, min(given.seconds, left())))
        ran = sandbox.run(Command(["/bin/sh", "-c", _SHELL, "sh", given.command]), desk.room, bounds)
        text = desk.bounded(_told(ran), "bash.txt")
        served = tuple(desk.served.recognised(text))
        desk.served.add(served)
        return Shown(text, ran.ended is not Ended.EXITED or bool(ran.exit_code), served, "bash_commands")

    return OwnTool("bash", Bash, bash)


def _told(ran: Ran) -> str:
    parts = [ran.stdout.rstrip(), ran.stderr.rstrip(), ran.note]
    if ran.ended is Ended.EXITED and ran.exit_code:
        parts.append(f"exit code {ran.exit_code}")
    return "\n".join(p for p in parts if p) or "(no output)"
