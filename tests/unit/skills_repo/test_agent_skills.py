"""Every skill in the Agent Skills form, by the rules of the form; the export is read as YAML by another library."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from skills_ref import validate

from flows.cli import main
from skills_repo.agent_skills import agent_skill, export_skills, problems, slug_of, when
from skills_repo.schema import SkillError
from tasks.harness import packaged

SKILLS = packaged().skills


@pytest.mark.parametrize("skill", SKILLS, ids=lambda s: s.skill_id)
def test_every_skill_keeps_the_rules_of_the_form(skill):
    text = agent_skill(skill.skill_id, skill.name, when(skill), skill.body)
    name = slug_of(skill.skill_id)
    assert problems(text, name) == []
    front = yaml.safe_load(text.split("---\n")[1])
    assert (front["name"], front["description"]) == (name, when(skill))
    assert all(isinstance(value, str) for value in front["metadata"].values())
    assert skill.body.strip() in text


@pytest.mark.parametrize(
    ("text", "folder", "said"),
    [
        ("name: x", "x", "no front matter"),
        ("---\nname: x\ndescription: a\n---\n", "y", "not that of its folder"),
        ("---\nname: x--y\ndescription: a\n---\n", "x--y", "single hyphens"),
        ("---\nname: X\ndescription: a\n---\n", "X", "a-z"),
        ("---\nname: x\n---\n", "x", "1 to 1024"),
        ("---\nname: x\ndescription: a: b\n---\n", "x", "colon"),
        ("---\nname: x\ndescription: a\nmodel: m\n---\n", "x", "unknown field model"),
        ("---\nname: x\ndescription: a\n---\n" + "l\n" * 501, "x", "500 lines"),
    ],
)
def test_what_breaks_a_rule_is_said(text, folder, said):
    assert any(said in problem for problem in problems(text, folder))


def test_two_skills_of_one_name_are_not_laid_over_each_other(tmp_path):
    twin = SKILLS[0].model_copy(update={"skill_id": f"other/{slug_of(SKILLS[0].skill_id)}"})
    with pytest.raises(SkillError, match="another family"):
        export_skills([SKILLS[0], twin], tmp_path)


def test_the_command_exports_all_of_them_and_the_public_validator_finds_no_fault(tmp_path, capsys):
    assert main(["skills", "export", "--to", str(tmp_path)]) == 0
    assert {p.parent.name for p in Path(tmp_path).glob("*/SKILL.md")} == {slug_of(s.skill_id) for s in SKILLS}
    assert {p.parent.name: validate(p.parent) for p in Path(tmp_path).glob("*/SKILL.md") if validate(p.parent)} == {}
    assert main(["skills", "export"]) == 2
    capsys.readouterr()
    assert main(["skills", "show", "key-term"]) == 2
    said = capsys.readouterr().err
    assert f"there are {len(SKILLS)}, the nearest are key-terms, " in said
    assert (len(said.split(",")), said.rstrip().endswith("; solon skills list names all")) == (4, True)
    assert main(["skills", "show"]) == 2
    assert "no name: is no skill" in capsys.readouterr().err
    assert main(["skills", "show", slug_of(SKILLS[0].skill_id)]) == 0
    assert capsys.readouterr().out.startswith("---\nname: ")
