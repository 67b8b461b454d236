"""What an agent is told and how far its loop may go: whether each line of its prompts and each setting acts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flows.bench.liveness.records import Leaf
from skills_repo.agent_settings import AgentSettings, Opening
from skills_repo.schema import Skill
from tasks.asks.records import Ask, AskKind, Asks
from tasks.drafting.agent.circles import circle
from tasks.drafting.agent.opening import system_message
from tasks.drafting.cli_agents.instructions import instructions, task
from tasks.drafting.mechanisms.records import Step
from tasks.drafting.records import Cell, DraftJob, Limits, Runtime
from tasks.drafting.runtimes.basic import BasicRuntime
from tasks.drafting.runtimes.summary import SummaryRuntime
from tasks.harness import Harness
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.models.access import ModelAccess
from tasks.models.ledger import Ledger
from tasks.models.records import Reply, ToolCall
from tasks.models.transports.scripted import ScriptedModel
from tasks.retrieval.knowledge import card_of
from tasks.retrieval.records import KnowledgePack, Skeleton, SkeletonSection, SkillCard
from tasks.sources.records import CanonicalText, CoverageEntry, MatterState
from tasks.toolbox import ToolRegistry

ROOM = {f"lease-{n}.txt": f"Lease number {n} of the house.\n" + "The rent is due.\n" * 40 for n in range(3)}
_AT_A_CIRCLE = (
    ("same_result", [("a", "x", False)]),
    ("same_error", [("a", "x", True)]),
    ("same_rounds", [("a", "x", False), ("b", "y", False)]),
    ("round_calls", [(name, "x", False) for name in "abcd"]),
)


def told_at_the_opening(harness: Harness, skill: Skill | None = None, **cell: Any) -> str:
    """Return messages and tools of a first request."""
    return _sent(harness, skill, ["done"] * 4, **cell)[0]


def told_of_a_large_room(harness: Harness) -> str:
    """Return the first request where the data room has more documents than are listed."""
    most = max(opening.documents for opening in harness.agent.openings.values())
    room = {f"lease-{n}.txt": "Lease.\n" for n in range(most + 1)}
    return _sent(harness, None, ["done"] * 4, room=room)[0]


def demanded_by(harness: Harness, skill: SkillCard) -> str:
    """Return the system message of a skill's matter."""
    with TemporaryDirectory() as place:
        job = job_of(harness, skill, Path(place), ROOM)
        return system_message(job, next(iter(harness.agent.openings.values())))


def told_in_a_pass(harness: Harness) -> str:
    """Return all that a model is told that cuts off, idles, goes in circles and comes to its last turns."""
    same = Reply(tool_calls=(ToolCall(id="", name="glob", arguments="{}"),))
    script = [Reply(text="cut", finish_reason="length"), "nothing", *[same] * 8]
    return "\n".join(_sent(harness, None, script, max_turns=8))


def told_in_a_revision(harness: Harness) -> str:
    """Return what a model is told that revises."""
    return _sent(harness, None, ["done"] * 4, report="1. A flag.")[0]


def told_of_a_whole_case(harness: Harness) -> str:
    """Return what a model is told that writes from a case which does not fit its window."""
    room = {f"paper-{n}.txt": "The judge gave an order on the motion that was made.\n" * 2000 for n in range(2)}
    return _sent(harness, None, ["Text."], room=room, window=12_000, runtime=SummaryRuntime())[0]


def told_a_program(harness: Harness) -> str:
    """Return what an agent program of others finds in its working folder on a revision."""
    with TemporaryDirectory() as place:
        skill = card_of(next(s for s in harness.skills if s.mandatory_tools))
        job = replace(job_of(harness, skill, Path(place), ROOM), report="1. A flag.")
        return f"{instructions(job)}\n{task(job)}"


def agent(harness: Harness) -> Iterator[Leaf]:
    """Change each setting of the agent; a model must then be sent, or shown, something else."""
    settings = harness.agent
    for field, steps in _AT_A_CIRCLE:
        most = getattr(settings, field)
        times = settings.same_rounds if field == "round_calls" else most
        done = [Step(n, tool, {"n": n * failed}, what, failed) for n, (tool, what, failed) in enumerate(steps * times)]
        other = settings.model_copy(update={field: most - 1 if field == "round_calls" else most + 2})
        yield Leaf("agent", field, circle(done, settings) != circle(done, other))
    for field, value in (("share", 0.01), ("result_share", 0.05), ("result_most", 1000), ("last_call", 0.01)):
        yield Leaf("agent", field, _work(harness) != _work(_with(harness, **{field: value})))
    yield Leaf("agent", "last_turns", told_in_a_pass(harness) != told_in_a_pass(_with(harness, last_turns=3)))
    for name in settings.few_tools:
        fewer = tuple(t for t in settings.few_tools if t != name)
        yield Leaf("agent", f"few_tools: {name}", _least(harness) != _least(_with(harness, few_tools=fewer)))
    for size in settings.openings:
        yield from _opening(harness, size)


