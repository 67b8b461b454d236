"""A real learning run over every surface: attempts, verdicts, warehouse and ledger are real, the model is scripted.

The model knows the answers, and gives each only where what it was sent calls for it: so each surface has an edit that
helps, through the way by which that surface reaches a solver, and one that does nothing.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from flows.learn import learn_corpus
from flows.settings import load_settings
from flows.studies.regrow.empty import empty_harness
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.harness import HarnessRef, find_harness
from tasks.learning import ledger
from tasks.matter.failures import SolonError
from tests.unit.drafting.learned_samples import HEADING, HEADING_TESTS
from warehouse.sql import run_query

pytestmark = [pytest.mark.usefixtures("unchecked", "kept_workers"), pytest.mark.slow]

PAPER = (
    "CIVIL INVESTIGATIVE DEMAND\n\nThis Demand is dated March 3, 2021 and is addressed to Birch Bakery Inc.\n\n"
    "1. Costs\n\nThe recipient pays $1,300 for copies.\n\n2. Law\n\nThe laws of the State of Ohio govern.\n\n"
    "3. Expiry\n\nThe Demand expires on November 9, 2021.\n"
)
ANSWERS = {  # what calls for an answer, where a solver reads it; an answer without a cue is always given
    "costs": ("system", "State every sum of money.", "Costs: the recipient pays $1,300 for copies [letter.txt § 1]."),
    "law": ("system", "Answer each question", "Governing law: the laws of the State of Ohio [letter.txt § 2]."),
    "statute": ("system", "57b-1", "Statute: 15 U.S.C. § 57b-1."),
    "expiry": ("", "", "Exp.: November 9, 2021 [letter.txt § 3]."),
    "date": (
        "user",
        "Needs a lawyer's eye",
        "Agreement date: March 3, 2021 [letter.txt].",
    ),  # of the report in a revision
}
WRONG = "Agreement date: May 5, 1999 [letter.txt]."

SHORT = '''"""Writes out abbreviations that stand before a colon."""

import re

MOMENT = "build"
WORDS = {"Exp.": "Expiration date", "Eff.": "Effective date"}


def run(text):
    told = re.sub(r"(?m)^(Exp\\.|Eff\\.):", lambda found: WORDS[found[1]] + ":", text)
    return {"text": told, "findings": ["An abbreviation was written out."] if told != text else []}
'''
SHORT_TESTS = """
def test_an_abbreviation_is_written_out(run):
    assert run("Exp.: soon")["text"] == "Expiration date: soon"


def test_another_word_stays(run):
    assert run("Expected: soon")["text"] == "Expected: soon"
