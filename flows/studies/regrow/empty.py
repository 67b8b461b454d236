"""The empty harness: what is left when everything that could have been learned is taken out.

One skill (the one that the router falls back to), no catalogue of provisions, no rules of inference, prompts of one
line, release gates that note and stop nothing. What no edit of a learner may write stays: law, calendars, defaults and
bounds, and in prompts the slots and the lines that guard.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from skills_repo.release_gates import FILE as GATES_FILE
from skills_repo.router import FALLBACK
from skills_repo.template import SLOT
from tasks.harness import HarnessRef, find_harness, validated
from tasks.learning.harness_gates import EDITABLE_ROLES, GUARDS
from tasks.matter.failures import Failure, FailureCause, SolonError

FAMILIES: Final = ("provisions", "inference")
_SEVERITY: Final = re.compile(r'^(\w+ = )"(?:flag|block)"', re.MULTILINE)
# Kinds of finding that always block: the schema of the gates lets no file say otherwise.
_ALWAYS: Final = ("fabricated", "missing_deliverable", "unreadable_deliverable", "prompt_text")
_IGNORED: Final = shutil.ignore_patterns("*.py", "*.pyc", "__pycache__")


def empty_harness(shipped: HarnessRef, to: Path) -> HarnessRef:
    """Write the empty harness to a new folder.

    Args:
        shipped: The harness that is emptied.
        to: The folder, which must not be there.

    Raises:
        SolonError: The folder is there (``input``).
    """
    if to.exists():
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="study",
                subject=to.name,
                message="is there already",
                remedy="name a new folder with --to DIR",
            )
        )
    knowledge, skills = to / "knowledge_db" / "data", to / "skills_repo"
    shutil.copytree(shipped.knowledge, knowledge, ignore=_IGNORED)
    shutil.copytree(shipped.skills, skills, ignore=_IGNORED)
    for family in FAMILIES:
        shutil.rmtree(knowledge / family)
    for skill in list((skills / "skills").glob("*/*")):
        if "/".join(skill.parts[-2:]) != FALLBACK:
            shutil.rmtree(skill)
    for prompt in (skills / "prompts").glob("*.md"):
        prompt.write_text(one_line(prompt.read_text("utf-8"), prompt.stem in EDITABLE_ROLES), "utf-8")
    gates = skills / GATES_FILE
    gates.write_text(noting(gates.read_text("utf-8")), "utf-8")
    return validated(find_harness(to))


def one_line(text: str, learned: bool) -> str:
    """Return the first line of a prompt, with its slots; where it can be learned, with the lines that guard too.

    An edit can neither add nor take away a slot, nor a guarding line, so these are no part of what is learned.
    """
    first, *rest = [line for line in text.splitlines() if line.strip()]
    if learned:
        return "\n\n".join([first, *(line for line in rest if SLOT.search(line) or GUARDS.search(line))]) + "\n"
    said = set(SLOT.findall(first))
    slots = [slot for slot in dict.fromkeys(SLOT.findall(text)) if slot not in said]
    return "\n\n".join([first, *slots]) + "\n"


def noting(text: str) -> str:
    """Return the settings of the gates with every kind of finding that may be a note turned into one."""
    return _SEVERITY.sub(lambda found: found[0] if found[1].split()[0] in _ALWAYS else f'{found[1]}"note"', text)
