"""Redlines that a brief asks for: which file, which document, which changes, and what is left to a lawyer."""

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from skills_repo.schema import default_procedure
from tasks.asks.cues import cues_of
from tasks.drafting.extractive.instructions import read_instructions
from tasks.drafting.records import Cell, DraftJob
from tasks.drafting.redlines import bases_of, redlines_of
from tasks.drafting.stage import draft
from tasks.harness import packaged
from tasks.legaltext.number_words import spelled
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.sources.extract import extract
from tasks.sources.records import MatterState
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry

CUES = cues_of(packaged().knowledge)
ROOT = Path(__file__).resolve().parents[3]
CLEANING = (
    ROOT / "examples/commercial-contracts/key-terms-workplace-suppliers/documents/cleaning-services-agreement.docx"
)
COFFEE = CLEANING.with_name("coffee-equipment-rental.txt")


def matter(ask, *files, documents=()):
    refs = tuple(
        DocumentRef(name=p.name, path=p, sha256=hashlib.sha256(p.read_bytes()).hexdigest(), size=p.stat().st_size)
        for p in documents
    )
    return Matter(
        matter_id="m/one",
        title="Matter",
        area="m",
        instructions=ask,
        deliverables=tuple(Deliverable(name=f, filename=f) for f in files),
        documents=refs,
    )


@pytest.mark.parametrize(
    ("ask", "files", "marked"),
    [
        ("Mark up the lease to change the rent.", ("lease.docx",), ("lease.docx",)),
        (
            "Redline the NDA in our favour; also prepare a memo.",
            ("nda-redline.docx", "memo.docx"),
            ("nda-redline.docx",),
        ),
        (
            "Please prepare a redline of the draft and an issues list.",
            ("turn.docx", "issues-list.docx"),
            ("turn.docx",),
        ),
        ("Return the agreement with tracked changes.", ("agreement.docx",), ("agreement.docx",)),
        ("Review the counterparty redline and report deviations.", ("deviation-report.docx",), ()),
        ("Review the markup received from the seller.", ("memo.docx",), ()),
        ("Summarise the lease.", ("memo.docx",), ()),
        ("Redline the lease.", ("lease.pdf",), ()),
    ],
)
def test_which_files_are_redlines(ask, files, marked):
    assert redlines_of(matter(ask, *files)) == marked


def test_the_document_that_the_brief_names_comes_first():
    texts = {p.name: extract(p.read_bytes(), p.name) for p in (CLEANING, COFFEE)}
    assert bases_of(matter("Redline the coffee equipment rental."), texts)[0] == COFFEE.name
    assert bases_of(matter("Redline the cleaning services agreement."), texts)[0] == CLEANING.name
    assert bases_of(matter("Mark up coffee-equipment-rental.txt."), texts)[0] == COFFEE.name


@pytest.mark.parametrize(
    ("ask", "read"),
    [
        ('replace "A" with "B" throughout', [("replace", "A", "B", True)]),
        ('Change "thirty days" to "sixty days"', [("replace", "thirty days", "sixty days", False)]),
        ('substitute "A" for "B"', [("replace", "B", "A", False)]),
        ("rename Alpha Mills Inc. to Beta Mills LLC", [("replace", "Alpha Mills Inc.", "Beta Mills LLC", True)]),
        ("change the rent from $10 to $12", [("figure", "$10", "$12", False)]),
        ("extend the cure period to thirty (30) days", [("figure", "", "thirty (30) days", False)]),
        ("change the governing law to New York", [("figure", "", "New York", False)]),
        ('strike "as is" and delete Section 4.2', [("replace", "as is", "", False), ("delete", "", "", False)]),
        ('insert "Time matters." at the end of Section 3', [("insert", "", "Time matters.", False)]),
        ('at the end of Section 3, add: "Time matters."', [("insert", "", "Time matters.", False)]),
        ('in Section 6, replace "A" with "B"', [("replace", "A", "B", False)]),
        ("soften the indemnity", [("other", "", "", False)]),
        ("make the indemnity mutual and keep everything else", [("other", "", "", False)]),
    ],
)
def test_orders(ask, read):
    found = read_instructions(f"Mark up the agreement to {ask}. Output: `redline.docx`.", CUES)
    assert [(o.kind, o.old, o.new, o.every) for o in found] == read


def test_lists_of_orders():
    found = read_instructions(
        "Redline the NDA:\n1. delete Section 2\n2. change the term to 3 years\n(c) fix the rest\n", CUES
    )
    assert [o.kind for o in found] == ["delete", "figure", "other"]