def _opening(harness: Harness, size: str) -> Iterator[Leaf]:
    """Change each setting of one size of the opening."""
    skill = next(s for s in harness.skills if s.mandatory_tools)
    before: Opening = harness.agent.openings[size]
    options = {"opening": size}
    now = told_at_the_opening(harness, skill, options=options)
    changes: list[tuple[str, dict[str, Any]]] = [
        ("every_tool", {"every_tool": not before.every_tool}),
        ("leads", {"leads": 0 if before.leads else 5}),
        ("documents", {"documents": 1}),
        ("first_words", {"first_words": 0 if before.first_words else 50}),
        *((f"parts: {part}", {"parts": tuple(p for p in before.parts if p != part)}) for part in before.parts),
    ]
    for name, change in changes:
        openings = {**harness.agent.openings, size: before.model_copy(update=change)}
        other = told_at_the_opening(_with(harness, openings=openings), skill, options=options)
        yield Leaf("agent", f"openings.{size}.{name}", other != now)


def _with(harness: Harness, **changes: Any) -> Harness:
    settings: AgentSettings = harness.agent.model_copy(update=changes)
    return replace(harness, agent=settings)


def _work(harness: Harness) -> str:
    """Return what a model is told and shown that reads a long paper in a small window, and never delivers."""
    read = Reply(tool_calls=(ToolCall(id="", name="read", arguments='{"path": "long.txt"}'),))
    long = {"long.txt": "".join(f"Line {n} of a long paper.\n" for n in range(4000))}
    return "\n".join(_sent(harness, None, [read, "done", "done", "done"], room=long, window=24_000, max_turns=9))


def _least(harness: Harness) -> str:
    return told_at_the_opening(harness, options={"opening": next(reversed(harness.agent.openings))})


def _sent(
    harness: Harness,
    skill: Skill | None,
    script: Sequence[Any],
    report: str = "",
    room: dict[str, str] | None = None,
    window: int = 200_000,
    max_turns: int = 100,
    options: dict[str, Any] | None = None,
    runtime: Runtime | None = None,
) -> list[str]:
    """Return what a model is sent in a pass over a small matter, a text for each request."""
    model = _Recording(script)
    profile = {"model": "scripted", "retries": 0, "context_window": window, "max_output_tokens": 500}
    models = ModelAccess({"m": profile}, Ledger("bench/liveness"), transport=model)
    cell = Cell(
        name="basic", runtime="basic", profile="m", limits=Limits(max_turns=max_turns), options=dict(options or {})
    )
    with TemporaryDirectory() as place:
        job = job_of(harness, card_of(skill or harness.skills[0]), Path(place), room or ROOM)
        (runtime or BasicRuntime()).draft(replace(job, models=models, cell=cell, report=report))
    return [text.replace(place, "") for text in model.sent]


class _Recording(ScriptedModel):
    """A scripted model that keeps what it was sent, tools and all."""

    def __init__(self, script: Sequence[Any]) -> None:
        super().__init__(script)
        self.sent: list[str] = []

    def send(self, profile: Any, request: Any) -> Reply:
        messages = [{k: v for k, v in m.items() if k != "tool_calls"} for m in request.messages]
        self.sent.append(json.dumps([messages, list(request.tools or ())], ensure_ascii=False).replace("\\n", "\n"))
        return super().send(profile, request)


def job_of(harness: Harness, skill: SkillCard, place: Path, room: dict[str, str]) -> DraftJob:
    """Return a job that has all that an opening may speak of: leads, sections, asks, a redline, an unread document."""
    files = [_document(place, name, text) for name, text in room.items()]
    form = Skeleton(deliverable_type="memo", sections=(SkeletonSection(title="Bottom line"),))
    redline = Deliverable(name="r", filename="lease-redline.docx")
    matter = Matter(
        matter_id="bench/liveness",
        title="Lease",
        area="",
        instructions="Redline lease-0.txt. State the rent in a memo.",
        deliverables=(Deliverable(name="m", filename="memo.docx"), redline),
        documents=(*(ref for ref, _ in files), _document(place, "scan.pdf", "%PDF-1.4")[0]),
    )
    pack = KnowledgePack(
        harness_version=harness.version,
        skill=skill,
        skeletons={"memo.docx": form},
        authorities=tuple({"citation": f"Code {n}", "holding": "rent"} for n in range(30)),
    )
    unread = CoverageEntry(document="scan.pdf", status="unread", characters=0)
    state = MatterState(matter_id=matter.matter_id, documents=(), coverage=(unread,))
    texts = {ref.name: text for ref, text in files}
    nowhere: Any = None
    toolbox = ToolRegistry.for_matter(
        matter,
        state=state,
        texts=texts,
        index=nowhere,
        pack=pack,
        workspace=place / "attempt",
        cache=place / "cache",
        harness=harness,
    )
    return DraftJob(
        matter=matter,
        state=state,
        texts=texts,
        index=nowhere,
        pack=pack,
        cell=Cell(name="basic", runtime="basic", profile="m"),
        toolbox=toolbox,
        workspace=place / "attempt",
        harness=harness,
        asks=Asks(
            brief=matter.instructions,
            asks=(Ask(ask_id="1", words="State the rent", start=21, end=35, kind=AskKind.FACT, subject="rent"),),
        ),
    )


def _document(place: Path, name: str, text: str) -> tuple[DocumentRef, CanonicalText]:
    data, file = text.encode(), place / "room" / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    sha = hashlib.sha256(data).hexdigest()
    read = CanonicalText(document=name, sha256=sha, extractor="txt/1", media=name.rpartition(".")[2], text=text)
    return DocumentRef(name=name, path=file, sha256=sha, size=len(data)), read
