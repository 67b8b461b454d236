"""A few edits compared as one: small gains add up, and what carries nothing of them is left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tasks.harness import HarnessRef, find_harness
from tasks.learning import ledger
from tasks.learning.acceptance import BestSoFar
from tasks.learning.comparison import Arena, confirmed
from tasks.learning.harnesses import candidate
from tasks.learning.records import Edit, LearnerInput, Observation
from tasks.learning.sequential import PairedSequential, SequentialRule
from tasks.learning.step import LearnSettings, learn_step
from tasks.learning.together import WeighedEdit, weighed
from tasks.learning.weighing import IDLE, OUTDONE, UNSPOKEN
from tasks.matter.reasons import ErrorClass, Failed
from tasks.matter.records import Matter

FAILED = Failed(match_kind="span", error_class=ErrorClass.MISSING_FACTS)
POLICY = PairedSequential(SequentialRule(candidates=12))
TRAINING, CONFIRM = ([Matter(matter_id=f"{side}{n}", title=side, area="tax", instructions="Do it.")
                      for n in range(count)] for side, count in (("t", 8), ("c", 21)))  # fmt: skip


@pytest.fixture
def harness(tmp_path: Path) -> HarnessRef:
    (tmp_path / "harness/skills_repo/skills").mkdir(parents=True)
    (tmp_path / "harness/knowledge_db/data").mkdir(parents=True)
    return find_harness(tmp_path / "harness")


def edit(
    name: str,
    training: int,
    confirm: int,
    file: str = "",
    of: str = "",
    needs: int = 0,
    odd: int = 0,
    company: int = 0,
    shy: int = 99,
    hush: bool = False,
) -> Edit:
    """An edit that adds a file, and what it does to the criteria of a matter of each side; on every other ``odd`` more.

    Of the files about the same thing (``of``) the last by name decides. One that ``needs`` others does nothing in a
    harness that does not say so many things; ``company`` is the same on the matters that edits are compared on, where
    one that is ``shy`` does nothing in a harness that says more things. Beside one that says ``hush`` nothing acts.
    """
    after = json.dumps(
        {
            "t": training,
            "c": confirm,
            "of": of or name,
            "needs": needs,
            "odd": odd,
            "company": company,
            "shy": shy,
            "hush": hush,
        }
    )
    return Edit(surface="skills", path=f"skills/other/{file or name}/SKILL.md", before="", after=after, rationale=name)


def evaluate(harness: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int] = (1,)) -> list[Observation]:
    """Pass six of twenty criteria, and what the files of the harness say more or less."""
    effects = {
        of["of"]: of for of in (json.loads(path.read_text()) for path in sorted(harness.skills.rglob("SKILL.md")))
    }
    seen = []
    for one in matters:
        odd = int(one.matter_id[1:]) % 2
        side = one.matter_id[0]
        fewest = "needs" if side == "t" else "company"
        acting = [
            e for e in effects.values()
            if max(e["needs"], e[fewest]) < len(effects) and (side == "t" or len(effects) <= e["shy"])
        ]  # fmt: skip
        acting = [] if any(e["hush"] for e in effects.values()) else acting
        passed = 6 + sum(e[side] + odd * e["odd"] for e in acting)
        seen.append(
            Observation(
                matter_key=one.matter_id, work_type="review", document_suffixes=(), deliverable_suffixes=(),
                skill_id="other/x", passed=passed, failed=(FAILED,) * (20 - passed), unscored=0,
            )
        )  # fmt: skip
    return seen


ARENA = Arena(evaluate, training=TRAINING, confirm=CONFIRM, seed=3)
SMALL = [edit(f"small-{n}", 1, 1) for n in range(4)]


def weigh(
    harness: HarnessRef, edits: Sequence[Edit], tmp_path: Path, most: int = 9
) -> tuple[HarnessRef, dict[str, WeighedEdit | None]]:
    last, found = weighed(harness, edits, POLICY, ARENA, 0, 0, most, tmp_path / "store")
    return last, {one.rationale: found.get(one.digest) for one in edits}


def test_gains_too_small_to_be_promoted_alone_are_promoted_together(harness: HarnessRef, tmp_path: Path) -> None:
    alone = confirmed(POLICY, harness, candidate(harness, SMALL[0], tmp_path / "store"), ARENA, 0, 0)
    assert (alone.accepted, alone.pairs) == (False, len(CONFIRM))
    assert "undecided" in alone.reason
    last, found = weigh(harness, SMALL, tmp_path)
    assert [one.accepted for one in found.values() if one] == [True] * 4
    assert {one.decision.reason for one in found.values() if one} == {found["small-0"].decision.reason}  # type: ignore[union-attr]
    assert {path.parent.name for path in last.skills.rglob("SKILL.md")} == {one.rationale for one in SMALL}


def test_what_does_nothing_or_harm_is_screened_out_and_a_rider_is_left_out(harness: HarnessRef, tmp_path: Path) -> None:
    """The rider helps on the matters that screen it, and harms on those that nobody saw."""
    idle, harmful, rider = edit("idle", 0, 0), edit("harmful", -2, -2), edit("rider", 1, -1)
    last, found = weigh(harness, [idle, rider, *SMALL, harmful], tmp_path)
    for name in ("idle", "harmful"):
        one = found[name]
        assert one
        assert (one.accepted, one.together, one.decision.pairs) == (False, "", 0)
        assert "does not lead on 8 training matters beside the other edits" in one.decision.reason
    left = found["rider"]
    assert left
    assert (left.accepted, left.decision.accepted) == (False, True)
    assert left.problem == f"{UNSPOKEN} adds on 0 and takes away on 21 of 21 matters, lead -9.70"
    assert {path.parent.name for path in last.skills.rglob("SKILL.md")} == {one.rationale for one in SMALL}
    kept = found["small-0"]
    assert kept
    assert kept.version == last.version != kept.together  # decided once more on what was left
    assert kept.decision.candidate == pytest.approx((6 + 4) / 20)


def test_edits_that_are_worth_something_only_together_are_kept_together(harness: HarnessRef, tmp_path: Path) -> None:
    """Each adds nothing to those before it but the last; what is not missed among them goes."""
    mutual = [edit(f"mutual-{n}", 1, 1, company=4) for n in range(5)]
    last, found = weigh(harness, [*mutual, edit("rider", 1, 0)], tmp_path)
    assert kept_in(last) == {one.rationale for one in mutual}
    first = found["mutual-0"]
    assert first
    assert first.accepted
    assert first.credit.startswith(
        "missed where it is taken back from the others; on top of those before it, it adds on 0"
    )
    assert first.decision.candidate == pytest.approx((6 + 5) / 20)
    assert (found["rider"].accepted, found["rider"].problem) == (False, IDLE)  # type: ignore[union-attr]


def test_what_needs_company_joins_those_with_evidence_of_their_own(harness: HarnessRef, tmp_path: Path) -> None:
    """Four stand alone and are promoted; three more add nothing one after the other, and much together."""
    mutual = [edit(f"mutual-{n}", 1, 2, company=6) for n in range(3)]
    last, found = weigh(harness, [*SMALL, *mutual], tmp_path)
    assert kept_in(last) == {one.rationale for one in (*SMALL, *mutual)}
    assert [found[f"mutual-{n}"].credit.startswith("missed where") for n in range(3)] == [True] * 3  # type: ignore[union-attr]
    assert found["small-0"].credit.startswith("adds on 21")  # type: ignore[union-attr]


def kept_in(harness: HarnessRef) -> set[str]:
    return {json.loads(path.read_text())["of"] for path in harness.skills.rglob("SKILL.md")}


def test_of_rivals_for_a_file_the_better_is_kept_whichever_comes_first(harness: HarnessRef, tmp_path: Path) -> None:
    """Alone, the poor one helps as well: it would be kept, and keep the sound one out."""
    poor, sound = edit("poor", 1, 1, file="same"), edit("sound", 2, 2, file="same")
    for at, order in enumerate(([poor, sound], [sound, poor])):
        last, found = weigh(harness, [*order, *SMALL], tmp_path / str(at))
        assert "sound" in kept_in(last)
        assert found["sound"].accepted  # type: ignore[union-attr]
        assert (found["poor"].accepted, found["poor"].problem) == (False, OUTDONE)  # type: ignore[union-attr]


def test_rivals_that_are_even_where_they_are_screened_are_told_apart_where_they_are_compared(
    harness: HarnessRef, tmp_path: Path
) -> None:
    poor, sound = edit("poor", 1, 1, file="same"), edit("sound", 1, 2, file="same")
    last, _ = weigh(harness, [poor, sound, *SMALL], tmp_path)
    assert "sound" in kept_in(last)


def test_of_rivals_that_do_the_same_the_first_is_kept(harness: HarnessRef, tmp_path: Path) -> None:
    """Nothing that was measured is lost, whichever of them stays."""
    last, found = weigh(harness, [edit("one", 2, 2, file="same"), edit("two", 2, 2, file="same"), *SMALL], tmp_path)
    assert kept_in(last) == {"one", *(one.rationale for one in SMALL)}
    assert [found[name].problem for name in ("one", "two")] == ["", OUTDONE]  # type: ignore[union-attr]


def test_of_rivals_of_which_each_wins_somewhere_the_one_that_gains_more_is_kept(
    harness: HarnessRef, tmp_path: Path
) -> None:
    """That the file is worth an edit is shown by then: without both what either gains would be lost."""
    rivals = [edit("one", 2, 2, file="same"), edit("two", 1, 1, file="same", odd=2)]
    last, found = weigh(harness, [*rivals, *SMALL], tmp_path)
    assert kept_in(last) == {"one", *(one.rationale for one in SMALL)}
    assert [found[name].problem for name in ("one", "two")] == ["", OUTDONE]  # type: ignore[union-attr]


def test_what_is_of_use_beside_others_alone_is_found_in_their_company(harness: HarnessRef, tmp_path: Path) -> None:
    """Alone it gains nothing; what harms alone and beside others is left out as before."""
    needy, harmful = edit("needy", 1, 1, needs=3), edit("harmful", -1, -1, needs=3)
    last, found = weigh(harness, [harmful, needy, *SMALL], tmp_path)
    assert found["needy"].accepted  # type: ignore[union-attr]
    assert "needy" in kept_in(last)
    assert "beside the other edits" in found["harmful"].decision.reason  # type: ignore[union-attr]
    last, found = weigh(harness, [needy], tmp_path / "alone")
    assert (last, found["needy"].accepted) == (harness, False)  # type: ignore[union-attr]


def test_of_rivals_the_one_that_does_best_beside_others_goes_on(harness: HarnessRef, tmp_path: Path) -> None:
    """Alone only the poor one leads: the sound one is better where the others are."""
    poor, sound = edit("poor", 1, 1, file="same"), edit("sound", 3, 3, file="same", needs=3)
    last, found = weigh(harness, [poor, sound, *SMALL], tmp_path)
    assert (found["poor"].problem, found["sound"].accepted) == (OUTDONE, True)  # type: ignore[union-attr]
    assert "sound" in kept_in(last)


def test_an_edit_that_silences_all_others_keeps_none_of_them_out(harness: HarnessRef, tmp_path: Path) -> None:
    """With all edits in at once, it is the only one that could be seen to act."""
    last, found = weigh(harness, [edit("hush", 0, 0, hush=True), *SMALL], tmp_path)
    assert kept_in(last) == {one.rationale for one in SMALL}
    assert "beside the other edits" in found["hush"].decision.reason  # type: ignore[union-attr]


def test_two_edits_that_lead_only_beside_each_other_are_found(harness: HarnessRef, tmp_path: Path) -> None:
    """Neither leads beside the others alone: with all the rest in at once both do."""
    pair = [edit(f"pair-{n}", 1, 1, needs=5) for n in range(2)]
    last, _ = weigh(harness, [*pair, *SMALL], tmp_path)
    assert kept_in(last) == {one.rationale for one in (*pair, *SMALL)}


def test_a_harmful_edit_that_hides_behind_a_helpful_one_is_left_out(harness: HarnessRef, tmp_path: Path) -> None:
    """Both lead alone; the hiding one answers in the other's place, and worse, and so leads nowhere beside it."""
    sound, hiding = edit("sound", 3, 3, file="a"), edit("hiding", 1, 1, file="b", of="sound")
    last, found = weigh(harness, [hiding, sound, *SMALL], tmp_path)
    assert (found["hiding"].accepted, found["sound"].accepted) == (False, True)  # type: ignore[union-attr]
    assert "beside the other edits" in found["hiding"].decision.reason  # type: ignore[union-attr]
    assert {path.parent.name for path in last.skills.rglob("SKILL.md")} == {"a", *(one.rationale for one in SMALL)}


