"""The proposer that is a CLI agent, with a scripted program: its room, its record, its sessions, and what is void."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tasks.drafting.cli_agents.records import adapter
from tasks.harness import find_harness
from tasks.learning import ledger
from tasks.learning.gates import run_gates
from tasks.learning.proposers.agent.pending import PENDING, Pending
from tasks.learning.proposers.agent.proposer import WITHOUT_GAIN, AgentProposer
from tasks.learning.proposers.agent.room import edits_of, open_room, pending_of
from tasks.learning.proposers.agent.running import Program
from tasks.learning.proposers.agent.touched import touched
from tasks.learning.proposers.proposer import Means
from tasks.learning.proposers.registry import proposer_of
from tasks.learning.records import LearnerInput, LedgerRow, Observation
from tasks.learning.redaction import signal
from tasks.learning.step import learner_input
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.reasons import ErrorClass, Failed, MatchKind
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tests.live.fake_endpoint import KEY, fake_endpoint
from tests.unit.drafting.cli_agents.plain_sandbox import PlainSandbox
from tests.unit.drafting.cli_agents.scripted import script
from tests.unit.drafting.learned_samples import no_sandbox

SKILL = "extraction-reconstruction/key-terms"
FILE = f"output/harness/skills/{SKILL}/SKILL.md"
NAME = "claude-code"
HELP = f"FILE = {FILE!r}\n"
HELP += """
def call(tool_name, **arguments):
    block = {"type": "tool_use", "id": "t1", "name": tool_name, "input": arguments}
    say({"type": "assistant", "message": {"id": "m1", "role": "assistant", "content": [block]}})

def change(old, new, file=FILE):
    text = open(file).read()
    assert old in text
    open(file, "w").write(text.replace(old, new, 1))

def pending(**fields):
    fix, regression = ["s%02d" % n for n in range(1, 6)], ["s%02d" % n for n in range(6, 11)]
    said = {"hypothesis": "Passages are too few to carry a provision.", "change": "serve one more passage a topic",
            "fix": fix, "regression": regression, "observed": "Ten signals, of which all lack operative words.",
            "reason": "words_not_conveyed", **fields}
    json.dump({k: v for k, v in said.items() if v != "gone"}, open("output/pending_eval.json", "w"))

say(START[0])
"""
GOOD = """
call("Read", file_path=os.getcwd() + "/documents/signals.json")
change("passages_per_topic = 3", "passages_per_topic = 4")
pending()
model()
print(json.dumps(tool("check_edit")), file=sys.stderr)
finish()
"""


def given(signals: int = 10, **fields: Any) -> LearnerInput:
    failed = (Failed(match_kind=MatchKind.SPAN, error_class=ErrorClass.MISSING_FACTS),) * 6
    seen = Observation(
        matter_key="k", work_type="review", document_suffixes=(".pdf",), deliverable_suffixes=(".docx",),
        skill_id=SKILL, passed=4, unscored=0, failed=failed,
    )  # fmt: skip
    return learner_input(find_harness(), [(str(n), signal(seen)) for n in range(signals)], []).model_copy(update=fields)


class Bench:
    """A proposer whose program is a script."""

    def __init__(self, tmp_path: Path, url: str) -> None:
        self.tmp_path, self.home = tmp_path, tmp_path / "home"
        self.sandbox = PlainSandbox(tmp_path)
        profile = ModelProfile(name="m", model="anthropic/fake", api_base=url, api_key_env="FAKE_KEY")
        self.client = ModelClient(profile)
        self.waits: list[float] = []

    def proposer(self, body: str) -> AgentProposer:
        made = adapter(NAME)
        quick = {"idle_seconds": 5.0, "linger_seconds": 0.5, "grace_seconds": 0.5}
        environment = {**made.call.environment, "SCRIPT_MODELS": "$models"}
        made = made.model_copy(
            update={
                "watch": made.watch.model_copy(update=quick),
                "call": made.call.model_copy(update={"environment": environment}),
            }
        )
        program = script(self.tmp_path, made, HELP + body)
        run = Program(made, lambda _: program, lambda: self.sandbox, seconds=20)
        return AgentProposer(("skills", "agents", "tools"), self.home, lambda: self.client, run, self.waits.append)

    def kept(self) -> list[str]:
        return sorted(p.name for p in (self.home / "proposer").rglob("*") if p.is_file())


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Bench]]:
    monkeypatch.setenv("FAKE_KEY", KEY)
    opened = []

    def make(fail: Callable[[int], int] = lambda number: 0) -> Bench:
        context = fake_endpoint(["Well."], fail)
        opened.append(context)
        return Bench(tmp_path, context.__enter__().url)

    yield make
    for context in opened:
        context.__exit__(None, None, None)


@pytest.mark.slow
def test_what_it_changed_comes_back_as_an_edit_that_the_gates_take(bench: Callable[..., Bench]) -> None:
    stand = bench()
    told = given()
    (edit,) = stand.proposer(GOOD).propose(told, 1)
    assert (edit.surface, edit.path, edit.before) == ("skills", f"skills/{SKILL}/SKILL.md", told.skills[SKILL])
    assert edit.after == edit.before.replace("passages_per_topic = 3", "passages_per_topic = 4")
    assert (edit.rationale, edit.reason) == ("serve one more passage a topic", "words_not_conveyed")
    assert edit.claim is not None
    assert (edit.claim.fix, edit.claim.regression) == (told.keys[:5], told.keys[5:])  # they are run before the change
    assert run_gates(edit, [])[-1].passed
    iteration = stand.home / "proposer" / "iteration-0000"
    assert json.loads((iteration / "iteration.json").read_text())["session"] == "s-1"
    assert r"\"passes\": true" in (iteration / "stderr.txt").read_text()  # the gates that know no matter, as a tool
    assert KEY not in "".join(p.read_text() for p in stand.home.rglob("*") if p.is_file())
    assert not list((stand.home / "agent" / "room").glob("output/*"))  # the copy is gone


@pytest.mark.slow
def test_a_new_mechanism_comes_with_its_tests(bench: Callable[..., Bench]) -> None:
    body = """
