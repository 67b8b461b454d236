"""The runtime end to end on a small matter of our own, with a toolbox that only writes."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import SUPPLY, Nowhere, asks_for, canonical, settings

from knowledge_db import PACKAGED, KnowledgeBase
from tasks.asks.records import AskState
from tasks.drafting.extractive.quoting import quote
from tasks.drafting.extractive.reading import read
from tasks.drafting.records import Cell, DraftJob
from tasks.drafting.stage import draft, runtime
from tasks.harness import packaged
from tasks.legaltext.tokens import terms
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.retrieval.provisions import catalogue_of
from tasks.retrieval.records import KnowledgePack, Skeleton, SkeletonSection, SkillCard
from tasks.sources.records import MatterState

BRIEF = (
    "For each agreement give the effective date, governing law, restriction on assignment, cap on liability "
    "and insurance."
)
POINTS = ["effective date", "governing law", "restriction on assignment", "cap on liability", "insurance"]


class Writer:
    """A toolbox that keeps what it is asked to build."""

    def __init__(self, *, fails=False):
        self.built = {}
        self.fails = fails

    def names(self):
        return ["build_deliverable"]

    def schema(self, name):
        return {}

    def call(self, name, arguments):
        if self.fails:
            raise SolonError(
                Failure(cause=FailureCause.CAPACITY, stage="release", subject="memo.docx", message="is full")
            )
        path = Path(arguments["path"])
        path.write_text(arguments["markdown"] or json.dumps(arguments["tables"]), encoding="utf-8")
        self.built[path.name] = arguments
        return {}


def job(tmp_path, *, brief=BRIEF, points=POINTS, texts=None, procedure=None, skeletons=None, fails=False, harness=None):
    texts = {"01-harbour-supply.txt": SUPPLY} if texts is None else texts
    documents = tuple(DocumentRef(name=n, path=tmp_path / n, sha256="0" * 64, size=1) for n in texts)
    return DraftJob(
        matter=Matter(
            matter_id="commercial/supply",
            title="Supply review",
            area="commercial",
            instructions=brief,
            deliverables=(
                Deliverable(name="memo", filename="memo.docx"),
                Deliverable(name="matrix", filename="matrix.xlsx"),
            ),
            documents=documents,
        ),
        state=MatterState(matter_id="commercial/supply", documents=(), coverage=()),
        texts={n: canonical(t, n) for n, t in texts.items()},
        index=Nowhere(),
        pack=KnowledgePack(
            harness_version="0",
            skill=SkillCard(
                skill_id="other/test", name="Test", description="", body="", procedure=settings(**(procedure or {}))
            ),
            skeletons=skeletons or {},
        ),
        cell=Cell(name="extractive", runtime="extractive"),
        toolbox=Writer(fails=fails),
        workspace=tmp_path / "attempt",
        harness=harness or packaged(),
        asks=asks_for(brief, points),
    )


def test_a_matter_is_drafted(tmp_path):
    work = draft(job(tmp_path))
    assert [f.filename for f in work.files] == ["matrix.xlsx", "memo.docx"]
    assert work.outcome == "finished"
    memo = (tmp_path / "attempt" / "output" / "memo.docx").read_text()
    assert "**March 1, 2015**" in memo
    assert "**Ohio**." in memo
    assert "**Yes: consent required; attempted assignment void" in memo
    assert "No provision was found in 01-harbour-supply.txt on insurance." in memo
    assert "[Supply Agreement § 4.1" in memo
    assert [a.state for a in work.answers] == [*[AskState.ANSWERED] * 4, AskState.NOT_FOUND]


def test_a_pass_with_a_release_report_says_that_it_changes_nothing(tmp_path):
    first = draft(job(tmp_path))
    second = draft(replace(job(tmp_path), report="# Release report: Released with flags"))
    assert second.files == first.files
    assert first.firings == ()
    assert [f.mechanism for f in second.firings] == ["revision"]
    assert "changed nothing" in second.final_message
    assert "changed nothing" not in first.final_message


def test_the_matrix_has_one_row_a_document_and_topic_and_a_sheet_of_asks(tmp_path):
    made = job(tmp_path)
    draft(made)
    table, asked = made.toolbox.built["matrix.xlsx"]["tables"]
    names = [c["name"] for c in table["columns"]]
    rows = [dict(zip(names, row, strict=True)) for row in table["rows"]]
    assert [r["Topic"].lower() for r in rows] == POINTS
    assert [r["Answer"] for r in rows[:2]] == ["2015-03-01", "Ohio"]
    assert rows[2]["Clause"] == "§ 4.1"
    assert rows[4]["Answer"] == rows[4]["Confidence"] == "not found"
    assert "searched for: insurance" in rows[4]["Comment"]
    assert asked["name"] == "What was asked"
    assert [row[2] for row in asked["rows"]] == [*["answered"] * 4, "searched and not found"]


def test_every_quotation_stands_in_the_document(tmp_path):
    draft(job(tmp_path))
    memo = (tmp_path / "attempt" / "output" / "memo.docx").read_text()
    flat = " ".join(SUPPLY.split())
    quotations = [q.split("”")[0] for q in memo.split("“")[1:]]
    assert quotations
    for quotation in quotations:
        for fragment in quotation.split("…"):
            assert fragment.strip() in flat


def metrics_of(tmp_path):
    return json.loads((tmp_path / "attempt" / "metrics.json").read_text())


def test_the_trace_tells_what_was_done(tmp_path):
    draft(job(tmp_path))
    rows = [json.loads(line) for line in (tmp_path / "attempt" / "transcript.jsonl").read_text().splitlines()]
    tools = [r["tool_name"] for r in rows if r["role"] == "tool"]
    assert tools == ["read", *["search"] * 5, "build_deliverable", "build_deliverable"]
    calls = [call for r in rows if r["role"] == "assistant" for call in r["tool_calls"]]
    assert [c["name"] for c in calls if c.get("internal")] == ["search"] * 5  # its own look-ups are no calls of tools
    assert metrics_of(tmp_path)["turn_count"] == rows[-1]["turn"] == 4  # … and no turns: read, two files, the closing
    metrics = metrics_of(tmp_path)
    assert metrics["documents_read"] == metrics["total_documents"] == 1
    assert metrics["finished_cleanly"] is True


def test_the_same_matter_gives_the_same_bytes(tmp_path):
    first = draft(job(tmp_path / "a"))
    second = draft(job(tmp_path / "b"))
    assert first.files == second.files


@pytest.mark.parametrize(
    ("procedure", "present", "gone"),
    [
        ({"not_found_statements": False}, "Searched for, without result: insurance", "## Not found"),
        ({"ledger": False}, "## Not found", "## Figures and dates"),
        ({"recommend_actions": False}, "## Findings", "## Recommended actions"),
        ({"quote_words": 12}, "…", "shall not exceed the amounts paid by Buyer in the preceding twelve months"),
    ],
)
def test_the_procedure_of_the_skill_is_obeyed(tmp_path, procedure, present, gone):
    draft(job(tmp_path, procedure=procedure))
    memo = (tmp_path / "attempt" / "output" / "memo.docx").read_text()
    assert present in memo
    assert gone not in memo


def test_support_comes_first_where_the_skill_says_so(tmp_path):
    draft(job(tmp_path, procedure={"answer_first": False}))
    memo = (tmp_path / "attempt" / "output" / "memo.docx").read_text()
    assert memo.index("laws of the State of Ohio") < memo.index("**Ohio**.")


def test_sections_take_the_names_and_order_of_the_skeleton(tmp_path):
    sections = ("Findings", "Closing actions", "Executive summary")
    skeleton = Skeleton(deliverable_type="memo", sections=tuple(SkeletonSection(title=t) for t in sections))
    draft(job(tmp_path, skeletons={"memo.docx": skeleton}))
    memo = (tmp_path / "attempt" / "output" / "memo.docx").read_text()
    headings = [line[3:] for line in memo.splitlines() if line.startswith("## ")]
    assert headings[:4] == ["Executive summary", "What was asked", "Findings", "Closing actions"]


def test_a_section_for_which_there_is_nothing_is_left_out(tmp_path):
    skeleton = Skeleton(deliverable_type="memo", sections=(SkeletonSection(title="Witnesses"),))
    draft(job(tmp_path, skeletons={"memo.docx": skeleton}))
    assert "Witnesses" not in (tmp_path / "attempt" / "output" / "memo.docx").read_text()


def test_the_catalogue_of_the_harness_is_used(tmp_path):
    entry = {"name": "flour", "answer": "clause", "strong": [r"\bflour\b"], "threshold": 3.0}
    law = {"name": "governing law", "answer": "law", "strong": ["governed by"]}
    folder = tmp_path / "knowledge" / "provisions"
    shutil.copytree(PACKAGED, folder.parent)
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "all.toml").write_text(
        "".join("[[provision]]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in e.items()) for e in (entry, law))
    )
    harness = replace(packaged(), knowledge=KnowledgeBase(folder.parent, terms))
    brief = "For each agreement give the flour and governing law."
    made = job(tmp_path, brief=brief, points=["flour", "governing law"], harness=harness)
    draft(made)
    table, _ = made.toolbox.built["matrix.xlsx"]["tables"]
    assert [row[2] for row in table["rows"]] == ["Flour", "Governing law"]
    assert table["rows"][0][3].startswith("Yes")


def test_where_nothing_is_answered_a_note_says_so(tmp_path):
    brief = "Who keeps the servers?"
    work = draft(job(tmp_path, brief=brief, points=[brief]))
    assert work.outcome == "finished"
    made = (tmp_path / "attempt" / "output" / "memo.docx").read_text()
    headings = [line[3:] for line in made.splitlines() if line.startswith("## ")]
    assert headings == ["Bottom line", "What was asked", "Not found", "Open points and limits"]
    assert "Nothing of what was asked is answered in this note" in made


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    "text", ["", "\x00\x01", "|" * 900, "“”" * 200, "a " * 6000, "1.1 " * 1000, "Agreement\n" * 200, "ﷺ" * 400]
)
def test_hostile_documents_end_in_a_draft(tmp_path, text):
    assert draft(job(tmp_path, texts={"x.txt": text})).outcome == "finished"


def test_no_documents_at_all_end_in_a_draft_that_says_so(tmp_path):
    work = draft(job(tmp_path, texts={}))
    assert work.outcome == "finished"
    assert {a.state for a in work.answers} == {AskState.NOT_ATTEMPTED}
    assert "no document could be read" in (tmp_path / "attempt" / "output" / "memo.docx").read_text()


def test_a_tool_that_fails_is_an_outcome(tmp_path):
    work = draft(job(tmp_path, fails=True))
    assert work.outcome == "failed"
    assert {f.cause for f in work.failures} == {FailureCause.CAPACITY}


def test_an_unknown_runtime_is_an_input_failure():
    with pytest.raises(SolonError) as caught:
        runtime("telepathy")
    assert caught.value.failure.cause is FailureCause.INPUT


def test_a_long_sentence_is_trimmed_at_a_clause_around_its_cues():
    filler = "; and the parties note the weather of the day" * 12
    text = canonical(f"4.1 Recitals aside{filler}; neither party may assign this Agreement without consent{filler}.")
    source = read(text, None, None, packaged().knowledge)
    known = {p.name: p for p in catalogue_of(packaged().knowledge)}
    made = quote(source.units[0], known["restriction on assignment"], text, 40)
    assert made.words <= 50
    assert "may assign this Agreement" in made.text
    assert made.text.startswith("“…")
    assert made.text.endswith("…”")


def test_words_are_shared_among_the_answers_of_a_document(tmp_path):
    lengths = []
    for words in (100, 1100):
        draft(job(tmp_path / str(words), procedure={"memo_words": words}))
        lengths.append(len((tmp_path / str(words) / "attempt" / "output" / "memo.docx").read_text().split()))
    assert lengths[0] < lengths[1]
