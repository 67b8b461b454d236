"""The prompts of the harness: whole files, each used by a stage; no words of a prompt stand in code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Final

from skills_repo.template import PromptTemplate, load_templates


def _slots(*names: str) -> dict[str, tuple[str, ...]]:
    """Say what the code has to say to a prompt. A file that leaves one out, or asks for another, is refused."""
    return {"slots": names}


@dataclass(frozen=True)
class Prompts:
    """The prompts by file name: the role or the moment they are for, each with the slots that the code fills.

    Attributes:
        api: System message of the runtime of one prompt.
        api_matter: Its user message: documents, brief, and on a revision the draft and the report on it.
        api_missing: Asks for the files that a reply left out.
        api_continue: Asks for the rest of a reply that was cut off.
        cli: Instructions that an agent program finds in its working folder.
        cli_matter: What such a program is asked to do: the brief, and on a revision the report on its draft.
        table_of_asks: How a work product shows what became of each ask; part of what a solver is told.
        agent: System message of an agent with tools.
        agent_matter: Its first user message: the data room, the brief and its asks.
        agent_idle: Said once where it stops calling tools before anything is delivered.
        agent_cut: Said where a reply was cut off.
        agent_circle: Said once where it goes in circles.
        agent_ends: Said where it goes on in circles, with what its guards miss: the last turns.
        agent_last: Said once where a limit is near.
        agent_revise: Opens its revision, with the release report.
        reviser: How a draft is revised with its release report.
        extract_agent: System message of an agent that fills a checklist from a long case.
        extract_snapshot: Its user message, built anew at each step: what is sought, explored, found and done.
        extract_words: How it says what a value rests on: by copying the words.
        extract_numbers: The same for a model that names the numbers of lines (``quotes`` of its profile).
        extract_review: Said once where it stops while items are empty.
        extract_circle: Said once where it goes in circles.
        extract_cut: Said where a reply of it was cut off.
        extract: System message of a model that fills a checklist from what it is shown, without tools.
        extract_case: Its user message with the whole case.
        extract_chunk: Its user message with one chunk, and what was found before.
        extract_again: Says what of its reply could not be taken.
        summary: System message of a model that writes from the whole case in one prompt.
        summary_case: Its user message.
        chooser: System message of a model that chooses the sentences that answer.
        chooser_passage: Its user message.
        guided: System message of a model that is asked narrow questions.
        guided_passages: Its user message: the sentences found, then one question.
        guided_provision: The question whether a provision of the catalogue stands in them.
        guided_bearing: The question which of them bear on what a lawyer will judge.
        guided_value: The question what the value of a provision is.
        guided_choice: The question which one of them answers best.
        guided_follows: The question whether a yes or a no follows from them.
        guided_work: The question by which operation and from which figures of them an answer is worked out.
        guided_view: The question what they suggest on what a lawyer will judge.
        interrogator: System message of a model that directs an interrogation.
        interrogator_next: Its user message: the report so far and the open questions; which comes next?
        research: System message of a model that researches a question.
        research_methods: The question where to look for the answer.
        research_answer: The question what the sentences found answer.
    """

    api: PromptTemplate = field(
        metadata=_slots(
            "code", "files", "first_file", "leads", "redlines", "revision", "skeletons", "skill", "skill_description",
            "skill_name", "source", "table_of_asks",
        )
    )  # fmt: skip
    api_matter: PromptTemplate = field(
        metadata=_slots(
            "asks", "brief", "documents", "drafts", "extracts", "files", "first_file", "report", "title", "unread",
            "unread_count",
        )
    )  # fmt: skip
    api_missing: PromptTemplate = field(metadata=_slots("files"))
    api_continue: PromptTemplate = field(metadata=_slots())
    cli: PromptTemplate = field(
        metadata=_slots(
            "files", "leads", "mandatory", "redlines", "skeletons", "skill_description", "skill_slug", "source",
            "table_of_asks",
        )
    )  # fmt: skip
    cli_matter: PromptTemplate = field(metadata=_slots("asks", "brief", "files", "report", "revision", "unread"))
    table_of_asks: PromptTemplate = field(metadata=_slots("ask_columns", "ask_states", "ask_title"))
    reviser: PromptTemplate = field(metadata=_slots())
    agent: PromptTemplate = field(
        metadata=_slots(
            "files", "leads", "mandatory", "redlines", "skeletons", "skill", "skill_description", "skill_name",
            "source", "table_of_asks",
        )
    )  # fmt: skip
    agent_matter: PromptTemplate = field(metadata=_slots("asks", "brief", "code", "documents", "more", "unread"))
    agent_idle: PromptTemplate = field(metadata=_slots("files"))
    agent_cut: PromptTemplate = field(metadata=_slots())
    agent_circle: PromptTemplate = field(metadata=_slots("circle"))
    agent_ends: PromptTemplate = field(metadata=_slots("circle", "missing", "turns"))
    agent_last: PromptTemplate = field(metadata=_slots("spent"))
    agent_revise: PromptTemplate = field(metadata=_slots("files", "report", "revision"))
    extract_agent: PromptTemplate = field(metadata=_slots("evidence"))
    extract_snapshot: PromptTemplate = field(
        metadata=_slots("catalogue", "code", "definitions", "earlier", "filled", "latest", "title", "told")
    )
    extract_words: PromptTemplate = field(metadata=_slots())
    extract_numbers: PromptTemplate = field(metadata=_slots())
    extract_review: PromptTemplate = field(metadata=_slots("empty"))
    extract_circle: PromptTemplate = field(metadata=_slots("circle"))
    extract_cut: PromptTemplate = field(metadata=_slots())
    extract: PromptTemplate = field(metadata=_slots("evidence", "form"))
    extract_case: PromptTemplate = field(metadata=_slots("code", "cut", "definitions", "documents", "title"))
    extract_chunk: PromptTemplate = field(
        metadata=_slots("code", "definitions", "document", "end", "filled", "length", "start", "text", "title")
    )
    extract_again: PromptTemplate = field(metadata=_slots("refused"))
    summary: PromptTemplate = field(metadata=_slots())
    summary_case: PromptTemplate = field(metadata=_slots("brief", "code", "cut", "documents", "title"))
    chooser: PromptTemplate = field(metadata=_slots())
    chooser_passage: PromptTemplate = field(metadata=_slots("code", "heading", "question", "sentences"))
    guided: PromptTemplate = field(metadata=_slots())
    guided_passages: PromptTemplate = field(metadata=_slots("code", "document", "question", "sentences"))
    guided_provision: PromptTemplate = field(metadata=_slots("means", "names", "topic"))
    guided_bearing: PromptTemplate = field(metadata=_slots("pitfalls", "question"))
    guided_value: PromptTemplate = field(metadata=_slots("means", "topic"))
    guided_choice: PromptTemplate = field(metadata=_slots("question"))
    guided_follows: PromptTemplate = field(metadata=_slots("question"))
    guided_work: PromptTemplate = field(metadata=_slots("operations", "question", "told"))
    guided_view: PromptTemplate = field(metadata=_slots("pitfalls", "question"))
    interrogator: PromptTemplate = field(metadata=_slots())
    interrogator_next: PromptTemplate = field(metadata=_slots("asked", "code", "offered", "report"))
    research: PromptTemplate = field(metadata=_slots())
    research_methods: PromptTemplate = field(metadata=_slots("methods", "question"))
    research_answer: PromptTemplate = field(metadata=_slots("client", "code", "law", "papers", "question", "sentences"))


SLOTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({f.name: f.metadata["slots"] for f in fields(Prompts)})


def load_prompts(folder: Path) -> Prompts:
    """Return the prompts of ``folder/prompts/*.md``.

    Raises:
        SkillError: A prompt is missing, empty or unknown, lacks a slot, or has a slot that nothing fills.
    """
    return Prompts(**load_templates(folder / "prompts", SLOTS))
