"""Buckets of real transcripts, in the form of the paper's Table 6. Skipped where the shared data is not there."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from tasks.tracing.about import About
from tasks.tracing.buckets import count_buckets
from tasks.tracing.records import Trajectory
from tasks.tracing.stage import trace, whole
from tests.unit.tracing.test_defects import text

RUNS = Path(__file__).resolve().parents[3] / ".." / "shared" / "data" / "runs"
pytestmark = pytest.mark.skipif(not RUNS.is_dir(), reason="the shared data is not beside the project")

# Mean actions a matter in each bucket: read, tool, write, other, all. The paper's baselines have 5.2 to 26.7 reads,
# 0.0 to 0.5 tools and 1.3 to 3.2 writes; those of the small model were told what is in the room and only write.
TABLE_6 = {
    "nemotron": (17.0, 0.0, 1.25, 0.0, 18.25),
    "qwen, model only": (0.0, 4 / 6, 0.0, 0.0, 4 / 6),
    "qwen, scaffold": (0.0, 2 / 6, 0.0, 0.0, 2 / 6),
}


def cell_of(path: Path) -> str:
    name = path.relative_to(RUNS).parts[0]
    if name.startswith("nvidia_nemotron"):
        return "nemotron"
    return "qwen, model only" if "__model_only__" in name else "qwen, scaffold"


def traced() -> dict[str, list[Trajectory]]:
    found: dict[str, list[Trajectory]] = defaultdict(list)
    for path in sorted(RUNS.glob("**/transcript.jsonl")):
        cell = cell_of(path)
        found[cell].append(trace(path, "lab" if cell == "nemotron" else "psionic"))
    return found


def test_buckets_of_real_transcripts_as_table_6() -> None:
    cells = traced()
    assert {cell: len(found) for cell, found in cells.items()} == {
        "nemotron": 4, "qwen, model only": 6, "qwen, scaffold": 6,
    }  # fmt: skip
    for cell, found in cells.items():
        counts = [count_buckets(t.actions) for t in found]
        means = [sum(c[b] for c in counts) / len(found) for b in ("read", "tool", "write", "other")]
        assert (*means, sum(means)) == pytest.approx(TABLE_6[cell]), cell
        assert not any(t.problems or t.internal for t in found)


def test_usage_of_the_event_logs_is_what_the_runner_counted() -> None:
    for path in sorted(RUNS.glob("harvey_*/run/transcript.jsonl")):
        usage, told = trace(path, "psionic").usage, json.loads((path.parent / "metrics.json").read_text("utf-8"))
        assert usage.input_uncached + usage.cache_read == told["input_tokens"]
        assert (usage.output, usage.calls) == (told["output_tokens"], told["model_turns"])


def test_every_document_of_a_real_attempt_was_opened_and_none_whole_without_being_paged_through() -> None:
    """The shares come from the reader's own headers: the documents themselves are not in the published run."""
    for path in sorted(RUNS.glob("nvidia_*/transcript.jsonl")):
        steps = whole(path, "lab").steps
        names = {str(s.arguments["file_path"]) for s in steps if s.name == "read"}
        drafts = {str(s.arguments["file_path"]) for s in steps if s.name == "write_docx"}
        texts = {name: "\n".join(f"line {n} of a document of this name" for n in range(500)) for name in names - drafts}
        about = About(texts={name: text(name, words) for name, words in texts.items()}, revise=1)
        trajectory = trace(path, "lab", about)
        assert trajectory.measures
        assert 0 < trajectory.measures.first_read_turn < trajectory.measures.first_write_turn
        assert not trajectory.measures.wrote_before_reading
        shares = {one.document: one.served / one.characters for one in trajectory.served}
        assert min(shares.values()) > 0.1
        assert [d.defect for d in trajectory.defects] == []
