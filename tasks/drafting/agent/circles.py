"""When an agent goes in circles: one call with one result again and again, one error, or a few calls in turn."""

from __future__ import annotations

from collections.abc import Sequence

from skills_repo.agent_settings import AgentSettings
from tasks.drafting.mechanisms.records import Step


def circle(steps: Sequence[Step], settings: AgentSettings) -> str:
    """Return what the last steps repeat, in words; empty where they do not."""
    steps = steps[-max(settings.same_result, settings.same_error, settings.same_rounds * settings.round_calls) :]
    done = [(step.tool, step.arguments, step.result) for step in steps]
    last = steps[-1].tool if steps else ""
    if _comes_round(done, 1, settings.same_result):
        return f"{last} was called {settings.same_result} times alike and showed the same each time"
    errors = [(s.tool, s.result) if s.failed else None for s in steps]
    if errors and errors[-1] and _comes_round(errors, 1, settings.same_error):
        return f"{last} failed {settings.same_error} times for the same reason"
    for calls in range(2, settings.round_calls + 1):
        if _comes_round(done, calls, settings.same_rounds):
            names = ", ".join(step.tool for step in steps[-calls:])
            return f"the same {calls} calls in turn ({names}) were made {settings.same_rounds} times"
    return ""


def _comes_round(done: Sequence[object], calls: int, times: int) -> bool:
    """Tell whether what was done last is the same few calls, so many times in turn."""
    tail = done[-calls * times :]
    return len(tail) == calls * times and all(a == b for a, b in zip(tail, tail[calls:], strict=False))
