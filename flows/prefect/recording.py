"""Runs a body as a Prefect flow if records are wanted, and marks runs that a killed process left as Running."""

from __future__ import annotations

import contextlib
import contextvars
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from pathlib import Path
from uuid import UUID

from flows.prefect.link import Link
from flows.prefect.processes import is_alive, leave_note
from flows.prefect.server import prefect_server
from flows.runs.progress import write_status
from flows.settings import Settings
from tasks.matter.failures import SolonError

Body = Callable[[], None]

_OPENING, _CLOSING, _STOPPING = 60.0, 15.0, 5.0  # seconds for a server to open a flow run, to close it, to stop it
_GOING = ["PENDING", "RUNNING", "SCHEDULED", "PAUSED", "CANCELLING"]


def recorded(
    name: str,
    run_name: str,
    settings: Settings,
    body: Body,
    unrecorded: Body,
    *,
    link: Link | None = None,
    stop: Body | None = None,
) -> None:
    """Run ``body`` as a flow run of Prefect, or ``unrecorded`` where no server is there to record it.

    If the server does not start, or dies meanwhile, the records are lost but never the run: a line on stderr says so.
    Inside a flow run of the same name (a deployment started it) the body runs in that one.

    Args:
        name: Of the flow.
        run_name: Of the flow run.
        settings: What is in force.
        body: The work.
        unrecorded: The same work where nobody records it.
        link: The way to the server, shared with the artifacts of the run.
        stop: Makes the body end soon; called when this process is told to end.
    """
    home, link = settings.home / "prefect", link or Link()
    with contextlib.ExitStack() as stack:
        if settings.prefect != "off":
            try:
                stack.enter_context(prefect_server(home, keep=settings.keep_server))
            except SolonError as exc:
                write_status(f"{exc}. The run goes on without its records.")
            else:
                notes = home / "running"
                link.ask("what a killed process left", mark_crashed, notes)
                if _Recording(name, run_name, notes, link).run(body, stop):
                    return
        unrecorded()


class _Recording:
    """One body in one flow run. Errors of the body are raised; errors of Prefect around it are only reported."""

    def __init__(self, name: str, run_name: str, notes: Path, link: Link) -> None:
        self._name, self._run_name, self._notes, self._link = name, run_name, notes, link
        self._lock, self._begun, self._ended = threading.Lock(), threading.Event(), threading.Event()
        self._given_up = False
        self._note: Path | None = None
        self._raised: BaseException | None = None  # by the body
        self._beside: BaseException | None = None  # by Prefect, or what it made of the body's error

    def run(self, body: Body, stop: Body | None) -> bool:
        """Run the body; return False without starting it if the server does not open a flow run."""
        outer = _open_flow()
        if outer == self._name:
            self._noted(body)
        elif outer:
            self._in_flow(body)  # the deadlines of the outer flow hold for this one too
            self._give_up_unless_begun()
        else:
            self._apart(body, stop)
        if self._note and not self._link.cut:
            self._note.unlink(missing_ok=True)
        if self._raised:
            raise self._raised
        return not self._given_up

    def _apart(self, body: Body, stop: Body | None) -> None:
        """Run the flow in a thread that can be abandoned."""
        import prefect.flows  # noqa: F401 - here, and not in a thread that may be left in the middle of it

        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(self._in_flow, body), name="flow run", daemon=True)
        thread.start()
        try:
            deadline = time.monotonic() + _OPENING
            while not self._begun.wait(0.1) and thread.is_alive() and time.monotonic() < deadline:
                pass
            self._give_up_unless_begun()
            if not self._given_up:
                self._ended.wait()
                thread.join(_CLOSING)
                self._say_how_it_closed(thread)
                self._link.ask("the last task runs", _drain)  # the server may be stopped next
        except BaseException:  # told to end: the flow run hears of it when the body ends soon
            if stop:
                stop()
                thread.join(_STOPPING)
                self._link.ask("the last task runs", _drain)
            if thread.is_alive():
                self._link.give_up("interrupted")  # the note stays, and the next start marks the run
            raise

    def _give_up_unless_begun(self) -> None:
        with self._lock:
            self._given_up = not self._begun.is_set()
        if self._given_up:
            self._link.give_up(type(self._beside).__name__ if self._beside else f"no answer for {_OPENING:g} s")

    def _say_how_it_closed(self, thread: threading.Thread) -> None:
        if thread.is_alive():
            self._link.give_up(f"no answer for {_CLOSING:g} s")
        elif self._beside and not self._raised:
            self._link.give_up(type(self._beside).__name__)

    def _in_flow(self, body: Body) -> None:
        from prefect import flow

        def within() -> None:
            with self._lock:
                if self._given_up:
                    raise CancelledError
                self._begun.set()
            self._noted(body)
            if isinstance(self._raised, CancelledError):
                raise KeyboardInterrupt  # Prefect's word for a run that was stopped: crashed, not failed
            if self._raised:
                raise self._raised

        shown = flow(name=self._name, flow_run_name=self._run_name, persist_result=False, validate_parameters=False)
        try:
            shown(within)()
        except BaseException as exc:  # noqa: BLE001 - process boundary: what the body raised is kept apart
            self._beside = exc

    def _noted(self, body: Body) -> None:
        from prefect.context import get_run_context

        self._begun.set()
        self._note = leave_note(self._notes, str(get_run_context().flow_run.id))  # type: ignore[union-attr]
        try:
            body()
        except BaseException as exc:  # noqa: BLE001 - raised again by ``run``, whatever Prefect makes of it
            self._raised = exc
        finally:
            self._ended.set()


def _drain() -> None:
    """Send what Prefect still holds in its queues."""
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogWorker

    for worker in (EventsWorker, APILogWorker):
        worker.drain_all(timeout=_STOPPING, at_exit=False)


def _open_flow() -> str:
    """Return the name of the flow that is open in this context; empty when there is none."""
    if "prefect.context" not in sys.modules:
        return ""
    from prefect.context import FlowRunContext

    context = FlowRunContext.get()
    return context.flow.name if context and context.flow else ""


def mark_crashed(notes: Path) -> list[str]:
    """Mark the flow runs of processes that are gone as crashed, with their task runs; returns their ids."""
    marked = []
    for note in sorted(notes.glob("*.json")):
        if not is_alive(note):
            _set_crashed(note.stem)
            note.unlink(missing_ok=True)
            marked.append(note.stem)
    return marked


def _set_crashed(flow_run_id: str) -> None:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId, TaskRunFilter
    from prefect.client.schemas.objects import State
    from prefect.exceptions import ObjectNotFound
    from prefect.states import Crashed

    state: State[None] = Crashed(message="The process was killed.")
    # a run that the server does not know: its records lie with another server
    with contextlib.suppress(ObjectNotFound, ValueError), get_client(sync_client=True) as client:
        run = client.read_flow_run(UUID(flow_run_id))
        if run.state and not run.state.is_final():
            client.set_flow_run_state(run.id, state, force=True)
        of_run = FlowRunFilter(id=FlowRunFilterId(any_=[run.id]))
        going = TaskRunFilter.model_validate({"state": {"type": {"any_": _GOING}}})
        for task in client.read_task_runs(flow_run_filter=of_run, task_run_filter=going):
            client.set_task_run_state(task.id, state, force=True)
