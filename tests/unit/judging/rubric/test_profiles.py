"""Judge profiles: tables, shorthands, what is refused and how that is told, and what makes another version."""

import json
import tomllib

import pytest

from flows.cli import main
from tasks.judging import profiles
from tasks.judging.profiles import judge_profile, judge_version, models_asked
from tasks.matter.failures import SolonError
from tasks.models.access import ModelAccess

MODELS = """
[models.a]
model = "openai/a"
[models.b]
model = "openai/b"
fallbacks = ["c"]
[models.c]
model = "openai/c"
[models.words]
kind = "embeddings"
model = "openai/e"
"""


def access(judges="", models=MODELS):
    return ModelAccess(tomllib.loads(models + judges))


def house(fields, models=MODELS):
    return judge_profile("house", access(f"[judges.house]\n{fields}\n", models))


@pytest.mark.parametrize(
    ("name", "anchors", "seats", "rule"),
    [
        ("anchor", True, (), "all"),
        ("", True, (), "all"),
        ("model:a", False, (("a",),), "all"),
        ("model:a, b", False, (("a",), ("b",)), "all"),
        ("anchor+model:b", True, (("b",),), "all"),
    ],
)
def test_shorthands_are_profiles_too(name, anchors, seats, rule):
    found = judge_profile(name, access())
    assert (found.anchors, found.seats, found.rule, found.votes) == (anchors, seats, rule, 1)
    assert not found.seats or not found.canaries


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ('seats = ["a"]', {"seats": (("a",),), "rule": "all", "votes": 1, "batch": 16, "canaries": True}),
        ('seats = ["a", "b"]', {"rule": "all"}),
        ('seats = ["a", "b", "c"]', {"rule": "majority"}),
        ('seats = ["a", "b", "c"]\nrule = "all"', {"rule": "all"}),
        ('seats = [["a", "b"], "c"]\nanchors = true', {"seats": (("a", "b"), ("c",)), "anchors": True}),
        ('seats = ["a"]\nvotes = 3\ntemperature = 0.7\nbatch = 8', {"votes": 3, "temperature": 0.7, "batch": 8}),
        ("anchors = true", {"anchors": True, "seats": ()}),
    ],
)
def test_a_table_is_a_profile(fields, expected):
    found = house(fields)
    assert {name: getattr(found, name) for name in expected} == expected
    assert found.name == "house"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("", "nobody judges: name models in seats"),
        ("seats = []", "nobody judges"),
        ('seats = ["ghost"]', "asks ghost: No such chat profile"),
        ('seats = ["words"]', "of kind embeddings"),
        ('seats = ["a", "a"]', "a would sit twice: to ask a model several times, set votes"),
        ('seats = [["a", "b"], ["a", "c"]]', "a would sit twice"),
        ('seats = [["a", "a"]]', "a ladder leads to another, larger model"),
        ('seats = [["a", "b", "c"]]', "seats.0"),
        ("seats = [[]]", "seats.0"),
        ('seats = ["a"]\nrule = "most"', "rule"),
        ('seats = ["a"]\nvotes = 0', "votes"),
        ('seats = ["a"]\nbatch = 0', "batch"),
        ('seats = ["a"]\ntemperature = 3.0', "temperature"),
        ('seats = ["a"]\nseat = 1', "seat: there is no such field (is it seats?)"),
        ('seats = "a"', "seats"),
        ("anchors = true\nvotes = 3", "votes"),
        ('anchors = true\nrule = "majority"', "rule"),
    ],
)
def test_what_cannot_judge_is_told_in_one_line_with_the_remedy(fields, told):
    with pytest.raises(SolonError) as refused:
        house(fields)
    failure = refused.value.failure
    assert told in failure.message
    assert "\n" not in failure.line()
    assert "[judges.house]" in failure.remedy or "[models." in failure.remedy or "Name a profile" in failure.remedy


@pytest.mark.parametrize("name", ["anchor", "model:a"])
def test_a_table_cannot_take_the_name_of_a_shorthand(name):
    with pytest.raises(SolonError, match="is built in"):
        judge_profile(name, access(f'[judges."{name}"]\nseats = ["b"]\n'))


