"""Histories are shortened without losing what a model needs to go on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.studies.histories import harm_to_history
from tasks.drafting.mechanisms.compaction import HistoryCompaction, parted, said, size_of
from tasks.harness import packaged

SETTING = packaged().mechanisms.compaction


def call(number: int, **arguments: Any) -> dict[str, Any]:
    function = {"name": "read", "arguments": json.dumps(arguments)}
    return {"id": f"c{number}", "type": "function", "function": function}


def history(results: list[int], written: int = 0) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "S" * 300}, {"role": "user", "content": "B" * 400}]
    for number, length in enumerate(results):
        more = {"content": "w" * written} if written else {}
        messages.append(
            {"role": "assistant", "content": None, "tool_calls": [call(number, path=f"{number}.txt", **more)]}
        )
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": str(number) * length})
    return messages


def compacted(messages: list[dict[str, Any]], room: int) -> list[dict[str, Any]] | None:
    return HistoryCompaction(SETTING).compacted(messages, room)


def test_the_oldest_results_go_first_and_say_how_to_get_them_again() -> None:
    before = history([3000] * 6)
    after = compacted(before, 18_000)
    assert after is not None
    assert size_of(after) <= SETTING.ends_at * 18_000 + SETTING.result_least
    assert harm_to_history(before, after) == ""
    assert "3,000 characters" in said(after[3])
    assert '{"path": "0.txt"}' in said(after[3])
    assert after[-1] == before[-1]
    kept = [m for m in after if m.get("role") == "tool" and len(said(m)) == 3000]
    assert len(kept) >= SETTING.turns_whole
    assert before == history([3000] * 6)  # the messages that were given stay as they are


def test_long_texts_that_were_written_go_next_and_their_calls_stay_json() -> None:
    before = history([10] * 6, written=4000)
    after = compacted(before, 24_000)
    assert after is not None
    assert harm_to_history(before, after) == ""
    first = json.loads(after[2]["tool_calls"][0]["function"]["arguments"])
    assert first["path"] == "0.txt"
    assert "4,000 characters" in first["content"]


def test_whole_turns_go_last_with_their_results() -> None:
    before = history([500] * 60)
    after = compacted(before, 10_000)
    assert after is not None
    assert size_of(after) <= 10_000
    assert harm_to_history(before, after) == ""
    assert "earlier turns" in said(after[2])


def test_fewer_turns_stay_whole_where_they_alone_are_too_long() -> None:
    before = history([4000] * 3)
    after = compacted(before, 9000)
    assert after is not None
    assert size_of(after) <= 9000
    assert harm_to_history(before, after) == ""


@pytest.mark.parametrize(
    ("messages", "room"),
    [
        (history([1000] * 3), 50_000),  # it fits
        (history([]), 100),  # nothing but the brief
        (history([4000]), 1000),  # one turn, which the model works on
    ],
)
def test_what_fits_or_cannot_go_is_left_alone(messages: list[dict[str, Any]], room: int) -> None:
    assert compacted(messages, room) is None


def test_what_a_guard_said_stays_with_its_turn() -> None:
    messages = [*history([10]), {"role": "user", "content": "The work is not complete."}, *history([10])[2:]]
    head, turns = parted(messages)
    assert len(head) == 2
    assert [len(turn) for turn in turns] == [3, 2]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(min_value=0, max_value=5000), max_size=25),
    st.integers(min_value=0, max_value=3000),
    st.integers(min_value=100, max_value=60_000),
)
def test_a_shortened_history_is_sound_and_shorter(results: list[int], written: int, room: int) -> None:
    before = history(results, written)
    after = compacted(before, room)
    if after is not None:
        assert size_of(after) < size_of(before)
        assert harm_to_history(before, after) == ""
    again = compacted(after, room) if after is not None else None
    assert again is None or size_of(again) < size_of(after or [])


def test_what_the_only_turn_wrote_goes_where_it_alone_is_too_long_and_its_results_stay() -> None:
    before = history([900], written=90_000)
    after = compacted(before, 20_000)
    assert after is not None
    assert size_of(after) <= 20_000
    assert harm_to_history(before, after) == ""
    assert after[-1] == before[-1], "nobody has seen the result yet"
    assert "90,000 characters" in after[2]["tool_calls"][0]["function"]["arguments"]


@pytest.mark.parametrize("called", [False, True])
def test_a_long_reply_in_words_goes_like_what_is_written_even_where_it_is_the_last(called: bool) -> None:
    calls = {"tool_calls": [call(0, path="a.txt")]} if called else {}
    reply = {"role": "assistant", "content": "I begin. " + "word " * 8000 + "I end.", **calls}
    answer = {"role": "tool", "tool_call_id": "c0", "content": "r"} if called else {"role": "user", "content": "Go on."}
    before = [*history([10]), reply, answer]
    after = compacted(before, 9000)
    assert after is not None
    assert size_of(after) <= 9000
    assert harm_to_history(before, after) == ""
    assert said(after[-2]).startswith("I begin.")
    assert "characters of this reply were taken out" in said(after[-2])
    assert said(after[-2]).endswith("I end.")
    assert after[-1] == answer
