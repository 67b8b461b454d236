"""A learning step on a scripted world: what helps is kept, what does not is rolled back and written down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skills_repo.schema import parse_skill
from tasks.harness import find_harness
from tasks.learning import ledger
from tasks.learning.acceptance import POLICIES, BestSoFar, BlendedMargin, policy_of
from tasks.learning.comparison import Arena
from tasks.learning.gates import run_gates
from tasks.learning.harnesses import candidate
from tasks.learning.proposers.rules import RulesProposer, set_procedure
from tasks.learning.records import Edit, Evaluation, LearnerInput, MatterScore, Observation
from tasks.learning.step import LearnSettings, draw, learn_step
from tasks.matter.failures import SolonError
from tasks.matter.reasons import ErrorClass, Failed, MatchKind, Reason
from tasks.matter.records import Matter

SKILL_ID = "extraction-reconstruction/contract-key-terms"
SPAN = Failed(match_kind=MatchKind.SPAN, error_class=ErrorClass.MISSING_FACTS)


def matter(name: str) -> Matter:
    return Matter(matter_id=name, title=name, area="tax", instructions="Do it.")


PARTS = (
    "Triage", "Failure modes corrected", "Legal frameworks", "Analytical scaffold", "Relationships",
    "Output structure", "Anti-leakage checklist",
)  # fmt: skip
SKILL = """+++
name = "Key terms"
description = "Extracts key terms."
family = "extraction-reconstruction"

