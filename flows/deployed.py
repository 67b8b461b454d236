"""The flow a Prefect worker loads (``flows/deployed.py:corpus_flow``); nothing else imports Prefect at import time."""

from __future__ import annotations

from typing import Any

from prefect import flow

from flows.corpus import scheduled


@flow(name="corpus deployment", log_prints=False)
def corpus_flow(corpus: str, cells: list[str], limit: int | None = None, epochs: int = 1) -> dict[str, Any]:
    """Run a corpus by cells; the run it starts is recorded as a flow run of its own."""
    return scheduled(corpus, cells, limit, epochs)
