"""What CONTRIBUTING promises: the file itself and one line of a registry, and everything else follows."""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from flows.cli import build_parser
from flows.cli.common import settable
from flows.compute.planes import PlaneName, open_compute
from flows.compute.protocol import JUDGE_ONLY, Resources
from flows.learn import learn_corpus
from flows.settings import OPTIONS, Settings, load_settings
from tasks.drafting import runtimes
from tasks.drafting.agent.tools.files import BUILT
from tasks.drafting.mechanisms.outputs import PROSE
from tasks.drafting.stage import runtime, runtime_names
from tasks.matter.failures import SolonError
from tasks.reconcile.registry import CHECKS
from tasks.release.build.deliverable import BUILDERS
from tasks.sources.readers import FORMATS
from tasks.toolbox.registry import ToolRegistry, discover
from tasks.tracing.names import trace_names

PLANTED = """
import sys
from types import ModuleType, SimpleNamespace
from pathlib import Path

made = ModuleType("planted")
sys.modules["planted"] = made

# a compute plane: its module, its name and the lines that open it
from importlib.util import find_spec
from flows import compute
class Plane:
    name = "planted"
    def __init__(self, workers):
        self.slots = workers
made.Plane = Plane
opens = Path(find_spec("flows.compute.planes").origin)
lines = opens.read_text("utf-8").replace('"dask"]', '"dask", "planted"]').replace(
    "    assert_never(kind)",
    "    if kind == 'planted':\\n        return __import__('planted').Plane(workers)\\n    assert_never(kind)")
compute.planes = ModuleType("flows.compute.planes")
sys.modules[compute.planes.__name__] = compute.planes
exec(compile(lines, str(opens), "exec"), vars(compute.planes))

# a tool
from tasks.toolbox import tools
shelf = Path(sys.argv[1]) / "tools"
shelf.mkdir()
(shelf / "planted_tool.py").write_text('''
from typing import Any
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool
def planted_tool(desk: Desk, document: str) -> dict[str, Any]:
    'Count the letters.\\\\n\\\\nArgs:\\\\n    desk: What the caller may see.\\\\n    document: Its name.'
    return {"letters": len(desk.text(document).text.strip())}
TOOL = Tool(planted_tool, stage="intake", example="lease.txt --json")
''')
tools.__path__.append(str(shelf))

# a reader, as its module and its line
from tasks.sources import readers
from tasks.sources.builder import TextBuilder

def read(source):
    out = TextBuilder()
    out.block("planted: " + source.data.decode())
    return out.build()

made.read, made.__file__ = read, readers.__file__
readers.FORMATS = {**readers.FORMATS, "rst": readers.Format("planted", (".rst",), text=True)}
readers.extractor_of.__globals__["code_version"] = lambda module: "1"

# a deliverable format
from tasks.release.build import deliverable
deliverable.BUILDERS = {**deliverable.BUILDERS, ".rst": lambda markdown, tables: markdown.encode()}

# a runtime
from tasks.drafting import stage
drawer = Path(sys.argv[1]) / "drawer"
drawer.mkdir()
(drawer / "planted_one.py").write_text('''
class Planted:
    name = "planted-one"
    model = calls_tools = False
    def draft(self, job):
        return "planted"
RUNTIME = Planted()
''')
stage.runtimes.__path__.append(str(drawer))

# a proposer
from tasks.learning.proposers import proposer, registry as proposers
class Proposes:
    name = "planted"
    def __init__(self, means):
        self.means = means
    def propose(self, given, limit):
        return []
proposers.PROPOSERS = {**proposers.PROPOSERS, "planted": Proposes}

# a prompt: its file, and its field
from shutil import copytree
from types import ModuleType as Module
import skills_repo
shipped = Path(skills_repo.__file__).parent
copied = copytree(shipped / "prompts", Path(sys.argv[1]) / "skills" / "prompts").parent
(copied / "prompts" / "planted.md").write_text("Weigh {brief} well.")
before = "    research: PromptTemplate ="
line = '    planted: PromptTemplate = field(metadata=_slots("brief"))'
lines = (shipped / "prompt_files.py").read_text("utf-8").replace(before, line + chr(10) + before)
prompt_files = Module("skills_repo.prompt_files")
sys.modules[prompt_files.__name__] = skills_repo.prompt_files = prompt_files
exec(compile(lines, "prompt_files.py", "exec"), vars(prompt_files))

from flows.runs.cells import detail_of, resolve_cell
from flows.settings import load_settings
from tasks.learning import redaction
from tasks.sources.extract import extract
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry

folder = Path(sys.argv[1])
desk = Desk(roots=(folder,), workspace=folder)
said = ToolRegistry(desk).call("build_deliverable", {"path": "memo.rst", "markdown": "The rent is due."})
print("told to agents:", " .rst. Dates" in ToolRegistry().schema("build_deliverable")["description"])
print("written and read:", extract(Path(said["path"]).read_bytes(), "memo.rst").text.strip(), said["problems"])
(folder / "lease.txt").write_text("The rent is due.")
print("tool:", ToolRegistry(desk).call("planted_tool", {"document": "lease.txt"}))
from flows.cli import build_parser
told = build_parser().parse_args(["run", "examples", "--compute", "planted"]).compute
planted_plane = load_settings({"home": folder / "home", "compute": told}, cwd=folder, env={}).compute
print("plane:", type(compute.planes.open_compute(planted_plane, workers=3)).__name__)
print("redacted:", redaction.redact("See lease.rst for more.", ()))
cell = resolve_cell("planted-one", load_settings({"home": folder / "home"}, cwd=folder, env={}))
print("runtime:", stage.runtime(cell.runtime).draft(None), detail_of("auto", [cell]))

from dataclasses import replace
from flows.bench.liveness import prompts
from tasks.harness import packaged
planted = replace(packaged(), prompts=prompt_files.load_prompts(copied))
def dead():
    return [leaf.name for leaf in prompts.prompts(planted) if not leaf.alive]
print("nobody sends:", dead())
prompts._SENDERS = (*prompts._SENDERS, lambda harness: harness.prompts.planted.filled(brief="it"))
print("somebody sends it:", dead(), planted.prompts.planted.filled(brief="the brief"))
print("proposer:", proposers.proposer_of("planted", proposer.Means(("skills",), folder)).means.surfaces)
"""


