"""The bench of judging: the same matters judged singly and in batches, and what each sends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from flows.bench.judge.made_up import write_matter
from flows.bench.judge.meter import TOKENIZER, TitleMeter
from flows.runs.orders import Order
from tasks.drafting.records import Cell
from tasks.harness import HarnessRef
from tasks.judging.stage import judge, read_deliverables
from tasks.matter.loading import load_corpus
from tasks.matter.records import Matter

AIM = 0.1  # share of the tokens that batches may send of what single questions send
_REAL = "made-up matter of real size"
_MODELS: Mapping[str, Any] = {
    "models": {"counted": {"model": "scripted", "retries": 0, "context_window": 200_000}},
    "judges": {
        "single": {"seats": ["counted"], "batch": 1, "canaries": False},
        "batched": {"seats": ["counted"]},  # as a profile is where nothing else is said: with canaries
    },
}


def measure_judging(
    corpus: Path | None, cell: Cell, harness: HarnessRef, cache: Path, scratch: Path, limit: int | None
) -> dict[str, Any]:
    """Judge a made-up matter, and drafts of the matters of a corpus, by one call per criterion and in batches.

    Args:
        corpus: Matters to draft and judge; None for none.
        cell: Of the runtime that drafts them.
        harness: The harness it drafts by.
        cache: Cache of the solver's stages.
        scratch: A folder for rubrics, drafts and judgements.
        limit: Matters of the corpus at most.
    """
    output = write_matter(scratch)
    sealed = scratch / "sealed"
    (made_up,) = load_corpus(scratch / "corpus", sealed, None, cache).matters
    rows = {_REAL: _measured(made_up, output, sealed, scratch)}
    for matter in load_corpus(corpus, sealed, limit, cache).matters if corpus else ():
        rows[matter.matter_id] = _measured(matter, _drafted(matter, cell, harness, cache, scratch), sealed, scratch)
    return {"tokenizer": TOKENIZER.model, "aim": AIM, "matters": rows, "broke": list(_complaints(rows))}


def _measured(matter: Matter, output: Path, sealed: Path, scratch: Path) -> dict[str, Any]:
    told: dict[str, Any] = {}
    verdicts = []
    for way in ("single", "batched"):
        meter = TitleMeter()
        report = judge(matter, output, sealed, way, scratch, models=_MODELS, mode="off", transport=meter)
        verdicts.append([(v.criterion_id, v.status) for v in report.verdicts])
        told[way] = {"calls": meter.calls, "input": meter.input, "input_cached": round(meter.cached)}
    first = told["single"]["input"]
    status = [status for _, status in verdicts[0]]
    return {
        "criteria": len(status),
        "passed": status.count("pass"),
        "unscored": status.count("unscored"),
        "words": sum(len(text.text.split()) for text in read_deliverables(output).values()),
        **told,
        "share": {
            "cached": round(told["single"]["input_cached"] / first, 4) if first else None,
            "batched": round(told["batched"]["input"] / first, 4) if first else None,
            "batched_cached": round(told["batched"]["input_cached"] / first, 4) if first else None,
        },
        "same_verdicts": verdicts[0] == verdicts[1],
    }


def _drafted(matter: Matter, cell: Cell, harness: HarnessRef, cache: Path, scratch: Path) -> Path:
    from flows.runs import stages

    folder = scratch / "drafts" / matter.matter_id
    (folder / "output").mkdir(parents=True)
    order = Order(
        run_id="bench", matter=matter, cell=cell, epoch=1, number=1, folder=folder, cache=cache, harness=harness
    )
    state = stages.inventory(order)
    stages.draft(order, state, stages.asks(order, state), stages.gather(order, state))
    return folder / "output"


def _complaints(rows: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Say what is not as it should be; the aim is one for a matter of real size."""
    for name, row in rows.items():
        if not row["same_verdicts"]:
            yield f"{name}: the verdicts of the batches are not those of single calls"
        if row["unscored"]:
            yield f"{name}: {row['unscored']} criteria are unscored"
    if (share := rows[_REAL]["share"]["batched"]) > AIM:
        yield f"{_REAL}: batches send {share:.1%} of what single calls send"


def render(result: Mapping[str, Any]) -> str:
    """Return the table of a result."""
    lines = [_line("matter", "criteria", "passed", "words", "calls", "single", "cached", "calls", "batched", "cached")]
    for name, row in result["matters"].items():
        single, batched, share = row["single"], row["batched"], row["share"]
        counts = (row["criteria"], row["passed"], row["words"])
        lines.append(_line(name, *counts, *single.values(), *batched.values()))
        parts = (1.0, share["cached"], "", share["batched"], share["batched_cached"])
        lines.append(_line("", "", "", "", "", *(f"{p:.1%}" if isinstance(p, float) else p for p in parts)))
    lines.append("batches with their canaries; tokens of input; cached: what is read from a cache counts a tenth")
    lines += [f"BROKE {line}" for line in result["broke"]] or ["the verdicts are the same in all ways"]
    return "\n".join(lines)


def _line(*cells: object) -> str:
    first, *rest = (f"{c:,}" if isinstance(c, int) else str(c) for c in cells)
    return f"{first:<44}" + "".join(f"{c:>9}" for c in rest)
