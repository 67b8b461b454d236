"""One pass of an agent over a matter: lay out its room and tools, run the loop, and clean up its files."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasks.drafting.agent.conversation import Conversation, kept
from tasks.drafting.agent.hands import Hands
from tasks.drafting.agent.limits import Clock, circled
from tasks.drafting.agent.loop import Loop
from tasks.drafting.agent.opening import demanded_tools, open_conversation
from tasks.drafting.agent.tools.files import file_tools
from tasks.drafting.agent.tools.finding import finding_tools
from tasks.drafting.agent.tools.records import AgentTool
from tasks.drafting.agent.tools.room import AgentDesk
from tasks.drafting.agent.tools.serving import Served
from tasks.drafting.agent.tools.shell import shell_tool
from tasks.drafting.agent.tools.toolbox import BoxTool
from tasks.drafting.briefing import wanted_file_names
from tasks.drafting.calling import client_of
from tasks.drafting.fences import fence_code, fenced
from tasks.drafting.mechanisms.records import Compaction, Firing, Guard, Landing, Mechanism, Repair, Step, View
from tasks.drafting.mechanisms.registry import mechanisms_of
from tasks.drafting.records import DraftJob
from tasks.drafting.trace import Trace
from tasks.drafting.workspace.paths import Paths
from tasks.drafting.workspace.records import Room, Sandbox
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.matter.failures import FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.models.tokens import CHARS_PER_TOKEN
from tasks.sources.records import Span

SANDBOX = "sandbox"
"""Option of a cell: the sandbox that commands must run in; without one the first that works here is taken."""


@dataclass
class AgentPass:
    """What one pass works with, and what it leaves."""

    job: DraftJob
    room: Room
    trace: Trace
    clock: Clock
    served: Served = field(init=False)
    hands: Hands = field(default_factory=lambda: Hands({}))
    firings: list[Firing] = field(default_factory=list)
    mechanisms: Sequence[Mechanism] = ()
    said: str = ""
    about: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.served = Served(self.job.texts)

    def run(self) -> None:
        """Let the model work. However it ends, put the files in order.

        Raises:
            SolonError: A limit is met, or the model cannot be asked.
        """
        job, client = self.job, client_of(self.job)
        self.mechanisms = mechanisms_of(job.cell, job.harness, self._built)
        talk = Conversation(self.trace)
        tools = self._opened(talk, client)
        loop = Loop(
            client=client,
            talk=talk,
            hands=self.hands,
            tools=tools,
            clock=self.clock,
            settings=job.harness.agent,
            prompts=job.harness.prompts,
            files=", ".join(wanted_file_names(job)),
            view=self.view,
            delivered=self._delivered,
            guards=[m for m in self.mechanisms if isinstance(m, Guard)],
            compactions=[m for m in self.mechanisms if isinstance(m, Compaction)],
            firings=self.firings,
        )
        try:
            loop.run()
        finally:
            self.said = loop.said
            used = sorted({step.tool for step in self.hands.steps if not step.failed})
            talk.keep(job.workspace, used=used, served=self.served.spans())
        if loop.circled:
            raise circled(job.matter.matter_id, loop.circled)

    def land(self) -> None:
        """Let the mechanisms that act at the end put the files right."""
        for landing in (m for m in self.mechanisms if isinstance(m, Landing)):
            for firing in landing.landed(self.view(self.said)):
                self.trace.fired(firing)
                self.firings.append(firing)

    def view(self, said: str) -> View:
        """Return what a mechanism may see now."""
        job = self.job
        return View(
            brief=job.matter.instructions,
            wanted=tuple(d.filename for d in job.matter.deliverables),
            documents={name: text.text for name, text in job.texts.items()},
            output=self.room.output,
            scratch=self.room.scratch,
            steps=tuple(self.hands.steps),
            said=said,
            report=job.report,
            turn=self.trace.turn,
            fired=tuple(self.firings),
            asks=job.asks,
            demanded=demanded_tools(job),
        )

    def _opened(self, talk: Conversation, client: ModelClient) -> list[dict[str, Any]]:
        """Open the conversation, or go on with the one of the pass before; return the tools that are offered."""
        job, settings = self.job, self.job.harness.agent
        most = min(settings.result_most, int(settings.result_share * client.prompt_budget * CHARS_PER_TOKEN))
        sandbox = self._sandbox()
        repairs = [m for m in self.mechanisms if isinstance(m, Repair)]
        self.hands = Hands.of(self._tools(AgentDesk(self.room, self.served, most), sandbox), repairs)
        opened = open_conversation(job, self.hands, client.prompt_budget, client.tokens_of)
        self.about = {
            "sandbox": sandbox.name if sandbox else "",
            "opening": opened.size,
            "opening_tokens": opened.tokens,
        }
        before = kept(job.workspace) if job.report else {}
        if before:
            talk.messages = before["messages"]
            self._resume(before)
        else:
            talk.open(opened.messages)
        if job.report:
            talk.say(self._revision())
        return opened.tools

    def _resume(self, before: dict[str, Any]) -> None:
        """Take over what the earlier pass used and was shown."""
        self.hands.steps += [Step(0, str(name), {}) for name in before.get("used", ())]
        for name, spans in before.get("served", {}).items():
            if name in self.job.texts:
                self.served.add(Span(document=name, start=a, end=b) for a, b in spans)

    def _tools(self, desk: AgentDesk, sandbox: Sandbox | None) -> list[AgentTool]:
        """Return LAB's six tools and the toolbox; where both have a tool, ours is taken."""
        shell: list[AgentTool] = [shell_tool(desk, sandbox, lambda: self.clock.left)] if sandbox else []
        box: list[AgentTool] = [BoxTool(name, self.job.toolbox, desk) for name in self.job.toolbox.names()]
        return [*shell, *file_tools(desk), *finding_tools(desk), *box]

    def _sandbox(self) -> Sandbox | None:
        """Return the sandbox; None where there is none and the cell demands none: the agent then has no commands."""
        wanted = str(self.job.cell.options.get(SANDBOX, ""))
        try:
            return find_sandbox(wanted)
        except SolonError as error:
            if wanted or error.failure.cause is not FailureCause.SANDBOX:
                raise
            return None

    def _revision(self) -> str:
        job, prompts = self.job, self.job.harness.prompts
        code = fence_code([job.report])
        return prompts.agent_revise.filled(
            revision=prompts.reviser.filled(),
            report=fenced("REPORT", job.report.strip(), code),
            files=", ".join(wanted_file_names(job)),
        )

    def _delivered(self) -> bool:
        return bool(Paths(self.room).files("output"))  # a link is no work, and a closed folder no error

    def _built(self, markdown: str, name: str) -> bytes:
        """Return the bytes of a deliverable, made by the tool that makes them for the model."""
        file = self.room.output / f".landing-{secrets.token_hex(4)}{Path(name).suffix}"
        try:
            self.job.toolbox.call("build_deliverable", {"path": file.name, "markdown": markdown})
            return file.read_bytes()
        finally:
            file.unlink(missing_ok=True)
