"""Whether time grows in step with a document: each kind of input is read at one size and at twice that size.

If a document takes four times as long when its size doubles, a large one blocks a worker for hours. So every step
is measured: reader, reflow, the description with its scanners, clause tree, chunks and references, and the
checks of a deliverable that says the same. Of a brief one step is: its asks.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from flows.bench.tools.doubling_kinds import Kind, kinds
from tasks.sources.records import CanonicalText, DocumentState

ALLOWED = 2.6  # of a linear kind twice the size takes twice the time; the rest is noise and the cost of memory
_STAGES = ("read", "describe", "places", "index", "references", "checks")
_NO_TIME, _TICK = 1e-9, 1e-4  # seconds: no division by zero, and what a clock shows at least
_WARM, _QUARTER = 20, 4  # parts of the size that warms up and that is begun with; the latter is the largest step, too


@dataclass(frozen=True)
class Doubling:
    """One kind of input at a size and at twice that size.

    Attributes:
        kind: What grows.
        size: Size of the smaller document in units.
        seconds: CPU time of all stages for the smaller document.
        doubled: The same for the larger.
        stage: The stage that grew most of all, in seconds.
    """

    kind: str
    size: int
    seconds: float
    doubled: float
    stage: str

    @property
    def ratio(self) -> float:
        """How many times as long the larger document takes."""
        return self.doubled / max(self.seconds, _NO_TIME)


def doubling(
    chosen: Iterable[Kind] | None = None,
    least: float = 0.07,
    repeats: int = 2,
    retries: int = 2,
    stages: Iterable[str] = _STAGES,
) -> list[Doubling]:
    """Measure how each kind of input grows.

    Args:
        chosen: The kinds; all of them when None.
        least: Minimum seconds for the smaller document; it is enlarged until it takes that long.
        repeats: How often each size is measured; the shortest time counts.
        retries: How often a kind that grows too fast is measured again at twice the size, to confirm it.
        stages: Which of read, describe, places, index, references and checks are walked.
    """
    walked = tuple(stages)
    _walk(b"Section 1. The Tenant pays $5 on May 1, 2020.", "a.txt", walked)
    _asks(b"What is the rent?")
    with _all_put_aside():
        return [_double(kind, least, repeats, retries, walked) for kind in (kinds() if chosen is None else chosen)]


@contextmanager
def _all_put_aside() -> Iterator[None]:
    """Let no collection before a walk go through all that the process holds: it would take longer than the walk."""
    frozen = gc.get_freeze_count()
    gc.freeze()
    try:
        yield
    finally:
        if not frozen:  # who froze before us still wants it so
            gc.unfreeze()


def measure_doubling(least: float = 0.4, only: Sequence[str] = ()) -> dict[str, Any]:
    """Measure every kind at sizes that take some tenths of a second, the checks of a deliverable among the stages.

    Args:
        least: Seconds that the smaller document must take at least.
        only: Words of the names of the kinds; all kinds when empty.

    Returns:
        ``{"allowed", "kinds": {name: {"size", "seconds", "doubled", "ratio", "stage"}}, "too_fast": [names]}``;
        seconds are CPU time of this process, ``too_fast`` names the kinds that grow faster than is allowed.
    """
    rows = doubling([k for k in kinds() if not only or any(word in k.name for word in only)], least=least)
    return {
        "allowed": ALLOWED,
        "kinds": {
            row.kind: {
                "size": row.size,
                "seconds": round(row.seconds, 3),
                "doubled": round(row.doubled, 3),
                "ratio": round(row.ratio, 2),
                "stage": row.stage,
            }
            for row in rows
        },
        "too_fast": [row.kind for row in rows if row.ratio > ALLOWED],
    }


def _double(kind: Kind, least: float, repeats: int, retries: int, stages: tuple[str, ...]) -> Doubling:
    _spent(kind, max(1, kind.size // _WARM), 1, stages)  # imports and tables of patterns
    size = max(1, kind.size // _QUARTER)
    one = _spent(kind, size, 1, stages)
    while (took := sum(one.values())) < least:
        size *= min(_QUARTER, max(2, math.ceil(least / max(took, _TICK))))
        one = _spent(kind, size, 1, stages)
    one = _least(one, _spent(kind, size, repeats - 1, stages))
    for attempt in range(retries + 1):
        two = _spent(kind, 2 * size, 1, stages)
        if sum(two.values()) > ALLOWED * sum(one.values()):  # where one look is enough, one is taken
            two = _least(two, _spent(kind, 2 * size, repeats - 1, stages))
        worst = max(two, key=lambda stage: two[stage] - 2 * one[stage])
        row = Doubling(kind.name, size, sum(one.values()), sum(two.values()), worst)
        if row.ratio <= ALLOWED or attempt == retries:
            break
        size, one = 2 * size, two
    return row


def _least(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    return {stage: min(seconds, other.get(stage, seconds)) for stage, seconds in one.items()}


def _spent(kind: Kind, size: int, repeats: int, stages: tuple[str, ...]) -> dict[str, float]:
    """Return the least CPU seconds of each stage over some repeats."""
    data = kind.make(size)
    best: dict[str, float] = {}
    for _ in range(repeats):
        spent = {**dict.fromkeys(stages, 0.0), "asks": _asks(data)} if kind.brief else _walk(data, kind.file, stages)
        for stage, seconds in spent.items():
            best[stage] = min(best.get(stage, seconds), seconds)
    return best


def _walk(data: bytes, name: str, stages: tuple[str, ...]) -> dict[str, float]:
    """Walk a document through the stages; return the CPU seconds of each."""
    from tasks.retrieval.graph.store import read_references
    from tasks.retrieval.indexed_documents import IndexProfile, index_document
    from tasks.sources.extract import extract
    from tasks.sources.inventory import describe
    from tasks.sources.records import SegmentKind

    spent: dict[str, float] = {}
    gc.collect()
    gc.disable()  # what it costs depends on what else the process holds
    try:
        start = time.process_time()
        text = extract(data, name)
        spent["read"] = time.process_time() - start
        start = time.process_time()
        state = describe(text)
        spent["describe"] = time.process_time() - start
        start = time.process_time()
        for segment in text.segments:  # as drafting asks for the row or slide of each line
            text.locate(segment.start, SegmentKind.ROW)
            text.locate(segment.start)
        spent["places"] = time.process_time() - start
        start = time.process_time()
        index_document(text, IndexProfile(embedder="none"))
        spent["index"] = time.process_time() - start
        start = time.process_time()
        read_references(text)
        spent["references"] = time.process_time() - start
        if "checks" in stages:
            start = time.process_time()
            _check(text, state)
            spent["checks"] = time.process_time() - start
    finally:
        gc.enable()
    return {stage: spent[stage] for stage in stages}


def _asks(data: bytes) -> float:
    """Read a brief into its asks; return the CPU seconds."""
    from tasks.asks.parse import parse_asks
    from tasks.harness import packaged
    from tasks.matter.records import Matter
    from tasks.sources.records import MatterState

    matter = Matter(matter_id="bench/doubling", title="A matter", area="bench", instructions=data.decode())
    state, harness = MatterState(matter_id=matter.matter_id, documents=(), coverage=()), packaged()
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        parse_asks(matter, state, harness)
        return time.process_time() - start
    finally:
        gc.enable()


def _check(text: CanonicalText, state: DocumentState) -> None:
    """Run the checks of a deliverable that says what its only document says."""
    from tasks.harness import packaged
    from tasks.matter.records import Matter
    from tasks.reconcile.check import CheckJob
    from tasks.reconcile.citations import check_citations
    from tasks.reconcile.dates.gate import check_dates
    from tasks.reconcile.numbers.gate import check_numbers
    from tasks.retrieval.knowledge import gather
    from tasks.sources.records import MatterState

    matter = Matter(matter_id="bench/doubling", title="", area="bench", instructions="Say what the document says.")
    known = MatterState(matter_id=matter.matter_id, documents=(state,), coverage=())
    harness = packaged()
    pack = gather(matter, known, harness)
    drafts = {"draft.md": text.model_copy(update={"document": "draft.md"})}
    job = CheckJob(drafts, {text.document: text}, matter, known, pack, harness)
    for check in (check_numbers, check_dates, check_citations):
        check(job)
