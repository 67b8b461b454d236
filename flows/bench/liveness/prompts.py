"""The prompts: whether each of their lines reaches a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from flows.bench.liveness.agent import (
    ROOM,
    job_of,
    told_a_program,
    told_at_the_opening,
    told_in_a_pass,
    told_in_a_revision,
    told_of_a_large_room,
    told_of_a_whole_case,
)
from flows.bench.liveness.extraction import told_to_an_agent, told_without_tools
from flows.bench.liveness.records import Leaf
from flows.bench.liveness.research import sent_in_research
from skills_repo.template import PromptTemplate
from tasks.asks.records import Asks
from tasks.drafting.api.context import Context
from tasks.drafting.api.prompt import build_prompt
from tasks.drafting.extractive.reading import read
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.guided.asking import Asker
from tasks.drafting.guided.questions import Questioner
from tasks.drafting.guided.records import Shown
from tasks.drafting.interrogator.advising import ModelAdvisor
from tasks.drafting.interrogator.records import Dialogue
from tasks.drafting.narrowing import ModelChooser
from tasks.drafting.records import Cell, DraftJob, Limits
from tasks.drafting.runtimes.api import ApiRuntime
from tasks.harness import Harness
from tasks.matter.records import Deliverable, Matter
from tasks.models.access import ModelAccess
from tasks.models.client import ModelClient
from tasks.models.ledger import Ledger
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply
from tasks.models.transports.scripted import ScriptedModel
from tasks.retrieval.knowledge import card_of
from tasks.retrieval.provisions import Provision, catalogue_of
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.sources.records import CanonicalText, MatterState
from tasks.toolbox import ToolRegistry

_CELL = Cell(name="api", runtime="api", profile="m")


def prompts(harness: Harness) -> Iterator[Leaf]:
    """Mark each line of each prompt, and look for the marks in all that models are sent.

    No prompt is named here: one that no stage sends, or a line that falls away wherever it is sent, is dead.
    """
    marks: list[tuple[str, str]] = []

    def marked(role: str, line: str) -> str:
        marks.append((f"{role}: {line[:60]}", f"(mark {len(marks)})"))
        return f"{line} {marks[-1][1]}"

    templates = {field.name: getattr(harness.prompts, field.name) for field in fields(harness.prompts)}
    others = {
        role: PromptTemplate("\n".join(marked(role, x) if x.strip() else x for x in template.text.splitlines()))
        for role, template in templates.items()
    }
    changed = replace(harness, prompts=replace(harness.prompts, **others))
    sent = "\n".join(send(changed) for send in _SENDERS)
    for name, mark in marks:
        yield Leaf("prompts", name, mark in sent)


def system_prompt(skill: SkillCard, harness: Harness, report: str = "") -> str:
    """Return the system message that precedes the documents."""
    return str(build_prompt(_job(skill, harness, report), Context(code="c0de"), {})[0]["content"])


def _both_passes(harness: Harness) -> str:
    """Return the messages of a first pass and of a revision, over a room that has all they may speak of."""
    shown = Context(documents="d", extracts="lease-0.txt", unread="scan.pdf", skipped=("scan.pdf",), code="c0de")
    with TemporaryDirectory() as place:
        job = job_of(harness, card_of(harness.skills[0]), Path(place), ROOM)
        return "\n".join(
            message["content"]
            for report in ("", "1. A flag.")
            for message in build_prompt(replace(job, report=report), shown, {"memo.docx": "# Memo"})
        )


def _in_answer_to_a_reply(harness: Harness) -> str:
    """Return what the runtime of one prompt sends after a reply that was cut off and one that lacks a file."""
    model = ScriptedModel([Reply(text="", finish_reason="length"), "no file", "no file"])
    models = ModelAccess({"m": {"model": "scripted"}}, Ledger("bench/liveness"), transport=model)
    with TemporaryDirectory() as place:
        job = _job(card_of(harness.skills[0]), harness, "")
        ApiRuntime().draft(replace(job, models=models, workspace=Path(place), cell=_CELL))
    return "\n".join(request[-1]["content"] for request in model.requests[1:])


def _in_choosing_sentences(harness: Harness) -> str:
    """Return what a model is sent that chooses sentences."""
    model = ScriptedModel(['{"sentences": [1]}'])
    client = ModelClient(ModelProfile(name="m", model="scripted"), transport=model)
    ModelChooser(client, harness.prompts).choose("Which law?", "Law", ["Ohio law.", "No other."])
    return "\n".join(message["content"] for request in model.requests for message in request)


def _in_narrow_questions(harness: Harness) -> str:
    """Return what a model is sent that is asked narrow questions about sentences."""
    topic = next(p for p in catalogue_of(harness.knowledge) if p.means and p.aliases)
    return "\n".join(asked_of(topic, harness))


def asked_of(topic: Provision, harness: Harness) -> list[str]:
    """Return the messages of every narrow question about a provision."""
    model = ScriptedModel(lambda _: "{}")
    client = ModelClient(ModelProfile(name="m", model="scripted"), transport=model)
    questions = Questioner(
        Asker(client, Limits(), Transcript(), "bench/liveness"), harness.prompts, "The cap is missed."
    )
    paper = CanonicalText(document="a.txt", sha256="0" * 64, extractor="txt/1", media="txt", text="Ohio law governs.")
    reading = read(paper, None, None, harness.knowledge)
    given = Shown("a.txt", reading.units, reading.plain, [reading])
    questions.provision(topic, given)
    questions.value(topic, given)
    questions.bearing("Is it fair?", given)
    questions.choice("Which law?", given)
    questions.follows("Does Ohio law govern?", given)
    questions.work("How much?", "Of $10 and $20.", given)
    questions.view("Is it fair?", given)
    return [message["content"] for request in model.requests for message in request]


def _in_advising(harness: Harness) -> str:
    """Return what a model is sent that directs an interrogation."""
    model = ScriptedModel(lambda _: "{}")
    client = ModelClient(ModelProfile(name="m", model="scripted"), transport=model)
    advisor = ModelAdvisor(Asker(client, Limits(), Transcript(), "bench/liveness"), harness.prompts)
    advisor.choose(Dialogue(), None, ())
    return "\n".join(message["content"] for request in model.requests for message in request)


_SENDERS: tuple[Callable[[Harness], str], ...] = (
    _both_passes,
    _in_answer_to_a_reply,
    told_at_the_opening,
    told_of_a_large_room,
    told_in_a_pass,
    told_in_a_revision,
    told_a_program,
    told_to_an_agent,
    told_without_tools,
    told_of_a_whole_case,
    _in_choosing_sentences,
    _in_narrow_questions,
    _in_advising,
    sent_in_research,
)
"""What models are sent by the stages, one kind of conversation each."""


def _job(skill: SkillCard, harness: Harness, report: str) -> DraftJob:
    return DraftJob(
        matter=Matter(
            matter_id="bench/liveness",
            title="t",
            area="",
            instructions="i",
            deliverables=(Deliverable(name="m", filename="memo.docx"),),
        ),
        state=MatterState(matter_id="bench/liveness", documents=(), coverage=()),
        texts={},
        index=None,  # type: ignore[arg-type]
        pack=KnowledgePack(harness_version=harness.version, skill=skill, skeletons={}),
        cell=_CELL,
        toolbox=ToolRegistry(tools={}),
        workspace=Path(),
        harness=harness,
        asks=Asks(brief="i", asks=()),
        report=report,
    )
