"""Questions of law put to the authority tool: authority, period, "not held" (--questions FILE, --held-out)."""

from __future__ import annotations

from typing import Any

from flows.bench.request import BenchRequest, misuse


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.bench.law.measure import measure_law, totals
    from flows.bench.law.questions import CLOSED, read_closed, read_questions
    from tasks.harness import find_harness, parsed, validated
    from tasks.toolbox.desk import Desk
    from tasks.toolbox.tools.authority import authority

    if ask.questions is None and ask.held_out not in CLOSED:
        remedy = f"name a CSV file with --questions FILE, or --held-out {' or '.join(CLOSED)}"
        raise misuse("law", "has no questions to put", remedy)
    desk = Desk(harness=parsed(validated(find_harness(ask.settings.harness))))
    questions = (read_questions(ask.questions) if ask.questions else read_closed(ask.held_out))[: ask.limit]
    result = measure_law(questions, lambda question, within: authority(desk, question, jurisdiction=within))
    return result if ask.questions else totals(result)


def render(result: dict[str, Any]) -> str:
    """Return the table."""
    from flows.bench.law.table import render as table

    return table(result)
