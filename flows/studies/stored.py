"""Stored attempts as mechanisms see them: our own run folders, LAB's layout, and bare traces of command-line agents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pydantic import ValidationError

from tasks.asks.parse import parse_asks
from tasks.asks.records import Asks
from tasks.drafting.mechanisms.records import Step
from tasks.drafting.records import WorkProduct
from tasks.harness import Harness
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter
from tasks.sources.stage import inventory
from tasks.sources.texts import load_texts
from tasks.tracing import values
from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.formats import trace_parser

TRANSCRIPTS: Final = ("transcript.jsonl", "trace.jsonl", "codex.jsonl", "claude.jsonl")
PRODUCT: Final = "work.json"
_FILE: Final = re.compile(r"[\w][\w.()-]*\.(?:docx|xlsx|pptx|pdf|md|txt|csv|json|eml)\b")
_OUTPUT: Final = re.compile(r"(?:\boutput|\bdeliverables?)\b[^\n:]{0,40}:([^\n]*(?:\n- [^\n]*)*)", re.IGNORECASE)
RAW: Final = "_raw"  # as a live attempt keeps arguments that are no JSON


@dataclass(frozen=True)
class Stored:
    """One stored attempt.

    Attributes:
        attempt_id: Its folder below the folder of runs.
        documents: Text by document; where ``partial``, only what the transcript kept of what was read.
        output: Folder of the work product; it may not exist.
        steps: Tool calls with whole arguments; ``{"_raw": text}`` where these are no JSON.
        demanded: Tools that its skill demanded, as its metrics tell.
        score: Share of criteria passed, by the judge of the run; None where it was not scored.
        stopped: Whether the solver stopped by itself, as far as is known: not by a failure, a limit or a kill.
        made_by: Tool calls of who made the output, where that is another attempt (a draft that was crossed).
    """

    attempt_id: str
    brief: str
    wanted: tuple[str, ...]
    documents: Mapping[str, str]
    partial: bool
    output: Path
    scratch: Path
    steps: Sequence[Step]
    said: str
    score: float | None
    asks: Asks | None = None
    demanded: tuple[str, ...] = ()
    stopped: bool = True
    made_by: Sequence[Step] | None = None


class WholeBuilder(TrajectoryBuilder):
    """A builder that keeps the arguments of a call as they came where they are no JSON."""

    def call(self, key: Any, tool: Any, arguments: Any, internal: bool = False) -> None:
        """Note a tool call; a call told twice counts once."""
        broken = isinstance(arguments, str) and not isinstance(values.from_json(arguments), dict)
        super().call(key, tool, {RAW: arguments} if broken else arguments, internal)

    def calls(self) -> tuple[Step, ...]:
        """Return the solver's own tool calls, in order."""
        return tuple(
            Step(step.turn, step.tool, step.arguments, step.result, step.failed)
            for step in self.steps()
            if step.tool and not step.internal
        )


def stored_attempts(runs: Path, cache: Path, harness: Harness) -> Iterator[Stored]:
    """Yield the attempts below a folder, ordered by path.

    Raises:
        SolonError: There is none, or no such folder (``input``).
    """
    found = _transcripts(runs)
    for folder in sorted(found):
        yield _stored(found[folder], runs, cache, harness)


def stored_matters(runs: Path) -> Iterator[Matter]:
    """Yield the matters of the attempts below a folder; an attempt that no run of ours made keeps none.

    Raises:
        SolonError: There is none, or no such folder (``input``).
    """
    for folder in sorted(_transcripts(runs)):
        if matter := _record(folder / "matter.json", Matter):
            yield matter


def _transcripts(runs: Path) -> dict[Path, Path]:
    """Return the transcripts below a folder, by the folder of each attempt."""
    if not runs.is_dir():
        why = "--runs names a file, not a folder" if runs.exists() else "--runs names no folder: nothing is there"
        raise _nothing(runs, why)
    found = {p.parent: p for p in sorted(runs.rglob("*.jsonl"), reverse=True) if p.name in TRANSCRIPTS}
    for path in runs.rglob(PRODUCT):
        if product := _record(path, WorkProduct):
            found[path.parent] = path.parent / (product.transcript or TRANSCRIPTS[0])
    if not found:
        empty = not any(runs.iterdir())
        raise _nothing(runs, "the folder of --runs is empty" if empty else "the folder of --runs holds no transcript")
    return found


