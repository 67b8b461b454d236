"""What a run is: its cells, its matters, what has ended, and the run.json that pins them."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from flows.compute.planes import open_compute
from flows.compute.protocol import Compute
from flows.runs.attempts import AttemptStore, write_json
from flows.runs.judgements import judged_otherwise
from flows.runs.orders import Attempt, ModelCache, Order, time_after, utc_now, work_key
from flows.settings import Settings
from tasks.drafting.records import Cell
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.harness import HarnessRef, find_harness, parsed, surface_versions, validated
from tasks.judging.profiles import judge_profile, judge_prompts_version, judge_version
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Corpus, Matter
from tasks.models.access import ModelAccess
from tasks.models.loading import MODELS_VARIABLE
from tasks.models.serving import SERVED
from tasks.toolbox.names import tool_names

_NAMED = re.compile(r"^(Name|Version): *(\S+)", re.MULTILINE)
_SHOWN = 5  # matters that a message names


@dataclass(frozen=True)
class WorkItem:
    """One (matter, cell, epoch) to make an attempt of."""

    matter: Matter
    cell: Cell
    epoch: int


@dataclass(frozen=True)
class Plan:
    """A run of a corpus by cells.

    Attributes:
        epochs: Attempts wanted of each matter and cell.
        since: The first of their numbers.
        retry_failed: Make a new attempt where the last one failed.
        adds: What earlier starts of the run planned for these cells stays planned beside this.
    """

    run_id: str
    corpus: Corpus
    cells: Sequence[Cell]
    harness: HarnessRef
    epochs: int = 1
    retry_failed: bool = False
    adds: bool = False
    since: int = 1

    def work(self) -> list[WorkItem]:
        """Return all work, cells interleaved so that an early stop compares them on the same matters."""
        epochs = range(self.since, self.since + self.epochs)
        return [WorkItem(m, c, e) for e in epochs for m in self.corpus.matters for c in self.cells]

    def missing(self, ended: Sequence[Attempt]) -> list[WorkItem]:
        """Return the work without an ended attempt (or with only failed ones, if those are retried).

        What was no attempt (documents changed under it, a key was refused) is made again without being asked for.
        """
        done = {a.key for a in ended if not a.void and not (self.retry_failed and a.outcome == "failed")}
        return [w for w in self.work() if self.key(w) not in done]

    def key(self, work: WorkItem) -> str:
        """Return the work key of a piece of work."""
        return work_key(work.matter, work.cell, work.epoch, self.harness)

    def of_cell(self, cell: Cell, ended: Sequence[Attempt]) -> list[Attempt]:
        """Return the ended attempts of a cell that belong to this plan."""
        keys = {self.key(w) for w in self.work() if w.cell == cell}
        return [a for a in ended if a.cell.name == cell.name and a.key in keys]


def begin_attempt(
    work: WorkItem, plan: Plan, store: AttemptStore, cache: Path, replies: ModelCache = "read_write"
) -> Order:
    """Make the folder of a new attempt, and its order; ``replies`` says what becomes of recorded model replies."""
    number = store.next_number(work.matter.matter_id, work.cell.name)
    return Order(
        run_id=plan.run_id,
        matter=work.matter,
        cell=work.cell,
        epoch=work.epoch,
        number=number,
        folder=store.begin(work.matter.matter_id, work.cell.name, number),
        cache=cache,
        harness=plan.harness,
        model_cache=replies,
    )


def open_harness(settings: Settings) -> HarnessRef:
    """Open the harness in force.

    Raises:
        SolonError: A file of it breaks its schema, or a skill demands a tool that there is not (``input``); it holds
            learned tools or mechanisms, and no sandbox works here (``sandbox``).
    """
    harness = validated(find_harness(settings.harness))
    held = parsed(harness).knowledge
    known = tool_names() | {one.called for one in parsed(harness).learned if one.kind == "tool"}
    if parsed(harness).learned:
        find_sandbox()  # what a learner wrote runs there or not at all: better said now than in each attempt
    for skill in parsed(harness).skills:
        law = {row["citation"] for row in held.law_called(skill.law)}
        windows = {row["window_id"] for row in held.windows_called(skill.windows)}
        for what, named, there in (
            ("demands the tool", skill.mandatory_tools, known),
            ("names the law", skill.law, law),
            ("names the deadline", skill.windows, windows),
        ):
            if missing := sorted(set(named) - there):
                raise _unknown(skill.skill_id, what, missing[0], sorted(there) if there is known else ())
    return harness


def _unknown(skill_id: str, what: str, name: str, known: Sequence[str]) -> SolonError:
    remedy = (
        f"name tools of the toolbox in mandatory_tools: {', '.join(known)}"
        if known
        else "name it as the knowledge writes it (solon tool authority), or add the row to the knowledge"
    )
    message = f"The skill {what} {name!r}, which there is not"
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="harness", subject=skill_id, message=message, remedy=remedy)
    )


def open_from(settings: Settings) -> Compute:
    """Open the compute plane in force."""
    address = getattr(settings, f"{settings.compute}_address", "")  # where the plane can have one
    env = {MODELS_VARIABLE: str(settings.models_file)} if settings.models_file else {}
    env |= {SERVED: os.environ[SERVED]} if SERVED in os.environ else {}
    compute = open_compute(settings.compute, workers=settings.workers, address=address, env=env, logs=settings.logs)
    if "actors" in settings.retrieval:
        _lend_embedders(compute, settings)
    return compute


def _lend_embedders(compute: Compute, settings: Settings) -> None:
    """Start the embedding actors that ``[retrieval.actors]`` asks for."""
    from flows.compute.embedders import Pool
    from flows.compute.ray import RayCompute
    from tasks.retrieval.stage import profile_in_force

    try:
        if not isinstance(compute, RayCompute):
            raise SolonError(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="compute",
                    subject="retrieval.actors",
                    message=f"embedding actors need Ray, and the compute plane is {compute.name}",
                    remedy="add --compute ray, or leave [retrieval.actors] out",
                )
            )
        profile = profile_in_force(settings.file)
        compute.lend_embedders(profile.embedder, Pool.of(settings.retrieval["actors"]))
    except SolonError:
        compute.close()
        raise


def _search(settings: Settings) -> str:
    """Return the content hash of how matters are indexed and searched."""
    from tasks.retrieval.stage import search_digest

    return search_digest(settings.models_file, ModelAccess(settings.models_file))


def judge_pin(settings: Settings, name: str) -> dict[str, str]:
    """Return what pins a judge: its name, the hash of its prompts where it has models, and of all that decides."""
    access = ModelAccess(settings.models_file)
    profile = judge_profile(name, access)
    return {
        "judge_profile": name,
        "judge_prompts": judge_prompts_version(profile),
        "judge_version": judge_version(profile, access),
    }


def new_run_id(now: datetime | None = None) -> str:
    """Return a run id that sorts by time."""
    return f"{(now or utc_now()):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def pin_run(plan: Plan, store: AttemptStore, settings: Settings, corpus: Path) -> dict[str, Any]:
    """Write run.json, or check that a resumed run is still the same.

    Returns:
        The content of run.json.

    Raises:
        SolonError: A matter, a cell or the harness is not what the run began with.
    """
    known, judge = store.pinned(), judge_pin(settings, settings.judge)
    matters = {m.matter_id: m.digest for m in plan.corpus.matters}
    if known is not None:
        _same("harness", known["harness_version"], plan.harness.version, plan.run_id)
        _same_judge(known, judge, plan.run_id)
        _same("search profile", known.get("retrieval", _search(settings)), _search(settings), plan.run_id)
        for cell in plan.cells:
            _same(f"cell {cell.name}", known["cells"].get(cell.name, {}).get("digest"), cell.digest, plan.run_id)
        # a run begun before digests were pinned says in its attempts what its matters were
        begun = known.get("matters") or {a.matter_id: a.matter_digest for a in store.ended()}
        _same_matters(begun, matters, plan)
        known["matters"] = begun | matters
        known["work"] = _planned(plan, known.get("work", []))
        fresh = {c.name: _cell(c) for c in plan.cells if c.name not in known["cells"]}
        known["cells"].update(fresh)
        known["starts"].append(_start(plan, settings, known["starts"]))
    else:
        known = {
            "schema_version": 1,
            "run_id": plan.run_id,
            "corpus": corpus.name,
            "matters": matters,
            "work": _planned(plan, []),
            "harness_version": plan.harness.version,
            "surfaces": surface_versions(plan.harness),
            "cells": {c.name: _cell(c) for c in plan.cells},
            **judge,
            "retrieval": _search(settings),
            "problems": [f.model_dump(mode="json") for f in plan.corpus.problems],
            "packages": package_versions(),
            "lock_sha256": _lock_hash(),
            "starts": [_start(plan, settings, [])],
        }
    write_json(store.folder / "run.json", known)
    return known


def require_one_judge(store: AttemptStore, ended: Sequence[Attempt], pinned: Mapping[str, Any]) -> None:
    """Refuse to continue if attempts were judged again by another version of the run's judge.

    Raises:
        SolonError: Their scores would be mixed with those of this start.
    """
    profile, version = pinned["judge_profile"], pinned.get("judge_version", "")
    other = judged_otherwise(store, ended, profile, version)
    if other:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="plan",
                subject=store.run_id,
                message=f"{len(other)} of its attempts were judged by another version of the judge {profile} "
                f"({', '.join(sorted(set(other.values())))}) than {version}, and their scores cannot be mixed",
                remedy=f"`solon judge {store.run_id} --profile {profile}` judges all of them alike",
            )
        )


def pin_judge(store: AttemptStore, pin: Mapping[str, str]) -> None:
    """Record that every attempt of a run is now judged by another version of its judge.

    Raises:
        SolonError: Another process has the run.
    """
    if _repinned(store.pinned(), pin):  # else nothing is written, and the run may go on elsewhere
        with store.locked():
            if known := _repinned(store.pinned(), pin):
                write_json(store.folder / "run.json", known)


def _repinned(known: dict[str, Any] | None, pin: Mapping[str, str]) -> dict[str, Any] | None:
    """Return run.json with another version of its judge; None where the judge is another, or the version the same."""
    if known is None or known["judge_profile"] != pin["judge_profile"] or pin.items() <= known.items():
        return None
    return known | dict(pin)


def package_versions() -> dict[str, str]:
    """Return every installed distribution with its version."""
    found: dict[str, str] = {}
    for distribution in metadata.distributions():
        # its first lines: to parse the whole of hundreds of them as messages takes a quarter of a second
        told = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or ""
        head = dict(_NAMED.findall(told.partition("\n\n")[0]))
        if head.keys() >= {"Name", "Version"}:
            found[head["Name"]] = head["Version"]
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def _start(plan: Plan, settings: Settings, before: Sequence[dict[str, Any]]) -> dict[str, Any]:
    # the latest start rules the run, also where the clock was set back since the one before
    times = [datetime.fromisoformat(start["utc"]) for start in before]
    utc = time_after(times)
    return {"utc": utc.isoformat(), "matters": len(plan.corpus.matters), "compute": settings.compute}


def _planned(plan: Plan, before: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return all work the run is planned to hold: this start's, and what earlier ones planned for other cells."""
    work = [
        {"cell": w.cell.name, "matter_id": w.matter.matter_id, "epoch": w.epoch, "key": plan.key(w)}
        for w in plan.work()
    ]
    new = {(w["cell"], w["matter_id"], w["epoch"]) for w in work}
    cells = {c.name for c in plan.cells}
    kept = [w for w in before if (w["cell"], w["matter_id"], w["epoch"]) not in new]
    return [w for w in kept if plan.adds or w["cell"] not in cells] + work


