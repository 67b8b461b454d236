"""What the gates ask of an edit of skills, prompts and gate settings: plain text of its form, and nothing loosened.

An edit may make the harness say more and ask more. It may not take away a rule that keeps documents, rubrics and
invented law out of a work product, nor a check.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection
from typing import Final

from skills_repo.release_gates import FILE as GATES_FILE
from skills_repo.release_gates import loosened, parse_gates
from skills_repo.schema import SkillError, parse_skill, parts_of
from skills_repo.template import SLOT, PromptTemplate
from tasks.learning.records import Edit

MAX_ADDED: Final = 8_000  # characters by which a file may grow: the longest kind of clause that is shipped has 7,000
MAX_LINE: Final = 2_000  # characters: what a person can read in a diff; a longer one that stood there may stay
MAX_TEXT: Final = 400_000  # characters of a file; the largest that we ship is below it
MAX_RATIONALE: Final = 600  # characters: a few sentences, which a person reads beside the diff
PROMPT_LENGTH: Final = (200, 6_000)  # characters: below, no prompt says how to work; above, every request pays for it
# Prompts that say how to work. The others are short requests, bound to what the code reads out of the reply.
EDITABLE_ROLES: Final = ("api", "reviser")
_PLACEHOLDER: Final = re.compile(SLOT.pattern + r"|\$\{?[A-Za-z_]\w*\}?|%\(\w+\)s|<\|?[\w/-]+\|?>")
# Lines that guard, and the form of the reply: what they say is kept word for word, and no new line speaks of it.
GUARDS: Final = re.compile(
    r"^=== |^\[\{"
    r"|\b(?:fenced?s?|fences|instructions?|evidence|workspace|invent|answer keys?|other matters|attorney review"
    r"|rules that|source span|ground(?:ed)?|not verified|never|audit)\b",
    re.IGNORECASE | re.MULTILINE,
)
_OVERRIDE: Final = re.compile(
    r"\b(?:ignor|disregard|overrid|bypass|circumvent|supersed|forget)\w*|\b(?:instead of|contrary to|regardless of)\b"
    r"|\b(?:do not|don't|need not|no need to|skip|without) (?:\w+ ){0,3}"
    r"(?:check|verif|audit|cit(?:e|ation)|flag|read|fence|quot)\w*",
    re.IGNORECASE,
)
_RUBRIC: Final = re.compile(
    r"\b(?:rubrics?|criteri(?:on|a)|match_criteria|answer keys?|grad(?:er|ers|ing)|judges? (?:will|want|look|scor)\w*"
    r"|scor(?:e|er|es|ing)|benchmarks?|pass rate|held-?out|holdout|reward)\b|\bPASS\b",
)
_LAW: Final = re.compile(r'^"([^"\n]+)" = (".*)$', re.MULTILINE)  # a line of the table of law of a class skill
_LEAST_PART: Final = 10  # characters of a part of a skill that says something


def text_problem(edit: Edit) -> str:
    """Say why the new text or the rationale is no plain text of reasonable size."""
    for what, text in (("the text", edit.after), ("the rationale", edit.rationale)):
        strange = next((c for c in text if _strange(c)), "")
        if strange:
            return f"{what} holds the character U+{ord(strange):04X}, which is no plain text"
    if len(edit.rationale) > MAX_RATIONALE:
        return f"the rationale has {len(edit.rationale)} characters; at most {MAX_RATIONALE} may be"
    if len(edit.after) > MAX_TEXT or len(edit.after) > len(edit.before) + MAX_ADDED:
        return f"the file grows by more than {MAX_ADDED} characters, or beyond {MAX_TEXT}"
    known = set(edit.before.splitlines())
    if any(len(line) > MAX_LINE and line not in known for line in edit.after.splitlines()):
        return f"a new line is longer than {MAX_LINE} characters"
    return ""


def _strange(char: str) -> bool:
    """Whether a character is invisible, turns the direction of the text, or cannot be written as UTF-8."""
    return char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def form_problem(edit: Edit) -> str:
    """Say why a skill, a prompt or the gate settings do not keep their form, or lose what an edit may not take away."""
    try:
        if edit.surface == "skills":
            return _skill_problem(edit)
        if edit.path == GATES_FILE:
            before, after = parse_gates(edit.before), parse_gates(edit.after)
            return loosened(before, after)
        return _prompt_problem(edit)
    except SkillError as error:
        return str(error)


def _skill_problem(edit: Edit) -> str:
    skill_id = "/".join(edit.path.split("/")[1:3])
    after = parse_skill(edit.after, skill_id)
    short = next((name for name, text in parts_of(after.body).items() if len(text) < _LEAST_PART), "")
    if short:
        return f"{skill_id}: the part {short!r} says nothing"
    if not edit.before:
        return ""
    before = parse_skill(edit.before, skill_id)
    if before.name != after.name:
        return f"{skill_id}: changes what the skill is called"
    if freed := sorted(set(before.mandatory_tools) - set(after.mandatory_tools)):
        return f"{skill_id}: no longer demands the tool {freed[0]}"
    last = list(parts_of(before.body))[-1]
    lost = _lost(parts_of(before.body)[last], parts_of(after.body)[last])
    return f"{skill_id}: takes away of the {last.lower()}: {lost[:60]!r}" if lost else ""


def law_problem(edit: Edit, held: Collection[str]) -> str:
    """Say which law a skill names that the knowledge does not hold: it would be cited and could not be checked."""
    if edit.surface != "skills":
        return ""
    skill_id = "/".join(edit.path.split("/")[1:3])
    missing = sorted(parse_skill(edit.after, skill_id).law.keys() - set(held))
    return f"{skill_id}: names law that the knowledge does not hold: {missing[0]!r}" if missing else ""


def without_law(added: str, held: Collection[str]) -> str:
    """Return added text without the citations of law that the knowledge holds: these are of no one matter."""
    return _LAW.sub(lambda line: line[2] if line[1] in held else line[0], added)


def _prompt_problem(edit: Edit) -> str:
    role = edit.path.removeprefix("prompts/").removesuffix(".md")
    if role not in EDITABLE_ROLES or not edit.before:
        return f"the prompt of the role {role!r} is not for the learner to write"
    least, most = PROMPT_LENGTH
    if not least <= len(edit.after.strip()) <= most:
        return f"the prompt has {len(edit.after.strip())} characters; from {least} to {most} may be"
    if Counter(_PLACEHOLDER.findall(edit.before)) != Counter(_PLACEHOLDER.findall(edit.after)):
        return "adds or takes away a placeholder or a tag"
    guarding = "\n".join(line for line in edit.before.splitlines() if GUARDS.search(line))
    if lost := _lost(guarding, edit.after):
        return f"takes away or changes a line that guards: {lost[:60]!r}"
    firm = set(edit.before.splitlines()) - set(PromptTemplate(edit.before).may_fall().splitlines())
    if loose := [line for line in PromptTemplate(edit.after).may_fall().splitlines() if line and line in firm]:
        return f"moves a line into a paragraph that may be left out: {loose[0][:60]!r}"
    new = "\n".join((Counter(edit.after.splitlines()) - Counter(edit.before.splitlines())).elements())
    for pattern, what in (
        (_RUBRIC, "speaks of how the work is scored"),
        (_OVERRIDE, "tells the model to pass over something"),
        (GUARDS, "speaks of what only the guarding lines speak of"),
    ):
        if hit := pattern.search(new):
            return f"{what}: {hit.group()!r}"
    return ""


def words_problem(told: str, code: str) -> str:
    """Say what a learned tool may not say: to an agent, to pass over something; anywhere, how the work is scored.

    Args:
        told: What an agent reads of it.
        code: The whole of it.
    """
    if hit := _OVERRIDE.search(told):
        return f"tells the agent to pass over something: {hit.group()!r}"
    hit = _RUBRIC.search(code)
    return f"speaks of how the work is scored: {hit.group()!r}" if hit else ""


def _lost(before: str, after: str) -> str:
    """Return the first line of a text that another does not hold in the same order; empty where all are there."""
    rest = iter(line.strip() for line in after.splitlines())
    return next((line for line in map(str.strip, before.splitlines()) if line and line not in rest), "")
