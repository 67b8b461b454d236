"""A reference checklist is sealed like a rubric: no byte of it passes the door, and a bad one is one line."""

import json
import stat

import pytest

from tasks.matter.failures import FailureCause
from tasks.matter.loading import load_corpus, load_folder
from tasks.matter.rubric import Rubric

pytestmark = pytest.mark.usefixtures("sealed_here")

CANARY = "CANARYheliotrope7"
TEXT = f"The union sued on 2 May 2022 and the judge {CANARY} granted a stay of the order that closed the mill."
GOOD = {
    "reference_checklist": "case",
    "values": {
        "filing_date": {"value": "2 May 2022", "evidence": ["sued on 2 May 2022"]},
        "Judge name": [CANARY],
        "appeals": None,
    },
    "text": TEXT,
}


@pytest.fixture
def load(make_task, tmp_path):
    def loaded(reference, documents=None):
        folder = make_task(documents=documents or {"lease.txt": "The rent is $900."})
        content = reference if isinstance(reference, bytes) else json.dumps(reference).encode()
        (folder / "checklist.json").write_bytes(content)
        return load_corpus(tmp_path / "corpus", tmp_path / "sealed")

    return loaded


def test_it_goes_into_the_sealed_store_and_nowhere_else(load, tmp_path):
    corpus = load(GOOD)
    (matter,) = corpus.matters
    assert CANARY not in corpus.model_dump_json()
    (kept,) = [p for p in (tmp_path / "sealed").glob("*.json")]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    rubric = Rubric.model_validate_json(kept.read_text())
    assert rubric.matter_digest == matter.digest
    assert rubric.checklist.values["Judge name"][0].value == CANARY
    assert rubric.checklist.text == TEXT


@pytest.mark.usefixtures("own_sealer")
def test_the_sealer_is_a_process_of_its_own(load):
    corpus = load(GOOD)
    assert len(corpus.matters) == 1
    assert CANARY not in corpus.model_dump_json()


def test_a_task_without_one_has_none(make_task, tmp_path):
    make_task()
    load_corpus(tmp_path / "corpus", tmp_path / "sealed")
    (kept,) = (tmp_path / "sealed").glob("*.json")
    assert Rubric.model_validate_json(kept.read_text()).checklist is None


BAD = {
    "broken": b'{"values": {"%s"' % CANARY.encode(),
    "a list": [CANARY],
    "no values": {"reference_checklist": "case", "text": CANARY},
    "no value at all": {"reference_checklist": "case", "values": {"appeals": "n/a", "trials": None}},
    "no checklist": {"values": {CANARY: CANARY}},
    "an unknown checklist": {**GOOD, "reference_checklist": CANARY},
    "a checklist that is none": {**GOOD, "reference_checklist": {CANARY: CANARY}},
    "an unknown item": {**GOOD, "values": {"filing_date": "2 May 2022", CANARY: CANARY}},
    "a value that is a number": {**GOOD, "values": {"filing_date": [3]}},
    "a value with odd keys": {**GOOD, "values": {"filing_date": [{"value": "2 May 2022", CANARY: 1}]}},
    "an unknown field": {**GOOD, CANARY: CANARY},
    "evidence that is not in the text": {**GOOD, "values": {"filing_date": [{"value": "x", "evidence": [CANARY * 2]}]}},
}


@pytest.mark.parametrize("reference", BAD.values(), ids=BAD)
def test_a_bad_one_is_a_line_that_names_the_file_and_quotes_nothing(load, reference):
    corpus = load(reference)
    assert corpus.matters == ()
    (problem,) = corpus.problems
    assert (problem.subject, problem.cause) == ("tax/memo-001/checklist.json", FailureCause.INPUT)
    assert problem.remedy
    assert CANARY not in corpus.model_dump_json()


HIDDEN = {
    "the file itself": ("sub/checklist.json", json.dumps(GOOD)),
    "the file under another name": ("notes.txt", json.dumps(GOOD)),
    "the reference text": ("summary.txt", f"As someone wrote:\n\n{TEXT}\n"),
    "the reference text, wrapped": ("summary.txt", TEXT.replace(" ", "\n")),
}


@pytest.mark.parametrize(("name", "content"), HIDDEN.values(), ids=HIDDEN)
def test_a_copy_in_the_data_room_is_withheld(load, name, content):
    (matter,) = load(GOOD, {"lease.txt": "The rent is $900.", name: content}).matters
    assert [d.name for d in matter.documents] == ["lease.txt"]
    assert [(p.subject, p.cause) for p in matter.problems] == [(name, FailureCause.POLICY)]


def test_a_document_that_says_what_the_reference_says_stays(load):
    text = "Complaint filed on 2 May 2022. The union sued on 2 May 2022."
    (matter,) = load(GOOD, {"complaint.txt": text}).matters
    assert [d.name for d in matter.documents] == ["complaint.txt"]


def test_a_task_directory_as_a_plain_folder_does_not_give_it_to_the_solver(make_task):
    folder = make_task()
    (folder / "checklist.json").write_text(json.dumps(GOOD))
    matter = load_folder(folder, "What is the rent?", [])
    assert [d.name for d in matter.documents] == ["documents/lease.txt"]
    assert sorted(p.subject for p in matter.problems) == ["checklist.json", "task.json"]


def test_a_deliverable_may_have_that_name(make_task, tmp_path):
    make_task(deliverables={"list": "checklist.json"})
    (matter,) = load_corpus(tmp_path / "corpus", tmp_path / "sealed").matters
    assert [d.filename for d in matter.deliverables] == ["checklist.json"]


@pytest.mark.parametrize("name", ["task.json", "scores.json", "Judgement.json"])
def test_a_deliverable_of_another_name_of_judging_is_refused_before_anybody_drafts_it(make_task, tmp_path, name):
    make_task(deliverables={"list": name})
    corpus = load_corpus(tmp_path / "corpus", tmp_path / "sealed")
    assert corpus.matters == ()
    assert name in corpus.problems[0].message
