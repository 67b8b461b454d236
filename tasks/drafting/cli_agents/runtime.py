"""The runtime of every agent program: room, proxies, sandbox, watchdog, and what became of it."""

from __future__ import annotations

import json
import secrets
import tempfile
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tasks.drafting.agent.opening import demanded_tools
from tasks.drafting.calling import client_of, outcome_of
from tasks.drafting.cli_agents.layout import (
    HOME,
    MODEL_PORT,
    TOOL_PORT,
    ProgramSession,
    asked_of,
    bounds_of,
    check_effort,
    clean_home,
    lay_out,
    session_of,
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
from tasks.drafting.cli_agents.proxies.target import check_given
from tasks.drafting.cli_agents.proxies.tools import ToolProxy
from tasks.drafting.cli_agents.records import Adapter, ProgramFound, adapter, house, trouble
from tasks.drafting.cli_agents.stream_reader import StreamReader
from tasks.drafting.cli_agents.verdict import Seen, failure_of
from tasks.drafting.cli_agents.watching import Watched, watch
from tasks.drafting.mechanisms.records import Firing, Landing, Mechanism, Moment, View
from tasks.drafting.mechanisms.registry import mechanisms_of
from tasks.drafting.records import Cell, DraftJob, Solver, WorkProduct
from tasks.drafting.workspace.collecting import collect
from tasks.drafting.workspace.records import Command, Room, Sandbox
from tasks.drafting.workspace.room import close_room, open_room
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.private import keep_private
from tasks.models.profile import ModelProfile

ROOM_FOLDER, RECORD = "room", "agent.json"
_LONGEST_TAIL = 4000  # bytes of what a program said last: its error, and what led to it


@dataclass(frozen=True)
class CliRuntime:
    """Drafts with an agent program. Expected failures are outcomes, never exceptions.

    Options of a cell: ``model`` (fields of a profile), ``sandbox`` (the one that is demanded).
    """

    name: str
    model: bool = True
    calls_tools: bool = True
    moments: frozenset[Moment] = frozenset({Moment.END})
    find: Callable[[Adapter], ProgramFound] = find_program
    sandboxes: Callable[[str], Sandbox] = find_sandbox

    def examined(self, cell: Cell, profiles: Sequence[ModelProfile]) -> str:
        """Return version and hash of the program; refuse what no matter could be drafted with, before the first.

        Raises:
            SolonError: No program, no sandbox, an effort that it does not know, a model that no proxy can reach.
        """
        made = adapter(self.name)
        found = self.find(made)
        self.sandboxes(str(cell.options.get("sandbox", "")))
        for profile in profiles:
            check_given(profile)
            check_effort(made, cell.effort or profile.effort)
        check_effort(made, cell.effort)
        return f"{made.program} {found.version} {found.sha256[:16]}"

    def draft(self, job: DraftJob) -> WorkProduct:
        """Draft, or go on with the session where the job carries a release report."""
        attempt = ProgramPass(job, adapter(self.name))
        try:
            attempt.run(self.find(attempt.adapter), self.sandboxes(str(job.cell.options.get("sandbox", ""))))
        except SolonError as error:
            attempt.failures.append(error.failure)
        except OSError as error:
            failure = f"The workspace of the agent could not be laid out: {error.strerror or error}."
            attempt.failures.append(trouble(FailureCause.SANDBOX, self.name, failure, "See `solon doctor`.").failure)
        return attempt.product()


@dataclass
class ProgramPass:
    """One pass of an agent program over a matter."""

    job: DraftJob
    adapter: Adapter
    failures: list[Failure] = field(default_factory=list)
    refused: list[Failure] = field(default_factory=list)
    firings: list[Firing] = field(default_factory=list)
    solver: Solver | None = None
    said: str = ""

    def run(self, program: ProgramFound, sandbox: Sandbox) -> None:
        """Let the program work.

        Raises:
            SolonError: It could not be started.
        """
        job = self.job
        client = client_of(job)
        model = ModelProxy(
            aims=aims_of(client, self.adapter.speaks),
            speech=self.adapter.speaks,
            ledger=job.models.ledger,
            turns=job.cell.limits.max_turns,
            flow=partial(log_request, client),
            carriers=Carriers(client.transport),
        )
        room = open_room(job.matter, job.texts, keep_private(job.workspace / ROOM_FOLDER))
        (job.workspace / "output").mkdir(exist_ok=True)
        if job.report:
            mirror(job.workspace / "output", room.output)
        tools = ToolProxy(job.toolbox, job.workspace, room.output)
        home = room.scratch / HOME
        clean_home(home, self.adapter.call.kept)
        session = session_of(self.adapter, job, home, str(self._before().get("session", "")))
        asked = asked_of(model.aims, job.cell.limits.max_turns)
        mechanisms = mechanisms_of(job.cell, job.harness, self._built)
        command = lay_out(job, self.adapter, house(), program, room, asked, session)
        try:
            reading, watched = self._work(command, room, sandbox, model, tools)
            left = mirror(room.output, job.workspace / "output", anew=True)
            self._land(mechanisms, room)
        finally:
            close_room(room)
        self._account(program, sandbox, session, reading, watched, model, tools, left)

    def _work(
        self, command: Command, room: Room, sandbox: Sandbox, model: ModelProxy, tools: ToolProxy
    ) -> tuple[StreamReader, Watched]:
        """Open the proxies, start the program and wait for its end; nothing of it is left when this returns."""
        streams = self.job.workspace / "streams"
        streams.mkdir(exist_ok=True)
        stdout, stderr = streams / "stdout", streams / "stderr"
        for stream in (stdout, stderr):
            stream.unlink(missing_ok=True)
        seconds = self.job.cell.limits.wall_seconds
        reading = StreamReader(self.adapter.stream, stdout)
        with ExitStack() as opened:
            proxies = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="solon-")))
            command = with_proxies(command, proxies)
            opened.enter_context(served(model, command.forwards[MODEL_PORT]))
            opened.enter_context(served(tools, command.forwards[TOOL_PORT]))
            probe_tools(command.forwards[TOOL_PORT], self.job.toolbox.names())
            tools.listed = 0  # from here on the agent alone asks
            process = sandbox.start(command, room, bounds_of(self.adapter, seconds), stdout, stderr)
            watched = watch(process, reading, stderr, model, tools, self.adapter.watch, seconds)
        _append(stdout, self.job.workspace / "transcript.jsonl", fresh=not self.job.report)
        _append(stderr, self.job.workspace / "stderr.txt", fresh=not self.job.report)
        if not reading.ended:
            self._keep_session_file(room)
        seen = Seen(self.adapter, house(), watched, reading, model, tools, _tail(stderr))
        if (failure := failure_of(seen)) is not None:
            self.failures.append(failure)
        self.said = reading.said
        return reading, watched

    def _land(self, mechanisms: Sequence[Mechanism], room: Room) -> None:
        """Let the mechanisms of the end put the files right; those of other moments have no place in a program."""
        job = self.job
        for landing in (m for m in mechanisms if isinstance(m, Landing)):
            view = View(
                brief=job.matter.instructions,
                wanted=tuple(d.filename for d in job.matter.deliverables),
                documents={name: text.text for name, text in job.texts.items()},
                output=job.workspace / "output",
                scratch=room.scratch,
                said=self.said,
                report=job.report,
                fired=tuple(self.firings),
                asks=job.asks,
                demanded=demanded_tools(job),
            )
            self.firings += landing.landed(view)

    def _built(self, markdown: str, name: str) -> bytes:
        """Return the bytes of a deliverable, made by the tool that makes them for the agent."""
        file = self.job.workspace / "output" / f".landing-{secrets.token_hex(4)}{Path(name).suffix}"
        try:
            self.job.toolbox.call("build_deliverable", {"path": file.name, "markdown": markdown})
            return file.read_bytes()
        finally:
            file.unlink(missing_ok=True)

    def _account(
        self,
        program: ProgramFound,
        sandbox: Sandbox,
        session: ProgramSession,
        reading: StreamReader,
        watched: Watched,
        model: ModelProxy,
        tools: ToolProxy,
        left: Sequence[str],
    ) -> None:
        """Keep what a reader of the attempt, and the next pass, want to know."""
        self.solver = Solver(
            program=self.adapter.program,
            version=program.version,
            sha256=program.sha256,
            sandbox=sandbox.name,
            tools=dict(sorted(tools.used.items())),
        )
        record: dict[str, Any] = {
            "session": reading.session or session.name,
            "continued": session.again,
            "end": watched.end.value,
            "exit_code": watched.exit_code,
            "seconds": round(watched.seconds, 3),
            "events": reading.events,
            "torn_lines": reading.torn,
            "stream_bytes": reading.size,
            "ended_by_its_stream": reading.ended,
            "model_calls": model.calls,
            "answered_by": dict(sorted(model.answered.items())),
            "translated_for": sorted(model.translated),
            "taken_out_of_requests": sorted(model.taken),
            "tools_listed": tools.listed,
            "tools_held_back": _held_back(self.job.toolbox.names(), model.offered),
            "tool_calls_refused": tools.failed,
            "left_out_of_output": list(left),
            **self.solver.model_dump(mode="json"),
        }
        self.refused += [_left_out(sentence) for sentence in left]
        (self.job.workspace / RECORD).write_text(json.dumps(record, indent=1, ensure_ascii=False), encoding="utf-8")

    def _before(self) -> dict[str, Any]:
        """Return the record of the pass before; empty where this is the first."""
        try:
            found = json.loads((self.job.workspace / RECORD).read_text(encoding="utf-8")) if self.job.report else {}
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _keep_session_file(self, room: Room) -> None:
        """Keep the program's own record where its stream broke off: it says what the stream does not."""
        if not self.adapter.stream.second:
            return
        found = [
            p for p in (room.scratch / HOME).glob(self.adapter.stream.second) if p.is_file() and not p.is_symlink()
        ]
        if found:
            latest = max(found, key=lambda p: p.stat().st_mtime_ns)
            _append(latest, self.job.workspace / "session.jsonl", fresh=True)

    def product(self) -> WorkProduct:
        """Return the work product, whatever the pass came to."""
        collected = collect(self.job.workspace / "output")
        return WorkProduct(
            files=collected.files,
            outcome=outcome_of(self.failures),
            trace_format=self.adapter.name,
            final_message=self.said[-4000:],
            failures=(*self.failures, *self.refused, *collected.refused),
            firings=tuple(self.firings),
            solver=self.solver,
        )


def _held_back(names: Sequence[str], offered: Collection[str]) -> list[str]:
    """Return the tools of ours that the program never offered its model; each gives them a prefix of its own."""
    return [name for name in names if not any(one == name or one.endswith(f"_{name}") for one in offered)]


def _left_out(sentence: str) -> Failure:
    remedy = "Leave plain files with plain names in output/."
    message = f"Left out of the work product: {sentence}."
    return Failure(cause=FailureCause.POLICY, stage="drafting", subject="output", message=message, remedy=remedy)


def _append(source: Path, target: Path, fresh: bool) -> None:
    """Add a stream of this pass to that of the passes before."""
    if not source.exists():
        return
    with source.open("rb") as read, target.open("wb" if fresh else "ab") as write:
        if write.tell():
            write.write(b"\n")
        while piece := read.read(2**20):
            write.write(piece)


def _tail(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - _LONGEST_TAIL))
        return stream.read(_LONGEST_TAIL).decode("utf-8", "replace")