def test_an_edit_that_a_later_one_makes_idle_is_taken_back(harness: HarnessRef, tmp_path: Path) -> None:
    """The first in the order adds before the others are there, and nothing after."""
    last, found = weigh(harness, [edit("first", 2, 1, shy=1), *SMALL], tmp_path)
    assert found["first"].problem == IDLE  # type: ignore[union-attr]
    assert found["first"].credit.startswith("adds on 21")  # type: ignore[union-attr]
    assert kept_in(last) < {one.rationale for one in SMALL}


def test_a_harness_that_works_on_a_matter_as_another_is_not_run_on_it(harness: HarnessRef, tmp_path: Path) -> None:
    """What each edit adds is measured on the matters that it reaches; the whole is compared on all of them."""
    ran: list[tuple[str, str]] = []
    few = [m.matter_id for m in (*TRAINING, *CONFIRM)][::4]

    def counted(harness: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int] = (1,)) -> list[Observation]:
        ran.extend((harness.version, one.matter_id) for one in matters)
        return evaluate(harness, matters, epochs)

    def stand_in(of: HarnessRef, matter: Matter) -> HarnessRef:
        return of if matter.matter_id in few else harness

    edits = [edit(f"rare-{n}", 1, 1) for n in range(3)]
    arena = Arena(counted, training=TRAINING, confirm=CONFIRM, seed=3, stand_in=stand_in)
    last, _ = weighed(harness, edits, POLICY, arena, 0, 0, 9, tmp_path / "store")
    single = {candidate(harness, one, tmp_path / "store").version for one in edits}
    assert {matter for version, matter in ran if version in single} <= set(few)
    assert {matter for version, matter in ran if version == last.version} > set(few)


