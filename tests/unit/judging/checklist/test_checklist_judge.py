"""The checklist judge from the sealed reference to verdicts, scores and rows."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows.runs.checklist_rows import checklist_rows
from flows.runs.judge_side import unscored
from flows.runs.judgements import Rescored
from flows.runs.rows import judgement_rows
from tasks.judging.checklist import judge as module
from tasks.judging.checklist.definition import aspects, rules
from tasks.judging.checklist.tables import score_rows
from tasks.judging.profiles import judge_profile, judge_version
from tasks.judging.stage import judge
from tasks.legaltext.checklists.definition import open_checklist
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.reasons import Outcome
from tasks.matter.records import Matter
from tasks.matter.rubric import Criterion, ReferenceChecklist, ReferenceValue, Rubric
from tasks.models.access import ModelAccess
from tasks.models.transports.scripted import ScriptedModel
from tasks.sources.records import CoverageEntry
from warehouse.checklist_records import ChecklistItemRow, ChecklistScoreRow

MATTER = Matter(matter_id="a/b", title="T", area="a", instructions="I")
MODELS = {"one": {"model": "scripted", "retries": 0}, "two": {"model": "scripted", "retries": 0}}
TEXT = "The union sued on 2 May 2022. Snow fell all week. Judge Ann Bell granted a stay and fees."
REFERENCE = ReferenceChecklist(
    reference_checklist="case",
    values={
        "Filing Date": (ReferenceValue(value="May 2, 2022", evidence=("The union sued on 2 May 2022",)),),
        "judge_name": (ReferenceValue(value="Ann Bell", evidence=("Judge Ann Bell",)),),
        "court_rulings": (
            ReferenceValue(value="Stay granted", evidence=("granted a stay",)),
            ReferenceValue(value="Fees granted", evidence=("granted a stay and fees",)),
        ),
        "appeals": (),
        "trials": (ReferenceValue(value="not applicable"),),
    },
    text=TEXT,
)
SUMMARY = """# Summary

Filing date: 05/02/2022

## Judge name
Ann Bell

