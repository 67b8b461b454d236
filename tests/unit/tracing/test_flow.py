"""The information-flow log is checked by hash alone: leaks, unknown roles, calls that are not told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tasks.matter.usage import Usage
from tasks.models.flow import FlowEntry, SentMessage, log_flow, read_flow
from tasks.models.ledger import LedgerEntry
from tasks.models.records import Request
from tasks.tracing.flow import SIDES, check_flow, flow_failures, messages_sent
from tasks.tracing.rows import flow_rows

CRITERION = "The memorandum states that the cap on liability is twelve months' fees."


@pytest.fixture
def log(tmp_path: Path) -> list[tuple[str, str, str]]:
    """Requests to log: role, key and the words of the user's message."""
    return [("solver", "k1", "Draft the memorandum."), ("judge", "j1", CRITERION)]


def logged(requests: list[tuple[str, str, str]], folder: Path) -> tuple[FlowEntry, ...]:
    for role, key, words in requests:
        system = {"role": "system", "content": f"You are the {role}."}
        log_flow(
            folder / "flow.jsonl", role, "local", key, Request(messages=[system, {"role": "user", "content": words}])
        )
    return read_flow(folder / "flow.jsonl")


def paid(*keys: str) -> list[LedgerEntry]:
    return [LedgerEntry(kind="chat", profile="local", key=key, usage=Usage(output=1, calls=1)) for key in keys]


def test_a_sound_log(log: list[tuple[str, str, str]], tmp_path: Path) -> None:
    check = check_flow(logged(log, tmp_path), paid("k1"))
    assert check.model_dump(exclude={"requests"}, exclude_defaults=True) == {}
    assert check.requests == 2
    assert flow_failures(check, "a0") == ()


@pytest.mark.parametrize("role", ["solver", "chooser", "learner", "proposer"])
def test_a_planted_leak_is_loud(log: list[tuple[str, str, str]], tmp_path: Path, role: str) -> None:
    entries = logged([*log, (role, "k2", CRITERION)], tmp_path)
    check = check_flow(entries, paid("k1", "k2"))
    assert check.leaked == 1
    (failure,) = flow_failures(check, "r1/tax/a/basic/1")
    assert "1 messages that the judge was sent were sent to others too" in failure.message
    assert "trust no score" in failure.remedy
    assert (failure.cause, failure.stage, failure.subject) == ("policy", "flow", "r1/tax/a/basic/1")
    everything = "".join(row.model_dump_json() for row in flow_rows("a0", entries, check))
    assert "cap on liability" not in everything + failure.line() + (tmp_path / "flow.jsonl").read_text()


def test_the_judges_prompt_is_a_leak_too(log: list[tuple[str, str, str]], tmp_path: Path) -> None:
    assert check_flow(logged([*log, ("solver", "k2", "You are the judge.")], tmp_path), paid("k1", "k2")).leaked == 1


def test_an_empty_message_tells_nothing(tmp_path: Path) -> None:
    assert check_flow(logged([("solver", "k1", ""), ("judge", "j1", "")], tmp_path), paid("k1")).leaked == 0


def test_a_role_on_nobodys_side(log: list[tuple[str, str, str]], tmp_path: Path) -> None:
    check = check_flow(logged([*log, ("intern", "k2", CRITERION)], tmp_path), paid("k1", "k2"))
    assert (check.unknown_roles, check.leaked) == (1, 1)
    assert "1 requests are of a role that is on nobody's side" in check.problems


def test_a_call_that_the_log_does_not_know(log: list[tuple[str, str, str]], tmp_path: Path) -> None:
    """Somebody called a model past the log, or took lines out of it."""
    check = check_flow(logged(log, tmp_path), paid("k1", "k2", ""))  # a lost reply has no key
    assert check.unlogged == 1
    assert flow_failures(check, "a0")[0].remedy.startswith("see who made the calls")
    assert check_flow((), paid("k1")).unlogged == 1
    assert (
        check_flow(logged([("judge", "k1", "x")], tmp_path / "b"), paid("k1")).unlogged == 1
    )  # the judge's is not ours


def test_a_request_without_a_reply_must_be_told(log: list[tuple[str, str, str]], tmp_path: Path) -> None:
    entries = logged([*log, ("solver", "k2", "more"), ("solver", "k2", "more")], tmp_path)
    assert check_flow(entries, paid("k1")).problems == (
        "1 requests have no reply on the account and nothing tells of a failure",
    )
    assert check_flow(entries, paid("k1"), told=1).problems == ()
    assert check_flow(entries, paid("k1"), told=1).unanswered == 1


def test_messages_are_told_once_a_role(tmp_path: Path) -> None:
    entries = logged([("solver", "k1", "a"), ("solver", "k2", "b"), ("judge", "j1", "a")], tmp_path)
    told = [(m.role, m.side, m.characters, m.requests) for m in messages_sent(entries)]
    assert sorted(told) == [
        ("judge", "judge", 1, 1), ("judge", "judge", 18, 1),
        ("solver", "solver", 1, 1), ("solver", "solver", 1, 1), ("solver", "solver", 19, 2),
    ]  # fmt: skip


def test_a_log_that_somebody_wrote_into_is_borne_and_told() -> None:
    words = SentMessage(role="user", sha256=CRITERION, characters=-5)
    odd = SentMessage(role="user", sha256="a" * 64, characters=10**30)
    entries = [FlowEntry(role=role, profile="", key="k", messages=(words, odd)) for role in ("", "\ud800", "x" * 9_999)]
    check = check_flow(entries, paid("k"))
    assert (check.malformed, check.unknown_roles) == (3, 3)
    rows = flow_rows("a0", entries, check)
    assert len(rows) == 4
    assert "cap on liability" not in "".join(row.model_dump_json() for row in rows)


def test_every_role_that_code_names_is_on_a_side() -> None:
    root = Path(__file__).resolve().parents[3]
    files = [p for part in ("tasks", "flows") for p in (root / part).rglob("*.py")]
    found = {role for path in files for role in re.findall(r'\brole="(\w+)"', path.read_text("utf-8"))}
    assert "judge" in found
    assert found <= {*SIDES, "system", "user", "assistant", "tool"}  # roles of messages are no roles of ours
