"""Embedders on actors of a Ray cluster, each with a GPU of its own, lent to the bodies that index and search."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.loading import profiles_in_force, resolve_profile
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, Request
from tasks.models.transports import lent_transport, transport_for

ACTORS = "SOLON_EMBED_ACTORS"
"""Names of the actors, separated by commas, after the name of their profile and ``=``; set for every worker."""
_BATCH = 256  # texts of one call: small enough that every actor has work; chosen, not measured
_STARTING = 300.0  # seconds in which the actors must have loaded their model


@dataclass(frozen=True)
class Pool:
    """The settings of ``[retrieval.actors]`` in solon.toml.

    Attributes:
        count: Actors, each of which loads the model once.
        gpus: GPUs of each; a fraction lets several share one.
        resources: Custom resources of each.
    """

    count: int = 1
    gpus: float = 1.0
    resources: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Pool:
        """Read the table.

        Raises:
            SolonError: The table has unknown or invalid entries.
        """
        try:
            custom = {str(name): float(n) for name, n in dict(table.get("resources", {})).items()}
            pool = cls(int(table.get("count", 1)), float(table.get("gpus", 1.0)), custom)
        except (TypeError, ValueError) as exc:
            raise _failed("retrieval.actors", f"cannot be understood: {exc}", FailureCause.INPUT) from exc
        if pool.count < 1 or pool.gpus < 0 or set(table) - {"count", "gpus", "resources"}:
            raise _failed("retrieval.actors", "takes count (at least 1), gpus and resources", FailureCause.INPUT)
        return pool

    @property
    def wanted(self) -> dict[str, float]:
        """Return the resources of all actors together, as Ray names them."""
        each = {"GPU": self.gpus, **self.resources}
        return {name: n * self.count for name, n in each.items() if n}


class EmbeddingActor:
    """Holds a model on its node."""

    def __init__(self, profile: str) -> None:
        self._profile, _ = resolve_profile(profile, profiles_in_force(), "embeddings")
        self._transport = transport_for(self._profile)

    def embed(self, texts: Sequence[str]) -> Reply:
        """Return one row per text."""
        return self._transport.send(self._profile, Request(texts=texts))


class ActorEmbedder:
    """A transport that distributes batches among actors; rows are returned in the order of the texts."""

    def __init__(self, name: str, actors: Sequence[Any]) -> None:
        self.name, self._actors = name, list(actors)

    def send(self, profile: ModelProfile, request: Request) -> Reply:  # noqa: ARG002 (the actors hold it)
        """Return one row per text.

        Raises:
            SolonError: An actor failed, or its node is gone.
        """
        import ray

        batches = [list(request.texts[i : i + _BATCH]) for i in range(0, len(request.texts), _BATCH)]
        refs = [self._actors[i % len(self._actors)].embed.remote(batch) for i, batch in enumerate(batches)]
        try:
            replies: list[Reply] = ray.get(refs)
        except ray.exceptions.RayTaskError as exc:
            if isinstance(exc.cause, SolonError):
                raise exc.cause from None
            raise _failed(self.name, f"an actor failed: {str(exc).splitlines()[-1][:200]}") from None
        except ray.exceptions.RayError as exc:
            raise _failed(self.name, f"an actor is lost ({type(exc).__name__})", FailureCause.CAPACITY) from None
        rows = [reply.vectors for reply in replies if reply.vectors is not None]
        return Reply(vectors=np.vstack(rows), usage=sum((reply.usage for reply in replies), Usage()))


def start_actors(profile: str, pool: Pool, env: Mapping[str, str]) -> tuple[str, list[Any]]:
    """Start the actors of a pool and wait until each has loaded the model.

    Returns:
        The value for ``SOLON_EMBED_ACTORS``, and the actors; they end when the last reference to them is dropped.

    Raises:
        SolonError: A node lacks the weights, or an actor did not start within five minutes.
    """
    import ray

    remote = ray.remote(EmbeddingActor)
    names = [f"solon-embedder-{uuid.uuid4().hex[:12]}" for _ in range(pool.count)]
    actors = [
        remote.options(
            name=name,
            num_cpus=0,
            num_gpus=pool.gpus,
            resources=dict(pool.resources),
            runtime_env={"env_vars": dict(env)},
        ).remote(profile)
        for name in names
    ]
    try:
        ray.get([actor.embed.remote(["ready"]) for actor in actors], timeout=_STARTING)
    except ray.exceptions.RayError as exc:
        cause = getattr(exc, "cause", None)
        lines = str(cause or exc).strip().splitlines() or [type(exc).__name__]
        raise _failed(profile, f"an actor did not start: {lines[-1][:300]}", FailureCause.CAPACITY) from None
    return f"{profile}={','.join(names)}", actors


@contextmanager
def lent_by_cluster() -> Iterator[None]:
    """Use the actors that ``SOLON_EMBED_ACTORS`` names, if any, for what runs in this context."""
    profile, _, names = os.environ.get(ACTORS, "").partition("=")
    if not names:
        yield
        return
    import ray

    try:
        actors = [ray.get_actor(name) for name in names.split(",")]
    except ValueError as exc:
        raise _failed(profile, "an actor of the embedding pool cannot be reached", FailureCause.CAPACITY) from exc
    with lent_transport(profile, ActorEmbedder(profile, actors)):
        yield


def _failed(subject: str, message: str, cause: FailureCause = FailureCause.UNKNOWN) -> SolonError:
    remedy = "Correct [retrieval.actors] in solon.toml, or leave it out to embed on the CPU."
    return SolonError(Failure(cause=cause, stage="compute", subject=subject, message=message, remedy=remedy))
