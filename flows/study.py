"""Studies and benches: a part measured on data, printed with n."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.settings import Settings
from tasks.learning.paired import Paired, Place, compare
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.loading import MODELS_VARIABLE

if TYPE_CHECKING:
    from tasks.retrieval.narrowing import Chooser


@dataclass(frozen=True)
class BenchRequest:
    """What a bench is asked to measure.

    Attributes:
        rerank: Questions a data set that the retrieval bench asks with the cross-encoder; its default when None.
        embedder: Embedding profile that the retrieval bench gives Solon; the default profile when empty.
        filter: Model profile that chooses sentences in the retrieval bench; none when empty.
        quick: The short part of the fault or the sandbox bench alone.
        only: Words of the cases that the bench tries; all when empty.
        held_out: The held-out set of requests, of which totals alone are told: first, second or third; none when empty.
        labels: File of labels that the taxonomy bench compares with; those of the project when None.
        questions: The questions of law of the law bench.
        size: How large the made-up warehouse is: small, or that of the paper.
        titles: Titles with their classes, for the router bench.
    """

    settings: Settings
    data: Path | None
    limit: int | None
    cells: Sequence[str]
    rerank: int | None = None
    embedder: str = ""
    filter: str = ""
    quick: bool = False
    only: Sequence[str] = ()
    held_out: str = ""
    labels: Path | None = None
    questions: Path | None = None
    size: str = "small"
    titles: Path | None = None

    def folder(self) -> Path:
        """Return the data.

        Raises:
            SolonError: None was named, or it is not there.
        """
        if self.data is None or not self.data.exists():
            raise _misuse(str(self.data or "bench"), "has no data to measure on", "name it with --data DIR")
        return self.data


def benches() -> dict[str, str]:
    """Return the benches with the first line of what each measures."""
    return {name: (bench.__doc__ or "").partition("\n")[0] for name, bench in _benches().items()}


def measure(
    name: str,
    settings: Settings,
    *,
    data: Path | None = None,
    limit: int | None = None,
    cells: Sequence[str] = (),
    rerank: int | None = None,
    embedder: str = "",
    model: str = "",
    quick: bool = False,
    only: Sequence[str] = (),
    held_out: str = "",
    labels: Path | None = None,
    questions: Path | None = None,
    size: str = "small",
    titles: Path | None = None,
) -> dict[str, Any]:
    """Run a bench by name.

    Raises:
        SolonError: No such bench, or no data for it.
    """
    bench = _benches().get(name)
    if bench is None:
        raise _misuse(name, "is no bench", f"use one of {', '.join(_benches())}")
    request = BenchRequest(
        settings, data, limit, cells, rerank, embedder, model, quick, only, held_out, labels, questions, size, titles
    )
    return bench(request)


def render(name: str, result: dict[str, Any]) -> str:
    """Return a result as text for a terminal."""
    if name == "retrieval":
        from flows.bench.retrieval.table import render as tables

        return tables(result)
    if name == "scale":
        from flows.bench.retrieval.table import render_scale

        return render_scale(result)
    if name == "taxonomy":
        from flows.bench.taxonomy.run import render as confusions

        return confusions(result)
    if name == "liveness":
        from flows.bench.liveness.bench import render as leaves

        return leaves(result)
    if name == "router":
        from flows.bench.router.run import render as guesses

        return guesses(result)
    if name == "requests":
        from flows.bench.requests.run import render as verdicts

        return verdicts(result)
    if name == "gates":
        from flows.bench.gates.run import render as caught

        return caught(result)
    if name == "judge":
        from flows.bench.judge.run import render as tokens

        return tokens(result)
    if name == "gavel":
        from flows.bench.gavel.run import render as scores

        return scores(result)
    if name == "faults":
        from flows.bench.faults.bench import render as table

        return table(result)
    if name == "law":
        from flows.bench.law.table import render as answers

        return answers(result)
    if name == "nli":
        from flows.bench.nli.run import render as labels

        return labels(result)
    if name == "sandbox":
        from flows.bench.sandbox.bench import render as attempts

        return attempts(result)
    if name == "learner":
        from flows.bench.learner import render as policies

        return policies(result)
    if name == "doubling":
        return "\n".join(
            f"{kind:28} {row['seconds']:7.3f} s  {row['doubled']:7.3f} s  {row['ratio']:5.2f}  {row['stage']}"
            for kind, row in result["kinds"].items()
        )
    if name == "ablation":
        return "\n".join(_ablation_lines(result))
    rows = ((key, f"{value:.4g}" if isinstance(value, float) else str(value)) for key, value in result.items())
    return "\n".join(f"{key:28} {value}" for key, value in rows)


def retrieval(ask: BenchRequest) -> dict[str, Any]:
    """Span recall on LegalBench-RAG, NDCG on rated clauses in BEIR form, with BM25 (--data legalbench_rag | acord)."""
    from flows.bench.retrieval.graded import is_rated_collection, run_rated, systems_rated
    from flows.bench.retrieval.measure import RERANKED, data_sets, run_bench, systems_with

    if ask.settings.file:
        os.environ.setdefault(MODELS_VARIABLE, str(ask.settings.file))  # profiles of [models.X]
    if is_rated_collection(ask.folder()):
        return run_rated(
            ask.folder(), ask.limit, systems_rated(ask.embedder), lambda line: print(line, file=sys.stderr)
        )
    if not data_sets(ask.folder()):
        raise _misuse(
            str(ask.data),
            "holds neither benchmarks/*.json with their corpus/ nor queries.jsonl, corpus.jsonl and qrels/",
            "name a LegalBench-RAG or a BEIR folder",
        )
    rerank = RERANKED if ask.rerank is None else ask.rerank
    return run_bench(
        ask.folder(),
        sample=ask.limit,
        systems=systems_with(ask.embedder),
        rerank=rerank,
        say=lambda line: print(line, file=sys.stderr),
        model=_chooser(ask) if ask.filter else None,
    )


def _chooser(ask: BenchRequest) -> Chooser:
    from flows.runs.models import require_keys
    from tasks.drafting.narrowing import ModelChooser
    from tasks.harness import packaged
    from tasks.models.access import ModelAccess

    access = ModelAccess(ask.settings.models_file, cache=ask.settings.cache / "models", mode=ask.settings.model_cache)
    require_keys([access.profile(ask.filter, "chat")] if ask.settings.model_cache != "replay" else [])
    return ModelChooser(access.client(ask.filter, role="chooser"), packaged().prompts)


def scale(ask: BenchRequest) -> dict[str, Any]:
    """Time and peak memory of index, queries and graph at 1.5M tokens (--data legalbench_rag)."""
    from flows.bench.retrieval.scale import measure_scale

    if not (ask.folder() / "corpus").is_dir():
        raise _misuse(str(ask.data), "holds no corpus/ with texts", "name a LegalBench-RAG folder")
    return measure_scale(ask.folder(), embedder=ask.embedder)


def tools(ask: BenchRequest) -> dict[str, Any]:
    """Speed of each scanner in MB/s and of the readers in documents/s (--data a folder of documents)."""
    from flows.bench.tools.speed import measure_speed

    return measure_speed(ask.folder(), ask.limit or 40)


def grounding(ask: BenchRequest) -> dict[str, Any]:
    """Altered figures and dates detected, and false alarms on verbatim sentences (--data a corpus of contracts)."""
    from flows.bench.grounding.run import measure_grounding
    from tasks.matter.loading import load_corpus

    corpus = load_corpus(ask.folder(), ask.settings.sealed, None, ask.settings.cache)
    return measure_grounding(corpus.matters, ask.settings.cache, ask.limit or 20)


def ablation(ask: BenchRequest) -> dict[str, Any]:
    """Cells compared on the same matters, paired by matter with intervals (--data a corpus, --cell A --cell B)."""
    from flows.corpus import run_corpus

    if len(set(ask.cells)) < 2:
        raise _misuse("ablation", "compares at least two cells", "name them with --cell A --cell B")
    result = run_corpus(ask.folder(), ask.cells, ask.settings, limit=ask.limit)
    base = result.cells[0]
    ended = _verdicts(result.warehouse, result.run_id, ask.settings.judge)
    return {
        "run_id": result.run_id,
        "base": base.cell,
        "cells": {
            c.cell: {"pooled_pass": c.pooled_pass, "all_pass": c.all_pass, "criteria": c.criteria} for c in result.cells
        },
        "paired": {
            c.cell: compare(ended.get(base.cell, {}), ended.get(c.cell, {})).model_dump(mode="json")
            for c in result.cells[1:]
        },
    }


def _verdicts(database: Path, run_id: str, judge: str) -> dict[str, dict[Place, str]]:
    """Return how each criterion ended, by cell: from the published warehouse, which alone holds what is counted."""
    from warehouse.sql import run_query

    found: dict[str, dict[Place, str]] = {}
    for row in run_query(database, "which_criteria_passed_under_which_cell", run_id=run_id).to_dicts():
        if row["judge_profile"] == judge:
            place = (row["matter_id"], row["epoch"], row["criterion_id"])
            found.setdefault(row["cell"], {})[place] = row["status"]
    return found


def _rate(value: float | None) -> str:
    return "not scored" if value is None else f"{value:.4f}"


def _ablation_lines(result: dict[str, Any]) -> Iterator[str]:
    for cell, row in result["cells"].items():
        yield f"{cell:28} pooled {_rate(row['pooled_pass'])}  all-pass {_rate(row['all_pass'])}  n {row['criteria']}"
    for cell, paired in result["paired"].items():
        yield f"{cell} less {result['base']}"
        yield from (f"  {line}" for line in Paired.model_validate(paired).lines())


def warehouse(ask: BenchRequest) -> dict[str, Any]:
    """Rows landed a second, seconds of all questions, growth for ten times the data (--size, --limit N attempts)."""
    from flows.bench.warehouse.measure import SIZES, measure_warehouse

    if ask.size not in SIZES:
        raise _misuse(ask.size, "is no size of the made-up warehouse", f"use one of {', '.join(SIZES)}")
    return measure_warehouse(ask.limit or SIZES[ask.size])


def learner(ask: BenchRequest) -> dict[str, Any]:
    """Acceptance policies where the truth is known: false promotions, power, pairs (--limit N, --data RUNS)."""
    from flows.bench.learner import RUNS, measure_learner

    return measure_learner(ask.limit or RUNS, ask.folder() if ask.data else None, ask.only)


def faults(ask: BenchRequest) -> dict[str, Any]:
    """Attacks on running commands, and whether what Solon promises held (--quick, --only WORD, --limit N trials)."""
    from flows.bench.faults.bench import measure_faults

    return measure_faults(
        quick=ask.quick, only=ask.only, trials=ask.limit, say=lambda line: print(line, file=sys.stderr, flush=True)
    )


def sandbox(ask: BenchRequest) -> dict[str, Any]:
    """Ways out of each sandbox that works here: contained, refused or ESCAPED (--quick, --only WORD)."""
    from flows.bench.sandbox.bench import measure_sandbox

    return measure_sandbox(ask.quick, ask.only, say=lambda line: print(line, file=sys.stderr, flush=True))


def doubling(ask: BenchRequest) -> dict[str, Any]:
    """How much longer a document of twice the size takes, by kind of input (--only WORD of its name)."""
    from flows.bench.tools.doubling import measure_doubling

    return measure_doubling(only=ask.only)


def liveness(ask: BenchRequest) -> dict[str, Any]:
    """Leaves of the harness by surface: changing each must change what some stage gives (--only SURFACE)."""
    from flows.bench.liveness.bench import measure_liveness
    from tasks.harness import find_harness, parsed, validated

    return measure_liveness(parsed(validated(find_harness(ask.settings.harness))), ask.only)


def router(ask: BenchRequest) -> dict[str, Any]:
    """How often the class of a matter is known by its title: first guess and first three (--titles FILE)."""
    from flows.bench.router.run import measure_router
    from flows.runs.plan import open_harness
    from tasks.harness import parsed

    if ask.titles is None:
        raise _misuse("router", "has no titles to measure on", "name them with --titles FILE: title, area, work_type")
    return measure_router(ask.titles, parsed(open_harness(ask.settings)))


def requests(ask: BenchRequest) -> dict[str, Any]:
    """Asks of requests in natural words: right, wrong, left open, dropped (--data the shared data, --held-out)."""
    from flows.bench.requests.gold import HALVES
    from flows.bench.requests.run import measure_requests
    from flows.runs.cells import resolve_cell
    from flows.runs.plan import open_harness

    return measure_requests(
        ask.data or Path("../shared/data"),
        resolve_cell(next(iter(ask.cells), "extractive"), ask.settings),
        open_harness(ask.settings),
        ask.settings.cache,
        half=HALVES[ask.held_out],
        limit=ask.limit,
        only=ask.only,
    )


def law(ask: BenchRequest) -> dict[str, Any]:
    """Questions of law put to the authority tool: right authority, right period, "not held" (--questions FILE)."""
    from flows.bench.law.measure import measure_law
    from flows.bench.law.questions import read_questions
    from tasks.harness import find_harness, parsed, validated
    from tasks.toolbox.desk import Desk
    from tasks.toolbox.tools.authority import authority

    if ask.questions is None:
        raise _misuse("law", "has no questions to put", "name a CSV file with --questions FILE")
    desk = Desk(harness=parsed(validated(find_harness(ask.settings.harness))))
    return measure_law(read_questions(ask.questions)[: ask.limit], lambda question: authority(desk, question))


def runtime(ask: BenchRequest) -> dict[str, Any]:
    """CPU of a turn of the agent's loop beside a bare one, and 200 attempts at once (--limit N attempts)."""
    from flows.bench.runtime.measure import measure_runtime

    return measure_runtime(ask.limit or 200, say=lambda line: print(line, file=sys.stderr, flush=True))


