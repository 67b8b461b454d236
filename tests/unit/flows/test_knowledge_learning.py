"""A real step of the loop on the knowledge: a brief asks for a clause by a name that the catalogue lacks."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from flows.bench.liveness.records import with_rows
from flows.runs import judge_side, stages
from flows.runs.cells import resolve_cell
from flows.runs.orders import Order
from flows.settings import load_settings
from knowledge_db import PACKAGED
from tasks.harness import find_harness, packaged
from tasks.learning.acceptance import BestSoFar
from tasks.learning.comparison import Arena
from tasks.learning.knowledge.rules import KNOWLEDGE_RULES
from tasks.learning.knowledge.suites import KnowledgeReport
from tasks.learning.proposers.rules import RulesProposer
from tasks.learning.records import Observation
from tasks.learning.step import LearnSettings, learn_step
from tasks.matter.loading import load_corpus
from tasks.matter.reasons import Reason
from tasks.toolbox import ToolRegistry

pytestmark = pytest.mark.usefixtures("sealed_here")

AGREEMENT = """SUPPLY AGREEMENT

This Supply Agreement is made on March 4, 2021 between Alder Parts LLC (the "Supplier") and Birch Foundry Inc. (the
"Buyer").

1. Supply

The Supplier shall deliver castings as the Buyer orders them. Ownership of castings passes on delivery, and a change of
an order in writing does not change the ownership of castings delivered before it.

2. Ownership of Tools

Tools remain in the ownership of the Buyer. A change in the ownership of tools needs the consent of both parties.

3. Ownership of Drawings

Drawings remain in the ownership of the Supplier. No change in the ownership of drawings follows from their use.

4. Change of Ownership of Stock

A change in the ownership of stock held for the Buyer is told to the Buyer before the change.

5. Delivery

The Supplier delivers castings at the gate of the foundry on working days before noon, packed in crates, with a note of
what each crate holds, and takes empty crates back at the next delivery without charge.

6. Control

If a change of control of the Buyer occurs, the Supplier may end this Agreement at once.

7. Governing Law

This Agreement is governed by the laws of the State of Ohio.
"""
CLAUSE = "If a change of control of the Buyer occurs, the Supplier may end this Agreement at once"


@pytest.fixture
def matter(make_task, tmp_path):
    anchor = {
        "document": "supply.txt", "scope": ["supply.txt"], "facet": ["change of control"],
        "match": {"kind": "span", "any": [CLAUSE]},
    }  # fmt: skip
    make_task(
        "supply/review-1",
        {"supply.txt": AGREEMENT},
        [{"id": "C-001", "title": "Reports it", "match_criteria": "PASS if reported.", "anchors": [anchor]}],
        title="Review of a supply agreement",
        instructions="Review the agreement for ownership change. Output: `memo.docx`.",
    )
    return load_corpus(tmp_path / "corpus", tmp_path / "sealed").matters[0]


@pytest.fixture
def harness(tmp_path):
    """The packaged harness, but for the further names of one provision."""
    root = tmp_path / "harness"
    shutil.copytree(PACKAGED, root / "knowledge_db" / "data")
    shutil.copytree(find_harness().skills, root / "skills_repo", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    path = root / "knowledge_db" / "data" / "provisions" / "20-transfer.toml"
    text, count = re.subn(
        r'(?m)^(name = "change of control"\n(?:(?!aliases)\w+ = .*\n)*aliases = ).*$',
        r'\1["change in control"]',
        path.read_text("utf-8"),
    )
    assert count == 1
    path.write_text(text, "utf-8")
    return find_harness(root)


@pytest.mark.slow
def test_a_clause_asked_for_by_another_name_is_found_after_the_step(matter, harness, tmp_path, monkeypatch):
    passing = KnowledgeReport(folder=Path())  # the suites have tests of their own and cost seconds
    monkeypatch.setattr("tasks.learning.knowledge.gates.check_knowledge", lambda folder, families: passing)
    cell = resolve_cell("extractive", load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={}))

    def evaluate(version, matters, epochs=(1,)):
        seen = []
        for one in matters:
            folder = tmp_path / "attempts" / version.version
            order = Order(
                run_id="r", matter=one, cell=cell, epoch=1, number=1, folder=folder, cache=tmp_path / "cache",
                harness=version,
            )  # fmt: skip
            state = stages.inventory(order)
            product = stages.draft(order, state, stages.asks(order, state), stages.gather(order, state))
            tally = judge_side.score(one, folder, tmp_path / "sealed", "anchor", tmp_path / "judge")
            seen.append(
                Observation(
                    matter_key="k", work_type=one.work_type, document_suffixes=(".txt",), deliverable_suffixes=(),
                    skill_id="s", passed=tally.passed, failed=tally.failed, unscored=tally.unscored,
                    final_message=product.final_message,
                )
            )  # fmt: skip
        return seen

    rule = KNOWLEDGE_RULES[0]
    known_by = rule._replace(changes=lambda tables: (c for c in rule.changes(tables) if c.row == "change of control"))
    settings = LearnSettings(
        learn_id="real", proposer=RulesProposer(surfaces=("knowledge",), knowledge_rules=(known_by,)),
        policy=BestSoFar(), store=tmp_path / "store", ledger=tmp_path / "ledger.jsonl", inputs=tmp_path / "inputs",
        names={matter.matter_id: stages.names(matter, tmp_path / "cache")},
    )  # fmt: skip
    after, (row,) = learn_step(harness, [matter], 0, Arena(evaluate), settings)
    assert row.accepted, [(g.gate, g.reason) for g in row.gates]
    assert (row.decision.incumbent, row.decision.candidate) == (0.0, 1.0)
    assert "ownership change" in row.diff
    assert after.version != harness.version
    told = json.loads((tmp_path / "inputs" / "step-0000.json").read_text("utf-8"))
    assert told["signals"][0]["reasons"] == {"words_not_conveyed": 1}
    assert told["sentences"] == {"words_not_conveyed": Reason.WORDS_NOT_CONVEYED.sentence}
    assert row.reason is Reason.WORDS_NOT_CONVEYED
    assert not {"alder", "birch", "castings"} & set(re.findall(r"[a-z]+", json.dumps(told["signals"]).lower()))


@pytest.mark.slow
def test_tools_answer_from_the_knowledge_of_the_harness_under_test(matter, tmp_path):
    """A candidate's row must reach the tools of a run, or its evaluation says nothing of it."""
    of_shipped = packaged().knowledge.authorities[0]

    def asked(word: str) -> str:
        row = of_shipped.model_copy(update={"citation": f"{word} Act 1999 s. 1", "title": f"{word}ification"})
        knowledge = with_rows(packaged().knowledge, authorities=(row,))  # some thousands are indexed in seconds
        order = {"state": None, "texts": {}, "index": None, "pack": None, "workspace": tmp_path, "cache": tmp_path}
        tools = ToolRegistry.for_matter(matter, harness=replace(packaged(), knowledge=knowledge), **order)
        return json.dumps(tools.call("authority", {"query": "zyxification"}))

    assert "Zyx Act" in asked("Zyx")
    assert "Zyx Act" not in asked("Wuv")