def test_a_whole_that_does_not_hold_up_is_rolled_back_whole(harness: HarnessRef, tmp_path: Path) -> None:
    last, found = weigh(harness, [edit("one", 1, 0), edit("two", 1, -1)], tmp_path)
    assert last == harness
    assert [one.accepted for one in found.values() if one] == [False, False]


def test_no_more_are_compared_as_one_than_may_be(harness: HarnessRef, tmp_path: Path) -> None:
    """The others are not drawn, and so not run at all."""
    last, found = weigh(harness, SMALL, tmp_path, most=3)
    assert [one is None for one in found.values()] == [False, False, False, True]
    assert len(list(last.skills.rglob("SKILL.md"))) == 3


class Offers:
    """Offers what was not tried, as any proposer does."""

    name = "offers"

    def __init__(self, edits: Sequence[Edit]) -> None:
        self.edits = edits

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        return [one for one in self.edits if one.rationale not in given.history][:limit]


def test_a_step_of_several_edits_is_one_comparison_of_the_run(
    harness: HarnessRef, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each edit has its row; one that was not drawn has none; no more are compared than were planned."""
    monkeypatch.setattr("tasks.learning.gates.GATES", ())  # the files of this world are no skills
    given = LearnSettings(
        learn_id="t", proposer=Offers(SMALL), policy=PairedSequential(SequentialRule(candidates=1)),
        store=tmp_path / "store", ledger=tmp_path / "ledger.jsonl", inputs=tmp_path / "inputs", max_edits=4, together=3,
    )  # fmt: skip
    after, rows = learn_step(harness, TRAINING[:2], 0, ARENA, given)
    assert [row.accepted for row in rows] == [True, True, True]
    assert [g.gate for g in rows[0].gates][-2:] == ["evaluation", "attribution"]
    assert {row.candidate_version for row in rows} == {after.version} == {row.together for row in rows}
    assert {row.comparison for row in rows} == {f"0:{after.version}"}
    assert ledger.history(ledger.read(given.ledger)) == tuple(row.rationale for row in rows)
    last, (again,) = learn_step(after, TRAINING[:2], 1, ARENA, given)
    assert last == after
    assert "comparisons that the run was planned with are spent" in again.gates[-1].reason


def test_a_policy_without_pairs_compares_each_alone(
    harness: HarnessRef, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.learning.gates.GATES", ())
    given = LearnSettings(
        learn_id="t", proposer=Offers(SMALL[:2]), policy=BestSoFar(), store=tmp_path / "store",
        ledger=tmp_path / "ledger.jsonl", inputs=tmp_path / "inputs", max_edits=2, together=2,
    )  # fmt: skip
    _, rows = learn_step(harness, TRAINING[:2], 0, ARENA, given)
    assert [(row.accepted, row.together) for row in rows] == [(True, ""), (True, "")]
