"""Skills in the open Agent Skills form, in which agent programs look for them, and the rules of that form.

A skill of that form is a folder with a ``SKILL.md`` under YAML front matter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from skills_repo.matter_classes import whole_body
from skills_repo.schema import Skill, SkillError

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MOST_LINES = 500  # of a skill's body: the most that the Agent Skills form recommends
_NAME_LENGTH, _DESCRIPTION = 64, 1024  # characters that the same form allows
_FIELD = re.compile(r"([A-Za-z-]+):(?:[ ](.*))?")
_KNOWN = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})


def slug_of(skill_id: str) -> str:
    """Return the name of a skill, which is that of its folder, by its id (``<family>/<skill>``)."""
    return skill_id.rpartition("/")[2]


def agent_skill(skill_id: str, title: str, description: str, body: str) -> str:
    """Return the text of ``SKILL.md``. Values are quoted as JSON is, which YAML reads alike.

    Raises:
        SkillError: It would break a rule of the form.
    """
    name = slug_of(skill_id)
    metadata = {"title": title, "family": skill_id.rpartition("/")[0], "source": "solon"}
    lines = ["---", f"name: {name}", f"description: {_quoted(description)}", "metadata:"]
    lines += [f"  {key}: {_quoted(value)}" for key, value in metadata.items() if value]
    text = "\n".join([*lines, "---", "", body.strip(), ""])
    if found := problems(text, name):
        raise SkillError(f"{skill_id}: not in the Agent Skills form: {'; '.join(found)}")
    return text


def export_skills(skills: Iterable[Skill], folder: Path) -> tuple[Path, ...]:
    """Write each skill into a folder of its own, one level deep; returns the files.

    What is there under another name is left alone.

    Raises:
        SkillError: A skill breaks a rule of the form, or two of them bear one name.
    """
    texts: dict[str, str] = {}
    for skill in skills:
        name = slug_of(skill.skill_id)
        if name in texts:
            raise SkillError(f"{skill.skill_id}: another family has a skill of this name; the form has no families")
        texts[name] = agent_skill(skill.skill_id, skill.name, when(skill), whole_body(skill))
    written = []
    for name, text in texts.items():
        file = folder / name / "SKILL.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        written.append(file)
    return tuple(written)


def when(skill: Skill) -> str:
    """Return what a skill is for and when it is used: an agent chooses by these words alone."""
    cues = list(dict.fromkeys(cue.rstrip("*") for cue in (*skill.routes.title, *skill.routes.deliverables)))
    cues += [name.replace("-", " ").replace("/", ": ") for name in skill.classes]
    return f"{skill.description} Use it for: {', '.join(cues)}."[:1024] if cues else skill.description


def problems(text: str, folder: str) -> list[str]:
    """Return which rules of the form a ``SKILL.md`` in a folder of this name breaks; empty where it keeps them all."""
    match = re.fullmatch(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL)
    if match is None:
        return ["no front matter between two lines ---"]
    fields: dict[str, str] = {}
    for line in match[1].splitlines():
        if not line.startswith("  "):
            field = _FIELD.fullmatch(line)
            if field is None:
                return [f"a line of the front matter is no field: {line[:60]}"]
            fields[field[1]] = field[2] or ""
    found = [f"unknown field {name}" for name in sorted(fields.keys() - _KNOWN)]
    name, said = fields.get("name", ""), _unquoted(fields.get("description", ""))
    if not _NAME.fullmatch(name) or len(name) > _NAME_LENGTH:
        found.append("name has 1 to 64 of a-z, 0-9 and single hyphens")
    if name != folder:
        found.append("name is not that of its folder")
    if not 1 <= len(said) <= _DESCRIPTION:
        found.append("description has 1 to 1024 characters")
    if fields.get("description", "")[:1] != '"' and ": " in said:
        found.append("description holds a colon and is not quoted")
    if len(match[2].splitlines()) > _MOST_LINES:
        found.append(f"the body has more than {_MOST_LINES} lines")
    return found


def _quoted(words: str) -> str:
    return json.dumps(" ".join(words.split()), ensure_ascii=False)


def _unquoted(value: str) -> str:
    try:
        return str(json.loads(value)) if value[:1] == '"' else value.strip()
    except ValueError:
        return ""