def _same_matters(begun: dict[str, str], now: dict[str, str], plan: Plan) -> None:
    """Refuse a start in which a matter of the run has changed or can no longer be loaded."""
    lost = {f.subject.removesuffix("/task.json") for f in plan.corpus.problems} - now.keys()
    other = [name for name, digest in begun.items() if name in lost or now.get(name, digest) != digest]
    if other:
        named = ", ".join(other[:_SHOWN]) + (f" and {len(other) - _SHOWN} more" if len(other) > _SHOWN else "")
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="plan",
                subject=plan.run_id,
                message=f"was begun with other documents or another task in {len(other)} of {len(begun)} matters: "
                f"{named}",
                remedy="restore them, or choose another --run-id",
            )
        )


def _cell(cell: Cell) -> dict[str, Any]:
    return {"digest": cell.digest, "cell": cell.model_dump(mode="json")}


def _lock_hash() -> str:
    lock = Path(__file__).resolve().parents[2] / "requirements.lock"
    return hashlib.sha256(lock.read_bytes()).hexdigest() if lock.is_file() else ""


def _same_judge(known: Mapping[str, Any], judge: Mapping[str, str], run_id: str) -> None:
    """Refuse a start with another judge. Ended attempts may be judged again by a new version, to continue with it."""
    _same("judge profile", known["judge_profile"], judge["judge_profile"], run_id)
    again = f"`solon judge {run_id} --profile {judge['judge_profile']}` judges what has ended by the one in force"
    remedy = f"{again}, and the run goes on with it; or choose another --run-id"
    for name, what in (("judge_prompts", "judge's prompts"), ("judge_version", "version of its judge profile")):
        # a run of an earlier Solon does not say which version it began with
        _same(what, known.get(name, judge[name]), judge[name], run_id, remedy)


def _same(what: str, before: str | None, now: str, run_id: str, remedy: str = "") -> None:
    if before is not None and before != now:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="plan",
                subject=run_id,
                message=f"was begun with another {what}",
                remedy=remedy or "choose another --run-id, or restore what it began with",
            )
        )