@pytest.mark.parametrize("name", ["oracle", "model:", "model:a,b,c", "model:a,a", "anchor:x", "anchor+model"])
def test_an_unknown_name_is_told_with_those_that_there_are(name):
    with pytest.raises(SolonError, match="No such judge profile") as refused:
        judge_profile(name, access('[judges.house]\nseats = ["a"]\n'))
    assert "house" in refused.value.failure.remedy
    assert "one of: a, b, c, scripted." in refused.value.failure.remedy


@pytest.mark.parametrize("judges", ["judges = 3\n", '[judges]\nhouse = "a"\n'])
def test_what_is_no_table_of_tables_is_refused(judges):
    with pytest.raises(SolonError, match="not a table of profiles"):
        judge_profile(
            "house", ModelAccess(tomllib.loads(judges + (MODELS if "[" not in judges else "")) | tomllib.loads(MODELS))
        )


def test_the_models_of_a_judge_are_asked_with_their_fallbacks():
    found = models_asked(house('seats = [["a", "b"]]'), access())
    assert [p.name for p in found] == ["a", "b", "c"]


BASE = 'seats = ["a", "b"]'


def version(fields=BASE, models=MODELS):
    return judge_version(house(fields, models), access(models=models))


@pytest.mark.parametrize(
    "fields",
    [
        'seats = ["a"]',
        'seats = ["b", "a"]',
        'seats = [["a", "c"], "b"]',
        *(f"{BASE}\n{more}" for more in ('rule = "majority"', "votes = 3", "temperature = 0.5", "batch = 4",
                                        "canaries = false", "anchors = true")),
    ],
)  # fmt: skip
def test_what_decides_verdicts_makes_another_version(fields):
    assert version(fields) != version()
    assert len(version(fields)) == 12


@pytest.mark.parametrize(
    ("before", "after", "other"),
    [
        ('model = "openai/a"', 'model = "openai/a2"', True),
        ('model = "openai/a"', 'model = "openai/a"\ntemperature = 0.3', True),
        ('model = "openai/c"', 'model = "openai/c2"', True),  # a fallback may answer in its place
        ('model = "openai/a"', 'model = "openai/a"\ntimeout_seconds = 5.0', False),
        ('model = "openai/e"', 'model = "openai/e2"', False),
    ],
)
def test_the_models_themselves_are_part_of_the_version(before, after, other):
    assert (version(models=MODELS.replace(before, after)) != version()) is other


@pytest.mark.parametrize("part", ["prompts_version", "extractor_version"])
def test_prompts_and_readers_are_part_of_the_version(monkeypatch, part):
    before = version()
    monkeypatch.setattr(profiles, part, lambda: "another")
    assert version() != before


def test_the_name_of_a_profile_is_no_part_of_its_version():
    one = judge_version(judge_profile("model:a,b", access()), access())
    assert one == version(f"{BASE}\ncanaries = false")


def test_the_configuration_shows_judges_with_their_versions(tmp_path, monkeypatch, capsys):
    (tmp_path / "solon.toml").write_text(
        f'judge = "house"\n{MODELS}[judges.house]\nseats = [["a", "b"], "c"]\n[judges.odd]\nseats = ["ghost"]\n'
    )
    monkeypatch.chdir(tmp_path)
    assert main(["config"]) == 0
    said = capsys.readouterr().out
    found = judge_version(house('seats = [["a", "b"], "c"]'), access())
    assert f"judge house: a > b, c; rule all; votes 1; batch 16; canaries (version {found})" in said
    assert "judge odd: " in said
    assert "asks ghost" in said
    assert main(["config", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["judges"]
    assert told["house"]["version"] == found
    assert "problem" in told["odd"]


def test_the_profile_of_the_documentation_is_one(project):
    page = (project / "docs/judging.md").read_text(encoding="utf-8")
    table = tomllib.loads(page.partition("```toml\n")[2].partition("```")[0])
    found = judge_profile("house", ModelAccess(table))
    assert found.seats == (("small", "large"), ("other",))
    assert set(table["judges"]["house"]) == set(type(found).model_fields) - {"name"}
