"""The prefix that further requests of a solver share is marked for providers that want it, and for no others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tasks.models.profile import ModelProfile
from tasks.models.recordings import request_key
from tasks.models.records import Message, Request
from tasks.models.transports.shapes import arguments_of
from tests.unit.drafting.agent_room import call, memo, scene
from tests.unit.drafting.extraction.case_room import FILED, JUDGED, NO_CLASS, REMEDY, case, said

ASKED = ModelProfile(name="m", model="scripted", cache_control=True)
SILENT = ModelProfile(name="m", model="scripted")


def marked(messages: Sequence[Message], profile: ModelProfile = ASKED) -> dict[int, str]:
    """Return the marked text of the messages that a provider is sent, by place."""
    sent: list[dict[str, Any]] = arguments_of(profile, Request(messages=messages))["messages"]
    parts = {n: m["content"] for n, m in enumerate(sent) if isinstance(m["content"], list)}
    return {n: p["text"] for n, told in parts.items() for p in told if "cache_control" in p}


def same_but_for_marks(messages: Sequence[Message]) -> None:
    """Another profile is sent the bare words, and a recorded reply is found by them."""
    assert marked(messages, SILENT) == {}
    bare = [{k: v for k, v in m.items() if k != "cache"} for m in messages]
    keys = {request_key(SILENT, Request(messages=told), "") for told in (messages, bare)}
    assert len(keys) == 1


def test_an_agent_marks_its_opening_and_its_last_message(tmp_path: Path) -> None:
    room = scene(tmp_path)
    room.run(call("read", path="lease.txt"), memo(), "done")
    first, second, third = room.model.requests
    assert list(marked(first)) == [1]
    assert list(marked(second)) == [1, 3]
    assert list(marked(third)) == [1, 5]
    assert "EUR 1,200" in marked(second)[3]
    assert marked(third)[1] == marked(first)[1]
    same_but_for_marks(third)
    kept = (room.job.workspace / "draft" / "conversation.json").read_text(encoding="utf-8")
    assert '"cache"' not in kept  # a mark is of a request, not of the history


def test_an_empty_message_is_not_marked() -> None:
    assert marked([{"role": "tool", "content": "", "cache": True}]) == {}


def test_the_whole_case_is_marked_for_the_questions_behind_it() -> None:
    room = case([said([FILED]), said([REMEDY]), said([JUDGED]), said(update=[NO_CLASS])])
    room.extract(method="end_to_end")
    shared = {marked(request)[1] for request in room.model.requests}
    assert len(shared) == 1
    assert "Fill these items" not in shared.pop()
    same_but_for_marks(room.model.requests[0])


def test_an_agent_that_is_shown_a_snapshot_marks_what_stays() -> None:
    room = case(["done", "done"])
    room.extract()
    assert [list(marked(request)) for request in room.model.requests] == [[0], [0]]