def gavel(ask: BenchRequest) -> dict[str, Any]:
    """Checklists that people filled: against themselves, altered, the wrong case (--data the shared data/gavel)."""
    from flows.bench.gavel.run import measure_gavel

    return measure_gavel(ask.data or Path("../shared/data/gavel"), ask.limit)


def gates(ask: BenchRequest) -> dict[str, Any]:
    """Errors of twelve kinds in drafts: caught, missed, and false alarms (--data the shared data, --only RUNTIME)."""
    from tempfile import TemporaryDirectory

    from flows.bench.gates.run import measure_gates
    from flows.runs.cells import resolve_cell
    from flows.runs.plan import open_harness
    from tasks.matter.loading import load_corpus

    data, limit, settings = ask.data or Path("../shared/data"), ask.limit or 12, ask.settings
    folders = [p for p in (Path("examples"), data / "cuad_matters") if p.is_dir()]
    if not folders:
        raise _misuse(str(data), "holds no cuad_matters/, and there are no examples/ here", "name it with --data DIR")
    loaded = [(p.name, load_corpus(p, settings.sealed, None, settings.cache).matters) for p in folders]
    with TemporaryDirectory() as scratch:
        return measure_gates(
            [(name, matters[:: max(1, len(matters) // limit)][:limit]) for name, matters in loaded],
            resolve_cell(next(iter(ask.cells), "extractive"), settings),
            open_harness(settings),
            settings.cache,
            Path(scratch),
            data / "runs",
            ask.only,
        )


def judge(ask: BenchRequest) -> dict[str, Any]:
    """Input tokens of judging: one call per criterion, cached, in batches (--data a corpus, else examples/)."""
    from tempfile import TemporaryDirectory

    from flows.bench.judge.run import measure_judging
    from flows.runs.cells import resolve_cell
    from flows.runs.plan import open_harness

    corpus = ask.folder() if ask.data else Path("examples")
    with TemporaryDirectory() as scratch:
        return measure_judging(
            corpus if corpus.is_dir() else None,
            resolve_cell(next(iter(ask.cells), "extractive"), ask.settings),
            open_harness(ask.settings),
            ask.settings.cache,
            Path(scratch),
            ask.limit,
        )


def taxonomy(ask: BenchRequest) -> dict[str, Any]:
    """Error classes beside two labellers: confusions, kappa, Other (--labels FILE, --data the shared data)."""
    from flows.bench.taxonomy.run import measure_taxonomy

    return measure_taxonomy(ask.labels, ask.data or Path("../shared/data"))


def nli(ask: BenchRequest) -> dict[str, Any]:
    """Entailment, contradiction or neutral with evidence, without a model (--data contractnli; --limit documents)."""
    from flows.bench.nli.run import measure_nli
    from tasks.models.access import ModelAccess

    return measure_nli(ask.folder(), ModelAccess().client("wordllama", "embeddings").embed, ask.limit)


def _benches() -> dict[str, Callable[[BenchRequest], dict[str, Any]]]:
    return {
        bench.__name__: bench
        for bench in (
            retrieval,
            scale,
            tools,
            grounding,
            ablation,
            warehouse,
            doubling,
            learner,
            faults,
            liveness,
            requests,
            gates,
            gavel,
            runtime,
            sandbox,
            judge,
            taxonomy,
            law,
            nli,
        )
    }


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="bench", subject=subject, message=message, remedy=remedy))
