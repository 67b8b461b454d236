"""The bench of extraction: cases made from a seed, what is true of them, and the tables over them."""

import json
import re
import sys
from pathlib import Path

import pytest

from flows.bench.extraction.cases.making import STYLES, make_case, make_corpus
from flows.bench.extraction.corpus import bin_of, made, of_items, read_cases
from flows.bench.extraction.methods import FillingMethod, nothing, scan
from flows.bench.extraction.oracle import by_oracle
from flows.bench.extraction.run import measure_extraction, render
from flows.bench.named import extraction
from flows.bench.registry import measure
from flows.bench.request import BenchRequest
from flows.cli import main
from flows.settings import Settings, load_settings
from tasks.drafting.extraction.records import Extraction
from tasks.harness import packaged
from tasks.judging.checklist.reference import unusable
from tasks.legaltext.checklists.records import Entry, Filled
from tasks.matter.checklist_file import parse_checklist
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.usage import Usage

ROWS = packaged().knowledge.litigation
_MARGIN = re.compile(r"\n(?:Case .*\n\n)?(?: ?\d{1,2}  )?")  # a new line, with its stamp and number on pleading paper


@pytest.fixture(scope="module", params=sorted(STYLES))
def case(request):
    return make_case(3, request.param, "32K", 1)


def test_the_same_seed_gives_the_same_bytes(case):
    again = make_case(3, case.style, "32K", 1)
    assert (again.documents, again.values, again.places) == (case.documents, case.values, case.places)
    assert make_case(4, case.style, "32K", 1).documents != case.documents
    assert make_case(3, case.style, "32K", 2).documents != case.documents


def test_every_value_stands_where_it_is_said_to_stand_in_papers_of_the_case(case):
    assert {(p.item, p.value) for p in case.places} == set(case.values)
    for place in case.places:
        assert case.documents[place.document][place.start : place.end].strip()
        assert "exhibit" not in place.document
    verbatim = [
        p for p in case.places if p.item in {"factual_basis", "decree_terms", "settlement_terms", "monitor_reports"}
    ]
    assert verbatim
    shown = [_MARGIN.sub(" ", case.documents[p.document][p.start : p.end]) for p in verbatim]
    misread = [said for said, place in zip(shown, verbatim, strict=True) if said != place.value]
    assert all(len(said) == len(place.value) for said, place in zip(shown, verbatim, strict=True))
    assert len(misread) < len(verbatim)  # a bad scan misreads letters, and moves none


def test_a_case_of_each_bin_is_as_long_as_its_bin():
    for name in ("32K", "64K", "512K"):
        assert bin_of(make_case(1, "a", name, 1).characters) == name
    assert bin_of(10) == "other"


def test_papers_of_other_suits_are_in_the_room_and_none_of_them_is_true(case):
    exhibits = [text for name, text in case.documents.items() if "exhibit" in name]
    assert exhibits
    first = next(value.partition(": ")[2] for item, value in case.values if item == "parties")
    pleadings = [text[:1_500].casefold() for text in exhibits if "complaint" in text[:1_500].casefold()]
    assert pleadings
    assert not any(first.casefold() in text for text in pleadings)


