"""The bench of the checklist judge: the arithmetic of altered copies, and the twenty human checklists."""

import json

import pytest

from flows.bench.gavel.altered import ALTERATIONS
from flows.bench.gavel.asked import measure_asked
from flows.bench.gavel.asked import render as asked_table
from flows.bench.gavel.human import load_checklists
from flows.bench.gavel.run import measure_gavel, render
from flows.bench.registry import benches
from tasks.legaltext.checklists.records import Entry, Filled, Value
from tasks.matter.failures import SolonError
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tasks.models.transports.scripted import ScriptedModel


@pytest.fixture(scope="module")
def gavel_data(shared_data):
    folder = shared_data / "gavel"
    if not (folder / "human_checklists_dev20.json").is_file():
        pytest.skip("../shared/data/gavel is absent")
    return folder


@pytest.fixture(scope="module")
def measured(gavel_data):
    return measure_gavel(gavel_data)


def annotations(tmp_path, results):
    (tmp_path / "human_checklists_x.json").write_text(json.dumps({"results": results}))
    return tmp_path


def value(text, *places):
    return {
        "value": text,
        "evidences": [w for _, w in places],
        "evidences_indices": [[s, s + len(w)] for s, w in places],
    }


def two_cases():
    names = ["Filing Date", "Court Rulings", "Appeal"]
    first = {name: [] for name in names}
    first |= {
        "Filing Date": [value("2 May 2022", (0, "Sued on 2 May 2022."))],
        "Court Rulings": [value("Stay", (20, "Stay it was.")), value("Fees", (20, "Stay it was.")), value("Fees")],
    }
    return {"1": first, "2": {**first, "Filing Date": [value("3 June 2023", (0, "Sued on 3 June 2023."))]}}


def test_what_people_wrote_is_read_with_the_text_that_their_quotations_show(tmp_path):
    _, (first, _) = load_checklists(annotations(tmp_path, two_cases()))
    assert first.side.texts == {"summary": "Sued on 2 May 2022. Stay it was."}
    assert [v.text for v in first.side.filled.of("court_rulings").values] == ["Stay", "Fees"]
    assert list(first.lists["court_rulings"]) == ["Stay", "Fees", "Fees"]
    assert (first.conflicts, first.known) == (0, 31 / 32)
    # left of 32 signs: "Sued on" (7), and "it was" (6) beside the verbatim "Stay"; "Fees" covers its whole evidence
    assert first.side.ratio() == pytest.approx(7 / 32)


def test_altered_copies_of_two_items_score_what_they_must():
    filled = Filled(
        entries={
            "filing_date": Entry(values=(Value(text="May 2, 2022"),)),
            "court_rulings": Entry(values=(Value(text="Stay"), Value(text="Fees of May 3, 2022"))),
            "appeals": Entry(),
        }
    )
    expected = {name: round(alter(filled).expected, 4) for name, alter in ALTERATIONS.items()}
    assert expected == {
        "item left out": 50.0,
        "another date": 50.0,
        "value left out": 83.3333,  # (1 + 2/3) / 2
        "false value": 90.0,  # (1 + 4/5) / 2
        "false item": 66.6667,  # 2 of 3
        "repeated": 100.0,
        "reordered": 100.0,
        "rewritten": 100.0,
    }
    rewritten = ALTERATIONS["rewritten"](filled).filled
    assert rewritten.of("filing_date").values[0].text == "2 May 2022."


def test_a_small_bench_says_where_nothing_breaks(tmp_path):
    result = measure_gavel(annotations(tmp_path, two_cases()))
    assert result["broke"] == []
    assert [case["itself"] for case in result["cases"]] == [100.0, 100.0]
    assert [case["wrong_case"] for case in result["cases"]] == [50.0, 50.0]  # the rulings are the same
    assert result["within_lists"] == {"pairs": 6, "equal": 2, "equal_to_the_letter": 2, "contained": 0}
    assert "not as expected: 0" in render(result)


@pytest.mark.parametrize("content", ["{", "[]", '{"results": {"1": {"Filing Date": [{"value": "x"}]}}}'])
def test_other_data_is_refused_with_a_remedy(tmp_path, content):
    (tmp_path / "human_checklists_x.json").write_text(content)
    with pytest.raises(SolonError, match="--data"):
        load_checklists(tmp_path)
    with pytest.raises(SolonError, match="--data"):
        load_checklists(tmp_path / "nowhere")


def test_the_bench_has_its_line():
    assert "Checklists that people filled" in benches()["gavel"]


