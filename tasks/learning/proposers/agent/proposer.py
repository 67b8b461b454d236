"""The proposer ``agent``: an iteration is one session of a CLI agent, audited before anything of it is kept."""

from __future__ import annotations

import shutil
import time
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Literal

from tasks.drafting.cli_agents.layout import HOME, ProgramSession
from tasks.drafting.cli_agents.proxies.target import check_given
from tasks.learning import ledger
from tasks.learning.proposers import showing
from tasks.learning.proposers.agent.checking import NAME, Checks
from tasks.learning.proposers.agent.pending import PENDING
from tasks.learning.proposers.agent.room import close_room, edits_of, open_room, pending_of, unusable
from tasks.learning.proposers.agent.running import Program, run_pass
from tasks.learning.proposers.agent.touched import touched
from tasks.learning.records import Edit, LearnerInput, Surface
from tasks.learning.slices import LEAST
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.private import keep_private
from tasks.models.client import ModelClient

WITHOUT_GAIN: Final = 5
"""Iterations in a row without an accepted edit after which the run stops."""
PASSES: Final = 3
"""Passes of an iteration: the first, and two that go on with the session after a failure that may pass."""
_MAY_PASS: Final = frozenset({FailureCause.PROVIDER, FailureCause.TIMEOUT})
_PAUSE: Final = 5.0  # seconds before the second try; each further one waits twice as long
_LONGEST_PAUSE: Final = 60.0  # seconds


class Iteration(Record):
    """What is kept of an iteration beside its files.

    Attributes:
        void: Why nothing of it was kept; empty where it stands.
        session: The session that a later iteration goes on with; empty where it begins a new one.
    """

    schema_version: Literal[1] = 1
    passes: int
    void: str = ""
    session: str = ""