## Court rulings
- Stay granted.
- Motion to quash denied
"""
WRONG = """Filing date: 3 May 2022
Appeals: Doe appealed
Judge name: not stated
Court rulings:
- Stay granted
- Fees granted
"""


@pytest.fixture
def attempt(tmp_path):
    def make(work=SUMMARY, reference=REFERENCE, name="summary.md"):
        sealed, output = tmp_path / "sealed", tmp_path / "output"
        for folder in (sealed, output):
            folder.mkdir(exist_ok=True)
        criterion = Criterion(id="C-1", title="t", match_criteria="m")
        facts = {"matter_id": "a/b", "matter_digest": MATTER.digest, "title": "T", "instructions": "I"}
        rubric = Rubric(**facts, criteria=(criterion,), checklist=reference)
        (sealed / f"{MATTER.digest}.json").write_text(rubric.model_dump_json(), encoding="utf-8")
        for old in output.iterdir():
            old.unlink()
        if work is not None:
            (output / name).write_text(work, encoding="utf-8")
        return MATTER, output, sealed

    make.cache = tmp_path / "cache"
    return make


def run(attempt, made, profile="checklist", **more):
    return judge(*made, profile, attempt.cache, **more)


def test_a_filled_checklist_is_judged_without_a_model(attempt):
    report = run(attempt, attempt())
    found = {v.criterion_id: v for v in report.verdicts}
    assert {i: (v.status, v.outcome) for i, v in found.items()} == {
        "checklist:filing_date": ("pass", Outcome.MATCHED),
        "checklist:judge_name": ("pass", Outcome.MATCHED),
        "checklist:court_rulings": ("fail", Outcome.PARTIAL),
    }
    assert found["checklist:filing_date"].quote == "05/02/2022"
    rulings = found["checklist:court_rulings"]
    assert "Missing: “Fees granted”" in rulings.reasoning
    assert "Not in the reference: “Motion to quash denied”" in rulings.reasoning
    assert rulings.error_class
    score = report.checklist
    assert score.s_checklist == pytest.approx(100 * (1 + 1 + 0.5) / 3)
    assert (score.s_style, score.s_gavel) == (None, None)
    assert {(p.part, p.cause) for p in score.problems} == {
        ("residual", FailureCause.POLICY),
        ("style", FailureCause.POLICY),
    }
    assert (report.usage.calls, report.prompts) == (0, "")
    assert report == run(attempt, attempt())


def test_a_wrong_value_a_value_too_many_and_an_omission_fail(attempt):
    report = run(attempt, attempt(WRONG))
    assert {v.criterion_id.removeprefix("checklist:"): v.outcome for v in report.verdicts} == {
        "filing_date": Outcome.WRONG_VALUE,
        "judge_name": Outcome.OMITTED,
        "court_rulings": Outcome.MATCHED,
        "appeals": Outcome.ASSERTED,
    }
    assert report.checklist.s_checklist == 25.0


def test_prose_is_unscored_without_a_model_never_failed(attempt):
    report = run(attempt, attempt("The union sued on 2 May 2022 before Ann Bell, who granted a stay and fees."))
    assert {(v.status, v.cause) for v in report.verdicts} == {("unscored", FailureCause.POLICY)}
    assert report.checklist.s_checklist is None
    assert len(report.verdicts) == 3


MEMO = """# Memo
We looked into the suit of the union, and this is what we found.
## Filing date
“The union sued on 2 May 2022.” [complaint.txt]
## Judge name
“The case is assigned to Judge Ann Bell.” [docket.txt]
"""


def test_a_memo_with_the_names_of_items_is_no_filled_checklist(attempt):
    assert {v.status for v in run(attempt, attempt(MEMO)).verdicts} == {"unscored"}


@pytest.mark.parametrize(
    ("change", "work"), [({"filled_items": 0.3}, "Filing date: 2 May 2022\n"), ({"filled_words": 0.3}, MEMO)]
)
def test_what_makes_a_filled_checklist_is_data(attempt, monkeypatch, change, work):
    made = attempt(work)
    assert {v.status for v in run(attempt, made).verdicts} == {"unscored"}
    monkeypatch.setattr(module, "rules", lambda: rules().model_copy(update=change))
    assert "unscored" not in {v.status for v in run(attempt, made).verdicts}


@pytest.mark.parametrize("work", [None, "", " \n"])
def test_nothing_delivered_scores_nothing(attempt, work):
    report = run(attempt, attempt(work))
    assert {(v.status, v.outcome) for v in report.verdicts} == {("fail", Outcome.OMITTED)}
    score = report.checklist
    assert (score.s_checklist, score.s_residual, score.s_style, score.s_gavel) == (0.0, 0.0, 0.0, 0.0)


def test_a_file_that_our_reader_cannot_read_leaves_all_unscored(attempt, monkeypatch, kit):
    broken = Failure(cause=FailureCause.READER, stage="sources", subject="summary.md", message="crashed")
    monkeypatch.setattr(
        "tasks.judging.stage.read_deliverables", lambda output: {"summary.md": kit.markdown("", problems=[broken])}
    )
    report = run(attempt, attempt(), "checklist+model:one", models=MODELS, transport=ScriptedModel([]))
    assert {(v.status, v.cause) for v in report.verdicts} == {("unscored", FailureCause.READER)}
    score = report.checklist
    assert (score.s_checklist, score.s_residual, score.s_style, score.s_gavel) == (None, None, None, None)


def test_a_data_room_that_nothing_was_read_of_leaves_all_unscored(attempt):
    fault = Failure(cause=FailureCause.TIMEOUT, stage="sources", subject="a.pdf", message="late")
    coverage = [CoverageEntry(document="a.pdf", status="unread", characters=0, failures=(fault,))]
    report = run(attempt, attempt(), coverage=coverage)
    assert {(v.status, v.cause) for v in report.verdicts} == {("unscored", FailureCause.TIMEOUT)}


@pytest.mark.parametrize(("status", "ruling"), [("unread", "unscored"), ("partial", "unscored")])
def test_an_item_that_rests_on_a_document_we_could_not_read_is_unscored_alone(attempt, status, ruling):
    fault = Failure(cause=FailureCause.TIMEOUT, stage="sources", subject="order.pdf", message="late")
    coverage = [
        CoverageEntry(document="order.pdf", status=status, characters=0, failures=(fault,)),
        CoverageEntry(document="complaint.pdf", status="read", characters=9),
    ]
    rulings = tuple(v.model_copy(update={"sources": ("order.pdf",)}) for v in REFERENCE.values["court_rulings"])
    reference = REFERENCE.model_copy(update={"values": {**REFERENCE.values, "court_rulings": rulings}})
    report = run(attempt, attempt(reference=reference), coverage=coverage)
    found = {v.criterion_id.removeprefix("checklist:"): v.status for v in report.verdicts}
    assert found == {"filing_date": "pass", "judge_name": "pass", "court_rulings": ruling}
    assert report.checklist.s_checklist == 100.0  # of the two that are left
    assert report.checklist.items[-1].cause is FailureCause.TIMEOUT
    assert run(attempt, attempt(), coverage=coverage).checklist.s_checklist < 100


def test_what_rests_on_a_document_read_in_part_passes_where_it_is_right(attempt):
    fault = Failure(cause=FailureCause.TIMEOUT, stage="sources", subject="a.pdf", message="late")
    coverage = [CoverageEntry(document="a.pdf", status="partial", characters=5, failures=(fault,))]
    date = (ReferenceValue(value="May 2, 2022", sources=("a.pdf",)),)
    reference = REFERENCE.model_copy(update={"values": {**REFERENCE.values, "Filing Date": date}})
    report = run(attempt, attempt(reference=reference), coverage=coverage)
    assert report.verdicts[0].status == "pass"


def test_a_matter_without_a_reference_says_what_to_do(attempt):
    with pytest.raises(SolonError, match=r"checklist\.json") as caught:
        run(attempt, attempt(reference=None))
    assert caught.value.failure.cause is FailureCause.INPUT


def extraction(request):
    """Answer as a good reader would, by the item that is asked about."""
    asked = request[-1]["content"]
    said = {
        "Item: Filing date": [("2 May 2022", "sued on 2 May 2022")],
        "Item: Judge name": [("Judge Ann Bell", "Ann Bell")],
        "Item: Court rulings": [("The stay was granted", "granted a stay"), ("A lie", "not in the text")],
    }
    pairs = next((pairs for item, pairs in said.items() if item in asked), [])
    return json.dumps({"reasoning": "r", "values": [{"value": v, "evidence": [e]} for v, e in pairs]})


def scripted(messages):
    asked = messages[-1]["content"]
    if "statements about the same item" not in asked and "work product follows" in asked.split("\n")[0]:
        return extraction(messages)
    if asked.startswith("Two statements"):
        return json.dumps({"reasoning": "r", "relation": "equal"})
    if asked.startswith("Two numbered lists"):
        beyond = "Facts beyond the checklist" in asked
        return json.dumps({"reasoning": "r", "pairs": [{"a": 1, "b": 1}] if beyond or "1." in asked else []})
    if asked.startswith("Numbered passages"):
        facts = [{"fact": "Snow fell all week.", "passages": [1]}] if "Snow" in asked else []
        more = [{"fact": "It rained.", "passages": [1]}] if "Rain" in asked else []
        return json.dumps({"reasoning": "r", "facts": facts + more})
    return json.dumps({"reasoning": "r", "marks": {aspect.id: 4 for aspect in aspects()}})


def test_prose_is_judged_by_a_model_and_all_three_parts_are_weighed(attempt):
    work = "The union sued on 2 May 2022. Snow fell all week. Rain too. Ann Bell granted a stay."
    report = run(attempt, attempt(work), "checklist+model:one", models=MODELS, transport=ScriptedModel(scripted))
    assert {v.criterion_id: v.status for v in report.verdicts} == {
        "checklist:filing_date": "pass",
        "checklist:judge_name": "pass",
        "checklist:court_rulings": "fail",
    }
    score = report.checklist
    assert score.s_checklist == pytest.approx(100 * (1 + 1 + 2 / 3) / 3)
    assert (score.dropped_values, score.dropped_evidence) == (1, 1)
    assert score.s_residual == pytest.approx(100 * 2 * 1 / (1 + 2))  # one fact of the reference, two of the work
    assert score.s_style == 75.0
    r = score.residual.ratio
    assert 0 < r < 1
    expected = 0.9 * (1 - r) * score.s_checklist + 0.9 * r * score.s_residual + 0.1 * 75
    assert score.s_gavel == pytest.approx(expected)
    assert report.usage.calls == 26 + 2 + 1 + 2 + 1 + 1  # items, pairs, list, facts of both, their list, style
    assert len(report.prompts) == 12


def test_the_first_seat_reads_and_the_last_compares(attempt):
    seen = []

    class Two(ScriptedModel):
        def send(self, profile, request):
            seen.append((profile.name, request.messages[-1]["content"].split()[0]))
            return super().send(profile, request)

    work = "The union sued on 2 May 2022. Ann Bell granted a stay."
    run(attempt, attempt(work), "checklist+model:one,two", models=MODELS, transport=Two(scripted))
    assert {first for name, first in seen if name == "two"} == {"Two"}
    assert {first for name, first in seen if name == "one"} >= {"A", "Numbered"}


def test_a_style_that_cannot_be_told_leaves_the_rest(attempt):
    def reply(messages):
        return "no marks" if "How alike" in messages[1]["content"] else scripted(messages)

    work = "The union sued on 2 May 2022. Snow fell all week. Ann Bell granted a stay."
    report = run(attempt, attempt(work), "checklist+model:one", models=MODELS, transport=ScriptedModel(reply))
    score = report.checklist
    assert [(p.part, p.cause) for p in score.problems] == [("style", FailureCause.JUDGE)]
    assert (score.s_style, score.s_gavel) == (None, None)
    assert score.s_checklist > 0
    assert score.s_residual == 100.0


def test_an_item_that_was_not_read_leaves_the_residual_facts_untold_with_the_reason(attempt):
    def reply(messages):
        return "nothing" if "Item: Trials" in messages[1]["content"] else scripted(messages)

    work = "The union sued on 2 May 2022. Snow fell all week. Ann Bell granted a stay."
    report = run(attempt, attempt(work), "checklist+model:one", models=MODELS, transport=ScriptedModel(reply))
    (problem,) = report.checklist.problems
    assert (problem.part, problem.cause) == ("residual", FailureCause.JUDGE)
    assert (report.checklist.s_residual, report.checklist.s_gavel, report.checklist.s_style) == (None, None, 75.0)
    assert [v.status for v in report.verdicts if v.criterion_id == "checklist:trials"] == ["unscored"]


def test_a_contract_is_judged_by_its_own_checklist(attempt):
    values = {"governing_law": "Ohio", "Liability cap": "$1 million", "term": ["five years"]}
    given = {name: [{"value": v} for v in ([said] if isinstance(said, str) else said)] for name, said in values.items()}
    reference = ReferenceChecklist.model_validate({"reference_checklist": "contract", "values": given})
    report = run(attempt, attempt("Governing law: Ohio\nTerm: 5 years\nLimit of liability: $2,000,000\n", reference))
    assert {v.criterion_id: v.status for v in report.verdicts} == {
        "checklist:term": "pass",
        "checklist:liability_cap": "fail",
        "checklist:governing_law": "pass",
    }
    assert (report.checklist.checklist, report.checklist.residual) == ("contract", None)


def test_profiles_of_checklists():
    access = ModelAccess({"models": MODELS, "judges": {"mine": {"checklist": True, "seats": ["one", "two"]}}})
    offline, model = judge_profile("checklist", access), judge_profile("checklist+model:one", access)
    mine = judge_profile("mine", access)
    assert (offline.checklist, offline.seats) == (True, ())
    assert (model.seats, mine.seats) == ((("one",),), (("one",), ("two",)))
    versions = {judge_version(p, access) for p in (offline, model, mine, judge_profile("anchor", access))}
    assert len(versions) == 4


@pytest.mark.parametrize(
    "fields",
    [
        {"checklist": True, "anchors": True},
        {"checklist": True, "seats": [["one", "two"]]},
        {"checklist": True, "seats": ["one"], "votes": 3},
        {"checklist": True, "seats": ["one"], "canaries": False},
    ],
)
def test_a_checklist_refuses_what_only_criteria_are_judged_by(fields):
    with pytest.raises(SolonError, match=r"judges\.mine"):
        judge_profile("mine", ModelAccess({"models": MODELS, "judges": {"mine": fields}}))


@pytest.mark.parametrize(
    "name", ["checklist+model:", "checklist:one", "checklist+model:one,one", "checklist+model:none"]
)
def test_other_names_are_refused(name):
    from tasks.judging.profiles import models_asked

    access = ModelAccess(MODELS)
    with pytest.raises(SolonError):
        models_asked(judge_profile(name, access), access)


def test_a_work_product_that_could_not_be_judged_is_unscored_item_by_item(attempt):
    matter, _, sealed = attempt()
    failure = Failure(cause=FailureCause.CHANGED, stage="documents", subject="lease.pdf", message="changed")
    report = unscored(matter, sealed, "checklist", attempt.cache, failure)
    assert {(v.status, v.cause, v.outcome) for v in report.verdicts} == {("unscored", FailureCause.CHANGED, "")}
    assert len(report.verdicts) == 3
    assert report.checklist.s_checklist is None
    assert {i.cause for i in report.checklist.items} == {FailureCause.CHANGED}


def test_scores_and_items_become_rows(attempt):
    report = run(attempt, attempt())
    judged = datetime(2026, 1, 1, tzinfo=UTC)
    score, *items = checklist_rows("r/a/c/1", report, judged)
    assert isinstance(score, ChecklistScoreRow)
    assert (score.applicable, score.unscored, score.s_checklist) == (3, 0, report.checklist.s_checklist)
    assert score.residual_ratio == report.checklist.residual.ratio > 0
    assert [(i.item_id, i.status, i.score) for i in items if isinstance(i, ChecklistItemRow)] == [
        ("filing_date", "pass", 1.0),
        ("judge_name", "pass", 1.0),
        ("court_rulings", "fail", 0.5),
    ]
    landed = [type(row).table for row in judgement_rows(Rescored("r/a/c/1", report, judged, Path("none")), "r")]
    assert landed.count("checklist_item") == landed.count("verdict") == 3
    assert list(checklist_rows("r/a/c/1", report.model_copy(update={"checklist": None}), judged)) == []


def test_a_table_by_item_and_group(attempt):
    scores = [run(attempt, attempt(work)).checklist for work in (SUMMARY, None, "only prose")]
    rows = {(row.kind, row.name): row for row in score_rows(open_checklist("case"), scores)}
    rulings, group = rows["item", "court_rulings"], rows["group", "proceedings"]
    assert (rulings.applicable, rulings.unscored, rulings.score) == (3, 1, 0.25)  # 0.5 and 0, the prose unscored
    assert (rulings.under, rulings.over) == (1.0, 0.5)
    assert (group.applicable, group.score) == (3, 0.25)
    assert rows["item", "appeals"].score is None
    assert len(rows) == 26 + 9
