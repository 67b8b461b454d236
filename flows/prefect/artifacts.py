"""Artifacts of a run in the Prefect UI: progress, table of cells, release report of each matter."""

from __future__ import annotations

import hashlib
import re
import threading
import uuid
from collections.abc import Sequence
from pathlib import Path

from flows.prefect.link import Link
from flows.runs.orders import Attempt
from flows.runs.summary import CellSummary


def artifact_key(*parts: str) -> str:
    """Return a key Prefect accepts (lower case, digits, dashes), unique even where characters were dropped."""
    plain = "-".join(parts)
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:80]
    return f"{slug}-{hashlib.sha256(plain.encode()).hexdigest()[:8]}"


class RunArtifacts:
    """Publishes artifacts from the driver; if the server does not answer, the artifacts are lost, never the run."""

    def __init__(self, run_id: str, total: int, done: int, link: Link) -> None:
        self._run_id, self._total, self._done, self._link = run_id, max(total, 1), done, link
        self._lock = threading.Lock()
        self._progress: uuid.UUID | None = None
        self._shown = -1

    def start(self) -> None:
        """Create the progress artifact."""
        from prefect.artifacts import create_progress_artifact

        key = artifact_key(self._run_id, "progress")
        percent = 100.0 * self._done / self._total
        told = {"progress": percent, "key": key, "description": "Ended attempts"}
        made = self._link.ask("progress", create_progress_artifact, **told)
        self._progress = made if isinstance(made, uuid.UUID) else None

    def ended(self, attempt: Attempt, folder: Path) -> None:
        """Publish the release report of an attempt, and the progress at each whole per cent."""
        from prefect.artifacts import create_markdown_artifact, update_progress_artifact

        report = folder / "release.md"
        if report.is_file():
            key = artifact_key("release", attempt.run_id, attempt.matter_id, attempt.cell.name)
            text = report.read_text(encoding="utf-8")[:200_000]
            told = {"markdown": text, "key": key, "description": attempt.attempt_id}
            self._link.ask("release report", create_markdown_artifact, **told)
        with self._lock:
            self._done += 1
            percent = int(100 * self._done / self._total)
            if self._progress is None or percent == self._shown:
                return
            self._shown = percent
        self._link.ask("progress", update_progress_artifact, artifact_id=self._progress, progress=float(percent))

    def cells(self, cells: Sequence[CellSummary]) -> None:
        """Publish the table of cells."""
        from prefect.artifacts import create_table_artifact

        rows = [cell.model_dump(mode="json") for cell in cells]
        key = artifact_key(self._run_id, "cells")
        self._link.ask("table of cells", create_table_artifact, table=rows, key=key, description="Cells")


def publish_ledger(learn_id: str, lines: Sequence[str]) -> None:
    """Publish the learner's ledger, one line per row."""
    from prefect.artifacts import create_markdown_artifact

    text = "\n".join(f"- {line}" for line in lines) or "nothing yet"
    key = artifact_key(learn_id, "ledger")
    Link().ask("ledger", create_markdown_artifact, markdown=text, key=key, description="Ledger")
