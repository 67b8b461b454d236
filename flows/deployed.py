"""The flow a Prefect worker loads (``flows/deployed.py:corpus_flow``); nothing else imports Prefect at import time."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import deployment, flow_run
from prefect.states import Cancelled, Completed, Failed

from flows.scheduled import RunSkippedError, due_name, scheduled
from tasks.matter.failures import SolonError
from tasks.matter.lifetime import end_with_parent


def _schedule() -> str:
    return deployment.name or "corpus"


def _due_name(timezone: str = "UTC") -> str:
    return due_name(_schedule(), flow_run.scheduled_start_time, timezone)


def _run_name() -> str:
    return _due_name(str(flow_run.parameters.get("timezone", "UTC")))


@flow(name="corpus", flow_run_name=_run_name, log_prints=False)
def corpus_flow(
    corpus: str, cells: list[str], limit: int | None = None, epochs: int = 1, timezone: str = "UTC"
) -> State[None]:
    """Run a corpus by cells inside this flow run; the state and its message say how it ended."""
    end_with_parent()
    try:
        return Completed(message=scheduled(_schedule(), _due_name(timezone), corpus, cells, limit, epochs))
    except RunSkippedError as exc:
        return Cancelled(name="Skipped", message=str(exc))
    except SolonError as exc:
        return Failed(message=str(exc))
