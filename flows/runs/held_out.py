"""Looks at what learning runs of the same home hold out: each is a row before an attempt is made, or its score told.

A matter is known by its digest. Part of that is its path within the corpus, so it is also known where the corpus is
opened at another folder above or below it; a copy whose own folder has another name is another matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from flows.runs.edit_rows import access_rows
from flows.runs.home import secure
from flows.runs.progress import write_status
from flows.settings import Settings
from tasks.learning.holdout import HoldoutLog, Side
from tasks.learning.ledger import last_step
from tasks.learning.splits import Split, read_split
from tasks.matter.failures import SolonError
from tasks.matter.records import Matter

if TYPE_CHECKING:
    from flows.runs.attempts import AttemptStore
    from flows.runs.orders import Attempt
    from flows.runs.plan import WorkItem

_SIDES: tuple[Side, ...] = ("test", "giant")


class Seen(NamedTuple):
    """An attempt that is about to be made, or whose score is about to be read.

    Attributes:
        matter: The matter, or the file in which its attempt keeps it; the file may be gone.
    """

    matter_id: str
    digest: str
    harness: str
    matter: Matter | Path


def to_make(work: Iterable[WorkItem], harness: str) -> Iterator[Seen]:
    """Yield attempts that are to be made under a version of the harness."""
    for one in work:
        yield Seen(one.matter.matter_id, one.matter.digest, harness, one.matter)


def to_read(ended: Iterable[Attempt], store: AttemptStore) -> Iterator[Seen]:
    """Yield ended attempts of a run that are to be read."""
    for one in ended:
        yield Seen(one.matter_id, one.matter_digest, one.harness_version, store.path(one) / "matter.json")


def landed_attempts(settings: Settings, runs: Sequence[str] | None) -> Iterator[Seen]:
    """Yield what the warehouse holds of these runs, or of all; only where it is iterated is the warehouse asked.

    Raises:
        QueryError: There is no warehouse, or one that an earlier version published.
    """
    from warehouse.sql import run_query

    query = (
        "SELECT matter_id, matter_digest, harness_version, attempt_id FROM attempt "
        "WHERE ? OR list_contains(?::VARCHAR[], run_id)"
    )
    for matter_id, digest, harness, attempt_id in run_query(
        settings.warehouse, query, [runs is None, [*(runs or ())]]
    ).rows():
        yield Seen(matter_id, digest, harness, settings.runs / attempt_id / "matter.json")


def record_looks(seen: Iterable[Seen], settings: Settings, purpose: str) -> None:
    """Write down that attempts are about to be made or read at matters that a learning run of this home holds out.

    The rows are those of the learning run: in its log, and among the parts that the next landing takes up.

    Args:
        seen: The attempts; they are not asked for where no learning run holds anything out.
        settings: Where learning runs and parts lie.
        purpose: What it is for, e.g. ``run``, ``judge`` or ``study curve``.

    Raises:
        SolonError: A split or a log cannot be read (``input``): to pass over it would hide a look.
    """
    from warehouse.parts import write_parts

    splits = list(_splits(settings.home / "learning"))
    if not splits:
        return
    secure(settings)
    attempts = list(seen)
    for home, parted in splits:
        log = HoldoutLog(home / "holdout.jsonl", home.name, parted.digest)
        for side in _SIDES:
            held = _held(attempts, {matter_id: parted.matters[matter_id] for matter_id in getattr(parted, side)})
            if not held:
                continue
            matters, step = len({matter_id for matter_id, _ in held}), last_step(home / "ledger.jsonl")
            versions = {one.harness for _, one in held}
            harness = versions.pop() if len(versions) == 1 else ""
            log.look(side, purpose, harness, step=step, matters=matters, attempts=len(held))
            write_parts(settings.parts, access_rows(log.looks()))
            write_status(f"{matters} of these matters the learning run {home.name} holds out: the look is written down")


def _held(seen: Sequence[Seen], digests: Mapping[str, str]) -> list[tuple[str, Seen]]:
    """Return the attempts at matters with one of these digests, each with the id that its matter had in its corpus."""
    named: dict[str, list[str]] = {}
    for matter_id in digests:
        named.setdefault(_folder(matter_id), []).append(matter_id)
    known: dict[tuple[str, str], str] = {}
    found = []
    for one in seen:
        place = one.matter_id, one.digest
        if place not in known:
            known[place] = _id_of(one, {i: digests[i] for i in named.get(_folder(one.matter_id), ())})
        if known[place]:
            found.append((known[place], one))
    return found


def _folder(matter_id: str) -> str:
    return matter_id.rpartition("/")[2]


def _id_of(one: Seen, digests: Mapping[str, str]) -> str:
    """Return which of these matters, all of whose own folders are called as its is, an attempt is at; else nothing."""
    if not digests:
        return ""
    if digests.get(one.matter_id) == one.digest:
        return one.matter_id
    matter = one.matter
    if isinstance(matter, Path):
        if not matter.is_file():
            return ""  # its run is gone, and the warehouse knows its digest alone
        try:
            matter = Matter.model_validate_json(matter.read_bytes())
        except ValidationError:
            return next(iter(digests))  # it was altered: a look too many is told, and none is hidden
    moved = (i for i, digest in digests.items() if matter.model_copy(update={"matter_id": i}).digest == digest)
    return next(moved, "")


def _splits(learning: Path) -> Iterator[tuple[Path, Split]]:
    for file in sorted(learning.glob("*/split.json")):
        try:
            yield file.parent, read_split(file)
        except SolonError as error:
            remedy = f"restore the file, or move the folder {file.parent.name} out of {learning}"
            raise SolonError(error.failure.model_copy(update={"remedy": remedy})) from None
