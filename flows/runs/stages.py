"""The bodies of the stages as the compute plane runs them: plain functions, records in, records out.

Texts and the index are read from the content-addressed cache where they are needed, so that what travels
between processes is small. The bodies that may see a rubric or a verdict stand in ``judge_side.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flows.runs.orders import Order
from tasks.asks.records import Asks
from tasks.drafting.records import Cell, WorkProduct
from tasks.harness import harness_version, parsed
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.records import Matter
from tasks.reconcile.records import GateCheck
from tasks.release.records import ReleaseReport
from tasks.retrieval.records import KnowledgePack
from tasks.sources.records import CanonicalText, MatterState
from tasks.tracing.records import Trajectory

if TYPE_CHECKING:
    from tasks.drafting.records import DraftJob
    from tasks.models.access import ModelAccess


def inventory(order: Order) -> MatterState:
    """Read the data room and type what is in it."""
    from tasks.sources.stage import inventory

    knowledge = parsed(order.harness).knowledge
    return inventory(order.matter, order.cache, knowledge, order.folder / "unread")


def texts_of(order: Order) -> dict[str, CanonicalText]:
    """Return the documents as every stage of the attempt reads them."""
    from tasks.sources.texts import load_texts

    return load_texts(order.matter, order.cache, order.folder / "unread")


def models_of(order: Order) -> ModelAccess:
    """Return the means by which the stages of an attempt call models."""
    from tasks.models.access import ModelAccess
    from tasks.models.flow import FLOW_NAME

    return ModelAccess(
        ledger=order.account(),
        cache=order.cache / "models",
        mode=order.model_cache,
        owner=order.attempt_id,
        flow=order.folder / FLOW_NAME,
    )


def index(order: Order) -> int:
    """Warm the index in the cache; returns how many documents it covers."""
    from tasks.retrieval.stage import build_index

    texts = texts_of(order)
    build_index(order.matter, texts, order.cache, knowledge=parsed(order.harness).knowledge, models=models_of(order))
    return len(texts)


def gather(order: Order, state: MatterState) -> KnowledgePack:
    """Collect what the harness knows that bears on the matter."""
    from tasks.retrieval.knowledge import gather

    return gather(order.matter, state, parsed(order.harness))


def asks(order: Order, state: MatterState) -> Asks:
    """Read the brief into its asks."""
    from tasks.asks.parse import parse_asks

    return parse_asks(order.matter, state, parsed(order.harness))


def draft(order: Order, state: MatterState, asks: Asks, pack: KnowledgePack, report: str = "") -> WorkProduct:
    """Draft, or revise with the release report of the pass before."""
    from tasks.drafting.several import draft_with_choice

    (order.folder / "output").mkdir(parents=True, exist_ok=True)
    return draft_with_choice(jobs_of(order, state, asks, pack, report), order.folder)


def jobs_of(
    order: Order, state: MatterState, asks: Asks, pack: KnowledgePack, report: str = ""
) -> Callable[[Path], DraftJob]:
    """Return what makes the job of drafting in a folder."""
    from flows.runs.cells import withheld_tools
    from tasks.drafting.records import DraftJob
    from tasks.retrieval.stage import build_index
    from tasks.toolbox import ToolRegistry

    texts, models = texts_of(order), models_of(order)
    harness = parsed(order.harness)
    searcher = build_index(order.matter, texts, order.cache, knowledge=harness.knowledge, models=models)
    cell = _routed(order, texts, models)

    def job_at(workspace: Path) -> DraftJob:
        toolbox = ToolRegistry.for_matter(
            order.matter,
            state=state,
            texts=texts,
            index=searcher,
            pack=pack,
            workspace=workspace,
            cache=order.cache,
            harness=harness,
            without=withheld_tools(order.cell),
        )
        return DraftJob(
            matter=order.matter,
            state=state,
            texts=texts,
            index=searcher,
            pack=pack,
            cell=cell,
            toolbox=toolbox,
            workspace=workspace,
            asks=asks,
            report=report,
            harness=harness,
            epoch=order.epoch,
            models=models,
        )

    return job_at


def _routed(order: Order, texts: Mapping[str, CanonicalText], models: ModelAccess) -> Cell:
    """Return the cell with the profile that its route chooses; a pass of revision keeps the choice of the first."""
    from flows.runs.attempts import write_json
    from tasks.models.routing import ROUTE_NAME, RouteChoice, RoutedTask, is_route
    from tasks.models.tokens import CHARS_PER_TOKEN

    if not is_route(order.cell.profile):
        return order.cell
    kept = order.folder / ROUTE_NAME
    if not kept.is_file():
        tokens = int(sum(len(text.text) for text in texts.values()) / CHARS_PER_TOKEN)
        task = RoutedTask(order.matter.area, order.matter.work_type, tokens)
        write_json(kept, models.routed(order.cell.profile, task))
    choice = RouteChoice.model_validate_json(kept.read_bytes())
    return order.cell.model_copy(update={"profile": choice.profile})


def gates() -> tuple[str, ...]:
    """Return the gates whose checks run over a draft."""
    from tasks.reconcile.registry import GATES

    return GATES


def check(
    order: Order, gate: str, state: MatterState, asks: Asks, pack: KnowledgePack, product: WorkProduct
) -> GateCheck:
    """Run the check of a gate over the draft."""
    from tasks.reconcile.check import CheckJob
    from tasks.reconcile.registry import run_check
    from tasks.retrieval.stage import open_index

    drafts = read_output(order.folder / "output")
    texts, harness = texts_of(order), parsed(order.harness)
    index = open_index(order.matter, texts, order.cache, knowledge=harness.knowledge, models=models_of(order))
    return run_check(gate, CheckJob(drafts, texts, order.matter, state, pack, harness, asks, product.answers, index))


def release(order: Order, state: MatterState, *checks: GateCheck) -> ReleaseReport:
    """Put the checks through the gates."""
    from tasks.release.stage import release

    output = order.folder / "output"
    return release(order.matter, state, checks, output, read_output(output), parsed(order.harness).gates)


def trace(order: Order, pack: KnowledgePack, product: WorkProduct, report: ReleaseReport) -> Trajectory:
    """Normalise the raw trace, and measure it against the documents, the work product and its release report."""
    from skills_repo.agent_skills import slug_of
    from tasks.drafting.redlines import redlines_of
    from tasks.tracing.about import About
    from tasks.tracing.stage import trace

    about = About(
        texts=texts_of(order),
        drafts=read_output(order.folder / "output"),
        wanted=tuple(d.filename for d in order.matter.deliverables),
        redlines=frozenset(redlines_of(order.matter)),
        report=report,
        revise=order.cell.revise,
        mandatory=pack.skill.mandatory_tools,
        skill=slug_of(pack.skill.skill_id),
        usage=product.usage,
        cached_read_rate=_cached_read_rate(order),
    )
    return trace(order.folder / product.transcript, product.trace_format, about)


def _cached_read_rate(order: Order) -> float | None:
    """Return what the cell's model takes for a million cached tokens, by its profile or the public list; else None."""
    from tasks.models.loading import load_profiles
    from tasks.tracing.pricing import price_list

    if not order.cell.profile and "model" not in order.cell.options:
        return None
    name, given = order.routed or order.cell.profile or "model", order.cell.options.get("model")
    known = load_profiles({name: given}) if isinstance(given, dict) else models_of(order).profiles
    profile = known.get(name)
    if profile is None:
        return None
    if profile.prices is not None:
        return profile.prices.cached_rate
    listed = None if profile.ours else price_list().find(profile.model)  # who runs a server sets its own prices
    return listed.cache_read if listed else None


