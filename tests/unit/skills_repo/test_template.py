"""Prompts as files: slots, paragraphs that fall away, and foreign text that can be no slot."""

import pytest

from skills_repo.prompt_files import SLOTS, load_prompts
from skills_repo.schema import PACKAGED, SkillError
from skills_repo.template import PromptTemplate, load_templates

LETTER = 'Dear {name},\n\nYour draft:\n{draft?}\n\nGive {"a": [1]}, {name}.'


@pytest.mark.parametrize(
    ("values", "filled"),
    [
        (("Ann", "text"), 'Dear Ann,\n\nYour draft:\ntext\n\nGive {"a": [1]}, Ann.'),
        (("Ann", ""), 'Dear Ann,\n\nGive {"a": [1]}, Ann.'),
        (("", "x\n\ny"), 'Dear ,\n\nYour draft:\nx\n\ny\n\nGive {"a": [1]}, .'),
        (("{draft?}", "{name} {0} {{name}} \\1 \\g<0> %s"), None),
    ],
)
def test_slots_are_filled_in_one_pass(values, filled):
    name, draft = values
    said = PromptTemplate(LETTER).filled(name=name, draft=draft)
    assert said == (filled or f'Dear {name},\n\nYour draft:\n{draft}\n\nGive {{"a": [1]}}, {name}.')


@pytest.mark.parametrize("values", [{"name": "x"}, {"name": "x", "draft": "y", "more": "z"}])
def test_a_value_too_few_or_too_many_is_a_fault_of_ours(values):
    with pytest.raises(KeyError, match="slots and values differ"):
        PromptTemplate(LETTER).filled(**values)


def test_what_may_be_left_out_is_told():
    assert PromptTemplate(LETTER).may_fall() == "Your draft:\n{draft?}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" \n", "one.md: is missing or empty"),
        ("No slot.", "one.md: lacks the slot {name}"),
        ("{name} {nmae}", "one.md: holds {nmae}, which nothing fills; its slots are name"),
        ("{name} { name }", "one.md: holds { name }"),
        ("{name} {{name}}", "one.md: holds {{name}}"),
        ("{name} {Name}", "one.md: holds {Name}"),
        ("{name} {0}", "one.md: holds {0}"),
        ("{name} {name.x}", "one.md: holds {name.x}"),
        ("{name} {}", "one.md: holds {}"),
    ],
)
def test_a_prompt_that_the_code_cannot_fill_is_refused_by_name(tmp_path, text, said):
    (tmp_path / "one.md").write_text(text)
    with pytest.raises(SkillError) as refused:
        load_templates(tmp_path, {"one": ("name",)})
    assert said in str(refused.value)


def test_a_file_that_is_no_prompt_and_one_that_is_not_there_are_refused(tmp_path):
    with pytest.raises(SkillError, match=r"two\.md: is missing or empty"):
        load_templates(tmp_path / "none", {"two": ()})
    (tmp_path / "one.md").write_text("x")
    with pytest.raises(SkillError, match=r"one\.md: no role has this prompt; the roles are two"):
        load_templates(tmp_path, {"two": ()})


def test_every_packaged_prompt_holds_its_slots_and_speaks_of_no_tool_that_is_not_there():
    prompts = load_prompts(PACKAGED)
    for name, slots in SLOTS.items():
        assert getattr(prompts, name).slots() == set(slots)
    assert "must be used" not in prompts.api.text
    assert prompts.api.text.count("tools") == 1  # "You have no tools in this run"