@pytest.mark.parametrize(
    ("number", "words"), [(0, "zero"), (7, "seven"), (30, "thirty"), (45, "forty-five"), (120, "one hundred twenty")]
)
def test_spelled(number, words):
    assert spelled(number) == words


class Clauses:
    """A searcher that knows the clauses and finds nothing."""

    def __init__(self, texts):
        self.trees = {name: clause_tree(text) for name, text in texts.items()}

    def search(self, query, k=8, documents=None):
        return []

    def clauses(self, document):
        return self.trees[document]


def attempt(tmp_path, ask, document):
    asked = matter(ask, "turn-redline.docx", documents=[document])
    texts = {document.name: extract(document.read_bytes(), document.name)}
    state = MatterState(matter_id=asked.matter_id, documents=(), coverage=())
    index = Clauses(texts)
    pack = KnowledgePack(
        harness_version="0" * 64,
        skill=SkillCard(skill_id="f/s", name="Redline", description="", body="", procedure=default_procedure()),
        skeletons={},
    )
    workspace = tmp_path / "attempt"
    (workspace / "output").mkdir(parents=True)
    desk = Desk(matter=asked, state=state, texts=texts, index=index, pack=pack, workspace=workspace)
    job = DraftJob(
        matter=asked,
        state=state,
        texts=texts,
        index=index,
        pack=pack,
        cell=Cell(name="extractive", runtime="extractive"),
        toolbox=ToolRegistry(desk),
        workspace=workspace,
        harness=packaged(),
    )
    product = draft(replace(job))
    output = workspace / "output"
    shown = extract((output / "turn-redline.docx").read_bytes(), "a.docx", redlines=True).text
    note = extract((output / "turn-redline-note.docx").read_bytes(), "note.docx").text
    return product, shown, note


def test_what_is_stated_word_for_word_is_marked_up_and_the_rest_is_told(tmp_path):
    product, shown, note = attempt(
        tmp_path,
        "Mark up the agreement to: (1) change the governing law to New York; (2) shorten the notice of non-renewal "
        'from 90 to 60 days; (3) delete the assignment clause; (4) insert "Time is of the essence." at the end of '
        'Section 3; (5) replace "Larkfield Museum Trust" with "Larkfield Foundation" throughout; (6) increase the '
        "monthly fee to $19,000; (7) extend the cure period to thirty (30) Business Days; (8) change the "
        "expiration date to June 30, 2027; (9) soften the limitation of liability; (10) delete Section 44.",
        CLEANING,
    )
    assert product.outcome == "finished"
    for marked in (
        "State of [del]Vermont[/del][ins]New York[/ins], without",
        "least [del]ninety[/del][ins]sixty[/ins] ([del]90[/del][ins]60[/ins]) days",
        "[del]Neither party may assign this Agreement",
        "a month.[ins] Time is of the essence.[/ins]",
        "Larkfield [del]Museum Trust[/del][ins]Foundation[/ins]",
        "$[del]18,400[/del][ins]19,000[/ins]",
        "within [del]twenty[/del][ins]thirty[/ins] ([del]20[/del][ins]30[/ins]) Business Days",
        "expires on [del]March 31[/del][ins]June 30[/ins], [del]2026[/del][ins]2027[/ins]",
    ):
        assert marked in shown
    assert "Comment" not in shown  # the other side reads the redline, not the instructions
    assert "Soften the limitation of liability: needs drafting or judgment" in note
    assert "Delete Section 44: no one clause" in note
    assert "Vermont is named elsewhere too" in note


def test_a_text_is_set_as_a_word_document_and_comments_come_where_asked(tmp_path):
    term = "Redline the rental with margin comments: rename Tamarack Beverage Co. to Tamarack Coffee Ltd."
    product, shown, _ = attempt(tmp_path, term, COFFEE)
    assert product.outcome == "finished"
    assert "Tamarack [del]Beverage Co[/del][ins]Coffee Ltd[/ins]." in shown
    assert "[Comment 1 by Solon: Rename Tamarack Beverage Co. to Tamarack Coffee Ltd.]" in shown


def test_nothing_mechanical_leaves_an_honest_file(tmp_path):
    product, shown, note = attempt(tmp_path, "Redline the agreement to make it friendlier to the museum.", CLEANING)
    assert product.outcome == "finished"
    assert "[ins]" not in shown
    assert "No change of the instructions could be made mechanically." in shown
    assert "needs drafting or judgment" in note
    assert "Not determined by this runtime" in note  # and what the papers say is given instead
