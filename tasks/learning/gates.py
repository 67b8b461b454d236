"""The gates of an edit before it is run, in order: scope, form, static safety, leakage, generality, audit, unit tests.

An edit of the knowledge is data: what each gate asks of it stands in ``knowledge/gates.py``; its unit tests are
the suites of its family.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path, PurePosixPath

from knowledge_db import KnowledgeBase
from knowledge_db.base import PACKAGED
from tasks.learning import harness_gates as of_harness
from tasks.learning import learned_gates as of_tools
from tasks.learning.knowledge import gates as of_knowledge
from tasks.learning.knowledge.edits import added_words
from tasks.learning.records import Edit, GateVerdict
from tasks.legaltext.dates.scan import scan_dates

MAX_CHANGED_LINES = 40
"""Of a file that there was: a screen, which a person can review as one change."""
MAX_NEW_LINES = 120
"""Of a file that there was not: a skill, or a tool."""
_SHORT_NAME = 3  # characters up to which a name ("Ink") stands in words of any rationale
_SCOPES = {
    "skills": re.compile(r"skills/[a-z0-9-]+/[a-z0-9-]+/SKILL\.md"),
    "agents": re.compile(r"prompts/[a-z_]+\.md|gates\.toml"),
}
_MONEY = re.compile(r"[$€£¥]\s?\d|\b(?:USD|EUR|GBP)\s?\d|\b\d[\d,]*\.\d{2}\b")
_CLAUSE = re.compile(r"(?:§|\b(?:Section|Article|Clause)\s)\s*\d", re.IGNORECASE)
_SETTING = re.compile(r"^[a-z_]+ = (?:-?\d+(?:\.\d+)?|true|false)$", re.MULTILINE)  # its bounds are the form gate's
_SHARE = re.compile(r"(?<![\w.$€£¥])0\.\d+\b")  # in code, a threshold
_TASK_ID = re.compile(r"\b[a-z-]+/[a-z0-9-]+-\d{3}\b|\bC-?\d{3}\b")
_CODE = re.compile(r"```|^\s*(?:import|from)\s+\w+|<script|\b(?:eval|exec|os\.system|subprocess)\b", re.MULTILINE)


def added_text(edit: Edit) -> str:
    """Return the lines that the edit adds, without those it keeps; the tests of a tool are among them."""
    diff = difflib.ndiff(edit.before.splitlines(), edit.after.splitlines())
    return "\n".join([*(line[2:] for line in diff if line.startswith("+ ")), *([edit.tests] if edit.tests else [])])


def unified_diff(edit: Edit) -> str:
    """Return the edit as a unified diff."""
    return "".join(
        difflib.unified_diff(
            edit.before.splitlines(keepends=True), edit.after.splitlines(keepends=True), edit.path, edit.path, n=1
        )
    )


def scope_gate(edit: Edit, _: Iterable[str], knowledge: Path | None = None) -> GateVerdict:
    """Allow one file of an editable surface, bounded in changed lines; of the knowledge, a few rows of one family."""
    if problem := of_harness.text_problem(edit):
        return _no("scope", problem)
    pattern = _SCOPES.get(edit.surface)
    if edit.surface == "knowledge":
        problem = of_knowledge.scope_problem(edit) or of_knowledge.official_problem(edit, knowledge)
        if problem:
            return _no("scope", problem)
    elif pattern is None:
        if problem := of_tools.scope_problem(edit):
            return _no("scope", problem)
    elif ".." in PurePosixPath(edit.path).parts or not pattern.fullmatch(edit.path):
        return _no("scope", f"{edit.path!r} is not a file of the surface {edit.surface}")
    changed = sum(line[0] in "+-" for line in unified_diff(edit).splitlines()[2:])
    if not changed:
        return _no("scope", "the edit changes nothing")
    most = MAX_CHANGED_LINES if edit.before else MAX_NEW_LINES
    if changed > most:
        return _no("scope", f"{changed} lines change; at most {most} may")
    return _yes("scope")


def form_gate(edit: Edit, _: Iterable[str], knowledge: Path | None = None) -> GateVerdict:
    """Parse what the file becomes: it must keep its schema and bounds, and may loosen no check and no guarding rule."""
    forms = {"knowledge": of_knowledge.form_problem, "tools": of_tools.form_problem}
    if edit.surface in forms:
        return _unless("form", forms[edit.surface](edit))
    return _unless("form", of_harness.form_problem(edit) or of_harness.law_problem(edit, _held(edit, knowledge)))


def _held(edit: Edit, knowledge: Path | None) -> frozenset[str]:
    """Return the law that the knowledge holds, for an edit that names some."""
    return _citations(knowledge or PACKAGED) if "[law]" in edit.after else frozenset()


@lru_cache(maxsize=4)
def _citations(knowledge: Path) -> frozenset[str]:
    return frozenset(row.citation for row in KnowledgeBase(knowledge).authorities)


def static_safety_gate(edit: Edit, _: Iterable[str], __: Path | None = None) -> GateVerdict:
    """Reject code in surfaces that are read, not run, patterns that may not end, and code of tools that reaches out."""
    if edit.surface == "tools":
        return _unless("static_safety", of_tools.safety_problem(edit))
    hit = _CODE.search(added_text(edit))
    if hit:
        return _no("static_safety", f"holds code: {hit.group()[:40]!r}")
    return _unless("static_safety", of_knowledge.pattern_problem(edit) if edit.surface == "knowledge" else "")


def leakage_gate(edit: Edit, names: Iterable[str], knowledge: Path | None = None) -> GateVerdict:
    """Reject added text that names a matter, a party or a document of the minibatch."""
    known = tuple(names)
    if edit.surface == "knowledge" and (problem := of_knowledge.leak_problem(edit, known, knowledge)):
        return _no("leakage", problem)
    # The rationale is kept and told to later proposers, whatever the surface.
    told = edit.rationale if edit.surface == "knowledge" else f"{added_text(edit)}\n{edit.rationale}"
    said = " ".join(told.lower().split())  # a name may go on in the next line
    names = (" ".join(name.lower().split()) for name in known)
    found = [name for name in names if len(name) > _SHORT_NAME and name in said]
    # "Customer" is what one contract calls a party, and a word of every lawyer: alone it names nobody.
    general = of_knowledge.known_words(knowledge) if found and knowledge else frozenset()
    if any(name not in general for name in found):
        return _no("leakage", "names something of the matters it learned from")
    return _yes("leakage")


def conclusion_in(text: str) -> str:
    """Say which conclusion of one matter a text carries; empty where it carries none."""
    for pattern, what in ((_MONEY, "an amount"), (_CLAUSE, "a clause number"), (_TASK_ID, "a task or criterion id")):
        if pattern.search(text):
            return what
    return "a date" if any(mention.precision == "day" for mention in scan_dates(text)) else ""


def generality_gate(edit: Edit, _: Iterable[str], knowledge: Path | None = None) -> GateVerdict:
    """Reject added text that carries conclusions: dates, amounts, clause numbers, task ids."""
    of_rows = edit.surface == "knowledge"
    if of_rows and (problem := of_knowledge.generality_problem(edit)):
        return _no("generality", problem)
    added = added_words(edit) if of_rows else _SETTING.sub("", added_text(edit))
    added = _SHARE.sub("", added) if edit.surface == "tools" else added
    if edit.surface == "skills":
        added = of_harness.without_law(added, _held(edit, knowledge))
    found = conclusion_in(added)
    return _unless("generality", f"holds {found}" if found else "")


def unit_tests_gate(edit: Edit, _: Iterable[str], knowledge: Path | None = None) -> GateVerdict:
    """Run the suites of an edited family, or the tests of a tool in a sandbox; nothing that held may break."""
    if edit.surface == "tools":
        return _unless("unit_tests", of_tools.untested(edit))
    if knowledge is None:
        return _no("unit_tests", "the knowledge that the edit changes was not given")
    return _unless("unit_tests", of_knowledge.suites_problem(edit, knowledge))


Gate = Callable[[Edit, Iterable[str], Path | None], GateVerdict]
Audit = Callable[[str, str, Iterable[str]], str]
"""Says why added text with its rationale is specific to the matters of these names; empty where it is not."""

TESTED = ("knowledge", "tools")
"""Surfaces that have unit tests."""
GATES: tuple[Gate, ...] = (scope_gate, form_gate, static_safety_gate, leakage_gate, generality_gate)


def audit_gate(audit: Audit) -> Gate:
    """Return the gate that asks the audit, which sees titles, names and the text alone."""

    def gate(edit: Edit, names: Iterable[str], _: Path | None = None) -> GateVerdict:
        added = added_words(edit) if edit.surface == "knowledge" else added_text(edit)
        added += "" if edit.before else f"\n{edit.path}"  # what a new file is called is told as well
        return _unless("audit", audit(added, edit.rationale, names))

    return gate


def run_gates(
    edit: Edit, names: Iterable[str], knowledge: Path | None = None, audit: Audit | None = None
) -> list[GateVerdict]:
    """Run the gates in order and stop at the first that refuses.

    Args:
        edit: The proposed edit.
        names: Names of the minibatch's matters, parties and documents. Known to the gate, not to the proposer.
        knowledge: The knowledge data of the incumbent; an edit of the knowledge needs it.
        audit: What audits the text; a learning step always gives one.
    """
    known = tuple(names)
    gates = (*GATES, *((audit_gate(audit),) if audit else ()))
    verdicts: list[GateVerdict] = []
    for gate in (*gates, unit_tests_gate) if edit.surface in TESTED else gates:
        verdicts.append(gate(edit, known, knowledge))
        if not verdicts[-1].passed:
            break
    return verdicts


def _unless(gate: str, problem: str) -> GateVerdict:
    return _no(gate, problem) if problem else _yes(gate)


def _yes(gate: str) -> GateVerdict:
    return GateVerdict.model_validate({"gate": gate, "passed": True})


def _no(gate: str, reason: str) -> GateVerdict:
    return GateVerdict.model_validate({"gate": gate, "passed": False, "reason": reason})
