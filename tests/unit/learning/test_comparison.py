"""How candidates are compared: fresh pairs in an order and epochs of their own; attribution; what is beside a gain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tasks.harness import find_harness
from tasks.learning import ledger
from tasks.learning.acceptance import BestSoFar
from tasks.learning.attribution import attributed
from tasks.learning.beside import ALIKE, beside, lines, pairs_of
from tasks.learning.comparison import Arena, confirmed
from tasks.learning.harnesses import candidate
from tasks.learning.proposers.rules import RulesProposer
from tasks.learning.records import Edit, MatterScore, Observation
from tasks.learning.sequential import RULE, PairedSequential
from tasks.learning.step import LearnSettings, learn_step
from tasks.matter.reasons import ErrorClass, Failed
from tasks.matter.records import Matter

FAILED = Failed(match_kind="span", error_class=ErrorClass.MISSING_FACTS)
SKILL = "extraction-reconstruction/contract-key-terms"


def matter(name: str) -> Matter:
    return Matter(matter_id=name, title=name, area="tax", instructions="Do it.")


def observed(key: str, passed: int, status: str = "released", tokens: int = 0) -> Observation:
    return Observation(
        matter_key=key, work_type="review", document_suffixes=(), deliverable_suffixes=(), skill_id=SKILL,
        passed=passed, failed=(FAILED,) * (10 - passed), unscored=0, release_status=status, tokens=tokens,
    )  # fmt: skip


@pytest.fixture
def harness(tmp_path):
    root = tmp_path / "harness"
    (root / "skills_repo" / "skills" / SKILL).mkdir(parents=True)
    parts = (
        "Triage", "Failure modes corrected", "Legal frameworks", "Analytical scaffold", "Relationships",
        "Output structure", "Anti-leakage checklist",
    )  # fmt: skip
    body = "\n\n".join(f"## {n}. {part}\n\nProcedure only." for n, part in enumerate(parts, 1))
    head = 'name = "Key terms"\ndescription = "Extracts key terms."\nfamily = "extraction-reconstruction"\n'
    text = f"+++\n{head}\n[procedure]\npassages_per_topic = 2\n+++\n{body}"
    (root / "skills_repo" / "skills" / SKILL / "SKILL.md").write_text(text)
    (root / "knowledge_db" / "data").mkdir(parents=True)
    (root / "knowledge_db" / "data" / "a.toml").write_text("x = 1\n")
    return find_harness(root)


def edit(harness, value: int = 3) -> Edit:
    text = (harness.skills / "skills" / SKILL / "SKILL.md").read_text()
    after = text.replace("passages_per_topic = 2", f"passages_per_topic = {value}")
    return Edit(surface="skills", path=f"skills/{SKILL}/SKILL.md", before=text, after=after, rationale="more")


class World:
    """Runs matters where the candidate passes so many more criteria than the incumbent, and keeps what was run."""

    def __init__(self, first: str, gain: int, drift: int = 0) -> None:
        self.first, self.gain, self.drift, self.ran = first, gain, drift, []

    def evaluate(self, harness, matters, epochs=(1,)):
        self.ran += [(harness.version == self.first, m.matter_id, e) for m in matters for e in epochs]
        more = 0 if harness.version == self.first else self.gain
        return [observed(m.matter_id, min(9, 4 + more + self.drift * len(self.ran))) for m in matters for e in epochs]


@pytest.fixture
def two(harness, tmp_path):
    return harness, candidate(harness, edit(harness), tmp_path / "store")


TRAINING, CONFIRM = [matter(f"t{n}") for n in range(10)], [matter(f"c{n}") for n in range(40)]


def arena(world, **fields) -> Arena:
    return Arena(**{"evaluate": world.evaluate, "training": TRAINING, "confirm": CONFIRM} | fields)


def test_a_gain_is_found_on_matters_that_no_proposer_saw(two):
    incumbent, challenger = two
    world = World(incumbent.version, gain=3)
    decision = confirmed(PairedSequential(), incumbent, challenger, arena(world), 0, 0)
    assert decision.accepted
    assert decision.evidence >= 200
    screened, compared = [r for r in world.ran if r[1][0] == "t"], [r for r in world.ran if r[1][0] == "c"]
    assert len(screened) == 2 * PairedSequential.sampling.screen
    # drawn in batches, and no more of them than the decision needed
    assert 2 * decision.pairs <= len(compared) < 2 * (decision.pairs + PairedSequential.sampling.batch)
    assert {epoch for _, _, epoch in world.ran} == {1}


def test_what_does_not_lead_on_training_matters_costs_no_comparison(two):
    incumbent, challenger = two
    world = World(incumbent.version, gain=0)
    decision = confirmed(PairedSequential(), incumbent, challenger, arena(world), 0, 0)
    assert (decision.accepted, decision.pairs, decision.more) == (False, 0, 0)
    assert decision.reason == "does not lead on 8 training matters"
    assert {name[0] for _, name, _ in world.ran} == {"t"}


def test_in_a_deterministic_cell_each_matter_counts_once_in_an_order_of_its_own(two):
    incumbent, challenger = two
    orders = []
    for number in range(2):
        world = World(incumbent.version, gain=1)
        rule = replace(RULE, least_gain=0.5)  # never promoted: every matter comes
        decision = confirmed(PairedSequential(rule), incumbent, challenger, arena(world, trials=3), number, number)
        assert "40 pairs" in decision.reason
        order = [name for first, name, _ in world.ran if first and name[0] == "c"]
        assert sorted(order) == sorted(m.matter_id for m in CONFIRM)
        orders.append(order)
    assert orders[0] != orders[1]


def test_a_cell_that_samples_is_tried_again_in_attempts_that_no_other_comparison_used(two):
    incumbent, challenger = two
    used = []
    for number in range(3):
        world = World(incumbent.version, gain=1)
        policy = PairedSequential(replace(RULE, least_gain=0.5))
        confirmed(policy, incumbent, challenger, arena(world, samples=True, trials=3, confirm=CONFIRM[:7]), number, 0)
        runs = [r for r in world.ran if r[0]]
        assert len(runs) == len(set(runs)) == 8 + 3 * 7
        used.append({epoch for *_, epoch in runs})
    slices = {epoch for number in range(3) for epoch in arena(world, samples=True, trials=3).slice_epochs(number)}
    every = used[0] | used[1] | used[2]
    assert len(every) == 3 * 4
    assert not every & (slices | {1, 2, 3})  # 1 to 3 are the attempts of the steps
    assert len(slices) == 3 * 3
    assert not used[0] & used[1]
    assert not used[1] & used[2]


def test_no_comparison_beyond_those_that_the_bound_is_spread_over(two):
    incumbent, challenger = two
    world = World(incumbent.version, gain=4)
    policy = PairedSequential(replace(RULE, candidates=2))
    assert confirmed(policy, incumbent, challenger, arena(world), 1, 1).accepted
    world.ran.clear()
    decision = confirmed(policy, incumbent, challenger, arena(world), 2, 2)
    assert not decision.accepted
    assert "the 2 comparisons that the run was planned with are spent" in decision.reason
    assert world.ran == []


def settings(tmp_path, policy) -> LearnSettings:
    return LearnSettings(
        learn_id="t", proposer=RulesProposer(), policy=policy, store=tmp_path / "store",
        ledger=tmp_path / "ledger.jsonl", inputs=tmp_path / "inputs",
    )  # fmt: skip


def test_a_step_under_the_test_writes_its_evidence_and_counts_its_comparisons(harness, tmp_path):
    world, given = World(harness.version, gain=3), settings(tmp_path, PairedSequential(replace(RULE, candidates=1)))
    after, (row,) = learn_step(harness, TRAINING[:2], 0, arena(world), given)
    assert row.accepted
    assert after.version == row.candidate_version
    assert row.decision.evidence >= 20
    assert [g.gate for g in row.gates][-2:] == ["evaluation", "attribution"]
    world.first = after.version
    again, (second,) = learn_step(after, TRAINING[:2], 1, arena(world), given)
    assert again == after
    assert "comparisons that the run was planned with are spent" in second.decision.reason
    assert ledger.read(given.ledger) == [row, second]


class Telling:
    """Proposes edits that say something of the matter it learned from, in the text, the rationale or the name."""

    name = "telling"

    def propose(self, given, limit):
        ((skill, text),) = given.skills.items()
        path, more = f"skills/{skill}/SKILL.md", f"{text}\nAs Larkfield did.\n"
        date = f"{text}\nBy March 3, 2021.\n"
        new = "skills/other/larkfield-leases/SKILL.md"
        told = [(path, text, more, "general"), (path, text, more, "as Larkfield did"), (path, text, date, "$1,250.00")]
        whole = text.replace("Key terms", "Leases").replace("extraction-reconstruction", "other")
        return [
            Edit(surface="skills", path=p, before=before, after=after, rationale=why)
            for p, before, after, why in (*told, (new, "", whole, "a class of its own"))
        ]


def test_what_an_edit_says_of_a_matter_reaches_neither_ledger_nor_proposer(harness, tmp_path):
    """Refused or not: what it holds would be told to whoever proposes next."""
    named = {"t0": ("Larkfield v. Birch", "t0")}
    given = replace(settings(tmp_path, BestSoFar()), proposer=Telling(), names=named, max_edits=9)
    world = arena(World(harness.version, gain=0))
    _, rows = learn_step(harness, TRAINING[:1], 0, world, given)
    assert [row.gates[-1].gate for row in rows] == ["audit", "audit", "generality", "audit"]
    learn_step(harness, TRAINING[:1], 1, world, replace(given, proposer=RulesProposer()))
    kept = given.ledger.read_text() + (tmp_path / "inputs" / "step-0001.json").read_text()
    assert not [word for word in ("larkfield", "march 3", "1,250") if word in kept.lower()]
    told = ledger.history(ledger.read(given.ledger))
    assert "general" in told  # what says nothing of a matter is told: it is not to be proposed again
    assert sum(one.startswith("withheld: refused by the gate") for one in told) == 2


def test_a_gain_that_stays_when_the_edit_is_taken_back_is_not_the_edits(harness, tmp_path):
    """Every attempt is better than the one before, whatever the harness: a strict gain, and not one of the edit."""
    drifting = World(harness.version, gain=0, drift=1)
    given = settings(tmp_path, BestSoFar())
    after, (row,) = learn_step(harness, TRAINING[:1], 0, arena(drifting, samples=True), given)
    assert row.decision.accepted
    assert not row.accepted
    assert after == harness
    assert row.gates[-1].gate == "attribution"
    assert "with the edit taken back and run again the gain stays" in row.gates[-1].reason
    real = World(harness.version, gain=2)
    _, (kept,) = learn_step(harness, TRAINING[:1], 0, arena(real, samples=True), settings(tmp_path / "b", BestSoFar()))
    assert kept.accepted
    assert (True, "t0", 2) in real.ran  # the incumbent was run anew, in an attempt of its own


def test_something_else_that_was_changed_with_the_edit_is_noticed(two, harness, tmp_path):
    incumbent, _ = two
    more = edit(harness).model_copy(update={"path": "prompts/api.md", "surface": "agents", "before": "", "after": "x"})
    both = candidate(candidate(incumbent, edit(harness), tmp_path / "s"), more, tmp_path / "s")
    world = arena(World(incumbent.version, gain=1))
    problem = attributed(edit(harness), incumbent, both, [], [], world, 0, tmp_path / "s")
    assert "something else was changed with it" in problem
    alone = candidate(incumbent, more, tmp_path / "s")
    assert attributed(more, incumbent, alone, [], [], world, 0, tmp_path / "s") == ""  # a new file is taken back whole


# -- beside a gain -----------------------------------------------------------------------------------------------------


def score(key: str, passed: int, tokens: int = 0) -> MatterScore:
    return MatterScore(matter_key=key, passed=passed, failed=10 - passed, unscored=0, tokens=tokens)


def test_beside_a_gain_stand_the_holdout_and_the_best_of_k(harness):
    pairs = [(score("a", 5), score("a", 8)), (score("b", 4), score("b", 6))]
    sampled = [
        [
            observed("a", 5, "blocked", 100),
            observed("a", 7, "released", 100),
            observed("a", 9, "released_with_flags", 100),
        ],
        [observed("b", 4, "released", 100), observed("b", 6, "released", 100), observed("b", 5, "released", 100)],
    ]
    told = beside("test", pairs, sampled, harness, tokens=1_234, evaluations=20, samples=True)
    assert (told.before.pooled, told.after.pooled, told.gain) == (0.45, 0.7, 0.25)
    assert told.interval == (0.2, 0.3)
    assert (told.matters, told.criteria, told.k, told.k_run) == (2, 20, 12, 3)
    assert told.best_of_k.pooled == pytest.approx(11 / 20)  # the released one of a, the first of b
    assert told.oracle.pooled == pytest.approx(15 / 20)
    assert "3 of 12 attempts were made" in told.note
    assert "best of k: 0.5500" in lines(told)[1]
    assert "gain +0.2500 [+0.2000, +0.3000]" in lines(told)[0]


def test_in_a_deterministic_cell_best_of_k_is_one_attempt_and_says_so(harness):
    told = beside("giant", [(score("a", 5), score("a", 5))], [[observed("a", 5)]], harness, tokens=0, evaluations=30,
                  samples=False)  # fmt: skip
    assert (told.k, told.k_run, told.note) == (30, 1, ALIKE)
    assert told.best_of_k == told.oracle == told.before
    assert lines(told)[0].startswith("giant slice:")


def test_nothing_scored_is_no_gain_of_nothing(harness):
    empty = MatterScore(matter_key="a", passed=0, failed=0, unscored=9)
    told = beside("test", [(empty, empty)], [[]], harness, tokens=0, evaluations=0, samples=True)
    assert (told.gain, told.interval, told.best_of_k.pooled, told.k) == (None, None, None, 1)
    assert "not scored -> not scored" in lines(told)[0]


def test_a_look_runs_every_matter_in_every_epoch_under_both(two):
    incumbent, challenger = two
    world = World(incumbent.version, gain=1)
    pairs = pairs_of(
        lambda a, b, matters, epochs: arena(world).paired(a, b, list(zip(matters, epochs, strict=True))),
        incumbent, challenger, CONFIRM[:2], (1, 2),
    )  # fmt: skip
    assert len(pairs) == 4
    assert sorted(e for first, _, e in world.ran if first) == [1, 1, 2, 2]
