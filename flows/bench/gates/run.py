"""The bench of the gates: errors of twelve kinds in drafts, what the gates catch, and what they flag wrongly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from flows.bench.gates.drafts import BenchDraft, prose_drafts, runtime_drafts
from flows.bench.gates.plant import KINDS, MECHANICAL
from flows.bench.gates.scene import HALVES, Scene
from flows.runs.orders import Order
from flows.runs.stages import read_output
from tasks.drafting.records import Cell
from tasks.harness import HarnessRef, parsed
from tasks.matter.records import Matter
from tasks.reconcile.records import Finding
from tasks.reconcile.registry import run_check

_READ = ("number", "date", "citation")  # the gates whose findings have a place in the draft
_AIMS = {"mechanical": 90.0, "others": 60.0, "true": 80.0}
RUNTIMES = ("prose", "extractive", "agents")


def measure_gates(
    corpora: Iterable[tuple[str, Sequence[Matter]]],
    cell: Cell,
    harness: HarnessRef,
    cache: Path,
    scratch: Path,
    runs: Path,
    only: Sequence[str] = (),
) -> dict[str, Any]:
    """Plant errors in drafts about matters and check them.

    Args:
        corpora: Matters by the name of their corpus.
        cell: Of the runtime that drafts.
        harness: The harness, whose gates judge.
        cache: Cache of the stages.
        scratch: A folder for work products.
        runs: Outputs of agents; those whose sources are not there are left out, with the reason.
        only: Runtimes; all when empty.
    """
    rows: list[dict[str, Any]] = []
    for corpus, matters in corpora:
        for matter in matters:
            for draft in _drafts(matter, cell, harness, cache, scratch / corpus, only or RUNTIMES):
                rows.extend(_checked(draft))
    halves = {half: _counted([r for r in rows if r["half"] == half]) for half in HALVES}
    wrong = [r for r in rows if r["half"] == HALVES[0] and bool(r["flags"]) != bool(r["kind"])]
    return {
        "halves": halves,
        "runtimes": _by_runtime(rows),
        "agents": agents_skipped(runs),
        "aims": _AIMS,
        "wrong": wrong,
    }


def _drafts(
    matter: Matter, cell: Cell, harness: HarnessRef, cache: Path, scratch: Path, only: Sequence[str]
) -> Iterator[BenchDraft]:
    order = Order(
        run_id="bench", matter=matter, cell=cell, epoch=1, number=1, folder=scratch / matter.matter_id,
        cache=cache, harness=harness,
    )  # fmt: skip
    scene = _scene(order)
    if "prose" in only:
        yield from prose_drafts(scene)
    if "extractive" in only:
        for text in _extractive(order):
            yield from runtime_drafts(scene, "extractive", text)


def _scene(order: Order) -> Scene:
    from flows.runs import stages
    from tasks.retrieval.stage import build_index

    state, texts, harness = stages.inventory(order), stages.texts_of(order), parsed(order.harness)
    pack = stages.gather(order, state)
    index = build_index(order.matter, texts, order.cache, knowledge=harness.knowledge)
    return Scene(order.matter, state, texts, pack, harness, index)


def _extractive(order: Order) -> list[Any]:
    """Draft with the cell, once: a work product that is there is taken."""
    from flows.runs import stages

    output = order.folder / "output"
    if not output.is_dir() or not any(output.iterdir()):
        output.mkdir(parents=True, exist_ok=True)
        state = stages.inventory(order)
        stages.draft(order, state, stages.asks(order, state), stages.gather(order, state))
    return list(read_output(output).values())


def _checked(draft: BenchDraft) -> Iterator[dict[str, Any]]:
    """Yield a row for each line of a draft with the flags on it, and one for flags that lie on no line."""
    job = draft.scene.job({draft.text.document: draft.text})
    found = [f for gate in _READ for f in run_check(gate, job).findings if f.severity != "note"]
    given = {"half": draft.scene.half, "runtime": draft.runtime, "matter": draft.scene.matter.matter_id}
    taken: set[int] = set()
    for line in draft.lines:
        on = [n for n, f in enumerate(found) if f.start < line.end and line.start < f.end]
        taken.update(on)
        yield {**given, "kind": line.kind, "text": line.text, "flags": [_told(found[n]) for n in on]}
    rest = [_told(f) for n, f in enumerate(found) if n not in taken]
    if rest:
        yield {**given, "kind": "", "text": "(elsewhere)", "flags": rest}


def _told(finding: Finding) -> str:
    return f"{finding.gate}.{finding.kind}: {finding.text[:80]!r} {finding.checked[:200]}"


def _counted(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    kinds = {k: [r for r in rows if r["kind"] == k] for k in KINDS}
    flags = sum(len(r["flags"]) for r in rows)
    true = sum(len(r["flags"]) for r in rows if r["kind"])
    mechanical, others = (
        [r for k in KINDS if (k in MECHANICAL) is wanted for r in kinds[k]] for wanted in (True, False)
    )
    return {
        "kinds": {k: {"planted": len(of), "caught": _caught(of), "share": _share(of)} for k, of in kinds.items()},
        "mechanical": _share(mechanical),
        "others": _share(others),
        "flags": flags,
        "true": true,
        "true_share": round(100 * true / flags, 1) if flags else None,
        "clean": sum(not r["kind"] for r in rows),
        "clean_flagged": sum(bool(r["flags"]) for r in rows if not r["kind"]),
    }


def _caught(rows: Sequence[dict[str, Any]]) -> int:
    return sum(bool(r["flags"]) for r in rows)


def _share(rows: Sequence[dict[str, Any]]) -> float | None:
    return round(100 * _caught(rows) / len(rows), 1) if rows else None


def _by_runtime(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    by: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by[row["runtime"]].append(row)
    return {name: _counted(of) for name, of in sorted(by.items())}


def agents_skipped(runs: Path) -> dict[str, int]:
    """Count the outputs of agents by why they were left out."""
    told: Counter[str] = Counter()
    for folder in sorted(p for p in runs.iterdir() if p.is_dir()) if runs.is_dir() else ():
        has_output = any((folder / "output").glob("*")) if (folder / "output").is_dir() else False
        told["no work product among the data" if not has_output else "its sources are not among the data"] += 1
    return dict(told)


def render(result: dict[str, Any]) -> str:
    """Return the tables: planted and caught by kind and half, and how many flags are true."""
    head = f"{'kind':18}" + "".join(f"{half:>26}" for half in HALVES)
    lines = [head, f"{'':18}" + f"{'planted  caught      %':>26}" * len(HALVES)]
    for kind in KINDS:
        lines.append(f"{kind:18}" + "".join(_cells(result["halves"][half]["kinds"][kind]) for half in HALVES))
    for name in ("mechanical", "others", "true_share"):
        shares = "".join(f"{_percent(result['halves'][half][name]):>26}" for half in HALVES)
        lines.append(f"{name.replace('true_share', 'flags that are true'):18}{shares}")
    for name, of in (*result["halves"].items(), *result["runtimes"].items()):
        lines.append(
            f"{name}: {of['true']} of {of['flags']} flags true; {of['clean_flagged']} of {of['clean']} clean lines "
            f"flagged; mechanical {_percent(of['mechanical'])}, others {_percent(of['others'])}"
        )
    lines += [f"agents: {n} skipped: {why}" for why, n in result["agents"].items()]
    return "\n".join(lines)


def _cells(row: dict[str, Any]) -> str:
    return f"{row['planted']:>11}{row['caught']:>8}{_percent(row['share']):>7}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
