"""The trace of the runtimes that plan by themselves: each row is there as soon as it happened."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_guided_runtime import drafting

from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.stage import draft
from tasks.models.records import Reply


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "transcript.jsonl").read_text(encoding="utf-8").splitlines()]


class KilledError(BaseException):
    """What no runtime catches, as little as a signal."""


def test_an_attempt_that_is_killed_keeps_what_its_model_was_asked(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(messages: list[dict[str, str]]) -> str:
        asked.append(messages[-1]["content"])
        if len(asked) == 2:
            raise KilledError
        return '{"answer": "no"}'

    made, _ = drafting(tmp_path, answer)
    with pytest.raises(KilledError):
        draft(made)
    kept = rows(made.workspace)
    assert next(row["tool_name"] for row in kept if row["role"] == "tool") == "read"
    (told,) = [row for row in kept if "asked" in row]
    assert (told["text"], told["asked"] in asked[0]) == ('{"answer": "no"}', True)
    assert told["asked"]


def test_rows_are_written_once_in_order_and_a_pass_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "transcript.jsonl").write_text("of a pass before\n")
    log = Transcript()
    log.act("Before.", "read", {"path": "a"}, "x" * 1000)
    log.begin(tmp_path)
    log.reply("Is it there?", Reply(text="Ja \ud800"))
    assert [row.get("asked", row.get("tool_name")) for row in rows(tmp_path)] == [None, "read", "Is it there?"]
    log.say("Done.")
    log.close(tmp_path, ["a"], 1.0, clean=True)
    assert [row["turn"] for row in rows(tmp_path)] == [1, 1, 2, 3]
    assert len(log.rows) == 4
    assert json.loads((tmp_path / "metrics.json").read_text())["turn_count"] == 3


def test_a_pass_that_revises_adds_to_the_trace_of_the_first(tmp_path: Path) -> None:
    made, _ = drafting(tmp_path, lambda messages: '{"answer": "no"}')
    draft(made)
    first = rows(made.workspace)
    before = json.loads((made.workspace / "metrics.json").read_text())
    draft(dataclasses.replace(made, report="1. A flag."))
    both, after = rows(made.workspace), json.loads((made.workspace / "metrics.json").read_text())
    assert both[: len(first)] == first
    assert len(both) > len(first)
    assert [row["turn"] for row in both] == sorted(row["turn"] for row in both)
    assert both[len(first)]["turn"] == before["turn_count"] + 1
    assert (after["turn_count"], after["files_written"]) == (both[-1]["turn"], 2 * before["files_written"])
    assert after["input_tokens"] >= before["input_tokens"]
    assert after["wall_clock_seconds"] > before["wall_clock_seconds"]


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"turn_count": "x"}', '{"turn_count": 3}'])
def test_counts_of_a_pass_before_that_cannot_be_read_begin_the_trace_anew(tmp_path: Path, kept: str) -> None:
    (tmp_path / "transcript.jsonl").write_text("of a pass before\n")
    (tmp_path / "metrics.json").write_text(kept)
    log = Transcript()
    log.begin(tmp_path, again=True)
    log.say("Done.")
    assert [row["turn"] for row in rows(tmp_path)] == [1]
