"""What a model that proposes edits is shown: the redacted input in words, and as many files as its context holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from skills_repo.learned_safety import MODULES
from skills_repo.schema import FAMILIES, PARTS
from skills_repo.template import PromptTemplate, load_templates
from tasks.learning.records import Edit, LearnerInput, Surface

_SLOTS: Final = {
    "proposer": ("surfaces", "limit", "parts", "families", "modules"),
    "proposer_step": ("signals", "reasons", "history", "classes", "files"),
    "proposer_repair": ("problem",),
    "proposer_rewrite": ("edit",),
    "agent": ("least", "limit", "pending", "tool"),
    "agent_task": ("counts", "surfaces"),
}
_LEAST_LINES: Final = 20  # of a file that is shown in part
_CHARACTERS: Final = 8  # of a token, at most: what is longer than that is not counted
_HISTORY: Final = 40  # last rationales that are told


@lru_cache(maxsize=1)
def prompts() -> Mapping[str, PromptTemplate]:
    """Return the prompts of a model that proposes. They are no part of the harness: no edit can reach them."""
    return load_templates(files("tasks.learning.proposers").joinpath("prompts"), _SLOTS)


def editable(given: LearnerInput, surfaces: Sequence[Surface]) -> dict[str, tuple[Surface, str]]:
    """Return surface and text of each file that may be edited, by path; the weakest skill first."""
    weight = {one.skill_id: 0 for one in given.signals}
    for one in given.signals:
        weight[one.skill_id] += one.failed
    skills = sorted(given.skills, key=lambda s: (-weight.get(s, 0), s))
    texts: dict[Surface, Mapping[str, str]] = {
        "skills": {f"skills/{s}/SKILL.md": given.skills[s] for s in skills},
        "agents": given.agents,
        "tools": given.tools,
        "knowledge": given.knowledge,
    }
    return {path: (surface, text) for surface in surfaces for path, text in texts[surface].items()}


def system(surfaces: Sequence[Surface], limit: int) -> str:
    """Return what such a model is told to do."""
    return prompts()["proposer"].filled(
        surfaces=", ".join(surfaces),
        limit=str(limit),
        parts=", ".join(f"## {n}. {part}" for n, part in enumerate(PARTS, 1)),
        families=", ".join(FAMILIES),
        modules=", ".join(sorted(MODULES)),
    )


def step(given: LearnerInput, surfaces: Sequence[Surface], size: Callable[[str], int], room: int) -> str:
    """Return what it is shown of a step.

    Args:
        given: The redacted input.
        surfaces: Surfaces whose files may be edited, in the order in which they are shown.
        size: Counts the tokens of a text.
        room: Tokens that there are for it.
    """
    shown, left = list[str](), room - size(_filled(given, ()))
    for path, (surface, text) in editable(given, surfaces).items():
        piece = _beginning(f"--- {path} (surface {surface})\n{text.rstrip()}", size, left)
        if piece:
            shown.append(piece)
            left -= size(piece)
    while shown and size(_filled(given, shown)) > room:  # the parts were counted one by one
        shown.pop()
    return _filled(given, shown)


def rewrite(edit: Edit) -> str:
    """Return the request to say an edit in general words."""
    told = {"surface": edit.surface, "path": edit.path, "before": edit.before, "after": edit.after}
    told |= {"rationale": edit.rationale, "tests": edit.tests}
    return prompts()["proposer_rewrite"].filled(edit=json.dumps(told, ensure_ascii=False, indent=1))


def _filled(given: LearnerInput, shown: Sequence[str]) -> str:
    return prompts()["proposer_step"].filled(
        signals="\n".join(_signals(given)) or "(none)",
        reasons="\n".join(f"- {r.value}: {words}" for r, words in given.sentences.items()) or "(none)",
        history="\n".join(f"- {line}" for line in given.history[-_HISTORY:]) or "(nothing)",
        classes="\n".join(f"- {name}" for name in given.classes) or "(none)",
        files="\n\n".join(shown) or "(none)",
    )


def _signals(given: LearnerInput) -> Iterator[str]:
    for n, one in enumerate(given.signals, 1):
        uses = ", ".join(f"{name} {much}" for name, much in one.tool_uses.items())
        reasons = ", ".join(f"{r.value} {n}" for r, n in one.reasons.items())
        line = f"{n}. {one.work_type or 'work'}; {one.skill_id}; {one.documents} documents; passed {one.passed}, "
        line += f"failed {one.failed}, unscored {one.unscored}; {uses or 'no tools'}; {reasons or 'no reasons'}"
        yield line + (f"; its last words: {one.final_message}" if one.final_message else "")


def _beginning(piece: str, size: Callable[[str], int], left: int) -> str:
    """Return a file, or as many of its lines as there is room for, by halves; nothing where that is too little."""
    lines = piece.splitlines()
    if len(piece) < _CHARACTERS * left and size(piece) <= left:
        return piece
    kept = len(lines) // 2
    while kept >= _LEAST_LINES:
        part = "\n".join([*lines[:kept], f"(… {len(lines) - kept} further lines are not shown)"])
        if len(part) < _CHARACTERS * left and size(part) <= left:
            return part
        kept //= 2
    return ""
