"""Routes: the cheapest profile that will do, and the exceptions of the rules."""

import pytest

from tasks.matter.failures import SolonError
from tasks.models.access import ModelAccess
from tasks.models.loading import load_profiles
from tasks.models.routing import RoutedTask, find_route, route_digest

PRICE = {"output": 0.0}
MODELS = {
    "large": {"model": "x/l", "quality": 3, "context_window": 500_000, "prices": {"input_uncached": 5.0, **PRICE}},
    "small": {"model": "x/s", "quality": 1, "context_window": 40_000, "prices": {"input_uncached": 0.5, **PRICE}},
    "house": {"model": "x/h", "quality": 1, "context_window": 20_000},
}
ROUTE = {
    "among": ["large", "small", "house"],
    "quality": 1,
    "rules": [
        {"area": "Tax*", "profile": "large"},
        {"work_type": "*memo", "quality": 2},
        {"longer_than": 100_000, "max_usd": 0.6},
    ],
}


def access(**changes):
    return ModelAccess({"models": MODELS, "routing": {"r": {**ROUTE, **changes}}})


def choose(area="Leases", work_type="abstract", tokens=5_000, **changes):
    return access(**changes).routed("route:r", RoutedTask(area, work_type, tokens))


def test_the_cheapest_that_will_do_is_chosen_and_the_others_are_told():
    choice = choose()
    assert (choice.profile, choice.rule) == ("house", 0)
    assert choice.passed_over == {"large": "$0.0250 to read it", "small": "$0.0025 to read it"}


@pytest.mark.parametrize(
    ("asked", "profile", "rule"),
    [
        ({"tokens": 20_000}, "small", 0),  # does not fit into the house's
        ({"area": "TAX law"}, "large", 1),
        ({"work_type": "Research memo"}, "large", 2),
        ({"tokens": 110_000}, "large", 3),
        ({"quality": 2}, "large", 0),
        ({"max_usd": 0.001, "among": ["large", "house"]}, "house", 0),
    ],
)
def test_area_work_length_quality_and_cost_each_decide(asked, profile, rule):
    choice = choose(**asked)
    assert (choice.profile, choice.rule) == (profile, rule)


def test_where_none_will_do_the_reason_of_each_is_told():
    with pytest.raises(SolonError) as caught:
        choose(tokens=200_000)
    assert "large: $1.0000 of $0.6000" in str(caught.value)
    assert "house: room for" in str(caught.value)


@pytest.mark.parametrize(
    ("routing", "words"),
    [
        ({}, "No such route"),
        ({"r": {}}, "among: Field required"),
        ({"r": {"among": ["house"], "colour": 1}}, "colour"),
        ({"r": {"among": ["house"], "rules": [{"longer_than": -1}]}}, "rules.0.longer_than"),
    ],
)
def test_a_route_that_cannot_be_understood_is_refused(routing, words):
    with pytest.raises(SolonError, match=words):
        find_route("route:r", {"routing": routing})


def test_another_route_or_another_candidate_is_another_configuration():
    profiles = load_profiles(MODELS)
    route = find_route("route:r", {"routing": {"r": ROUTE}})
    digests = {
        route_digest(route, profiles),
        route_digest(route.model_copy(update={"quality": 2}), profiles),
        route_digest(route, load_profiles({**MODELS, "house": {"model": "x/other"}})),
        route_digest(route, load_profiles({**MODELS, "house": {**MODELS["house"], "quality": 2}})),
    }
    assert len(digests) == 4
    with pytest.raises(SolonError, match="No such chat profile"):
        route_digest(route.model_copy(update={"among": ("nobody",)}), profiles)
