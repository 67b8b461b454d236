"""A gate is registered in one place: what it can find, and everything that follows from the registry."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from tasks.harness import packaged
from tasks.reconcile.registry import CHECKS, KINDS


def built(project: Path) -> Iterator[tuple[str, str, set[str] | None]]:
    """Yield where each ``Finding`` and ``GateCheck`` of the stages is built: place, gate, kinds (None: has none)."""
    for path in sorted((project / "tasks").rglob("*.py")):
        name = path.relative_to(project).with_suffix("").as_posix().replace("/", ".")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"Finding", "GateCheck"}
            ):
                given = {k.arg: k.value for k in node.keywords if k.arg}
                if "gate" in given:  # other stages have records of the same name
                    gate = ast.literal_eval(given["gate"])
                    around = [f for f in functions if f.lineno <= node.lineno <= (f.end_lineno or 0)]
                    kinds = kinds_of(given["kind"], around, name) if "kind" in given else None
                    yield f"{name}:{node.lineno}", gate, kinds


def kinds_of(value: ast.expr, around: list[ast.FunctionDef], module: str) -> set[str]:
    """Return the kinds that an expression can have: its constants, or the Literal that its name is annotated with."""
    if isinstance(value, ast.Constant):
        return {value.value}
    if isinstance(value, ast.IfExp):
        return kinds_of(value.body, around, module) | kinds_of(value.orelse, around, module)
    assert isinstance(value, ast.Name), ast.unparse(value)
    annotations: list[ast.expr] = []
    for node in (n for function in around for n in ast.walk(function)):
        if isinstance(node, ast.arg) and node.arg == value.id and node.annotation:
            annotations.append(node.annotation)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == value.id:
            annotations.append(node.annotation)
    known: dict[str, Any] = vars(importlib.import_module(module))
    found = {kind for a in annotations for kind in get_args(eval(ast.unparse(a), known))}
    assert found, f"{module}: the kinds of {value.id} are not known"
    return found


@pytest.mark.slow
def test_every_finding_is_of_a_registered_gate_and_one_of_its_kinds(project: Path) -> None:
    places = list(built(project))
    for place, gate, kinds in places:
        assert gate in CHECKS, place
        assert kinds is None or kinds <= set(CHECKS[gate].kinds), place
    for gate, check in CHECKS.items():  # and none is declared that nothing gives
        assert set().union(*(kinds or () for _, g, kinds in places if g == gate)) == set(check.kinds), gate


def test_a_kind_that_two_gates_share_has_one_wording() -> None:
    for check in CHECKS.values():
        for kind, words in check.kinds.items():
            assert KINDS[kind] == words, (check.name, kind)


PLANTED = """
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from tasks import reconcile
from tasks.harness import packaged
from tasks.matter.records import Matter
from tasks.sources.records import MatterState
from tasks.reconcile.check import Check
from tasks.reconcile.records import Finding, GateCheck

# the module of a gate
found = Finding(gate="planted", kind="purple", text="x")
def run(job):
    return GateCheck(gate="planted", checked=1, findings=(found,))
reconcile.planted = ModuleType("tasks.reconcile.planted")
reconcile.planted.GATE = Check(name="planted", run=run, kinds={"purple": "is purple"})
sys.modules[reconcile.planted.__name__] = reconcile.planted

# its line
file = Path(find_spec("tasks.reconcile.registry").origin)
lines = file.read_text("utf-8").replace("import asks,", "import planted, asks,").replace(
    " asks.GATE,", " planted.GATE, asks.GATE,")
reconcile.registry = ModuleType("tasks.reconcile.registry")
sys.modules[reconcile.registry.__name__] = reconcile.registry
exec(compile(lines, str(file), "exec"), vars(reconcile.registry))

from flows.runs import stages
from tasks.release.gates import gate_results
from tasks.release.records import ReleaseReport
from tasks.release.report import render_report
from tasks.toolbox.findings import check_draft

print(stages.gates())
harness, gates = packaged(), packaged().gates
desk = SimpleNamespace(text=lambda name: SimpleNamespace(document=name), knows=harness)
matter = Matter(matter_id="m", title="t", area="", instructions="")
state = MatterState(matter_id="m", documents=(), coverage=())
room = SimpleNamespace(texts={}, matter=matter, state=state, pack=None, index=None)
results = gate_results(check_draft(desk, room, "memo.md", "planted"), gates)
print([g.gate for g in results])
print(render_report(ReleaseReport(
    matter_id="m", status="released_with_flags", gates=results, coverage=(), deliverables=())))
"""


@pytest.fixture(scope="module")
def said(project: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PLANTED], cwd=project, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        str(("planted", *CHECKS)),  # the stages run it, in that order
        str([*packaged().gates.in_order(("planted",))]),  # the release reports it, behind those of the file
        "is purple",  # in its own words
        "| planted | flagged | 1 |",  # a lawyer sees it though gates.toml says nothing of it yet
    ],
)
def test_what_is_registered_is_run_released_and_reported(said: str, words: str) -> None:
    assert words in said
