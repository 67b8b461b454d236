"""Questions in prose: which provision they ask about, and what the short answer says of each document."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from knowledge_db import KnowledgeBase, KnowledgeError

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import SUPPLY, Nowhere, asks_for, canonical, settings

from tasks.asks.records import AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.quoting import quote
from tasks.drafting.extractive.reading import read
from tasks.drafting.extractive.render.lines import line
from tasks.drafting.extractive.render.memo import memorandum
from tasks.drafting.extractive.render.plan import told_of
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.records import Cell, DraftJob
from tasks.harness import packaged
from tasks.matter.records import Matter
from tasks.retrieval.provisions import catalogue_of
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.sources.records import MatterState

KNOWN = catalogue_of(packaged().knowledge)

BARE = """LICENCE AGREEMENT

This Licence Agreement is made as of May 1, 2019 between Tin Whistle Ltd and Copper Kettle Inc.

1. Either party may terminate this Agreement upon thirty (30) days' written notice if there is a change of control of
the other party.

2. This Agreement shall be governed by the laws of the State of Texas.
"""


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('use = "want"\npatterns = ["x"]', "a cue of use want needs a name"),
        ('use = "opener"\nname = "x"\npatterns = ["x"]', "a cue of use opener has no name"),
        ('use = "form"\nname = "colour"\npatterns = ["x"]', "is no check of the form"),
        ('use = "quality"\nname = "x"\npatterns = ["x"]', "a quality needs it"),
        ('use = "mere"\npatterns = []', "patterns"),
        ('use = "mere"\npatterns = ["("]', "is not a valid regular expression"),
    ],
)
def test_a_cue_that_says_nothing_is_refused(tmp_path, row, said):
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "a.toml").write_text(f"[[row]]\n{row}\n")
    with pytest.raises(KnowledgeError, match=said):
        _ = KnowledgeBase(tmp_path).questions


@pytest.fixture
def memo(tmp_path):
    def make(ask, kind=AskKind.FACT, **texts):
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
            asks=asks_for(ask, [ask], kind=kind),
        )
        return memorandum(told_of(job, readings, settings(), Transcript()))

    return make


def test_what_is_asked_of_each_document_is_told_of_each():
    said = "“Either party may end it on thirty (30) days' notice in writing if the other party is sold.”"
    entries = (
        Entry(document="a.txt", state=AskState.ANSWERED, answer=said, basis="a.txt"),
        Entry(document="b.txt", state=AskState.NOT_FOUND, searched=("sold",)),
    )
    got = AskAnswer(ask_id="1", state=AskState.ANSWERED, answer=said, entries=entries)
    told = SimpleNamespace(
        contrasts={},
        days=SimpleNamespace(prose=str),
        said=lambda e: e.answer,
        name=str,
        where=lambda p: f"[{p.entry.document}]",
    )
    (ask,) = asks_for("Can it end?", ["Can it end?"]).asks
    assert line(told, ask, got).endswith("if the …” [a.txt]; none seen in b.txt")
    assert line(told, ask.model_copy(update={"each": False}), got) == said


def test_that_no_amount_is_stated_is_to_be_verified_and_the_nearest_clause_stands_beside_it(memo):
    made = memo("Is our liability capped, and at what amount?", supply=SUPPLY)
    assert "no amount is stated in the passages that speak of it" in made
    assert "liability under this Agreement shall not exceed the amounts paid by Buyer" in made
    assert "## Findings" not in made


def test_a_clause_that_does_not_say_what_is_asked_is_no_yes(memo):
    plain = BARE.replace("terminate this Agreement upon thirty (30) days' written notice", "adjust the price")
    made = memo("Can it be terminated on a change of control?", kind=AskKind.YES_NO, licence=plain)
    bottom = made.partition("## Bottom line")[2].partition("## ")[0]
    assert "adjust the price if there is a change of control of the other party.” (to be verified)" in bottom
    assert "Yes" not in bottom


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
