"""Questions of law put to the authority tool: right authority, right period, "not held" (--questions FILE)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, misuse


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.law.measure import measure_law
    from flows.bench.law.questions import read_questions
    from tasks.harness import find_harness, parsed, validated
    from tasks.toolbox.desk import Desk
    from tasks.toolbox.tools.authority import authority

    if ask.questions is None:
        raise misuse("law", "has no questions to put", "name a CSV file with --questions FILE")
    desk = Desk(harness=parsed(validated(find_harness(ask.settings.harness))))
    questions = read_questions(ask.questions)[: ask.limit]
    return measure_law(questions, lambda question, within: authority(desk, question, jurisdiction=within))


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.law.table import render as table

    return table(result)
