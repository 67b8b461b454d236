"""A learning step over every surface: what is kept, what is not and why, and that no proposer learns of a matter."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tasks.drafting.cli_agents.records import adapter
from tasks.drafting.workspace.records import Bounds, Command, Room
from tasks.harness import HarnessRef, find_harness, parsed
from tasks.learning import learned_gates, ledger
from tasks.learning.acceptance import BestSoFar
from tasks.learning.comparison import Arena
from tasks.learning.gating import gate_verdicts
from tasks.learning.proposers.agent.proposer import AgentProposer
from tasks.learning.proposers.agent.running import Program
from tasks.learning.proposers.model import ModelProposer
from tasks.learning.proposers.proposer import Means, Proposer
from tasks.learning.proposers.registry import PROPOSERS
from tasks.learning.proposers.rules import RulesProposer, set_procedure
from tasks.learning.records import Edit, LearnerInput, Observation, Surface
from tasks.learning.step import LearnSettings, learn_step
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.reasons import ErrorClass, Failed, MatchKind
from tasks.matter.records import Matter
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tasks.models.transports.scripted import ScriptedModel
from tests.live.fake_endpoint import fake_endpoint
from tests.unit.drafting.cli_agents.plain_sandbox import PlainSandbox
from tests.unit.drafting.cli_agents.scripted import script
from tests.unit.drafting.learned_samples import COUNT, COUNT_TESTS, HEADING, HEADING_TESTS, Unconfined
from tests.unit.learning.test_agent_proposer import GOOD, HELP

SKILL = "extraction-reconstruction/key-terms"
PATH = f"skills/{SKILL}/SKILL.md"
SPAN = Failed(match_kind=MatchKind.SPAN, error_class=ErrorClass.MISSING_FACTS)


@pytest.fixture(autouse=True)
def quick_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    given = learned_gates.failing_tests
    monkeypatch.setattr(learned_gates, "failing_tests", lambda one, tests, find: given(one, tests, Unconfined))


class Tells:
    """Proposes what it was told, step by step."""

    name = "tells"

    def __init__(self, *steps: Callable[[LearnerInput], list[Edit]]) -> None:
        self._steps = list(steps)
        self.given: list[LearnerInput] = []

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        self.given.append(given)
        return self._steps.pop(0)(given)[:limit]


def matters(count: int = 1) -> list[Matter]:
    return [Matter(matter_id=f"m{n}", title="Review", area="contracts", instructions="x") for n in range(count)]


def world(*helps: tuple[str, str]) -> Callable[..., list[Observation]]:
    """Each of these words in its file mends one criterion; any other change mends nothing."""

    def evaluate(harness: HarnessRef, given: Sequence[Matter], epochs: Sequence[int] = (1,)) -> list[Observation]:
        roots = (harness.skills, harness.knowledge)
        files = [((root / path), word) for path, word in helps for root in roots]
        mended = sum(file.is_file() and word in file.read_text("utf-8") for file, word in files)
        return [
            Observation(
                matter_key=m.matter_id, work_type="review", document_suffixes=(), deliverable_suffixes=(),
                skill_id=SKILL, passed=2 + mended, failed=(SPAN,) * (8 - mended), unscored=0,
            )
            for m in given for _ in epochs
        ]  # fmt: skip

    return evaluate


def settings(tmp_path: Path, proposer: Proposer, **fields: Any) -> LearnSettings:
    base = {"learn_id": "l", "proposer": proposer, "policy": BestSoFar(), "max_edits": 9}
    base |= {"store": tmp_path / "store", "ledger": tmp_path / "ledger.jsonl", "inputs": tmp_path / "inputs"}
    return LearnSettings(**{**base, **fields})


def edit(surface: Surface, path: str, before: str, after: str, why: str, **fields: str) -> Edit:
    return Edit(surface=surface, path=path, before=before, after=after, rationale=why, **fields)


def first(given: LearnerInput) -> list[Edit]:
    skill, prompt, gates = given.skills[SKILL], given.agents["prompts/api.md"], given.agents["gates.toml"]
    row, other = RulesProposer(("knowledge",)).propose(given, 2)
    return [
        edit("skills", PATH, skill, set_procedure(skill, "quote_words", 140), "longer quotations"),
        edit("skills", PATH, skill, set_procedure(skill, "passages_per_topic", 4), "more passages"),
        other,
        row,
        edit("agents", "gates.toml", gates, gates.replace('unsourced = "flag"', 'unsourced = "block"'), "stricter"),
        edit("agents", "prompts/api.md", prompt, prompt.replace("brief twice.", "brief twice, slowly."), "slowly"),
        edit("tools", "mechanisms/heading.py", "", HEADING, "a draft begins with a heading", tests=HEADING_TESTS),
        edit("tools", "tools/count.py", "", COUNT, "counts", tests=COUNT_TESTS),
    ]


def second(given: LearnerInput) -> list[Edit]:
    assert given.tools == {"mechanisms/heading.py": HEADING}  # it sees what it has learned
    return [edit("tools", "tools/count.py", "", COUNT, "counts", tests=COUNT_TESTS)]


@pytest.mark.slow
def test_the_ledger_shows_one_kept_and_one_refused_edit_of_each_surface(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.learning.knowledge.gates.suites_problem", lambda one, knowledge: "")  # seconds each
    harness = find_harness()
    proposer = Tells(first, second)
    given = settings(tmp_path, proposer)
    row = RulesProposer(("knowledge",)).propose(_seen(tmp_path, harness), 2)[0]
    added = (set(row.after.splitlines()) - set(row.before.splitlines())).pop()
    helps = [(PATH, "passages_per_topic = 4"), (row.path, added), ("prompts/api.md", "slowly"), HEADS]
    arena = Arena(world(*helps))
    after, rows = learn_step(harness, matters(), 0, arena, given)
    last, more = learn_step(after, matters(), 1, arena, given)
    found = [(r.surface, r.accepted, r.gates[-1].gate) for r in (*rows, *more)]
    assert found == [
        ("skills", False, "evaluation"),
        ("skills", True, "attribution"),
        ("knowledge", False, "evaluation"),
        ("knowledge", True, "attribution"),
        ("agents", False, "evaluation"),
        ("agents", True, "attribution"),
        ("tools", True, "attribution"),
        ("tools", False, "scope"),  # one new tool a step
        ("tools", False, "evaluation"),
    ]
    assert rows[-1].gates[-1].reason == ledger.ONE_TOOL
    assert [one.called for one in parsed(last).learned] == ["learned_heading"]
    tests = last.skills / "mechanisms" / "tests" / "heading.py"
    assert tests.read_text("utf-8") == HEADING_TESTS
    assert [r.surface for r in ledger.read(given.ledger)] == [r.surface for r in (*rows, *more)]


HEADS = ("mechanisms/heading.py", "Work product")


def _seen(tmp_path: Path, harness: HarnessRef) -> LearnerInput:
    proposer = Tells(lambda given: [])
    learn_step(harness, matters(), 0, Arena(world()), settings(tmp_path / "seen", proposer))
    return proposer.given[0]


class Fails:
    name = "fails"

    def __init__(self, cause: FailureCause) -> None:
        self._cause = cause

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        raise SolonError(Failure(cause=self._cause, stage="learning", subject="m", message="is away", remedy="Wait."))


@pytest.mark.parametrize("cause", [FailureCause.PROVIDER, FailureCause.POLICY, FailureCause.BUDGET])
def test_a_proposer_that_failed_is_no_refused_edit(tmp_path: Path, cause: FailureCause) -> None:
    given = settings(tmp_path, Fails(cause))
    after, (row,) = learn_step(find_harness(), matters(), 0, Arena(world()), given)
    assert after == find_harness()
    assert (row.surface, row.gates, row.decision) == ("none", (), None)
    assert row.failure is not None
    assert row.failure.cause is cause
    assert ledger.read(given.ledger)[0].failure == row.failure
    assert ledger.history(ledger.read(given.ledger)) == ()
    with pytest.raises(SolonError, match="is away"):
        learn_step(find_harness(), matters(), 1, Arena(world()), settings(tmp_path, Fails(FailureCause.INPUT)))


class Rewrites(Tells):
    """Says a refused edit again, and counts how often it is asked."""

    asked = 0

    def rewritten(self, one: Edit) -> Edit | None:
        self.asked += 1
        return one.model_copy(update={"after": one.after.replace("larkfield", "general"), "rationale": "general"})


@pytest.mark.slow
def test_what_the_audit_refused_is_asked_for_once_in_general_words(tmp_path: Path) -> None:
    def tell(given: LearnerInput) -> list[Edit]:
        text = given.skills[SKILL]
        bad = text.replace("## 1. Triage\n", "## 1. Triage\n\nRead the larkfield schedules first.\n", 1)
        return [edit("skills", PATH, text, bad, "schedules"), edit("skills", PATH, text, bad + "\n", "again")]

    proposer = Rewrites(tell)
    given = settings(tmp_path, proposer, names={"m0": ("The Larkfield Lease",)})
    _, rows = learn_step(find_harness(), matters(), 0, Arena(world((PATH, "general schedules"))), given)
    assert [(r.accepted, r.gates[-1].gate) for r in rows] == [
        (False, "audit"), (True, "attribution"), (False, "scope"),
    ]  # fmt: skip
    assert proposer.asked == 1
    assert "larkfield" not in given.ledger.read_text("utf-8").lower()


CANARIES = ("canaryheliotrope", "Zebulon Quist", "4 May 2021", "USD 987,654.32", "quist-017", "jonquil estoppel")


def telling(harness: HarnessRef, given: Sequence[Matter], epochs: Sequence[int] = (1,)) -> list[Observation]:
    """Attempts whose last message says all that may not be told."""
    told = [
        o.model_copy(update={"final_message": f"I wrote for {'; '.join(CANARIES)}."}) for o in world()(harness, given)
    ]
    return told * len(epochs)


REPLY = {"surface": "skills", "path": PATH, "find": "passages_per_topic = 3", "replace": "passages_per_topic = 4"}


class Looks(PlainSandbox):
    """Keeps all that the agent can read, as it is when it starts."""

    def start(self, command: Command, room: Room, bounds: Bounds, stdout: Path, stderr: Path) -> Any:
        places = [room.documents, room.text, room.output, room.scratch, *command.shown.values()]
        files = [f for place in places for f in (place, *place.rglob("*")) if f.is_file()]
        seen = [*(f"{f.name}\n{f.read_text('utf-8')}" for f in files), command.stdin.decode(), *command.words]
        (self.base / "seen").write_text("\n".join([*seen, *command.environment.values()]))
        return super().start(command, room, bounds, stdout, stderr)


def _model(home: Path) -> Proposer:
    said = json.dumps({"edits": [{**REPLY, "rationale": "more passages"}]})
    client = ModelClient(
        ModelProfile(name="m", model="scripted", context_window=60_000), transport=ScriptedModel([said])
    )
    return ModelProposer(("skills", "agents", "tools"), home, lambda: client)


def _agent(home: Path) -> Proposer:
    made = adapter("claude-code")
    call = made.call.model_copy(update={"environment": {**made.call.environment, "SCRIPT_MODELS": "$models"}})
    made = made.model_copy(update={"call": call})
    home.mkdir(exist_ok=True)
    program = script(home, made, HELP + GOOD)
    url = home.joinpath("url").read_text("utf-8")
    profile = ModelProfile(name="m", model="anthropic/fake", api_base=url, api_key_env="FAKE_KEY")
    run = Program(made, lambda _: program, lambda: Looks(home), seconds=30)
    return AgentProposer(("skills", "agents", "tools"), home, lambda: ModelClient(profile), run, lambda _: None)


MAKERS = {"model": _model, "agent": _agent}
"""Those that need more than the surfaces and a home; any other is made as its line in the registry makes it."""


def _made(name: str, home: Path) -> Proposer:
    if name in MAKERS:
        return MAKERS[name](home)
    return PROPOSERS[name](Means(("skills", "agents", "tools"), home))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("FAKE_KEY", "k-0123456789")
    monkeypatch.setattr(ModelClient, "tokens_of", lambda *_: 1)
    with fake_endpoint(["Well."]) as endpoint:
        folder = tmp_path / "home"
        folder.mkdir()
        (folder / "url").write_text(endpoint.url)
        yield folder


@pytest.mark.parametrize("name", sorted(PROPOSERS.keys() - {"catalogue"}))  # the catalogue's are with its own tests
def test_no_proposer_is_told_anything_of_a_matter(home: Path, name: str) -> None:
    found = [
        Matter(matter_id=f"tax/quist-017-{n}", title="Zebulon Quist v. Canaryheliotrope", area="canaryheliotrope",
               instructions="State what Zebulon Quist owes.")
        for n in range(10)
    ]  # fmt: skip
    names = {m.matter_id: (m.title, "Zebulon Quist", "canaryheliotrope", "quist-017", "jonquil") for m in found}
    given = settings(home, _made(name, home), max_edits=1, names=names)
    _, rows = learn_step(find_harness(), found, 0, Arena(telling), given)
    why = rows[0].failure or f"{name} proposed no edit of a skill; MAKERS can make it so that it does"
    assert [r.surface for r in rows] == ["skills"], why
    looked = 0
    for path in home.rglob("*"):
        if path.is_file() and not path.is_symlink():
            text = path.read_bytes().decode("utf-8", "replace").lower()
            looked += 1
            for canary in (*CANARIES, "zebulon", "987,654", "jonquil"):
                assert canary.lower() not in text, path
    assert looked > 3
    _seen_by(name, home)


def _seen_by(name: str, home: Path) -> None:
    """The proposer did look: what it was told is among what was searched."""
    if name == "model":
        assert (home / "proposer" / "call-0000.json").is_file()
    if name == "agent":
        assert "signals.json" in (home / "seen").read_text("utf-8")


def test_a_party_that_a_model_names_reaches_neither_ledger_nor_harness(tmp_path: Path) -> None:
    def tell(given: LearnerInput) -> list[Edit]:
        text = given.skills[SKILL]
        return [edit("skills", PATH, text, f"{text}\nMind what Zebulon Quist said.\n", "as Zebulon Quist said")]

    given = settings(tmp_path, Tells(tell), names={"m0": ("Zebulon Quist",)})
    _, (row,) = learn_step(find_harness(), matters(), 0, Arena(world()), given)
    assert (row.accepted, row.gates[-1].gate) == (False, "leakage")
    kept = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert b"Quist" not in kept


def test_a_class_skill_can_be_proposed_whole_and_a_copy_of_one_is_refused() -> None:
    """It passes every gate of its form; that another class has it already, the gate of likeness says."""
    shipped = find_harness()
    text = (shipped.skills / "skills/matter-classes/white-collar/SKILL.md").read_text("utf-8")
    path = "skills/matter-classes/white-collar-again/SKILL.md"
    edit = Edit(surface="skills", path=path, before="", after=text, rationale="a skill for a class that has none")
    verdicts = gate_verdicts(edit, (), shipped, shipped, None, another_tool=False)
    assert [one.gate for one in verdicts if not one.passed] == ["similarity"]
    assert "is matter-classes/white-collar with words changed" in verdicts[-1].reason
    assert {"scope", "form", "generality", "audit"} <= {one.gate for one in verdicts}
