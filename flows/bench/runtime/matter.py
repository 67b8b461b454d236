"""A made-up matter for the bench of the agent's loop: its papers, its job, the script of its model."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skills_repo.router import route
from tasks.asks.records import Asks
from tasks.drafting.records import Cell, DraftJob, Limits
from tasks.harness import packaged
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.matter.usage import Usage
from tasks.models.access import ModelAccess
from tasks.models.ledger import Ledger
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, Request, ToolCall
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.sources.records import CanonicalText, MatterState
from tasks.toolbox import ToolRegistry

PAPER = "lease.txt"
_LINES = 400  # of the paper: so many that each of the turns reads others
_MEMO = (
    "# Memo\n\n## Bottom line\n\n" + "The tenant of the house pays the rent for the thing that the lease names. " * 6
)


class Metronome:
    """A model that answers at once, or after a while, with one call a turn and words at the end.

    It tells turns apart by the replies that the conversation holds, so one serves many attempts at a time.
    """

    def __init__(self, turns: int, latency: float = 0.0) -> None:
        self.turns, self.latency = turns, latency
        self.under_way = self.most = 0
        self._counting = threading.Lock()

    def send(self, profile: ModelProfile, request: Request) -> Reply:  # noqa: ARG002  (one model, one profile)
        """Return the reply of the turn at hand. Implements ``Transport``."""
        with self._counting:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        if self.latency:
            time.sleep(self.latency)
        with self._counting:
            self.under_way -= 1
        turn = sum(1 for m in request.messages if m["role"] == "assistant")
        usage = Usage(input_uncached=100, output=20, calls=1)
        if turn >= self.turns - 1:
            return Reply(text="The memo is written.", usage=usage, finish_reason="stop")
        name, arguments = _call(turn, last=turn == self.turns - 2)
        call = ToolCall(id=f"c{turn}", name=name, arguments=json.dumps(arguments))
        return Reply(tool_calls=(call,), usage=usage, finish_reason="tool_calls")


def _call(turn: int, last: bool) -> tuple[str, Mapping[str, Any]]:
    """Return the call of a turn: reading in parts, looking for words, keeping notes, and the deliverable at last."""
    if last:
        return "write", {"path": "output/memo.md", "content": _MEMO}
    ways: Sequence[tuple[str, Mapping[str, Any]]] = (
        ("read", {"path": PAPER, "offset": 1 + (turn * 20) % _LINES, "limit": 20}),
        ("grep", {"pattern": f"thing {turn}"}),
        ("write", {"path": "scratch/notes.md", "content": f"Turn {turn}: the rent.\n" * 10}),
    )
    return ways[turn % len(ways)]


def job_at(place: Path, model: Metronome) -> DraftJob:
    """Return the job of one attempt below a folder of its own."""
    text = "".join(
        f"{n}. The tenant of the house pays the rent for thing {n} on the first day.\n" for n in range(_LINES)
    )
    data, workspace = text.encode(), place / "attempt"
    workspace.mkdir(parents=True)
    (place / PAPER).write_bytes(data)
    sha, harness = hashlib.sha256(data).hexdigest(), packaged()
    matter = Matter(
        matter_id="bench/runtime",
        title="Rent",
        area="lease",
        instructions="State the rent.",
        deliverables=(Deliverable(name="memo", filename="memo.md"),),
        documents=(DocumentRef(name=PAPER, path=place / PAPER, sha256=sha, size=len(data)),),
    )
    texts = {PAPER: CanonicalText(document=PAPER, sha256=sha, extractor="txt/1", media="txt", text=text)}
    state = MatterState(matter_id=matter.matter_id, documents=(), coverage=())
    skill = route(harness.skills, "Rent").skill.model_copy(update={"mandatory_tools": ()})
    card = SkillCard.model_validate(skill.model_dump(include=set(SkillCard.model_fields)))
    pack = KnowledgePack(harness_version=harness.version, skill=card, skeletons={})
    nowhere: Any = None  # no search is asked for
    toolbox = ToolRegistry.for_matter(
        matter,
        state=state,
        texts=texts,
        index=nowhere,
        pack=pack,
        workspace=workspace,
        cache=place / "cache",
        harness=harness,
    )
    models = ModelAccess({"m": {"model": "scripted", "context_window": 400_000}}, Ledger("bench"), transport=model)
    return DraftJob(
        matter=matter,
        state=state,
        texts=texts,
        index=nowhere,
        pack=pack,
        cell=Cell(name="basic:m", runtime="basic", profile="m", limits=Limits(max_turns=model.turns + 10)),
        toolbox=toolbox,
        workspace=workspace,
        harness=harness,
        asks=Asks(brief=matter.instructions, asks=()),
        models=models,
    )
