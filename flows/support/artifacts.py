"""Artifacts of a run in the Prefect UI: progress, table of cells, release report of each matter."""

from __future__ import annotations

import hashlib
import re
import sys
import threading
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flows.support.orders import Attempt
from flows.support.summary import CellSummary


def artifact_key(*parts: str) -> str:
    """Return a key Prefect accepts (lower case, digits, dashes), unique even where characters were dropped."""
    plain = "-".join(parts)
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:80]
    return f"{slug}-{hashlib.sha256(plain.encode()).hexdigest()[:8]}"


class RunArtifacts:
    """Publishes artifacts from the driver; a server that does not answer costs the artifact, never the run."""

    def __init__(self, run_id: str, total: int, done: int) -> None:
        self._run_id, self._total, self._done = run_id, max(total, 1), done
        self._lock = threading.Lock()
        self._progress: uuid.UUID | None = None
        self._shown = -1

    def start(self) -> None:
        """Create the progress artifact."""
        from prefect.artifacts import create_progress_artifact

        key = artifact_key(self._run_id, "progress")
        percent = 100.0 * self._done / self._total
        self._progress = _tried(create_progress_artifact, progress=percent, key=key, description="Ended attempts")

    def ended(self, attempt: Attempt, folder: Path) -> None:
        """Publish the release report of an attempt, and the progress each whole percent."""
        from prefect.artifacts import create_markdown_artifact, update_progress_artifact

        report = folder / "release.md"
        if report.is_file():
            key = artifact_key("release", attempt.run_id, attempt.matter_id, attempt.cell.name)
            text = report.read_text(encoding="utf-8")[:200_000]
            _tried(create_markdown_artifact, markdown=text, key=key, description=attempt.attempt_id)
        with self._lock:
            self._done += 1
            percent = int(100 * self._done / self._total)
            if self._progress is None or percent == self._shown:
                return
            self._shown = percent
        _tried(update_progress_artifact, artifact_id=self._progress, progress=float(percent))

    def cells(self, cells: Sequence[CellSummary]) -> None:
        """Publish the table of cells."""
        from prefect.artifacts import create_table_artifact

        rows = [cell.model_dump(mode="json") for cell in cells]
        _tried(create_table_artifact, table=rows, key=artifact_key(self._run_id, "cells"), description="Cells")


def publish_ledger(learn_id: str, lines: Sequence[str]) -> None:
    """Publish the learner's ledger, one line a row."""
    from prefect.artifacts import create_markdown_artifact

    text = "\n".join(f"- {line}" for line in lines) or "nothing yet"
    _tried(create_markdown_artifact, markdown=text, key=artifact_key(learn_id, "ledger"), description="Ledger")


def _tried(publish: Any, **arguments: Any) -> Any:
    try:
        return publish(**arguments)
    except Exception as exc:  # noqa: BLE001 - process boundary: records of a run never decide about the run
        print(f"artifact {arguments.get('key', '')} not recorded: {type(exc).__name__}", file=sys.stderr)
        return None