def test_every_human_checklist_equals_itself(measured):
    assert len(measured["cases"]) == 20
    assert {case["itself"] for case in measured["cases"]} == {100.0}
    assert {(case["lost_quotations"], case["conflicts"]) for case in measured["cases"]} == {(0, 0)}


def test_every_altered_copy_scores_what_the_counts_of_the_raw_file_say(measured, gavel_data):
    """Reckoned anew from the file, without a line of the judge or of the bench."""
    raw = json.loads((gavel_data / "human_checklists_dev20.json").read_text(encoding="utf-8"))["results"]
    for case in measured["cases"]:
        lists = [{" ".join(v["value"].split()).casefold() for v in values} for values in raw[case["case"]].values()]
        sizes = sorted(len(values) for values in lists if values)
        n, k = len(sizes), sizes[-1]
        expected = {
            "item left out": (n - 1) / n,
            "another date": (n - 1) / n,
            "value left out": (n - 1 + 2 * (k - 1) / (2 * k - 1)) / n,
            "false value": (n - 1 + 2 * k / (2 * k + 1)) / n,
            "false item": n / (n + 1),
            "repeated": 1.0,
            "reordered": 1.0,
            "rewritten": 1.0,
        }
        got = {name: found["score"] / 100 for name, found in case["altered"].items()}
        assert got == pytest.approx(expected), case["case"]
        assert (case["applicable"], case["values"]) == (n, sum(sizes))


def test_another_case_scores_next_to_nothing(measured):
    assert max(case["wrong_case"] for case in measured["cases"]) < 10


def test_values_that_people_kept_apart_are_seldom_called_equal(measured):
    within = measured["within_lists"]
    assert within["pairs"] > 4_000
    assert within["equal"] - within["equal_to_the_letter"] <= 1
    assert within["contained"] <= 0.01 * within["pairs"]


def test_what_the_data_do_not_allow_is_said(measured):
    lacking = [row for row in measured["published"] if row["here"] is None]
    assert len(lacking) == 7
    assert all(row["lacking"] for row in lacking)
    assert {row["here"] for row in measured["published"] if row["here"] is not None} == {0.667, 0.023}


def test_a_model_is_measured_by_what_it_reads_and_by_pairs_whose_relation_is_known(tmp_path):
    """One that copies, and calls two statements the same where they begin alike: 'Stay' and 'Fees' it tells apart."""

    def script(messages):
        question = messages[-1]["content"]
        if "How do they relate" in question:
            blocks = question.split(question.split("Statement A:\n")[1].splitlines()[0])
            alike = blocks[1].strip()[:1] == blocks[3].strip()[:1] or "2022" in question
            return json.dumps({"reasoning": "", "relation": "equal" if alike else "different"})
        if "say the same?" in question:
            return json.dumps({"reasoning": "", "pairs": [{"a": 1, "b": 1}]})
        said = {"Filing Date": "Sued on 2 May 2022.", "Court Rulings": "Stay"}
        title = question.split("Item: ")[1].splitlines()[0].casefold()
        words = next((w for name, w in said.items() if name.casefold() == title), "")
        found = [{"value": words, "evidence": [words]}] if words else []
        if title == "appeals":
            found = [{"value": "An appeal", "evidence": ["words that stand nowhere"]}]
        return json.dumps({"reasoning": "", "values": found})

    profile = ModelProfile(name="scripted", model="scripted/none", context_window=8_000, max_output_tokens=100)
    client = ModelClient(profile, transport=ScriptedModel(script), wait=lambda seconds: None)
    result = measure_asked(annotations(tmp_path, two_cases()), client, only=["1"], say=lambda line: None)
    (case,) = result["asked"]
    assert case["filled"] == {"filing_date": ["Sued on 2 May 2022."], "court_rulings": ["Stay"]}
    assert case["values"] == {"people": 3, "model": 2, "dropped": 1}
    assert case["items"] == {"people": 2, "model": 2, "both": 2}
    # the date alone is a part of "Sued on 2 May 2022." (1/2); of two rulings one is found (2/3)
    assert case["compared"]["without a model"]["s_checklist"] == 58.3
    assert case["compared"]["by the model"]["s_checklist"] == 83.3
    told = case["pairs"]["by the model"]
    assert told == {"same": 0, "same_right": 0, "different": 1, "different_right": 1, "untold": 0}
    assert [part["calls"] for part in case["took"]] == [26, 0, 2, 1]
    assert "S_checklist by the model: 83.3" in asked_table(result)
    with pytest.raises(SolonError, match="no case"):
        measure_asked(annotations(tmp_path, two_cases()), client, only=["9"], say=lambda line: None)
