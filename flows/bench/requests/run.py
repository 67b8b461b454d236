"""Run the requests of the bench and tell what became of their asks."""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flows.bench.requests.gold import OPEN, Half, Request, requests_of
from flows.bench.requests.reading import total
from flows.bench.requests.score import FALSE, STATED, AskVerdict, ScoredRequest, score
from flows.runs.orders import Order
from flows.runs.solving import solve_in_process
from flows.runs.stages import read_output, texts_of
from tasks.drafting.records import Cell
from tasks.harness import HarnessRef
from tasks.matter.failures import SolonError
from tasks.matter.loading import load_folder
from tasks.matter.usage import Usage


def measure_requests(
    data: Path,
    cell: Cell,
    harness: HarnessRef,
    cache: Path,
    *,
    half: Half = "development",
    limit: int | None = None,
    only: Sequence[str] = (),
    sample: int | None = None,
) -> dict[str, Any]:
    """Run a half of the requests.

    Args:
        data: The folder of the shared data; requests whose documents are not there are skipped and counted.
        cell: The cell that drafts.
        harness: The harness.
        cache: Cache of the stages.
        half: Of a held-out set only totals are told.
        limit: At most so many requests.
        only: Words of which the name or kind of a request holds one.
        sample: So many requests, the first by the SHA-256 of their names; all when None.
    """
    with TemporaryDirectory() as place:
        scratch = Path(place)
        wanted = _drawn([r for r in requests_of(half, scratch / "held") if _is_meant(r, only)], sample)[:limit]
        there = [r for r in wanted if all(p.is_file() for p in r.paths(data))]
        ran = list(_run(there, data, cell, harness, cache, scratch))
    scored = [r.found for r in ran]
    return {
        **_totals(scored),
        "cost": _cost(ran),
        "skipped": len(wanted) - len(there),
        **(_details(scored) if half in OPEN else {}),
    }


@dataclass(frozen=True)
class RanRequest:
    """A request that was run: what came of it, or why nothing did, what the model cost, and seconds of drafting."""

    found: ScoredRequest | str
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    ended: str = "failed"


def _drawn(requests: Sequence[Request], sample: int | None) -> list[Request]:
    """Return the first requests by the hash of their names, in the order of the names."""
    by_hash = sorted(requests, key=lambda r: hashlib.sha256(r.request_id.encode()).hexdigest())
    drawn = {r.request_id for r in by_hash[:sample]}
    return [r for r in requests if r.request_id in drawn]


def _is_meant(request: Request, only: Sequence[str]) -> bool:
    return not only or any(word in f"{request.kind} {request.request_id}" for word in only)


def _run(
    requests: Sequence[Request], data: Path, cell: Cell, harness: HarnessRef, cache: Path, scratch: Path
) -> Iterator[RanRequest]:
    for request in requests:
        room = scratch / "rooms" / request.request_id
        room.mkdir(parents=True)
        for path in request.paths(data):
            shutil.copyfile(path, room / path.name)
        folder = scratch / "work" / request.request_id
        (folder / "output").mkdir(parents=True)
        try:
            matter = load_folder(room, request.brief, [request.deliverable])
            order = Order(
                run_id="bench", matter=matter, cell=cell, epoch=1, number=1, folder=folder, cache=cache, harness=harness
            )
            solved = solve_in_process(order)
            cost = (order.account().used, solved.stage_seconds.get("draft", 0.0), solved.product.outcome)
            if solved.product.outcome == "failed":  # no failure of a model is scored as one of the work
                yield RanRequest(f"{request.request_id}: {'; '.join(f.line() for f in solved.product.failures)}", *cost)
                continue
            yield RanRequest(score(request, solved.report, texts_of(order), read_output(folder / "output")), *cost)
        except SolonError as error:
            yield RanRequest(f"{request.request_id}: {error.failure.line()}")


def _totals(found: Sequence[ScoredRequest | str]) -> dict[str, Any]:
    scored = [s for s in found if isinstance(s, ScoredRequest)]
    asks = [a for s in scored for a in s.asks if a.kind != "constraint"]
    kinds = sorted({s.kind for s in scored})
    return {
        "requests": len(scored),
        "failed": len(found) - len(scored),
        **_figures([a.verdict for a in asks]),
        "extra": sum(s.extra for s in scored),
        "reading": total([s.reading for s in scored]).model_dump(),
        "released_wrongly": sum(s.released_wrongly for s in scored),
        "status_right": _share(sum(s.status_right for s in scored), len(scored)),
        "statuses": dict(Counter(s.status for s in scored)),
        "kinds": {
            kind: _figures([a.verdict for s in scored if s.kind == kind for a in s.asks if a.kind != "constraint"])
            for kind in kinds
        },
        "expected": {
            expect: _figures([a.verdict for a in asks if a.expect == expect])
            for expect in ("answered", "not_found", "not_attempted")
        },
    }


def _cost(ran: Sequence[RanRequest]) -> dict[str, Any]:
    """Return what the drafts cost: model calls, tokens by kind, seconds of drafting, and how the drafting ended."""
    used = sum((r.usage for r in ran), Usage())
    return {
        "calls": used.calls,
        "prompt_tokens": used.input_uncached + used.cache_write,
        "cached_tokens": used.cache_read,
        "written_tokens": used.output,
        "draft_seconds": round(sum(r.seconds for r in ran), 1),
        "ended": dict(Counter(r.ended for r in ran)),
    }


def _figures(verdicts: Sequence[AskVerdict]) -> dict[str, Any]:
    counts = Counter(verdicts)
    stated = sum(counts[v] for v in STATED)
    return {
        "asks": len(verdicts),
        **{v.value: counts[v] for v in AskVerdict},
        "false_of_stated": _share(sum(counts[v] for v in FALSE), stated),
    }


def _share(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def _details(found: Sequence[ScoredRequest | str]) -> dict[str, Any]:
    return {
        "failures": [s for s in found if isinstance(s, str)],
        "details": [s.model_dump(mode="json") for s in found if isinstance(s, ScoredRequest)],
    }


def render(result: dict[str, Any]) -> str:
    """Return the table: what became of the asks, by kind of request."""
    names = ["asks", *(v.value for v in AskVerdict), "false_of_stated"]
    lines = [f"{'':14}" + "".join(f"{n:>11}" if n != "false_of_stated" else f"{'false, %':>11}" for n in names)]
    rows = [("all", result), *result["kinds"].items(), *((f"({k})", v) for k, v in result["expected"].items())]
    for name, row in rows:
        cells = "".join(f"{'–' if row[n] is None else row[n]:>11}" for n in names)
        lines.append(f"{name:14}{cells}")
    lines.append(
        f"{result['requests']} requests ({result['skipped']} skipped: their documents are not there; "
        f"{result['failed']} failed); release status right in {result['status_right']} %; released with a false or "
        f"dropped answer {result['released_wrongly']}; asks that are none {result['extra']}; {result['statuses']}"
    )
    lines.append("cost: " + ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in result["cost"].items()))
    lines.append("the brief as asks: " + ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in result["reading"].items()))
    for told in result.get("details", ()):
        lines.append(f"\n{told['request_id']} ({told['kind']}): {told['status']}")
        lines += [_line(a) for a in told["asks"] if a["verdict"] != "right"]
    return "\n".join([*lines, *result.get("failures", ())])


def _line(ask: dict[str, Any]) -> str:
    said = " / ".join(ask["said"])[:300]
    return f"  {ask['verdict']:10} {ask['expect']:13} {ask['words'][:90]!r} <- {','.join(ask['read_as'])} {said}"