def test_a_corpus_is_matter_folders_that_a_judge_can_use(tmp_path):
    (made_case,) = make_corpus(tmp_path, 3, ["32K"], 1, ["b"])
    folder = tmp_path / "32K" / made_case.key
    reference = parse_checklist(folder, "x")
    assert reference is not None
    assert unusable(reference) == ""
    task = json.loads((folder / "task.json").read_text())
    assert task["deliverables"] == {"summary": "summary.docx"}
    assert {p.name for p in (folder / "documents").iterdir()} == set(made_case.documents)
    places = [json.loads(line) for line in (tmp_path / "places.jsonl").read_text().splitlines()]
    assert {(p["item"], p["value"]) for p in places} == set(made_case.values)
    first = {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    list(make_corpus(tmp_path, 3, ["32K"], 1, ["b"]))
    assert {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == first


def test_the_table_tells_methods_apart_and_a_script_is_no_measurement(tmp_path):
    given = FillingMethod(
        "oracle", lambda one: Extraction(one.reference, Usage(output=7, calls=2), calls=2), scripted=True
    )
    result = measure_extraction(made(3, ["32K"], ["a"], 1), [scan(ROWS), nothing(), given])
    told = {row["method"]: row for row in result["table"]}
    assert told["nothing"]["s_checklist"] == 0.0
    assert 80 < told["scan"]["s_checklist"] <= 100
    assert (told["oracle"]["s_checklist"], told["oracle"]["tokens"], told["oracle"]["calls"]) == (100.0, 7, 2)
    shown = render(result)
    assert "oracle*" in shown
    assert "measures no model" in shown
    list(make_corpus(tmp_path, 3, ["32K"], 1, ["a"]))
    again = measure_extraction(read_cases(tmp_path, ["32K"]), [scan(ROWS)])
    assert round(again["cases"][0]["s_checklist"], 1) == told["scan"]["s_checklist"]
    assert again["cases"][0]["style"] == "a"


def ask(**fields):
    return BenchRequest(Settings(), fields.pop("data", None), fields.pop("limit", 1), (), **fields)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [({"bins": ["16K"]}, "16K"), ({"only": ["z"]}, "z"), ({"bins": ["32K"], "methods": ["magic"]}, "magic")],
)
def test_what_is_not_there_is_named(fields, wrong):
    with pytest.raises(SolonError) as error:
        extraction.measure(ask(**fields))
    assert error.value.failure.subject == wrong


def test_a_folder_without_cases_is_named(tmp_path):
    with pytest.raises(SolonError, match="holds no case"):
        list(read_cases(tmp_path, ()))


def test_the_command_writes_cases(tmp_path):
    result = extraction.measure(ask(make=tmp_path / "made", seed=5, bins=["32K"], only=["a"]))
    assert [row["case"] for row in result["made"]] == ["a-32k-01"]
    assert (tmp_path / "made" / "32K" / "a-32k-01" / "checklist.json").is_file()
    assert "a-32k-01" in extraction.render(result)


def test_an_empty_checklist_has_no_values():
    assert nothing().fill(next(iter(made(3, ["32K"], ["a"], 1)))).filled == Filled()


@pytest.mark.parametrize("method", ["agent", "end_to_end", "chunks"])
def test_a_script_that_is_given_the_answers_finds_them_by_every_method(method):
    (case,) = made(3, ["32K"], ["a"], 1)
    found = by_oracle(case, method)
    assert found.failures == ()
    assert found.calls > 0
    assert measure_extraction([case], [FillingMethod("m", lambda _: found)])["table"][0]["s_checklist"] > 95


def test_a_model_that_is_not_named_is_asked_for():
    with pytest.raises(SolonError, match="needs a model"):
        extraction.measure(ask(bins=["32K"], methods=["agent"]))


def test_a_case_of_no_bin_is_measured_too_and_a_document_that_is_no_text_is_named(tmp_path):
    (one,) = make_corpus(tmp_path, 3, ["32K"], 1, ["a"])
    room = tmp_path / "32K" / one.key / "documents"
    for path in sorted(room.iterdir())[5:]:
        path.unlink()
    assert [case.bin for case in read_cases(tmp_path, ())] == ["other"]
    assert list(read_cases(tmp_path, ["32K"])) == []
    (room / "scan.pdf").write_bytes(b"%PDF")
    with pytest.raises(SolonError, match="cannot be measured on"):
        list(read_cases(tmp_path, ()))


def test_the_command_line_measures(capsys):
    assert main(["bench", "extraction", "--bins", "32K", "--only", "a", "--limit", "1", "--methods", "scan"]) == 0
    assert "S_checklist" in capsys.readouterr().out
    assert main(["bench", "extraction", "--bins", "9K"]) != 0


def test_a_few_items_are_filled_and_scored_alone():
    wanted = ["filing_date", "judge_name"]
    (one,) = of_items(made(3, ["32K"], ["a"], 1), wanted)
    told = measure_extraction([one], [scan(ROWS)])
    assert [row["item"] for row in told["items"]["scan"] if row["kind"] == "item"] == wanted
    assert {*one.reference.entries} <= {*wanted}
    (whole,) = of_items(made(3, ["32K"], ["a"], 1), [])
    assert len([*whole.checklist.items()]) == 26
    with pytest.raises(SolonError, match="no item of the checklist"):
        list(of_items([whole], ["weather"]))


def test_items_that_a_failure_left_out_stand_beside_the_score_of_the_rest():
    """A model that had time for one item of five scored 100 and nobody saw that four were missing."""
    (case,) = of_items(made(3, ["32K"], ["a"], 1), ["filing_date", "judge_name"])
    lost = Entry(cause=FailureCause.TIMEOUT, message="The time is used up.")

    def half(one):
        return Extraction(Filled(entries={**one.reference.entries, "judge_name": lost}))

    told = measure_extraction([case], [FillingMethod("half", half)])
    (row,) = told["table"]
    assert (row["s_checklist"], row["unscored"]) == (100.0, 1)
    assert "unscored" in render(told).splitlines()[0]


def test_the_server_of_the_model_that_a_bench_asks_is_started_and_a_failure_is_told(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "flows.bench.faults.solver", "{port}"]
    toml = f"[models.house]\nmodel = 'openai/local'\nretries = 0\nserve = {{ command = {command} }}\n"
    (tmp_path / "solon.toml").write_text(toml, encoding="utf-8")
    settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
    asked = {"bins": ["32K"], "only": ["a"], "methods": ["agent"], "items": ["judge_name"], "seconds": 20}
    ask = BenchRequest(settings, None, 1, (), model="house", **asked)
    [case] = measure("extraction", ask)["cases"][:1]
    assert case["calls"] > 0  # it was asked, whatever it said
    assert not any("is not running" in line for line in case["failures"])
    told = render({"table": [], "cases": [{**case, "failures": ["the reply was no JSON"]}], "items": {}})
    assert f"{case['case']}, agent: the reply was no JSON" in told
