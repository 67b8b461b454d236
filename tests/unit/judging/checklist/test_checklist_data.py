"""The checklists that are shipped, and those that a matter brings."""

import tomllib
from importlib.resources import files

import pytest

from tasks.judging.checklist import definition
from tasks.judging.checklist.definition import aspects, checklist_version, rules
from tasks.legaltext.checklists.definition import checklist_names, none_words, open_checklist
from tasks.legaltext.fold import fold
from tasks.matter.failures import SolonError

DATA = files("tasks.judging.checklist").joinpath("data")
MINE = {
    "name": "mine",
    "title": "Mine",
    "alpha": 0.5,
    "groups": [{"id": "g", "title": "G", "items": [{"id": "rent", "title": "Rent", "asks": "How much."}]}],
}


def test_the_case_checklist_has_26_items_in_nine_groups():
    case = open_checklist("case")
    assert [len(group.items) for group in case.groups] == [4, 3, 1, 2, 5, 3, 5, 2, 1]
    assert len(list(case.items())) == 26
    assert case.alpha == 0.9


def test_a_contract_checklist_is_shipped_too():
    assert checklist_names() == ["case", "contract"]
    assert 10 <= len(list(open_checklist("contract").items())) <= 15


def test_any_checklist_can_be_written_out():
    mine = open_checklist(MINE)
    assert [item.id for item in mine.items()] == ["rent"]
    assert checklist_version(mine) != checklist_version(open_checklist({**MINE, "alpha": 0.6}))


@pytest.mark.parametrize(
    "bad",
    [
        "nothing of the kind",
        {},
        {**MINE, "alpha": 1.5},
        {**MINE, "alpha": float("nan")},
        {**MINE, "weights": 1},
        {**MINE, "groups": []},
        {**MINE, "groups": [*MINE["groups"], {**MINE["groups"][0], "id": "h"}]},
        {**MINE, "groups": [{**MINE["groups"][0], "items": [{"id": "a", "title": "…", "asks": "x"}]}]},
        {**MINE, "groups": [{**MINE["groups"][0], "items": [{"id": "Not an id", "title": "T", "asks": "x"}]}]},
    ],
)
def test_what_is_no_checklist_is_refused_without_quoting_it(bad):
    with pytest.raises(SolonError) as caught:
        open_checklist(bad)
    assert "docs/gavel.md" in caught.value.failure.remedy
    assert "Not an id" not in caught.value.failure.line()


def test_two_items_may_not_share_a_name():
    twins = [{"id": "a", "title": "Rent", "asks": "x"}, {"id": "b", "title": "B", "names": ["RENT."], "asks": "x"}]
    with pytest.raises(SolonError):
        open_checklist({**MINE, "groups": [{"id": "g", "title": "G", "items": twins}]})


def test_five_aspects_of_style_have_five_grades_each():
    assert [len(aspect.grades) for aspect in aspects()] == [5] * 5


def test_the_words_of_the_data_are_what_comparison_folds():
    assert all(word == word.casefold() for word in rules().negations | rules().fillers | none_words())


def test_every_name_of_the_human_checklists_is_an_item(shared_data):
    path = shared_data / "gavel" / "human_checklists_dev20.json"
    if not path.is_file():
        pytest.skip("../shared/data/gavel is absent")
    import json

    named = {name for items in json.loads(path.read_text())["results"].values() for name in items}
    assert {open_checklist("case").by_name[fold(name)] for name in named} == {
        item.id for item in open_checklist("case").items()
    }


def test_every_file_of_the_data_is_read():
    floor = files("tasks.legaltext.checklists").joinpath("data")
    shipped = {*(f"{name}.toml" for name in checklist_names()), "none.toml"}
    assert {f.name for f in floor.iterdir() if f.name.endswith(".toml")} == shipped
    assert {f.name for f in DATA.iterdir() if f.name.endswith(".toml")} == {"style.toml", "comparing.toml"}
    held = tomllib.loads(DATA.joinpath("comparing.toml").read_text(encoding="utf-8"))
    assert set(held) == set(definition.Rules.model_fields)