def _nothing(runs: Path, message: str) -> SolonError:
    """Return the error for a folder without attempts, with what to name instead."""
    kept = " or ".join(TRANSCRIPTS)
    remedy = f"name a folder with {kept} below it at any depth, such as the run folder of `solon run`"
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="study", subject=str(runs), message=message, remedy=remedy)
    )


def _stored(path: Path, runs: Path, cache: Path, harness: Harness) -> Stored:
    folder = path.parent
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    product = _record(folder / PRODUCT, WorkProduct)
    builder = WholeBuilder(trace_format=product.trace_format if product else _format_of(text))
    if parser := trace_parser(builder.trace_format):
        parser(text, builder)
    matter = _record(folder / "matter.json", Matter)
    brief = matter.instructions if matter else _brief(folder, text)
    steps = builder.calls()
    documents = {n: t.text for n, t in load_texts(matter, cache).items()} if matter else read_parts(steps)
    return Stored(
        attempt_id=folder.relative_to(runs).as_posix(),
        brief=brief,
        wanted=tuple(d.filename for d in matter.deliverables) if matter else wanted_in(brief),
        documents=documents,
        partial=matter is None,
        output=folder / "output",
        scratch=folder / "scratch",
        steps=steps,
        said=builder.final_message,
        score=score_of(folder),
        demanded=_demanded(folder),
        stopped=product.outcome == "finished" if product else not folder.name.startswith("."),  # killed on the way
        asks=parse_asks(matter, inventory(matter, cache, harness.knowledge), harness) if matter else None,
    )


def _demanded(folder: Path) -> tuple[str, ...]:
    """Return what metrics.json of our own runtimes says; other runtimes do not report it."""
    try:
        told = values.mapping(json.loads((folder / "metrics.json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return ()
    return tuple(name for name in values.items(told.get("mandatory_tools")) if isinstance(name, str))


def _record(path: Path, kind: Any) -> Any:
    try:
        return kind.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None


def _format_of(text: str) -> str:
    first = values.mapping(values.from_json(text.lstrip().split("\n", 1)[0]))
    if "event_kind" in first:
        return "psionic"
    if first.get("type") == "thread.started":
        return "codex"
    return "claude-code" if first.get("type") == "system" else "lab"


def _brief(folder: Path, text: str) -> str:
    """Return the first message of the user: of the transcript, else of the record of the rollout beside it."""
    for row in map(values.mapping, map(values.from_json, text.splitlines()[:5])):
        if row.get("role") == "user" or row.get("event_kind") == "user":
            return values.bounded_text(row.get("content") or row.get("text"), 50_000)
    try:
        rollout = values.mapping(json.loads((folder / "rollout.json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return ""
    messages = values.items(values.mapping(rollout.get("responses_create_params")).get("input"))
    return values.bounded_text(values.mapping(messages[0] if messages else {}).get("content"), 50_000)


def wanted_in(brief: str) -> tuple[str, ...]:
    """Return the files that a brief asks for (``Output: `memo.docx```); the last such list counts."""
    lists = [_FILE.findall(listed) for listed in _OUTPUT.findall(brief)]
    return tuple(dict.fromkeys(next((names for names in reversed(lists) if names), [])))


def read_parts(steps: Sequence[Step]) -> dict[str, str]:
    """Return what a transcript kept of the documents that were read, by name; what the solver wrote is left out."""
    written = {_name(s) for s in steps if re.search(r"write|edit|create", s.tool, re.IGNORECASE)}
    parts: dict[str, str] = {}
    for step in steps:
        name = _name(step)
        if re.search(r"read|view|cat", step.tool, re.IGNORECASE) and name and name not in written and not step.failed:
            parts[name] = f"{parts.get(name, '')}\n{step.result}".strip()
    return parts


def _name(step: Step) -> str:
    told = (step.arguments.get(k) for k in ("file_path", "path", "filename", "file"))
    return PurePosixPath(next((v for v in told if isinstance(v, str)), "")).name


def score_of(folder: Path) -> float | None:
    """Return the share of criteria that passed, as the judge of the run stored it; unscored criteria are left out."""
    for path in (folder / "scores.json", folder / "scores_aggregate.json", folder.parent / "score_report.json"):
        try:
            told = values.mapping(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            continue
        if told.get("n_criteria"):
            scored = values.count(told["n_criteria"]) - values.count(told.get("n_unscored"))
            return values.count(told.get("n_passed")) / scored if scored > 0 else None
        if "criterion_pass_rate_bps" in told:
            return values.count(told["criterion_pass_rate_bps"]) / 10_000
    return None
