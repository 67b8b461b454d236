"""The settings of the agent: what they must hold, and how far they may go."""

from __future__ import annotations

from pathlib import Path

import pytest

import skills_repo
from skills_repo.agent_settings import load_agent, parse_agent
from skills_repo.schema import SkillError
from tasks.toolbox.names import tool_names

FOLDER = Path(str(skills_repo.__file__)).parent
TEXT = (FOLDER / "agent.toml").read_text(encoding="utf-8")


def test_the_shipped_settings_name_tools_that_there_are() -> None:
    settings = load_agent(FOLDER)
    ours = {"read", "write", "edit", "glob", "grep", "bash"}
    assert set(settings.few_tools) <= tool_names() | ours
    assert "build_deliverable" in settings.few_tools


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("share = 0.5 ", "share = 1.5 ", "share"),
        ("same_result = 4", "same_result = 1", "same_result"),
        ("same_result = 4", "", "same_result"),
        ("same_result = 4", "same_result = 4\nguess = 1", "guess"),
        ('parts = ["Output structure"]', 'parts = ["Answers"]', "no skill has a part 'Answers'"),
        ("few_tools = [", "few_tools = [] #", "few_tools"),
        ("share = 0.5 ", "share = ", "no TOML"),
    ],
)
def test_settings_out_of_bounds_are_refused(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(SkillError, match=message):
        parse_agent(TEXT.replace(old, new, 1))


def test_a_harness_without_them_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SkillError, match="is missing"):
        load_agent(tmp_path)