os.makedirs("output/harness/mechanisms/tests")
open("output/harness/mechanisms/heading.py", "w").write("code")
open("output/harness/mechanisms/tests/heading.py", "w").write("tests")
pending(reason=None)
model(); tool("check_edit"); finish()
"""
    (edit,) = bench().proposer(body).propose(given(), 1)
    assert (edit.surface, edit.path, edit.before) == ("tools", "mechanisms/heading.py", "")
    assert (edit.after, edit.tests, edit.reason) == ("code", "tests", None)


SAID = {
    "hypothesis": "Passages are too few to carry a provision.",
    "change": "serve one more passage a topic",
    "fix": [f"s{n:02d}" for n in range(1, 6)],
    "regression": [f"s{n:02d}" for n in range(6, 11)],
    "observed": "Ten signals, of which all lack operative words.",
}
USELESS = [
    ({"fix": ["s01"]}, "fewer than 5 matters"),
    ({"fix": SAID["regression"]}, "in both slices"),
    ({"fix": [f"t{n}" for n in range(5)]}, "that there is not"),
    ({"observed": None}, "cannot be understood (observed)"),
    ({"canary": 1}, "cannot be understood (canary)"),
    ({"change": "x" * 601}, "cannot be understood (change)"),
]


@pytest.mark.parametrize(("fields", "words"), USELESS)
def test_a_record_that_does_not_say_what_it_must_is_refused(tmp_path: Path, fields: dict[str, Any], words: str) -> None:
    (tmp_path / PENDING).write_text(json.dumps({**SAID, **fields}))
    with pytest.raises(SolonError, match="The iteration left a pending_eval") as raised:
        pending_of(tmp_path, given())
    assert words in raised.value.failure.message
    (tmp_path / PENDING).write_text(json.dumps(SAID))
    assert pending_of(tmp_path, given()).change == SAID["change"]


@pytest.mark.examples(2)
@pytest.mark.parametrize(
    ("place", "text", "words"),
    [
        ("gates.toml", None, "took a file"),
        ("x.md", "x", "belongs to no surface"),
        ("knowledge/synonyms/x.csv", "x", "belongs to no surface"),
        ("gates.toml", "x" * 400_001, "too large"),
        ("gates.toml", b"\xff", "is no text"),
    ],
)
def test_a_copy_that_is_no_harness_any_more_is_refused(
    tmp_path: Path, place: str, text: str | bytes | None, words: str
) -> None:
    room = open_room(tmp_path, given(), ("skills", "agents", "tools"))
    pending = Pending.model_validate_json(json.dumps(SAID))
    assert edits_of(room.output, given(), ("skills", "agents", "tools"), pending) == []
    file = room.output / "harness" / place
    file.parent.mkdir(parents=True, exist_ok=True)
    if text is None:
        file.unlink()
    else:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SolonError, match=words) as raised:
        edits_of(room.output, given(), ("skills", "agents", "tools"), pending)
    assert raised.value.failure.cause is FailureCause.UNKNOWN


def test_an_iteration_without_a_record_or_with_two_changes_gives_nothing(bench: Callable[..., Bench]) -> None:
    stand = bench()
    with pytest.raises(SolonError, match="left no pending_eval"):
        stand.proposer("model(); tool('check_edit'); finish()").propose(given(), 1)
    body = GOOD.replace("pending()", "pending(); change('on', 'off', 'output/harness/gates.toml')")
    with pytest.raises(SolonError, match="changed 2 files where 1 may change"):
        stand.proposer(body).propose(given(), 1)


def test_an_iteration_that_touched_the_holdout_is_void_and_nothing_of_it_is_kept(bench: Callable[..., Bench]) -> None:
    stand = bench()
    body = GOOD.replace('change("p', 'call("Bash", command="find / -name split.json")\nchange("p')
    with pytest.raises(SolonError, match="void: it named a file of the split") as raised:
        stand.proposer(body).propose(given(), 1)
    assert raised.value.failure.cause is FailureCause.POLICY
    assert stand.kept() == [".solon-private", "iteration.json"]
    assert "canary" not in (stand.home / "proposer" / "iteration-0000" / "iteration.json").read_text()
    assert not (stand.home / "agent" / "room" / "scratch").exists()  # its memory is gone with it
    stand.proposer(GOOD).propose(given(), 1)
    assert "--session-id" in stand.sandbox.started[-1].words  # a new one


def test_an_interrupted_pass_goes_on_with_its_session(bench: Callable[..., Bench]) -> None:
    stand = bench(lambda number: 500 if number == 1 else 0)
    keep = 'os.makedirs(os.environ["CLAUDE_CONFIG_DIR"] + "/projects/p", exist_ok=True)\n'
    keep += 'open(os.environ["CLAUDE_CONFIG_DIR"] + "/projects/p/s-1.jsonl", "a").write("x")\n'
    body = keep + 'if "--resume" not in sys.argv:\n    model(); finish(failed("overloaded")); sys.exit(1)\n' + GOOD
    assert len(stand.proposer(body).propose(given(), 1)) == 1
    assert stand.waits == [10.0]
    assert "--resume" in stand.sandbox.started[1].words
    stand.proposer(GOOD).propose(given(), 1)  # and the next iteration goes on with it too
    assert "--resume" in stand.sandbox.started[2].words


def test_an_expired_login_ends_it_at_once(bench: Callable[..., Bench]) -> None:
    stand = bench(lambda number: 401)
    with pytest.raises(SolonError, match="401") as raised:
        stand.proposer('model(); finish(failed("401"))').propose(given(), 1)
    assert raised.value.failure.cause is FailureCause.LOGIN
    assert len(stand.sandbox.started) == 1
    assert stand.waits == []


def row(step: int, accepted: bool) -> LedgerRow:
    return LedgerRow(
        learn_id="l", step=step, minibatch=1, proposer="agent", base_version="v", candidate_version="v",
        surface="none", path="", rationale="", diff="", edit_digest="", gates=(), decision=None, accepted=accepted,
        decided_utc=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def test_it_stops_after_iterations_without_gain_and_where_there_are_no_slices(bench: Callable[..., Bench]) -> None:
    stand = bench()
    with pytest.raises(SolonError, match="needs 10 matters") as small:
        stand.proposer(GOOD).propose(given(9), 1)
    assert small.value.failure.cause is FailureCause.INPUT
    for step in range(WITHOUT_GAIN + 1):
        ledger.append(stand.home / "ledger.jsonl", row(step, accepted=step == 0))
    with pytest.raises(SolonError, match="brought no accepted edit") as raised:
        stand.proposer(GOOD).propose(given(), 1)
    assert raised.value.failure.cause is FailureCause.BUDGET
    assert stand.sandbox.started == []
    ledger.append(stand.home / "ledger.jsonl", row(9, accepted=True))
    assert len(stand.proposer(GOOD).propose(given(), 1)) == 1


def test_what_no_iteration_could_begin_with_is_refused_before_a_matter_is_run(tmp_path: Path) -> None:
    def made(model: str, sandbox: Callable[[], Any] = lambda: None) -> AgentProposer:
        embedded = {"kind": "reranker", "via": "onnx"} if model == "weights" else {}
        client = ModelClient(ModelProfile.model_validate({"name": "m", "model": model, **embedded}))
        run = Program(adapter(NAME), lambda _: None, sandbox)  # type: ignore[arg-type,return-value]
        return AgentProposer(("skills",), tmp_path, lambda: client, run)

    made("anthropic/fake").preflight(10)
    with pytest.raises(SolonError, match="--minibatch 10"):
        made("anthropic/fake").preflight(9)
    made("openai/fake").preflight(10)
    with pytest.raises(SolonError, match="cannot be given"):
        made("weights").preflight(10)
    with pytest.raises(SolonError, match="Install bubblewrap"):
        made("anthropic/fake", no_sandbox).preflight(10)


def test_it_is_made_with_a_model_and_an_agent_that_can_be_audited(tmp_path: Path) -> None:
    client = ModelClient(ModelProfile(name="m", model="scripted"))
    with pytest.raises(SolonError, match="--proposer-model"):
        proposer_of("agent", Means(surfaces=("skills",), home=tmp_path))
    with pytest.raises(SolonError, match="no agent that can propose"):
        proposer_of("agent", Means(surfaces=("skills",), home=tmp_path, model=lambda: client, agent="openclaw"))
    assert proposer_of("agent", Means(surfaces=("skills",), home=tmp_path, model=lambda: client)).name == "agent"


def trajectory(tmp_path: Path, name: str, **arguments: Any) -> str:
    block = {"type": "tool_use", "id": "t1", "name": name, "input": arguments}
    event = {"type": "assistant", "message": {"id": "m1", "role": "assistant", "content": [block]}}
    path = tmp_path / "transcript.jsonl"
    path.write_text(json.dumps(event) + "\n")
    return touched(path, NAME)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Bash", {"command": "cat ../split.json"}),
        ("Bash", {"command": "grep -ri holdout ."}),
        ("Bash", {"command": "ls /root"}),
        ("Bash", {"command": "ls ../../../../../../../.."}),
        ("Bash", {"command": "cat ../../etc/passwd"}),
        ("Bash", {"command": "cat /matter/../work/runs/x"}),
        ("Bash", {"command": "ls x > output/a; cat sealed/x"}),
        ("Bash", {"command": "python3 -c \"print(open('/home/u/task.json').read())\""}),
        ("Read", {"file_path": "/matter/documents/holdout.jsonl"}),
        ("Read", {"file_path": "/proc/1/environ"}),
        ("Grep", {"pattern": "match_criteria", "path": "."}),
        ("Grep", {"pattern": "x", "path": "/var/lib"}),
        ("Glob", {"pattern": "**/rubric*"}),
        ("Write", {"file_path": "/etc/x", "content": "y"}),
        ("Bash", {"command": "cp x" + " y" * 2000 + "; cat rubric.json"}),
    ],
)
def test_what_reaches_beyond_the_room_is_found(tmp_path: Path, tool: str, arguments: dict[str, str]) -> None:
    assert trajectory(tmp_path, tool, **arguments)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Bash", {"command": "ls -R output/harness && cat ../matter/AGENTS.md"}),
        ("Bash", {"command": "cd output/harness/skills && cat ../../../documents/signals.json | python3 -m json.tool"}),
        ("Bash", {"command": "grep -rn 'passages_per_topic' /matter/output/harness 2>/dev/null"}),
        ("Read", {"file_path": "/matter/documents/signals.json"}),
        (
            "Write",
            {"file_path": "/matter/output/harness/x", "content": "Never repeat rubric words.\n/etc is no path\n"},
        ),
        ("Edit", {"file_path": "/matter/output/x", "old_string": "and/or", "new_string": "a rubric\nand/or"}),
        ("mcp__solon__check_edit", {}),
    ],
)
def test_ordinary_work_is_not(tmp_path: Path, tool: str, arguments: dict[str, str]) -> None:
    assert trajectory(tmp_path, tool, **arguments) == ""


def test_a_trajectory_that_cannot_be_read_is_void(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text('{"type": "assistant", "mess\n')
    assert "cannot be read whole" in touched(path, NAME)
