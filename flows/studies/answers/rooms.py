"""The room of a brief over some papers, as a draft would have it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from flows.runs import stages
from flows.runs.cells import resolve_cell
from flows.runs.orders import Order
from flows.runs.plan import open_harness
from flows.settings import Settings
from tasks.drafting.extractive.reading import read
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.transcript import Transcript
from tasks.matter.loading import load_folder


def room_of(papers: Sequence[Path], brief: str, settings: Settings, scratch: Path) -> Room:
    """Return the room of a brief; ``scratch`` is an empty folder."""
    data, work = scratch / "papers", scratch / "work"
    data.mkdir(parents=True)
    work.mkdir()
    for paper in papers:
        shutil.copyfile(paper, data / paper.name[-80:])
    order = Order(
        run_id="study",
        matter=load_folder(data, brief, ["memo.docx"]),
        cell=resolve_cell("extractive", settings),
        epoch=1,
        number=1,
        folder=work,
        cache=settings.cache,
        harness=open_harness(settings),
    )
    state = stages.inventory(order)
    asks, pack = stages.asks(order, state), stages.gather(order, state)
    job = stages.jobs_of(order, state, asks, pack)(work)
    states = {s.document: s for s in state.documents}
    texts = (job.texts[name] for name in sorted(job.texts))
    readings = tuple(read(t, states.get(t.document), job.index, job.harness.knowledge) for t in texts)
    return Room(job, readings, pack.skill.procedure, Transcript())
