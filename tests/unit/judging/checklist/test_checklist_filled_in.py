"""Work products that are filled checklists, and prose, which is none."""

import json

import pytest

from tasks.judging.checklist.filled_in import read_filled


def said(gavel, text, name="summary.md"):
    found = read_filled(gavel.checklist, {name: text})
    filled, named = found.filled, found.named
    for entry in filled.entries.values():
        for value in entry.values:
            for evidence in value.evidence:
                assert text[evidence.start : evidence.end] == evidence.text
    return {item: [v.text for v in filled.of(item).values] for item in named}


@pytest.mark.parametrize(
    "text",
    [
        "## Filing date\n2 May 2022\n\n## Name of judge\n- Ann Bell\n- Bob Cole\n",
        "1. **Filing date**\n   2 May 2022\n2. **Judge name**\n* Ann Bell\n* Bob Cole",
        "Filing date: 2 May 2022\nJudge name:\n- Ann Bell\n- Bob Cole",
        "**Filing date:** 2 May 2022\n**Judge name:** Ann Bell\n**Judge name:** Bob Cole\nAnd that is all.",
        "| Item | Is |\n|---|---|\n| Filing date | 2 May 2022 |\n| Judge name | Ann Bell |\n| judge_name | Bob Cole|",
        "| Item | Is | Where |\n|---|---|---|\n| Filing date | 2 May 2022 | p. 1 |\n"
        "| Judge name | Ann Bell |\n| judge_name | Bob Cole",
        "Sheet: One\nA1: Item | B1: Is\nA2: Filing date | B2: 2 May 2022 | C2: p. 1\n"
        "A3: Judge name | B3: Ann Bell\nA4: Judge name | B4: Bob Cole",
        "Filing date\t2 May 2022\nJudge name\tAnn Bell\nJudge name\tBob Cole",
        "FILING DATE – 2 May 2022\nJudge name — Ann Bell\nJudge name - Bob Cole",
        json.dumps({"Filing date": "2 May 2022", "judge_name": ["Ann Bell", {"value": "Bob Cole", "evidence": "x"}]}),
        json.dumps({"Filing date": "2 May 2022", "judge_name": ["Ann Bell", "Bob Cole"], "other": 3}, indent=2),
    ],
)
def test_items_are_read_with_their_values(gavel, text):
    assert said(gavel, text) == {"filing_date": ["2 May 2022"], "judge_name": ["Ann Bell", "Bob Cole"]}


def test_another_part_ends_an_item(gavel):
    text = "## Filings\nMotion to stay\n\n## Notes\nNobody slept.\n\n## Appeals\nN/A\n"
    assert said(gavel, text) == {"filings": ["Motion to stay"], "appeals": []}


def test_words_of_other_scripts_keep_their_places(gavel):
    text = json.dumps({"judge_name": "Ańa “A” Bell"})
    assert said(gavel, text) == {"judge_name": ["Ańa “A” Bell"]}


@pytest.mark.parametrize(
    "text",
    [
        "The filing date was 2 May 2022, and the judge's name was Bell.",
        "",
        "{broken",
        "[1, 2]",
        "{}",
        "#\n|\n:\n- \n**",
    ],
)
def test_prose_names_no_item(gavel, text):
    assert said(gavel, text) == {}


@pytest.mark.parametrize("run", [" ", "*", "| ", "\t", "1. ", "A1: ", "- ", ": ", "_", "Filings: ", "\xa0"])
def test_a_long_run_of_any_mark_takes_no_time(gavel, run, no_hang):
    said(gavel, f"Filings: {run * 50_000}x\n{run * 50_000}x Filings\nFilings | {run * 50_000}")


def test_several_files_fill_one_checklist(gavel):
    found = read_filled(gavel.checklist, {"a.md": "Filings: One", "b.md": "Filings: Two"})
    assert [v.text for v in found.filled.of("filings").values] == ["One", "Two"]
    assert (found.named, found.share) == ({"filings"}, 1.0)


def test_headings_that_only_the_reader_knows_end_an_item_too(gavel):
    text = "Filings\nMotion to stay\nNotes\nNobody slept"
    assert said(gavel, text) == {"filings": ["Motion to stay", "Notes", "Nobody slept"]}
    found = read_filled(gavel.checklist, {"m": text}, {"m": {text.index("Notes")}})
    assert [v.text for v in found.filled.of("filings").values] == ["Motion to stay"]
    assert found.share == 4 / 6  # of the words but the heading


def test_how_much_of_a_text_stands_under_items_is_told(gavel):
    assert read_filled(gavel.checklist, {"m": "One two three.\nFilings: Four five"}).share == 0.5
    assert read_filled(gavel.checklist, {"m": ""}).share == 0.0
