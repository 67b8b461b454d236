"""What the gates ask of a tool or mechanism that a learner wrote: one new small file, safe code, tests that test it."""

from __future__ import annotations

import re
from typing import Final

from skills_repo import learned_safety as static
from skills_repo.learned import parse_code, parse_learned
from skills_repo.schema import SkillError
from tasks.drafting.learned.calling import FindSandbox, failing_tests
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.learning.harness_gates import words_problem
from tasks.learning.ledger import UNTRIED
from tasks.learning.records import Edit
from tasks.matter.failures import FailureCause, SolonError

_PATH: Final = re.compile(r"(?:tools|mechanisms)/[a-z][a-z0-9_]{2,40}\.py")


def scope_problem(edit: Edit) -> str:
    """Say why an edit is not one new file of a tool or a mechanism, with its tests."""
    if not _PATH.fullmatch(edit.path):
        return f"{edit.path!r} is not tools/NAME.py or mechanisms/NAME.py"
    if edit.before:
        return "a tool in force is not changed: write another beside it"
    return "" if edit.tests.strip() else "a tool comes with its tests"


def form_problem(edit: Edit) -> str:
    """Say why the file or its tests have another form than learned code has, or words that no harness may have."""
    try:
        learned = parse_learned(edit.after, edit.path)
        parse_code(edit.tests, "the tests")
    except SkillError as error:
        return str(error)
    return words_problem(learned.description, edit.after)


def safety_problem(edit: Edit) -> str:
    """Say which rule of safe code the file or its tests break."""
    if problem := static.safety_problem(edit.after):
        return problem
    return f"the tests: {problem}" if (problem := static.safety_problem(edit.tests)) else ""


def untested(edit: Edit, find: FindSandbox = find_sandbox) -> str:
    """Run the tests of a tool in a sandbox, and nowhere else; say why it does not pass them."""
    learned = parse_learned(edit.after, edit.path)
    try:
        return failing_tests(learned, edit.tests, find)
    except SolonError as error:
        if error.failure.cause is FailureCause.SANDBOX:
            return f"{UNTRIED}{error.failure.line()}"
        return error.failure.message
