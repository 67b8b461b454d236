"""The runtime that fills a checklist: what its cell wants, what it delivers, and that this is read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tasks.drafting.extraction.delivering import as_json, as_markdown
from tasks.drafting.extraction.matter import in_order
from tasks.drafting.runtimes.extract import RUNTIME
from tasks.judging.checklist.filled_in import read_filled
from tasks.legaltext.checklists.definition import open_checklist
from tasks.legaltext.checklists.records import Entry, Evidence, Filled, Value
from tasks.legaltext.records import DateMention
from tasks.matter.failures import FailureCause, SolonError
from tasks.sources.records import CanonicalText, DocumentState, MatterState, Segment, SegmentKind
from tasks.sources.texts import read_file
from tests.unit.drafting.agent_room import Scene, call, scene
from tests.unit.drafting.extraction.case_room import CASE, FILED, JUDGED, NO_CLASS, REMEDY, SMALL, change, said, value

FILES = ("extracted.json", "extracted.md", "extracted.docx")
WRITTEN = SMALL.model_dump(mode="json")
FOUND = {
    "filing_date": ["2 August 2022"],
    "remedy": ["Declaratory judgment", "Preliminary injunction"],
    "judge": ["B. Lynn Winmill"],
}


def room(place: Path, **options: Any) -> Scene:
    options = {"checklist": WRITTEN, **options}
    return scene(place, CASE, FILES, runtime="extract", name="extract:m", options=options)


def test_it_delivers_what_the_reader_of_filled_checklists_reads(tmp_path: Path) -> None:
    job = room(tmp_path)
    product = job.run(
        call("append_checklist", patch=[FILED, REMEDY, JUDGED]), call("update_checklist", patch=[NO_CLASS]), "done"
    )
    assert (product.outcome, product.failures) == ("finished", ())
    assert {f.filename for f in product.files} == set(FILES)
    assert "4 values of 3 of 4 items were recorded" in product.final_message
    for name in FILES:
        text = read_file(job.job.workspace / "output" / name, name)
        headings = {name: [s.start for s in text.segments if s.kind is SegmentKind.HEADING]}
        read = read_filled(SMALL, {name: text.text}, headings)
        assert {k: [v.text for v in e.values] for k, e in read.filled.entries.items() if e.values} == FOUND, name
        assert read.named == {"filing_date", "remedy", "judge", "class_action"}
        assert read.share >= 0.8, name
    told = json.loads((job.job.workspace / "output/extracted.json").read_text())
    (where,) = told["class_action"][0]["evidence"]
    assert told["class_action"][0]["value"] == "Not Applicable"
    assert CASE["order.txt"][where["start"] : where["end"]] == where["text"]
    assert (where["source_document"], where["location"]) == ("order.txt", "line 4")
    assert job.metrics()["documents_skipped_list"] == [*sorted(CASE)]
    assert job.metrics()["finished_cleanly"] is True


@pytest.mark.parametrize(
    ("options", "script"),
    [
        ({"method": "end_to_end"}, [said([FILED]), said([REMEDY]), said([JUDGED]), said(update=[NO_CLASS])]),
        ({"method": "end_to_end", "parts": "groups"}, [said([FILED, REMEDY]), said([JUDGED], [NO_CLASS])]),
        ({"method": "chunks"}, [said([FILED, REMEDY]), said([JUDGED], [NO_CLASS]), said()]),
        ({"parts": "groups"}, [call("append_checklist", patch=[FILED, REMEDY]), "ok", "no", "no"]),
    ],
)
def test_the_method_and_its_parts_are_those_of_the_cell(
    tmp_path: Path, options: dict[str, Any], script: list[Any]
) -> None:
    job = room(tmp_path, **options)
    product = job.run(*script)
    assert product.outcome == "finished"
    assert len(job.model.requests) == len(script)
    told = json.loads((job.job.workspace / "output/extracted.json").read_text())
    assert [v["value"] for v in told["remedy"]] == FOUND["remedy"]
    again = job.run(report="1. A flag.")  # a revision has nothing to ask: the state of the work is its answer
    assert (again.outcome, len(job.model.requests)) == ("finished", 0)


def test_what_a_failure_left_unexamined_is_said_and_not_called_absent(tmp_path: Path) -> None:
    job = room(tmp_path, method="end_to_end")
    product = job.run(said([FILED]))
    assert (product.outcome, product.failures[0].cause) == ("failed", FailureCause.PROVIDER)
    told = json.loads((job.job.workspace / "output/extracted.json").read_text())
    assert told["filing_date"][0]["value"] == "2 August 2022"
    assert set(told["not_examined"]) == {"remedy", "judge", "class_action"}
    assert "not examined: The script" in (job.job.workspace / "output/extracted.md").read_text()
    assert job.metrics()["finished_cleanly"] is False


@pytest.mark.parametrize("options", [{"method": "magic"}, {"parts": "halves"}, {"checklist": "no such"}])
def test_a_cell_that_wants_what_there_is_not_is_refused_before_the_run(tmp_path: Path, options: dict[str, Any]) -> None:
    job = room(tmp_path, **options)
    product = job.run("never asked")
    assert (product.outcome, product.failures[0].cause) == ("failed", FailureCause.INPUT)
    assert job.model.requests == []
    with pytest.raises(SolonError):
        RUNTIME.examined(job.job.cell, ())


def test_another_checklist_is_another_cell(tmp_path: Path) -> None:
    one, other = (room(tmp_path / name, checklist=name).job.cell for name in ("case", "contract"))
    assert RUNTIME.examined(one, ()) != RUNTIME.examined(other, ())


def test_a_value_that_holds_marks_of_a_table_stays_one_cell() -> None:
    text = CanonicalText(
        document="a|b.txt",
        sha256="",
        extractor="",
        media="",
        text="Page one.\nA | B.",
        segments=(Segment(kind=SegmentKind.PAGE, label="p. 3", start=0, end=16),),
    )
    where = Evidence(document="a|b.txt", start=10, end=16, text="A | B.")
    filled = Filled(entries={"judge": Entry(values=(Value(text="A | B\nC", evidence=(where,)),))})
    shown = as_markdown(SMALL, filled, {"a|b.txt": text})
    assert "| Judge | A ¦ B C | “A ¦ B.” | a¦b.txt, p. 3, line 2 |" in shown
    assert json.loads(as_json(SMALL, filled, {"a|b.txt": text}))["judge"][0]["value"] == "A | B\nC"


def test_no_item_of_a_shipped_checklist_is_taken_for_another_when_nothing_was_found() -> None:
    for name in ("case", "contract"):
        checklist = open_checklist(name)
        read = read_filled(checklist, {"a.md": as_markdown(checklist, Filled(), {})})
        assert [e for e in read.filled.entries.values() if e.values] == []
        assert len(read.named) == sum(1 for _ in checklist.items())
        assert read.share >= 0.8


def test_documents_come_in_the_order_of_time() -> None:
    def state(**days: str) -> MatterState:
        made = [
            DocumentState(
                document=name,
                sha256="0" * 64,
                media="txt",
                dates=(DateMention(start=5, end=9, text="x", iso=day, precision="day"),) if day else (),
            )
            for name, day in days.items()
        ]
        return MatterState(matter_id="m", documents=tuple(made), coverage=())

    def texts(*names: str) -> dict[str, CanonicalText]:
        return {n: CanonicalText(document=n, sha256="", extractor="", media="", text="x") for n in names}

    known = state(order="2022-08-24", complaint="2022-08-02", note="")
    assert in_order(texts("note", "order", "complaint"), known) == ["complaint", "order", "note"]
    assert in_order(texts("10 order", "2 motion", "1 complaint"), state()) == ["1 complaint", "2 motion", "10 order"]


def test_a_hostile_value_is_refused_whatever_the_method(tmp_path: Path) -> None:
    obeyed = change("filing_date", value("January 1, 1900", "The case was filed January 1, 1900", "notice.txt"))
    job = room(tmp_path, method="chunks")
    job.run(said([FILED]), said(), said([], [obeyed]), said([], [obeyed]))
    told = json.loads((job.job.workspace / "output/extracted.json").read_text())
    assert [v["value"] for v in told["filing_date"]] == ["2 August 2022"]
