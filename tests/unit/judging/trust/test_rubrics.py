"""What a rubric rests on and its documents do not hold."""

from pathlib import Path

from tasks.judging.trust.rubrics import unsound, unsupported
from tasks.matter.loading import load_corpus
from tasks.matter.rubric import Criterion

DOCUMENT = "The lease begins on April 3, 2023. The yearly rent is USD 48,600. It is governed by the law of Texas."


def found(kit, *criteria):
    return [
        (one.criterion_id, one.what, one.fact)
        for one in unsupported(kit.rubric(*criteria), {"lease.docx": kit.markdown(DOCUMENT, "lease.docx")})
    ]


def test_gold_that_stands_in_no_document(kit):
    assert found(kit, kit.criterion("date", "2023-04-03"), kit.criterion("value", "Texas")) == []
    assert found(kit, kit.criterion("date", ("2023-04-04", "2023-04-03"))) == []
    assert found(kit, kit.criterion("date", "2023-04-04"), kit.criterion("value", "Ohio", cid="C-2")) == [
        ("C-1", "gold", "2023-04-04"),
        ("C-2", "gold", "Ohio"),
    ]
    assert found(kit, kit.criterion("absence", "none"), kit.criterion("span", "words of its own")) == []


def test_dates_and_figures_in_the_words_of_a_criterion(kit):
    sound = Criterion(id="C-1", title="Rent of $48,600 from 3 April 2023", match_criteria="PASS if Section 4 says so.")
    assert found(kit, sound) == []
    unsound = Criterion(id="C-2", title="Rent of $46,800", match_criteria="PASS if it begins on 4 April 2023.")
    assert found(kit, unsound) == [("C-2", "date", "4 April 2023"), ("C-2", "figure", "$46,800")]


def test_what_the_brief_gives_is_no_defect(kit):
    rubric = kit.rubric(Criterion(id="C-1", title="Budget of $900", match_criteria="PASS")).model_copy(
        update={"instructions": "Our budget is USD 900."}
    )
    assert unsupported(rubric, {}) == []


def test_of_a_document_that_could_not_be_read_nothing_is_known_to_lack(kit):
    rubric = kit.rubric(
        kit.criterion("date", "2023-02-17", ("scan.pdf",)), kit.criterion("date", "2023-02-18", cid="C-2")
    )
    assert {one.criterion_id for one in unsupported(rubric, {})} == {"C-1", "C-2"}
    assert {one.criterion_id for one in unsupported(rubric, {}, frozenset({"scan.pdf"}))} == {"C-2"}


def test_the_scan_of_an_example_cannot_be_read_here_and_is_no_defect(tmp_path):
    example = Path(__file__).parents[4] / "examples" / "real-estate"
    loaded = load_corpus(example, tmp_path / "sealed", cache=tmp_path / "cache")
    assert [unsound(matter, tmp_path / "sealed", tmp_path / "cache") for matter in loaded.matters] == [[]]
