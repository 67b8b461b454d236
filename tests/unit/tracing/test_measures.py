"""Each measure is a pure function; these are the cases that decide what it counts."""

from __future__ import annotations

from typing import Any

import pytest

from tasks.matter.usage import Usage
from tasks.tracing.buckets import bucket_of
from tasks.tracing.measures import (
    audited_before_finishing,
    cached_reads_usd,
    first_read,
    first_write,
    last_write,
    lookups,
    skill_loaded,
    tool_errors,
    tools_used,
    wrote_before_reading,
)
from tasks.tracing.steps import TracedStep


def step(tool: str, failed: bool = False, internal: bool = False, **arguments: Any) -> TracedStep:
    bucket = bucket_of(tool, arguments)
    return TracedStep(1, tool, arguments, "came back", failed, bucket=bucket, internal=internal)


READ, LIST = step("read", path="lease.txt"), step("glob", pattern="*")
WRITE, AUDIT = step("write", path="memo.md", content="x"), step("mcp__solon__audit_all")


def test_look_ups_of_the_runtime_are_kept_apart() -> None:
    steps = [step("search", internal=True), step("search", internal=True, failed=True), READ]
    assert (lookups(steps), tool_errors(steps)) == (2, 0)
    assert tools_used([step("search", internal=True), step("search")], ("search",)) == {"search": 1}


def test_tool_errors_are_calls_that_failed() -> None:
    assert tool_errors([READ, step("read", failed=True), step("Bash", failed=True, command="cat x")]) == 2


def test_the_first_read_opens_a_document() -> None:
    steps = [LIST, step("Bash", command="ls -la"), step("read", failed=True, path="x"), READ]
    assert first_read(steps, None) == 3
    assert first_read(steps, {3: [], 1: []}) == 1
    assert first_read(steps, {}) is None  # the documents are known, and nothing of them was shown
    assert first_read([LIST, WRITE], None) is None


@pytest.mark.parametrize(
    ("tool", "arguments", "writes"),
    [
        ("write", {"path": "memo.md"}, True),
        ("Bash", {"command": "mkdir -p output && touch output/x"}, False),
        ("Bash", {"command": "mkdir -p output && cat > output/memo.md"}, True),
        ("Bash", {"command": "bash -lc 'echo hi | tee memo.md'"}, True),
        ("Bash", {"command": "sed -i s/a/b/ memo.md"}, True),
        ("Bash", {"command": "rm -rf scratch"}, False),
        ("Bash", {"command": "cp template.docx output/memo.docx"}, True),
        ("mcp__solon__build_deliverable", {}, True),
        ("Bash", {"command": "solon tool build_deliverable --path memo.docx"}, True),
        ("read", {"path": "x"}, False),
    ],
)
def test_a_write_writes_and_does_not_only_make_room(tool: str, arguments: dict[str, Any], writes: bool) -> None:
    assert (first_write([step(tool, **arguments)]) == 0) is writes


def test_a_write_that_failed_or_was_the_runtimes_own_is_none() -> None:
    steps = [step("write", failed=True, path="a"), step("write", internal=True, path="a"), WRITE, READ, WRITE]
    assert (first_write(steps), last_write(steps)) == (2, 4)
    assert (first_write([]), last_write([READ])) == (None, None)


@pytest.mark.parametrize(
    ("read", "wrote", "told"), [(None, None, False), (0, None, False), (None, 3, True), (4, 3, True), (2, 3, False)]
)
def test_wrote_before_reading(read: int | None, wrote: int | None, told: bool) -> None:
    assert wrote_before_reading(read, wrote) is told


@pytest.mark.parametrize(
    ("steps", "audited"),
    [
        ([WRITE, AUDIT], True),
        ([AUDIT, WRITE], False),
        ([WRITE, AUDIT, WRITE], False),
        ([WRITE, AUDIT, step("Bash", command="mkdir x")], True),
        ([WRITE, step("Bash", command="solon tool audit_all --draft memo.docx")], True),
        ([WRITE, step("Bash", command="cd output && solon tool reconcile_numbers --draft memo.docx | head")], True),
        ([WRITE, step("audit_all", failed=True)], False),
        ([WRITE, step("audit_all", internal=True)], False),
        ([WRITE, step("Bash", command="echo audit_all")], False),
        ([AUDIT], False),
        ([], False),
    ],
)
def test_audited_before_finishing(steps: list[TracedStep], audited: bool) -> None:
    assert audited_before_finishing(steps) is audited


@pytest.mark.parametrize(
    ("made", "skill"),
    [
        (step("Skill", skill="consent-review"), "consent-review"),
        (step("skill", name="consent-review"), "consent-review"),
        (step("Skill"), "unnamed"),
        (step("Read", file_path="/home/a/.claude/skills/consent-review/SKILL.md"), "consent-review"),
        (step("shell", command="bash -lc 'sed -n 1,200p skills/consent-review/SKILL.md'"), "consent-review"),
        (step("Read", file_path="SKILL.md"), "unnamed"),
        (step("Skill", failed=True, skill="consent-review"), ""),
        (step("Glob", pattern="**/SKILL.md"), ""),
        (step("shell", command="ls skills/consent-review/SKILL.md"), ""),
        (step("write", path="skills/x/SKILL.md"), ""),
        (READ, ""),
    ],
)
def test_the_skill_that_the_solver_opened(made: TracedStep, skill: str) -> None:
    assert skill_loaded([LIST, made, READ]) == skill


def test_of_several_skills_the_one_of_the_matter_is_told() -> None:
    others = [step("Skill", skill="other"), step("Skill", skill="consent-review")]
    assert skill_loaded(others, "consent-review") == "consent-review"
    assert skill_loaded(others, "third") == "other"


def test_mandatory_tools_are_counted_by_every_door() -> None:
    steps = [
        step("authority", query="x"),
        step("mcp__solon__authority", query="x"),
        step("solon.authority", query="x"),
        step(
            "Bash", command="timeout 20 solon tool authority --query 'notice of sale' && solon tool number_scan a.txt"
        ),
        step("Bash", command="grep authority lease.txt"),
        step("authority", failed=True),
    ]
    used = tools_used(steps, ("authority", "number_scan", "date_scan"))
    assert used == {"authority": 4, "date_scan": 0, "number_scan": 1}


@pytest.mark.parametrize(
    ("cached", "cost", "rate", "told"),
    [
        (0, 5.0, None, 0.0),
        (10, 0.0, None, 0.0),
        (10, 5.0, None, None),
        (2_000_000, 5.0, 0.5, 1.0),
        (10**9, 5.0, 9.0, 5.0),
    ],
)
def test_what_cached_reads_cost_of_a_bill(cached: int, cost: float, rate: float | None, told: float | None) -> None:
    usage = Usage(cache_read=cached, output=1, cost_usd=cost, cost_source="priced" if cost else "none", calls=1)
    assert cached_reads_usd(usage, rate) == told