def changes(order: Order) -> tuple[Failure, ...]:
    """Return which documents changed since they were loaded, compared byte by byte, and whether the harness did."""
    from tasks.matter.dataroom import changes

    found, harness = changes(order.matter.documents), order.harness
    if harness_version(harness.knowledge, harness.skills) == harness.version:
        return found
    message = "was edited while the attempt was made"  # some of its stages may have read the one, some the other
    remedy = "restore it and run again with the same --run-id, or choose another --run-id"
    edited = Failure(cause=FailureCause.CHANGED, stage="harness", subject="harness", message=message, remedy=remedy)
    return (*found, edited)


def words(order: Order) -> int:
    """Count the words of all deliverables together."""
    return sum(len(text.text.split()) for text in read_output(order.folder / "output").values())


def names(matter: Matter, cache: Path) -> tuple[str, ...]:
    """Return the names of a matter: its ids, titles, documents and parties. For redaction only."""
    from tasks.sources.stage import described
    from tasks.sources.texts import read_all

    states = described(matter, read_all(matter.documents, cache), cache)
    entities = [e for d in states for e in d.parties]
    found = [matter.matter_id, matter.title, *(p for p in matter.matter_id.split("/"))]
    found += [n for d in matter.documents for n in (d.name, Path(d.name).stem)]
    found += [n for e in entities for n in (e.name, *e.aliases)]
    return tuple(dict.fromkeys(n for n in found if len(n) > 2))


def render(report: ReleaseReport) -> str:
    """Render the release report as Markdown."""
    from tasks.release.stage import render_report

    return render_report(report)


def last_words(folder: Path, names: Sequence[str], general: frozenset[str]) -> str:
    """Return what the learner may see of a solver's last message: redacted, in words of the harness alone."""
    from flows.runs.attempts import work_of
    from tasks.learning.redaction import last_words

    product = work_of(folder)
    return last_words(product.final_message, names, general) if product else ""


def characters(matter: Matter, cache: Path) -> int:
    """Count the characters of a data room, for the split of a corpus by size."""
    from tasks.sources.texts import read_all

    return sum(len(text.text) for text in read_all(matter.documents, cache))


def read_output(output: Path) -> dict[str, CanonicalText]:
    """Read the deliverables with the judge's own reader."""
    from tasks.sources.texts import read_file

    if not output.is_dir():
        return {}
    files: Sequence[Path] = sorted(p for p in output.rglob("*") if p.is_file() and not p.is_symlink())
    return {(name := path.relative_to(output).as_posix()): read_file(path, name) for path in files}
