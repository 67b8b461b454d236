"""Learned tools and mechanisms for tests, and a sandbox that confines nothing for code that a test wrote itself."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from skills_repo.learned import Learned, parse_learned
from tasks.drafting.workspace.records import Bounds, Command, Ended, Ran, Room
from tasks.drafting.workspace.running import sandbox_failure

HEADING = '''"""Puts a heading before a text that has none."""

import re

MOMENT = "build"


def run(text):
    if re.match(r"#", text):
        return {"text": text}
    return {"text": "# Work product\\n\\n" + text, "findings": ["The draft had no heading."]}
'''
HEADING_TESTS = """
def test_a_heading_is_added(run):
    assert run("Rent is due.")["text"].startswith("# Work product")


def test_a_heading_stays(run):
    assert run("# Memo")["text"] == "# Memo"
"""
COUNT = '''"""Count the paragraphs of a document that hold a word.

Use it to see whether a topic is treated once or often.
"""

ARGUMENTS = {"document": "document", "word": "string"}


def run(given):
    parts = given["document"].split("\\n\\n")
    return {"paragraphs": sum(given["word"].lower() in part.lower() for part in parts)}
'''
COUNT_TESTS = """
def test_counts(run):
    assert run({"document": "one word\\n\\ntwo\\n\\nWord", "word": "word"}) == {"paragraphs": 2}


def test_counts_nothing(run):
    assert run({"document": "", "word": "word"}) == {"paragraphs": 0}
"""


def heading(**changes: Any) -> Learned:
    return replace(parse_learned(HEADING, "mechanisms/heading.py"), **changes)


def count() -> Learned:
    return parse_learned(COUNT, "tools/count.py")


@dataclass
class Unconfined:
    """Runs what it is given as a plain process."""

    name: str = "unconfined"
    commands: list[Command] = field(default_factory=list)

    def run(self, command: Command, room: Room, bounds: Bounds) -> Ran:
        self.commands.append(command)
        (file,) = command.shown.values()
        words = [sys.executable, "-I", "-S", "-B", str(Path(file))]
        try:
            came = subprocess.run(words, input=command.stdin, capture_output=True, timeout=bounds.seconds, check=False)
        except subprocess.TimeoutExpired:
            return Ran(ended=Ended.TIME, exit_code=None, stdout="", stderr="", seconds=bounds.seconds)
        out, err = came.stdout.decode(), came.stderr.decode()
        return Ran(ended=Ended.EXITED, exit_code=came.returncode, stdout=out, stderr=err, seconds=0.1)

    def start(self, *_: Any) -> Any:
        raise AssertionError("a learned file is run, not started")


def no_sandbox() -> Unconfined:
    raise sandbox_failure("any", "is not to be had here", "Install bubblewrap.")
