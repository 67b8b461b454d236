"""Detects an agent that repeats itself: the same call with the same result, the same error, or two calls in turn."""

from __future__ import annotations

from collections.abc import Sequence

from skills_repo.agent_settings import AgentSettings
from tasks.drafting.mechanisms.records import Step


def circle(steps: Sequence[Step], settings: AgentSettings) -> str:
    """Say what the last steps repeat; empty if they repeat nothing."""
    tail = [(step.tool, step.arguments, step.result) for step in steps[-settings.alternating :]]
    last = steps[-1].tool if steps else ""
    done = [(step.tool, step.arguments, step.result) for step in steps[-settings.same_result :]]
    if _alike(done, settings.same_result):
        return f"{last} was called {settings.same_result} times alike and showed the same each time"
    errors = [(s.tool, s.result) if s.failed else None for s in steps[-settings.same_error :]]
    if None not in errors and _alike(errors, settings.same_error):
        return f"{last} failed {settings.same_error} times for the same reason"
    pairs = _alike(tail[::2], len(tail) // 2) and _alike(tail[1::2], len(tail) // 2)
    if len(tail) == settings.alternating and pairs:
        return f"the same two calls ({tail[0][0]}, {tail[1][0]}) alternate"
    return ""


def _alike(done: Sequence[object], times: int) -> bool:
    return len(done) >= times > 0 and all(one == done[0] for one in done)
