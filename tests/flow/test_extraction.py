"""A checklist filled by a scripted agent in a run, and judged against a reference by the checklist judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.corpus import run_corpus
from flows.judge import judge_run
from flows.runs.attempts import AttemptStore
from flows.settings import load_settings
from tests.unit.drafting.extraction.case_room import CASE, FILED, JUDGED, NO_CLASS, REMEDY

TASK = {
    "title": "United States v. Idaho",
    "instructions": "Fill the checklist of the case. Output: `extracted.json`.",
    "deliverables": {"extracted.json": "extracted.json"},
    "criteria": [{"id": "C-001", "title": "Date", "match_criteria": "PASS if the filing date is stated."}],
}
REFERENCE = {
    "reference_checklist": "case",
    "values": {
        "filing_date": "August 2, 2022",
        "judge_name": "B. Lynn Winmill",
        "remedy_sought": ["Declaratory judgment", "Preliminary injunction", "Attorneys' fees"],
        "class_or_individual": None,
    },
}


@pytest.mark.usefixtures("unchecked", "unserved", "unpictured", "kept_workers")
def test_a_case_is_extracted_and_judged(tmp_path: Path) -> None:
    folder = tmp_path / "corpus" / "cases" / "idaho"
    (folder / "documents").mkdir(parents=True)
    for name, text in CASE.items():
        (folder / "documents" / name).write_text(text)
    (folder / "task.json").write_text(json.dumps(TASK))
    (folder / "checklist.json").write_text(json.dumps(REFERENCE))
    found = [FILED, {**REMEDY, "key": "remedy_sought"}, {**JUDGED, "key": "judge_name"}]
    steps = [
        {"name": "read_document", "arguments": {"doc_name": "complaint.txt"}},
        {"name": "append_checklist", "arguments": {"patch": found}},
        {"name": "update_checklist", "arguments": {"patch": [{**NO_CLASS, "key": "class_or_individual"}]}},
    ]
    script = [*map(json.dumps, steps), "That is all.", "That is all."]
    (tmp_path / "solon.toml").write_text(
        f'[models.told]\nmodel = "scripted"\nretries = 0\nscript = {json.dumps(script)}\n'
        '[cells.filler]\nruntime = "extract"\nprofile = "told"\noptions = { method = "agent", parts = "all" }\n'
    )
    settings = load_settings({"home": tmp_path / "home", "prefect": "off", "workers": 1}, cwd=tmp_path, env={})
    run_corpus(tmp_path / "corpus", ["filler"], settings, run_id="r", quiet=True)
    store = AttemptStore(settings.runs, "r")
    (attempt,) = store.ended()
    assert (attempt.outcome, attempt.failures) == ("finished", ())
    assert attempt.cell.options["program"]  # another checklist would be another cell
    told = json.loads((store.path(attempt) / "output/extracted.json").read_text())
    assert told["filing_date"][0]["evidence"][0]["text"] == "filed August 2, 2022"

    judged = judge_run("r", "checklist", settings)
    assert (judged.criteria, judged.passed, judged.unscored) == (3, 2, 0)  # one remedy of three was left out
