"""Result folders in LAB's layout: transcript.jsonl, metrics.json, scores.json and output/, beside config.json."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from flows.imports.reading import moment, read_json, seconds, slug, task_id, transcript_of, verdicts, work_files
from flows.imports.records import NOT_TOLD, ImportedVerdicts, Told
from tasks.matter.failures import Failure, FailureCause, Outcome
from tasks.matter.usage import Usage
from tasks.tracing import values

MARKS: Final = ("transcript.jsonl", "scores.json", "scores_aggregate.json", "metrics.json", "rollout.json")
SURE: Final = ("transcript.jsonl", "rollout.json", "output")  # what an attempt alone has
_DIGITS: Final = 7  # a number of an attempt has fewer; more is a date or an identifier
READS: Final = (*MARKS, "config.json")
_COMMENTED: Final = re.compile(r"lab_task_id:\s*([\w./-]+)")
_ENDS: Final[dict[str, Outcome]] = {
    "agent_timeout_error": "timeout",
    "context_length_exceeded_error": "budget",
    "memory_limit_exceeded_error": "budget",
}


def read_lab(folder: Path, root: Path) -> Told:
    """Read one attempt.

    Raises:
        SolonError: A file of it cannot be used.
    """
    config, metrics = read_json(folder / "config.json"), read_json(folder / "metrics.json")
    scores, totals = read_json(folder / "scores.json"), read_json(folder / "scores_aggregate.json")
    rollout = read_json(folder / "rollout.json")
    reply = values.mapping(rollout.get("response"))
    brief, path = _brief(rollout), _Path(folder, root)
    model = _text(config.get("model")) or _text(reply.get("model")) or _text(scores.get("model"))
    cell = _text(values.mapping(config.get("cell")).get("name")) or _text(config.get("cell"))
    began, lasted = moment(reply.get("created_at")), seconds(metrics.get("wall_clock_seconds"))
    return Told(
        folder=folder,
        layout="lab",
        task=task_id(_task(config, totals, rollout, brief) or path.task),
        cell=slug(cell) or slug(model.rpartition("/")[2]) or path.cell,
        model=model,
        number=path.number,
        brief=brief,
        files=work_files(folder / "output"),
        transcript=transcript_of(folder / "transcript.jsonl"),
        outcome=next((end for key, end in _ENDS.items() if rollout.get(key)), "finished"),
        seconds=lasted,
        usage=_usage(values.mapping(reply.get("usage")), metrics),
        started_utc=began,
        ended_utc=began + timedelta(seconds=lasted) if began != NOT_TOLD else began,
        scored=_scored(scores, folder / "scores.json"),
        sources=tuple(p for p in (folder / name for name in READS) if p.is_file()),
        failures=_failures(metrics, folder),
        notes=_notes(scores, totals),
    )


class _Path:
    """The parts of an attempt's path: ``<task path>/<cell>/<number>`` if it ends in a number, else the task alone."""

    def __init__(self, folder: Path, root: Path) -> None:
        parts = [*folder.relative_to(root).parts] or [folder.resolve().name]
        self.number = int(parts.pop()) if len(parts) > 2 and parts[-1].isdecimal() and len(parts[-1]) < _DIGITS else 0
        self.cell = slug(parts.pop(), "imported") if self.number else "imported"
        self.task = "/".join(parts)


def _text(value: Any) -> str:
    return value.strip()[:400] if isinstance(value, str) else ""


def _task(config: dict[str, Any], totals: dict[str, Any], rollout: dict[str, Any], brief: str) -> str:
    for told in (config.get("task"), config.get("task_id"), totals.get("task")):
        if name := _text(told):
            return name
    named = _COMMENTED.search(brief)
    return named[1] if named else _text(rollout.get("instance_id")).rpartition("::")[2].replace("__", "/")


def _brief(rollout: dict[str, Any]) -> str:
    messages = values.items(values.mapping(rollout.get("responses_create_params")).get("input"))
    return values.bounded_text(values.mapping(messages[0]).get("content"), 50_000) if messages else ""


def _usage(reported: dict[str, Any], metrics: dict[str, Any]) -> Usage:
    """Return the tokens of the record of the rollout, else of the metrics; the transcript may tell more."""
    told = reported or metrics
    cached = values.count(values.mapping(told.get("input_tokens_details")).get("cached_tokens"))
    taken, given = values.count(told.get("input_tokens")), values.count(told.get("output_tokens"))
    cached = min(cached, taken)
    calls = values.count(metrics.get("turn_count"), 10**6) or int(bool(taken or given))
    return Usage(input_uncached=taken - cached, cache_read=cached, output=given, calls=calls)


def _scored(scores: dict[str, Any], path: Path) -> ImportedVerdicts | None:
    if "criteria_results" not in scores:
        return None
    told = moment(scores.get("scored_at"))
    return ImportedVerdicts(
        judge=_text(scores.get("judge_model")),
        verdicts=verdicts(scores["criteria_results"], path, "id"),
        judged_utc=told if told != NOT_TOLD else None,
        cost_usd=values.dollars(scores.get("cost")),
    )


def _failures(metrics: dict[str, Any], folder: Path) -> tuple[Failure, ...]:
    if metrics.get("finished_cleanly") is not False:
        return ()
    message = "metrics.json says that the attempt did not finish cleanly, but not why"
    return (Failure(cause=FailureCause.UNKNOWN, stage="import", subject=folder.name, message=message),)


def _notes(scores: dict[str, Any], totals: dict[str, Any]) -> tuple[str, ...]:
    if "criteria_results" in scores or not totals:
        return ()
    passed, criteria = values.count(totals.get("n_passed")), values.count(totals.get("n_criteria"))
    return (f"scores_aggregate.json tells totals alone ({passed} of {criteria} criteria): no verdict was imported",)