@pytest.fixture(scope="module")
def said(project: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a process says into which one of each was planted."""
    done = subprocess.run(
        [sys.executable, "-c", PLANTED, str(tmp_path_factory.mktemp("planted"))],
        cwd=project, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "written and read: planted: The rent is due. []",  # by the tool, then by the reader of its suffix
        "told to agents: True",  # the tool that builds it names its format
        "redacted: See [file] for more.",  # the learner knows the suffix for that of a file
        "runtime: planted matter",  # needs no profile, as its line says, and is recorded by the matter
        "nobody sends: ['planted: Weigh {brief} well.']",  # dead by its name, until a stage sends it
        "somebody sends it: [] Weigh the brief well.",
        "proposer: ('skills',)",
        "tool: {'letters': 16}",
        "plane: Plane",  # the flag and the setting take its name
    ],
)
def test_a_file_and_its_line_in_the_registry_are_enough(said: str, words: str) -> None:
    assert words in said


def test_the_learner_takes_the_proposer_of_the_settings(tmp_path: Path) -> None:
    settings = load_settings({"home": tmp_path, "proposer": "nobody"}, cwd=tmp_path, env={})
    with pytest.raises(SolonError, match="is no proposer"):
        learn_corpus(tmp_path, settings)


def planes(project: Path) -> set[str]:
    """Return the names of the classes of ``flows/compute`` that take bodies and can be closed."""
    found = set()
    for path in (project / "flows/compute").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and {"submit", "close", "preflight"} <= {
                item.name for item in node.body if isinstance(item, ast.FunctionDef)
            }:
                named = [n for n in node.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "name"]
                found |= {ast.literal_eval(n.value) for n in named}
    return found


def test_every_plane_can_be_chosen_by_setting_and_flag(project: Path) -> None:
    assert planes(project) == set(get_args(PlaneName)) == set(get_args(Settings.model_fields["compute"].annotation))
    for name in get_args(PlaneName):
        assert build_parser().parse_args(["run", "examples", "--compute", name]).compute == name


# of ray tests/flow/test_ray.py shows the same
@pytest.mark.parametrize(
    "name", [n if n != "ray" else pytest.param(n, marks=pytest.mark.thorough) for n in get_args(PlaneName)]
)
def test_every_plane_keeps_judges_and_solvers_apart(name: PlaneName, monkeypatch: pytest.MonkeyPatch) -> None:
    for secret in JUDGE_ONLY:
        monkeypatch.setenv(secret, "/where/rubrics/lie")
    plane = open_compute(name, workers=2)
    try:
        roles = [Resources(stage="draft"), Resources(stage="judge", role="judge", cpus=0.5)]
        solvers, judges = ({plane.submit(os.getpid, resources=one).result() for _ in range(3)} for one in roles)
        assert not solvers & judges, "a body of a judge ran in a process of solvers"
        assert os.getpid() not in solvers | judges, "a body ran in the process that submits it"
        told = {secret: plane.submit(os.getenv, secret, resources=roles[0]).result() for secret in JUDGE_ONLY}
        assert not any(told.values()), "a solver was given a variable of judges alone"
    finally:
        plane.close()


def test_every_setting_can_be_given_by_a_flag_of_its_name() -> None:
    parser = argparse.ArgumentParser()
    settable(parser, *OPTIONS)
    for name in OPTIONS:
        assert f"--{name.replace('_', '-')}" in parser.format_help()


def test_every_tool_has_its_kind_of_action() -> None:
    without = {name for name in discover() if trace_names().tools.bucket(name) == "other"}
    assert without == set(), "name these tools below [tools] of tasks/tracing/names.toml"


@pytest.mark.parametrize("name", runtime_names())
def test_every_runtime_is_what_its_protocol_says(name: str) -> None:
    made = runtime(name)
    assert made.name == name, "a runtime bears the name of its file"
    assert {type(made.model), type(getattr(made, "calls_tools", None))} == {bool}, "say `model` and `calls_tools`"


def test_a_module_of_runtimes_without_one_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hollow_one.py").write_text("", "utf-8")
    monkeypatch.setattr(runtimes, "__path__", [*runtimes.__path__, str(tmp_path)])
    with pytest.raises(SolonError, match="holds no RUNTIME"):
        runtime("hollow-one")


def test_what_is_built_of_prose_is_known_to_the_mechanisms() -> None:
    """A text that was left under another name is built again; of prose nobody can make a workbook."""
    no_text = {suffix for form in FORMATS.values() if not form.text for suffix in form.suffixes}
    assert BUILDERS.keys() & no_text - {".xlsx"} == PROSE, "add it to PROSE of tasks/drafting/mechanisms/outputs.py"
    assert no_text <= BUILT  # agents are told to build it, and never write it as text


@pytest.mark.parametrize("suffix", BUILDERS)
def test_every_format_that_can_be_written_can_be_read(suffix: str) -> None:
    assert suffix in {s for form in FORMATS.values() for s in form.suffixes}, "it is read again before it is released"


def test_the_audit_names_every_gate() -> None:
    assert f": {', '.join(CHECKS)}." in ToolRegistry().schema("audit_all")["description"]


def test_what_the_guide_names_in_a_file_stands_there(project: Path) -> None:
    guide = " ".join((project / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    said = re.findall(r"((?:`\w+`(?:, | and (?:in )?)?)+) (?:of|in) `([\w/]+\.py)`", guide)
    assert len(said) > 20
    for names, path in said:
        text = (project / path).read_text(encoding="utf-8")
        assert [name for name in re.findall(r"`(\w+)`", names) if not re.search(rf"\b{name}\b", text)] == [], path
    for path, word in re.findall(r"pytest ([\w/]+\.py) -k (\w+)`", guide):
        assert word in (project / path).read_text(encoding="utf-8"), path
    assert "python -m tests." not in guide  # another package of the environment may be called so


def test_the_tool_names_every_format_that_can_be_written() -> None:
    described = ToolRegistry().schema("build_deliverable")["description"]
    assert re.findall(r"(?<= )\.[a-z]+\b", described.partition("Formats:")[2].partition(". ")[0]) == [*BUILDERS]
