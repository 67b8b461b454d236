"""The compute planes. To add one: a module whose class implements ``Compute``, and its name and lines here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, assert_never

from flows.compute.protocol import QUIET, Compute, Role

PlaneName = Literal["inline", "ray", "dask"]


def open_compute(
    kind: PlaneName,
    *,
    workers: int = 0,
    address: str = "",
    env: Mapping[str, str] | None = None,
    logs: Mapping[Role, Path] | None = None,
) -> Compute:
    """Open a compute plane.

    Args:
        kind: Name of the plane.
        workers: Worker processes of inline (and of a local dask); 0: one for each core.
        address: Of a cluster; empty for a local one.
        env: Added to the environment of every worker.
        logs: Where inline workers write what they say, by role; standard error when None. A judge's log may quote a
            rubric, so it lies with the judge's cache.
    """
    env = {**QUIET, **(env or {})}
    if kind == "inline":
        from flows.compute.inline import InlineCompute

        return InlineCompute(workers, env, logs or {})
    if kind == "ray":
        from flows.compute.ray import RayCompute

        return RayCompute(address, env)
    if kind == "dask":
        from flows.compute.dask import DaskCompute

        return DaskCompute(address, workers, env)
    assert_never(kind)  # a name that nothing opens does not pass the type checker
