"""Learned tools and mechanisms at work: in a sandbox or not at all; what they change is attributed."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skills_repo.learned import parse_learned
from tasks.drafting.learned import calling, hooks
from tasks.drafting.learned.calling import call, failing_tests
from tasks.drafting.learned.hooks import Hooked, hooked
from tasks.drafting.mechanisms.records import Moment
from tasks.drafting.stage import draft
from tasks.drafting.workspace.sandboxes import find_sandbox, standings
from tasks.harness import find_harness, harness_version, packaged, parsed
from tasks.matter.failures import FailureCause, SolonError
from tasks.toolbox import Desk, ToolRegistry
from tasks.toolbox.registry import learned_tools
from tests.unit.drafting.cli_agents.matters import make_job
from tests.unit.drafting.learned_samples import (
    COUNT,
    HEADING,
    HEADING_TESTS,
    Unconfined,
    count,
    heading,
    no_sandbox,
)


class Builds:
    """A toolbox that keeps what it is asked to build."""

    def __init__(self) -> None:
        self.built: list[dict[str, Any]] = []

    def names(self) -> list[str]:
        return ["build_deliverable", "search"]

    def schema(self, name: str) -> dict[str, Any]:
        return {"title": name}

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        self.built.append(dict(arguments))
        return {"path": arguments.get("path", "")}


def test_json_in_json_out_and_nothing_else() -> None:
    sandbox = Unconfined()
    assert call(heading(), "Rent.", lambda: sandbox)["text"] == "# Work product\n\nRent."
    assert b"Rent." in sandbox.commands[0].stdin
    assert not sandbox.commands[0].forwards
    assert dict(sandbox.commands[0].environment) == {}


@pytest.mark.parametrize(
    ("body", "cause", "words"),
    [
        ("    return [text]", FailureCause.UNKNOWN, "no JSON object"),
        ("    return {'a': 1 / 0}", FailureCause.UNKNOWN, "ZeroDivisionError"),
        ("    return {'a': {1, 2}}", FailureCause.UNKNOWN, "failed in its sandbox"),
        ("    while True:\n        pass", FailureCause.TIMEOUT, "did not end"),
    ],
)
def test_what_a_learned_file_does_wrong_is_a_typed_failure(
    body: str, cause: FailureCause, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if cause is FailureCause.TIMEOUT:  # the others end by themselves, on a busy machine late
        monkeypatch.setattr(calling, "BOUNDS", calling.BOUNDS.model_copy(update={"seconds": 0.5}))
    with pytest.raises(SolonError, match=words) as raised:
        call(heading(source=f"def run(text):\n{body}\n"), "x", Unconfined)
    assert raised.value.failure.cause is cause


def test_without_a_sandbox_nothing_runs_and_the_remedy_is_said() -> None:
    with pytest.raises(SolonError, match="not to be had") as raised:
        call(heading(), "x", no_sandbox)
    assert raised.value.failure.cause is FailureCause.SANDBOX
    with pytest.raises(SolonError, match="not to be had"):
        Hooked(Builds(), [heading()], no_sandbox).call("build_deliverable", {"path": "a.docx", "markdown": "x"})


@pytest.mark.parametrize(
    ("tests", "problem"),
    [
        (HEADING_TESTS, ""),
        ("def test_one(run):\n    assert run('x')['text']\n", "fewer than two"),
        (HEADING_TESTS + "\ndef test_wrong(run):\n    assert run('x') == 1\n", "1 of 3 tests fail: test_wrong"),
        ("def test_a(run):\n    run('x')\n\ndef test_b(run):\n    pass\n", "pass with a function that gives nothing"),
        ("def test_a(run):\n    assert run\n\ndef test_b(run):\n    assert run != 1\n", "pass with a function"),
    ],
)
def test_tests_must_test(tests: str, problem: str) -> None:
    found = failing_tests(heading(), tests, Unconfined)
    assert problem in found if problem else found == ""


def test_a_mechanism_changes_what_is_built_and_is_named_for_it() -> None:
    toolbox = Builds()
    box = Hooked(toolbox, [heading()], Unconfined)
    result = box.call("build_deliverable", {"path": "/room/output/memo.docx", "markdown": "Rent."})
    assert toolbox.built == [{"path": "/room/output/memo.docx", "markdown": "# Work product\n\nRent."}]
    assert result["findings"] == ["The draft had no heading."]  # whoever wrote it can read them
    (firing,) = box.firings
    assert (firing.mechanism, firing.moment, firing.files) == ("learned_heading", Moment.BUILD, ("memo.docx",))
    box.call("build_deliverable", {"path": "memo.docx", "markdown": "# Memo"})
    box.call("search", {"markdown": "Rent."})
    assert len(box.firings) == 1  # nothing was changed, and nothing else is a deliverable
    assert toolbox.built[2] == {"markdown": "Rent."}


def test_a_mechanism_that_fails_changes_nothing_and_that_is_recorded() -> None:
    toolbox = Builds()
    box = Hooked(toolbox, [heading(source="def run(text):\n    return {'text': text[0:1] / 2}\n")], Unconfined)
    box.call("build_deliverable", {"path": "memo.docx", "markdown": "Rent."})
    assert toolbox.built[0]["markdown"] == "Rent."
    assert "left as it was" in box.firings[0].note


def test_it_acts_in_a_runtime_without_a_model_and_stands_in_its_work_product(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks, "call", lambda learned, text, find: call(learned, text, Unconfined))
    job = make_job(tmp_path, "extractive", {})
    again = 'def run(text):\n    return {"text": text + "\\n\\nLearned words.\\n"}\n'
    learned = replace(job.harness, learned=(heading(source=again),))
    product = draft(replace(job, harness=learned))
    assert [(f.mechanism, f.files) for f in product.firings] == [("learned_heading", ("memo.docx",))]
    from tasks.sources.texts import read_file

    assert "Learned words." in read_file(job.workspace / "output" / "memo.docx", "memo.docx").text
    assert hooked(job.toolbox, packaged().learned) is None


def test_a_learned_tool_is_offered_and_handed_the_text_of_a_document(tmp_path: Path) -> None:
    file = tmp_path / "lease.txt"
    file.write_text("The rent is due.\n\nThe RENT may rise.\n\nNothing else.")
    harness = replace(packaged(), learned=(count(), heading()))
    box = ToolRegistry(Desk(roots=(tmp_path,)), learned_tools(harness, Unconfined))
    assert box.names() == ["learned_count"]
    assert box.call("learned_count", {"document": "lease.txt", "word": "rent"}) == {"paragraphs": 2}
    schema = box.schema("learned_count")
    assert schema["description"].startswith("Count the paragraphs")
    assert sorted(schema["required"]) == ["document", "word"]
    with pytest.raises(SolonError, match="learned_count"):
        box.call("learned_count", {"document": "lease.txt", "words": "rent"})


def test_the_tools_of_an_attempt_are_those_of_its_harness(tmp_path: Path) -> None:
    job = make_job(tmp_path, "extractive", {})
    given = {"state": job.state, "texts": job.texts, "index": job.index, "pack": job.pack}
    given |= {"workspace": job.workspace, "cache": tmp_path}
    harness = replace(packaged(), learned=(count(),))
    with_it = ToolRegistry.for_matter(job.matter, **given, harness=harness)
    without = ToolRegistry.for_matter(job.matter, **given, harness=packaged())
    assert set(with_it.names()) - set(without.names()) == {"learned_count"}


def harness_with(tmp_path: Path, path: str, text: str) -> Any:
    root = tmp_path / "harness"
    packed = find_harness()
    shutil.copytree(packed.knowledge, root / "knowledge_db" / "data")
    shutil.copytree(packed.skills, root / "skills_repo", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (root / "skills_repo" / path).parent.mkdir()
    (root / "skills_repo" / path).write_text(text)
    return find_harness(root)


def test_the_version_of_a_harness_covers_them_and_unsafe_ones_are_refused(tmp_path: Path) -> None:
    found = harness_with(tmp_path, "mechanisms/heading.py", HEADING)
    assert [(one.called, one.moment) for one in parsed(found).learned] == [("learned_heading", "build")]
    file = found.skills / "mechanisms" / "heading.py"
    file.write_text(HEADING.replace("Work product", "Memorandum"))
    assert harness_version(found.knowledge, found.skills) != found.version
    file.write_text(HEADING.replace("import re", "import os"))
    with pytest.raises(SolonError, match=r"mechanisms/heading.py: line 3: imports 'os'"):
        parsed(find_harness(tmp_path / "harness"))


@pytest.mark.skipif(all(s.fault for s in standings()), reason="no sandbox works on this machine")
def test_a_real_sandbox_shows_it_nothing_of_this_machine(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    spy = "import os, socket\ndef run(path):\n"
    spy += "    found = {'there': os.path.exists(path), 'room': sum(len(f) for _, _, f in os.walk('/matter'))}\n"
    spy += "    try:\n        socket.create_connection(('127.0.0.1', 9), 1)\n        found['net'] = True\n"
    spy += "    except OSError as error:\n        found['net'] = type(error).__name__\n    return found\n"
    said = call(heading(source=spy), str(tmp_path / "secret"), find_sandbox)
    assert (said["there"], said["room"]) == (False, 0)
    assert said["net"] is not True


def test_a_tool_declares_what_it_takes() -> None:
    assert dict(parse_learned(COUNT, "tools/count.py").arguments) == {"document": "document", "word": "string"}
