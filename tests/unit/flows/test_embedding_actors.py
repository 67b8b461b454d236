"""What ``[retrieval.actors]`` may ask for, and how batches come back."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from flows.compute.embedders import ActorEmbedder, Pool, lent_by_cluster
from flows.runs.plan import open_from
from flows.settings import load_settings
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.loading import built_in
from tasks.models.records import Reply, Request
from tasks.models.transports import transport_for

PROFILE = built_in()["wordllama"]


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ({}, {"GPU": 1.0}),
        ({"count": 2, "gpus": 0.5}, {"GPU": 1.0}),
        ({"count": 3, "gpus": 0, "resources": {"a100": 1}}, {"a100": 3.0}),
    ],
)
def test_a_pool_wants_the_resources_of_all_its_actors(table: dict[str, Any], wanted: dict[str, float]) -> None:
    assert Pool.of(table).wanted == wanted


@pytest.mark.parametrize("table", [{"count": 0}, {"gpus": -1}, {"gpus": "many"}, {"resources": 3}, {"gpu": 1}])
def test_a_pool_that_cannot_be(table: dict[str, Any]) -> None:
    with pytest.raises(SolonError, match="actors"):
        Pool.of(table)


def test_rows_come_back_in_the_order_of_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    class Actor:
        def __init__(self) -> None:
            self.sizes: list[int] = []
            self.embed = SimpleNamespace(remote=self._embed)

        def _embed(self, texts: list[str]) -> Reply:
            self.sizes.append(len(texts))
            rows = np.array([[float(text), 1.0] for text in texts], dtype=np.float32)
            return Reply(vectors=rows, usage=Usage(calls=1))

    monkeypatch.setattr(ray, "get", list)
    actors = [Actor(), Actor()]
    reply = ActorEmbedder("x", actors).send(PROFILE, Request(texts=[str(i) for i in range(600)]))
    assert reply.vectors is not None
    assert list(reply.vectors[:, 0]) == list(range(600))
    assert reply.usage.calls == 3
    assert [actor.sizes for actor in actors] == [[256, 88], [256]]


def test_nothing_is_lent_without_actors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOLON_EMBED_ACTORS", raising=False)
    before = transport_for(PROFILE)
    with lent_by_cluster():
        assert transport_for(PROFILE) is before


def test_the_actors_that_are_named_are_lent_and_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setenv("SOLON_EMBED_ACTORS", "wordllama=one,two")
    monkeypatch.setattr(ray, "get_actor", lambda name: name)
    with lent_by_cluster():
        assert isinstance(transport_for(PROFILE), ActorEmbedder)
    assert not isinstance(transport_for(PROFILE), ActorEmbedder)


def test_an_actor_that_is_not_there_is_named_as_want_of_capacity(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    def absent(name: str) -> None:
        raise ValueError(name)

    monkeypatch.setenv("SOLON_EMBED_ACTORS", "far=one")
    monkeypatch.setattr(ray, "get_actor", absent)
    with pytest.raises(SolonError, match="cannot be reached") as caught, lent_by_cluster():
        pytest.fail("nothing runs without its actors")
    assert (caught.value.failure.cause, caught.value.failure.subject) == (FailureCause.CAPACITY, "far")


def test_actors_need_ray(tmp_path: Path) -> None:
    (tmp_path / "solon.toml").write_text("[retrieval.actors]\ncount = 1\n")
    with pytest.raises(SolonError, match="need Ray"):
        open_from(load_settings(cwd=tmp_path, env={}))
