"""Settings of a skill's procedure that the memorandum obeys: definitions, references, comparison, ratings."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import asks_for, canonical, settings

from tasks.drafting.extractive.reading import read
from tasks.drafting.extractive.render.memo import memorandum
from tasks.drafting.extractive.render.plan import told_of
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.records import Cell, DraftJob
from tasks.harness import packaged
from tasks.matter.records import Matter
from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.sources.records import MatterState

CONTRACT = """DISTRIBUTION AGREEMENT

This Distribution Agreement is made as of May 1, 2019 between Tin Whistle Ltd and {other}.

1. Definitions

1.1 "Restricted Area" means the counties of Kent and Surrey and any place within ten miles of them.

2. Exclusivity

2.1 During the term of this Agreement Tin Whistle shall be the exclusive distributor of the Goods in the Restricted
Area,
subject to Section 4.

3. Assignment

3.1 Neither party may assign this Agreement without the prior written consent of the other party.

4. Reserved customers

4.1 Sales to the customers listed in Schedule 1 remain with the principal at all times.

5. Audit

5.1 The principal may audit the books and records of Tin Whistle upon ten (10) days' notice.
"""
ASK = "For each agreement give the exclusivity, audit rights and restriction on assignment."


class Clauses:
    def __init__(self, texts):
        self.trees = {name: clause_tree(text) for name, text in texts.items()}

    def search(self, query, k=8, documents=None):
        return []

    def clauses(self, document):
        return self.trees[document]


@pytest.fixture
def memo(tmp_path):
    def make(**procedure):
        texts = {n: canonical(CONTRACT.format(other=o), n) for n, o in (("a.txt", "Alder Co"), ("b.txt", "Birch Co"))}
        index = Clauses(texts)
        job = DraftJob(
            matter=Matter(matter_id="q", title="Review", area="q", instructions=ASK, deliverables=(), documents=()),
            state=MatterState(matter_id="q", documents=(), coverage=()),
            texts=texts,
            index=index,
            pack=KnowledgePack(
                harness_version="0" * 64,
                skill=SkillCard(skill_id="f/s", name="n", description="", body="", procedure=settings(**procedure)),
                skeletons={},
            ),
            cell=Cell(name="extractive", runtime="extractive"),
            toolbox=None,
            workspace=tmp_path,
            harness=packaged(),
            asks=asks_for(ASK, ["exclusivity", "audit rights", "restriction on assignment"]),
        )
        readings = tuple(read(t, None, index, packaged().knowledge) for t in texts.values())
        return memorandum(told_of(job, readings, job.pack.skill.procedure, Transcript()))

    return make


def test_definitions_and_references_follow_a_finding(memo):
    made = memo()
    assert 'Defined term: “"Restricted Area" means the counties of Kent and Surrey' in made
    assert "It refers to § 4: “4. Reserved customers" in made
    assert made.count("Defined term:") == 2  # once a document


def test_definitions_and_references_can_be_left_out(memo):
    assert "Defined term" not in memo(include_definitions=False)
    assert "It refers to" not in memo(include_cross_references=False)


def test_documents_are_set_side_by_side(memo):
    assert "| Document | Topic | Answer | Clause |" in memo()
    made = memo(compare_documents=True)
    told = "Yes: consent required; binds both parties [§ 3.1]"
    assert f"| Restriction on assignment | {told} | {told} |" in made


def test_actions_are_rated_and_the_gravest_come_first(memo):
    plain, rated = memo(), memo(severity_ratings=True)
    assert "**High.**" not in plain
    actions = rated.partition("## Recommended actions")[2]
    order = [actions.index(w) for w in ("**High.** exclusivity", "**High.** restriction", "**Medium.** audit rights")]
    assert order == sorted(order)
    assert "High: to be settled before closing" in actions