class AgentProposer:
    """Lets an agent copy and adapt the harness in a sandbox; the difference comes back as edits, gated like all."""

    name = "agent"

    def __init__(
        self,
        surfaces: Sequence[Surface],
        home: Path,
        client: Callable[[], ModelClient],
        program: Program,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Set it up.

        Args:
            surfaces: Surfaces that it may edit.
            home: Folder of the learning run.
            client: Opens the client of the model that the agent is given.
            program: The agent program.
            wait: Called with seconds before a pass that goes on.
        """
        self._surfaces, self._home, self._client = tuple(surfaces), home, client
        self._program, self._wait = program, wait

    def preflight(self, minibatch: int) -> None:
        """Refuse what no iteration could begin with, before a matter is run.

        Args:
            minibatch: Matters of a step.

        Raises:
            SolonError: Too few for two slices, no program, a model that no proxy can reach (``input``), or no sandbox
                (``sandbox``).
        """
        if minibatch < 2 * LEAST:
            raise _misuse(f"needs {2 * LEAST} matters for its two slices", f"set --minibatch {2 * LEAST}")
        self._program.find(self._program.adapter)
        self._program.sandboxes()
        client = self._client()
        for profile in (client.profile, *client.fallbacks):
            check_given(profile)

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        """Return what the agent changed, at most ``limit`` files.

        Raises:
            SolonError: The run is to stop (``budget``), the minibatch is too small for two slices or the program does
                not fit (``input``), the iteration is void (``policy``) or of no use (``unknown``), or the program
                failed.
        """
        self._check(given)
        folder = keep_private(self._home / "proposer") / f"iteration-{self._number():04d}"
        room = open_room(self._home, given, self._surfaces)
        told = {"task": self._task(given), "instructions": self._instructions(limit)}
        tools = partial(Checks, given=given, surfaces=self._surfaces)
        session, ended = self._session(room.scratch / HOME), None
        for number in range(1, PASSES + 1):
            ended = run_pass(self._program, self._client(), room, told, tools, session, folder)
            if void := touched(ended.stream, self._program.adapter.name):
                raise self._void(folder, number, void)
            if ended.failure is None or ended.final or ended.failure.cause not in _MAY_PASS or number == PASSES:
                break
            if ended.session and self._program.adapter.call.again:
                session = ProgramSession(ended.session, again=True)
            self._wait(min(_LONGEST_PAUSE, _PAUSE * 2**number))
        assert ended is not None
        self._note(folder, Iteration(passes=number, session="" if ended.failure else ended.session or session.name))
        if ended.failure is not None:
            raise SolonError(ended.failure)
        return self._read(folder, given, limit)

    def _read(self, folder: Path, given: LearnerInput, limit: int) -> list[Edit]:
        close_room(self._home)
        pending = pending_of(folder / "output", given)
        edits = edits_of(folder / "output", given, self._surfaces, pending)
        if len(edits) > limit:
            raise unusable(f"changed {len(edits)} files where {limit} may change")
        return edits

    def _check(self, given: LearnerInput) -> None:
        if self._program.adapter.stream.form != "lines":
            raise _misuse("tells its calls too late to be audited", "choose another agent with --proposer-agent")
        if len(given.keys) < 2 * LEAST:
            message = f"needs {2 * LEAST} matters for its two slices, and there are {len(given.keys)}"
            raise _misuse(message, f"learn with --minibatch {2 * LEAST} or more")
        lost = self._without_gain()
        if lost >= WITHOUT_GAIN:
            message = f"The last {lost} iterations brought no accepted edit: the agent stops."
            remedy = "Begin another learning run, or choose another proposer."
            raise SolonError(
                Failure(cause=FailureCause.BUDGET, stage="learning", subject=self.name, message=message, remedy=remedy)
            )
        self._client().ledger.check()

    def _without_gain(self) -> int:
        """Count the steps since the last accepted edit; the ledger says it, also after a restart."""
        rows = [row for row in ledger.read(self._home / "ledger.jsonl") if row.proposer == self.name and not row.beside]
        gained = {row.step for row in rows if row.accepted}
        return len({row.step for row in rows if row.step > max(gained, default=-1)})

    def _number(self) -> int:
        return len(list((self._home / "proposer").glob("iteration-*")))

    def _session(self, home: Path) -> ProgramSession:
        """Return the session of the iteration before, where it ended well and its files are still there."""
        said = sorted((self._home / "proposer").glob("iteration-*/iteration.json"))
        name = Iteration.model_validate_json(said[-1].read_bytes()).session if said else ""
        call = self._program.adapter.call
        if name and call.again and any(p.is_file() for glob in call.kept for p in home.glob(glob)):
            return ProgramSession(name, again=True)
        return ProgramSession(str(uuid.uuid4()))

    def _void(self, folder: Path, passes: int, why: str) -> SolonError:
        """Keep nothing of an iteration but that it was void: neither its files, nor its words, nor its session."""
        shutil.rmtree(folder, ignore_errors=True)
        close_room(self._home, forget=True)
        self._note(folder, Iteration(passes=passes, void=why))
        remedy = "Nothing of it was kept; the next one begins a new session."
        return SolonError(
            Failure(
                cause=FailureCause.POLICY,
                stage="learning",
                subject=self.name,
                message=f"The iteration is void: {why}.",
                remedy=remedy,
            )
        )

    @staticmethod
    def _note(folder: Path, iteration: Iteration) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "iteration.json").write_text(iteration.model_dump_json(indent=1), encoding="utf-8")

    def _instructions(self, limit: int) -> str:
        return showing.prompts()["agent"].filled(least=str(LEAST), limit=str(limit), pending=PENDING, tool=NAME)

    def _task(self, given: LearnerInput) -> str:
        failed = sum(one.failed for one in given.signals)
        counts = f"{len(given.signals)} attempts at {len(given.keys)} matters, {failed} failed criteria"
        return showing.prompts()["agent_task"].filled(counts=counts, surfaces=", ".join(self._surfaces))


def _misuse(message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="learning", subject="agent", message=message, remedy=remedy)
    )
