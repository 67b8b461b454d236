"""The ``basic`` runtime: one agent with LAB's six tools and Solon's toolbox by function calling."""

from __future__ import annotations

from pathlib import Path

from tasks.drafting.agent.attempt import AgentPass
from tasks.drafting.agent.conversation import KEPT
from tasks.drafting.agent.limits import Clock
from tasks.drafting.agent.opening import OPTION as OPENING
from tasks.drafting.agent.opening import demanded_tools
from tasks.drafting.briefing import wanted_file_names
from tasks.drafting.calling import outcome_of
from tasks.drafting.mechanisms.mandatory_tools import unused
from tasks.drafting.mechanisms.records import Moment
from tasks.drafting.records import DraftJob, WorkProduct
from tasks.drafting.trace import Trace
from tasks.drafting.workspace.collecting import collect
from tasks.drafting.workspace.records import Room
from tasks.drafting.workspace.room import close_room, open_room
from tasks.matter.failures import Failure, SolonError


class BasicRuntime:
    """Drafts with one model that calls tools. Expected failures are outcomes, never exceptions.

    Options of a cell: ``model`` (fields of a profile), ``opening`` (how much is told at the start, as
    ``agent.toml`` has it; chosen by the model's window where it is not set), ``sandbox``, ``mechanisms``.
    """

    name = "basic"
    model = True
    calls_tools = True
    options = (OPENING,)
    moments = frozenset({Moment.CALL, Moment.CONTEXT, Moment.FINISH, Moment.END})

    def draft(self, job: DraftJob) -> WorkProduct:
        """Draft, or go on with the conversation where the job carries a release report."""
        clock, failures = Clock.of(job), list[Failure]()
        trace = Trace.resume(job.workspace) if job.report else _anew(job.workspace)
        try:
            room = open_room(job.matter, job.texts, job.workspace)
        except SolonError as error:
            return WorkProduct(files=(), outcome="failed", failures=(error.failure,))
        attempt = AgentPass(job, room, trace, clock)
        try:
            for part in (attempt.run, attempt.land):
                try:
                    part()
                except SolonError as error:
                    failures.append(error.failure)
            return _ended(attempt, room, failures)
        finally:
            close_room(room)


def _anew(workspace: Path) -> Trace:
    (workspace / KEPT).unlink(missing_ok=True)
    return Trace.anew(workspace)


def _ended(attempt: AgentPass, room: Room, failures: list[Failure]) -> WorkProduct:
    """Close the trace and return the work product."""
    job, shares = attempt.job, attempt.served.shares()
    collected = collect(room.output)
    outcome = outcome_of(failures)
    there = {file.filename for file in collected.files}
    attempt.trace.close(
        outcome == "finished" and there.issuperset(wanted_file_names(job)),
        attempt.clock.seconds,
        list(shares),
        sorted({d.name for d in job.matter.documents} - set(shares)),
        len(job.matter.documents),
        documents_served=shares,
        mandatory_tools=list(demanded_tools(job)),
        mandatory_tools_unused=list(unused(attempt.view(""))),
        **attempt.about,
    )
    return WorkProduct(
        files=collected.files,
        outcome=outcome,
        final_message=attempt.said[-4000:],
        failures=(*failures, *collected.refused),
        firings=tuple(attempt.firings),
    )


RUNTIME = BasicRuntime()
