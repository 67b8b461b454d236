"""A prompt as a file: words with named slots that are filled in one pass.

``{name}`` is a slot that is always filled. ``{name?}`` may be filled with nothing: the paragraph it stands in is then
left out. Other braces are text. What fills a slot is never read for slots, so a document may contain ``{files}``
literally.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Final

from skills_repo.schema import SkillError

# Whatever looks like a slot must be one: a misspelled one would reach the model as it stands.
SLOT: Final = re.compile(r"\{\{?\s*[\w.]*\??\s*\}?\}")
_GOOD: Final = re.compile(r"\{([a-z_]+)(\??)\}")
_BETWEEN: Final = re.compile(r"\n(?:[ \t]*\n)+")


@dataclass(frozen=True)
class PromptTemplate:
    """The words of a prompt.

    Attributes:
        text: The file, without white space around it.
    """

    text: str

    def slots(self) -> frozenset[str]:
        """Return the names of the slots."""
        return frozenset(name for name, _ in _GOOD.findall(self.text))

    def may_fall(self) -> str:
        """Return the paragraphs that are left out where an optional slot is filled with nothing."""
        return "\n\n".join(p for p in _BETWEEN.split(self.text) if any(may for _, may in _GOOD.findall(p)))

    def filled(self, **values: str) -> str:
        """Return the prompt with its slots filled, without the paragraphs whose optional slots are filled with nothing.

        Raises:
            KeyError: A slot is given no value, or a value has no slot.
        """
        if odd := self.slots() ^ set(values):
            raise KeyError(f"slots and values differ: {', '.join(sorted(odd))}")
        kept = [p for p in _BETWEEN.split(self.text) if all(values[name] or not may for name, may in _GOOD.findall(p))]
        return _GOOD.sub(lambda slot: values[slot[1]], "\n\n".join(kept))


def load_templates(folder: Traversable, slots: Mapping[str, Collection[str]]) -> dict[str, PromptTemplate]:
    """Return the prompts of ``folder/*.md``.

    Args:
        folder: A folder of Markdown files.
        slots: For each prompt that must be there, the slots that it must hold.

    Raises:
        SkillError: A file is missing, empty or unknown, lacks a slot, or has a slot that nothing fills.
    """
    files = (
        {f.name.removesuffix(".md"): f for f in folder.iterdir() if f.name.endswith(".md")} if folder.is_dir() else {}
    )
    if unknown := sorted(set(files) - set(slots)):
        known = ", ".join(sorted(slots))
        raise SkillError(f"prompts/{unknown[0]}.md: no role has this prompt; the roles are {known}")
    found = {name: PromptTemplate(file.read_text(encoding="utf-8").strip()) for name, file in files.items()}
    for name, wanted in slots.items():
        if name not in found or not found[name].text:
            raise SkillError(f"prompts/{name}.md: is missing or empty")
        if problem := _problem(found[name], frozenset(wanted)):
            raise SkillError(f"prompts/{name}.md: {problem}")
    return found


def _problem(template: PromptTemplate, wanted: frozenset[str]) -> str:
    strange = [s for s in SLOT.findall(template.text) if not _GOOD.fullmatch(s) or _GOOD.findall(s)[0][0] not in wanted]
    if strange:
        return f"holds {strange[0]}, which nothing fills; its slots are {', '.join(sorted(wanted)) or 'none'}"
    lacking = sorted(wanted - template.slots())
    return f"lacks the slot {{{lacking[0]}}}" if lacking else ""
