"""A stored draft opened for its gates: the attempt that wrote it, or a file beside the folder of its documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from flows.bench.request import misuse
from flows.runs import stages
from flows.runs.attempts import work_of
from flows.runs.orders import Order
from tasks.asks.records import AskAnswer
from tasks.drafting.records import Cell
from tasks.harness import HarnessRef, parsed
from tasks.matter.loading import load_folder
from tasks.matter.records import Matter
from tasks.reconcile.check import CheckJob
from tasks.retrieval.stage import build_index
from tasks.sources.records import CanonicalText
from tasks.sources.texts import read_file


@dataclass(frozen=True)
class OpenDraft:
    """A draft with all that its gates are given."""

    job: CheckJob

    @property
    def drafts(self) -> Mapping[str, CanonicalText]:
        """The texts of its deliverables by name."""
        return self.job.drafts


def open_draft(place: Path, sources: Path | None, harness: HarnessRef, cache: Path, scratch: Path) -> OpenDraft:
    """Open a draft.

    Args:
        place: An attempt folder, or any file where ``sources`` are given.
        sources: Folder of the documents, for a file that no attempt wrote.
        harness: The harness, whose gates judge.
        cache: Cache of the stages.
        scratch: An empty folder for what the stages leave.

    Raises:
        SolonError: There is no such draft, or nobody knows its documents.
    """
    if sources is not None:
        matter, answers = load_folder(sources, f"Review {place.name}.", [place.name]), ()
        return _opened(matter, {place.name: read_file(place, place.name)}, answers, harness, cache, scratch)
    matter = Matter.model_validate_json((place / "matter.json").read_bytes())
    product = work_of(place)
    drafts = stages.read_output(place / "output")
    if not drafts:
        raise misuse(str(place), "wrote no work product", "name an attempt whose output/ holds a file")
    return _opened(matter, drafts, product.answers if product else (), harness, cache, scratch)


def attempt_of(place: Path) -> Path:
    """Return the one attempt that a path names: itself, one above a file of its output, or the only one below.

    Raises:
        SolonError: There is none, or several.
    """
    if not place.exists():
        raise misuse(str(place), "is not there", "name an attempt folder, or a file of its output")
    above = [p for p in (place, *place.parents) if (p / "matter.json").is_file() and (p / "output").is_dir()]
    below = sorted(p.parent for p in place.rglob("matter.json")) if place.is_dir() and not above else []
    found = above[:1] or below
    if len(found) != 1:
        named = ", ".join(str(p) for p in found[:5])
        message = f"has several attempts: {named}" if found else "belongs to no attempt"
        raise misuse(str(place), message, "name one attempt folder, or the documents of a file with `sources`")
    return found[0].resolve()


def _opened(
    matter: Matter,
    drafts: Mapping[str, CanonicalText],
    answers: tuple[AskAnswer, ...],
    harness: HarnessRef,
    cache: Path,
    scratch: Path,
) -> OpenDraft:
    order = Order(
        run_id="bench", matter=matter, cell=Cell(name="bench", runtime="extractive"), epoch=1, number=1,
        folder=scratch, cache=cache, harness=harness,
    )  # fmt: skip
    given = parsed(harness)
    state, texts = stages.inventory(order), stages.texts_of(order)
    index = build_index(matter, texts, cache, knowledge=given.knowledge)
    pack, asks = stages.gather(order, state), stages.asks(order, state)
    return OpenDraft(CheckJob(drafts, texts, matter, state, pack, given, asks, answers, index))
