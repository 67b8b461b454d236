"""Result folders of the Psionic runner: score_report.json beside run/ with its record, receipts and transcript."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from flows.imports.reading import moment, read_json, seconds, slug, task_id, transcript_of, verdicts, work_files
from flows.imports.records import NOT_TOLD, ImportedVerdicts, Told
from tasks.matter.base import content_hash
from tasks.matter.failures import Outcome
from tasks.matter.usage import Usage
from tasks.tracing import values

MARKS: Final = ("score_report.json", "run/run_record.json")
READS: Final = (*MARKS, *(f"run/{n}" for n in ("config.json", "run_receipt.json", "metrics.json", "transcript.jsonl")))
_MILLI: Final = 1e-3  # seconds; the receipts give milliseconds
_MICRO: Final = 1e-6  # US dollars; the receipts give millionths
_ROOM: Final = re.compile(r"(?:^|/)documents/")
_ENDS: Final[dict[str, Outcome]] = {  # a model that stops by itself finished, whatever it left
    "max_tokens": "budget",
    "max_turns": "budget",
    "max_wall_time": "timeout",
    "timeout": "timeout",
}


def read_psionic(folder: Path, _root: Path) -> Told:
    """Read one attempt.

    Raises:
        SolonError: A file of it cannot be used.
    """
    report, inner = read_json(folder / "score_report.json"), folder / "run"
    config, record = read_json(inner / "config.json"), read_json(inner / "run_record.json")
    receipt, metrics = read_json(inner / "run_receipt.json"), read_json(inner / "metrics.json")
    ended, lasted = moment(receipt.get("created_at_ms"), _MILLI), seconds(metrics.get("wall_time_ms"), _MILLI)
    model, files = values.bounded_text(config.get("model"), 400), work_files(folder / "output")
    events = values.items(record.get("transcript"))
    return Told(
        folder=folder,
        layout="psionic",
        task=task_id(_task(report, record)),
        cell=_cell(config, model),
        model=model,
        brief=_brief(events),
        files=files,
        transcript=transcript_of(inner / "transcript.jsonl"),
        trace_format="psionic",
        outcome=_ENDS.get(str(record.get("terminal_state")), "finished"),
        seconds=lasted,
        usage=Usage(
            input_uncached=values.count(metrics.get("input_tokens")),
            output=values.count(metrics.get("output_tokens")),
            calls=values.count(metrics.get("model_turns"), 10**6),
        ),
        started_utc=ended - timedelta(seconds=lasted) if ended - NOT_TOLD > timedelta(seconds=lasted) else ended,
        ended_utc=ended,
        scored=_scored(report, folder / "score_report.json"),
        sources=tuple(p for p in (folder / name for name in READS) if p.is_file()),
        notes=() if files else ("no file of a work product lies in the tree",),
    )


def _task(report: dict[str, Any], record: dict[str, Any]) -> str:
    """Return the path of the task, which the documents' paths tell; else its id with its dots as they are."""
    documents = values.items(values.mapping(report.get("coverage_snapshot")).get("documents"))
    for path in (values.mapping(one).get("relative_path") for one in documents):
        if isinstance(path, str) and _ROOM.search(path):
            return _ROOM.split(path)[0]
    return values.bounded_text(report.get("task_id") or record.get("task_id"), 400)


def _cell(config: dict[str, Any], model: str) -> str:
    """Return model and content hash of the configuration: runs of another adapter or mode are another cell."""
    settings = {k: v for k, v in config.items() if k != "random_seed"}
    return f"{slug(model.rpartition('/')[2], 'imported')}-{content_hash(settings)[:8]}" if config else "imported"


def _brief(events: list[Any]) -> str:
    for event in map(values.mapping, events[:5]):
        if event.get("event_kind") == "user":
            return values.bounded_text(event.get("content"), 50_000)
    return ""


def _scored(report: dict[str, Any], path: Path) -> ImportedVerdicts | None:
    results = values.items(report.get("criterion_results"))
    if not results:
        return None
    first = values.mapping(results[0])
    cost = sum(values.count(values.mapping(row).get("judge_cost_micro_usd")) for row in results) * _MICRO
    return ImportedVerdicts(
        judge=values.bounded_text(first.get("judge_model"), 400),
        verdicts=verdicts(results, path, "criterion_id"),
        cost_usd=values.dollars(cost),
    )