"""
DEMAND = """[[row]]
document_type = 'civil investigative demand'
pattern = '\\b(?:civil[ _-]+investigative[ _-]+demand)\\b'
where = "head"
weight = 1.8
retrieve = ['civil investigative demand']
"""
FALCONRY = """[[row]]
document_type = 'falconry permit'
pattern = '\\b(?:falconry[ _-]+permit)\\b'
where = "head"
weight = 1.8
retrieve = ['swap']
"""
SKILL, GATES, PROMPT = "skills/other/general/SKILL.md", "gates.toml", "prompts/api.md"
DATE_GATE = '[date]\nunsourced = "note"'
NUMBER_GATE = '[number]\nunsourced = "note"'
FIRST_LINE = "A supervising lawyer will read the first page and then check every statement."
ASKED = "- Questions of the brief left unanswered; documents unread."
SLOWLY = "Read the brief twice: what file, for whom, to decide what."


def edit(surface: str, path: str, before: str, after: str, why: str, tests: str = "") -> dict[str, str]:
    return {"surface": surface, "path": path, "before": before, "after": after, "rationale": why, "tests": tests}


HELPS = [
    edit("skills", SKILL, ASKED, f"{ASKED}\n- Sums left out. State every sum of money.", "a skill that asks for sums"),
    edit("agents", PROMPT, FIRST_LINE, f"{FIRST_LINE} Answer each question first.", "a prompt that asks for answers"),
    edit("agents", GATES, DATE_GATE, DATE_GATE.replace("note", "flag"), "a gate that flags dates"),
    edit("knowledge", "inference/learned.toml", "", DEMAND, "a rule that knows a demand"),
    edit("tools", "mechanisms/short.py", "", SHORT, "a mechanism that writes words out", SHORT_TESTS),
]
IDLE = [
    edit("skills", SKILL, SLOWLY, f"{SLOWLY} Read on.", "a skill that says to read on"),
    edit("agents", PROMPT, FIRST_LINE, f"{FIRST_LINE} Be kind.", "a prompt that says to be kind"),
    edit("agents", GATES, NUMBER_GATE, NUMBER_GATE.replace("note", "flag"), "a gate that flags numbers"),
    edit("knowledge", "inference/other.toml", "", FALCONRY, "a rule of falconry"),
    edit("tools", "mechanisms/heading.py", "", HEADING, "a mechanism that adds a heading", HEADING_TESTS),
]


def solved(messages: list[Mapping[str, str]]) -> str:
    """Return what the model writes: the answers that what it was sent calls for."""
    sent = {role: "\n".join(m["content"] for m in messages if m["role"] == role) for role in ("system", "user")}
    found = {name: text for name, (role, cue, text) in ANSWERS.items() if not role or cue in sent[role]}
    lines = ["# Memo", "", found.pop("date", WRONG), *found.values()]
    return "=== FILE: memo.docx ===\n" + "\n\n".join(lines) + "\n=== END FILE ===\n"


class _Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": solved(asked["messages"])}
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        choices = [{"index": 0, "finish_reason": "stop", "message": message}]
        told = {"id": "x", "object": "chat.completion", "created": 1, "model": "local"}
        body = json.dumps({**told, "choices": choices, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Model) as endpoint:
        threading.Thread(target=endpoint.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{endpoint.server_port}/v1"
        endpoint.shutdown()


def criterion(number: int, facet: str, kind: str, gold: str) -> dict[str, Any]:
    match = {"kind": kind, "any": [gold]}
    anchor = {"document": "letter.txt", "scope": ["letter.txt"], "facet": [facet], "match": match}
    return {"id": f"C-{number:03}", "title": facet, "match_criteria": "PASS if right.", "anchors": [anchor]}


def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "consumer" / "demand"
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "letter.txt").write_text(PAPER)
    golds = [
        ("agreement date", "date", "2021-03-03"), ("governing law", "value", "Ohio"), ("costs", "value", "$1,300"),
        ("statute", "value", "15 U.S.C. § 57b-1"), ("expiration date", "date", "2021-11-09"),
    ]  # fmt: skip
    task = {
        "title": "Letter review", "deliverables": {"memo.docx": "memo.docx"},
        "instructions": "State the date, the expiration date, the governing law, the costs and the statute.",
        "criteria": [criterion(n, *gold) for n, gold in enumerate(golds, start=1)],
    }  # fmt: skip
    (folder / "task.json").write_text(json.dumps(task))
    return tmp_path / "corpus"


@pytest.fixture
def empty(tmp_path: Path) -> HarnessRef:
    try:
        find_sandbox()
    except SolonError as error:
        pytest.skip(error.failure.message)  # learned code runs there and nowhere else
    return empty_harness(find_harness(), tmp_path / "empty")


def test_a_real_ledger_holds_a_kept_and_a_refused_edit_of_each_surface(
    empty: HarnessRef, url: str, tmp_path: Path
) -> None:
    catalogue = tmp_path / "edits"
    catalogue.mkdir()
    for number, one in enumerate([*HELPS, *IDLE]):
        (catalogue / f"{number:03}.json").write_text(json.dumps(one))
    (tmp_path / "solon.toml").write_text(
        f'[models.local]\nmodel = "openai/local"\napi_base = "{url}"\n'
        '[cells.solver]\nruntime = "api"\nprofile = "local"\nrevise = 1\n'
    )
    flags = {"home": tmp_path / "home", "workers": 1, "prefect": "off", "harness": empty.skills.parent}
    flags |= {"proposer": "catalogue", "catalogue": catalogue, "policy": "best_so_far"}
    settings = load_settings(flags, cwd=tmp_path, env={})
    result = learn_corpus(
        corpus(tmp_path), settings, cell="solver", steps=2, minibatch=1, holdout=0.0, max_edits=9, learn_id="all",
        trials=1, surfaces=("skills", "knowledge", "agents", "tools"),
    )  # fmt: skip
    rows = [row for row in ledger.read(result.ledger) if row.surface != "none"]
    kept = {row.rationale for row in rows if row.accepted}
    refused = {row.rationale: row.gates[-1].gate for row in rows if not row.accepted}
    assert kept == {str(one["rationale"]) for one in HELPS}, result.steps
    assert set(refused) - kept >= {str(one["rationale"]) for one in IDLE}
    assert all(refused[str(one["rationale"])] == "evaluation" for one in IDLE)
    scores = [row.decision.candidate for row in rows if row.accepted and row.decision]
    assert scores == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    landed = run_query(settings.warehouse, "what_did_the_learner_change")
    both = {(surface, decision) for surface, decision in landed.select("surface", "decision").iter_rows()}
    assert both >= {(s, d) for s in ("skills", "knowledge", "agent", "tools") for d in ("accepted", "rolled_back")}
