"""Runs a body as a Prefect flow where records are wanted, and marks what a killed process left Running."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path

from flows.settings import Settings
from flows.support.processes import is_alive, leave_note
from flows.support.server import prefect_server
from tasks.matter.failures import SolonError


def recorded(
    name: str, run_name: str, settings: Settings, body: Callable[[], None], unrecorded: Callable[[], None]
) -> None:
    """Run ``body`` as a flow run; where there is no server to record it, run ``unrecorded``.

    A server that does not start costs the records, never the run: a line on stderr says so.
    """
    home = settings.home / "prefect"
    with contextlib.ExitStack() as stack:
        if settings.prefect != "off":
            try:
                stack.enter_context(prefect_server(home, keep=settings.keep_server))
            except SolonError as exc:
                print(f"{exc}. The run goes on without its records.", file=sys.stderr)
            else:
                _as_flow(name, run_name, home, body)
                return
    unrecorded()


def _as_flow(name: str, run_name: str, home: Path, body: Callable[[], None]) -> None:
    from prefect import flow
    from prefect.context import get_run_context

    notes = home / "running"
    notes.mkdir(parents=True, exist_ok=True)
    mark_crashed(notes)

    own: list[Path] = []

    def noted() -> None:
        own.append(leave_note(notes, str(get_run_context().flow_run.id)))  # type: ignore[union-attr]
        body()

    door = flow(name=name, flow_run_name=run_name, persist_result=False, validate_parameters=False)(noted)
    try:
        door()
    finally:
        for note in own:
            note.unlink(missing_ok=True)


def mark_crashed(notes: Path) -> list[str]:
    """Mark the flow runs of processes that are gone as crashed; returns their ids."""
    marked = []
    for note in sorted(notes.glob("*.json")):
        if not is_alive(note):
            _set_crashed(note.stem)
            note.unlink(missing_ok=True)
            marked.append(note.stem)
    return marked


def _set_crashed(flow_run_id: str) -> None:
    from uuid import UUID

    from prefect.client.orchestration import get_client
    from prefect.exceptions import PrefectException
    from prefect.states import Crashed

    with contextlib.suppress(PrefectException, ValueError), get_client(sync_client=True) as client:
        run = client.read_flow_run(UUID(flow_run_id))
        if run.state and not run.state.is_final():
            client.set_flow_run_state(run.id, Crashed(message="The process was killed."), force=True)
