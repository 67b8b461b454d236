"""The prompts: whether each of their lines reaches a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from flows.bench.liveness.agent import (
    told_a_program,
    told_at_the_opening,
    told_in_a_pass,
    told_in_a_revision,
    told_of_a_large_room,
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

_FIRST_PASS = ("api", "api_matter", "table_of_asks", "reviser")
"""The prompts that the messages of a first pass, or of a revision, are made of; the others are sent on their own."""
_CHANGED = " (changed)"
_CELL = Cell(name="api", runtime="api", profile="m")


def prompts(harness: Harness) -> Iterator[Leaf]:
    """Change each line of each prompt and send what a model receives anew.

    What is built for a first pass and a revision is compared as it is built; what answers a reply, or asks which
    sentences to keep, as a transport records it.
    """
    skill = card_of(harness.skills[0])
    before = _both_passes(skill, harness)
    for role in (field.name for field in fields(harness.prompts)):
        template: PromptTemplate = getattr(harness.prompts, role)
        lines = template.text.splitlines()
        for number, line in enumerate(lines):
            if line.strip():
                other = PromptTemplate("\n".join([*lines[:number], f"{line}{_CHANGED}", *lines[number + 1 :]]))
                changed = replace(harness, prompts=replace(harness.prompts, **{role: other}))
                alive = _filled(other) != _filled(template)
                if role not in _FIRST_PASS:
                    alive = alive and _CHANGED in _SENT[role](changed)
                elif "?}" not in _paragraph(template, line):
                    alive = alive and _both_passes(skill, changed) != before
                yield Leaf("prompts", f"{role}: {line[:60]}", alive)


def system_prompt(skill: SkillCard, harness: Harness, report: str = "") -> str:
    """Return the system message that precedes the documents."""
    return build_prompt(_job(skill, harness, report), Context(code="c0de"), {})[0]["content"]


def _both_passes(skill: SkillCard, harness: Harness) -> str:
    """Return the messages of a first pass and of a revision."""
    return "\n".join(
        message["content"]
        for report in ("", "1. A flag.")
        for message in build_prompt(_job(skill, harness, report), Context(code="c0de"), {"memo.docx": "# Memo"})
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
    questions.answers("Which law?", given)
    questions.wanted("How much?", "money", given)
    questions.bearing("Is it fair?", given)
    return [message["content"] for request in model.requests for message in request]


def _in_advising(harness: Harness) -> str:
    """Return what a model is sent that directs an interrogation."""
    model = ScriptedModel(lambda _: "{}")
    client = ModelClient(ModelProfile(name="m", model="scripted"), transport=model)
    advisor = ModelAdvisor(Asker(client, Limits(), Transcript(), "bench/liveness"), harness.prompts)
    advisor.choose(Dialogue(), None, ())
    return "\n".join(message["content"] for request in model.requests for message in request)


_SENT: Mapping[str, Callable[[Harness], str]] = MappingProxyType(
    {
        "api_missing": _in_answer_to_a_reply,
        "api_continue": _in_answer_to_a_reply,
        "agent": told_at_the_opening,
        "agent_matter": told_of_a_large_room,
        "agent_idle": told_in_a_pass,
        "agent_cut": told_in_a_pass,
        "agent_circle": told_in_a_pass,
        "agent_last": told_in_a_pass,
        "agent_revise": told_in_a_revision,
        "cli": told_a_program,
        "cli_matter": told_a_program,
        **dict.fromkeys(
            ("extract_agent", "extract_snapshot", "extract_review", "extract_circle", "extract_cut"), told_to_an_agent
        ),
        **dict.fromkeys(("extract", "extract_case", "extract_chunk", "extract_again"), told_without_tools),
        "chooser": _in_choosing_sentences,
        "chooser_passage": _in_choosing_sentences,
        "guided": _in_narrow_questions,
        "guided_passages": _in_narrow_questions,
        "guided_provision": _in_narrow_questions,
        "guided_answers": _in_narrow_questions,
        "guided_bearing": _in_narrow_questions,
        "guided_value": _in_narrow_questions,
        "guided_wanted": _in_narrow_questions,
        "interrogator": _in_advising,
        "interrogator_next": _in_advising,
        "research": sent_in_research,
        "research_methods": sent_in_research,
        "research_answer": sent_in_research,
    }
)


def _filled(template: PromptTemplate) -> str:
    """Return a prompt with every slot filled, so that no paragraph of it falls away."""
    return template.filled(**dict.fromkeys(template.slots(), "x"))


def _paragraph(template: PromptTemplate, line: str) -> str:
    return next((p for p in template.text.split("\n\n") if line in p), "")


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