[procedure]
passages_per_topic = 2
+++
""" + "\n\n".join(f"## {n}. {part}\n\nProcedure only." for n, part in enumerate(PARTS, 1))


@pytest.fixture
def harness(tmp_path):
    """A small harness of one skill."""
    root = tmp_path / "harness"
    folder = root / "skills_repo" / "skills" / SKILL_ID
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL)
    (root / "knowledge_db" / "data").mkdir(parents=True)
    (root / "knowledge_db" / "data" / "a.toml").write_text("x = 1\n")
    return find_harness(root)


@pytest.fixture
def skill_id():
    return SKILL_ID


def procedure(harness, skill_id):
    text = (harness.skills / "skills" / skill_id / "SKILL.md").read_text()
    return parse_skill(text, skill_id).procedure


def world(skill_id, helps: bool):
    """Run matters in a world where serving more passages helps, or does not."""
    calls = []

    def evaluate(harness, matters, epochs=(1,)):
        calls.append((harness.version, tuple(m.matter_id for m in matters)))
        served = procedure(harness, skill_id).passages_per_topic
        failed = max(0, 5 - served) if helps else 3
        return [
            Observation(
                matter_key=m.matter_id, work_type="review", document_suffixes=(".pdf",),
                deliverable_suffixes=(".docx",), skill_id=skill_id, unscored=0,
                passed=10 - failed, failed=(SPAN,) * failed,
                final_message=f"I finished {m.title} for Acme Widgets Inc.",
            )
            for m in matters
        ]  # fmt: skip

    return evaluate, calls


def settings(tmp_path, **fields) -> LearnSettings:
    base = {
        "learn_id": "t",
        "proposer": RulesProposer(),
        "policy": BestSoFar(),
        "store": tmp_path / "store",
        "ledger": tmp_path / "ledger.jsonl",
        "inputs": tmp_path / "inputs",
    }
    return LearnSettings(**{**base, **fields})


def test_what_helps_is_kept(harness, skill_id, tmp_path):
    evaluate, _ = world(skill_id, helps=True)
    after, (row,) = learn_step(harness, [matter("a")], 0, Arena(evaluate), settings(tmp_path))
    assert row.accepted
    assert after.version == row.candidate_version != harness.version
    assert procedure(after, skill_id).passages_per_topic == procedure(harness, skill_id).passages_per_topic + 1
    assert "passages_per_topic" in row.diff
    assert [g.gate for g in row.gates] == [
        "scope", "form", "static_safety", "leakage", "generality", "audit", "evaluation", "attribution",
    ]  # fmt: skip


def test_what_does_not_help_is_rolled_back_archived_and_not_tried_again(harness, skill_id, tmp_path):
    evaluate, _ = world(skill_id, helps=False)
    given = settings(tmp_path)
    after, (first,) = learn_step(harness, [matter("a")], 0, Arena(evaluate), given)
    assert after == harness
    assert not first.accepted
    assert (tmp_path / "store" / first.candidate_version).is_dir()  # archived for review
    _, (second,) = learn_step(harness, [matter("a")], 1, Arena(evaluate), given)
    assert second.edit_digest != first.edit_digest
    assert [r.step for r in ledger.read(given.ledger)] == [0, 1]


@pytest.mark.parametrize(
    ("name", "together"),
    [("best_so_far", 0), ("blended_margin", 0), ("paired_sequential", 0), ("paired_sequential", 2)],
)
def test_what_gains_nothing_is_stopped_by_the_evaluation_gate(harness, skill_id, tmp_path, name, together):
    """All other gates pass it: without this one it would be the incumbent."""
    evaluate, _ = world(skill_id, helps=False)
    arena = Arena(evaluate, training=[matter("a")], confirm=[matter("b")])
    given = settings(tmp_path, policy=policy_of(name), together=together)
    after, (row,) = learn_step(harness, [matter("a")], 0, arena, given)
    assert [(g.gate, g.passed) for g in row.gates if not g.passed] == [("evaluation", False)]
    assert row.gates[-1].gate == "evaluation"
    assert (after, row.accepted) == (harness, False)


def test_nothing_to_learn_is_written_too(harness, skill_id, tmp_path):
    def evaluate(harness, matters, epochs=(1,)):
        return [world(skill_id, True)[0](harness, matters)[0].model_copy(update={"failed": ()})]

    after, (row,) = learn_step(harness, [matter("a")], 0, Arena(evaluate), settings(tmp_path))
    assert after == harness
    assert (row.surface, row.accepted, row.decision) == ("none", False, None)


def test_the_stored_learner_input_is_blind(harness, skill_id, tmp_path):
    evaluate, _ = world(skill_id, helps=True)
    given = settings(tmp_path, names={"tax/secret-017": ("tax/secret-017", "Secret v. Hidden")})
    learn_step(harness, [matter("tax/secret-017")], 0, Arena(evaluate), given)
    text = (tmp_path / "inputs" / "step-0000.json").read_text()
    assert json.loads(text)["signals"]
    for secret in ("secret-017", "Acme", "Widgets"):
        assert secret not in text


def test_the_incumbent_is_run_anew_on_the_matters_of_each_step(harness, skill_id, tmp_path):
    evaluate, calls = world(skill_id, helps=True)
    given = settings(tmp_path)
    after, _ = learn_step(harness, [matter("a")], 0, Arena(evaluate), given)
    learn_step(after, [matter("b")], 1, Arena(evaluate), given)
    assert (after.version, ("b",)) in calls


# passages served -> (criteria passed of a hundred, tokens). Four passages are worse than three, but cheaper.
COSTLY = {2: (20, 0), 3: (80, 5_000_000), 4: (60, 0)}


def costly(harness, matters, epochs=(1,)):
    """Run matters in a world where the incumbent of the second step is good and dear."""
    passed, tokens = COSTLY[procedure(harness, SKILL_ID).passages_per_topic]
    return [
        Observation(
            matter_key=m.matter_id, work_type="review", document_suffixes=(), deliverable_suffixes=(),
            skill_id=SKILL_ID, passed=passed, failed=(SPAN,) * (100 - passed), unscored=0, tokens=tokens,
        )
        for m in matters
    ]  # fmt: skip


def test_a_score_stored_under_old_weights_promotes_nothing(harness, tmp_path):
    """Regression: an incumbent's score, stored under a heavy price of tokens, once let a worse challenger in.

    Source: seeds/evolve-the-harness.txt, "How a stale weight promoted a worse harness".
    """
    heavy, light = BlendedMargin(per_million_tokens=0.1), BlendedMargin(per_million_tokens=0.005)
    good, (row,) = learn_step(harness, [matter("a")], 0, Arena(costly), settings(tmp_path, policy=heavy))
    assert row.accepted
    (stored,) = [r.decision.candidate for r in ledger.read(tmp_path / "ledger.jsonl")]
    assert stored == pytest.approx(0.8 - 0.1 * 5)  # what the ledger says of the new incumbent
    after, (second,) = learn_step(good, [matter("a")], 1, Arena(costly), settings(tmp_path, policy=light))
    decision = second.decision
    assert decision.candidate == pytest.approx(0.6)
    assert decision.candidate > stored + 0.01  # against the stored score it would have won
    assert decision.incumbent == pytest.approx(0.8 - 0.005 * 5)  # both sides under the weights in force
    assert not second.accepted
    assert after == good


@pytest.mark.parametrize("policy", [BestSoFar(), BlendedMargin()])
def test_verdicts_that_changed_since_are_counted_anew(policy):
    """A re-judged incumbent keeps its version and gets other counts: no policy may remember the old score."""
    weak, strong, challenger = scores((20, 80)), scores((90, 10)), scores((60, 40))
    assert weak.harness_version == strong.harness_version
    first = policy.decide(weak, challenger)
    again = policy.decide(strong, challenger)
    assert (first.accepted, again.accepted) == (True, False)
    assert (first.incumbent, again.incumbent) == (pytest.approx(0.2), pytest.approx(0.9))
    assert policy.decide(weak, challenger) == first


def test_policies_go_by_name():
    assert set(POLICIES) == {"best_so_far", "blended_margin", "paired_sequential"}
    assert [policy_of(name).name for name in POLICIES] == list(POLICIES)
    assert policy_of("blended_margin") is not policy_of("blended_margin")


def test_the_ledger_names_what_proposed_and_what_decided(harness, skill_id, tmp_path):
    given = settings(tmp_path, policy=policy_of("blended_margin"))
    learn_step(harness, [matter("a")], 0, Arena(world(skill_id, helps=True)[0]), given)

    def perfect(harness, matters, epochs=(1,)):
        return [o.model_copy(update={"failed": ()}) for o in world(skill_id, True)[0](harness, matters)]

    learn_step(harness, [matter("a")], 1, Arena(perfect), given)
    rows = ledger.read(given.ledger)
    assert [row.surface for row in rows] == ["skills", "none"]
    assert {(row.proposer, row.policy) for row in rows} == {("rules", "blended_margin")}
    assert rows[0].decision.policy == "blended_margin"


def scores(*pairs, unscored=0, tokens=0):
    return Evaluation(
        harness_version="v",
        scores=tuple(
            MatterScore(matter_key=str(i), passed=p, failed=f, unscored=unscored, tokens=tokens)
            for i, (p, f) in enumerate(pairs)
        ),
    )


@pytest.mark.parametrize(
    ("incumbent", "candidate_", "accepted"),
    [
        (scores((5, 5)), scores((6, 4)), True),
        (scores((5, 5)), scores((5, 5)), False),
        (scores((5, 5)), scores((4, 6)), False),
        (scores((5, 5)), scores((6, 4), (9, 1)), False),  # other matters
        (scores((5, 5)), scores((5, 4), unscored=1), False),  # a gain from what was not judged
        (scores((0, 0), unscored=9), scores((0, 0), unscored=9), False),
        (scores((90, 10), (0, 2)), scores((85, 15), (2, 0)), True),  # per task, not pooled
    ],
)
def test_best_so_far(incumbent, candidate_, accepted):
    assert BestSoFar().decide(incumbent, candidate_).accepted is accepted


def test_blended_margin_needs_its_margin_and_prices_tokens():
    assert not BlendedMargin().decide(scores((500, 500)), scores((505, 495))).accepted
    assert BlendedMargin().decide(scores((500, 500)), scores((520, 480))).accepted
    assert not BlendedMargin().decide(scores((500, 500)), scores((520, 480), tokens=4_000_000)).accepted


def edit(harness, skill_id, old="", new="", **fields) -> Edit:
    text = (harness.skills / "skills" / skill_id / "SKILL.md").read_text()
    base = {
        "surface": "skills",
        "path": f"skills/{skill_id}/SKILL.md",
        "before": text,
        "after": text.replace(old, new, 1) if old else text + new,
        "rationale": "r",
    }
    return Edit(**{**base, **fields})


BAD_EDITS = [
    ({"path": "skills/../../x/SKILL.md"}, "scope"),
    ({"path": "prompts/api.md"}, "scope"),
    ({"surface": "tools"}, "scope"),
    ({"new": ""}, "scope"),
    ({"new": "\nline" * 60}, "scope"),
    ({"after": "no front matter"}, "form"),
    ({"new": "\n```\nimport os\n```\n"}, "static_safety"),
    ({"new": "\nAlways look at Larkfield Museum first.\n"}, "leakage"),
    ({"new": "\nThe cap is $750,000.\n"}, "generality"),
    ({"new": "\nThe answer stands in Section 9.2.\n"}, "generality"),
    ({"new": "\nThe lease ends on July 31, 2028.\n"}, "generality"),
    ({"new": "\nMind criterion C-014.\n"}, "generality"),
]


@pytest.mark.parametrize(("fields", "gate"), BAD_EDITS)
def test_a_bad_edit_is_refused_by_its_gate(harness, skill_id, fields, gate):
    last = run_gates(edit(harness, skill_id, **fields), ["Larkfield Museum"])[-1]
    if "after" in fields:
        assert not last.passed  # a rewrite is refused for its size or its form
        return
    assert (last.gate, last.passed) == (gate, False), last.reason


def test_a_setting_out_of_bounds_is_refused_by_form(harness, skill_id):
    text = (harness.skills / "skills" / skill_id / "SKILL.md").read_text()
    after = set_procedure(text, "passages_per_topic", 99)
    verdict = run_gates(edit(harness, skill_id, after=after), [])[-1]
    assert (verdict.gate, verdict.passed) == ("form", False)
    assert "passages_per_topic" in verdict.reason


def test_a_setting_between_0_and_1_is_no_amount(harness, skill_id):
    """The offline proposer moves a threshold by 0.05: with the pattern of amounts alone it could never be tried."""
    text = (harness.skills / "skills" / skill_id / "SKILL.md").read_text()
    passed = run_gates(edit(harness, skill_id, after=set_procedure(text, "min_score", 0.05)), [])
    assert passed[-1].passed, passed[-1].reason
    refused = run_gates(edit(harness, skill_id, new="\nAsk for 1,250.05 at the least.\n"), [])[-1]
    assert (refused.gate, refused.passed) == ("generality", False)


def test_an_edit_made_from_another_text_is_refused(harness, skill_id, tmp_path):
    stale = edit(harness, skill_id, new="\nMore.\n", before="something else")
    with pytest.raises(SolonError, match="another text"):
        candidate(harness, stale, tmp_path / "store")
    assert list((tmp_path / "store").iterdir()) == []


def test_same_edit_same_version(harness, skill_id, tmp_path):
    one = edit(harness, skill_id, new="\nMore.\n")
    first, second = (candidate(harness, one, tmp_path / "store") for _ in range(2))
    assert first == second


def test_rules_follow_the_commonest_reason(harness, skill_id):
    text = (harness.skills / "skills" / skill_id / "SKILL.md").read_text()
    evaluate, _ = world(skill_id, helps=False)
    from tasks.learning.redaction import signal

    given = LearnerInput(signals=(signal(evaluate(harness, [matter("a")])[0]),), skills={skill_id: text}, history=())
    (one,) = RulesProposer().propose(given, 1)
    assert "passages_per_topic" in one.rationale
    assert RulesProposer().propose(given, 3)[1].rationale != one.rationale


@pytest.mark.parametrize("text", ["+++\na = 1\n+++\nbody", "+++\n[procedure]\nb = 2\n+++\nbody"])
def test_a_setting_can_be_added_to_front_matter(text):
    import tomllib

    changed = set_procedure(text, "quote_words", 50)
    assert tomllib.loads(changed.split("+++")[1])["procedure"]["quote_words"] == 50
    assert changed.endswith("+++\nbody")


def test_minibatches_are_drawn_without_replacement():
    matters = [matter(f"m{i}") for i in range(10)]
    drawn = [m.matter_id for step in range(5) for m in draw(matters, 2, step, seed=1)]
    assert sorted(drawn) == sorted(m.matter_id for m in matters)
    assert draw(matters, 2, 0, seed=1) == draw(list(reversed(matters)), 2, 0, seed=1)


def test_an_edit_of_a_file_that_has_changed_since_is_put_off(harness, skill_id, tmp_path):
    """It is not tried, is not counted as tried, and comes again at the next step."""
    evaluate, _ = world(skill_id, helps=True)
    given = settings(tmp_path, max_edits=2)
    after, rows = learn_step(harness, [matter("a")], 0, Arena(evaluate), given)
    assert [row.accepted for row in rows] == [True, False]
    assert [(g.gate, g.passed, g.reason) for g in rows[1].gates] == [("scope", False, ledger.OVERTAKEN)]
    assert rows[1].path == rows[0].path
    assert ledger.history(ledger.read(given.ledger)) == (rows[0].rationale,)
    _, again = learn_step(after, [matter("a")], 1, Arena(evaluate), given)
    assert ledger.OVERTAKEN not in [g.reason for g in again[0].gates]


@pytest.mark.parametrize(("count", "size"), [(5, 2), (6, 2), (3, 7), (1, 1), (7, 7)])
def test_every_step_has_a_full_minibatch(count, size):
    matters = [matter(f"m{i}") for i in range(count)]
    drawn = [draw(matters, size, step, seed=3) for step in range(9)]
    assert {len(one) for one in drawn} == {min(size, count)}
    assert all(len({m.matter_id for m in one}) == len(one) for one in drawn)
    assert draw([], size, 0, seed=3) == []


def test_a_torn_ledger_line_loses_nothing_else(harness, skill_id, tmp_path):
    evaluate, _ = world(skill_id, helps=False)
    given = settings(tmp_path)
    learn_step(harness, [matter("a")], 0, Arena(evaluate), given)
    with Path(given.ledger).open("a") as stream:
        stream.write('{"torn": ')
    learn_step(harness, [matter("a")], 1, Arena(evaluate), given)
    assert len(ledger.read(given.ledger)) == 2


def test_a_ledger_of_an_earlier_version_is_read_and_a_strange_one_refused(harness, skill_id, tmp_path):
    """Earlier versions kept no reason, or its sentence. A row passed over would forget an accepted edit."""
    evaluate, _ = world(skill_id, helps=True)
    given = settings(tmp_path)
    _, (new,) = learn_step(harness, [matter("a")], 0, Arena(evaluate), given)
    assert new.reason is Reason.WORDS_NOT_CONVEYED
    assert new.told == f"{new.rationale} (answers: {Reason.WORDS_NOT_CONVEYED.sentence})"
    said = json.loads(new.model_dump_json())
    for reason in ({"reason": Reason.DATE_WRONG.sentence}, {"reason": "words_not_conveyed"}, {}):
        line = json.dumps({key: value for key, value in said.items() if key != "reason"} | reason)
        Path(given.ledger).write_text(line + "\n", encoding="utf-8")
        ledger.head_of(Path(given.ledger)).unlink(missing_ok=True)  # which earlier versions did not write
        (row,) = ledger.read(given.ledger)
        assert row.reason == (Reason(reason["reason"]) if reason else None)
    assert row.told == row.rationale
    Path(given.ledger).write_text(
        f"{new.model_dump_json()}\n{json.dumps(said | {'reason': 'moon'})}\n", encoding="utf-8"
    )
    with pytest.raises(SolonError, match=r"ledger.jsonl, line 2: Not a row .* \(reason: .*--learn-id"):
        ledger.read(given.ledger)
