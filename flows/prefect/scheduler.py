"""What the scheduler of a Prefect server has done for its deployments; used by ``serve`` and ``doctor``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from tasks.matter.base import Record

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.client.schemas.objects import FlowRun

_LATE = timedelta(seconds=90)  # a served schedule starts within seconds


class ScheduleStanding(Record):
    """One deployment: whether its schedule is active, when its next run is due, and how many are overdue."""

    name: str
    active: bool
    next: datetime | None
    overdue: int

    @property
    def fault(self) -> str:
        """The fault of the deployment; empty when there is none."""
        if self.active and self.next is None:
            return f"{self.name} has no run scheduled"
        return f"{self.name} has {self.overdue} overdue runs" if self.active and self.overdue else ""


def standings(url: str, late: timedelta = _LATE) -> list[ScheduleStanding]:
    """Return the state of every deployment of a server."""
    now = datetime.now(UTC)
    found = []
    with _client(url) as client:
        for deployment in client.read_deployments():
            due = [run.expected_start_time for run in _waiting(client, deployment.id) if run.expected_start_time]
            found.append(
                ScheduleStanding(
                    name=deployment.name,
                    active=not deployment.paused and any(s.active for s in deployment.schedules),
                    next=min((d for d in due if d >= now), default=None),
                    overdue=sum(d < now - late for d in due),
                )
            )
    return found


def drop_missed(url: str, names: set[str]) -> dict[str, int]:
    """Cancel the runs that fell due while nothing served them: as with cron, a missed run is not repeated.

    Returns:
        How many, by the name of the schedule.
    """
    from prefect.client.schemas.objects import State
    from prefect.states import Cancelled

    now = datetime.now(UTC)
    missed: State[None] = Cancelled(name="Missed", message="Nothing served the schedule when this run was due.")
    dropped: dict[str, int] = {}
    with _client(url) as client:
        for deployment in client.read_deployments():
            if deployment.name not in names:
                continue
            for run in _waiting(client, deployment.id):
                if run.expected_start_time and run.expected_start_time < now:
                    client.set_flow_run_state(run.id, missed, force=True)
                    dropped[deployment.name] = dropped.get(deployment.name, 0) + 1
    return dropped


@contextmanager
def _client(url: str) -> Iterator[SyncPrefectClient]:
    from prefect.client.orchestration import SyncPrefectClient

    with SyncPrefectClient(api=url) as client:
        yield client


def _waiting(client: SyncPrefectClient, deployment_id: UUID) -> list[FlowRun]:
    from prefect.client.schemas.filters import DeploymentFilter, DeploymentFilterId, FlowRunFilter

    return client.read_flow_runs(
        deployment_filter=DeploymentFilter(id=DeploymentFilterId(any_=[deployment_id])),
        flow_run_filter=FlowRunFilter.model_validate({"state": {"type": {"any_": ["SCHEDULED"]}}}),
    )
