"""Questions in prose: which provision they ask about, and what the short answer says of each document."""

import shutil
import sys
from pathlib import Path

import pytest

from knowledge_db import KnowledgeBase, KnowledgeError

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import SUPPLY, Nowhere, asks_for, canonical, settings

from tasks.asks.cues import cues_of
from tasks.drafting.extractive.questions import asked_provisions
from tasks.drafting.extractive.quoting import quote
from tasks.drafting.extractive.reading import read
from tasks.drafting.extractive.render.memo import memorandum
from tasks.drafting.extractive.render.plan import told_of
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.records import Cell, DraftJob
from tasks.harness import packaged
from tasks.matter.records import Matter
from tasks.retrieval.provisions import catalogue_of
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.sources.records import MatterState

CUES = cues_of(packaged().knowledge)
KNOWN = catalogue_of(packaged().knowledge)

BARE = """LICENCE AGREEMENT

This Licence Agreement is made as of May 1, 2019 between Tin Whistle Ltd and Copper Kettle Inc.

1. Either party may terminate this Agreement upon thirty (30) days' written notice if there is a change of control of
the other party.

2. This Agreement shall be governed by the laws of the State of Texas.
"""


@pytest.mark.parametrize(
    ("ask", "asked"),
    [
        (
            "Which of these contracts can be terminated on a change of control, and on what notice?",
            [("change of control", ("duration",))],
        ),
        ("Can either party walk away without cause?", [("termination for convenience", ())]),
        ("Is our liability capped, and at what amount?", [("cap on liability", ("money",))]),
        ("Can we assign these agreements to the buyer?", [("restriction on assignment", ())]),
        ("Which law governs and where do we sue?", [("governing law", ()), ("jurisdiction and venue", ())]),
        ("Are we locked into minimum purchases?", [("minimum commitment", ("money",))]),
        ("When do they expire and do they renew?", [("expiration date", ("date",)), ("renewal term", ())]),
        ("Do any of them stop us from selling competing products?", [("non-compete", ())]),
        ("How long do we have to pay an invoice?", [("payment terms", ("duration",))]),
        ("What happens to stock after termination?", [("post-termination services", ())]),
        ("Tell me whether they may audit our books.", [("audit rights", ())]),
        ("Who must carry insurance?", [("insurance", ())]),
        ("What if we are acquired?", [("change of control", ())]),
        ("What are the main risks?", []),
        ("Draft a change of control clause. Can you do that?", []),
        ("Review the file. Prepare a memo. Cover the facts. Is there a warranty?", []),
        ("", []),
    ],
)
def test_what_questions_ask_about(ask, asked):
    assert [(t.provision.name, t.kinds) for t in asked_provisions(ask, KNOWN, CUES)] == asked


EDITS = [
    # an edit of the cues (file, old, new), a question, and what it asks about afterwards
    ("provisions", "bought out", "wound up", "What if they are wound up?", [("change of control", ())]),
    ("provisions", "'\\binsur\\w*'", "'\\bunderwrit\\w*'", "Do they underwrite the goods?", [("insurance", ())]),
    ("asked_besides", "'\\bdeadline'", "'\\bweeks'", "An audit in which weeks?", [("audit rights", ("duration",))]),
    ("words_of_a_brief", "'which', ", "'wherefore', ", "Wherefore may they audit", [("audit rights", ())]),
    ("words_of_a_brief", "'draft(?:ing)?', ", "'audit', ", "May they audit our books?", []),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "ask", "asked"), EDITS)
def test_the_words_of_a_brief_are_data(tmp_path, file, old, new, ask, asked):
    shutil.copytree(packaged().knowledge.folder, tmp_path / "data")
    path = tmp_path / "data" / "questions" / f"{file}.toml"
    before = path.read_text(encoding="utf-8")
    assert old in before
    path.write_text(before.replace(old, new), encoding="utf-8")
    edited = KnowledgeBase(tmp_path / "data")
    assert [(t.provision.name, t.kinds) for t in asked_provisions(ask, KNOWN, cues_of(edited))] == asked
    assert [(t.provision.name, t.kinds) for t in asked_provisions(ask, KNOWN, CUES)] != asked


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('use = "provision"\npatterns = ["x"]', "a cue of use provision needs a name"),
        ('use = "opener"\nname = "x"\npatterns = ["x"]', "a cue of use opener has no name"),
        ('use = "figure"\nname = "colour"\npatterns = ["x"]', "is no kind of figure"),
        ('use = "aside"\nname = "x"\npatterns = ["x"]', "an aside needs it"),
        ('use = "loose"\npatterns = []', "patterns"),
        ('use = "loose"\npatterns = ["("]', "is not a valid regular expression"),
    ],
)
def test_a_cue_that_says_nothing_is_refused(tmp_path, row, said):
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "a.toml").write_text(f"[[row]]\n{row}\n")
    with pytest.raises(KnowledgeError, match=said):
        _ = KnowledgeBase(tmp_path).questions


@pytest.fixture
def memo(tmp_path):
    def make(ask, **texts):
        readings = tuple(read(canonical(t, f"{n}.txt"), None, None, packaged().knowledge) for n, t in texts.items())
        job = DraftJob(
            matter=Matter(matter_id="q", title="", area="q", instructions=ask, deliverables=(), documents=()),
            state=MatterState(matter_id="q", documents=(), coverage=()),
            texts={r.document: r.text for r in readings},
            index=Nowhere(),
            pack=KnowledgePack(
                harness_version="0" * 64,
                skill=SkillCard(skill_id="f/s", name="n", description="", body="", procedure=settings()),
                skeletons={},
            ),
            cell=Cell(name="extractive", runtime="extractive"),
            toolbox=None,
            workspace=tmp_path,
            harness=packaged(),
            asks=asks_for(ask, [ask]),
        )
        return memorandum(told_of(job, readings, settings(), Transcript()))

    return make


def test_each_document_gets_a_short_answer(memo):
    ask = "Which can be terminated on a change of control, and on what notice?"
    made = memo(ask, supply=SUPPLY, licence=BARE)
    assert made.startswith(f"# {ask.rstrip('?')}\n")
    bottom = made.partition("## Bottom line")[2].partition("## ")[0]
    assert (
        "Right to terminate; notice required; 30 days [Licence Agreement § 1]; none seen in Supply Agreement" in bottom
    )
    assert "“1. Either party may terminate this Agreement" in made
    assert "Table of answers\n" not in made
    assert "Yes" not in bottom


def test_what_the_clause_does_not_say_is_said(memo):
    made = memo("Is our liability capped, and at what amount?", supply=SUPPLY)
    assert "no amount in figures" in made
    plain = BARE.replace("terminate this Agreement upon thirty (30) days' written notice", "adjust the price")
    made = memo("Can it be terminated on a change of control?", licence=plain)
    assert "No word on termination in the clause" in made


def test_a_quotation_begins_at_its_own_number():
    run_on = (
        "Notices go to 12 Mill Lane, Dover, Kent 4) Governing Law This Agreement shall be governed by the laws of Ohio."
    )
    reading = read(canonical(run_on), None, None, packaged().knowledge)
    law = next(p for p in KNOWN if p.name == "governing law")
    made = quote(reading.units[0], law, reading.text, 120)
    assert made.text.startswith("“… 4) Governing Law This Agreement")
    referred = canonical("As set out in Section 4. The Agreement shall be governed by the laws of Ohio.")
    reading = read(referred, None, None, packaged().knowledge)
    assert not quote(reading.units[-1], law, reading.text, 120).text.startswith("“… 4.")
