"""The slices that a proposer names: they are run, an edit that does not do what is said of it goes, and all is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tasks.harness import HarnessRef
from tasks.learning import ledger
from tasks.learning.acceptance import AcceptancePolicy, BestSoFar
from tasks.learning.comparison import Arena
from tasks.learning.proposers.agent.room import open_room
from tasks.learning.records import Claim, Edit, LearnerInput, LedgerRow, Observation
from tasks.learning.sequential import PairedSequential
from tasks.learning.step import LearnSettings, learn_step
from tasks.matter.reasons import ErrorClass, Failed, MatchKind
from tasks.matter.records import Matter
from tests.unit.learning.test_step import SKILL_ID, harness, matter, procedure, settings

__all__ = ["harness"]  # the fixture
SPAN = Failed(match_kind=MatchKind.SPAN, error_class=ErrorClass.MISSING_FACTS)
MATTERS = [matter(f"m{n:02d}") for n in range(10)]
CONFIRM = [matter(f"c{n:02d}") for n in range(40)]
Turned = Callable[[str], int]
"""By matter, how many of twenty criteria the edit gains; under 0 those that it loses."""


class World:
    """Matters that pass 10 of 20 under the incumbent. Signals are told by work type: the last five come first."""

    def __init__(self, gains: Turned) -> None:
        self.gains, self.ran = gains, list[tuple[bool, str, int]]()

    def evaluate(
        self, harness: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int] = (1,)
    ) -> list[Observation]:
        edited = procedure(harness, SKILL_ID).passages_per_topic > 2
        self.ran += [(edited, m.matter_id, e) for m in matters for e in epochs]
        passed = [10 + (self.gains(m.matter_id) if edited else 0) for m in matters for _ in epochs]
        return [
            Observation(
                matter_key=m.key, work_type="draft" if m.matter_id >= "m05" else "review", skill_id=SKILL_ID,
                document_suffixes=(), deliverable_suffixes=(), passed=n, failed=(SPAN,) * (20 - n), unscored=0
            )
            for (m, _), n in zip([(m, e) for m in matters for e in epochs], passed, strict=True)
        ]  # fmt: skip


class Claiming:
    """Serves one more passage, and says that it mends the first five matters that it was told of."""

    name = "claiming"

    def __init__(self, **said: str) -> None:
        self.said, self.given = said, list[LearnerInput]()

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        self.given.append(given)
        ((skill, text),) = given.skills.items()
        claim = {"hypothesis": "Passages are too few.", "observed": "All lack operative words.", **self.said}
        return [
            Edit(
                surface="skills", path=f"skills/{skill}/SKILL.md", before=text, rationale="serve one more passage",
                after=text.replace("passages_per_topic = 2", "passages_per_topic = 3"),
                claim=Claim.model_validate(claim | {"fix": given.keys[:5], "regression": given.keys[5:10]}),
            )
        ]  # fmt: skip


def step(
    harness: HarnessRef, tmp_path: Path, gains: Turned, policy: AcceptancePolicy | None = None, **fields: object
) -> tuple[World, Claiming, LedgerRow, LearnSettings]:
    world, proposer = World(gains), fields.pop("proposer", Claiming())
    assert isinstance(proposer, Claiming)
    arena = Arena(world.evaluate, training=MATTERS, confirm=CONFIRM, samples=True, trials=2)
    given = replace(settings(tmp_path, policy=policy or BestSoFar(), proposer=proposer), **fields)  # type: ignore[arg-type]
    _, (row,) = learn_step(harness, MATTERS, 0, arena, given)
    return world, proposer, row, given


def test_an_edit_whose_fix_slice_rises_and_whose_regression_slice_stays_is_compared(harness, tmp_path):
    world, proposer, row, _ = step(harness, tmp_path, lambda _: 4)
    assert [g.gate for g in row.gates][-3:] == ["slices", "evaluation", "attribution"]
    assert row.accepted
    assert row.slices is not None
    assert row.slices.fix.gain == pytest.approx(0.2)
    assert (row.slices.fix.before, row.slices.fix.compared) == (0.5, 5)
    (given,) = proposer.given
    assert len(given.keys) == 10
    assert len(given.signals) == 20  # two attempts of each matter: a key is of a matter, not of an attempt
    told = {(edited, epoch) for edited, _, epoch in world.ran}
    epochs = {e for edited, e in told if edited} - {1, 2}
    assert epochs  # the slices are run fresh, under both
    assert epochs <= {e for edited, e in told if not edited}


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        ({"fix": 0, "regression": 4}, "its own fix slice does not rise"),
        ({"fix": 4, "regression": -1}, "its own regression slice falls"),
    ],
)
@pytest.mark.parametrize("together", [0, 3])
def test_an_edit_that_does_not_do_what_is_said_of_it_is_not_compared(harness, tmp_path, gain, words, together):
    """The rule alone would promote both: they gain more than they lose over all ten matters."""

    def gains(matter_id: str) -> int:
        return gain["fix" if matter_id >= "m05" else "regression"]

    policy = PairedSequential() if together else BestSoFar()
    world, _, row, _ = step(harness, tmp_path, gains, policy, together=together)
    assert not row.accepted
    assert row.gates[-1].gate == "slices"
    assert words in row.gates[-1].reason
    assert row.decision is None
    assert not [name for _, name, _ in world.ran if name.startswith("c")]  # training matters alone


def test_what_the_slices_showed_is_kept_and_told_to_the_next_iteration(harness, tmp_path):
    _, proposer, row, given = step(harness, tmp_path, lambda _: 0)
    kept = ledger.read(given.ledger)[0]
    assert kept == row
    assert kept.claim is not None
    assert kept.claim.hypothesis == "Passages are too few."
    assert (kept.claim.fix, kept.claim.regression) == (proposer.given[0].keys[:5], proposer.given[0].keys[5:])
    arena = Arena(World(lambda _: 0).evaluate, training=MATTERS)
    learn_step(harness, MATTERS, 1, arena, given)
    (line,) = proposer.given[1].observed
    assert line.startswith("serve one more passage: fix slice 50.0 -> 50.0 % over 5 matters")
    assert line.endswith("refused by slices")
    room = open_room(tmp_path / "room", proposer.given[1], ("skills",))
    assert line in (room.documents / "observed.md").read_text()
    signals = json.loads((room.documents / "signals.json").read_text())
    assert list(signals) == list(proposer.given[1].keys)


def test_what_a_claim_says_of_a_matter_is_withheld(harness, tmp_path):
    names = {"m03": ("Larkfield v. Birch",)}
    proposer = Claiming(hypothesis="As Larkfield shows, passages are too few.", observed="It paid $1,250.00.")
    *_, row, given = step(harness, tmp_path, lambda _: 4, proposer=proposer, names=names)
    assert row.claim is not None
    assert (row.claim.hypothesis, row.claim.observed) == ("withheld", "withheld")
    assert "larkfield" not in given.ledger.read_text().lower()
    assert "1,250" not in given.ledger.read_text()
    shares = Claiming(observed="The quorum of holders failed.")
    fields = {"proposer": shares, "vocabulary": lambda text, general: "quorum" in text}
    *_, row, _ = step(harness, tmp_path / "b", lambda _: 4, **fields)
    assert row.claim is not None
    assert (row.claim.hypothesis, row.claim.observed) == ("Passages are too few.", "withheld")
