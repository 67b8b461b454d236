"""What a trajectory was like: pure functions, each of which says what it counts.

Look-ups of the runtime itself (``internal``) count as no call of a tool, but for :func:`lookups`. What a runtime showed
unasked, as documents in a prompt, is a step of turn 0 and is read before anything else.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tasks.matter.usage import Usage
from tasks.tracing.names import trace_names
from tasks.tracing.pricing import TOKENS_OF_A_PRICE
from tasks.tracing.steps import TracedStep
from tasks.tracing.values import bounded_text

Steps = Sequence[TracedStep]


def lookups(steps: Steps) -> int:
    """Count what the runtime looked up by itself: searches and scans of its own code, in no turn of a model."""
    return sum(step.internal for step in steps)


def tool_errors(steps: Steps) -> int:
    """Count the calls that failed: a tool that refused, a command that did not exit with 0."""
    return sum(step.failed for step in steps if not step.internal)


def first_read(steps: Steps, shown: Collection[int] | None) -> int | None:
    """Return the place of the first step that showed words of a document; None where none did.

    Args:
        steps: The steps.
        shown: Places of those that showed something. Where the documents are not known (None), a successful read
            counts, unless it only looked for files.
    """
    if shown is not None:
        return min(shown, default=None)
    opened = (at for at, s in enumerate(steps) if s.bucket == "read" and not (s.failed or s.looks_only or s.internal))
    return next(opened, None)


def first_write(steps: Steps) -> int | None:
    """Return the place of the first step that wrote a file, scratch files included; None where none did.

    Making, moving and removing folders and files is no writing.
    """
    return next((at for at, step in enumerate(steps) if step.drafts and not step.internal), None)


def last_write(steps: Steps) -> int | None:
    """Return the place of the last step that wrote a file; None where none did."""
    return next((at for at in range(len(steps) - 1, -1, -1) if steps[at].drafts and not steps[at].internal), None)


def wrote_before_reading(read: int | None, wrote: int | None) -> bool:
    """Whether the first write came before any word of a document was shown, or none ever was."""
    return wrote is not None and (read is None or wrote < read)


def audited_before_finishing(steps: Steps) -> bool:
    """Whether a tool that audits a draft was called, and did not fail, after the last write."""
    wrote = last_write(steps)
    if wrote is None:
        return False
    gate = trace_names().tools.gate
    return any(any(step.calls_of(gate)) for step in steps[wrote + 1 :] if not (step.failed or step.internal))


def skill_loaded(steps: Steps, routed: str = "") -> str:
    """Return the skill that the solver opened, by a tool for skills or by reading its SKILL.md; else empty.

    A skill that the runtime puts into the prompt is not opened by the solver and does not count, and neither is one
    that was looked for and not opened, or whose opening failed.

    Args:
        steps: The calls of the trace.
        routed: Name of the skill that the matter was given; of several that were opened it is told, else the first.
    """
    opened = [name for step in steps if not (step.failed or step.internal) and (name := _skill_of(step))]
    return next((name for name in opened if name == routed), opened[0] if opened else "")


def loads_skill(step: TracedStep) -> bool:
    """Whether a step opened a skill."""
    return bool(_skill_of(step))


def tools_used(steps: Steps, tools: Sequence[str]) -> dict[str, int]:
    """Count the calls of each of these tools that did not fail, 0 included: by name, over MCP, or as a command."""
    wanted = frozenset(tools)
    calls = [name for step in steps if not (step.failed or step.internal) for name in step.calls_of(wanted)]
    return {tool: calls.count(tool) for tool in sorted(wanted)}


def cached_reads_usd(usage: Usage, rate: float | None) -> float | None:
    """Return what cached reads cost of a bill: taken off, it is the bill of the paper, where they are free.

    Args:
        usage: Of the solver.
        rate: US dollars for a million tokens; None where it is not known, and then neither is the amount.
    """
    if not usage.cache_read or not usage.cost_usd:
        return 0.0
    return None if rate is None else min(usage.cost_usd, usage.cache_read * rate / TOKENS_OF_A_PRICE)


def _skill_of(step: TracedStep) -> str:
    if step.name in trace_names().tools.skill:
        told = (step.arguments.get(key) for key in ("skill", "name", "command"))
        return next((bounded_text(name, 200) for name in told if name), "unnamed")
    if step.bucket != "read" or step.looks_only:
        return ""
    words = [word for command in step.commands for word in command] or [
        value for value in step.arguments.values() if isinstance(value, str)
    ]
    paths = [word for word in words if word.rsplit("/", 1)[-1] == "SKILL.md"]
    return next((bounded_text("/".join(path.split("/")[-2:-1]), 200) or "unnamed" for path in paths), "")
